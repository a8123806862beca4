//! The guardian (Linux): a command and a socket come in; out goes a small process between host and CLI that ends
//! everything below it when the CLI leaves, when the host says so, and when the host is gone.
//!
//! # Why
//!
//! The CLI starts commands in sessions of their own. When the CLI ends, they are handed to the nearest *subreaper* above,
//! or to init, and nobody knows them any more. A library must not make its host a subreaper, since that changes what the
//! host's other children mean; and a host that died by `kill -9` cleans up nothing. So one process stands between:
//!
//! ```text
//! host ──socket── guardian (subreaper, own session) ── CLI (own group, dies with the guardian) ── commands …
//! ```
//!
//! The guardian is the child that `Command` forks, and it never calls exec: the hook that runs before exec forks once
//! more, lets the second child go on to be the CLI, and stays behind. Thus there is no helper program to install, and
//! `Command` reports a program that cannot be run as always.
//!
//! # What it does
//!
//! Host to guardian: [`TERMINATE`] sends SIGTERM to the CLI, [`KILL`] sends SIGKILL to everything. Guardian to host: the
//! CLI's process id, later its wait status, four bytes each; then the end of the stream, when nothing is left.
//!
//! * The CLI ended: what it left gets SIGTERM, and SIGKILL a second later.
//! * The socket ended (closed, dropped, or the host is dead): the CLI sees the end of its input then, and has a second
//!   to leave by itself, since SIGTERM right after the input's end can cost it the last line of its transcript. Then
//!   SIGTERM, two seconds, SIGKILL to everything.
//!
//! Only direct children are signalled, and only while the kernel says that they are children (see `children.rs`), so no
//! signal can reach a process that was given a used number. Orphans become direct children, and it goes on until there
//! are none. No signal ends the guardian but SIGKILL; then the CLI dies with it, and what the CLI left is init's.
//!
//! # What it costs
//!
//! A process that is a copy of the host, whose memory is shared until one of the two writes to it: pages that the host
//! changes or frees later stay in memory for the guardian, and a system that does not overcommit counts them twice. It
//! holds one socket and one signal descriptor, and sleeps.
//!
//! A host that forks without exec and keeps all its files hands on its end of the socket, and the guardian waits for
//! that copy too. A command that runs as another user (`sudo`) cannot be signalled: the guardian gives up on it five
//! seconds after the first SIGKILL.
//!
//! # Audit
//!
//! The host may have many threads, and a fork copies only the calling one: a lock that another one holds stays locked for
//! ever. So after the fork nothing allocates, locks, panics, or runs code of others. All `unsafe` of the workspace is
//! here and in `guardian/system.rs`; these are all calls that are made:
//!
//! | call | why it is safe after fork |
//! |---|---|
//! | `_exit`, `kill`, `waitpid`, `waitid`, `open`, `read`, `close`, `dup2`, `poll`, `send`, `recv`, `getpid`, `getppid`, `setsid`, `setpgid`, `chdir`, `sigaction`, `sigfillset`, `sigemptyset`, `sigaddset`, `clock_gettime` | POSIX lists them as async-signal-safe |
//! | `sigprocmask` | as above; only one thread exists in the copy |
//! | `prctl`, `signalfd`, `getrlimit` | thin wrappers around one system call, without state |
//! | `clone`, `close_range`, `getdents64` | made as bare system calls: no handler of `pthread_atfork` runs, no lock of the C library is taken. `clone` leaves the C library's idea of its thread id stale in the CLI's process, which reads it nowhere before exec |
//! | `io::Error::last_os_error` | reads `errno`; such an error holds a number and no memory |
//!
//! Between `Command`'s fork and the first line here the host's signal handlers may run in the copy, as in each program
//! that forks. The first line blocks all signals, and the guardian never lets them through again. (The C library keeps
//! two real-time signals out of every mask, for its threads; only a process that means to can send them.)

#![expect(unsafe_code, reason = "fork, exec hooks and signals of a child have no safe interface; see the audit above")]

mod children;
mod system;
mod watch;

use std::io;
use std::os::fd::RawFd;

use tokio::process::Command;

/// From the host: SIGTERM to the CLI.
pub(super) const TERMINATE: u8 = b't';

/// From the host: SIGKILL to the CLI and everything that came from it.
pub(super) const KILL: u8 = b'k';

/// Puts a guardian between this process and the one the command will start. `socket` is the guardian's end of a stream
/// socket: open until the command is spawned, above the standard streams, and closed on exec.
pub(super) fn install(command: &mut Command, socket: RawFd) {
    // SAFETY: the hook keeps to what is allowed after a fork; the audit above lists it call by call.
    unsafe { command.pre_exec(move || stand_between(socket)) };
}

/// Runs in the forked child. Returns in the process that shall become the CLI, or with an error and no second process;
/// the guardian itself does not return.
fn stand_between(socket: RawFd) -> io::Result<()> {
    system::block_signals();
    system::default_signals();
    system::leave_session()?;
    system::become_subreaper()?;
    let guardian = system::own_pid();
    match system::fork()? {
        system::Forked::Child => {
            system::die_with(guardian)?;
            system::leave_group()?;
            system::unblock_signals();
            Ok(())
        }
        system::Forked::Parent { child } => {
            system::set_name(c"qd-guardian");
            system::leave_folder();
            // Told before the other files are closed: the host's `spawn` returns after that, and wants the id at hand.
            system::send(socket, &child.to_ne_bytes());
            system::keep_only(socket);
            watch::watch(child)
        }
    }
}
