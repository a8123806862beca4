//! The system calls of the guardian, each with the little that makes it safe to call: numbers in, plain values out.
//!
//! Runs after a fork and keeps to the rules of `guardian.rs`. Calls whose failure leaves nothing better to do tell none.

use std::ffi::{CStr, c_int};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;

use libc::{c_long, pid_t, sigset_t};

/// Where [`keep_only`] puts the socket.
pub(super) const SOCKET: c_int = 0;

/// The most files that are closed one by one where the kernel cannot close a range.
const MOST_FILES: c_int = 1 << 20;

/// The last of the signals, those for real-time programs included.
const LAST_SIGNAL: c_int = 64;

/// Who returns from a fork.
pub(super) enum Forked {
    /// The new process.
    Child,
    /// The one that was there, with the number of the new one.
    Parent { child: pid_t },
}

/// What a look for ended children found.
pub(super) enum Reaped {
    /// One that ended, with its wait status.
    Ended { pid: pid_t, status: c_int },
    /// There are children, and all of them live.
    NoneYet,
    /// There are no children.
    NobodyLeft,
}

/// What came from the host.
pub(super) enum Received {
    /// One byte.
    Byte(u8),
    /// There is nothing at the moment.
    NothingYet,
    /// The host's end is closed.
    Closed,
}

/// Nothing interrupts this process from here on; what may not be blocked is fatal and shall be.
pub(super) fn block_signals() {
    let mut all = MaybeUninit::<sigset_t>::uninit();
    // SAFETY: `sigfillset` writes the whole set before it is read; the old mask is not asked for.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, all.as_ptr(), ptr::null_mut());
    }
}

/// The mask that a program expects to start with. The host's own is not handed on: it may hold back SIGTERM.
pub(super) fn unblock_signals() {
    let mut none = MaybeUninit::<sigset_t>::uninit();
    // SAFETY: as in `block_signals`.
    unsafe {
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
    }
}

/// Forgets what the host does on signals. One that ignores SIGCHLD would hand that on, and the kernel would throw the
/// children's statuses away; one that ignores SIGTERM would make the CLI deaf to it.
pub(super) fn default_signals() {
    // SAFETY: all zeroes is a valid `sigaction`: no flags, an empty mask, and `SIG_DFL`, which is zero.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = libc::SIG_DFL;
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: the new action is valid for the call, the old one is not asked for. Those few numbers that may not be
        // changed are refused, and have their default already.
        unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
    }
}

/// Away from the host's terminal: its signals are for the host, which decides about the CLI.
pub(super) fn leave_session() -> io::Result<()> {
    // SAFETY: takes nothing and touches no memory.
    checked(unsafe { libc::setsid() })
}

/// A group of its own, so that a CLI that signals its group does not mean the guardian.
pub(super) fn leave_group() -> io::Result<()> {
    // SAFETY: takes numbers and touches no memory.
    checked(unsafe { libc::setpgid(0, 0) })
}

/// A folder in use cannot be unmounted, and this process has no business in the CLI's.
pub(super) fn leave_folder() {
    // SAFETY: the path is a string with its end.
    unsafe { libc::chdir(c"/".as_ptr()) };
}

/// Orphans below this process become its children.
pub(super) fn become_subreaper() -> io::Result<()> {
    // SAFETY: this option takes one number and touches no memory.
    checked(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1 as libc::c_ulong, 0, 0, 0) })
}

/// This process is killed when its parent ends. An error when the parent has ended before this could be said.
pub(super) fn die_with(parent: pid_t) -> io::Result<()> {
    // SAFETY: this option takes one number and touches no memory.
    checked(unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong, 0, 0, 0) })?;
    // SAFETY: takes nothing and touches no memory.
    if unsafe { libc::getppid() } == parent { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
}

pub(super) fn own_pid() -> pid_t {
    // SAFETY: takes nothing and touches no memory.
    unsafe { libc::getpid() }
}

/// The name that `ps` shows.
pub(super) fn set_name(name: &CStr) {
    // SAFETY: the kernel reads the string up to its end, sixteen bytes at most.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr(), 0, 0, 0) };
}

/// Forks by the bare system call, so that no handler of the host's libraries runs.
pub(super) fn fork() -> io::Result<Forked> {
    const SIGNAL: c_long = libc::SIGCHLD as c_long;
    // One architecture has the stack before the flags; no stack means a copy of this one.
    let (first, second) = if cfg!(target_arch = "s390x") { (0, SIGNAL) } else { (SIGNAL, 0) };
    // SAFETY: without flags `clone` is a fork: the new process has a copy of all memory and shares none.
    let child = unsafe { libc::syscall(libc::SYS_clone, first, second, 0 as c_long, 0 as c_long, 0 as c_long) };
    match child {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Forked::Child),
        child => Ok(Forked::Parent { child: child as pid_t }),
    }
}

/// Moves the socket to [`SOCKET`] and closes all other files, so that pipes end when the CLI closes them, and the host's
/// ends of other guardians' sockets when the host does.
pub(super) fn keep_only(socket: c_int) {
    const NEXT: c_int = SOCKET + 1;
    // SAFETY: all files of this process are its own copies, and nothing here uses one of them by an owned handle.
    unsafe {
        libc::dup2(socket, SOCKET);
        if libc::syscall(libc::SYS_close_range, NEXT as c_long, c_long::from(u32::MAX), 0 as c_long) == 0 {
            return;
        }
    }
    for file in NEXT..most_files() {
        // SAFETY: as above; numbers that are not open do nothing.
        unsafe { libc::close(file) };
    }
}

fn most_files() -> c_int {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is valid for writing.
    let asked = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    if asked == 0 {
        c_int::try_from(limit.rlim_cur).map_or(MOST_FILES, |most| most.min(MOST_FILES))
    } else {
        MOST_FILES
    }
}

/// A descriptor that can be read when a child ended; below zero when there is none to be had.
pub(super) fn child_signals() -> c_int {
    let mut set = MaybeUninit::<sigset_t>::uninit();
    // SAFETY: `sigemptyset` writes the whole set before it is read.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGCHLD);
        libc::signalfd(-1, set.as_ptr(), libc::SFD_NONBLOCK)
    }
}

/// Takes what the descriptor of [`child_signals`] holds. One signal may stand for many ends, so its content is nothing.
pub(super) fn drain(signals: c_int) {
    let mut buffer = [0_u8; size_of::<libc::signalfd_siginfo>()];
    // SAFETY: the buffer is as long as told. The descriptor gives whole records only, and does not block.
    while unsafe { libc::read(signals, buffer.as_mut_ptr().cast(), buffer.len()) } > 0 {}
}

/// Waits for the host, if it still listens, and for ends of children; tells which of the two have something.
pub(super) fn wait(host_listens: bool, signals: c_int, patience_ms: Option<i64>) -> (bool, bool) {
    // A number below zero is left out by the kernel: a closed socket would be ready for ever.
    let host = if host_listens { SOCKET } else { -1 };
    let mut files = [host, signals].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    let patience_ms = patience_ms.map_or(-1, |patience_ms| c_int::try_from(patience_ms).unwrap_or(c_int::MAX));
    // SAFETY: the array is valid for writing and has two entries.
    let ready = unsafe { libc::poll(files.as_mut_ptr(), 2, patience_ms) };
    let [host, child] = files.map(|file| ready > 0 && file.revents != 0);
    (host, child)
}

/// Reaps one child that ended, if there is one.
pub(super) fn reap() -> Reaped {
    let mut status = 0;
    // SAFETY: the status is valid for writing.
    match unsafe { libc::waitpid(-1, &raw mut status, libc::WNOHANG) } {
        0 => Reaped::NoneYet,
        // Without children is the only way to fail: signals are blocked and the arguments are right.
        -1 => Reaped::NobodyLeft,
        pid => Reaped::Ended { pid, status },
    }
}

/// Whether the number is that of a child of this process, living or not yet reaped.
pub(super) fn is_child(pid: pid_t) -> bool {
    let Ok(pid) = libc::id_t::try_from(pid) else { return false };
    let mut info = MaybeUninit::<libc::siginfo_t>::uninit();
    // SAFETY: the structure is valid for writing and is not read. The child stays as it is, by `WNOWAIT`.
    let found =
        unsafe { libc::waitid(libc::P_PID, pid, info.as_mut_ptr(), libc::WEXITED | libc::WNOHANG | libc::WNOWAIT) };
    found == 0
}

/// Signals one child. The caller has not reaped it, so the number is no one else's.
pub(super) fn signal(child: pid_t, signal: c_int) {
    // SAFETY: takes numbers and touches no memory.
    unsafe { libc::kill(child, signal) };
}

/// Tells the host a few bytes, which the socket has room for; a host that is gone needs none.
pub(super) fn send(socket: c_int, bytes: &[u8]) {
    // SAFETY: the buffer is as long as told.
    unsafe { libc::send(socket, bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT) };
}

/// Takes one byte from the host.
pub(super) fn receive() -> Received {
    let mut byte = 0_u8;
    // SAFETY: the buffer is one byte, as told.
    match unsafe { libc::recv(SOCKET, (&raw mut byte).cast(), 1, libc::MSG_DONTWAIT) } {
        0 => Received::Closed,
        -1 if io::Error::last_os_error().raw_os_error() == Some(libc::EAGAIN) => Received::NothingYet,
        // A host that is gone and left bytes unread makes this a "connection reset".
        -1 => Received::Closed,
        _ => Received::Byte(byte),
    }
}

/// The monotonic clock.
#[allow(clippy::unnecessary_cast, reason = "both fields are narrower on some systems")]
pub(super) fn now_ms() -> i64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is valid for writing.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    (now.tv_sec as i64).wrapping_mul(1_000).wrapping_add(now.tv_nsec as i64 / 1_000_000)
}

/// Ends this process at once: nothing of the host's is flushed or run.
pub(super) fn exit() -> ! {
    // SAFETY: does not return.
    unsafe { libc::_exit(0) }
}

/// A file or folder that is open for reading.
pub(super) struct File(c_int);

impl File {
    pub(super) fn open(path: &CStr) -> Option<Self> {
        // SAFETY: the path is a string with its end.
        let file = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        (file >= 0).then_some(Self(file))
    }

    /// The next bytes; none at the end, and none on an error.
    pub(super) fn read<'a>(&self, buffer: &'a mut [u8]) -> &'a [u8] {
        // SAFETY: the buffer is as long as told.
        let count = unsafe { libc::read(self.0, buffer.as_mut_ptr().cast(), buffer.len()) };
        filled(buffer, count as i64)
    }

    /// The next entries of a folder, as the kernel lays them out; none at the end, and none on an error.
    pub(super) fn read_entries<'a>(&self, buffer: &'a mut [u8]) -> &'a [u8] {
        // SAFETY: the buffer is as long as told.
        let count = unsafe { libc::syscall(libc::SYS_getdents64, self.0, buffer.as_mut_ptr(), buffer.len()) };
        filled(buffer, count as i64)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the file is open, and this is its only owner.
        unsafe { libc::close(self.0) };
    }
}

fn filled(buffer: &[u8], count: i64) -> &[u8] {
    usize::try_from(count).ok().and_then(|count| buffer.get(..count)).unwrap_or_default()
}

fn checked(result: c_int) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
