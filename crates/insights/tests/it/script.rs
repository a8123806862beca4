//! Sessions written for a test: what the agent and the host say, line by line, in the forms of today's CLI.

use insights::record::{HostFact, Record, Source};
use insights::state::item::ItemBody;
use insights::state::tool::{AgentItem, ToolItem};
use insights::state::{Item, State};
use insights::{InsightsEvent, UnixMillis};
use serde_json::{Value, json};

use crate::play;

/// A line, and which way it went.
#[derive(Clone, Debug)]
pub(crate) struct Said(Source, String);

/// The agent says something.
pub(crate) fn out(line: Value) -> Said {
    Said(Source::Stdout, line.to_string())
}

/// Something is written to the agent.
pub(crate) fn sent(line: Value) -> Said {
    Said(Source::Stdin { by: Some("ada".to_owned()), id: None }, line.to_string())
}

/// An entry of the agent's transcript.
pub(crate) fn entry(line: Value) -> Said {
    Said(Source::Transcript, line.to_string())
}

/// A fact of the host.
pub(crate) fn fact(fact: HostFact) -> Said {
    Said(Source::Host, fact.to_json())
}

pub(crate) fn spawned() -> Said {
    let argv = vec!["claude".to_owned()];
    fact(HostFact::Spawned { program: "claude".to_owned(), argv, cwd: "/w".to_owned(), version: None, pid: None })
}

pub(crate) fn exited(code: i32) -> Said {
    let stderr_tail = vec!["oh no".to_owned()];
    fact(HostFact::Exited { code: Some(code), signal: None, stderr_tail, expected: false })
}

pub(crate) fn init() -> Said {
    out(json!({
        "type": "system", "subtype": "init", "session_id": "s1", "cwd": "/w", "model": "opus", "permissionMode": "default",
        "tools": ["Bash"], "mcp_servers": [{"name": "git", "status": "connected"}], "slash_commands": ["cost"], "uuid": "i"
    }))
}

pub(crate) fn prompt(uuid: &str, text: &str) -> Said {
    sent(
        json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": [{"type": "text", "text": text}]}}),
    )
}

pub(crate) fn lifecycle(uuid: &str, state: &str) -> Said {
    out(json!({"type": "command_lifecycle", "command_uuid": uuid, "state": state, "session_id": "s1", "uuid": "l"}))
}

fn assistant(message: &str, block: Value, parent: Option<&str>) -> Value {
    json!({
        "type": "assistant", "session_id": "s1", "uuid": format!("u-{message}"), "parent_tool_use_id": parent,
        "message": {"id": message, "role": "assistant", "model": "opus", "content": [block]}
    })
}

pub(crate) fn text(message: &str, text: &str) -> Said {
    out(assistant(message, json!({"type": "text", "text": text}), None))
}

pub(crate) fn text_of(parent: &str, message: &str, text: &str) -> Said {
    out(assistant(message, json!({"type": "text", "text": text}), Some(parent)))
}

pub(crate) fn call(id: &str, tool: &str, input: Value) -> Said {
    out(assistant(&format!("m-{id}"), json!({"type": "tool_use", "id": id, "name": tool, "input": input}), None))
}

pub(crate) fn call_of(parent: &str, id: &str, tool: &str, input: Value) -> Said {
    out(assistant(
        &format!("m-{id}"),
        json!({"type": "tool_use", "id": id, "name": tool, "input": input}),
        Some(parent),
    ))
}

fn result_line(id: &str, content: &str, is_error: bool, structured: Value) -> Value {
    json!({
        "type": "user", "session_id": "s1", "uuid": format!("r-{id}"), "parent_tool_use_id": null,
        "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error}
        ]},
        "tool_use_result": structured
    })
}

pub(crate) fn result(id: &str, content: &str, structured: Value) -> Said {
    out(result_line(id, content, false, structured))
}

pub(crate) fn failure(id: &str, content: &str) -> Said {
    out(result_line(id, content, true, json!(format!("Error: {content}"))))
}

/// A call came to nothing, or went well, and the line says how it was decided about.
pub(crate) fn decided(id: &str, content: &str, is_error: bool, decided: Value) -> Said {
    let mut line = result_line(id, content, is_error, json!({}));
    let meta = line.as_object_mut().unwrap().entry("tool_result_meta").or_insert(json!([{"id": id}]));
    meta[0].as_object_mut().unwrap().extend(decided.as_object().unwrap().clone());
    out(line)
}

/// What an interrupt leaves in the conversation.
pub(crate) fn interrupt_mark() -> Said {
    out(json!({
        "type": "user", "session_id": "s1", "uuid": "mark", "parent_tool_use_id": null,
        "message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user for tool use]"}]}
    }))
}

pub(crate) fn ask(request: &str, call: &str, tool: &str, input: Value) -> Said {
    out(json!({
        "type": "control_request", "request_id": request,
        "request": {"subtype": "can_use_tool", "tool_name": tool, "input": input, "tool_use_id": call}
    }))
}

pub(crate) fn answer(request: &str, answer: Value) -> Said {
    sent(json!({
        "type": "control_response",
        "response": {"subtype": "success", "request_id": request, "response": answer}
    }))
}

pub(crate) fn withdrawn(request: &str) -> Said {
    out(json!({"type": "control_cancel_request", "request_id": request}))
}

pub(crate) fn interrupt() -> Said {
    sent(json!({"type": "control_request", "request_id": "stop", "request": {"subtype": "interrupt"}}))
}

pub(crate) fn system(subtype: &str, more: Value) -> Said {
    let mut line = json!({"type": "system", "subtype": subtype, "session_id": "s1", "uuid": format!("sys-{subtype}")});
    line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    out(line)
}

pub(crate) fn stream(event: Value) -> Said {
    out(json!({
        "type": "stream_event", "session_id": "s1", "uuid": "d", "parent_tool_use_id": null, "event": event
    }))
}

pub(crate) fn message_start(message: &str) -> Said {
    stream(json!({"type": "message_start", "message": {"id": message, "role": "assistant", "content": []}}))
}

pub(crate) fn block_start(index: u32, block: Value) -> Said {
    stream(json!({"type": "content_block_start", "index": index, "content_block": block}))
}

pub(crate) fn piece(index: u32, text: &str) -> Said {
    stream(json!({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}))
}

/// A turn ends well; its cost is that of the session so far.
pub(crate) fn done(total_cost_usd: f64) -> Said {
    ended(json!({"subtype": "success", "is_error": false, "result": "done", "total_cost_usd": total_cost_usd}))
}

pub(crate) fn ended(more: Value) -> Said {
    let mut line = json!({
        "type": "result", "subtype": "success", "is_error": false, "session_id": "s1", "duration_ms": 100,
        "num_turns": 1, "result": "", "total_cost_usd": 0, "usage": {"input_tokens": 5, "output_tokens": 7},
        "modelUsage": {"opus": {"inputTokens": 5, "outputTokens": 7, "costUSD": 0.0, "contextWindow": 200_000}}
    });
    line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    out(line)
}

/// The records of a session, a second between its lines.
pub(crate) fn records(said: Vec<Said>) -> Vec<Record> {
    let record = |(number, Said(source, line)): (usize, Said)| {
        let seq = number as u64 + 1;
        Record { seq, at: UnixMillis(seq as i64 * 1000), source, line: line.into() }
    };
    said.into_iter().enumerate().map(record).collect()
}

/// The events of a session.
pub(crate) fn events(said: Vec<Said>) -> Vec<InsightsEvent> {
    play::events(records(said))
}

/// What is so after a session.
pub(crate) fn after(said: Vec<Said>) -> State {
    play::state(&events(said))
}

pub(crate) fn item<'a>(state: &'a State, id: &str) -> &'a Item {
    state.items.get(id).unwrap_or_else(|| panic!("no item {id} in {:?}", ids(state)))
}

pub(crate) fn tool<'a>(state: &'a State, id: &str) -> &'a ToolItem {
    match &item(state, id).body {
        ItemBody::Tool(tool) => tool,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn agent<'a>(state: &'a State, id: &str) -> &'a AgentItem {
    match &item(state, id).body {
        ItemBody::Agent(agent) => agent,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn ids(state: &State) -> Vec<&str> {
    state.items.iter().map(|item| &*item.id).collect()
}
