//! One file that grows: its whole lines out, one by one, and again from the start when it is not the file it was.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;

use claude_protocol::{Entry, Line, decode_as};
use insights::UnixMillis;

use super::files::Start;
use super::known::Pass;
use super::list::regular;

/// A transcript file and how far it was read.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// The subagent whose file it is.
    pub(super) agent: Option<String>,
    /// What came by since the file was begun.
    pub(super) pass: Pass,
    /// The time of the last entry that has one. Entries without stand at the time of the one before.
    pub(super) at: UnixMillis,
    file: Option<Open>,
}

#[derive(Debug)]
struct Open {
    reader: BufReader<File>,
    /// Which file it is.
    id: (u64, u64),
    /// The line that is being read; kept while it is not whole.
    line: Vec<u8>,
    /// Where that line begins.
    begins: u64,
}

/// May the last line lack its end?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastLine {
    /// No: whoever writes it will end it.
    Ended,
    /// Yes, if it is whole: nobody writes any more.
    Whole,
}

impl Source {
    pub(super) fn new(path: PathBuf, agent: Option<String>) -> Self {
        Source { path, agent, pass: Pass::default(), at: UnixMillis::default(), file: None }
    }

    /// Looks whether this is still the file that was read: if another one stands there, or it was cut, it is read from its
    /// start.
    pub(super) fn check(&mut self) {
        let Some(open) = &self.file else { return };
        let is_same = regular(&self.path).is_some_and(|meta| {
            (meta.dev(), meta.ino()) == open.id && meta.len() >= open.begins + open.line.len() as u64
        });
        let mut before = [0];
        let read = open.begins.checked_sub(1).map(|at| open.reader.get_ref().read_at(&mut before, at));
        let stands = read.is_none() || (matches!(read, Some(Ok(1))) && before == *b"\n");
        if !is_same || !stands {
            self.file = None;
        }
    }

    /// The next line that is not blank, without its end. `None` if there is none now, or no such file.
    pub(super) fn next_line(&mut self, last: LastLine) -> io::Result<Option<Line>> {
        if self.file.is_none() && !self.open()? {
            return Ok(None);
        }
        let Some(open) = &mut self.file else { return Ok(None) };
        loop {
            open.reader.read_until(b'\n', &mut open.line)?;
            if open.line.last() != Some(&b'\n') {
                return Ok(match last {
                    LastLine::Ended => None,
                    LastLine::Whole => whole(&open.line).inspect(|_| open.line.clear()),
                });
            }
            open.begins += open.line.len() as u64;
            let mut line = std::mem::take(&mut open.line);
            line.truncate(line.trim_ascii_end().len());
            if !line.is_empty() {
                return Ok(Some(line.into()));
            }
        }
    }

    fn open(&mut self) -> io::Result<bool> {
        // Opening a pipe that somebody has put there would wait for ever.
        if regular(&self.path).is_none() {
            return Ok(false);
        }
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let meta = file.metadata()?;
        let modified = UnixMillis(meta.mtime().saturating_mul(1000));
        self.at = Start::of(&self.path).at.unwrap_or(modified);
        self.pass = Pass::default();
        let reader = BufReader::with_capacity(64 * 1024, file);
        self.file = Some(Open { reader, id: (meta.dev(), meta.ino()), line: Vec::new(), begins: 0 });
        Ok(true)
    }
}

/// A last line without its end, if nothing of it is missing. The piece that a crash left may yet be written whole.
fn whole(line: &[u8]) -> Option<Line> {
    let line = line.trim_ascii_end();
    if !line.ends_with(b"}") {
        return None;
    }
    let decoded = decode_as::<Entry>(line);
    (!matches!(decoded.body, Entry::NotJson(_))).then_some(decoded.line)
}
