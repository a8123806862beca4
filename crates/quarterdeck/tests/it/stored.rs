//! Data folders of earlier versions (`fixtures/data`): this build opens each of them, finds in it what was there when it was
//! captured, lets in whom it let in, and goes on with its sessions.
//!
//! `expected.json` next to a folder was written by the build that captured it, in words of its own: when types, fields or
//! words of the API change, the modules here change, and that file does not. What this build derives from the same logs,
//! events and states, may change with every version: its digests are a snapshot.

mod compare;
mod contents;
mod going_on;
mod options;
mod session;
mod words;

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use contents::Contents;

/// A captured data folder.
struct Fixture {
    path: PathBuf,
}

impl Fixture {
    /// All of them.
    fn all() -> Vec<Fixture> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/data");
        let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
        let mut all: Vec<Fixture> = folders.map(|path| Fixture { path }).collect();
        all.sort_by_key(|fixture| fixture.format().parse::<u32>().unwrap());
        assert!(!all.is_empty());
        all
    }

    fn format(&self) -> String {
        self.path.file_name().unwrap().to_str().unwrap().to_owned()
    }

    /// Copies the data folder, private as the real one was: git keeps no such modes.
    fn copy_to(&self, data: &Path) {
        copy(&self.path.join("folder"), data);
    }

    fn copy(&self) -> TempDir {
        let place = tempfile::tempdir().unwrap();
        self.copy_to(&place.path().join("data"));
        place
    }

    /// The token and the cookie that it lets in.
    fn access(&self, what: &str) -> String {
        let access: Value = serde_json::from_slice(&fs::read(self.path.join("access.json")).unwrap()).unwrap();
        access[what].as_str().unwrap().to_owned()
    }

    /// What was in it when it was captured. Written here, if it was captured just now.
    fn expected(&self, found: &Value) -> Value {
        let path = self.path.join("expected.json");
        if !path.exists() && std::env::var_os("WRITE_EXPECTED").is_some() {
            fs::write(&path, format!("{found:#}\n")).unwrap();
        }
        let text = fs::read_to_string(&path);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}; WRITE_EXPECTED=1 writes it", path.display()));
        serde_json::from_str(&text).unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    fs::set_permissions(to, Permissions::from_mode(0o700)).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&source, &target),
            kind if kind.is_symlink() => symlink(fs::read_link(&source).unwrap(), &target).unwrap(),
            _ => {
                fs::copy(&source, &target).unwrap();
                fs::set_permissions(&target, Permissions::from_mode(0o600)).unwrap();
            }
        }
    }
}

/// Removes what is derived from the logs.
fn remove_index(data: &Path) {
    fs::remove_file(data.join("index.sqlite")).unwrap();
}

fn remove_checkpoints(data: &Path) {
    let sessions = fs::read_dir(data.join("sessions")).unwrap().map(|entry| entry.unwrap().path());
    let checkpoints: Vec<PathBuf> =
        sessions.map(|session| session.join("checkpoint.zst")).filter(|path| path.exists()).collect();
    assert!(!checkpoints.is_empty());
    checkpoints.iter().for_each(|path| fs::remove_file(path).unwrap());
}

/// Opens a copy of each folder after something was done to it, and compares.
async fn contents_are_equal_after(change: impl Fn(&Path)) {
    for fixture in Fixture::all() {
        let place = fixture.copy();
        let data = place.path().join("data");
        change(&data);
        let Contents { facts, derived } = contents::read(&data).await;
        let differences = compare::differences(&fixture.expected(&facts), &facts);
        assert!(differences.is_empty(), "format {}:\n{}", fixture.format(), differences.join("\n"));
        insta::assert_snapshot!(format!("derived_from_format_{}", fixture.format()), format!("{derived:#}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_contents_are_there() {
    contents_are_equal_after(|_| {}).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_contents_are_there_with_a_new_index() {
    contents_are_equal_after(remove_index).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_contents_are_there_without_checkpoints() {
    contents_are_equal_after(remove_checkpoints).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_contents_are_there_without_anything_derived() {
    contents_are_equal_after(|data| {
        remove_index(data);
        remove_checkpoints(data);
    })
    .await;
}
