//! A reader of a log: records out, from any number on, also while somebody appends.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use insights::Record;
use memchr::memchr;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::index::Head;
use crate::stored::{load, seq_of, whole};

/// Reads the records of one session in their order. At the end of what is there it gives `None`, and goes on when asked
/// again: an unfinished last line is one that is being written.
pub struct Reader {
    folder: Folder,
    path: PathBuf,
    from: From,
    /// The line that is being read; kept when it is not whole yet.
    line: Vec<u8>,
    /// Where that line begins.
    at: u64,
    /// Records up to this one were asked not to be given.
    after: u64,
}

enum From {
    Log(BufReader<File>),
    Packed(Box<BufReader<zstd::Decoder<'static, BufReader<File>>>>),
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("path", &self.path).field("at", &self.at).finish_non_exhaustive()
    }
}

impl Reader {
    /// Reads the records with numbers greater than `seq`.
    pub fn after(folder: Folder, seq: u64) -> Result<Self> {
        let path = folder.log();
        match File::open(&path) {
            Ok(file) => {
                let at = find(&file, seq).map_err(Error::io("read", &path))?;
                let mut reader = BufReader::with_capacity(256 * 1024, file);
                reader.seek(SeekFrom::Start(at)).map_err(Error::io("read", &path))?;
                Ok(Reader { folder, path, from: From::Log(reader), line: Vec::new(), at, after: seq })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::packed(folder, seq),
            Err(error) => Err(Error::io("open", &path)(error)),
        }
    }

    fn packed(folder: Folder, seq: u64) -> Result<Self> {
        let path = folder.packed();
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NoLog { folder: folder.path().to_owned() });
            }
            Err(error) => return Err(Error::io("open", &path)(error)),
        };
        let decoder = zstd::Decoder::new(file).map_err(Error::io("unpack", &path))?;
        let from = From::Packed(Box::new(BufReader::with_capacity(256 * 1024, decoder)));
        Ok(Reader { folder, path, from, line: Vec::new(), at: 0, after: seq })
    }

    /// Reads the records behind a place; `None` if the log has no such place.
    pub(crate) fn behind(folder: Folder, place: &Place) -> Result<Option<Self>> {
        let mut reader = Reader::after(folder, 0)?;
        if reader.identity()?.as_ref() != Some(&place.identity) {
            return Ok(None);
        }
        reader.skip_to(place.line)?;
        let Some(line) = reader.advance()? else { return Ok(None) };
        reader.after = place.seq;
        let found = Place::new(place.identity.clone(), &line);
        Ok((found.as_ref() == Some(place)).then_some(reader))
    }

    /// The next record, if it is whole.
    pub fn next_record(&mut self) -> Result<Option<Record>> {
        let Some(text) = self.advance()? else { return Ok(None) };
        let at = text.1;
        load(&self.folder, &text.0)?.map(Some).ok_or_else(|| self.damaged(at))
    }

    /// Where the next record begins: so many bytes of the log, unpacked, are read.
    pub fn position(&self) -> u64 {
        self.at
    }

    /// The next record as its JSON, if it is whole: for handing on what need not be understood.
    pub fn next_json(&mut self) -> Result<Option<String>> {
        let Some((text, _)) = self.advance()? else { return Ok(None) };
        whole(&self.folder, &text).map(|text| Some(text.into_owned()))
    }

    /// The next whole line that was asked for, and where it begins.
    pub(crate) fn advance(&mut self) -> Result<Option<(String, u64)>> {
        loop {
            let read = match &mut self.from {
                From::Log(reader) => reader.read_until(b'\n', &mut self.line),
                From::Packed(reader) => reader.read_until(b'\n', &mut self.line),
            };
            read.map_err(Error::io("read", &self.path))?;
            if self.line.pop_if(|last| *last == b'\n').is_none() {
                return Ok(None);
            }
            let line = std::mem::take(&mut self.line);
            let at = self.at;
            self.at += line.len() as u64 + 1;
            match seq_of(&line) {
                Some(seq) if seq <= self.after => {}
                Some(_) => return String::from_utf8(line).map(|line| Some((line, at))).map_err(|_| self.damaged(at)),
                None => return Err(self.damaged(at)),
            }
        }
    }

    /// What tells this log from another one; asked before anything is read.
    fn identity(&mut self) -> Result<Option<String>> {
        Ok(self.next_record()?.map(|first| Head::of(&first).identity()))
    }

    /// Goes on at a line that begins further on.
    fn skip_to(&mut self, line: u64) -> Result<()> {
        let skipped = match &mut self.from {
            From::Log(reader) => reader.seek(SeekFrom::Start(line)).map(|_| ()),
            From::Packed(reader) => {
                let bytes = line.saturating_sub(self.at);
                std::io::copy(&mut reader.take(bytes), &mut std::io::sink()).map(|_| ())
            }
        };
        skipped.map_err(Error::io("read", &self.path))?;
        self.at = line;
        Ok(())
    }

    fn damaged(&self, at: u64) -> Error {
        Error::Damaged { path: self.path.clone(), at }
    }
}

/// A place in a log: right behind a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) identity: String,
    pub(crate) seq: u64,
    /// Where the record's line begins in the log, unpacked.
    line: u64,
    /// Where the next one begins.
    pub(crate) end: u64,
    /// How the line begins, with the record's time: after a power cut another record may have this place.
    head: String,
}

impl Place {
    /// Behind record `seq`; `None` if the log does not have it.
    pub(crate) fn of(folder: &Folder, seq: u64) -> Result<Option<Place>> {
        let Some(identity) = Reader::after(folder.clone(), 0)?.identity()? else { return Ok(None) };
        let line = Reader::after(folder.clone(), seq.saturating_sub(1))?.advance()?;
        Ok(line.and_then(|line| Place::new(identity, &line)).filter(|place| place.seq == seq))
    }

    /// Behind a line that begins there.
    fn new(identity: String, (text, line): &(String, u64)) -> Option<Place> {
        let end = line + text.len() as u64 + 1;
        Some(Place { identity, seq: seq_of(text.as_bytes())?, line: *line, end, head: text.chars().take(80).collect() })
    }
}

/// Where the lines after record `seq` begin in a plain log, and the number of the last record up to there.
pub(crate) fn place_after(file: &File, seq: u64) -> std::io::Result<(u64, u64)> {
    let mut at = find(file, seq)?;
    let mut last = 0;
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(at))?;
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        match seq_of(&line) {
            Some(number) if number <= seq => (at, last) = (at + line.len() as u64, number),
            _ => break,
        }
        line.clear();
    }
    Ok((at, last))
}

/// Where a line begins that is not after the first record beyond `seq`, nearly always right before it. The numbers grow, so
/// halving finds it without reading the whole file.
fn find(file: &File, seq: u64) -> std::io::Result<u64> {
    if seq == 0 {
        return Ok(0);
    }
    let (mut low, mut high) = (0, file.metadata()?.len());
    while high - low > 64 * 1024 {
        let middle = low + (high - low) / 2;
        match line_after(file, middle, high)? {
            Some((start, number)) if number <= seq => low = start,
            _ => high = middle,
        }
    }
    Ok(low)
}

/// The first line that begins at `from` or later and before `to`: where, and its number.
fn line_after(file: &File, from: u64, to: u64) -> std::io::Result<Option<(u64, u64)>> {
    use std::os::unix::fs::FileExt;
    let mut buffer = vec![0; 16 * 1024];
    let mut at = from;
    while at < to {
        let read = file.read_at(&mut buffer, at)?;
        if read == 0 {
            return Ok(None);
        }
        if let Some(newline) = memchr(b'\n', &buffer[..read]) {
            let start = at + newline as u64 + 1;
            let mut head = [0; 40];
            let read = file.read_at(&mut head, start)?;
            return Ok(seq_of(&head[..read]).filter(|_| start < to).map(|seq| (start, seq)));
        }
        at += read as u64;
    }
    Ok(None)
}
