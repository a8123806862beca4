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
    decoded: Arc<Decoded<FromCli>>,
    number: u64,
    /// Does the CLI stream? Then whole texts repeat what was streamed.
    partial: bool,
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
            FromCli::Assistant(assistant) if !message.partial && assistant.parent_tool_use_id.is_none() => {
                assistant.message.content.texts().next()
            }
            _ => None,
        }
    }
}

impl Message {
    pub(crate) fn new(decoded: Arc<Decoded<FromCli>>, number: u64, partial: bool) -> Self {
        Message { decoded, number, partial }
    }

    /// The number of the line in the session, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl Deref for Message {
    type Target = Decoded<FromCli>;

    fn deref(&self) -> &Decoded<FromCli> {
        &self.decoded
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("number", &self.number()).field("body", &self.body).finish()
    }
}
