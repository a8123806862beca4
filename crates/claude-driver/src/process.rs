//! The CLI as a process: what to run comes in, its pipes, its exit and the promise that nothing lives on go out.
//!
//! The CLI runs every command in a session of its own, so ending the CLI, or its process group, leaves its commands
//! behind. What is done about it depends on the system:
//!
//! | system | how | ends with the host's `kill -9` |
//! |---|---|---|
//! | Linux | a guardian process between host and CLI, see `process/guardian.rs` | everything below the CLI |
//! | other Unix | a process group of its own, see `process/group.rs` | nothing: the CLI sees the end of its input and leaves |
//! | others | the child alone, see `process/single.rs` | nothing, as above |
//!
//! The two lesser ways are compiled for the tests on Linux too, so that they are tried somewhere.
//!
//! The order of a close is always: the caller closes standard input, then [`Process::end`] waits, sends SIGTERM, waits,
//! and sends SIGKILL. SIGINT is never used: the CLI takes it for a user at a keyboard.

#[cfg(any(all(unix, not(target_os = "linux")), all(target_os = "linux", test)))]
mod group;
#[cfg(target_os = "linux")]
mod guarded;
#[cfg(target_os = "linux")]
mod guardian;
#[cfg(any(not(unix), all(target_os = "linux", test)))]
mod single;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
#[cfg(test)]
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
#[cfg(test)]
use tokio::time::timeout;

#[cfg(all(unix, not(target_os = "linux")))]
use group::Group as Kept;
#[cfg(target_os = "linux")]
use guarded::Guarded as Kept;
#[cfg(not(unix))]
use single::Single as Kept;

/// What to run, and in which surroundings: see [`Program::spawn`](crate::Program::spawn).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// A path, or a name that is looked up on PATH.
    pub path: OsString,
    /// The arguments, without the program itself.
    pub arguments: Vec<OsString>,
    /// What the program's environment starts from.
    pub environment: Environment,
    /// Variables that are taken away from what is inherited.
    pub remove: Vec<OsString>,
    /// Variables that are set, after the removals.
    pub set: Vec<(OsString, OsString)>,
    /// The folder to run in; the host's own when none is named.
    pub folder: Option<PathBuf>,
}

/// What a program's environment starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Environment {
    /// All variables of the host.
    #[default]
    Inherited,
    /// No variables at all.
    Empty,
}

/// How the CLI ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The CLI's own exit code, or the signal that ended it.
    Status(ExitStatus),
    /// The CLI is gone, but whoever would have told its status was ended first (a guardian killed with SIGKILL), or it
    /// could not be ended within the guardian's patience.
    Lost,
}

/// A running CLI. Dropping it ends the CLI and what came from it, in the background; [`Process::end`] waits for that.
#[derive(Debug)]
pub(crate) struct Process {
    kept: Kept,
}

/// A process that was just started, with its pipes.
#[derive(Debug)]
pub(crate) struct Started {
    /// The process itself.
    pub(crate) process: Process,
    /// Its standard input; dropping it is how a close begins.
    pub(crate) stdin: ChildStdin,
    /// Its standard output. The end comes when the CLI and all that inherited the pipe are gone.
    pub(crate) stdout: ChildStdout,
    /// Its standard error, ending like standard output.
    pub(crate) stderr: ChildStderr,
}

impl Process {
    /// Starts a program. Must be called inside a tokio runtime with I/O enabled.
    ///
    /// Blocks for the moment that fork and exec take. A program that cannot be run is an error of the kind the system
    /// names (`NotFound`, `PermissionDenied`, …), and leaves no process behind.
    pub(crate) fn spawn(program: &Program) -> io::Result<Started> {
        let mut command = command(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (kept, pipes) = Kept::spawn(command)?;
        widen(&pipes.stdout);
        Ok(Started { process: Self { kept }, stdin: pipes.stdin, stdout: pipes.stdout, stderr: pipes.stderr })
    }

    /// The process id of the CLI itself. It stays reserved for the CLI until [`Process::exited`] told its end.
    pub(crate) fn pid(&self) -> u32 {
        self.kept.pid()
    }

    /// Waits for the CLI's end and tells how it ended; tells it again when asked again. Cancel-safe.
    ///
    /// What the CLI left behind may live on for the moments it takes to end it; [`Process::gone`] waits for that too.
    pub(crate) async fn exited(&mut self) -> Exit {
        self.kept.exited().await
    }

    /// Waits until the CLI and everything that came from it is gone. Ends nothing by itself. Cancel-safe.
    pub(crate) async fn gone(&mut self) -> Exit {
        self.kept.gone().await
    }

    /// Asks the CLI to leave (SIGTERM). Returns at once; nothing happens when the CLI is gone already.
    pub(crate) fn terminate(&self) {
        self.kept.terminate();
    }

    /// Ends the CLI and everything that came from it (SIGKILL). Returns at once.
    pub(crate) fn kill(&mut self) {
        self.kept.kill();
    }

    /// Ends the CLI and waits until nothing of it is left. The caller has closed standard input: `grace` is how long the
    /// CLI may take to leave for that, `term_grace` how long it may then take for SIGTERM.
    #[cfg(test)]
    pub(crate) async fn end(mut self, grace: Duration, term_grace: Duration) -> Exit {
        if timeout(grace, self.exited()).await.is_err() {
            self.terminate();
            if timeout(term_grace, self.exited()).await.is_err() {
                self.kill();
            }
        }
        self.gone().await
    }
}

/// How much a pipe for standard output holds, where that can be said: four times as much as it otherwise does. While
/// deltas pour in, both sides sleep and wake so much less often. Not more, since the system counts what all pipes of a user
/// might hold: two hundred of these are still within what Linux grants everyone.
pub(crate) const STDOUT_PIPE: usize = 256 * 1024;

#[cfg(target_os = "linux")]
fn widen(stdout: &ChildStdout) {
    // A pipe that stays as it is serves as well, only slower.
    let _ = rustix::pipe::fcntl_setpipe_size(stdout, STDOUT_PIPE);
}

#[cfg(not(target_os = "linux"))]
fn widen(_: &ChildStdout) {}

/// The three pipes of a child.
struct Pipes {
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: ChildStderr,
}

impl Pipes {
    fn take(child: &mut Child) -> io::Result<Self> {
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(stdin), Some(stdout), Some(stderr)) => Ok(Self { stdin, stdout, stderr }),
            _ => Err(io::Error::other("a pipe of the child is missing")),
        }
    }
}

/// The one place of the driver that makes a command.
#[expect(clippy::disallowed_methods, reason = "this is the one place of the driver that starts processes")]
fn command(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command.args(&program.arguments);
    if program.environment == Environment::Empty {
        command.env_clear();
    }
    program.remove.iter().for_each(|name| _ = command.env_remove(name));
    command.envs(program.set.iter().map(|(name, value)| (name, value)));
    if let Some(folder) = &program.folder {
        command.current_dir(folder);
    }
    command
}
