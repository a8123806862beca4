//! The host's side of a scenario: answers the CLI's control requests by the rules of the file.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::values::substitute;
use super::{PermissionRule, Scenario};
use crate::session::{refusal, success};

/// The rules, and the request that one of them left open.
#[derive(Debug)]
pub(super) struct Answers {
    permission: Vec<PermissionRule>,
    hooks: BTreeMap<String, Value>,
    control: BTreeMap<String, Value>,
    names: BTreeMap<String, String>,
    open: Option<Value>,
}

/// The rules, shared by the phases and the steps.
pub(super) type SharedAnswers = Arc<Mutex<Answers>>;

impl Answers {
    pub(super) fn new(scenario: &Scenario, names: BTreeMap<String, String>) -> Answers {
        Answers {
            permission: scenario.on_permission.clone(),
            hooks: scenario.on_hook.clone(),
            control: scenario.on_control.clone(),
            names,
            open: None,
        }
    }

    /// The line that answers a control request, or nothing when a rule wants it open.
    pub(super) fn answer(&mut self, line: &Value) -> Option<Value> {
        let request = &line["request"];
        match request["subtype"].as_str().unwrap_or_default() {
            "can_use_tool" => self.permission(line, request),
            "hook_callback" => {
                let id = request["callback_id"].as_str().unwrap_or_default();
                let output = match self.hooks.get_mut(id) {
                    Some(Value::Array(outputs)) if !outputs.is_empty() => outputs.remove(0),
                    Some(Value::Array(_)) | None => json!({}),
                    Some(output) => output.clone(),
                };
                Some(success(line, self.fill(output, request)))
            }
            "mcp_message" => Some(success(line, json!({"mcp_response": mcp_response(&request["message"])}))),
            subtype => match self.control.get(subtype) {
                Some(Value::String(word)) if word == "ignore" => None,
                Some(response) => Some(success(line, self.fill(response.clone(), request))),
                None => Some(refusal(line, &format!("the lab does not answer {subtype}"))),
            },
        }
    }

    /// The answer to the request that was left open.
    pub(super) fn late_answer(&mut self, response: Value) -> Option<Value> {
        let line = self.open.take()?;
        let response = self.fill(response, &line["request"]);
        Some(success(&line, response))
    }

    fn permission(&mut self, line: &Value, request: &Value) -> Option<Value> {
        let tool = request["tool_name"].as_str().unwrap_or_default();
        let fits = |rule: &PermissionRule| rule.tool.as_deref().is_none_or(|name| name == tool);
        let Some(place) = self.permission.iter().position(fits) else {
            return Some(success(line, json!({"behavior": "allow", "updatedInput": request["input"]})));
        };
        let rule = self.permission[place].clone();
        if rule.once {
            self.permission.remove(place);
        }
        if rule.ignore {
            self.open = Some(line.clone());
            return None;
        }
        Some(success(line, self.fill(rule.response, request)))
    }

    /// Puts what the request says in the place of the names that speak of it.
    fn fill(&self, mut response: Value, request: &Value) -> Value {
        substitute(&mut response, &self.names);
        fill(response, request)
    }
}

pub(super) fn lock(answers: &SharedAnswers) -> std::sync::MutexGuard<'_, Answers> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fill(response: Value, request: &Value) -> Value {
    match response {
        Value::String(text) => match text.as_str() {
            "$input" => request["input"].clone(),
            "$tool_use_id" => request["tool_use_id"].clone(),
            "$suggestions" => request["permission_suggestions"].clone(),
            _ => Value::String(text),
        },
        Value::Array(items) => items.into_iter().map(|item| fill(item, request)).collect(),
        Value::Object(mut fields) => match fields.remove("$merge") {
            Some(Value::Object(more)) => {
                let mut merged = request["input"].as_object().cloned().unwrap_or_default();
                merged.extend(more);
                Value::Object(merged)
            }
            _ => {
                Value::Object(fields.into_iter().map(|(key, field)| (key, fill(field, request))).collect::<Map<_, _>>())
            }
        },
        other => other,
    }
}

/// An MCP server inside the host, with a tool that echoes and one that fails.
fn mcp_response(message: &Value) -> Value {
    let params = &message["params"];
    let result = match message["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "lab-sdk", "version": "1.0.0"},
        }),
        "tools/list" => json!({"tools": [
            {"name": "echo", "description": "Echo text",
             "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
            {"name": "fail", "description": "Always fails", "inputSchema": {"type": "object", "properties": {}}},
        ]}),
        "tools/call" if params["name"] == "fail" => {
            json!({"content": [{"type": "text", "text": "tool failed on purpose"}], "isError": true})
        }
        "tools/call" => {
            let text = &params["arguments"]["text"];
            let echo = format!("echo: {}", text.as_str().unwrap_or_default());
            json!({"content": [{"type": "text", "text": echo}], "structuredContent": {"echoed": text}})
        }
        method if method.starts_with("notifications/") => json!({}),
        _ => {
            return json!({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}});
        }
    };
    let id = message.get("id").cloned().unwrap_or_else(|| json!(0));
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}
