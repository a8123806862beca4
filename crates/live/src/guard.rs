//! The two-writer guard: which other programs work on a conversation that is about to be resumed here.
//!
//! The CLI has no lock of its own: two of them on one session id write into one transcript, each without the other's turns.
//! So before a resume all processes are looked at, and one that names the session id is told to the user; and one that has
//! written itself down, as newer versions do whatever their command line says.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use keeper::table;
use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use tokio::time::sleep;

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

/// The programs that work on this conversation, without those below `ours`. `config` is the CLI's folder.
pub async fn others(config: Option<&Path>, session: &str, ours: &[u32]) -> Vec<Other> {
    settled().await;
    let found = at_work(config).remove(session).unwrap_or_default();
    found.into_iter().filter(|other| !is_below(other.pid, ours)).collect()
}

/// All programs that work on a conversation, by its id.
pub fn at_work(config: Option<&Path>) -> BTreeMap<String, Vec<Other>> {
    let mut found: BTreeMap<String, Vec<Other>> = BTreeMap::new();
    let named = numbers(Path::new("/proc"), "").into_iter().filter_map(|pid| Some((named(&arguments(pid)?)?, pid)));
    let sessions = config.map(|config| config.join("sessions"));
    let written = sessions
        .iter()
        .flat_map(|folder| numbers(folder, ".json").into_iter().filter_map(|pid| Some((written(folder, pid)?, pid))));
    for (session, pid) in named.chain(written) {
        let others = found.entry(session).or_default();
        if others.iter().all(|other| other.pid != pid) {
            others.push(Other { pid, command: shown(&arguments(pid).unwrap_or_default()) });
        }
    }
    found
}

/// The numbers that names in this folder begin with, where nothing but `end` follows.
fn numbers(folder: &Path, end: &str) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.strip_suffix(end)?.parse().ok()).collect()
}

/// What a CLI writes down about itself, of which this is needed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    session_id: String,
    /// When the process was started, in the system's ticks.
    proc_start: Option<String>,
}

/// The session that a process has written down, if it is still that process: what is killed takes nothing back, and its number
/// is given to others.
fn written(folder: &Path, pid: u32) -> Option<String> {
    let bytes = std::fs::read(folder.join(format!("{pid}.json"))).ok()?;
    let Written { session_id, proc_start } = serde_json::from_slice(&bytes).ok()?;
    let is_it = proc_start.is_none_or(|ticks| table::started(pid).as_ref() == Some(&ticks));
    (is_it && table::lives(pid)).then_some(session_id)
}

/// How long a program may take to get its command line.
const SETTLING: Duration = Duration::from_millis(500);

/// Waits until every program that has been started can be told by its command line.
async fn settled() {
    for _ in 0..SETTLING.as_millis() / LOOK.as_millis() {
        if !numbers(Path::new("/proc"), "").into_iter().any(is_beginning) {
            return;
        }
        sleep(LOOK).await;
    }
}

/// Is the system still loading what this process is to run? It says what is run sooner than with which words: with a large
/// program that was measured to take 30 ms. What has ended, and what is a part of the system itself, runs nothing.
fn is_beginning(pid: u32) -> bool {
    let place = Path::new("/proc").join(pid.to_string());
    std::fs::read(place.join("cmdline")).is_ok_and(|words| words.is_empty()) && place.join("exe").read_link().is_ok()
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
        sleep(LOOK).await;
    }
    Err(Error::TwoWriters(others.iter().filter(lives).cloned().collect()))
}

fn process(other: &Other) -> Option<Pid> {
    i32::try_from(other.pid).ok().and_then(Pid::from_raw)
}

fn arguments(pid: u32) -> Option<Vec<String>> {
    let bytes = std::fs::read(Path::new("/proc").join(pid.to_string()).join("cmdline")).ok()?;
    Some(bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect())
}

fn shown(arguments: &[String]) -> String {
    let command = arguments.join(" ");
    let end = command.char_indices().nth(SHOWN).map_or(command.len(), |(end, _)| end);
    command[..end].trim().to_owned()
}

/// The session that this command line runs a CLI on. An id anywhere else (an editor with the transcript open, a search) is no
/// second writer, and a fork writes elsewhere than what it was forked from.
fn named(arguments: &[String]) -> Option<String> {
    let of = |flags: &[&str]| {
        arguments.iter().enumerate().find_map(|(at, word)| {
            let (flag, value) = word.split_once('=').map_or((word.as_str(), None), |(flag, value)| (flag, Some(value)));
            let value = value.or_else(|| arguments.get(at + 1).map(String::as_str));
            flags.contains(&flag).then_some(value).flatten().map(ToOwned::to_owned)
        })
    };
    let is_fork = arguments.iter().any(|word| word == "--fork-session");
    of(&["--session-id"]).or_else(|| if is_fork { None } else { of(&["--resume", "-r"]) })
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
        let on = |text: &str| named(&words(text));
        assert_eq!(on("node cli.js --resume aa-1").as_deref(), Some("aa-1"));
        assert_eq!(on("claude -p --session-id=aa-1 hello").as_deref(), Some("aa-1"));
        assert_eq!(on("claude -r aa-1").as_deref(), Some("aa-1"));
        assert_eq!(on("claude --resume aa-1 --fork-session"), None);
        assert_eq!(on("claude --resume aa-1 --fork-session --session-id bb-2").as_deref(), Some("bb-2"));
        assert_eq!(on("vim projects/x/aa-1.jsonl"), None);
        assert_eq!(on("grep aa-1 log"), None);
        assert_eq!(on("claude --resume"), None);
    }

    #[tokio::test]
    async fn who_has_written_itself_down_counts_while_it_lives() {
        let config = tempfile::tempdir().unwrap();
        let folder = config.path().join("sessions");
        std::fs::create_dir(&folder).unwrap();
        let write = |pid: u32, text: &str| std::fs::write(folder.join(format!("{pid}.json")), text).unwrap();
        let me = std::process::id();
        let at = |session: &str| at_work(Some(config.path())).remove(session).map(|others| others[0].pid);
        let ticks = table::started(me).unwrap();
        write(me, &format!(r#"{{"pid": {me}, "sessionId": "written", "procStart": "{ticks}", "news": 1}}"#));
        assert_eq!(at("written"), Some(me));
        assert_eq!(at("another"), None);
        // The number of a process that was killed, given to us.
        write(me, r#"{"sessionId": "written", "procStart": "1"}"#);
        assert_eq!(at("written"), None);
        // Versions that do not say when; texts that say nothing; processes that are gone.
        write(me, r#"{"sessionId": "written"}"#);
        assert_eq!(at("written"), Some(me));
        write(me, "{");
        write(u32::MAX, r#"{"sessionId": "written"}"#);
        assert_eq!(at("written"), None);
    }

    /// A shell that waits for its input, with the words of a CLI behind it.
    fn at_the_same(session: &str) -> std::process::Child {
        #[expect(clippy::disallowed_methods, reason = "the one place where these tests start a process")]
        std::process::Command::new("sh")
            .args(["-c", "read line", "claude", "--resume", session])
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    }

    #[tokio::test]
    async fn a_process_on_the_session_is_found_and_ours_is_not_told() {
        let session = format!("guard-test-{}", std::process::id());
        let mut child = at_the_same(&session);
        let found = others(None, &session, &[]).await;
        assert_eq!(found.iter().map(|other| other.pid).collect::<Vec<_>>(), [child.id()], "{found:?}");
        assert!(found[0].to_string().contains("claude --resume"));
        assert_eq!(others(None, &session, &[std::process::id()]).await, []);
        end(&found).await.unwrap();
        let status = child.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15));
    }

    #[tokio::test]
    async fn who_has_only_just_been_started_is_found() {
        for number in 0..50 {
            let session = format!("guard-test-{}-{number}", std::process::id());
            let mut child = at_the_same(&session);
            let found = others(None, &session, &[]).await;
            child.kill().unwrap();
            child.wait().unwrap();
            assert_eq!(found.len(), 1, "the one of round {number}");
        }
    }
}
