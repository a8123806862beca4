//! The same session live and read from its transcript gives the same items.
//!
//! Aside are what no transcript holds: the ends of turns with their costs, who decided and when, how long things took; and
//! what only the file has: the words of subagents, which the CLI does not tell unless it is asked to.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use insights::convert::RawLines;
use insights::state::State;
use insights::{Converter, Profile, Record, UnixMillis};
use serde_json::{Value, json};

use crate::fixtures::{VERSIONS, scenario};

/// Fields of items that come from elsewhere than the conversation.
const ASIDE: [&str; 13] = [
    "order",
    "at",
    "seq",
    "uuid",
    "more",
    "decision",
    "endedAt",
    "taskId",
    "elapsedSeconds",
    "durationMs",
    "tokens",
    "lastTool",
    "pointer",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => all.extend(files(&entry)),
            false => all.push(entry),
        }
    }
    all.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
    // The session's own file first: it says which call each subagent works for.
    all.sort_by_key(|file| (file.file_name().unwrap().to_string_lossy().starts_with("agent-"), file.clone()));
    all
}

fn imported(folder: &Path) -> State {
    let mut converter = Converter::new("s", Profile::Full, RawLines::LeftOut);
    let mut state = State::default();
    let texts: Vec<String> = files(folder).iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    for (seq, line) in (1..).zip(texts.iter().flat_map(|text| text.lines())) {
        for event in converter.convert(Record::transcript(seq, UnixMillis(seq as i64), line)) {
            state.apply(&event);
        }
    }
    state
}

fn live(version: &'static str, name: &str) -> State {
    scenario(version, name).state()
}

/// The items by id, with what is aside left out. A prompt that was sent without a name has one in the file only, so it is
/// known by its words.
fn items(state: &State) -> BTreeMap<String, Value> {
    let items = state.items.iter().map(|item| serde_json::to_value(item).unwrap());
    let told = items.filter(|item| !["turn", "notice"].contains(&item["body"]["kind"].as_str().unwrap()));
    told.map(|mut item| {
        without(&mut item, &ASIDE);
        let body = &mut item["body"];
        // Who has refused is not in the files of old versions, only that the call came to nothing.
        if body["status"] == "denied" {
            body["status"] = json!("failed");
        }
        // Whoever made the fixtures neutral did not make both texts equally long.
        if let Some(text) = body["text"]["text"].as_str().filter(|_| body["kind"] == "command") {
            body["text"]["text"] = text.replace("\nNeutral words.", "").into();
        }
        let id = match body["kind"].as_str() {
            // `/cost` is an alias, and the file has the command that it stands for.
            Some("user") if body["text"]["text"] == "/cost" => r#"user "/usage""#.to_owned(),
            Some("user") => format!("user {}", body["text"]["text"]),
            _ => item["id"].to_string(),
        };
        let is_user = item["body"]["kind"] == "user";
        (id, if is_user { json!({ "parent": item["parent"] }) } else { item })
    })
    .collect()
}

fn without(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !names.contains(&name.as_str()));
            members.values_mut().for_each(|member| without(member, names));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| without(value, names)),
        _ => {}
    }
}

/// Is this known only to who was there?
fn is_of_the_moment(id: &str, item: &Value) -> bool {
    let body = &item["body"];
    // Pieces that were cut off before they were whole; how the process ended; that the file before this one was left.
    body["aborted"] == true
        || body["category"] == "exit"
        || body["trigger"] == "cleared"
        // Sent to a process that was killed before it wrote it down, and not understood by old versions.
        || ["user \"tell me more\"", "user \"/clear\""].contains(&id)
}

/// Is this known only to who reads the files?
fn is_of_the_file(id: &str, item: &Value) -> bool {
    (item["parent"].is_string() && item["body"]["kind"] == "text") || id.starts_with("user \"Unknown s")
}

/// What is in the one and not, or not so, in the other.
fn differences(
    one: &BTreeMap<String, Value>,
    other: &BTreeMap<String, Value>,
    aside: impl Fn(&str, &Value) -> bool,
) -> Vec<String> {
    let missing = one.iter().filter(|(id, item)| other.get(*id) != Some(item));
    let missing = missing.filter(|(id, item)| other.contains_key(*id) || !aside(id, item));
    missing.map(|(id, item)| format!("{id}: {item}\n   other: {:?}", other.get(id).map(Value::to_string))).collect()
}

#[test]
fn a_session_read_from_its_transcript_has_the_items_that_it_had_live() {
    let mut wrong = Vec::new();
    for version in VERSIONS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli").join(version).join("transcripts");
        for session in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = session.file_name().unwrap().to_string_lossy().into_owned();
            let (live, read) = (items(&live(version, &name)), items(&imported(&session)));
            for difference in differences(&live, &read, is_of_the_moment) {
                wrong.push(format!("{version}/{name} live only: {difference}"));
            }
            for difference in differences(&read, &live, is_of_the_file) {
                wrong.push(format!("{version}/{name} file only: {difference}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_session_that_was_only_read_is_asleep() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli/2.1.325/transcripts/multi-turn");
    let state = imported(&folder);
    assert_eq!(state.status.words, "Asleep");
    assert_eq!(state.status.turn, None);
    assert_eq!(state.status.cwd.as_deref(), Some("/home/user/project"));
    assert_eq!(state.status.version.as_deref(), Some("2.1.325"));
    assert_eq!(state.status.title.as_deref(), Some("one"));
}
