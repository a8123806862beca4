//! The CLI's transcripts: captured ones of all versions, broken ones, and those that the real CLI writes.

mod joined;
mod listed;
mod read;
mod real;
mod watched;

use std::fs;
use std::path::{Path, PathBuf};

use insights::convert::RawLines;
use insights::state::State;
use insights::{Converter, Profile, Record};
use live::transcripts::Transcript;

/// A session that was captured together with its transcripts.
struct Captured {
    /// `2.1.1/subagent`.
    name: String,
    /// Its lines.
    trace: PathBuf,
    /// The folder of its transcripts.
    folder: PathBuf,
}

/// All of them.
fn captured() -> Vec<Captured> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli");
    let mut all = Vec::new();
    for version in paths_in(&root) {
        for folder in paths_in(&version.join("transcripts")) {
            let scenario = name_of(&folder);
            let trace = version.join(format!("{scenario}.jsonl"));
            all.push(Captured { name: format!("{}/{scenario}", name_of(&version)), trace, folder });
        }
    }
    assert!(all.len() > 40, "the fixtures are missing: only {}", all.len());
    all
}

fn capture(name: &str) -> Captured {
    captured().into_iter().find(|captured| captured.name == name).unwrap()
}

impl Captured {
    /// The transcripts of the sessions themselves, in the order of their names.
    fn transcripts(&self) -> Vec<Transcript> {
        let is_session = |path: &PathBuf| path.is_file() && !name_of(path).starts_with("agent-");
        paths_in(&self.folder).into_iter().filter(is_session).map(Transcript::new).collect()
    }

    /// Puts the transcripts where a CLI would have them, below a new folder.
    fn at_home(&self) -> tempfile::TempDir {
        let config = tempfile::tempdir().unwrap();
        copy(&self.folder, &config.path().join("projects/-home-user-project"));
        config
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in paths_in(from) {
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &to) } else { _ = fs::copy(&path, &to).unwrap() }
    }
}

fn paths_in(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// The state after records.
fn state(records: impl IntoIterator<Item = Record>) -> State {
    let mut converter = Converter::new("s", Profile::Full, RawLines::LeftOut);
    let mut state = State::default();
    for event in records.into_iter().flat_map(|record| converter.convert(record)) {
        state.apply(&event);
    }
    state
}

/// The records of a log.
fn log(folder: &journal::Folder) -> Vec<Record> {
    let mut reader = journal::Reader::after(folder.clone(), 0).unwrap();
    std::iter::from_fn(|| reader.next_record().unwrap()).collect()
}
