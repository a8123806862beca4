//! Records: what the log keeps of a session, one line of text each; in and out as the JSON of a log file.
//!
//! A record is `{"seq":12,"at":1763230000123,"source":"stdout","line":{…}}`. `line` is the agent's JSON text byte for byte;
//! what is no JSON object is `"text":"…"`, what is not UTF-8 is `"base64":"…"`. Everything that a screen shows is made of
//! records, so replay equals live.

pub mod fact;
#[cfg(feature = "schema")]
mod schema;
pub mod trace;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::time::UnixMillis;

pub use claude_protocol::Line;
pub use fact::HostFact;
pub use trace::{Traced, Traces};

/// One line of a session, with its number, its time and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The number in the log, from 1, without gaps.
    pub seq: u64,
    /// When the line was seen.
    pub at: UnixMillis,
    /// Where it came from.
    pub source: Source,
    /// The line itself.
    pub line: Line,
}

/// Where a line came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Written to the agent.
    Stdin {
        /// Which person or device wrote it.
        by: Option<String>,
        /// The writer's own id of the message: a retry is not a second message.
        id: Option<String>,
    },
    /// Written by the agent.
    Stdout,
    /// Written by the agent beside the protocol.
    Stderr,
    /// Our own facts, see [`HostFact`].
    Host,
    /// An entry of the agent's transcript file, imported.
    Transcript,
}

/// The JSON of a record; borrowed, so that a line is copied once.
#[derive(Serialize, Deserialize)]
struct Form<'a> {
    seq: u64,
    at: UnixMillis,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    id: Option<String>,
    #[serde(borrow, skip_serializing_if = "Option::is_none", default)]
    line: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    base64: Option<String>,
}

impl Record {
    /// A line of the agent's stdout.
    pub fn stdout(seq: u64, at: UnixMillis, line: impl Into<Line>) -> Self {
        Record { seq, at, source: Source::Stdout, line: line.into() }
    }

    /// A line that was written to the agent.
    pub fn stdin(seq: u64, at: UnixMillis, line: impl Into<Line>) -> Self {
        Record { seq, at, source: Source::Stdin { by: None, id: None }, line: line.into() }
    }

    /// A line of the agent's stderr.
    pub fn stderr(seq: u64, at: UnixMillis, line: impl Into<Line>) -> Self {
        Record { seq, at, source: Source::Stderr, line: line.into() }
    }

    /// An entry of a transcript file.
    pub fn transcript(seq: u64, at: UnixMillis, line: impl Into<Line>) -> Self {
        Record { seq, at, source: Source::Transcript, line: line.into() }
    }

    /// A fact of our own.
    pub fn host(seq: u64, at: UnixMillis, fact: &HostFact) -> Self {
        Record { seq, at, source: Source::Host, line: fact.to_json().into() }
    }

    /// Reads a line of a log file; `None` if it is none.
    pub fn from_json(text: &str) -> Option<Self> {
        let form: Form<'_> = serde_json::from_str(text).ok()?;
        let source = match form.source {
            "stdin" => Source::Stdin { by: form.by, id: form.id },
            "stdout" => Source::Stdout,
            "stderr" => Source::Stderr,
            "host" => Source::Host,
            "transcript" => Source::Transcript,
            _ => return None,
        };
        let line = match (form.line, form.text, form.base64) {
            (Some(line), None, None) => Line::from(line.get()),
            (None, Some(text), None) => Line::Text(text),
            (None, None, Some(code)) => Line::Bytes(BASE64_STANDARD.decode(code).ok()?),
            _ => return None,
        };
        Some(Record { seq: form.seq, at: form.at, source, line })
    }

    /// The line of a log file for this record, without the line end.
    pub fn to_json(&self) -> String {
        let (source, by, id) = match &self.source {
            Source::Stdin { by, id } => ("stdin", by.clone(), id.clone()),
            Source::Stdout => ("stdout", None, None),
            Source::Stderr => ("stderr", None, None),
            Source::Host => ("host", None, None),
            Source::Transcript => ("transcript", None, None),
        };
        let mut form = Form { seq: self.seq, at: self.at, source, by, id, line: None, text: None, base64: None };
        match &self.line {
            Line::Text(text) => match object(text) {
                Some(object) => form.line = Some(object),
                None => form.text = Some(text.clone()),
            },
            Line::Bytes(bytes) => form.base64 = Some(BASE64_STANDARD.encode(bytes)),
        }
        // Strings, numbers and valid JSON: there is nothing in it that could not be written.
        serde_json::to_string(&form).unwrap_or_default()
    }
}

/// The text as raw JSON, if it is a JSON object and nothing else: white space around it would be lost.
fn object(text: &str) -> Option<&RawValue> {
    if !text.starts_with('{') || !text.ends_with('}') || text.contains(['\n', '\r']) {
        return None;
    }
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(line: impl Into<Line>) -> String {
        let record = Record::stdout(7, UnixMillis(5), line);
        let json = record.to_json();
        assert_eq!(Record::from_json(&json), Some(record));
        assert!(!json.contains('\n'));
        json
    }

    #[test]
    fn a_json_line_is_kept_byte_for_byte() {
        assert_eq!(
            there_and_back(r#"{"type": "x", "cost":0.10,"\u00e9":"\ud83d"}"#),
            r#"{"seq":7,"at":5,"source":"stdout","line":{"type": "x", "cost":0.10,"\u00e9":"\ud83d"}}"#
        );
    }

    #[test]
    fn what_is_no_object_is_text_and_what_is_no_text_is_base64() {
        for text in ["npm warn", "", "[1]", "{", " {} ", "{}\r", "{\"a\":1} {\"b\":2}"] {
            assert!(there_and_back(text).contains(r#""text":"#), "{text}");
        }
        assert_eq!(there_and_back(vec![0xff, 0xfe]), r#"{"seq":7,"at":5,"source":"stdout","base64":"//4="}"#);
    }

    #[test]
    fn deep_lines_are_kept() {
        there_and_back(format!("{{\"a\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000)));
    }

    #[test]
    fn who_wrote_to_the_agent_is_kept() {
        let source = Source::Stdin { by: Some("phone".to_owned()), id: Some("m1".to_owned()) };
        let record = Record { seq: 1, at: UnixMillis(2), source, line: r#"{"type":"user"}"#.into() };
        assert_eq!(
            record.to_json(),
            r#"{"seq":1,"at":2,"source":"stdin","by":"phone","id":"m1","line":{"type":"user"}}"#
        );
        assert_eq!(Record::from_json(&record.to_json()), Some(record));
    }

    #[test]
    fn what_is_no_record_is_none() {
        for text in ["", "{}", r#"{"seq":1,"at":2,"source":"moon","line":{}}"#, r#"{"seq":1,"at":2,"source":"stdout"}"#]
        {
            assert_eq!(Record::from_json(text), None, "{text}");
        }
    }
}
