//! The one writer of a log: records in, appended and numbered; what a crash left behind is healed first.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use insights::record::fact::LOG_FORMAT;
use insights::{HostFact, Record, Source, UnixMillis};
use memchr::{memmem, memrchr};

use crate::error::{Error, Result};
use crate::folder::{Folder, private};
use crate::lock::Lock;
use crate::pack::unpack_held;
use crate::stored::{BIG_BYTES, load, seq_of, store};

/// Appends to the log of one session. Holds its lock, so there is one at a time.
#[derive(Debug)]
pub struct Writer {
    folder: Folder,
    path: PathBuf,
    file: File,
    /// How much of the file is whole records.
    bytes: u64,
    last_seq: u64,
    unsynced: bool,
    big_bytes: usize,
    _lock: Lock,
}

impl Writer {
    /// Takes the session over at the time `now`. A new log gets its first record; a torn last line is cut off; if the
    /// writer before died without saying how the agent ended, that is written down.
    pub fn open(folder: Folder, now: UnixMillis) -> Result<Self> {
        Self::open_with(folder, now, BIG_BYTES)
    }

    pub(crate) fn open_with(folder: Folder, now: UnixMillis, big_bytes: usize) -> Result<Self> {
        let lock = Lock::take(&folder)?;
        unpack_held(&folder)?;
        let path = folder.log();
        let mut options = private();
        let file = options.create(true).truncate(false).read(true).write(true).open(&path);
        let file = file.map_err(Error::io("open", &path))?;
        let length = file.metadata().map_err(Error::io("look at", &path))?.len();
        // What comes after the last line end is the line that a crash tore.
        let bytes = line_start(&file, length).map_err(Error::io("read", &path))?;
        file.set_len(bytes).map_err(Error::io("cut", &path))?;
        let last_seq = last_seq(&file, bytes, &path)?;
        let mut writer = Writer { folder, path, file, bytes, last_seq, unsynced: false, big_bytes, _lock: lock };
        if last_seq == 0 {
            let session = writer.folder.id();
            writer.append_fact(now, &HostFact::Log { format: LOG_FORMAT, session, created: now })?;
        } else if writer.agent_is_open()? {
            writer.append_fact(now, &HostFact::Lost)?;
        }
        Ok(writer)
    }

    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The number of the last record.
    pub fn last_seq(&self) -> u64 {
        self.last_seq
    }

    /// How long the log is.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Appends a line and gives back its record. It is in the file when this returns, though not yet safe from a power cut:
    /// see [`Writer::sync`]. After an error nothing of it is there, and the same line can be appended again.
    pub fn append(&mut self, at: UnixMillis, source: Source, line: impl Into<insights::Line>) -> Result<Record> {
        let record = Record { seq: self.last_seq + 1, at, source, line: line.into() };
        let text = store(&self.folder, &record, self.big_bytes)?;
        if let Err(error) = self.file.write_all_at(text.as_bytes(), self.bytes) {
            // Part of the line may be there. It would be cut by whoever opens the log next, and by us before we go on.
            let _ = self.file.set_len(self.bytes);
            return Err(Error::io("append to", &self.path)(error));
        }
        self.bytes += text.len() as u64;
        self.last_seq = record.seq;
        self.unsynced = true;
        Ok(record)
    }

    /// Appends a fact of our own.
    pub fn append_fact(&mut self, at: UnixMillis, fact: &HostFact) -> Result<Record> {
        self.append(at, Source::Host, fact.to_json())
    }

    /// Makes all that was appended safe from a power cut. Does nothing if it is.
    pub fn sync(&mut self) -> Result<()> {
        if self.unsynced {
            self.file.sync_data().map_err(Error::io("sync", &self.path))?;
            self.unsynced = false;
        }
        Ok(())
    }

    /// Was an agent started of which nobody wrote down how it ended? Looks at the log from its end.
    fn agent_is_open(&self) -> Result<bool> {
        let mut lines = Backwards { file: &self.file, end: self.bytes };
        while let Some(line) = lines.next().map_err(Error::io("read", &self.path))? {
            if memmem::find(&line, HOST).is_none() {
                continue;
            }
            let Ok(text) = std::str::from_utf8(&line) else { continue };
            let Some(record) = load(&self.folder, text)? else { continue };
            if record.source != Source::Host {
                continue;
            }
            match HostFact::from_json(&record.line.text()) {
                Some(HostFact::Spawned { .. }) => return Ok(true),
                Some(HostFact::Exited { .. } | HostFact::Lost) => return Ok(false),
                _ => {}
            }
        }
        Ok(false)
    }
}

/// In every record of ours; others may have it in their text.
const HOST: &[u8] = br#""source":"host""#;

/// The number of the last record; 0 if there is none.
fn last_seq(file: &File, bytes: u64, path: &std::path::Path) -> Result<u64> {
    let mut lines = Backwards { file, end: bytes };
    match lines.next().map_err(Error::io("read", path))? {
        None => Ok(0),
        Some(line) => seq_of(&line).ok_or_else(|| Error::Damaged { path: path.to_owned(), at: lines.end }),
    }
}

/// The lines of a file from its end, without their line ends.
struct Backwards<'a> {
    file: &'a File,
    /// Where the line before begins to end.
    end: u64,
}

impl Backwards<'_> {
    fn next(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        if self.end == 0 {
            return Ok(None);
        }
        let stop = self.end - 1;
        let start = line_start(self.file, stop)?;
        let mut line = vec![0; (stop - start) as usize];
        self.file.read_exact_at(&mut line, start)?;
        self.end = start;
        Ok(Some(line))
    }
}

/// Where the line begins that ends at `stop`.
pub(crate) fn line_start(file: &File, stop: u64) -> std::io::Result<u64> {
    let mut buffer = vec![0; 64 * 1024];
    let mut end = stop;
    while end > 0 {
        let from = end.saturating_sub(buffer.len() as u64);
        let part = &mut buffer[..(end - from) as usize];
        file.read_exact_at(part, from)?;
        if let Some(newline) = memrchr(b'\n', part) {
            return Ok(from + newline as u64 + 1);
        }
        end = from;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reader;

    #[test]
    fn a_line_too_long_for_the_log_has_a_file_of_its_own() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path().join("s"));
        let mut writer = Writer::open_with(folder.clone(), UnixMillis(1), 200).unwrap();
        let long = format!(r#"{{"type":"x","text":"{}"}}"#, "y".repeat(300));
        let record = writer.append(UnixMillis(2), Source::Stdout, long).unwrap();
        writer.append(UnixMillis(3), Source::Stdout, "{}").unwrap();
        assert!(std::fs::metadata(folder.log()).unwrap().len() < 300);
        assert!(folder.big(2).exists());
        let mut reader = Reader::after(folder.clone(), 1).unwrap();
        assert_eq!(reader.next_record().unwrap(), Some(record));
        assert_eq!(reader.next_record().unwrap().map(|record| record.seq), Some(3));
        drop(writer);
        assert_eq!(Writer::open(folder, UnixMillis(4)).unwrap().last_seq(), 3);
    }
}
