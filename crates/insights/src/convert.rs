//! Lines of Claude Code to events: a record in, the events that it gives out. Total and deterministic: no line fails, and
//! the same records give the same bytes.
//!
//! The one place of this crate, beside the records, that knows the CLI's language. Each message makes events or is listed
//! in [`quiet`] with the reason why it makes none; the matches have no catch-all, so that a new message must be placed
//! before this compiles.

#![warn(clippy::wildcard_enum_match_arm)]

mod assistant;
mod blocks;
mod calls;
mod command;
mod completion;
mod control;
mod costs;
mod host;
mod init;
mod memory;
mod nameless;
mod notice;
mod out;
mod prompts;
pub mod quiet;
mod recent;
mod result;
mod status;
mod stdin;
mod stdout;
mod stream;
mod suggest;
mod system;
mod task;
mod todo;
mod tools;
mod transcript;
mod usage;
mod user;
mod work;

use std::borrow::Cow;
use std::sync::Arc;

use claude_protocol::line::{Decoded, decode_as};
use claude_protocol::transcript::Entry;
use claude_protocol::usage::Usage;
use claude_protocol::{FromCli, Line, ToCli, decode};
use serde::{Deserialize, Serialize};

use crate::event::InsightsEvent;
use crate::event::turn::main_model;
use crate::record::{Record, Source};
use crate::time::UnixMillis;
use blocks::Blocks;
use calls::Calls;
use control::Requests;
use costs::{Costs, Models};
use init::Start;
use out::Out;
use prompts::Prompts;
use quiet::Quiet;
use stdin::Writer;
use todo::Todos;
use transcript::Import;

pub use nameless::Nameless;

/// Which events are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Profile {
    /// Only those of the source documents, in the forms that they give.
    Core,
    /// All of them: every line is accounted for.
    #[default]
    Full,
}

/// Whether events carry the line that they were made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RawLines {
    /// Each event has its line.
    #[default]
    Kept,
    /// None has.
    LeftOut,
}

/// The version of the converter. Events of another version, and what it remembered when it was written down, mean something
/// else.
pub const CONVERTER: u32 = 10;

/// Makes events of the records of one session, in their order.
///
/// Between two records it can be written down with serde and read again, by the same version: it goes on as if nothing had
/// been. What is written is small beside the records, however many there are, and is nobody else's to read.
#[derive(Debug, Serialize, Deserialize)]
pub struct Converter {
    out: Out,
    start: Start,
    turn: Turn,
    blocks: Blocks,
    calls: Calls,
    prompts: Prompts,
    requests: Requests,
    costs: Costs,
    context: Context,
    compaction: Compaction,
    todos: Todos,
    import: Import,
}

/// The turn that runs.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Turn {
    running: bool,
    /// It was interrupted, or is about to be.
    interrupted: bool,
    /// Why a hook of the host blocked its prompt. Old versions do not tell.
    blocked: Option<String>,
    /// The last that was said in it is that a call of the model failed. Its end may be told as a success all the same.
    failed: bool,
}

/// What fills the main agent's context.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Context {
    model: Option<String>,
    used: Option<u64>,
    window: Option<u64>,
    /// What the last call of the model in this turn used.
    #[serde(with = "memory::optional")]
    last_step: Option<Usage>,
}

impl Context {
    /// The figures of all models: those of the main agent's say how large its context is.
    fn seen(&mut self, models: &Models) {
        let main = main_model(models, self.model.as_deref());
        self.window = main.and_then(|usage| usage.context_window).filter(|window| *window > 0).or(self.window);
    }
}

/// Cuts in the conversation.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Compaction {
    count: u64,
    /// The next words to the model are the summary.
    awaiting_summary: bool,
    /// The messages that stay, until the turn ends: they were told, and are told again.
    kept: Vec<Arc<str>>,
}

impl Compaction {
    /// Nothing of it is to come any more.
    fn turn_ended(&mut self) {
        self.awaiting_summary = false;
        self.kept.clear();
    }
}

impl Converter {
    /// For a session; its id goes into the ids of the events.
    pub fn new(session: &str, profile: Profile, raw: RawLines) -> Self {
        Converter {
            out: Out::new(session, profile, raw),
            start: Start::default(),
            turn: Turn::default(),
            blocks: Blocks::default(),
            calls: Calls::default(),
            prompts: Prompts::default(),
            requests: Requests::default(),
            costs: Costs::default(),
            context: Context::default(),
            compaction: Compaction::default(),
            todos: Todos::default(),
            import: Import::default(),
        }
    }

    /// The events of the next record.
    pub fn convert(&mut self, record: Record) -> Vec<InsightsEvent> {
        let mut events = Vec::new();
        self.convert_into(record, &mut events);
        events
    }

    /// The events of the next record, added to `events`; the reason, if there are none.
    pub fn convert_into(&mut self, record: Record, events: &mut Vec<InsightsEvent>) -> Option<Quiet> {
        let Record { seq, at, source, line } = record;
        self.out.begin(seq, at);
        match source {
            Source::Stdout => self.decoded(decode(line), FromCli::kind, Self::stdout),
            Source::Stdin { by, id } => {
                let stdin = |this: &mut Self, message| this.stdin(message, Writer { by, id });
                self.decoded(decode_as(line), ToCli::kind, stdin);
            }
            Source::Stderr => {
                let text = line.text().into_owned();
                self.out.line(line);
                self.stderr(&text);
            }
            Source::Host => {
                let text = line.text().into_owned();
                self.out.line(line);
                self.host(&text);
            }
            Source::Transcript => self.decoded(decode_as(line), Entry::kind, Self::transcript),
        }
        self.out.take(events)
    }

    /// Converts a line that has been read. What of it did not fit is noted: on its events, or else by an event of its own.
    fn decoded<M>(&mut self, decoded: Decoded<M>, kind: fn(&M) -> &str, convert: impl FnOnce(&mut Self, M)) {
        let Decoded { body, notes, line, .. } = decoded;
        self.out.line(line);
        if notes.is_empty() || self.out.profile() == Profile::Core {
            return convert(self, body);
        }
        let paths: Vec<&str> = notes.iter().map(|note| note.path.as_str()).collect();
        self.out.about().extend("claude.lenient", serde_json::Value::from(paths).into());
        let kind = kind(&body).to_owned();
        convert(self, body);
        if self.out.is_quiet() {
            self.misfit(&kind, &notes);
        }
    }

    /// Another process of the agent has begun.
    fn restart(&mut self) {
        self.start.restart();
        self.turn = Turn::default();
        self.blocks = Blocks::default();
        self.calls = Calls::default();
        self.prompts.restart();
        self.costs.restart();
        self.compaction.turn_ended();
        self.context.last_step = None;
    }
}

/// The time that a line itself tells, for callers that have lines and no records.
pub fn wire_time(line: &Line) -> Option<UnixMillis> {
    #[derive(Deserialize)]
    struct Timed<'a> {
        #[serde(borrow)]
        timestamp: Cow<'a, str>,
    }
    let text = line.text();
    if !text.contains("\"timestamp\"") {
        return None;
    }
    let timed: Timed<'_> = serde_json::from_str(&text).ok()?;
    UnixMillis::from_iso(&timed.timestamp)
}
