//! The files of one session: its transcript in; those of its subagents out, wherever its version put them.

use std::collections::HashSet;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use claude_protocol::transcript::Place;
use claude_protocol::{Entry, Reading, decode_as};
use insights::UnixMillis;

use super::list::{fill, regular};
use super::mend::mend;

/// How much is read to learn whose file it is and when it begins.
const START_BYTES: usize = 64 * 1024;

/// Nobody keeps subagents deeper than this; the limit keeps folders that change from leading in circles.
const DEPTH: usize = 4;

/// The transcript of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    path: PathBuf,
}

/// The transcript of a subagent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Subagent {
    /// When it began, if it says so. Who starts another one begins earlier.
    began_at: Option<UnixMillis>,
    pub(super) path: PathBuf,
    /// The CLI's id of it.
    pub(super) agent: String,
}

impl Transcript {
    /// The transcript in this file, which may not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Transcript { path: path.into() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The CLI's id of the session: the name of the file.
    pub fn session(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The files of its subagents that were not looked at before, in the order in which they began. Since 2.1.29 they are
    /// below a folder of the session; before, they were beside it, together with those of other sessions.
    pub(super) fn subagents(&self, looked_at: &mut HashSet<PathBuf>) -> Vec<Subagent> {
        let mut paths = Vec::new();
        below(&self.path.with_extension("").join("subagents"), DEPTH, &mut paths);
        let own = paths.len();
        below(self.path.parent().unwrap_or(Path::new("")), 0, &mut paths);
        let session = self.session();
        let mut found = Vec::new();
        for (number, path) in paths.into_iter().enumerate() {
            let Some(agent) = agent_of(&path).filter(|_| !looked_at.contains(&path)) else { continue };
            let start = Start::of(&path);
            if number >= own && start.session.is_none() {
                // Nothing is in it yet that tells whose it is.
                continue;
            }
            looked_at.insert(path.clone());
            if start.is_warm_up {
                continue;
            }
            if number < own || start.session.as_deref() == Some(&*session) {
                found.push(Subagent { began_at: start.at, path, agent });
            }
        }
        found.sort();
        found
    }
}

/// The subagent whose file this is.
fn agent_of(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.strip_prefix("agent-")?.strip_suffix(".jsonl")?.to_owned())
}

fn below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            below(&path, depth - 1, found);
        } else if agent_of(&path).is_some() && regular(&path).is_some() {
            found.push(path);
        }
    }
}

/// What the beginning of a file tells.
#[derive(Debug, Default)]
pub(super) struct Start {
    /// Whose it is.
    session: Option<String>,
    /// When it begins.
    pub(super) at: Option<UnixMillis>,
    /// Is it a subagent that the CLI started for itself, so that those to come start faster (2.1.1)? Nobody is told of it.
    is_warm_up: bool,
}

impl Start {
    pub(super) fn of(path: &Path) -> Start {
        let mut room = vec![0; START_BYTES];
        let read = File::open(path).and_then(|file| fill(|room, at| file.read_at(room, at), &mut room, 0));
        let head = String::from_utf8_lossy(&room[..read.unwrap_or_default()]);
        let mut start = Start::default();
        for line in head.split_inclusive('\n') {
            let whole = if line.ends_with('\n') { line.trim_end().to_owned() } else { mend(line) };
            let Some(place) = Reading::<Place>::of(&whole).map(|reading| reading.value) else { continue };
            start.session = start.session.or(place.session_id.map(|id| id.as_str().to_owned()));
            start.is_warm_up |= place.parent_uuid.is_none() && says_warm_up(&whole);
            start.at = place.timestamp.as_deref().and_then(UnixMillis::from_iso);
            if start.at.is_some() {
                break;
            }
        }
        start
    }
}

/// Are these the words that warm a subagent up?
fn says_warm_up(line: &str) -> bool {
    match decode_as::<Entry>(line).body {
        Entry::User(entry) => entry.message.content.as_text() == Some("Warmup"),
        _ => false,
    }
}
