//! Which block of which message a line is about: the pieces of a stream and the whole block that follows must agree.
//!
//! A line of the agent holds one block of its message, mostly, and does not say which. While the block is being streamed
//! it is the open one; otherwise it is the next. The main agent and its subagents speak in turns, so each has a lane.

use std::sync::Arc;

use claude_protocol::content::Block;
use claude_protocol::usage::Usage;
use serde::{Deserialize, Serialize};

use super::memory;
use super::recent::Recent;

/// So many subagents can speak at once. One whose entries are read from its file has ended before it speaks, and so never
/// ends again.
const SUBAGENTS: usize = 256;

/// The messages that are being made.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Blocks {
    main: Lane,
    subagents: Recent<Lane, SUBAGENTS>,
}

/// The message that one agent is making.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Lane {
    whole: Whole,
    stream: Stream,
}

/// The blocks of a message that have come whole.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Whole {
    message: Option<Arc<str>>,
    /// The number and the print of each.
    seen: Vec<(u32, u64)>,
}

/// The message that is being streamed.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Stream {
    message: Option<Arc<str>>,
    open: Option<u32>,
    calls: Vec<(u32, Arc<str>)>,
    #[serde(with = "memory::optional")]
    usage: Option<Box<Usage>>,
}

impl Blocks {
    /// The lane of the main agent, or of the subagent of a call.
    pub(super) fn lane(&mut self, parent: Option<&Arc<str>>) -> &mut Lane {
        match parent {
            None => &mut self.main,
            Some(parent) => self.subagents.entry(parent),
        }
    }

    /// The main agent's turn has ended, and whatever it was saying with it.
    pub(super) fn turn_ended(&mut self) {
        self.main.stream = Stream::default();
    }

    /// The subagent of a call has ended.
    pub(super) fn ended(&mut self, call: &str) {
        self.subagents.remove(call);
    }
}

impl Lane {
    /// A message begins to be streamed.
    pub(super) fn begin(&mut self, message: Option<Arc<str>>, usage: Option<Usage>) {
        self.stream = Stream { message, usage: usage.map(Box::new), ..Stream::default() };
    }

    /// A block begins to be streamed.
    pub(super) fn open(&mut self, index: u32, call: Option<&Arc<str>>) {
        self.stream.open = Some(index);
        if let Some(call) = call {
            self.stream.calls.push((index, Arc::clone(call)));
        }
    }

    /// The open block is complete.
    pub(super) fn close(&mut self) {
        self.stream.open = None;
    }

    /// Another message speaks while a block is open: what was streamed of it will not become whole. Old versions make a
    /// call of the API that was cut off again without a word.
    pub(super) fn cut_off(&mut self, by: Option<&Arc<str>>) -> Option<(Arc<str>, u32)> {
        let other = self.stream.message.as_ref().is_some_and(|message| Some(message) != by);
        let open = self.stream.open.filter(|_| other)?;
        Some((std::mem::take(&mut self.stream).message?, open))
    }

    /// The message that is being streamed, else the one that the line tells. Nearly always they are the same.
    pub(super) fn message_or(&self, told: Option<Arc<str>>) -> Option<Arc<str>> {
        match &self.stream.message {
            Some(message) if told.as_ref() != Some(message) => Some(Arc::clone(message)),
            Some(_) | None => told,
        }
    }

    /// The counts as of its beginning.
    pub(super) fn usage(&self) -> Option<&Usage> {
        self.stream.usage.as_deref()
    }

    /// The call that a streamed block is.
    pub(super) fn call(&self, index: u32) -> Option<Arc<str>> {
        let call = self.stream.calls.iter().rev().find(|(block, _)| *block == index);
        call.map(|(_, call)| Arc::clone(call))
    }

    /// The numbers of the blocks of a line: `None` for those that came before.
    pub(super) fn number(&mut self, message: Option<&Arc<str>>, blocks: &[Block]) -> Vec<Option<u32>> {
        let Some(message) = message else {
            return (0..).take(blocks.len()).map(Some).collect();
        };
        if self.whole.message.as_ref() != Some(message) {
            self.whole.message = Some(Arc::clone(message));
            self.whole.seen.clear();
        }
        let seen = &mut self.whole.seen;
        // A list that begins with all that came before is that list grown longer. Nearly all are of one block.
        let grown = blocks.len() > 1 && seen.iter().zip(blocks).all(|((_, seen), block)| *seen == print(block));
        let known = if grown { seen.len() } else { 0 };
        let open = self.stream.open.filter(|_| blocks.len() == 1 && self.stream.message.as_ref() == Some(message));
        let mut numbers = Vec::with_capacity(blocks.len());
        for (place, block) in blocks.iter().enumerate() {
            let print = print(block);
            let next = seen.iter().map(|(index, _)| index.saturating_add(1)).max().unwrap_or(0);
            let index = open.unwrap_or(next);
            let is_call = matches!(block, Block::ToolUse(_));
            let repeated = place < known
                || seen.contains(&(index, print))
                || (is_call && seen.iter().any(|(_, seen)| *seen == print));
            if !repeated {
                seen.push((index, print));
            }
            numbers.push((!repeated).then_some(index));
        }
        numbers
    }
}

/// A number that is the same for the same block. A call is told by its id, since its input may be written anew.
fn print(block: &Block) -> u64 {
    let mut print = Print::new(block.kind());
    #[expect(clippy::wildcard_enum_match_arm, reason = "a block that nobody looks into is what is written of it")]
    match block {
        Block::Text(block) => print.add_ends(&block.text),
        Block::Thinking(block) => {
            print.add_ends(&block.thinking);
            print.add(block.signature.as_deref().unwrap_or_default().as_bytes());
        }
        Block::ToolUse(call) if call.id.as_str().is_empty() => print.add(call.input.text().as_bytes()),
        Block::ToolUse(call) => print.add(call.id.as_str().as_bytes()),
        other => print.add(claude_protocol::wire::to_json(other).as_bytes()),
    }
    print.0
}

/// FNV-1a: short, and the same in every build, since prints are written down with the converter.
struct Print(u64);

impl Print {
    fn new(kind: &str) -> Self {
        let mut print = Print(0xcbf2_9ce4_8422_2325);
        print.add(kind.as_bytes());
        print
    }

    /// A part, and that it ends here.
    fn add(&mut self, part: &[u8]) {
        let bytes = part.iter().copied().chain((part.len() as u64).to_le_bytes());
        self.0 = bytes.fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    }

    /// Enough of a text to tell it from the other blocks of its message, however long it is.
    fn add_ends(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let near = bytes.len().min(128);
        self.add(&(bytes.len() as u64).to_le_bytes());
        self.add(&bytes[..near]);
        self.add(&bytes[bytes.len() - near..]);
    }
}
