//! Where the files of one session are.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The folder of one session. Only its owner can look into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A folder that is there, or will be made when somebody writes.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Folder { path: path.into() }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The id of the session: the folder's name.
    pub fn id(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The log.
    pub fn log(&self) -> PathBuf {
        self.path.join("log.jsonl")
    }

    /// The log, packed.
    pub fn packed(&self) -> PathBuf {
        self.path.join("log.jsonl.zst")
    }

    /// Is there a log, packed or not?
    pub fn has_log(&self) -> bool {
        self.log().exists() || self.packed().exists()
    }

    /// The file whose lock the one writer holds.
    pub fn lock(&self) -> PathBuf {
        self.path.join("lock")
    }

    /// The file of a line that is too long for the log.
    pub fn big(&self, seq: u64) -> PathBuf {
        self.path.join("big").join(seq.to_string())
    }

    /// What the log has led to up to a place in it.
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint.zst")
    }

    /// Makes the folder, if it is not there.
    pub fn make(&self) -> Result<()> {
        make_private(&self.path)
    }

    /// How many bytes the log takes on disk, packed or not, big lines included.
    pub fn bytes(&self) -> u64 {
        let size = |path: &Path| fs::metadata(path).map_or(0, |meta| meta.len());
        let big = fs::read_dir(self.path.join("big")).into_iter().flatten().flatten();
        size(&self.log()) + size(&self.packed()) + big.map(|entry| size(&entry.path())).sum::<u64>()
    }
}

/// Makes a folder that only its owner can look into.
pub(crate) fn make_private(path: &Path) -> Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| Error::io("make", path)(error).not_allowed())
}

/// How a file is opened that only its owner can read.
pub(crate) fn private() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.mode(0o600);
    options
}
