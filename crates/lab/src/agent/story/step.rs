//! The steps that a told turn is made of.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Kind;
use super::is_default;
use crate::script::Reply;

/// What happens between a prompt and its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<Step>", into = "Vec<Step>")]
pub struct Turn {
    pub(crate) steps: Vec<Step>,
    pub(super) thoughts: Vec<Value>,
}

/// One thing that an agent does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "a story has few steps, and a box would show in every one that is told")]
pub enum Step {
    /// A message of the model: its blocks are said, its tools are called. A tool call may have, besides what the API
    /// has, `gives` (the text of its result), `fails` (true: the result is an error), `gives_value` (the
    /// `tool_use_result`), `asks` (whether the host is asked first; else as the CLI would), `replies` (what a subagent
    /// says), `takes` (for how many beats it runs), `until` (the kind of line that ends a background task), `then` (the
    /// steps of the turn it starts) and `branches` (steps that take the place of the rest of the turn when the host
    /// refused it, under `denied`, or when it chose the answer of that name).
    Message(Reply),
    /// A request to the host, of any subtype; the turn goes on when it was answered.
    Request(Value),
    /// A request to the host that stays open under a name.
    Open {
        /// The name.
        name: String,
        /// The request.
        request: Value,
    },
    /// Waits for the answer to an open request.
    Await(String),
    /// Withdraws an open request.
    Withdraw(String),
    /// Writes a `system` line of this `subtype`, with these fields.
    System(Map<String, Value>),
    /// Lets so many beats pass.
    Wait(u32),
    /// Writes a line, byte for byte.
    Line(String),
    /// Writes a text without an end of line.
    Part(String),
    /// Writes bytes, given in hexadecimal, without an end of line.
    Bytes(String),
    /// Writes a message of the assistant whose text has so many bytes.
    HugeLine(usize),
    /// Writes to the standard error.
    Stderr(String),
    /// Many deltas as fast as they can be written.
    Flood(Flood),
    /// Deltas at a pace, each with the moment of its writing as its text.
    Paced(Paced),
    /// Goes on when a line of this kind was read; one that was read since the last wait of this turn counts.
    WaitFor(Kind),
    /// Goes on when the gate is released (see [`Gates`](crate::agent::Gates)).
    Gate(String),
    /// Never goes on.
    Hang(Hang),
    /// Ends the process.
    Die(Death),
    /// Starts a process in a session of its own, which nobody ends.
    Spawn {
        /// The program and its arguments.
        command: Vec<String>,
        /// The file that gets its number.
        pid_file: PathBuf,
    },
    /// Changes fields of the turn's result.
    Result(Map<String, Value>),
}

/// Many deltas of one message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flood {
    /// How many.
    pub deltas: u64,
    /// The least length of a line in bytes, with its end.
    #[serde(default, skip_serializing_if = "is_default")]
    pub line_bytes: usize,
    /// Leaves out the whole text at the end, which would have to be kept for it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub endless: bool,
}

/// Deltas of one message, one at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paced {
    /// How many.
    pub deltas: u64,
    /// How long after each other.
    pub every_ms: u64,
}

/// How an agent stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hang {
    /// It answers control requests, and an interrupt ends the turn.
    Listening,
    /// It reads and says nothing.
    Deaf,
}

/// How an agent dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Death {
    /// It exits.
    Code(i32),
    /// It kills itself, as if the system had run out of memory.
    Kill,
}

impl From<Vec<Step>> for Turn {
    fn from(steps: Vec<Step>) -> Turn {
        Turn { steps, thoughts: Vec::new() }
    }
}

impl From<Turn> for Vec<Step> {
    fn from(turn: Turn) -> Vec<Step> {
        turn.steps
    }
}
