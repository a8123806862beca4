//! Recorded lines in, what each of them is and what in it no type names out. The common part of `quarterdeck inspect` and
//! `cargo xtask drift`.
//!
//! A line may be a trace record around another line, an entry of a transcript file, or plain stream-json of either
//! direction. Payloads whose type depends on an earlier line (answers by their request, tool results by their call) are
//! inspected as well, so an inspector remembers the ids of one file.

use std::collections::{HashMap, HashSet};

use crate::content::{Block, Content};
use crate::control::answer_drift;
use crate::form::Form;
use crate::from_cli::FromCli;
use crate::ids::{RequestId, ToolUseId};
use crate::line::{Line, Message, decode_as, drift};
use crate::note::Drift;
use crate::raw::Raw;
use crate::to_cli::ToCli;
use crate::tool::ToolResult;
use crate::trace::{Direction, TraceRecord};
use crate::transcript::{Entry, JournalEntry};

/// Inspects the lines of one file, in order.
#[derive(Debug, Default)]
pub struct Inspector {
    /// Tool calls by id.
    tools: HashMap<ToolUseId, String>,
    /// What the host asked of the CLI, by request id.
    asked: HashMap<RequestId, String>,
    /// Words of the host that no list has.
    words: HashSet<String>,
}

/// Something found in a line.
#[derive(Debug)]
#[non_exhaustive]
pub enum Found<'a> {
    /// A whole message. Every line gives one of this, [`Found::Aside`] and [`Found::NotJson`], and that once.
    Message(Part<'a>),
    /// A payload of the message, whose type an earlier line tells, or damage around it.
    Payload(Part<'a>),
    /// A record that is not a message.
    Aside(Aside, &'a str),
    /// A text where a message should be.
    NotJson,
}

/// A message, or a payload of one.
#[derive(Debug)]
#[non_exhaustive]
pub struct Part<'a> {
    /// Who wrote it.
    pub speaker: Speaker,
    /// What it is: `system/init`, `stdin user`, `transcript user`, `control_response to interrupt`, `tool result of Bash`.
    pub kind: &'a str,
    /// Its JSON text.
    pub text: &'a str,
    /// What the types do not name in it; for a message without that of its payloads.
    pub drift: Drift,
}

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The CLI, to its stdout or into its files.
    Cli,
    /// The host.
    Host,
}

/// What a record is that holds no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// A line of the CLI's stderr.
    Stderr,
    /// What the recorder did or saw.
    Meta,
}

impl Inspector {
    /// Inspects the next line and reports what it finds, the message before its payloads.
    pub fn inspect(&mut self, line: impl Into<Line>, mut found: impl FnMut(Found<'_>)) {
        let mut words = std::mem::take(&mut self.words);
        self.find(line.into(), &mut |mut thing: Found<'_>| {
            if let Found::Message(part) | Found::Payload(part) = &mut thing {
                match part.speaker {
                    Speaker::Host => words.extend(part.drift.words.iter().map(|word| word.word.clone())),
                    // Old versions repeat a mode that does not exist: not a word of theirs.
                    Speaker::Cli => part.drift.words.retain(|word| !words.contains(&word.word)),
                }
            }
            found(thing);
        });
        self.words = words;
    }

    fn find(&mut self, line: Line, found: &mut impl FnMut(Found<'_>)) {
        let Some(record) = TraceRecord::from_text(&line.text()) else {
            return match Form::of(&line.text()) {
                Form::Stdout => self.stdout(line, found),
                Form::Stdin => self.stdin(line, found),
                Form::Transcript => self.transcript(line, found),
                Form::Journal => {
                    look(line, Speaker::Cli, |body: &JournalEntry| format!("journal {}", body.kind()), found);
                }
            };
        };
        if let Line::Bytes(_) = line {
            // The record's text is mended already, so its inner line would not show it.
            let damage = Drift { notes: drift::<FromCli>(line).notes, ..Drift::default() };
            payload("trace record", record.text(), damage, found);
        }
        match record.dir {
            Direction::Out => self.stdout(record.text().into(), found),
            Direction::In => self.stdin(record.text().into(), found),
            Direction::Err => found(Found::Aside(Aside::Stderr, record.text())),
            Direction::Meta | Direction::Other(_) => found(Found::Aside(Aside::Meta, record.text())),
        }
    }

    fn stdout(&mut self, line: Line, found: &mut impl FnMut(Found<'_>)) {
        let Some(body) = look(line, Speaker::Cli, FromCli::full_kind, found) else { return };
        match &body {
            FromCli::Assistant(assistant) => self.remember_calls(&assistant.message.content),
            FromCli::User(user) => self.tool_result(&user.message.content, user.tool_use_result.as_ref(), found),
            FromCli::ControlResponse(response) => {
                let asked = response.response.request_id.as_ref().and_then(|id| self.asked.get(id));
                if let (Some(asked), Some(answer)) = (asked, response.answer()) {
                    let drift = answer_drift(asked, &answer).unwrap_or_default();
                    payload(&format!("control_response to {asked}"), answer.text(), drift, found);
                }
            }
            _ => {}
        }
    }

    fn stdin(&mut self, line: Line, found: &mut impl FnMut(Found<'_>)) {
        let body = look(line, Speaker::Host, |body: &ToCli| format!("stdin {}", body.kind()), found);
        if let Some(ToCli::ControlRequest(request)) = body {
            self.asked.insert(request.request_id, request.request.kind().to_owned());
        }
    }

    fn transcript(&mut self, line: Line, found: &mut impl FnMut(Found<'_>)) {
        match look(line, Speaker::Cli, |body: &Entry| format!("transcript {}", body.full_kind()), found) {
            Some(Entry::Assistant(assistant)) => self.remember_calls(&assistant.message.content),
            Some(Entry::User(user)) => self.tool_result(&user.message.content, user.tool_use_result.as_ref(), found),
            _ => {}
        }
    }

    fn remember_calls(&mut self, content: &Content) {
        for block in content.blocks() {
            if let Block::ToolUse(call) = block {
                self.tools.insert(call.id.clone(), call.name.clone());
            }
        }
    }

    /// The structured result beside a `tool_result` block; of several blocks in one line it belongs to the first.
    fn tool_result(&self, content: &Content, result: Option<&Raw>, found: &mut impl FnMut(Found<'_>)) {
        let called = content.blocks().iter().find_map(|block| match block {
            Block::ToolResult(result) => self.tools.get(&result.tool_use_id),
            _ => None,
        });
        if let (Some(name), Some(result)) = (called, result) {
            payload(&format!("tool result of {name}"), result.text(), ToolResult::drift(name, result), found);
        }
    }
}

fn payload(kind: &str, text: &str, drift: Drift, found: &mut impl FnMut(Found<'_>)) {
    found(Found::Payload(Part { speaker: Speaker::Cli, kind, text, drift }));
}

/// Reads a line and reports it; `None` if it is not JSON.
fn look<M: Message>(
    line: Line,
    speaker: Speaker,
    kind: impl Fn(&M) -> String,
    found: &mut impl FnMut(Found<'_>),
) -> Option<M> {
    let drift = drift::<M>(line.clone());
    let decoded = decode_as::<M>(line);
    if decoded.body.is_not_json() {
        found(Found::NotJson);
        return None;
    }
    let kind = kind(&decoded.body);
    found(Found::Message(Part { speaker, kind: &kind, text: &decoded.line.text(), drift }));
    Some(decoded.body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &[&str]) -> Vec<String> {
        let mut inspector = Inspector::default();
        let mut seen = Vec::new();
        for line in lines {
            inspector.inspect(*line, |found| {
                seen.push(match found {
                    Found::Message(part) => format!("{:?} {}", part.speaker, part.kind),
                    Found::Payload(part) => format!("{} {} {:?}", part.kind, part.text, part.drift.unmodelled),
                    Found::Aside(aside, text) => format!("{aside:?} {text}"),
                    Found::NotJson => "not JSON".to_owned(),
                });
            });
        }
        seen
    }

    #[test]
    fn a_payload_is_known_by_the_line_that_explains_it() {
        let answer = r#"{"dir":"out","line":{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"sorry":true}}}}"#;
        let asked =
            r#"{"dir":"in","line":{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}}"#;
        let sorry = r#"control_response to interrupt {"sorry":true} ["sorry"]"#;
        assert_eq!(found(&[asked, answer]), ["Host stdin control_request", "Cli control_response", sorry]);
        assert_eq!(found(&[answer]), ["Cli control_response"]);
    }

    #[test]
    fn a_word_that_the_host_said_first_is_not_news_of_the_cli() {
        let set = r#"{"dir":"in","line":{"type":"control_request","request_id":"1","request":{"subtype":"set_permission_mode","mode":"odd"}}}"#;
        let said = r#"{"dir":"out","line":{"type":"system","subtype":"status","permissionMode":"odd"}}"#;
        let words = |lines: &[&str]| {
            let (mut inspector, mut words) = (Inspector::default(), Vec::new());
            for line in lines {
                inspector.inspect(*line, |found| {
                    let Found::Message(part) = found else { return };
                    words.extend(part.drift.words.into_iter().map(|word| (part.speaker, word.path)));
                });
            }
            words
        };
        assert_eq!(words(&[said]), [(Speaker::Cli, "permissionMode".to_owned())]);
        assert_eq!(words(&[set, said]), [(Speaker::Host, "request.mode".to_owned())]);
    }

    #[test]
    fn what_is_not_a_message_is_reported_too() {
        let lines = [r#"{"dir":"err","raw":"a warning"}"#, r#"{"dir":"meta","line":{"event":"exit"}}"#, "words"];
        assert_eq!(found(&lines), ["Stderr a warning", r#"Meta {"event":"exit"}"#, "not JSON"]);
    }
}
