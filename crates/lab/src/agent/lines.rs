//! The lines of the CLI, made from what a session knows: what goes into [`Wire`](super::wire::Wire).

use serde_json::{Map, Value, json};

use super::session::Session;
use super::story::Dialect;

/// The time of every line: a story has no clock.
const TIMESTAMP: &str = "2026-01-01T00:00:00.000Z";

const CURRENT: &str = include_str!("current.json");
const OLD: &str = include_str!("old.json");

/// The subagent a line comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parent {
    pub(super) tool_use_id: String,
    pub(super) agent_id: String,
    pub(super) subagent_type: String,
    pub(super) description: String,
    pub(super) prompt: String,
}

/// What the CLI of a dialect always says about itself: the fields of `init`, or of the answer to `initialize`.
pub(super) fn stock(dialect: Dialect, part: &str) -> Value {
    let text = match dialect {
        Dialect::Current => CURRENT,
        Dialect::Old => OLD,
    };
    let mut all: Value = serde_json::from_str(text).unwrap_or_default();
    all[part].take()
}

/// A line with the session's id and an id of its own, under the names of the CLI.
pub(super) fn line(session: &mut Session, kind: &str, fields: Value) -> Value {
    let mut line = Map::from_iter([("type".to_owned(), json!(kind))]);
    if let Value::Object(fields) = fields {
        line.extend(fields);
    }
    line.entry("uuid").or_insert_with(|| json!(session.next_uuid()));
    line.insert("session_id".to_owned(), json!(session.id));
    Value::Object(line)
}

/// A `system` line.
pub(super) fn system(session: &mut Session, subtype: &str, fields: Value) -> Value {
    let mut system = json!({"subtype": subtype});
    extend(&mut system, fields);
    line(session, "system", system)
}

/// The first line of a turn.
pub(super) fn init(session: &mut Session, dialect: Dialect, mcp_servers: &[String], tools: &[String]) -> Value {
    let servers: Vec<Value> =
        mcp_servers.iter().map(|name| json!({"name": name, "status": "connected", "source": "sdk"})).collect();
    let mut fields = stock(dialect, "init");
    if let Some(all) = fields["tools"].as_array_mut() {
        all.extend(tools.iter().map(|tool| json!(tool)));
    }
    extend(
        &mut fields,
        json!({
            "cwd": session.folder, "mcp_servers": servers, "model": session.model, "permissionMode": session.mode,
            "claude_code_version": session.version,
        }),
    );
    if dialect == Dialect::Current {
        extend(&mut fields, json!({"original_cwd": session.folder}));
    }
    system(session, "init", fields)
}

/// One block of a message of the assistant.
pub(super) fn assistant(session: &mut Session, skeleton: &Value, block: Value, parent: Option<&Parent>) -> Value {
    let mut message = skeleton.clone();
    message["content"] = json!([block]);
    extend(&mut message, json!({"context_management": null}));
    let fields = json!({"message": message, "parent_tool_use_id": null, "timestamp": TIMESTAMP});
    from_subagent(line(session, "assistant", fields), parent)
}

/// A line in the user's name.
pub(super) fn user(session: &mut Session, content: Value, parent: Option<&Parent>) -> Value {
    let fields = json!({
        "message": {"role": "user", "content": content}, "parent_tool_use_id": null, "timestamp": TIMESTAMP,
    });
    from_subagent(line(session, "user", fields), parent)
}

/// A streamed event. What comes by the thousand has its fields in the order of the CLI, which a reader may count on.
pub(super) fn stream_event(session: &mut Session, event: Value, message_id: &str) -> Value {
    let fields = json!({
        "event": event, "session_id": session.id, "parent_tool_use_id": null, "uuid": session.next_uuid(),
        "api_message_id": message_id,
    });
    line(session, "stream_event", fields)
}

/// What a message of the CLI's own making looks like.
pub(super) fn synthetic_skeleton(session: &mut Session) -> Value {
    json!({
        "id": session.next_uuid(), "type": "message", "role": "assistant", "model": "<synthetic>", "content": [],
        "stop_reason": "stop_sequence", "stop_sequence": "",
        "usage": {"input_tokens": 0, "output_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    })
}

/// A control request of the agent.
pub(super) fn control_request(id: &str, request: &Value) -> Value {
    json!({"type": "control_request", "request_id": id, "request": request})
}

/// Adds fields to a value, in the place of those it has.
pub(super) fn extend(value: &mut Value, more: Value) {
    if let (Value::Object(fields), Value::Object(more)) = (value, more) {
        fields.extend(more);
    }
}

fn from_subagent(mut line: Value, parent: Option<&Parent>) -> Value {
    if let Some(parent) = parent {
        extend(
            &mut line,
            json!({
                "parent_tool_use_id": parent.tool_use_id, "agent_id": parent.agent_id,
                "subagent_type": parent.subagent_type, "task_description": parent.description,
            }),
        );
    }
    line
}
