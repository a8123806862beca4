//! Texts in, files that only the user can read out. They are deleted when the launch is dropped, unless they are to last.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// A text and the file it goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    /// The file, in the folder of the launch.
    pub(crate) path: PathBuf,
    /// What it holds.
    pub(crate) text: String,
}

/// The folder of a launch. It is made when the first text is written.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    /// They stay when this is dropped: another process needs them.
    lasts: bool,
}

impl Files {
    /// A folder of a name that no other launch of this user has.
    pub(crate) fn new() -> Files {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        // Folders of processes that were killed may still be there, so the first free name counts.
        let mut names = std::iter::repeat_with(|| {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            std::env::temp_dir().join(format!("claude-launch-{}-{count}", std::process::id()))
        });
        Files { folder: names.find(|folder| !folder.exists()).unwrap_or_default(), lasts: false }
    }

    /// A folder of this name, for files that somebody else removes.
    pub(crate) fn lasting(folder: &Path) -> Files {
        Files { folder: folder.to_owned(), lasts: true }
    }

    /// The folder, which may not exist yet.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the texts.
    pub(crate) fn write(&self, texts: &[Text]) -> Result<(), Error> {
        if texts.is_empty() {
            return Ok(());
        }
        // An existing folder is an error: someone else might own it and what is in it.
        create_private_folder(&self.folder)
            .map_err(|source| Error::File { path: self.folder.clone(), source: source.into() })?;
        texts.iter().try_for_each(|text| {
            write_private(&text.path, &text.text)
                .map_err(|source| Error::File { path: text.path.clone(), source: source.into() })
        })
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        if self.lasts {
            return;
        }
        // Nothing was written if it is not there, and nobody could be told if it cannot be removed.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn files_are_the_users_alone_and_gone_after_the_launch() {
        use std::os::unix::fs::PermissionsExt as _;
        let files = Files::new();
        let path = files.folder().join("settings.json");
        files.write(&[Text { path: path.clone(), text: "{}".to_owned() }]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(files.folder()).unwrap().permissions().mode() & 0o777, 0o700);
        let folder = files.folder().to_owned();
        drop(files);
        assert!(!folder.exists());
    }

    #[test]
    fn files_that_last_stay() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("launch");
        let files = Files::lasting(&folder);
        files.write(&[Text { path: folder.join("a"), text: "x".to_owned() }]).unwrap();
        drop(files);
        assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "x");
    }

    #[test]
    fn a_folder_that_is_there_already_is_not_used() {
        let mut files = Files::new();
        files.write(&[Text { path: files.folder().join("a"), text: String::new() }]).unwrap();
        let second = Files { folder: std::mem::take(&mut files.folder), lasts: false };
        assert!(second.write(&[Text { path: second.folder().join("b"), text: String::new() }]).is_err());
        assert_ne!(Files::new().folder(), second.folder());
        // An empty path must not make `files` remove anything.
        drop(files);
        assert!(second.folder().exists());
    }
}
