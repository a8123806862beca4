//! The two-writer guard: which other programs work on a conversation that is about to be resumed here.
//!
//! The CLI has no lock of its own: two of them on one session id write into one transcript, each without the other's turns.
//! So before a resume all processes are looked at, and one that names the session id, or sits in the same folder and
//! continues its newest session, is told to the user.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use keeper::table;
use rustix::process::{Pid, Signal, kill_process};

use crate::error::{Error, Result};

/// Another program that works on the same conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// Its process.
    pub pid: u32,
    /// Its command line, cut short.
    pub command: String,
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}: {}", self.pid, self.command)
    }
}

/// How much of a command line is shown.
const SHOWN: usize = 120;

/// The processes that name one of these session ids in their arguments, without those below `ours`.
pub fn others(sessions: &[String], ours: &[u32]) -> Vec<Other> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| look(pid, sessions)).filter(|other| !is_below(other.pid, ours)).collect()
}

/// How long a program may take to end when it is asked to.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(20);

/// Asks other programs to end, and waits until they have; an error that names those that do not.
pub async fn end(others: &[Other]) -> Result<()> {
    for pid in others.iter().filter_map(process) {
        // One that is gone by now has ended.
        let _ = kill_process(pid, Signal::TERM);
    }
    gone(others).await
}

/// Waits until these programs have ended; an error that names those that do not.
pub async fn gone(others: &[Other]) -> Result<()> {
    let lives = |other: &&Other| table::lives(other.pid);
    for _ in 0..PATIENCE.as_millis() / LOOK.as_millis() {
        if !others.iter().any(|other| lives(&other)) {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
    Err(Error::TwoWriters(others.iter().filter(lives).cloned().collect()))
}

fn process(other: &Other) -> Option<Pid> {
    i32::try_from(other.pid).ok().and_then(Pid::from_raw)
}

fn look(pid: u32, sessions: &[String]) -> Option<Other> {
    let bytes = std::fs::read(Path::new("/proc").join(pid.to_string()).join("cmdline")).ok()?;
    let arguments: Vec<String> =
        bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    names(&arguments, sessions).then(|| {
        let command = arguments.join(" ");
        let end = command.char_indices().nth(SHOWN).map_or(command.len(), |(end, _)| end);
        Other { pid, command: command[..end].trim().to_owned() }
    })
}

/// Does this command line run a CLI on one of the sessions? An id anywhere else (an editor with the transcript open, a
/// search) is no second writer.
fn names(arguments: &[String], sessions: &[String]) -> bool {
    let is_session = |text: &str| sessions.iter().any(|session| session == text);
    arguments.windows(2).any(|pair| match pair {
        [flag, value] => matches!(flag.as_str(), "--resume" | "-r" | "--session-id") && is_session(value),
        _ => false,
    }) || arguments.iter().any(|word| {
        let value = word.strip_prefix("--resume=").or_else(|| word.strip_prefix("--session-id="));
        value.is_some_and(is_session)
    })
}

/// Was this process started by one of ours, or is it one of them?
fn is_below(pid: u32, ours: &[u32]) -> bool {
    let mut pid = pid;
    // No family is deeper than this; the limit keeps a changing table of processes from leading in circles.
    for _ in 0..64 {
        if ours.contains(&pid) {
            return true;
        }
        match table::parent(pid) {
            Some(parent) if parent > 1 => pid = parent,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn only_who_runs_the_session_counts() {
        let sessions = ["aa-1".to_owned()];
        assert!(names(&words("node cli.js --resume aa-1"), &sessions));
        assert!(names(&words("claude -p --session-id=aa-1 hello"), &sessions));
        assert!(names(&words("claude -r aa-1"), &sessions));
        assert!(!names(&words("claude --resume bb-2"), &sessions));
        assert!(!names(&words("vim projects/x/aa-1.jsonl"), &sessions));
        assert!(!names(&words("grep aa-1 log"), &sessions));
        assert!(!names(&words("claude --resume"), &sessions));
    }

    #[test]
    fn a_process_on_the_session_is_found_and_ours_is_not_told() {
        let session = format!("guard-test-{}", std::process::id());
        // A shell that waits for its input, with the words of a CLI behind it.
        #[expect(clippy::disallowed_methods, reason = "the one place where these tests start a process")]
        let mut child = std::process::Command::new("sh")
            .args(["-c", "read line", "claude", "--resume", &session])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut found = Vec::new();
        // For a moment a new process has the words of nobody.
        while found.is_empty() {
            found = others(std::slice::from_ref(&session), &[]);
        }
        assert_eq!(found.iter().map(|other| other.pid).collect::<Vec<_>>(), [child.id()], "{found:?}");
        assert!(found[0].to_string().contains("claude --resume"));
        assert_eq!(others(&[session], &[std::process::id()]), []);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(end(&found)).unwrap();
        let status = child.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15));
    }
}
