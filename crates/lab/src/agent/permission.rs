//! Which tool calls the host is asked about, and how.

use serde_json::{Value, json};

use super::actor::Actor;
use super::lines::Parent;
use super::session::Session;
use super::tools::Call;

/// What a call needs before it may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing, for this reason.
    Nothing(&'static str),
    /// The host's word.
    Ask,
    /// It may not run, for this reason.
    Refused(&'static str),
}

/// Commands that only look, by their first word.
const LOOKING: [&str; 8] = ["ls", "cat", "echo", "pwd", "head", "tail", "wc", "true"];

impl Actor {
    /// What the mode and the rules say; the story may say otherwise.
    pub(super) fn need(&self, call: &Call) -> Need {
        let name = call.name.as_str();
        let always = ["AskUserQuestion", "ExitPlanMode"].contains(&name);
        let edits = ["Write", "Edit", "NotebookEdit"].contains(&name);
        let asks = edits
            || always
            || name == "WebFetch"
            || name.starts_with("mcp__")
            || (name == "Bash" && !only_looks(&call.input));
        let need = match (self.session.mode.as_str(), call.asks) {
            (_, Some(false)) => Need::Nothing("rule"),
            (_, Some(true)) => Need::Ask,
            _ if self.flags.disallowed_tools.iter().any(|rule| covers(rule, call)) => Need::Refused("rule"),
            _ if always => Need::Ask,
            ("bypassPermissions", None) => Need::Nothing("mode"),
            _ if !asks => Need::Nothing("other"),
            _ if self.flags.allowed_tools.iter().any(|rule| covers(rule, call)) => Need::Nothing("rule"),
            ("acceptEdits", None) if edits => Need::Nothing("mode"),
            ("dontAsk", None) => Need::Refused("mode"),
            _ => Need::Ask,
        };
        match need {
            Need::Ask if !self.flags.prompts_host => Need::Refused("other"),
            need => need,
        }
    }

    /// Does what the host wants to be done about later asks.
    pub(super) fn apply_updates(&mut self, updates: &Value) {
        for update in updates.as_array().into_iter().flatten() {
            match update["type"].as_str() {
                Some("setMode") => {
                    update["mode"].as_str().unwrap_or("default").clone_into(&mut self.session.mode);
                    if self.is_current() {
                        self.write_system("status", json!({"status": null, "permissionMode": update["mode"]}));
                    }
                }
                Some("addRules") if update["behavior"] == "allow" => {
                    let rules = update["rules"].as_array().into_iter().flatten();
                    self.flags.allowed_tools.extend(rules.filter_map(rule_text));
                }
                _ => {}
            }
        }
    }
}

/// The question whether a tool may be used.
pub(super) fn ask(session: &Session, call: &Call, parent: Option<&Parent>) -> Value {
    let mut request = json!({
        "subtype": "can_use_tool", "tool_name": call.name, "display_name": call.name, "input": call.input,
    });
    let description = call.input["description"].as_str().or_else(|| call.input["file_path"].as_str());
    if let Some(description) = description {
        request["description"] = json!(description);
    }
    let accept_edits = json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"});
    let rule =
        |rule: Value| json!({"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings"});
    match call.name.as_str() {
        "AskUserQuestion" | "ExitPlanMode" => request["requires_user_interaction"] = json!(true),
        "Bash" => {
            let command = rule(json!({"toolName": "Bash", "ruleContent": call.input["command"]}));
            let folder = json!({"type": "addDirectories", "directories": [session.folder], "destination": "session"});
            request["permission_suggestions"] = json!([command, folder, accept_edits]);
        }
        "Write" | "Edit" | "NotebookEdit" => request["permission_suggestions"] = json!([accept_edits]),
        name => {
            if let Some(server) = name.strip_prefix("mcp__").and_then(|name| name.split_once("__")) {
                request["mcp_server"] = json!({"name": server.0, "source": "sdk"});
            }
            request["permission_suggestions"] = json!([rule(json!({"toolName": name}))]);
        }
    }
    request["tool_use_id"] = json!(call.id);
    if let Some(parent) = parent {
        request["agent_id"] = json!(parent.agent_id);
    }
    request
}

/// A rule of an update as the flags write it.
fn rule_text(rule: &Value) -> Option<String> {
    let tool = rule["toolName"].as_str()?;
    Some(rule["ruleContent"].as_str().map_or_else(|| tool.to_owned(), |content| format!("{tool}({content})")))
}

/// Whether a rule such as `Read` or `Bash(git:*)` is about a call.
fn covers(rule: &str, call: &Call) -> bool {
    match rule.strip_suffix(')').and_then(|rule| rule.split_once('(')) {
        None => rule == call.name,
        Some((tool, content)) => {
            let command = call.input["command"].as_str().unwrap_or_default();
            let prefix = content.strip_suffix(":*").or_else(|| content.strip_suffix('*'));
            tool == call.name && prefix.map_or(command == content, |prefix| command.starts_with(prefix.trim_end()))
        }
    }
}

fn only_looks(input: &Value) -> bool {
    let command = input["command"].as_str().unwrap_or_default();
    let first = command.split_whitespace().next().unwrap_or_default();
    LOOKING.contains(&first) && !command.contains(['&', ';', '>', '|', '$', '`'])
}
