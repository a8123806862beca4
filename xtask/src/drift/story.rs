//! The captured lines of one scenario in, what they say about the CLI out: facts that can be compared with those of another run.

use std::collections::{BTreeMap, HashMap};

use claude_protocol::inspect::{Aside, Found, Inspector, Part, Speaker};
use claude_protocol::{Drift, Raw};
use serde_json::Value;

use super::shape::{self, JsonType};

/// One scenario, as one run of the CLI told it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Story {
    /// What was seen, and how often.
    pub(super) facts: BTreeMap<Fact, usize>,
    /// The kinds of the CLI's lines, in order.
    pub(super) order: Vec<String>,
    /// What the types do not name, in words, and how often.
    pub(super) strange: BTreeMap<String, usize>,
}

/// Something that a story says about the CLI.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// There are messages of this kind.
    Kind(String),
    /// There are so many of them.
    Count(String, usize),
    /// Messages of this kind have this field with a value of this type.
    Field { kind: String, path: String, json: JsonType },
    /// A control request of the host was answered this way.
    Answer { request: String, how: String },
    /// The CLI offers this: a tool, a slash command, a subagent.
    Offer { list: String, name: String },
    /// The n-th process ended this way.
    Exit { process: usize, how: String },
}

/// Builds a story from the files of a scenario.
#[derive(Debug, Default)]
pub(super) struct Teller {
    story: Story,
    /// Requests of the host that have no answer yet, by id.
    open: HashMap<String, String>,
    processes: usize,
}

impl Teller {
    /// Takes the lines that went over the pipes.
    pub(super) fn lines(&mut self, text: &str) {
        let mut inspector = Inspector::default();
        for line in text.lines() {
            inspector.inspect(line, |found| match found {
                Found::Message(part) if part.speaker == Speaker::Cli => self.message(part),
                Found::Message(part) => self.host_line(part.text),
                Found::Payload(part) => self.part(part.kind, part.text, &[], part.drift),
                Found::Aside(Aside::Stderr, _) => {
                    self.line("stderr");
                    self.fact(Fact::Kind("stderr".to_owned()));
                }
                Found::Aside(Aside::Meta, text) => self.meta(text),
                _ => {}
            });
        }
    }

    /// Takes a transcript file of the CLI.
    pub(super) fn transcript(&mut self, text: &str) {
        let mut inspector = Inspector::default();
        for line in text.lines() {
            inspector.inspect(line, |found| {
                if let Found::Message(Part { kind, text, drift, .. }) | Found::Payload(Part { kind, text, drift, .. }) =
                    found
                {
                    self.part(kind, text, &["toolUseResult"], drift);
                }
            });
        }
    }

    /// The story, when all files are in.
    pub(super) fn finish(mut self) -> Story {
        let mut counts = BTreeMap::<&str, usize>::new();
        self.story.order.iter().for_each(|kind| *counts.entry(kind).or_default() += 1);
        let counts: Vec<Fact> = counts.into_iter().map(|(kind, count)| Fact::Count(kind.to_owned(), count)).collect();
        counts.into_iter().for_each(|fact| self.fact(fact));
        for request in std::mem::take(&mut self.open).into_values() {
            self.fact(Fact::Answer { request, how: "not answered".to_owned() });
        }
        self.story
    }

    fn message(&mut self, part: Part<'_>) {
        let Some(value) = json(part.text) else { return };
        let kind = full_kind(part.kind, &value);
        self.line(&kind);
        if part.kind == "control_response" {
            self.answer(&value["response"]);
        }
        if part.kind == "system/init" {
            self.offers(&value);
        }
        self.part(&kind, part.text, &["response.response", "tool_use_result"], part.drift);
    }

    /// Notes a line of the CLI. How often a stream is cut is left to chance, so a run of deltas counts as one.
    fn line(&mut self, kind: &str) {
        let is_streamed = kind.starts_with("stream_event/") || kind == "tool_progress";
        if !(is_streamed && self.story.order.last().is_some_and(|last| last == kind)) {
            self.story.order.push(kind.to_owned());
        }
    }

    fn part(&mut self, kind: &str, text: &str, payloads: &[&str], drift: Drift) {
        for what in in_words(drift) {
            *self.story.strange.entry(format!("{kind}: {what}")).or_default() += 1;
        }
        self.fact(Fact::Kind(kind.to_owned()));
        let Some(value) = json(text) else { return };
        shape::fields(kind, &value, payloads, &mut |filed, path, json| {
            if filed != kind {
                self.fact(Fact::Kind(filed.to_owned()));
            }
            self.fact(Fact::Field { kind: filed.to_owned(), path: path.to_owned(), json });
        });
    }

    fn host_line(&mut self, text: &str) {
        let Some(value) = json(text).filter(|value| value["type"] == "control_request") else { return };
        if let (Some(id), Some(request)) = (value["request_id"].as_str(), value["request"]["subtype"].as_str()) {
            self.open.insert(id.to_owned(), request.to_owned());
        }
    }

    fn answer(&mut self, response: &Value) {
        let id = response["request_id"].as_str().unwrap_or_default();
        let Some(request) = self.open.remove(id) else { return };
        let how = match (response["subtype"].as_str(), response["error_code"].as_str()) {
            (Some("error"), Some(code)) => format!("answered with the error `{code}`"),
            (Some("error"), None) => "answered with an error".to_owned(),
            _ => "answered".to_owned(),
        };
        self.fact(Fact::Answer { request, how });
    }

    fn offers(&mut self, init: &Value) {
        for (list, value) in init.as_object().into_iter().flatten() {
            for name in value.as_array().into_iter().flatten().filter_map(Value::as_str) {
                self.fact(Fact::Offer { list: list.clone(), name: name.to_owned() });
            }
        }
    }

    fn meta(&mut self, text: &str) {
        let Some(event) = json(text).filter(|event| event["event"] == "exit") else { return };
        self.processes += 1;
        let how = match (event["code"].as_i64(), event["signal"].as_str()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => signal.to_owned(),
            (None, None) => "no exit code".to_owned(),
        };
        self.fact(Fact::Exit { process: self.processes, how });
    }

    fn fact(&mut self, fact: Fact) {
        *self.story.facts.entry(fact).or_default() += 1;
    }
}

/// The kind, and for requests and streams what is in them.
fn full_kind(kind: &str, value: &Value) -> String {
    let parts = match kind {
        "control_request" => [&value["request"]["subtype"], &value["request"]["input"]["hook_event_name"]],
        "stream_event" => [&value["event"]["type"], &value["event"]["delta"]["type"]],
        _ => return kind.to_owned(),
    };
    parts.into_iter().filter_map(Value::as_str).fold(kind.to_owned(), |kind, part| format!("{kind}/{part}"))
}

/// The value of a text, also with the lone surrogates that the CLI writes and serde_json refuses.
fn json(text: &str) -> Option<Value> {
    Raw::from_text(text)?.parse().ok()
}

/// What `quarterdeck inspect --strict` fails on, in words.
fn in_words(drift: Drift) -> Vec<String> {
    let at = |path: &str| if path.is_empty() { String::new() } else { format!(" at `{path}`") };
    let unknown = drift
        .unknown
        .into_iter()
        .map(|unknown| format!("unknown {} `{}`{}", unknown.tag, unknown.kind, at(&unknown.path)));
    let words = drift.words.into_iter().map(|word| format!("unknown value `{}`{}", word.word, at(&word.path)));
    let unmodelled = drift.unmodelled.into_iter().map(|path| format!("unknown field `{path}`"));
    let notes = drift.notes.into_iter().map(|note| note.to_string());
    unknown.chain(words).chain(unmodelled).chain(notes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story(lines: &[&str]) -> Story {
        let mut teller = Teller::default();
        teller.lines(&lines.join("\n"));
        teller.finish()
    }

    #[test]
    fn a_request_without_an_answer_is_a_fact() {
        let asked =
            r#"{"dir":"in","line":{"type":"control_request","request_id":"1","request":{"subtype":"get_plan"}}}"#;
        let refused = r#"{"dir":"out","line":{"type":"control_response","response":{"subtype":"error","request_id":"1","error_code":"no"}}}"#;
        let how = |lines: &[&str]| {
            let facts = story(lines).facts.into_keys();
            facts
                .filter_map(|fact| if let Fact::Answer { how, .. } = fact { Some(how) } else { None })
                .collect::<Vec<_>>()
        };
        assert_eq!(how(&[asked]), ["not answered"]);
        assert_eq!(how(&[asked, refused]), ["answered with the error `no`"]);
    }

    #[test]
    fn a_payload_is_filed_under_its_request_and_not_twice() {
        let asked =
            r#"{"dir":"in","line":{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}}"#;
        let answer = r#"{"dir":"out","line":{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"sorry":true}}}}"#;
        let story = story(&[asked, answer]);
        let sorry: Vec<_> = story
            .facts
            .iter()
            .filter_map(|(fact, count)| match fact {
                Fact::Field { kind, path, .. } if path.ends_with("sorry") => {
                    Some((kind.as_str(), path.as_str(), *count))
                }
                _ => None,
            })
            .collect();
        assert_eq!(sorry, [("control_response to interrupt", "sorry", 1)]);
        assert_eq!(story.strange, [("control_response to interrupt: unknown field `sorry`".to_owned(), 1)].into());
    }

    #[test]
    fn deltas_in_a_row_count_once_and_other_lines_each_time() {
        let delta = r#"{"dir":"out","line":{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta"}}}}"#;
        let alive = r#"{"dir":"out","line":{"type":"keep_alive"}}"#;
        let order = ["stream_event/content_block_delta/text_delta", "keep_alive", "keep_alive"];
        assert_eq!(story(&[delta, delta, alive, alive]).order, order);
    }

    #[test]
    fn the_end_of_each_process_is_a_fact() {
        let exits = [
            r#"{"dir":"meta","line":{"event":"exit","code":1}}"#,
            r#"{"dir":"meta","line":{"event":"exit","code":null,"signal":"SIGKILL"}}"#,
        ];
        let exit = |process, how: &str| (Fact::Exit { process, how: how.to_owned() }, 1);
        assert_eq!(story(&exits).facts, [exit(1, "exit code 1"), exit(2, "SIGKILL")].into());
    }

    #[test]
    fn the_tools_and_commands_of_a_session_are_facts() {
        let init =
            r#"{"dir":"out","line":{"type":"system","subtype":"init","tools":["Bash"],"slash_commands":["cost"]}}"#;
        let offers: Vec<_> =
            story(&[init]).facts.into_keys().filter(|fact| matches!(fact, Fact::Offer { .. })).collect();
        let offer = |list: &str, name: &str| Fact::Offer { list: list.to_owned(), name: name.to_owned() };
        assert_eq!(offers, [offer("slash_commands", "cost"), offer("tools", "Bash")]);
    }
}
