//! Traces as records: lines of `fixtures/cli/` and of other recorders in, the records that a log would have of them out.

use claude_protocol::trace::{Direction, TraceRecord};
use serde::Deserialize;

use super::{HostFact, Record};
use crate::event::text::NoticeLevel;
use crate::time::UnixMillis;

/// Reads the lines of one recording, in their order.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    /// Was the agent told to end? Then its exit is no accident.
    told_to_end: bool,
}

/// What a log would have of a recorded line.
#[derive(Clone, Debug, PartialEq)]
pub enum Traced {
    /// This.
    Record(Record),
    /// Nothing: the recorder did something that is no fact of the session.
    Nothing,
}

/// What a recorder did, as far as it means anything here.
#[derive(Deserialize)]
struct Meta {
    event: String,
    #[serde(default)]
    argv: Vec<String>,
    #[serde(default)]
    cwd: String,
    #[serde(default)]
    code: Option<i32>,
    #[serde(default)]
    signal: Option<String>,
}

impl Traces {
    /// What a log would have of a line `{"dir":"out","t":0.6,"line":{…}}`; `None` if it is no such line. Its time is that
    /// since the recording began, counted from 1970: a recording does not say when that was.
    pub fn read(&mut self, seq: u64, text: &str) -> Option<Traced> {
        let trace = TraceRecord::from_text(text)?;
        let at = UnixMillis((trace.t.unwrap_or_default() * 1000.0).round() as i64);
        Some(Traced::Record(match trace.dir {
            Direction::Out => Record::stdout(seq, at, trace.into_text()),
            Direction::In => Record::stdin(seq, at, trace.into_text()),
            Direction::Err => Record::stderr(seq, at, trace.into_text()),
            Direction::Meta | Direction::Other(_) => match self.fact(trace.text()) {
                Some(fact) => Record::host(seq, at, &fact),
                None => return Some(Traced::Nothing),
            },
        }))
    }

    fn fact(&mut self, text: &str) -> Option<HostFact> {
        let note = |text: String| HostFact::Note { text, level: NoticeLevel::Info };
        let Ok(meta) = serde_json::from_str::<Meta>(text) else { return Some(note(text.to_owned())) };
        Some(match meta.event.as_str() {
            "spawn" => {
                self.told_to_end = false;
                let mut argv = meta.argv.into_iter();
                let program = argv.next().unwrap_or_default();
                HostFact::Spawned { program, argv: argv.collect(), cwd: meta.cwd, version: None, pid: None }
            }
            "exit" => HostFact::Exited {
                code: meta.code,
                signal: meta.signal.as_deref().and_then(signal_number),
                stderr_tail: Vec::new(),
                expected: self.told_to_end,
            },
            "stdin_closed" => {
                self.told_to_end = true;
                return None;
            }
            "signal" => {
                self.told_to_end = true;
                note(format!("signal {} was sent", meta.signal.unwrap_or_default()))
            }
            _ => note(text.to_owned()),
        })
    }
}

/// The number of a signal, of those that end processes; the same on all systems that have them.
fn signal_number(name: &str) -> Option<i32> {
    match name.strip_prefix("SIG").unwrap_or(name) {
        "HUP" => Some(1),
        "INT" => Some(2),
        "QUIT" => Some(3),
        "ABRT" => Some(6),
        "KILL" => Some(9),
        "SEGV" => Some(11),
        "PIPE" => Some(13),
        "TERM" => Some(15),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_reads_as_the_records_of_a_log() {
        let mut traces = Traces::default();
        let lines = [
            r#"{"dir":"meta","t":0,"line":{"event":"spawn","argv":["claude","--verbose"],"cwd":"/tmp"}}"#,
            r#"{"dir":"in","t":0.0104,"line":{"type": "user"}}"#,
            r#"{"dir":"out","t":0.6,"line":{"type":"system"}}"#,
            r#"{"dir":"err","t":0.7,"raw":"a warning"}"#,
            r#"{"dir":"meta","t":1,"line":{"event":"exit","code":1}}"#,
            r#"{"dir":"meta","t":1,"line":{"event":"signal","signal":"TERM"}}"#,
            r#"{"dir":"meta","t":2,"line":{"event":"exit","code":null,"signal":"SIGTERM"}}"#,
            r#"{"dir":"meta","t":3,"line":{"event":"moonrise"}}"#,
        ];
        let spawned = HostFact::Spawned {
            program: "claude".to_owned(),
            argv: vec!["--verbose".to_owned()],
            cwd: "/tmp".to_owned(),
            version: None,
            pid: None,
        };
        let exited = |code, signal, expected| HostFact::Exited { code, signal, stderr_tail: Vec::new(), expected };
        let note = |text: &str| HostFact::Note { text: text.to_owned(), level: NoticeLevel::Info };
        let read: Vec<Option<Traced>> = (1..).zip(lines).map(|(number, line)| traces.read(number, line)).collect();
        assert_eq!(
            read,
            [
                Record::host(1, UnixMillis(0), &spawned),
                Record::stdin(2, UnixMillis(10), r#"{"type": "user"}"#),
                Record::stdout(3, UnixMillis(600), r#"{"type":"system"}"#),
                Record::stderr(4, UnixMillis(700), "a warning"),
                Record::host(5, UnixMillis(1000), &exited(Some(1), None, false)),
                Record::host(6, UnixMillis(1000), &note("signal TERM was sent")),
                Record::host(7, UnixMillis(2000), &exited(None, Some(15), true)),
                Record::host(8, UnixMillis(3000), &note(r#"{"event":"moonrise"}"#)),
            ]
            .map(|record| Some(Traced::Record(record)))
        );
        let closed = r#"{"dir":"meta","t":3,"line":{"event":"stdin_closed"}}"#;
        assert_eq!(traces.read(9, closed), Some(Traced::Nothing));
    }

    #[test]
    fn what_is_no_trace_is_none() {
        for text in ["", "{}", r#"{"type":"system"}"#, r#"{"dir":"out","t":0}"#] {
            assert_eq!(Traces::default().read(1, text), None, "{text}");
        }
    }
}
