//! Lines that were read at once, as the log keeps them: those that the session had to read, and the text of all others.
//!
//! A flood is deltas, and what they say is nobody's business but the reader's. So they stay text in one allocation until a
//! reader comes by. It makes the messages, and it drops them one by one: on its own thread, out of memory that is still
//! warm. This halved the processor time of a flood.

use std::ops::Range;
use std::sync::Arc;

use claude_protocol::{Decoded, FromCli, Line, decode};

use crate::event::{Event, Message};

/// Lines in their order, not yet in the log.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    list: Vec<Entry>,
    /// Of those that are left to the readers.
    text: Vec<u8>,
}

/// Lines that have their place in the session.
#[derive(Debug)]
pub(super) struct Batch {
    /// The number of the first entry in the session.
    pub(super) first: u64,
    list: Vec<Entry>,
    text: Text,
    /// What the entries take in memory, roughly.
    pub(super) bytes: usize,
}

/// The text of unread lines. Whether it is UTF-8 is asked once for all of them, which takes half the time.
#[derive(Debug)]
enum Text {
    Proper(String),
    Bytes(Vec<u8>),
}

#[derive(Debug)]
enum Entry {
    /// A line that was read.
    Read(Arc<Decoded<FromCli>>),
    /// A line that was not: where it stands in the text.
    Unread(Range<usize>),
    TooLong {
        bytes: u64,
    },
}

/// An entry as it is written down.
pub(super) enum Written<'a> {
    Line(&'a [u8]),
    TooLong { bytes: u64 },
}

impl Entries {
    /// With room for so many lines.
    pub(crate) fn with_room(lines: usize) -> Self {
        Entries { list: Vec::with_capacity(lines), text: Vec::new() }
    }

    /// A line that was read.
    pub(crate) fn push(&mut self, decoded: Decoded<FromCli>) {
        self.list.push(Entry::Read(Arc::new(decoded)));
    }

    /// A line that its readers will read, the first of so many bytes at most.
    pub(crate) fn push_unread(&mut self, line: &[u8], bytes: usize) {
        if self.text.is_empty() {
            self.text.reserve_exact(bytes);
        }
        let start = self.text.len();
        self.text.extend_from_slice(line);
        self.list.push(Entry::Unread(start..self.text.len()));
    }

    /// A line that was passed over.
    pub(crate) fn push_too_long(&mut self, bytes: u64) {
        self.list.push(Entry::TooLong { bytes });
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    fn weight(&self) -> usize {
        let read = self.list.iter().map(|entry| match entry {
            // The text, and about as much again for what was read from it.
            Entry::Read(decoded) => 2 * decoded.line.bytes().len() + size_of::<Decoded<FromCli>>(),
            Entry::Unread(_) | Entry::TooLong { .. } => 0,
        });
        read.sum::<usize>() + self.text.capacity() + self.list.capacity() * size_of::<Entry>()
    }
}

impl Batch {
    pub(super) fn new(first: u64, entries: Entries) -> Self {
        let bytes = entries.weight();
        let text = String::from_utf8(entries.text).map_or_else(|error| Text::Bytes(error.into_bytes()), Text::Proper);
        Batch { first, list: entries.list, text, bytes }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The number after the last entry.
    pub(super) fn end(&self) -> u64 {
        self.first + self.len() as u64
    }

    /// The entry of this number, which must be here.
    pub(super) fn event(&self, number: u64, partial: bool) -> Event {
        let decoded = match &self.list[(number - self.first) as usize] {
            Entry::Read(decoded) => Arc::clone(decoded),
            Entry::Unread(place) => Arc::new(decode(self.text.line(place))),
            Entry::TooLong { bytes } => return Event::TooLong { bytes: *bytes },
        };
        Event::Message(Message::new(decoded, number, partial))
    }

    pub(super) fn written(&self) -> impl Iterator<Item = Written<'_>> {
        self.list.iter().map(|entry| match entry {
            Entry::Read(decoded) => Written::Line(decoded.line.bytes()),
            Entry::Unread(place) => Written::Line(&self.text.bytes()[place.clone()]),
            Entry::TooLong { bytes } => Written::TooLong { bytes: *bytes },
        })
    }
}

impl Text {
    fn bytes(&self) -> &[u8] {
        match self {
            Text::Proper(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }

    fn line(&self, place: &Range<usize>) -> Line {
        match self {
            // Two halves of a character may meet where two lines do, so that each is proper only with the other.
            Text::Proper(text) => {
                text.get(place.clone()).map_or_else(|| self.bytes()[place.clone()].into(), Line::from)
            }
            Text::Bytes(bytes) => bytes[place.clone()].into(),
        }
    }
}
