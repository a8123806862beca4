//! The folder of a demo: data, a project to work in, and what stands for the CLI. It is there as long as the demo runs.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use claude_driver::Claude;

use super::agent::{LOCK_VARIABLE, PACE_VARIABLE};

/// What all folders of demos are called at the beginning.
const NAME: &str = "quarterdeck-demo-";

/// The file that a demo holds the lock of.
const LOCK: &str = "lock";

/// The files of the project, by their path in it. The stories speak of more; these can be looked at.
const PROJECT: [(&str, &str); 4] = [
    ("README.md", include_str!("../../../demo/project/README.md")),
    ("package.json", include_str!("../../../demo/project/package.json")),
    ("src/cart/total.ts", include_str!("../../../demo/project/total.ts")),
    ("src/checkout/payment.ts", include_str!("../../../demo/project/payment.ts")),
];

/// A folder that is thrown away.
#[derive(Debug)]
pub(super) struct Place {
    root: PathBuf,
    /// Its lock is held as long as the demo lives, however it ends.
    _lock: File,
}

impl Place {
    pub(super) fn new() -> Result<Place> {
        remove_abandoned(&std::env::temp_dir());
        let name = format!("{NAME}{}", &uuid::Uuid::new_v4().simple().to_string()[..12]);
        let root = std::env::temp_dir().join(name);
        let cannot = || format!("could not make the folder `{}`", root.display());
        DirBuilder::new().mode(0o700).create(&root).with_context(cannot)?;
        // Agents tell where they are by the true path.
        let root = root.canonicalize().with_context(cannot)?;
        let lock = File::create(root.join(LOCK)).and_then(|file| file.lock().map(|()| file)).with_context(cannot)?;
        let place = Place { root, _lock: lock };
        for (path, text) in PROJECT {
            write(&place.project().join(path), text)?;
        }
        write(&place.program(), "// Stands for the CLI: `quarterdeck demo-agent` is what runs.\n")?;
        Ok(place)
    }

    /// The data folder.
    pub(super) fn data(&self) -> PathBuf {
        self.root.join("data")
    }

    /// Where the agents work.
    pub(super) fn project(&self) -> PathBuf {
        self.root.join("harbour-shop")
    }

    /// How an agent is started: this program runs it, as node runs a CLI that is a script.
    pub(super) fn claude(&self, pace: u32) -> Result<Claude> {
        let this = std::env::current_exe().context("could not find this program's own file")?;
        Ok(Claude::new()
            .program(self.program())
            .runtime(this)
            .runtime_args(["demo-agent"])
            .env(PACE_VARIABLE, pace.to_string())
            .env(LOCK_VARIABLE, self.root.join(LOCK))
            // The user's own sessions are no part of the demo.
            .env("CLAUDE_CONFIG_DIR", self.root.join("claude")))
    }

    fn program(&self) -> PathBuf {
        self.root.join("agent.js")
    }

    /// Removes the folder and all that is in it.
    pub(super) fn remove(self) -> Result<()> {
        remove(&self.root).with_context(|| format!("could not remove the folder `{}`", self.root.display()))
    }
}

impl Drop for Place {
    /// For the ways out on which nobody removed it.
    fn drop(&mut self) {
        let _ = remove(&self.root);
    }
}

/// Does the demo that holds this lock live?
pub(super) fn lives(lock: &Path) -> bool {
    File::open(lock).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Removes the folders of demos that were killed: their agents have noticed, or will.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let lock = entry.path().join(LOCK);
        // One without a lock is just being made, or removed.
        if entry.file_name().to_string_lossy().starts_with(NAME) && lock.exists() && !lives(&lock) {
            let _ = remove(&entry.path());
        }
    }
}

fn remove(root: &Path) -> std::io::Result<()> {
    let mut last = Ok(());
    // Whoever is just ending may still write a file, so another try is worth it.
    for _ in 0..5 {
        last = match fs::remove_dir_all(root) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            tried => tried,
        };
        if last.is_ok() {
            break;
        }
    }
    last
}

fn write(path: &Path, text: &str) -> Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.with_context(|| format!("could not write `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_killed_demos_left_is_removed_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let folder = |name: &str| place.path().join(name);
        let lock = |name: &str| {
            fs::create_dir(folder(name)).unwrap();
            File::create(folder(name).join(LOCK)).unwrap()
        };
        drop(lock("quarterdeck-demo-killed"));
        drop(lock("something-else"));
        fs::create_dir(folder("quarterdeck-demo-new")).unwrap();
        let held = lock("quarterdeck-demo-running");
        held.lock().unwrap();
        remove_abandoned(place.path());
        let mut left: Vec<_> = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["quarterdeck-demo-new", "quarterdeck-demo-running", "something-else"]);
    }
}
