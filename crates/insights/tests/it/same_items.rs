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

/// What the two tell differently, but for what only the one can know.
pub(crate) fn disagreements(live: &State, read: &State) -> Vec<String> {
    let (live, read) = (items(live), items(read));
    let live_only = differences(&live, &read, is_of_the_moment).into_iter().map(|what| format!("live only: {what}"));
    let file_only = differences(&read, &live, is_of_the_file).into_iter().map(|what| format!("file only: {what}"));
    live_only.chain(file_only).collect()
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
