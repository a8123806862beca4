//! What a crash leaves behind: agents and keepers that were killed, a line that was torn, and a line in a file of its own.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::place::Place;
use crate::process;

/// The length of the text whose line is moved out of the log. The real limit is 64 MiB: too much for a fixture. What the log
/// says and what the file holds is the same at any length.
pub(super) const BIG_BYTES: usize = 20_000;

/// Ends the agent of a session, and waits until its keeper has written that down.
pub(super) fn end_agent(place: &Place, session: &str) -> Result<()> {
    kill("-TERM", &processes(place, session, |program| program == place.agent())?)?;
    gone(place, session)
}

/// Kills the keeper of a session, and what guards its agent. The server starts it again.
pub(super) fn kill_keeper(place: &Place, session: &str) -> Result<()> {
    kill("-KILL", &processes(place, session, |program| program != place.agent())?)
}

/// Ends everything of some sessions at once, as a power cut does: nothing more is written.
pub(super) fn cut_power(place: &Place, sessions: &[&String]) -> Result<()> {
    for session in sessions {
        kill("-KILL", &processes(place, session, |_| true)?)?;
        gone(place, session)?;
    }
    Ok(())
}

/// Ends what a capture that failed has left running.
pub(super) fn end_all(place: &Place) -> Result<()> {
    kill("-KILL", &processes(place, "", |_| true)?)
}

/// Adds the beginning of a record to a log.
pub(super) fn tear(log: &Path) -> Result<()> {
    let text = fs::read_to_string(log)?;
    let last = text.lines().last().context("the log is empty")?;
    let seq = last.strip_prefix(r#"{"seq":"#).and_then(|rest| rest.split(',').next()).context("no number")?;
    let torn =
        format!(r#"{{"seq":{},{}"#, seq.parse::<u64>()? + 1, r#""at":1800000000000,"source":"stdout","line":{"ty"#);
    let mut file = fs::OpenOptions::new().append(true).open(log)?;
    Ok(file.write_all(torn.as_bytes())?)
}

/// Moves the longest line of a log into a file of its own, as the journal does with one that is longer than 64 MiB.
pub(super) fn move_out_big_line(folder: &Path) -> Result<()> {
    let log = folder.join("log.jsonl");
    let text = fs::read_to_string(&log)?;
    let big = text.lines().max_by_key(|line| line.len()).context("the log is empty")?;
    if big.len() < BIG_BYTES {
        bail!("no line of `{}` is long", log.display());
    }
    let (head, _) = big.split_once(r#","source":"#).context("the line has no source")?;
    let seq = head.strip_prefix(r#"{"seq":"#).and_then(|rest| rest.split(',').next()).context("no number")?;
    fs::create_dir(folder.join("big"))?;
    fs::write(folder.join("big").join(seq), big)?;
    Ok(fs::write(&log, text.replace(big, &format!(r#"{head},"big":{}}}"#, big.len())))?)
}

/// The processes of a session whose program is as wished: its keeper, what guards its agent, and the agent.
fn processes(place: &Place, session: &str, wished: impl Fn(&Path) -> bool) -> Result<Vec<String>> {
    let data = place.data();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")?.filter_map(Result::ok) {
        let Ok(program) = fs::read_link(entry.path().join("exe")) else { continue };
        let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let names = |part: &[u8]| memchr::memmem::find(&words, part).is_some();
        // Agents name the session, keepers its folder.
        let is_ours = program == place.agent() || names(data.as_os_str().as_encoded_bytes());
        if is_ours && names(session.as_bytes()) && wished(&program) {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(found)
}

fn kill(signal: &str, pids: &[String]) -> Result<()> {
    if pids.is_empty() {
        bail!("found no process to end");
    }
    process::output(process::command("kill").arg(signal).args(pids)).map(|_| ())
}

/// Waits until no process of a session is left.
fn gone(place: &Place, session: &str) -> Result<()> {
    for _ in 0..1_000 {
        if processes(place, session, |_| true)?.is_empty() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    bail!("session {session} does not end")
}
