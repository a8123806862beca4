//! What is cut is found again: every head of a text in a state says where the whole is, and there it is. Checked over all
//! captured sessions, over the same with their texts made long, and over what those do not have.

use std::collections::BTreeSet;

use insights::convert::RawLines;
use insights::state::clip::{More, SHORT_BYTES, VIEW_BYTES};
use insights::state::{Change, State};
use insights::{Converter, Profile, Record};
use serde_json::{Value, json};

use crate::fixtures::{VERSIONS, scenarios};
use crate::imported::{entries, transcripts};
use crate::rules::bounds::{given, inputs};
use crate::script::*;

/// Longer than any text that a state holds whole.
const LONG: usize = 50 * 1024;

/// What was looked for in a session.
#[derive(Default)]
struct Looked {
    lines: Vec<String>,
    /// Where it is shown.
    seen: BTreeSet<String>,
    /// What was found, with the length of its head.
    found: BTreeSet<(u64, String, usize)>,
}

/// Plays the records and looks for the whole of everything that is cut on the way; says what was.
fn found_again(what: &str, records: Vec<Record>) -> BTreeSet<String> {
    let lines = records.iter().map(|record| record.line.text().into_owned()).collect();
    let mut looked = Looked { lines, ..Looked::default() };
    let mut converter = Converter::new("session", Profile::Full, RawLines::LeftOut);
    let mut state = State::default();
    for record in records {
        let may_be_cut = record.line.bytes().len() > SHORT_BYTES;
        for event in converter.convert(record) {
            for change in state.apply(&event) {
                let has_texts = matches!(change, Change::Put { .. } | Change::Asks { .. } | Change::Queue { .. });
                if may_be_cut && has_texts {
                    looked.look(what, &serde_json::to_value(&change).unwrap(), "");
                }
            }
        }
    }
    looked.seen
}

impl Looked {
    fn look(&mut self, what: &str, value: &Value, path: &str) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.look(what, value, path)),
            Value::Object(object) => {
                if let Some(more) = object.get("more") {
                    self.find(&format!("{what}: {path}"), object.get("text"), more);
                    self.seen.insert(path.to_owned());
                }
                let kind = ["kind", "view"].iter().find_map(|name| object.get(*name)?.as_str());
                for (name, value) in object {
                    let steps = [Some(path), kind, Some(name)];
                    self.look(what, value, &steps.into_iter().flatten().collect::<Vec<_>>().join("/"));
                }
            }
            _ => {}
        }
    }

    fn find(&mut self, what: &str, head: Option<&Value>, more: &Value) {
        let more: More = serde_json::from_value(more.clone()).unwrap();
        let length = head.map_or(0, |head| head.as_str().unwrap().len());
        if self.found.insert((more.seq, more.pointer.clone(), length)) {
            held(&format!("{what} at {more:?}"), head, &more, &self.lines[more.seq as usize - 1]);
        }
    }
}

/// The head of a text, or the parts of a change: what is there is the whole of it.
fn held(what: &str, head: Option<&Value>, more: &More, line: &str) {
    match head {
        Some(head) => {
            let whole = more.find(line).unwrap_or_else(|| panic!("{what}: nothing"));
            let head = head.as_str().unwrap();
            assert!(whole.starts_with(head), "{what}: {whole:.300?} and not {head:.300?}");
            assert_eq!(whole.len() as u64, more.bytes, "{what}");
        }
        None => {
            let whole =
                More { bytes: u64::MAX, ..more.clone() }.find(line).unwrap_or_else(|| panic!("{what}: nothing"));
            let whole: Value = serde_json::from_str(&whole).unwrap_or_else(|_| panic!("{what}: {whole:.300?}"));
            let change = ["structuredPatch", "edits", "new_string", "content"];
            assert!(change.iter().any(|name| whole.get(name).is_some()), "{what}: {whole:.300}");
        }
    }
}

/// So many texts of a line are made long; the others would only take time.
const MADE_LONG: usize = 12;

/// Texts that are made long. The others are names, numbers and words that decide what a line is.
const TEXTS: &[&str] = &[
    "text",
    "content",
    "thinking",
    "stdout",
    "stderr",
    "output",
    "command",
    "prompt",
    "summary",
    "result",
    "results",
    "plan",
    "message",
    "old_string",
    "new_string",
    "new_source",
    "old_source",
    "filenames",
    "lines",
    "partial_json",
    "description",
    "error",
    "url",
    "preview",
    "structured_output",
    "requested_schema",
    "query",
    "errors",
    "status_detail",
];

/// The line with its texts made long: in the middle of each, so that what it begins and ends with stays.
fn inflate(name: &str, value: &mut Value, count: &mut usize) {
    match value {
        Value::Object(object) => object.iter_mut().for_each(|(name, value)| inflate(name, value, count)),
        Value::Array(list) => list.iter_mut().for_each(|value| inflate(name, value, count)),
        Value::String(text) if TEXTS.contains(&name) && *count < MADE_LONG => {
            *count += 1;
            let tag = text.starts_with('<').then(|| text.find('>')).flatten();
            let place = tag.or_else(|| text.find('\n')).map_or(text.len(), |place| place + 1);
            let line = format!("made long, \"{count}\" é\n");
            text.insert_str(place, &line.repeat(LONG / line.len() + 1));
        }
        _ => {}
    }
}

/// What a line is: one of each is enough.
fn shape(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let named = |(name, value): (&String, &Value)| match (name.as_str(), value) {
                ("type" | "subtype" | "name" | "tool_name", Value::String(word)) => format!("{name}={word}"),
                _ => format!("{name}{}", shape(value)),
            };
            format!("{{{}}}", object.iter().map(named).collect::<Vec<_>>().join(","))
        }
        Value::Array(list) => {
            format!("[{}]", list.iter().map(shape).collect::<BTreeSet<_>>().into_iter().collect::<String>())
        }
        // A tag decides what becomes of a text, and its words do not.
        Value::String(text) if text.starts_with('<') => text.chars().take_while(|sign| *sign != '>').take(32).collect(),
        _ => String::new(),
    }
}

/// The records with the lines made long that are of a kind which was not there yet.
fn inflated(records: Vec<Record>, seen: &mut BTreeSet<String>) -> Vec<Record> {
    let long = |record: Record| match serde_json::from_str::<Value>(&record.line.text()) {
        Ok(mut line) if seen.insert(format!("{:?}{}", record.source, shape(&line))) => {
            inflate("", &mut line, &mut 0);
            Record { line: line.to_string().into(), ..record }
        }
        _ => record,
    };
    records.into_iter().map(long).collect()
}

#[test]
fn of_every_captured_session_the_whole_of_what_is_cut_is_found() {
    let mut shapes = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for scenario in scenarios() {
        found_again(&scenario.to_string(), scenario.records());
        seen.extend(found_again(&format!("{scenario}, made long"), inflated(scenario.records(), &mut shapes)));
    }
    assert!(seen.len() > 25, "{seen:#?}");
}

#[test]
fn of_every_transcript_the_whole_of_what_is_cut_is_found() {
    let mut shapes = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for folder in VERSIONS.into_iter().flat_map(transcripts) {
        let what = folder.display().to_string();
        found_again(&what, entries(&folder));
        seen.extend(found_again(&format!("{what}, made long"), inflated(entries(&folder), &mut shapes)));
    }
    assert!(seen.len() > 10, "{seen:#?}");
}

#[test]
fn of_every_tool_the_whole_of_what_is_cut_is_found() {
    let mut seen = BTreeSet::new();
    for (text, ends) in [("é line\n".repeat(VIEW_BYTES / 7), 5), ("\u{1}".repeat(VIEW_BYTES / 5), 1)] {
        for (name, input) in inputs(&text) {
            let asked = || vec![init(), call("t", name, input.clone()), ask("q", "t", name, input.clone())];
            let all = [
                result("t", &text, given(name, &text)),
                result("t", &text, json!([text, {"a": text}])),
                failure("t", &format!("<tool_use_error>{text}</tool_use_error>")),
                failure("t", &format!("Exit code 1\n{text}\n[Request interrupted by user]")),
                answer("q", json!({"behavior": "allow", "updatedInput": input})),
            ];
            for end in all.into_iter().take(ends) {
                seen.extend(found_again(name, records([asked(), vec![end]].concat())));
            }
        }
    }
    let shown = [
        "/asks/body/permission/input",
        "/asks/body/permission/view/command/command",
        "/asks/body/permission/view/edit/content",
        "/asks/body/permission/view/edit/diff",
        "/asks/body/permission/view/fetch/url",
        "/asks/body/permission/view/notebook/source",
        "/asks/body/plan/plan",
        "/asks/body/question/questions/options/preview",
        "/item/body/agent/error",
        "/item/body/agent/input",
        "/item/body/agent/prompt",
        "/item/body/agent/result",
        "/item/body/tool/error",
        "/item/body/tool/input",
        "/item/body/tool/view/command/command",
        "/item/body/tool/view/command/output",
        "/item/body/tool/view/edit/content",
        "/item/body/tool/view/edit/diff",
        "/item/body/tool/view/fetch/output",
        "/item/body/tool/view/fetch/url",
        "/item/body/tool/view/mcp/output",
        "/item/body/tool/view/notebook/oldSource",
        "/item/body/tool/view/notebook/source",
        "/item/body/tool/view/other/output",
        "/item/body/tool/view/plan/plan",
        "/item/body/tool/view/question/questions/options/preview",
        "/item/body/tool/view/read/content",
        "/item/body/tool/view/search/output",
        "/item/body/tool/view/skill/output",
        "/item/body/tool/view/webSearch/output",
    ];
    assert_eq!(seen, shown.map(str::to_owned).into());
}

#[test]
fn of_every_remark_the_whole_of_what_is_cut_is_found() {
    let mut seen = BTreeSet::new();
    for long in ["é line\n".repeat(LONG / 8), "\u{1}".repeat(LONG / 2), format!("  {}\n", "x".repeat(LONG))] {
        let tags = format!("<local-command-stdout>{long}</local-command-stdout>");
        let both = format!("{tags}<local-command-stderr>{long}</local-command-stderr>");
        let hook = |output: &str, stdout: &str, stderr: &str| {
            let run = json!({"hook_id": "h", "hook_name": "h", "hook_event": "Stop", "outcome": "error"});
            let mut run = run.as_object().unwrap().clone();
            run.extend(
                [("output", output), ("stdout", stdout), ("stderr", stderr)]
                    .map(|(name, text)| (name.into(), text.into())),
            );
            system("hook_response", run.into())
        };
        let user =
            |content: Value| json!({"type": "user", "uuid": "u", "message": {"role": "user", "content": content}});
        let synthetic = |content: Value| {
            let mut line = user(content);
            line["isSynthetic"] = true.into();
            out(line)
        };
        let picture = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}});
        let words = json!({"type": "text", "text": long});
        let form = json!({"subtype": "elicitation", "mcp_server_name": "m", "message": long, "url": long, "requested_schema": {"a": long}});
        let dialog = json!({"subtype": "request_user_dialog", "dialog_kind": "d", "payload": {"a": long}});
        let asked = |request: Value| out(json!({"type": "control_request", "request_id": "q", "request": request}));
        let queued =
            json!({"type": "attachment", "uuid": "a", "attachment": {"type": "queued_command", "prompt": long}});
        let files = json!({"failed": [{"filename": long, "error": long}]});
        for line in [
            system("local_command_output", json!({"content": tags})),
            system("local_command_output", json!({"content": both})),
            system("local_command_output", json!({"content": long})),
            entry(json!({"type": "system", "subtype": "local_command", "uuid": "c", "content": tags})),
            entry(json!({"type": "system", "subtype": "informational", "uuid": "c", "content": long})),
            entry(queued),
            entry(user(json!(long))),
            entry(user(json!([picture, words]))),
            out(user(json!(tags))),
            synthetic(json!(long)),
            synthetic(json!([picture, words, words])),
            system("informational", json!({"content": long})),
            system("notification", json!({"text": long})),
            system("ui_toast", json!({"plugin": "p", "text": long})),
            system("files_persisted", files),
            system("model_fallback", json!({"content": long, "fallback_model": "m"})),
            system("compact_boundary", json!({"summary": long, "compact_metadata": {"trigger": "manual"}})),
            system("status", json!({"status": "error", "message": long})),
            hook(&long, "", ""),
            hook("", &long, "no\n"),
            hook("", "yes\n", &long),
            hook(&long, &long, &long),
            out(json!({"type": "error", "error": {"type": "api_error", "message": long}})),
            asked(form),
            asked(dialog),
            ended(json!({"structured_output": [long, {"b": long}]})),
        ] {
            seen.extend(found_again(&format!("{line:.200?}"), records(vec![init(), line])));
        }
        let prompts = [json!(long), json!([words, picture, words])];
        for content in prompts {
            let line = sent(user(content));
            seen.extend(found_again(
                "prompt",
                records(vec![spawned(), init(), line, lifecycle("u", "queued"), lifecycle("u", "started")]),
            ));
        }
    }
    let shown = [
        "/asks/body/dialog/payload",
        "/asks/body/elicitation/message",
        "/asks/body/elicitation/schema",
        "/asks/body/elicitation/url",
        "/item/body/command/text",
        "/item/body/compaction/summary",
        "/item/body/error/text",
        "/item/body/hook/output",
        "/item/body/notice/text",
        "/item/body/turn/structuredOutput",
        "/item/body/user/text",
        "/queue/text",
    ];
    assert_eq!(seen, shown.map(str::to_owned).into());
}
