//! What did not fit in memory: batches in a temporary file, to be read again by those who are behind.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use super::batch::{Batch, Entries, Written};

/// The file and what is where in it. It has no name any more, so that nothing is left behind.
#[derive(Debug)]
pub(super) struct Spool {
    file: Arc<File>,
    regions: VecDeque<Region>,
    end: u64,
}

/// A batch in the file.
#[derive(Clone, Debug)]
pub(super) struct Region {
    file: Arc<File>,
    offset: u64,
    length: usize,
    first: u64,
    entries: u64,
}

/// The length that says "this line was too long", followed by how long.
const TOO_LONG: u64 = u64::MAX;

impl Spool {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Spool { file: Arc::new(tempfile::tempfile()?), regions: VecDeque::new(), end: 0 })
    }

    pub(super) fn write(&mut self, batch: &Batch) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(batch.bytes);
        for entry in batch.written() {
            match entry {
                Written::Line(line) => {
                    bytes.write_all(&(line.len() as u64).to_le_bytes())?;
                    bytes.write_all(line)?;
                }
                Written::TooLong { bytes: length } => {
                    bytes.write_all(&TOO_LONG.to_le_bytes())?;
                    bytes.write_all(&length.to_le_bytes())?;
                }
            }
        }
        write_at(&self.file, &bytes, self.end)?;
        self.regions.push_back(Region {
            file: Arc::clone(&self.file),
            offset: self.end,
            length: bytes.len(),
            first: batch.first,
            entries: batch.len() as u64,
        });
        self.end += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn find(&self, at: u64) -> Option<Region> {
        let place = self.regions.partition_point(|region| region.end() <= at);
        self.regions.get(place).filter(|region| region.first <= at).cloned()
    }

    /// Gives the disk back once everything in the file has been read.
    pub(super) fn forget_before(&mut self, wanted: u64) {
        while self.regions.front().is_some_and(|region| region.end() <= wanted) {
            self.regions.pop_front();
        }
        if self.regions.is_empty() && self.end > 0 && self.file.set_len(0).is_ok() {
            self.end = 0;
        }
    }
}

impl Region {
    pub(super) fn end(&self) -> u64 {
        self.first + self.entries
    }

    /// The batch again, with all of its lines unread; `None` if the file cannot be read.
    pub(super) fn read(&self) -> Option<Batch> {
        let mut bytes = vec![0; self.length];
        read_at(&self.file, &mut bytes, self.offset).ok()?;
        let mut entries = Entries::with_room(self.entries as usize);
        let mut rest = &bytes[..];
        while let Some((length, after)) = rest.split_first_chunk::<8>() {
            let length = u64::from_le_bytes(*length);
            if length == TOO_LONG {
                let (bytes, after) = after.split_first_chunk::<8>()?;
                entries.push_too_long(u64::from_le_bytes(*bytes));
                rest = after;
            } else {
                let (line, after) = after.split_at_checked(usize::try_from(length).ok()?)?;
                entries.push_unread(line, rest.len());
                rest = after;
            }
        }
        Some(Batch::new(self.first, entries))
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}
