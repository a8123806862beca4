//! The side files: every byte that an agent read and wrote, the oracle of tests that look for losses.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use crate::error::LabError;

/// The lines an agent read.
pub const IN_FILE: &str = "in.jsonl";
/// The lines an agent wrote.
pub const OUT_FILE: &str = "out.jsonl";

/// Two files that are written without a buffer, so they are whole however the process ends: a line that was read is there
/// before it is acted upon, a line that is written is there before it leaves.
#[derive(Debug, Default)]
pub(super) struct Record {
    input: Option<File>,
    output: Option<File>,
}

impl Record {
    /// Files in a folder, which is made; what is there already is kept, as a resumed session goes on.
    pub(super) fn in_folder(folder: &Path) -> Result<Record, LabError> {
        fs::create_dir_all(folder).map_err(LabError::file(folder))?;
        let open = |name: &str| {
            let path = folder.join(name);
            File::options().create(true).append(true).open(&path).map(Some).map_err(LabError::file(path))
        };
        Ok(Record { input: open(IN_FILE)?, output: open(OUT_FILE)? })
    }

    /// The two halves, since reading and writing are done apart.
    pub(super) fn split(self) -> (Side, Side) {
        (Side(self.input), Side(self.output))
    }
}

/// One of the files, or none.
#[derive(Debug)]
pub(super) struct Side(Option<File>);

impl Side {
    /// Keeps bytes. A full disk must not change what the agent does, and the missing lines will be noticed.
    pub(super) fn keep(&mut self, bytes: &[u8]) {
        if let Some(file) = &mut self.0 {
            let _ = file.write_all(bytes);
        }
    }
}
