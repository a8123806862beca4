//! Starting a keeper as a process of its own: a folder and a launch in; a process that outlives its parent out.
//!
//! The launch goes over the keeper's standard input, and the keeper says over its standard output, in one line, that it is
//! ready or why it is not. After that it holds nothing of its parent: no pipe, no terminal, no session.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{SystemTime, UNIX_EPOCH};

use insights::UnixMillis;
use journal::Folder;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::oneshot;

use crate::error::Error;
use crate::launch::Launch;
use crate::process::keep;

/// How to run a keeper: a program and the arguments before the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeeperCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments; the session folder follows them.
    pub arguments: Vec<OsString>,
}

impl KeeperCommand {
    /// The program that is running, asked to `keep`.
    pub fn of_this_program() -> std::io::Result<Self> {
        Ok(KeeperCommand { program: std::env::current_exe()?, arguments: vec!["keep".into()] })
    }

    /// Starts a keeper for the session in `folder`, and returns when clients can attach to it.
    pub async fn start(&self, folder: &Folder, launch: &Launch) -> Result<(), Error> {
        let failed = |source| Error::Start { program: self.program.clone(), source };
        #[expect(clippy::disallowed_methods, reason = "the one place where this crate starts a process")]
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(false);
        let mut keeper = command.spawn().map_err(failed)?;
        let (stdin, stdout) = (keeper.stdin.take(), keeper.stdout.take());
        // Someone must take note of its end, or it stays in the table of processes for as long as we live.
        tokio::spawn(async move { _ = keeper.wait().await });
        if let Some(mut stdin) = stdin {
            let text = serde_json::to_vec(launch).map_err(Error::Launch)?;
            // A keeper that did not read to the end says why on its output.
            let _ = stdin.write_all(&text).await;
        }
        let mut said = Vec::new();
        if let Some(mut stdout) = stdout {
            stdout.read_to_end(&mut said).await.map_err(failed)?;
        }
        match serde_json::from_slice(&said) {
            Ok(Said { error: None }) => Ok(()),
            Ok(Said { error: Some(reason) }) => Err(Error::Refused { reason }),
            Err(_) => Err(Error::Gone),
        }
    }
}

/// What a keeper says to its parent.
#[derive(Debug, Serialize, Deserialize)]
struct Said {
    error: Option<String>,
}

/// The keeper's side: reads the launch, keeps the session in `folder` until its end, and tells the parent how it began.
/// For the program's hidden command; `clock` gives the records their times.
pub fn keep_on_stdio(folder: &Path, clock: fn() -> UnixMillis) -> Result<(), Error> {
    // Fails only for a leader of a process group: one that was started by hand, and then its terminal is meant.
    let _ = rustix::process::setsid();
    let outcome = run(folder, clock);
    if let Err(error) = &outcome {
        tell(Some(reason(error)));
    }
    outcome
}

fn run(folder: &Path, clock: fn() -> UnixMillis) -> Result<(), Error> {
    let mut text = Vec::new();
    let failed = |source| Error::Start { program: "the keeper".into(), source };
    std::io::stdin().read_to_end(&mut text).map_err(failed)?;
    let launch: Launch = serde_json::from_slice(&text).map_err(Error::Launch)?;
    // One thread: a keeper waits nearly all the time, and there may be hundreds.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let (ready, is_ready) = oneshot::channel();
        let telling = async {
            if is_ready.await.is_ok() {
                tell(None);
            }
        };
        let (kept, ()) = tokio::join!(keep(Folder::new(folder), &launch, clock, ready), telling);
        kept
    })
}

/// Says how the start went and lets go of the parent's pipes: nothing more will be said.
fn tell(error: Option<String>) {
    let mut text = serde_json::to_vec(&Said { error }).unwrap_or_default();
    text.push(b'\n');
    // The parent may have died meanwhile; the session goes on without it.
    let mut stdout = std::io::stdout();
    let _ = stdout.write_all(&text).and_then(|()| stdout.flush());
    if let Ok(nothing) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&nothing);
        let _ = rustix::stdio::dup2_stdout(&nothing);
        let _ = rustix::stdio::dup2_stderr(&nothing);
    }
}

/// An error with its causes, in one sentence.
fn reason(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// The time of the system's clock.
#[expect(clippy::disallowed_methods, reason = "the one place where this crate and those above it take the time")]
pub fn now() -> UnixMillis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMillis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
