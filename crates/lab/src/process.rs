//! Processes that the lab starts, and its own: what the scripted agent needs. Ending them is in `real::process`.

use std::ffi::OsStr;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Command;

/// A command that ends when its handle is dropped.
#[expect(clippy::disallowed_methods, reason = "this is the one place of the lab that starts processes")]
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.kill_on_drop(true);
    command
}

/// Starts a program in a session of its own that outlives us, and gives its number.
pub(crate) fn start_apart(words: &[String]) -> std::io::Result<u32> {
    // `setsid` becomes the program it starts, so the number is that of the program.
    let mut command = command("setsid");
    command.kill_on_drop(false).args(words);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    child.id().ok_or_else(|| std::io::Error::other("it ended at once"))
}

/// Kills this process.
pub(crate) fn kill_self() {
    if let Some(pid) = process_id(std::process::id()) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// A process as the system calls it.
pub(crate) fn process_id(pid: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(pid).ok()?)
}
