//! How a record stands in the log: on one line, or, if it is very long, on a short line that points to a file of its own.

use std::borrow::Cow;
use std::fs;
use std::io::Write;

use insights::Record;

use crate::error::{Error, Result};
use crate::folder::{Folder, make_private, private};

/// A record whose line in the log would be longer than this has a file of its own.
pub(crate) const BIG_BYTES: usize = 64 * 1024 * 1024;

/// The line for the log, with its end. Writes the file of a big one first, so that what the log points to is there.
pub(crate) fn store(folder: &Folder, record: &Record, limit: usize) -> Result<String> {
    let mut text = record.to_json();
    if text.len() > limit {
        let path = folder.big(record.seq);
        make_private(&folder.path().join("big"))?;
        let write = || -> std::io::Result<()> {
            let mut file = private().create(true).truncate(true).write(true).open(&path)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        if let Err(error) = write() {
            // Half a file is worth nothing; what matters is the error.
            let _ = fs::remove_file(&path);
            return Err(Error::io("write", &path)(error));
        }
        text = format!(r#"{{"seq":{},"at":{},"big":{}}}"#, record.seq, record.at.0, text.len());
    }
    text.push('\n');
    Ok(text)
}

/// The record of a line in the log; `None` if it is none.
pub(crate) fn load(folder: &Folder, line: &str) -> Result<Option<Record>> {
    Ok(Record::from_json(&whole(folder, line)?))
}

/// The JSON of the record of a line in the log, wherever it is.
pub fn whole<'a>(folder: &Folder, line: &'a str) -> Result<Cow<'a, str>> {
    let Some(seq) = pointer(line) else { return Ok(Cow::Borrowed(line)) };
    let path = folder.big(seq);
    fs::read_to_string(&path).map(Cow::Owned).map_err(Error::io("read", &path))
}

/// The number of a line of a log that only points to its record, which is too long for the log.
pub fn pointer(line: &str) -> Option<u64> {
    let rest = line.strip_prefix(r#"{"seq":"#)?.strip_suffix('}')?;
    let (seq, rest) = rest.split_once(r#","at":"#)?;
    let (at, bytes) = rest.split_once(r#","big":"#)?;
    (at.parse::<i64>().is_ok() && bytes.parse::<u64>().is_ok()).then(|| seq.parse().ok())?
}

/// The number at the head of a line of the log: all lines begin with it.
pub(crate) fn seq_of(line: &[u8]) -> Option<u64> {
    let digits = line.strip_prefix(br#"{"seq":"#)?;
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(digits.get(..end)?).ok()?.parse().ok()
}
