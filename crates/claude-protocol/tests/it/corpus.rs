//! What is in the fixtures, and that nothing in them is strange to us. A new CLI version shows up here as a diff.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use claude_protocol::content::Block;
use claude_protocol::control::answer_drift;
use claude_protocol::trace::Direction;
use claude_protocol::{Drift, Entry, FromCli, ToCli, ToolInput, ToolResult, decode, decode_as, drift};

use crate::support::{captured, count, stdout_lines, transcript_lines};

#[test]
fn every_kind_of_every_version_is_known() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in stdout_lines() {
        versions.entry(line.version).or_default().push(decode(line.text).body.full_kind());
    }
    let mut snapshot = String::new();
    for (version, kinds) in versions {
        // How often a kind comes says little and changes with each capture; that it comes is what we promise to read.
        let kinds: Vec<_> = count(kinds.into_iter()).into_keys().collect();
        writeln!(snapshot, "{version}\n  {}", kinds.join("\n  ")).unwrap();
    }
    insta::assert_snapshot!(snapshot);
}

fn strange(place: &str, drift: Drift) -> Vec<String> {
    let unknown = drift.unknown.into_iter().map(|unknown| format!("unknown {}={}", unknown.tag, unknown.kind));
    let notes = drift.notes.into_iter().map(|note| note.to_string());
    let unmodelled = drift.unmodelled.into_iter().map(|path| format!("unmodelled {path}"));
    unknown.chain(notes).chain(unmodelled).map(|what| format!("{place}: {what}")).collect()
}

#[test]
fn no_field_of_a_captured_line_is_unmodelled_or_unfitting() {
    let mut found = Vec::new();
    for line in stdout_lines().into_iter().filter(|line| line.text.starts_with('{')) {
        found.extend(strange(&line.place, drift::<FromCli>(line.text)));
    }
    for (place, text) in transcript_lines() {
        found.extend(strange(&place, drift::<Entry>(text)));
    }
    assert_eq!(found, [""; 0]);
}

/// Payloads that are raw in their line, because only an earlier line tells what they are.
#[test]
fn no_field_of_a_captured_payload_is_unmodelled_or_unfitting() {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut file = None;
    let (mut tools, mut asked) = (HashMap::new(), HashMap::new());
    for line in captured() {
        if file.as_ref() != Some(&line.file) {
            (tools, asked) = (HashMap::new(), HashMap::new());
            file = Some(line.file.clone());
        }
        if line.dir == Direction::In {
            if let ToCli::ControlRequest(request) = decode_as::<ToCli>(line.text).body {
                asked.insert(request.request_id, request.request.kind().to_owned());
            }
            continue;
        }
        match decode(line.text).body {
            FromCli::Assistant(assistant) => {
                for block in assistant.message.content.blocks() {
                    if let Block::ToolUse(call) = block {
                        let read = ToolInput::read(&call.name, &call.input);
                        found.extend(read.notes.iter().map(|note| format!("{}: {} {note}", line.place, call.name)));
                        tools.insert(call.id.clone(), call.name.clone());
                    }
                }
            }
            FromCli::User(user) => {
                let results = user.message.content.blocks().iter().filter_map(|block| match block {
                    Block::ToolResult(result) => tools.get(&result.tool_use_id),
                    _ => None,
                });
                for (name, result) in results.zip(&user.tool_use_result) {
                    seen.insert(format!("result of {name}"));
                    found.extend(strange(&line.place, ToolResult::drift(name, result)));
                }
            }
            FromCli::ControlResponse(response) => {
                let kind = response.response.request_id.as_ref().and_then(|id| asked.get(id));
                if let (Some(kind), Some(answer)) = (kind, response.answer()) {
                    seen.insert(format!("answer to {kind}"));
                    found.extend(answer_drift(kind, &answer).into_iter().flat_map(|drift| strange(&line.place, drift)));
                }
            }
            _ => {}
        }
    }
    assert_eq!(found, [""; 0]);
    // The check above is worth nothing if the payloads are not found.
    for payload in ["result of Bash", "result of Edit", "answer to initialize", "answer to interrupt"] {
        assert!(seen.contains(payload), "{payload} is not among {seen:?}");
    }
}
