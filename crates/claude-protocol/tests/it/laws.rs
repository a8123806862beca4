//! The laws of `decode`, over every captured line.

use std::collections::BTreeSet;

use claude_protocol::line::Message;
use claude_protocol::trace::Direction;
use claude_protocol::transcript::Entry;
use claude_protocol::wire::to_json;
use claude_protocol::{FromCli, ToCli, decode, decode_as, drift, encode};
use serde_json::{Value, json};

use crate::support::{captured, normal, remove, sort, stdout_lines, transcript_lines, value};

/// Typed value → JSON = the line minus `unmodelled(line)`.
fn comes_back<M: Message>(place: &str, text: &str) {
    let decoded = decode_as::<M>(text);
    assert_eq!(decoded.line.text(), text, "{place}: the text is kept");
    let mut line = value(text);
    for path in drift::<M>(text).unmodelled {
        remove(&mut line, &path);
    }
    assert_eq!(normal(value(&to_json(&decoded.body))), normal(line), "{place}");
}

#[test]
fn every_stdout_line_comes_back_from_its_typed_form() {
    for line in stdout_lines().iter().filter(|line| line.text.starts_with('{')) {
        comes_back::<FromCli>(&line.place, &line.text);
    }
}

#[test]
fn every_stdin_line_comes_back_from_its_typed_form() {
    for (place, text) in stdin_lines() {
        comes_back::<ToCli>(&place, &text);
    }
}

/// Every captured prompt, command and answer of a host, as (place, text). Left out is the rubbish that some scenarios
/// send on purpose; an older spelling that one sends becomes the present one, which is what comes back.
fn stdin_lines() -> Vec<(String, String)> {
    let lines = captured().into_iter().filter(|line| line.dir == Direction::In && line.text.starts_with('{'));
    lines
        .map(|line| (line.place, line.text.replace(r#""permissionMode":"plan""#, r#""mode":"plan""#)))
        .filter(|(_, text)| decode_as::<ToCli>(text.as_str()).notes.is_empty())
        .collect()
}

#[test]
fn every_transcript_entry_comes_back_from_its_typed_form() {
    for (place, text) in transcript_lines() {
        comes_back::<Entry>(&place, &text);
    }
}

#[test]
fn a_line_that_came_back_is_one_line_and_decodes_to_the_same() {
    for line in stdout_lines() {
        let decoded = decode(line.text.as_str());
        if matches!(decoded.body, FromCli::NotJson(_)) {
            continue;
        }
        let again = encode(&decoded.body);
        assert!(!again.contains(['\n', '\r', '\u{2028}', '\u{2029}']), "{}", line.place);
        assert_eq!(decode(again).body, decoded.body, "{}", line.place);
    }
}

/// Keys that say what their object is: changing them changes the kind, and is meant to.
const TAGS: &[&str] = &["type", "subtype", "hook_event_name", "hookEventName"];

/// JSON pointers to every member at any depth, with the path that stands for it (`[]` for any index).
fn members(value: &Value, pointer: &str, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            // The same name is another field in another kind of object.
            let kind = TAGS.iter().find_map(|tag| map.get(*tag)?.as_str()).unwrap_or_default();
            let path = format!("{path}<{kind}>");
            for (key, inner) in map {
                let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                let path = format!("{path}.{key}");
                if !TAGS.contains(&key.as_str()) {
                    found.push((pointer.clone(), path.clone()));
                }
                members(inner, &pointer, &path, found);
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                members(inner, &format!("{pointer}/{index}"), &format!("{path}[]"), found);
            }
        }
        _ => {}
    }
}

/// The value without the member at `pointer`.
fn without(value: &Value, pointer: &str) -> Value {
    let mut value = value.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let key = key.replace("~1", "/").replace("~0", "~");
    if let Some(Value::Object(map)) = value.pointer_mut(parent) {
        map.remove(&key);
    }
    normal(value)
}

/// For every known kind and field: a value that does not fit costs that field and nothing else.
fn survives_mutations<M: Message>(
    lines: impl Iterator<Item = (String, String)>,
    kind: impl Fn(&M) -> String,
    sort: impl Fn(&M) -> String,
) -> usize {
    let mut seen = BTreeSet::new();
    let mut tried = 0;
    for (place, text) in lines {
        let body = decode_as::<M>(text.as_str()).body;
        let (kind_before, sort) = (kind(&body), sort(&body));
        let typed = value(&to_json(&body));
        let line = value(&text);
        let mut found = Vec::new();
        members(&line, "", "", &mut found);
        for (pointer, path) in found {
            // Each path of each sort of message once is enough; without this the test would take hours.
            if !seen.insert((sort.clone(), path)) {
                continue;
            }
            for bad in [json!(null), json!(true), json!(1), json!("x"), json!([]), json!({})] {
                let mut mutated = line.clone();
                *mutated.pointer_mut(&pointer).unwrap() = bad.clone();
                let body = decode_as::<M>(mutated.to_string()).body;
                tried += 1;
                assert_eq!(kind(&body), kind_before, "{place} {pointer} = {bad}");
                let after = without(&value(&to_json(&body)), &pointer);
                assert_eq!(after, without(&typed, &pointer), "{place} {pointer} = {bad}");
            }
        }
    }
    tried
}

#[test]
fn one_bad_field_costs_no_stdout_message_its_kind_or_another_field() {
    let lines = stdout_lines().into_iter().filter(|line| line.text.starts_with('{'));
    let tried = survives_mutations::<FromCli>(lines.map(|line| (line.place, line.text)), FromCli::full_kind, sort);
    assert!(tried > 10_000, "only {tried} mutations");
}

#[test]
fn one_bad_field_costs_no_transcript_entry_its_kind_or_another_field() {
    let tried = survives_mutations::<Entry>(transcript_lines().into_iter(), Entry::full_kind, Entry::full_kind);
    assert!(tried > 1_000, "only {tried} mutations");
}

#[test]
fn one_bad_field_costs_no_stdin_line_its_kind_or_another_field() {
    let kind = |line: &ToCli| line.kind().to_owned();
    let tried = survives_mutations::<ToCli>(stdin_lines().into_iter(), kind, kind);
    assert!(tried > 1_000, "only {tried} mutations");
}
