//! The list of the CLI's sessions: a folder of projects in; a row for each transcript out, from a glance at its ends.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::thread;

use insights::UnixMillis;
use serde::Serialize;

use super::files::Transcript;
use super::glance::{Glance, glance};

/// How much is read at either end of a file.
pub const GLANCE_BYTES: usize = 16 * 1024;

/// From how many unknown files on it pays to read with several threads.
const MANY: usize = 64;

/// A session of the CLI in its list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// The CLI's id of the session.
    pub session: String,
    /// Its transcript.
    pub path: PathBuf,
    /// The working directory in which it began.
    pub cwd: Option<String>,
    /// The title that the user or the CLI gave it; else the first line of the first prompt.
    pub title: Option<String>,
    /// What was first said, cut short.
    pub first_prompt: Option<String>,
    /// When the transcript was last written.
    pub modified_at: UnixMillis,
    /// How long the transcript is, without those of subagents.
    pub bytes: u64,
    /// The CLI that wrote last.
    pub version: Option<String>,
    /// The branch that was checked out at the end.
    pub git_branch: Option<String>,
}

/// What changed in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// A session is new, or has been written to.
    Session(Listed),
    /// A session is gone.
    Gone {
        /// The CLI's id of it.
        session: String,
    },
}

/// The transcripts of one CLI, and what is known of them.
#[derive(Debug)]
pub struct Projects {
    folder: PathBuf,
    known: HashMap<PathBuf, Known>,
    /// The rows that [`Projects::changes`] has told, by session.
    told: HashMap<String, Listed>,
}

/// A file as it was when it was looked at.
#[derive(Debug)]
struct Known {
    stamp: Stamp,
    /// `None` for a file that is no session's own.
    row: Option<Listed>,
}

/// Tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    bytes: u64,
    modified: (i64, i64),
    file: (u64, u64),
}

impl Stamp {
    pub(super) fn of(meta: &Metadata) -> Stamp {
        Stamp { bytes: meta.len(), modified: (meta.mtime(), meta.mtime_nsec()), file: (meta.dev(), meta.ino()) }
    }

    fn modified_at(&self) -> UnixMillis {
        UnixMillis(self.modified.0.saturating_mul(1000).saturating_add(self.modified.1 / 1_000_000))
    }
}

impl Projects {
    /// The transcripts below a CLI's folder, see [`claude_driver::Claude::config_folder`].
    pub fn new(config: impl AsRef<Path>) -> Self {
        Projects { folder: config.as_ref().join("projects"), known: HashMap::new(), told: HashMap::new() }
    }

    /// All sessions, the last written first. Of each file a few kilobytes are read, and none of one that is as it was at the
    /// last call. What cannot be read is left out: the list never fails.
    pub fn list(&mut self) -> Vec<Listed> {
        let found = find(&self.folder);
        let is_known = |path: &PathBuf, stamp: &Stamp| self.known.get(path).is_some_and(|known| known.stamp == *stamp);
        let (old, new): (Vec<_>, Vec<_>) = found.into_iter().partition(|(path, stamp)| is_known(path, stamp));
        let mut known: HashMap<PathBuf, Known> = looked_at(new).into_iter().collect();
        for (path, _) in old {
            if let Some(row) = self.known.remove(&path) {
                known.insert(path, row);
            }
        }
        self.known = known;
        let mut rows: Vec<Listed> = self.known.values().filter_map(|known| known.row.clone()).collect();
        rows.sort_by(|one, other| (other.modified_at, &other.path).cmp(&(one.modified_at, &one.path)));
        // A session that has moved to another folder may have left its file behind.
        let mut seen = HashSet::new();
        rows.retain(|row| seen.insert(row.session.clone()));
        rows
    }

    /// What changed since this was last asked; the first time, all that is there.
    pub fn changes(&mut self) -> Vec<Changed> {
        let now: HashMap<String, Listed> = self.list().into_iter().map(|row| (row.session.clone(), row)).collect();
        let gone = self.told.keys().filter(|session| !now.contains_key(*session));
        let mut changed: Vec<Changed> = gone.map(|session| Changed::Gone { session: session.clone() }).collect();
        changed.sort_by(|one, other| one.session().cmp(other.session()));
        let mut new: Vec<&Listed> = now.values().filter(|row| self.told.get(&row.session) != Some(*row)).collect();
        new.sort_by(|one, other| (one.modified_at, &one.session).cmp(&(other.modified_at, &other.session)));
        changed.extend(new.into_iter().cloned().map(Changed::Session));
        self.told = now;
        changed
    }

    /// The transcript of a session; the last written, if there are several. `None` if there is none, or if this is no id of a
    /// session.
    pub fn find(&self, session: &str) -> Option<Transcript> {
        claude_driver::find_transcript(&self.folder, session).map(Transcript::new)
    }
}

impl Changed {
    /// The CLI's id of the session that changed.
    pub fn session(&self) -> &str {
        match self {
            Changed::Session(row) => &row.session,
            Changed::Gone { session } => session,
        }
    }
}

/// Is this the name of a session? Anything else must not become part of a path.
fn is_id(session: &str) -> bool {
    uuid::Uuid::try_parse(session).is_ok()
}

/// The folders of the projects. A link to one counts; below them nothing is looked into, so links cannot lead in circles.
fn folders(projects: &Path) -> Vec<PathBuf> {
    fs::read_dir(projects).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// The files that are named like a session, with their stamps.
fn find(projects: &Path) -> Vec<(PathBuf, Stamp)> {
    let mut found = Vec::new();
    for folder in folders(projects) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_session = path.extension().is_some_and(|end| end == "jsonl")
                && path.file_stem().and_then(|stem| stem.to_str()).is_some_and(is_id);
            if let Some(meta) = is_session.then(|| regular(&path)).flatten() {
                found.push((path, Stamp::of(&meta)));
            }
        }
    }
    found
}

/// The facts about a file that can be read to its end; a pipe or a device cannot.
pub(super) fn regular(path: &Path) -> Option<Metadata> {
    fs::metadata(path).ok().filter(Metadata::is_file)
}

/// Looks at files, with several threads if there are many. What has vanished since is not in the answer.
fn looked_at(files: Vec<(PathBuf, Stamp)>) -> Vec<(PathBuf, Known)> {
    let look = |files: &[(PathBuf, Stamp)]| -> Vec<(PathBuf, Known)> {
        let mut room = Vec::new();
        files.iter().filter_map(|(path, stamp)| Some((path.clone(), look_at(path, *stamp, &mut room)?))).collect()
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    if files.len() < MANY || threads == 1 {
        return look(&files);
    }
    thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(threads));
        let running: Vec<_> = parts.map(|part| scope.spawn(move || look(part))).collect();
        // A thread that panics loses its part of the list and no more.
        running.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}

fn look_at(path: &Path, stamp: Stamp, room: &mut Vec<u8>) -> Option<Known> {
    let file = File::open(path).ok()?;
    let seen = see(stamp.bytes, room, |room, at| file.read_at(room, at)).ok()?;
    let Glance { cwd, title, first_prompt, version, git_branch, is_side } = seen;
    let row = Listed {
        session: path.file_stem()?.to_str()?.to_owned(),
        path: path.to_owned(),
        cwd,
        title,
        first_prompt,
        modified_at: stamp.modified_at(),
        bytes: stamp.bytes,
        version,
        git_branch,
    };
    Some(Known { stamp, row: (!is_side).then_some(row) })
}

/// Reads the two ends of a file of so many bytes, and no more.
fn see(bytes: u64, room: &mut Vec<u8>, read: impl Fn(&mut [u8], u64) -> io::Result<usize>) -> io::Result<Glance> {
    room.resize(2 * GLANCE_BYTES, 0);
    if bytes <= room.len() as u64 {
        let read = fill(&read, room, 0)?;
        return Ok(glance(&room[..read], &room[..read], true));
    }
    let (head, tail) = room.split_at_mut(GLANCE_BYTES);
    let head_bytes = fill(&read, head, 0)?;
    let tail_bytes = fill(&read, tail, bytes - GLANCE_BYTES as u64)?;
    Ok(glance(&head[..head_bytes], &tail[..tail_bytes], false))
}

/// Reads as much as there is room for. A file that has become shorter gives less.
pub(super) fn fill(
    read: impl Fn(&mut [u8], u64) -> io::Result<usize>,
    room: &mut [u8],
    from: u64,
) -> io::Result<usize> {
    let mut filled = 0;
    while filled < room.len() {
        match read(&mut room[filled..], from + filled as u64) {
            Ok(0) => break,
            Ok(some) => filled += some,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn of_a_huge_file_only_the_ends_are_read() {
        const HUGE: u64 = 1 << 40;
        let first = br#"{"type":"user","cwd":"/work","version":"2.1.1","message":{"content":"hello"}}"#;
        let read = Cell::new(0);
        let parts = |room: &mut [u8], at: u64| {
            // A system may give less than there is room for.
            let some = room.len().min(1000);
            let byte = |at: u64| usize::try_from(at).ok().and_then(|at| first.get(at)).copied().unwrap_or(b'\n');
            room.iter_mut().zip(at..at + some as u64).for_each(|(room, at)| *room = byte(at));
            read.set(read.get() + some);
            Ok(some)
        };
        let seen = see(HUGE, &mut Vec::new(), parts).unwrap();
        assert_eq!((seen.cwd.as_deref(), seen.first_prompt.as_deref()), (Some("/work"), Some("hello")));
        assert_eq!(read.get(), 2 * GLANCE_BYTES);
    }
}
