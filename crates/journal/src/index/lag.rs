//! How far the index is behind a log: looked at without reading all of it, so that a start with a thousand sessions is
//! quick.

use std::fs::File;
use std::io::{BufRead, BufReader};

use insights::Record;

use super::collect::Head;
use super::write::Mark;
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::read::{Reader, place_after};
use crate::stored::load;
use crate::write::line_start;

/// How far the index is behind a log.
#[derive(Debug, PartialEq)]
pub(super) enum Lag {
    /// It has all of it; the log is so long.
    None { log_bytes: Option<u64>, packed_bytes: Option<u64> },
    /// It lacks the end.
    Behind { bytes: u64 },
    /// What it has is of another log, or of more than there is now.
    Other { bytes: u64 },
}

/// Compares what the index has of a session with what is in its folder.
pub(super) fn lag(folder: &Folder, mark: Option<&Mark>) -> Result<Lag> {
    let path = folder.log();
    match File::open(&path) {
        Ok(file) => plain(folder, &file, mark),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => packed(folder, mark),
        Err(error) => Err(Error::io("open", &path)(error)),
    }
}

fn plain(folder: &Folder, file: &File, mark: Option<&Mark>) -> Result<Lag> {
    let path = folder.log();
    let failed = |error| Error::io("read", &path)(error);
    let length = file.metadata().map_err(failed)?.len();
    // A line that is being written, or was torn, is not there yet.
    let bytes = line_start(file, length).map_err(failed)?;
    let Some(mark) = mark else { return Ok(if bytes == 0 { nothing() } else { Lag::Behind { bytes } }) };
    if first(folder, file)?.is_none_or(|head| head.identity() != mark.identity) {
        return Ok(Lag::Other { bytes });
    }
    let has = match mark.log_bytes {
        Some(has) => has,
        None => match place_after(file, mark.seq).map_err(failed)? {
            (has, last) if last == mark.seq => has,
            _ => return Ok(Lag::Other { bytes }),
        },
    };
    Ok(match bytes.checked_sub(has) {
        Some(0) => Lag::None { log_bytes: Some(bytes), packed_bytes: None },
        Some(bytes) => Lag::Behind { bytes },
        None => Lag::Other { bytes },
    })
}

/// The index has nothing of a log in which nothing is.
fn nothing() -> Lag {
    Lag::None { log_bytes: None, packed_bytes: None }
}

fn packed(folder: &Folder, mark: Option<&Mark>) -> Result<Lag> {
    let path = folder.packed();
    let bytes = match std::fs::metadata(&path) {
        Ok(file) => file.len(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::NoLog { folder: folder.path().to_owned() });
        }
        Err(error) => return Err(Error::io("look at", &path)(error)),
    };
    let Some(mark) = mark else { return Ok(Lag::Behind { bytes }) };
    let done = Lag::None { log_bytes: mark.log_bytes, packed_bytes: Some(bytes) };
    // A packed log does not change: seen once, it is known.
    if mark.packed_bytes == Some(bytes) {
        return Ok(done);
    }
    let head = Reader::after(folder.clone(), 0)?.next_record()?.as_ref().map(Head::of);
    let mut rest = Reader::after(folder.clone(), mark.seq.saturating_sub(1))?;
    let last = rest.next_record()?.map(|record| record.seq);
    match last == Some(mark.seq) && head.is_some_and(|head| head.identity() == mark.identity) {
        false => Ok(Lag::Other { bytes }),
        true if rest.next_json()?.is_some() => Ok(Lag::Behind { bytes }),
        true => Ok(done),
    }
}

/// What the first record of a log says.
fn first(folder: &Folder, file: &File) -> Result<Option<Head>> {
    let path = folder.log();
    let mut line = Vec::new();
    let mut reader = BufReader::with_capacity(1024, file);
    reader.read_until(b'\n', &mut line).map_err(Error::io("read", &path))?;
    let record: Option<Record> = match std::str::from_utf8(&line) {
        Ok(text) => load(folder, text.trim_end_matches('\n'))?,
        Err(_) => None,
    };
    Ok(record.as_ref().map(Head::of))
}
