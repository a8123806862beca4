//! Questions and answers: what the CLI asks of the host, what the host asks of the CLI, and how both are answered.

use std::collections::BTreeMap;
use std::sync::Arc;

use claude_protocol::control::answer::{RewindFilesAnswer, SetModelAnswer, SetPermissionModeAnswer};
use claude_protocol::control::callback::CallbackAsk;
use claude_protocol::control::change::Change;
use claude_protocol::control::mcp::McpStatusAnswer;
use claude_protocol::control::{
    Ask, CallbackRequest, Cancel, Command, InitializeAnswer, PendingRequest, RequestFromCli, Response,
};
use claude_protocol::hook::HookInput;
use claude_protocol::permission::CanUseTool;
use claude_protocol::usage::context::ContextUsage;
use claude_protocol::wire::Wire;
use claude_protocol::{AgentId, Raw, RequestId, ToolUseId};
use serde::{Deserialize, Serialize};

use super::quiet::Quiet;
use super::{Converter, command, init, memory, suggest, tools};
use crate::event::Body;
use crate::event::ask::{
    ControlResult, Elicitation, FilesRestored, HookCallback, McpProvenance, PermissionCancelled, PermissionRequest,
    SettingsChanged, UserDialog,
};
use crate::event::session::{AvailableCommands, UnknownMessage};
use crate::json::Json;

/// What is open, both ways.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Requests {
    /// Questions of the CLI.
    asked: BTreeMap<Arc<str>, Question>,
    /// Requests of the host.
    sent: BTreeMap<Arc<str>, Sent>,
    /// The last request of the host that was answered.
    answered: Option<Arc<str>>,
    /// The last prompt before which files can be put back, and those files, as the agent said.
    restorable: Option<(Arc<str>, Vec<String>)>,
}

/// A question of the CLI.
#[derive(Debug, Serialize, Deserialize)]
struct Question {
    asked: Asked,
    /// It is about this call: when the call has its result, nobody waits for an answer any more.
    call: Option<Arc<str>>,
    /// A subagent asks, which may work on after the turn.
    of_subagent: bool,
}

/// What is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Asked {
    /// For leave to use a tool, with this input.
    Permission(#[serde(with = "memory::value")] Raw),
    /// Of an MCP server to the user.
    Elicitation,
    /// For a dialog.
    Dialog,
    /// To a hook.
    Hook(HookAbout),
    /// To a tool server of the host.
    ToolServer(String),
}

/// What a hook is asked about.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum HookAbout {
    /// A call that is about to run, with this input.
    Call(Arc<str>, #[serde(with = "memory::value")] Raw),
    /// A prompt that is about to be taken.
    Prompt,
    /// Anything else.
    Other,
}

impl HookAbout {
    fn call(call: &Arc<str>, input: Option<&Raw>) -> Self {
        HookAbout::Call(Arc::clone(call), input.cloned().unwrap_or_default())
    }
}

impl Asked {
    /// Is a person to answer?
    fn is_for_people(&self) -> bool {
        matches!(self, Asked::Permission(_) | Asked::Elicitation | Asked::Dialog)
    }
}

/// A request of the host.
#[derive(Debug, Serialize, Deserialize)]
struct Sent {
    subtype: String,
    /// What it sets, in case the answer does not repeat it.
    model: Option<String>,
    mode: Option<String>,
    #[serde(default)]
    changed: Option<SettingsChanged>,
    restore: Option<Restore>,
}

/// A wish to put files back.
#[derive(Debug, Serialize, Deserialize)]
struct Restore {
    /// To before this prompt.
    before: Arc<str>,
    /// Only to be told what would happen.
    dry_run: bool,
    by: Option<String>,
}

impl Requests {
    /// The CLI asks something, about a call if one is named.
    fn asks(&mut self, id: &Arc<str>, asked: Asked, call: Option<&Arc<str>>, of_subagent: bool) {
        self.asked.insert(Arc::clone(id), Question { asked, call: call.cloned(), of_subagent });
    }

    /// A question is answered or taken back: what was asked, if it is open.
    pub(super) fn closed(&mut self, id: &str) -> Option<Asked> {
        self.asked.remove(id).map(|question| question.asked)
    }

    /// A call has its result. Where the answers are not among the lines, nothing else says that its questions are over.
    pub(super) fn call_ended(&mut self, call: &str) {
        self.asked.retain(|_, question| question.call.as_deref() != Some(call));
    }

    /// The main agent's turn has ended, and with it its questions. A dialog about a call lasts as long as the call.
    pub(super) fn turn_ended(&mut self) {
        let lasts = |asked: &Asked, call: &Option<_>| matches!(asked, Asked::Dialog) && call.is_some();
        self.asked.retain(|_, question| question.of_subagent || lasts(&question.asked, &question.call));
    }

    /// The host asks something, on behalf of somebody.
    pub(super) fn sent(&mut self, id: &Arc<str>, command: &Command, by: Option<&str>) {
        let model = if let Command::SetModel(set) = command { set.model.clone() } else { None };
        let mode = if let Command::SetPermissionMode(set) = command { Some(set.mode.to_string()) } else { None };
        let restore = if let Command::RewindFiles(rewind) = command {
            let before = rewind.user_message_id.clone().into_shared();
            Some(Restore { before, dry_run: rewind.dry_run == Some(true), by: by.map(str::to_owned) })
        } else {
            None
        };
        self.sent.insert(
            Arc::clone(id),
            Sent { subtype: command.kind().to_owned(), model, mode, changed: changed(command), restore },
        );
    }

    /// What the agent says about putting files back; something comes out if it has.
    fn restored(&mut self, wish: Restore, answer: RewindFilesAnswer) -> Option<FilesRestored> {
        if answer.can_rewind != Some(true) {
            return None;
        }
        let Restore { before, dry_run, by } = wish;
        if dry_run {
            self.restorable = Some((before, answer.files_changed.unwrap_or_default()));
            return None;
        }
        let told = self.restorable.take().filter(|(prompt, _)| *prompt == before);
        let files = answer.files_changed.or(told.map(|(_, files)| files)).unwrap_or_default();
        Some(FilesRestored { before, files, by })
    }
}

/// Of the settings that a request may change, those that are shown.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct FlagSettings {
    effort_level: Option<String>,
    fast_mode: Option<bool>,
}

/// What a request sets and its answer does not repeat.
fn changed(command: &Command) -> Option<SettingsChanged> {
    let nothing =
        SettingsChanged { effort: None, fast_mode: None, thinking: None, mcp_server: None, mcp_enabled: None };
    if let Command::McpToggle(toggle) = command {
        let (mcp_server, mcp_enabled) = (Some(toggle.server_name.clone()), Some(toggle.enabled));
        return Some(SettingsChanged { mcp_server, mcp_enabled, ..nothing });
    }
    if let Command::SetMaxThinkingTokens(set) = command {
        let thinking = match set.max_thinking_tokens {
            Change::Keep => return None,
            Change::Reset => "on".to_owned(),
            Change::To(0) => "off".to_owned(),
            Change::To(tokens) => tokens.to_string(),
        };
        return Some(SettingsChanged { thinking: Some(thinking), ..nothing });
    }
    let Command::ApplyFlagSettings(apply) = command else { return None };
    let settings: FlagSettings = Json::trusted(apply.settings.text()).read();
    let word = |on| if on { "on" } else { "off" }.to_owned();
    let changed = SettingsChanged { effort: settings.effort_level, fast_mode: settings.fast_mode.map(word), ..nothing };
    (changed.effort.is_some() || changed.fast_mode.is_some()).then_some(changed)
}

impl Converter {
    pub(super) fn control_request(&mut self, request: RequestFromCli) {
        let id = request.request_id.into_shared();
        match request.request {
            Ask::CanUseTool(ask) => self.permission(id, *ask),
            Ask::Elicitation(ask) => {
                self.requests.asks(&id, Asked::Elicitation, None, false);
                self.out.put(Body::Elicitation(Box::new(Elicitation {
                    request_id: id,
                    mcp_server: Some(ask.mcp_server_name).filter(|name| !name.is_empty()),
                    message: ask.message,
                    mode: ask.mode.map(|mode| mode.to_string()),
                    url: ask.url,
                    elicitation_id: ask.elicitation_id,
                    requested_schema: ask.requested_schema.map(|raw| Json::trusted(raw.into_text())),
                    property_order: ask.property_order,
                    title: ask.title,
                    display_name: ask.display_name,
                    description: ask.description,
                })));
            }
            Ask::UserDialog(ask) => {
                let tool_use_id = ask.tool_use_id.map(ToolUseId::into_shared);
                self.requests.asks(&id, Asked::Dialog, tool_use_id.as_ref(), false);
                self.out.put(Body::UserDialog(UserDialog {
                    request_id: id,
                    dialog_kind: Some(ask.dialog_kind).filter(|kind| !kind.is_empty()),
                    payload: ask.payload.map(|raw| Json::trusted(raw.into_text())),
                    tool_use_id,
                }));
            }
            Ask::HookCallback(ask) => {
                let tool_use_id = ask.tool_use_id.map(ToolUseId::into_shared);
                let (about, of_subagent) = match (&ask.input, &tool_use_id) {
                    (HookInput::PreToolUse(input), Some(call)) => {
                        (HookAbout::call(call, input.tool_input.as_ref()), input.agent_id.is_some())
                    }
                    (HookInput::PermissionRequest(input), Some(call)) => {
                        (HookAbout::call(call, input.tool_input.as_ref()), input.agent_id.is_some())
                    }
                    (HookInput::UserPromptSubmit(_), _) => (HookAbout::Prompt, false),
                    _ => (HookAbout::Other, false),
                };
                let call = match &about {
                    HookAbout::Call(call, _) => Some(Arc::clone(call)),
                    HookAbout::Prompt | HookAbout::Other => None,
                };
                self.requests.asks(&id, Asked::Hook(about), call.as_ref(), of_subagent);
                self.out.put(Body::HookCallback(HookCallback {
                    request_id: id,
                    callback_id: Some(ask.callback_id.to_string()).filter(|id| !id.is_empty()),
                    hook_event: Some(ask.input.kind().to_owned()).filter(|event| !event.is_empty()),
                    tool_use_id,
                    input: Some(Json::trusted(Raw::from_wire(&ask.input).into_text())),
                }));
            }
            Ask::McpMessage(ask) => {
                self.requests.asks(&id, Asked::ToolServer(ask.server_name), None, false);
                self.out.quiet(Quiet::ToolServer);
            }
            Ask::Other(other) => self.unknown("control_request", Some(other.kind)),
        }
    }

    pub(super) fn callback_request(&mut self, request: CallbackRequest) {
        if let Some(session) = &request.session_id {
            self.out.session(session.as_str());
        }
        match request.payload {
            CallbackAsk::CanUseTool(ask) => self.permission(request.id.into_shared(), *ask),
            CallbackAsk::Other(other) => self.unknown("callback.request", Some(other.kind)),
        }
    }

    fn permission(&mut self, request_id: Arc<str>, ask: CanUseTool) {
        let tool_use_id = ask.tool_use_id.map(ToolUseId::into_shared);
        let asked = Asked::Permission(ask.input.clone());
        self.requests.asks(&request_id, asked, tool_use_id.as_ref(), ask.agent_id.is_some());
        self.out.about().agent_id = ask.agent_id.map(AgentId::into_shared);
        self.out.put(Body::PermissionRequest(Box::new(PermissionRequest {
            request_id,
            tool_kind: tools::kind(&ask.tool_name),
            is_question: ask.tool_name == "AskUserQuestion",
            tool_name: ask.tool_name,
            tool_input: tools::object(ask.input),
            tool_use_id,
            reason: ask.decision_reason,
            blocked_path: ask.blocked_path,
            suggestions: ask
                .permission_suggestions
                .map(|updates| updates.into_iter().map(suggest::suggestion).collect()),
            reason_type: ask.decision_reason_type.map(|kind| kind.to_string()),
            title: ask.title,
            display_name: ask.display_name,
            description: ask.description,
            mcp_server: ask.mcp_server.map(|server| McpProvenance { name: server.name, source: server.source }),
            classifier_approvable: ask.classifier_approvable,
            suppress_always_allow: ask.suppress_always_allow_rule,
            default_to_no: ask.default_to_no,
            requires_user_interaction: ask.requires_user_interaction,
            matched_ask_rule: ask.matched_ask_rule.as_ref().map(suggest::matched),
        })));
    }

    /// The CLI takes a question back.
    pub(super) fn control_cancel(&mut self, cancel: Cancel) {
        let request_id = cancel.request_id.into_shared();
        match self.requests.closed(&request_id) {
            Some(asked) if !asked.is_for_people() => self.out.quiet(Quiet::ToolServer),
            _ => self.out.put(Body::PermissionCancelled(PermissionCancelled { request_id })),
        }
    }

    /// The process has ended: nobody waits for answers any more, and none will come.
    pub(super) fn abandon_requests(&mut self) {
        for (request_id, question) in std::mem::take(&mut self.requests.asked) {
            if question.asked.is_for_people() {
                self.out.put(Body::PermissionCancelled(PermissionCancelled { request_id }));
            }
        }
        self.requests.sent.clear();
        self.requests.answered = None;
    }

    /// The CLI answers the host.
    pub(super) fn control_response(&mut self, response: Response) {
        let request_id = response.response.request_id.clone().map(RequestId::into_shared);
        let sent = request_id.as_ref().and_then(|id| self.requests.sent.remove(id));
        if sent.is_none() && request_id.is_some() && request_id == self.requests.answered {
            return self.out.quiet(Quiet::AnsweredTwice);
        }
        self.requests.answered.clone_from(&request_id);
        let subtype = sent.as_ref().map(|sent| sent.subtype.clone());
        let error = response.failure().map(str::to_owned);
        let ok = error.is_none();
        let mut result = ControlResult {
            request_id,
            subtype,
            ok,
            error,
            response: None,
            model: None,
            permission_mode: None,
            changed: None,
            context_usage: None,
            mcp_servers: None,
            files_restored: None,
            offered: None,
        };
        let answer = response.answer();
        let initialize = if ok { initialize_answer(answer.as_deref(), result.subtype.as_deref()) } else { None };
        let has_commands = initialize.as_ref().is_some_and(|answer| answer.commands.is_some());
        match initialize {
            // Each `init` tells it again, but a model can be chosen before the first turn.
            Some(initialize) => result.offered = Some(self.start.answered(initialize)),
            None => result.response = answer.as_ref().map(|raw| Json::trusted(raw.text())),
        }
        if let Some(sent) = sent.filter(|_| ok) {
            let answer = answer.as_deref();
            match sent.subtype.as_str() {
                "set_model" => {
                    result.model = read::<SetModelAnswer>(answer).and_then(|answer| answer.model).or(sent.model);
                }
                "set_permission_mode" => {
                    let told = read::<SetPermissionModeAnswer>(answer).and_then(|answer| answer.mode);
                    result.permission_mode = told.map(|mode| mode.to_string()).or(sent.mode);
                }
                "get_context_usage" => {
                    result.context_usage = read::<ContextUsage>(answer).map(command::usage_of_answer);
                }
                "mcp_status" => {
                    let servers = read::<McpStatusAnswer>(answer).map(|answer| answer.mcp_servers);
                    let servers = servers.map(|servers| servers.into_iter().map(init::server_status).collect());
                    result.mcp_servers = servers;
                }
                "rewind_files" => {
                    let answer = read::<RewindFilesAnswer>(answer);
                    let restored = sent.restore.zip(answer).and_then(|(wish, said)| self.requests.restored(wish, said));
                    result.files_restored = restored;
                }
                _ => result.changed = sent.changed,
            }
        }
        self.out.put(Body::ControlResult(Box::new(result)));
        if let Some(commands) = self.start.commands.clone().filter(|_| has_commands) {
            // A prompt can be typed before the first turn, and with it a command.
            self.out.put(Body::AvailableCommands(AvailableCommands { available_commands: commands }));
        }
        let reply = response.response;
        let pending =
            [reply.pending_permission_requests, reply.pending_user_dialog_requests, reply.pending_elicitation_requests];
        for request in pending.into_iter().flatten().flatten() {
            self.still_pending(request);
        }
    }

    /// A question that a new host is told of again.
    fn still_pending(&mut self, request: PendingRequest) {
        match request {
            PendingRequest::Request(request) if self.requests.asked.contains_key(request.request_id.as_str()) => {}
            PendingRequest::Request(request) => self.control_request(*request),
            PendingRequest::Other(other) => self.unknown("pending_request", Some(other.kind)),
        }
    }

    /// A message of a kind that we do not know.
    pub(super) fn unknown(&mut self, message_type: &str, subtype: Option<String>) {
        self.out.put(Body::UnknownMessage(UnknownMessage {
            message_type: message_type.to_owned(),
            subtype: subtype.filter(|subtype| !subtype.is_empty()),
            direction: None,
        }));
    }
}

fn read<T: Wire>(answer: Option<&Raw>) -> Option<T> {
    answer?.read::<T>().map(|reading| reading.value)
}

/// The answer to `initialize`, if this is one. Without the request, it is known by what only it has.
fn initialize_answer(answer: Option<&Raw>, subtype: Option<&str>) -> Option<InitializeAnswer> {
    let looks_like_one = |answer: &InitializeAnswer| {
        answer.commands.is_some() && (answer.models.is_some() || answer.account.is_some() || answer.agents.is_some())
    };
    match subtype {
        Some("initialize") => Some(read::<InitializeAnswer>(answer).unwrap_or_default()),
        Some(_) => None,
        None => read::<InitializeAnswer>(answer).filter(looks_like_one),
    }
}
