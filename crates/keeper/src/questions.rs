//! What the agent asks: records in; which questions are open, and what became of the others, out. Pure.

use std::collections::BTreeMap;

use claude_protocol::control::Ask;
use claude_protocol::{FromCli, Line, RequestId, ToCli, decode, decode_as};
use insights::{HostFact, Record, Source};
use memchr::memmem;
use serde::{Deserialize, Serialize};

/// The questions of a session's agent. Can be written down, so that nobody has to read them from the log again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Questions {
    all: BTreeMap<String, Question>,
}

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Question {
    /// It waits for an answer.
    Open {
        /// Of whom.
        whom: Whom,
    },
    /// It was answered.
    Answered {
        /// By this record.
        seq: u64,
    },
    /// The agent wants no answer any more.
    Withdrawn,
}

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Whom {
    /// A person, or a program in a person's place.
    Person,
    /// The host itself: one of its hooks or tools, or something that nobody knows.
    Host,
}

impl Questions {
    /// Takes notice of a record.
    pub fn note(&mut self, record: &Record) {
        match &record.source {
            Source::Stdin { .. } => {
                if let Some(id) = answered(&record.line) {
                    self.all.insert(id.to_string(), Question::Answered { seq: record.seq });
                }
            }
            Source::Stdout => self.listen(&record.line),
            Source::Host => {
                let fact = HostFact::from_json(&record.line.text());
                if matches!(fact, Some(HostFact::Spawned { .. } | HostFact::Exited { .. } | HostFact::Lost)) {
                    // A new process of the agent knows nothing of what the one before has asked.
                    self.all.retain(|_, question| !matches!(question, Question::Open { .. }));
                }
            }
            Source::Stderr | Source::Transcript => {}
        }
    }

    /// What became of a question; none if it was not asked.
    pub fn get(&self, id: &str) -> Option<Question> {
        self.all.get(id).copied()
    }

    /// The questions that are open, and whom they ask.
    pub fn open(&self) -> impl Iterator<Item = (&str, Whom)> {
        self.all.iter().filter_map(|(id, question)| match question {
            Question::Open { whom } => Some((&**id, *whom)),
            Question::Answered { .. } | Question::Withdrawn => None,
        })
    }

    fn listen(&mut self, line: &Line) {
        // Most lines are no questions, and need not be understood.
        if memmem::find(line.bytes(), b"\"control_").is_none() {
            return;
        }
        match decode(line.clone()).body {
            FromCli::ControlRequest(request) => {
                let whom = match request.request {
                    Ask::HookCallback(_) | Ask::McpMessage(_) | Ask::Other(_) => Whom::Host,
                    _ => Whom::Person,
                };
                self.all.entry(request.request_id.to_string()).or_insert(Question::Open { whom });
            }
            FromCli::ControlCancel(cancel) => {
                let question = self.all.entry(cancel.request_id.to_string()).or_insert(Question::Withdrawn);
                if matches!(question, Question::Open { .. }) {
                    *question = Question::Withdrawn;
                }
            }
            _ => {}
        }
    }
}

/// The question that a line for the agent answers, if it is an answer.
pub(crate) fn answered(line: &Line) -> Option<RequestId> {
    memmem::find(line.bytes(), b"control_response")?;
    match decode_as::<ToCli>(line.clone()).body {
        ToCli::ControlResponse(response) => response.response.request_id,
        _ => None,
    }
}
