//! Bytes in, lines out: cut at newlines, never lost when a read is cancelled, and never longer than the limit.

use std::io;

use memchr::{memchr, memchr_iter};
use tokio::io::{AsyncRead, AsyncReadExt};

/// What stands between two newlines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// A line within the limit.
    Line(&'a [u8]),
    /// A line over the limit, which was passed over.
    TooLong {
        /// How long it was.
        bytes: u64,
    },
}

/// A reader that keeps what it has read until a line is complete.
///
/// [`Lines::fill`] awaits nothing but one read, so dropping it at any await loses no byte.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: R,
    limit: usize,
    buffer: Vec<u8>,
    /// Where the unread part of the buffer begins, and up to where it was searched for a newline.
    start: usize,
    searched: usize,
    /// Bytes of a line over the limit that were thrown away so far.
    dropped: u64,
    ended: bool,
}

/// As much as a pipe holds at once.
const CHUNK: usize = crate::process::STDOUT_PIPE;

/// More room than this is not kept for long: one huge line must not cost its memory for the rest of the session.
const KEPT: usize = 1024 * 1024;

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(source: R, limit: usize) -> Self {
        Lines { source, limit, buffer: Vec::new(), start: 0, searched: 0, dropped: 0, ended: false }
    }

    /// Reads what is there, at least one byte; false at the end.
    pub(crate) async fn fill(&mut self) -> io::Result<bool> {
        self.make_room();
        let read = self.source.read_buf(&mut self.buffer).await?;
        self.ended = read == 0;
        Ok(!self.ended)
    }

    /// How many lines can be taken before the next fill.
    pub(crate) fn ready(&self) -> usize {
        memchr_iter(b'\n', &self.buffer[self.searched.max(self.start)..]).count()
    }

    /// How many bytes are kept that were not taken.
    pub(crate) fn held(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// The next complete line, if there is one; at the end of the source also what has no newline.
    pub(crate) fn next_line(&mut self) -> Option<Piece<'_>> {
        let unsearched = self.searched.max(self.start);
        match memchr(b'\n', &self.buffer[unsearched..]) {
            Some(found) => {
                let end = unsearched + found;
                let start = std::mem::replace(&mut self.start, end + 1);
                Some(self.piece(start, end))
            }
            None if self.ended => {
                let (start, end) = (self.start, self.buffer.len());
                self.start = end;
                (start < end || self.dropped > 0).then(|| self.piece(start, end))
            }
            None => {
                self.searched = self.buffer.len();
                self.drop_overlong();
                None
            }
        }
    }

    fn piece(&mut self, start: usize, end: usize) -> Piece<'_> {
        let dropped = std::mem::take(&mut self.dropped);
        if dropped > 0 || end - start > self.limit {
            return Piece::TooLong { bytes: dropped + (end - start) as u64 };
        }
        let line = &self.buffer[start..end];
        Piece::Line(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// A line that has outgrown the limit need not be kept: only its length will be told.
    fn drop_overlong(&mut self) {
        if self.buffer.len() - self.start > self.limit {
            self.dropped += (self.buffer.len() - self.start) as u64;
            self.start = self.buffer.len();
        }
    }

    fn make_room(&mut self) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched = self.searched.saturating_sub(self.start);
            self.start = 0;
        }
        if self.buffer.is_empty() && self.buffer.capacity() > KEPT {
            self.buffer = Vec::new();
        }
        self.buffer.reserve(CHUNK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn pieces(chunks: &[&str], limit: usize) -> Vec<String> {
        let (mut writer, reader) = tokio::io::duplex(1);
        let text = chunks.concat();
        let writing = tokio::spawn(async move {
            tokio::io::AsyncWriteExt::write_all(&mut writer, text.as_bytes()).await.unwrap();
        });
        let mut lines = Lines::new(reader, limit);
        let mut all = Vec::new();
        loop {
            let more = lines.fill().await.unwrap();
            while let Some(piece) = lines.next_line() {
                all.push(match piece {
                    Piece::Line(line) => String::from_utf8_lossy(line).into_owned(),
                    Piece::TooLong { bytes } => format!("[{bytes}]"),
                });
            }
            if !more {
                break;
            }
        }
        writing.await.unwrap();
        all
    }

    #[tokio::test]
    async fn lines_are_cut_at_newlines_however_they_arrive() {
        assert_eq!(pieces(&["one\ntwo\r\n\nfour"], 100).await, ["one", "two", "", "four"]);
        assert_eq!(pieces(&[], 100).await, Vec::<String>::new());
    }

    #[tokio::test]
    async fn lines_that_are_ready_are_counted_before_they_are_taken() {
        let mut lines = Lines::new(&b"one\ntwo\nthr"[..], 100);
        assert_eq!(lines.ready(), 0);
        assert!(lines.fill().await.unwrap());
        assert_eq!(lines.ready(), 2);
        assert_eq!(lines.next_line(), Some(Piece::Line(b"one")));
        assert_eq!(lines.ready(), 1);
        assert_eq!(lines.next_line(), Some(Piece::Line(b"two")));
        assert_eq!(lines.next_line(), None);
        assert_eq!(lines.ready(), 0);
    }

    #[tokio::test]
    async fn a_line_over_the_limit_is_told_and_the_next_one_is_read() {
        assert_eq!(pieces(&["123456\nok\n1234567890"], 5).await, ["[6]", "ok", "[10]"]);
        assert_eq!(pieces(&["12345\n"], 5).await, ["12345"]);
    }
}
