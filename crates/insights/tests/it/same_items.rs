//! Are these the same items? Two states of one session, told live and read from its transcript, in; where they differ out.
//!
//! Aside are what no transcript holds: the ends of turns with their costs, who decided and when, how long things took; and
//! what only the file has: the words of subagents, which the CLI does not tell unless it is asked to.

use std::collections::BTreeMap;

use insights::state::State;
use serde_json::{Value, json};

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

/// The versions that tell little of what subagents in the background do.
const OLD: [&str; 3] = ["2.1.1", "2.1.29", "2.1.38"];

/// What the two tell differently, but for what only the one can know.
pub(crate) fn disagreements(live: &State, read: &State) -> Vec<String> {
    let is_old = live.status.version.as_deref().is_some_and(|version| OLD.contains(&version));
    let (mut live, mut read) = (items(live), items(read));
    if is_old {
        told_late(&mut live, &mut read);
    }
    let order = out_of_order(&live, &read).into_iter();
    let (live, read): (BTreeMap<_, _>, BTreeMap<_, _>) = (live.into_iter().collect(), read.into_iter().collect());
    let live_only = differences(&live, &read, is_of_the_moment).into_iter().map(|what| format!("live only: {what}"));
    let of_the_file = |id: &str, item: &Value| is_of_the_file(id, item) || is_of_background_work(item, &read, is_old);
    let file_only = differences(&read, &live, of_the_file).into_iter().map(|what| format!("file only: {what}"));
    order.chain(live_only).chain(file_only).collect()
}

/// What came of a subagent in the background, old versions tell with a remark or not at all. Their files may know its answer.
fn told_late(live: &mut [(String, Value)], read: &mut [(String, Value)]) {
    let is_remark = |body: &Value| body["result"]["text"].as_str().is_some_and(|words| words.starts_with("Agent \""));
    for (id, item) in live.iter_mut() {
        let body = &item["body"];
        if body["background"] == true && (body["status"] == "ended" || is_remark(body)) {
            let theirs = read.iter_mut().filter(|(theirs, _)| theirs == id).map(|(_, item)| item);
            std::iter::once(item).chain(theirs).for_each(|item| without(item, &["status", "result", "toolUses"]));
        }
    }
}

/// The lanes in which what both of them have does not come in the same order.
fn out_of_order(live: &[(String, Value)], read: &[(String, Value)]) -> Option<String> {
    let lanes = |of: &[(String, Value)], other: &[(String, Value)]| {
        let mut lanes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        // The CLI writes the command that compacts behind what it did.
        let named = of.iter().filter(|(id, _)| !id.starts_with("user \"/compact"));
        let shared = named.filter(|(id, _)| other.iter().any(|(theirs, _)| theirs == id));
        shared.for_each(|(id, item)| lanes.entry(item["parent"].to_string()).or_default().push(id.clone()));
        lanes
    };
    let (live, read) = (lanes(live, read), lanes(read, live));
    (live != read).then(|| format!("another order: {live:?}\n   other: {read:?}"))
}

/// The items by id in their order, with what is aside left out. A prompt that was sent without a name has one in the file only, so it is
/// known by its words.
fn items(state: &State) -> Vec<(String, Value)> {
    let items = state.items.iter().map(|item| serde_json::to_value(item).unwrap());
    // Of remarks, those that the agent writes down; no other kind of them is in its files.
    let is_told = |body: &Value| match body["kind"].as_str() {
        Some("notice") => body["source"] == "informational",
        kind => kind != Some("turn"),
    };
    let told = items.filter(|item| is_told(&item["body"]));
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
            Some("user") => match body["text"]["text"].as_str() {
                Some(words) => format!("user {:?}", in_the_file(words)),
                None => "user null".to_owned(),
            },
            // One without a key has no name but the place of its line.
            Some("notice") => {
                let words = body["text"]["text"].to_string();
                item["id"] = Value::Null;
                format!("notice {words}")
            }
            _ => item["id"].to_string(),
        };
        let is_user = item["body"]["kind"] == "user";
        let role = item["body"]["role"].clone();
        (id, if is_user { json!({ "parent": item["parent"], "role": role }) } else { item })
    })
    .collect()
}

/// The words of a prompt as the file has them: of an alias it has the command that this stands for.
pub(crate) fn in_the_file(words: &str) -> &str {
    if words == "/cost" { "/usage" } else { words }
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

/// Is this the work of a subagent in the background? Old versions tell none of it live, new ones not what it was told.
fn is_of_background_work(item: &Value, all: &BTreeMap<String, Value>, is_old: bool) -> bool {
    let is_told = !is_old && item["role"] != "agent";
    !is_told && all.get(&item["parent"].to_string()).is_some_and(|agent| agent["body"]["background"] == true)
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
