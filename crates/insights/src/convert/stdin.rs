//! What was written to the agent: prompts, requests and answers to its questions, as the log has them.

use std::sync::Arc;

use claude_protocol::control::ask::{DialogBehavior, ElicitationAction};
use claude_protocol::control::callback::CallbackAnswer;
use claude_protocol::control::{
    CallbackResponse, Command, ElicitationAnswer, RequestToCli, Response, UserDialogAnswer,
};
use claude_protocol::hook::output::HookPermissionAnswer;
use claude_protocol::hook::{HookDecision, HookOutput, HookPermission, HookSpecificOutput};
use claude_protocol::permission::{Allow, Deny, PermissionAnswer, PermissionUpdate};
use claude_protocol::to_cli::Prompt;
use claude_protocol::{Raw, RequestId, ToCli, ToolUseId, Uuid};

use super::control::{Asked, HookAbout};
use super::quiet::Quiet;
use super::user::Words;
use super::{Converter, suggest};
use crate::event::Body;
use crate::event::ask::{ControlSent, PermissionResolved};
use crate::event::session::UnknownMessage;
use crate::event::text::{InputState, NoticeLevel, UserInput};
use crate::json::Json;

/// Who wrote a line, and under which name.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) by: Option<String>,
    pub(super) id: Option<String>,
}

impl Converter {
    pub(super) fn stdin(&mut self, message: ToCli, writer: Writer) {
        match message {
            ToCli::Prompt(prompt) => self.prompt(*prompt, writer),
            ToCli::ControlRequest(request) => self.sent(*request, writer),
            ToCli::ControlResponse(response) => self.answered(*response, writer),
            ToCli::CallbackResponse(response) => self.callback_answered(*response, writer),
            ToCli::ControlCancel(cancel) => {
                self.put_sent(Some(cancel.request_id.into_shared()), "control_cancel_request".to_owned(), writer);
            }
            ToCli::UpdateEnvironmentVariables(update) => {
                let id = update.request_id.map(RequestId::into_shared);
                self.put_sent(id, "update_environment_variables".to_owned(), writer);
            }
            ToCli::KeepAlive(_) => self.out.quiet(Quiet::KeepAlive),
            ToCli::Other(other) => self.out.put(Body::UnknownMessage(UnknownMessage {
                message_type: other.kind,
                subtype: None,
                direction: Some("stdin".to_owned()),
            })),
            ToCli::NotJson(not_json) => self.not_json(&not_json),
        }
    }

    fn prompt(&mut self, prompt: Prompt, writer: Writer) {
        let uuid = prompt.uuid.map(Uuid::into_shared).filter(|uuid| !uuid.is_empty());
        let (words, _) = Words::of(prompt.message.content);
        let input = UserInput {
            text: words.text(),
            images: words.images,
            is_synthetic: prompt.is_synthetic == Some(true),
            state: InputState::Sent,
            parent_call_id: prompt.parent_tool_use_id.0.map(ToolUseId::into_shared),
            by: writer.by,
            client_id: writer.id,
            priority: prompt.priority.map(|priority| priority.to_string()),
            is_interrupt: None,
        };
        let uuid = self.prompts.sent(uuid, &input, self.out.seq());
        self.out.put_named(uuid, Body::UserInput(Box::new(input)));
    }

    fn sent(&mut self, request: RequestToCli, writer: Writer) {
        let id = request.request_id.into_shared();
        self.requests.sent(&id, &request.request, writer.by.as_deref());
        if matches!(request.request, Command::Interrupt(_)) && self.turn.running {
            self.turn.interrupted = true;
        }
        self.put_sent(Some(id).filter(|id| !id.is_empty()), request.request.kind().to_owned(), writer);
    }

    fn put_sent(&mut self, request_id: Option<Arc<str>>, subtype: String, writer: Writer) {
        self.out.put(Body::ControlSent(ControlSent { request_id, subtype, by: writer.by }));
    }

    fn answered(&mut self, response: Response, writer: Writer) {
        let id = response.response.request_id.clone().map(RequestId::into_shared).unwrap_or_default();
        let failure = response.failure().map(str::to_owned);
        let Some(asked) = self.requests.closed(&id) else { return self.out.quiet(Quiet::HostAnswer) };
        let answer = response.answer().map(std::borrow::Cow::into_owned);
        let mut resolved = unanswered(id, writer.by);
        if let (Some(failure), Asked::Permission(_) | Asked::Elicitation | Asked::Dialog) = (&failure, &asked) {
            resolved.message = Some(failure.clone());
            return self.out.put(Body::PermissionResolved(Box::new(resolved)));
        }
        match asked {
            Asked::Permission(input) => {
                match answer.as_ref().and_then(Raw::read::<PermissionAnswer>).map(|read| read.value) {
                    Some(PermissionAnswer::Allow(allow)) => allowed(allow, &input, &mut resolved),
                    Some(PermissionAnswer::Deny(deny)) => denied(deny, &mut resolved),
                    Some(PermissionAnswer::Other(_)) | None => resolved.response = answer.map(json),
                }
            }
            Asked::Elicitation => {
                let read = answer.as_ref().and_then(Raw::read::<ElicitationAnswer>);
                resolved.allowed = read.is_some_and(|read| read.value.action == ElicitationAction::Accept);
                resolved.response = answer.map(json);
            }
            Asked::Dialog => {
                let read = answer.as_ref().and_then(Raw::read::<UserDialogAnswer>);
                resolved.allowed = read.is_some_and(|read| read.value.behavior == DialogBehavior::Completed);
                resolved.response = answer.map(json);
            }
            Asked::Hook(about) => {
                let output = answer.as_ref().and_then(Raw::read::<HookOutput>).map(|read| read.value);
                return self.hook_answered(about, output.unwrap_or_default(), resolved);
            }
            Asked::ToolServer(server) => return self.tool_server_answered(server, failure),
        }
        self.out.put(Body::PermissionResolved(Box::new(resolved)));
    }

    /// A hook of the host has answered. That it has nothing against something is no news, unless it decided.
    fn hook_answered(&mut self, about: HookAbout, output: HookOutput, mut resolved: PermissionResolved) {
        let Verdict { hook_event, refuses, allows, updated_input, remembered, reason } = Verdict::of(output);
        match about {
            HookAbout::Call(call, _) if refuses => self.calls.refused_by_hook(&call),
            HookAbout::Prompt if refuses => self.turn.blocked = Some(reason.unwrap_or_default()),
            HookAbout::Call(call, input) => {
                resolved.updated_input = changed(updated_input, &input);
                // What it changed runs, also where somebody else is asked whether it may.
                if allows || resolved.updated_input.is_some() {
                    resolved.allowed = true;
                    resolved.by = Some("hook".to_owned());
                    resolved.message = reason;
                    resolved.remembered = remembered;
                    resolved.hook_event = hook_event;
                    resolved.tool_use_id = Some(call);
                    return self.out.put(Body::PermissionResolved(Box::new(resolved)));
                }
            }
            HookAbout::Prompt | HookAbout::Other => {}
        }
        self.out.quiet(Quiet::HostAnswer);
    }

    /// A tool server of the host has answered; only its failures are news.
    fn tool_server_answered(&mut self, server: String, failure: Option<String>) {
        let Some(failure) = failure else { return self.out.quiet(Quiet::ToolServer) };
        let text = format!("The tool server {server} did not answer: {failure}");
        self.put_notice("mcp_message", NoticeLevel::Warning, text);
    }

    fn callback_answered(&mut self, response: CallbackResponse, writer: Writer) {
        let id = response.id.into_shared();
        let Some(Asked::Permission(input)) = self.requests.closed(&id) else {
            return self.out.quiet(Quiet::HostAnswer);
        };
        let mut resolved = unanswered(id, writer.by);
        match response.payload {
            CallbackAnswer::Allow(allow) => {
                resolved.allowed = true;
                resolved.updated_input = changed(allow.updated_input, &input);
                resolved.remembered = remembered(allow.updated_permissions.as_deref());
            }
            CallbackAnswer::Deny(deny) => resolved.message = Some(deny.message),
            CallbackAnswer::Other(other) => resolved.response = Some(json(other.raw)),
        }
        self.out.put(Body::PermissionResolved(Box::new(resolved)));
    }
}

/// What a hook decided about what it was asked.
#[derive(Default)]
struct Verdict {
    hook_event: Option<String>,
    /// Must it not go on?
    refuses: bool,
    allows: bool,
    updated_input: Option<Raw>,
    remembered: Vec<String>,
    reason: Option<String>,
}

impl Verdict {
    fn of(output: HookOutput) -> Verdict {
        let said = Verdict {
            refuses: output.decision == Some(HookDecision::Block),
            allows: output.decision == Some(HookDecision::Approve),
            reason: output.reason,
            ..Verdict::default()
        };
        let hook_event = output.hook_specific_output.as_ref().map(|specific| specific.kind().to_owned());
        match output.hook_specific_output {
            Some(HookSpecificOutput::PreToolUse(answer)) => Verdict {
                hook_event,
                refuses: said.refuses || answer.permission_decision == Some(HookPermission::Deny),
                allows: said.allows || answer.permission_decision == Some(HookPermission::Allow),
                updated_input: answer.updated_input,
                reason: answer.permission_decision_reason.or(said.reason),
                remembered: Vec::new(),
            },
            Some(HookSpecificOutput::PermissionRequest(answer)) => match answer.decision {
                HookPermissionAnswer::Allow(allow) => Verdict {
                    hook_event,
                    allows: true,
                    updated_input: allow.updated_input,
                    remembered: remembered(allow.updated_permissions.as_deref()),
                    ..said
                },
                HookPermissionAnswer::Deny(deny) => Verdict { hook_event, refuses: true, reason: deny.message, ..said },
                HookPermissionAnswer::Other(_) => said,
            },
            _ => said,
        }
    }
}

fn unanswered(request_id: Arc<str>, by: Option<String>) -> PermissionResolved {
    PermissionResolved {
        request_id,
        tool_use_id: None,
        hook_event: None,
        allowed: false,
        by,
        message: None,
        interrupt: None,
        updated_input: None,
        remembered: Vec::new(),
        response: None,
    }
}

fn allowed(allow: Allow, input: &Raw, resolved: &mut PermissionResolved) {
    resolved.allowed = true;
    resolved.updated_input = changed(allow.updated_input, input);
    resolved.remembered = remembered(allow.updated_permissions.as_deref());
}

fn denied(deny: Deny, resolved: &mut PermissionResolved) {
    resolved.message = Some(deny.message);
    resolved.interrupt = deny.interrupt;
}

fn remembered(updates: Option<&[PermissionUpdate]>) -> Vec<String> {
    updates.unwrap_or_default().iter().map(suggest::words).collect()
}

/// The input of an answer, if it is not the one that was asked about: compared as values, since hosts write it anew.
fn changed(updated: Option<Raw>, input: &Raw) -> Option<Json> {
    let updated = updated.filter(|updated| updated.is_object() && updated != input)?;
    let value = |raw: &Raw| raw.parse::<serde_json::Value>().ok();
    let same = value(&updated).is_some_and(|updated| Some(updated) == value(input));
    (!same).then(|| json(updated))
}

fn json(raw: Raw) -> Json {
    Json::trusted(raw.into_text())
}
