//! What a session says: messages of the CLI, as a consumer sees them.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use claude_protocol::from_cli::stream::{Delta, Event as StreamPart};
use claude_protocol::{Decoded, FromCli};

/// One thing that a session says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A line of the CLI.
    Message(Message),
    /// A line longer than [`Claude::line_limit`](crate::Claude::line_limit), which was passed over.
    TooLong {
        /// How long it was.
        bytes: u64,
    },
    /// Lines that this reader was too slow for, and that could not be read back from the temporary file. Others may
    /// have them.
    Lost {
        /// How many.
        lines: u64,
    },
}

/// A line of the CLI with what it says; cheap to clone. Dereferences to [`Decoded`], so `message.body` is the typed
/// message and `message.line` the text.
#[derive(Clone)]
pub struct Message {
    batch: Arc<Batch>,
    index: usize,
}

/// Lines that were read at once. They share one allocation, so that a flood costs no reference count of its own.
#[derive(Debug)]
pub(crate) struct Batch {
    /// The number of the first entry in the session.
    pub(crate) first: u64,
    pub(crate) entries: Vec<Entry>,
    /// What the entries take in memory, roughly.
    pub(crate) bytes: usize,
    /// Does the CLI stream? Then whole texts repeat what was streamed.
    pub(crate) partial: bool,
}

/// What a batch keeps of a line.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all are messages, and a box for each would cost more")]
pub(crate) enum Entry {
    Message(Decoded<FromCli>),
    TooLong { bytes: u64 },
}

impl Event {
    /// The message, if the event is one.
    pub fn message(&self) -> Option<&FromCli> {
        match self {
            Event::Message(message) => Some(&message.body),
            Event::TooLong { .. } | Event::Lost { .. } => None,
        }
    }

    /// Text of the main agent's answer to be shown next: a streamed piece, or a whole text where the CLI does not
    /// stream. All of them in a row are the answer.
    pub fn text(&self) -> Option<&str> {
        let Event::Message(message) = self else { return None };
        match &message.body {
            FromCli::StreamEvent(event) if event.parent_tool_use_id.is_none() => match &event.event {
                StreamPart::BlockDelta(part) => match &part.delta {
                    Delta::Text(delta) => Some(&delta.text),
                    _ => None,
                },
                _ => None,
            },
            FromCli::Assistant(assistant) if !message.batch.partial && assistant.parent_tool_use_id.is_none() => {
                assistant.message.content.texts().next()
            }
            _ => None,
        }
    }
}

impl Message {
    /// The number of the line in the session, from 0.
    pub fn number(&self) -> u64 {
        self.batch.first + self.index as u64
    }
}

impl Deref for Message {
    type Target = Decoded<FromCli>;

    fn deref(&self) -> &Decoded<FromCli> {
        match &self.batch.entries[self.index] {
            Entry::Message(decoded) => decoded,
            Entry::TooLong { .. } => unreachable!("`Batch::event` makes messages of messages only"),
        }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("number", &self.number()).field("body", &self.body).finish()
    }
}

impl Batch {
    pub(crate) fn new(first: u64, entries: Vec<Entry>, partial: bool) -> Self {
        let bytes = entries.iter().map(Entry::weight).sum();
        Batch { first, entries, bytes, partial }
    }

    /// The number after the last entry.
    pub(crate) fn end(&self) -> u64 {
        self.first + self.entries.len() as u64
    }

    pub(crate) fn event(self: &Arc<Self>, index: usize) -> Event {
        match self.entries[index] {
            Entry::Message(_) => Event::Message(Message { batch: Arc::clone(self), index }),
            Entry::TooLong { bytes } => Event::TooLong { bytes },
        }
    }
}

impl Entry {
    /// The text, and about as much again for what was read from it.
    fn weight(&self) -> usize {
        match self {
            Entry::Message(decoded) => 2 * decoded.line.bytes().len() + 512,
            Entry::TooLong { .. } => 64,
        }
    }
}
