//! The copy of the tree that patches are applied to: the files of the repository in, a folder below `target` and a binary out.
//!
//! It stays there between runs, with a target folder of its own. A file that has not changed keeps its time, so that cargo builds
//! only what has. What an interrupted run left behind goes when the next one begins.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{PAGE, output, words};
use crate::process;

/// The copy, for one run at a time.
pub(super) struct TreeCopy {
    tree: PathBuf,
    target: PathBuf,
    _lock: File,
}

impl TreeCopy {
    /// Makes the copy, or brings it up to date.
    pub(super) fn make() -> Result<TreeCopy> {
        let folder = process::target_dir().join("guards");
        fs::create_dir_all(&folder).with_context(|| format!("could not create `{}`", folder.display()))?;
        let lock = File::create(folder.join("lock")).context("could not create the lock of the copy")?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("another `cargo xtask guards` is running; wait for it to finish"),
            Err(TryLockError::Error(error)) => return Err(error).context("could not lock the copy"),
        }
        let copy = TreeCopy { tree: folder.join("tree"), target: folder.join("target"), _lock: lock };
        mirror(&process::root(), &process::tracked()?, &copy.tree)?;
        Ok(copy)
    }

    /// Where the files are.
    pub(super) fn tree(&self) -> &Path {
        &self.tree
    }

    /// Why a patch does not apply, if it does not.
    pub(super) fn refusal(&self, patch: &Path) -> Result<Option<String>> {
        let shown = patch.strip_prefix(process::root()).unwrap_or(patch).display();
        let refused = git_apply(&self.tree, patch, &["--check"])?.err();
        Ok(refused.map(|why| format!("`{shown}` no longer applies; make its mistake again\n{why}")))
    }

    /// Applies a patch, does the work, and takes the patch back whatever came of it.
    pub(super) fn with<T>(&self, patch: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let apply = |options: &[&str]| match git_apply(&self.tree, patch, options)? {
            Ok(()) => Ok(()),
            Err(why) => bail!("could not apply `{}`: {why}", patch.display()),
        };
        apply(&[])?;
        let outcome = work();
        apply(&["--reverse"])?;
        outcome
    }

    /// Builds the binary with a page that exists already. What cargo prints is the error if it does not compile: patches cause
    /// warnings, which are of no interest otherwise.
    pub(super) fn build(&self, page: &Path) -> Result<Result<PathBuf, String>> {
        let mut cargo = process::cargo();
        cargo.current_dir(&self.tree).env(PAGE, page);
        cargo.args(["build", "--quiet", "--package", "quarterdeck", "--target-dir"]).arg(&self.target);
        let output = output(&mut cargo)?;
        let binary = self.target.join("debug").join(format!("quarterdeck{}", std::env::consts::EXE_SUFFIX));
        Ok(if output.status.success() { Ok(binary) } else { Err(words(&output)) })
    }
}

/// Applies a patch to a folder. The inner error is git's own: the patch does not fit.
pub(super) fn git_apply(tree: &Path, patch: &Path, options: &[&str]) -> Result<Result<(), String>> {
    let mut git = process::command("git");
    git.current_dir(tree).arg("apply").args(options).arg(patch);
    // Below the root of a repository, git would skip the files of a `git diff` without an error: their paths begin at the root.
    git.env("GIT_CEILING_DIRECTORIES", tree.parent().unwrap_or(tree)).env_remove("GIT_DIR");
    let output = output(&mut git)?;
    Ok(if output.status.success() { Ok(()) } else { Err(words(&output)) })
}

/// Makes a folder have these files of another, and no others.
fn mirror(from: &Path, files: &[String], to: &Path) -> Result<()> {
    let mut kept = BTreeSet::new();
    for file in files {
        let source = from.join(file);
        let wanted = match fs::read(&source) {
            Ok(wanted) => wanted,
            // Git still lists what was deleted and not yet staged.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(|| format!("could not read `{}`", source.display())),
        };
        let place = to.join(file);
        if fs::read(&place).ok().as_ref() != Some(&wanted) {
            let folder = place.parent().unwrap_or(to);
            let written = fs::create_dir_all(folder).and_then(|()| fs::write(&place, wanted));
            written.with_context(|| format!("could not write `{}`", place.display()))?;
        }
        kept.insert(place);
    }
    remove_others(to, &kept).with_context(|| format!("could not clean `{}`", to.display()))
}

fn remove_others(folder: &Path, kept: &BTreeSet<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            remove_others(&entry.path(), kept)?;
        } else if !kept.contains(&entry.path()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "Rule: 1\n\ndiff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n\
                         @@ -1,3 +1,3 @@\n one\n-two\n+broken\n three\n";

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn the_copy_has_the_files_of_the_tree_and_unchanged_ones_keep_their_time() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        write(&from.join("src/a.rs"), "a");
        write(&from.join("src/b.rs"), "b");
        let files = ["src/a.rs", "src/b.rs", "src/deleted.rs"].map(str::to_owned);
        mirror(&from, &files, &to).unwrap();
        let earlier = std::time::SystemTime::UNIX_EPOCH;
        for file in ["src/a.rs", "src/b.rs"] {
            File::options().write(true).open(to.join(file)).unwrap().set_modified(earlier).unwrap();
        }
        write(&to.join("src/b.rs"), "a patch was here");
        write(&to.join("src/removed.rs"), "it was here before");
        mirror(&from, &files, &to).unwrap();
        assert_eq!(fs::metadata(to.join("src/a.rs")).unwrap().modified().unwrap(), earlier);
        assert_eq!(fs::read_to_string(to.join("src/b.rs")).unwrap(), "b");
        let mut names: Vec<_> = fs::read_dir(to.join("src")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a.rs", "b.rs"]);
    }

    #[test]
    fn a_patch_is_applied_in_an_ignored_folder_of_a_repository_too() {
        let place = tempfile::tempdir().unwrap();
        let (tree, patch) = (place.path().join("target/tree"), place.path().join("a.patch"));
        assert!(process::works(process::command("git").args(["init", "--quiet"]).arg(place.path())));
        write(&tree.join("src/a.rs"), "one\ntwo\nthree\n");
        write(&patch, PATCH);
        assert_eq!(git_apply(&tree, &patch, &[]).unwrap(), Ok(()));
        assert_eq!(fs::read_to_string(tree.join("src/a.rs")).unwrap(), "one\nbroken\nthree\n");
        let refused = git_apply(&tree, &patch, &["--check"]).unwrap().unwrap_err();
        assert!(refused.contains("patch does not apply"), "{refused}");
    }

    #[test]
    fn a_patch_is_taken_back_after_a_failure() {
        let place = tempfile::tempdir().unwrap();
        let (tree, path) = (place.path().join("tree"), place.path().join("01-a.patch"));
        write(&tree.join("src/a.rs"), "one\ntwo\nthree\n");
        write(&path, PATCH);
        let copy = TreeCopy {
            tree,
            target: place.path().join("target"),
            _lock: File::create(place.path().join("lock")).unwrap(),
        };
        let read = || fs::read_to_string(copy.tree.join("src/a.rs")).unwrap();
        let failed = copy.with(&path, || -> Result<()> { bail!("{}", read()) });
        assert_eq!(failed.unwrap_err().to_string(), "one\nbroken\nthree\n");
        assert_eq!(read(), "one\ntwo\nthree\n");
    }
}
