//! The host's hooks: which are registered, when they are called, and what their word means.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Value, json};

use super::Ending;
use super::actor::{Actor, Answered};
use super::tools::Call;

/// The callbacks by event, each with the matcher of the tools it is for.
#[derive(Clone, Debug, Default)]
pub(super) struct Hooks(BTreeMap<String, Vec<(Option<String>, String)>>);

/// What hooks say about a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    None,
    Allow,
    Ask,
    Deny(String),
}

impl Hooks {
    /// The hooks that `initialize` registers.
    pub(super) fn registered(hooks: &Value) -> Hooks {
        let mut all: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for (event, groups) in hooks.as_object().into_iter().flatten() {
            for group in groups.as_array().into_iter().flatten() {
                let matcher = group["matcher"].as_str().map(str::to_owned);
                let ids = group["hookCallbackIds"].as_array().into_iter().flatten().filter_map(Value::as_str);
                let callbacks = ids.map(|id| (matcher.clone(), id.to_owned()));
                all.entry(event.clone()).or_default().extend(callbacks);
            }
        }
        Hooks(all)
    }

    fn callbacks(&self, event: &str, tool: &str) -> Vec<String> {
        let fits = |matcher: &Option<String>| match matcher.as_deref() {
            None | Some("" | "*") => true,
            Some(matcher) => Regex::new(&format!("^(?:{matcher})$")).is_ok_and(|pattern| pattern.is_match(tool)),
        };
        let registered = self.0.get(event).into_iter().flatten();
        registered.filter(|(matcher, _)| fits(matcher)).map(|(_, id)| id.clone()).collect()
    }
}

impl Actor {
    /// Calls the hooks before a tool; a changed input replaces the call's.
    pub(super) async fn before_tool(&mut self, call: &mut Call) -> Result<Verdict, Ending> {
        let fields = json!({"tool_name": call.name, "tool_input": call.input, "tool_use_id": call.id});
        let mut verdict = Verdict::None;
        for output in self.observe("PreToolUse", &call.name, fields).await? {
            let specific = &output["hookSpecificOutput"];
            if specific["updatedInput"].is_object() {
                call.input = specific["updatedInput"].clone();
            }
            let reason = specific["permissionDecisionReason"].as_str().or_else(|| output["reason"].as_str());
            match specific["permissionDecision"].as_str().or_else(|| output["decision"].as_str()) {
                Some("deny" | "block") => return Ok(Verdict::Deny(reason.unwrap_or_default().to_owned())),
                Some("ask") => verdict = Verdict::Ask,
                Some("allow" | "approve") if verdict == Verdict::None => verdict = Verdict::Allow,
                _ => {}
            }
        }
        Ok(verdict)
    }

    /// Calls the hooks of an event and gives what they said.
    pub(super) async fn observe(&mut self, event: &str, tool: &str, fields: Value) -> Result<Vec<Value>, Ending> {
        let mut outputs = Vec::new();
        for callback_id in self.hooks.callbacks(event, tool) {
            let mut input = json!({
                "session_id": self.session.id, "transcript_path": self.session.transcript_path(),
                "cwd": self.session.folder, "permission_mode": self.session.mode, "hook_event_name": event,
            });
            super::lines::extend(&mut input, fields.clone());
            let mut request = json!({"subtype": "hook_callback", "callback_id": callback_id, "input": input});
            if let Some(id) = fields.get("tool_use_id") {
                request["tool_use_id"] = id.clone();
            }
            // A hook that fails has no opinion.
            if let Answered::Answer(_, response) = self.request(request).await? {
                outputs.push(response["response"].clone());
            }
        }
        Ok(outputs)
    }
}
