//! Exactly once: which lines may go to the agent. Pure. Records that were made come in, and verdicts go out.
//!
//! Servers die and are replaced, and clients that heard nothing try again. So the one who owns the pipe decides: a message
//! id that was seen is not written a second time, and a question of the agent is answered once, and not after the agent
//! has withdrawn it. It knows this much of the protocol and no more.

use std::collections::HashMap;

use claude_protocol::Line;
use insights::{Record, Source};

use crate::questions::{Question, Questions, answered};

/// What has been written, and what is open.
#[derive(Debug, Default)]
pub struct Gate {
    /// The record of each message id.
    written: HashMap<String, u64>,
    /// What became of each question of the agent.
    questions: Questions,
}

/// What to do with a line for the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Write it.
    Write,
    /// It was written before, as this record.
    Again {
        /// The record.
        seq: u64,
    },
    /// The question was answered before, by this record.
    Answered {
        /// The record.
        seq: u64,
    },
    /// The agent wants no answer any more.
    Withdrawn,
    /// The agent has not asked that.
    NotAsked,
}

impl Gate {
    /// May this line be written?
    pub fn judge(&self, id: Option<&str>, line: &Line) -> Verdict {
        if let Some(seq) = id.and_then(|id| self.written.get(id)) {
            return Verdict::Again { seq: *seq };
        }
        let Some(request_id) = answered(line) else { return Verdict::Write };
        match self.questions.get(request_id.as_str()) {
            Some(Question::Open { .. }) => Verdict::Write,
            Some(Question::Answered { seq }) => Verdict::Answered { seq },
            Some(Question::Withdrawn) => Verdict::Withdrawn,
            None => Verdict::NotAsked,
        }
    }

    /// Takes notice of a record: one that was just made, or one of the log's past.
    pub fn note(&mut self, record: &Record) {
        if let Source::Stdin { id: Some(id), .. } = &record.source {
            self.written.entry(id.clone()).or_insert(record.seq);
        }
        self.questions.note(record);
    }
}

#[cfg(test)]
mod tests {
    use insights::{HostFact, UnixMillis};

    use super::*;

    const AT: UnixMillis = UnixMillis(0);

    fn prompt(text: &str) -> Line {
        Line::from(format!(r#"{{"type":"user","message":{{"role":"user","content":"{text}"}}}}"#))
    }

    fn asks(seq: u64, id: &str) -> Record {
        let request = r#"{"subtype":"can_use_tool","tool_name":"Bash","input":{}}"#;
        Record::stdout(seq, AT, format!(r#"{{"type":"control_request","request_id":"{id}","request":{request}}}"#))
    }

    fn answer(id: &str) -> Line {
        let response = format!(r#"{{"subtype":"success","request_id":"{id}","response":{{"behavior":"allow"}}}}"#);
        Line::from(format!(r#"{{"type":"control_response","response":{response}}}"#))
    }

    fn written(seq: u64, id: &str, line: Line) -> Record {
        Record { seq, at: AT, source: Source::Stdin { by: None, id: Some(id.to_owned()) }, line }
    }

    #[test]
    fn a_message_is_written_once_whoever_tries_again() {
        let mut gate = Gate::default();
        assert_eq!(gate.judge(Some("m1"), &prompt("hi")), Verdict::Write);
        gate.note(&written(4, "m1", prompt("hi")));
        assert_eq!(gate.judge(Some("m1"), &prompt("hi")), Verdict::Again { seq: 4 });
        assert_eq!(gate.judge(Some("m2"), &prompt("hi")), Verdict::Write, "the same words may be meant twice");
        assert_eq!(gate.judge(None, &prompt("hi")), Verdict::Write);
    }

    #[test]
    fn a_question_is_answered_once_and_not_after_it_was_withdrawn() {
        let mut gate = Gate::default();
        assert_eq!(gate.judge(Some("a"), &answer("r1")), Verdict::NotAsked);
        gate.note(&asks(1, "r1"));
        gate.note(&asks(2, "r2"));
        assert_eq!(gate.questions.open().count(), 2);
        assert_eq!(gate.judge(Some("a"), &answer("r1")), Verdict::Write);
        gate.note(&written(3, "a", answer("r1")));
        assert_eq!(gate.judge(Some("b"), &answer("r1")), Verdict::Answered { seq: 3 });
        gate.note(&Record::stdout(4, AT, r#"{"type":"control_cancel_request","request_id":"r2"}"#));
        assert_eq!(gate.judge(Some("c"), &answer("r2")), Verdict::Withdrawn);
        gate.note(&Record::stdout(5, AT, r#"{"type":"control_cancel_request","request_id":"r1"}"#));
        assert_eq!(gate.judge(Some("b"), &answer("r1")), Verdict::Answered { seq: 3 }, "too late to withdraw");
        assert_eq!(gate.questions.open().count(), 0);
    }

    #[test]
    fn a_new_process_has_asked_nothing() {
        let mut gate = Gate::default();
        gate.note(&asks(1, "r1"));
        gate.note(&Record::host(2, AT, &HostFact::Lost));
        assert_eq!(gate.judge(None, &answer("r1")), Verdict::NotAsked);
    }
}
