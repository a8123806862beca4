//! What the CLI writes on stdout: one variant per `type`.

use crate::control::{CallbackRequest, Cancel, RequestFromCli, Response};
use crate::ids::{Envelope, SessionId, ToolUseId, Uuid};

pub mod account;
pub mod assistant;
pub mod origin;
pub mod result;
pub mod screen;
pub mod stream;
pub mod system;
pub mod turn;
pub mod user;

pub use account::{AuthStatus, RateLimitEvent};
pub use assistant::{Assistant, AssistantError};
pub use origin::Origin;
pub use result::{ResultKind, TurnResult};
pub use stream::StreamEvent;
pub use system::System;
pub use turn::{
    ActiveGoal, CommandLifecycle, ConversationReset, ErrorLine, KeepAlive, PromptSuggestion, ToolProgress,
    ToolUseSummary, TranscriptMirror,
};
pub use user::User;

tagged! {
    /// A line of the CLI's stdout.
    pub enum FromCli by "type" after [] {
        /// A piece of an answer while it is being made. Only with `--include-partial-messages` (2.0.77 to 2.1.325).
        "stream_event" => StreamEvent(Box<StreamEvent>),
        /// A piece of the model's answer, or words the CLI puts in its place (2.0.77 to 2.1.325).
        "assistant" => Assistant(Box<Assistant>),
        /// A message to the model: the result of a tool, the prompt of a subagent, words of the CLI, a replay (2.0.77
        /// to 2.1.325).
        "user" => User(Box<User>),
        /// News about the session and its work, told apart by `subtype` (2.0.77 to 2.1.325).
        "system" => System(System),
        /// The end of a turn (2.0.77 to 2.1.325).
        "result" => Result(Box<TurnResult>),

        /// A question of the CLI that the host must answer: a permission, a hook, a tool of the host (2.0.77 to
        /// 2.1.325).
        "control_request" => ControlRequest(Box<RequestFromCli>),
        /// The answer to a command of the host (2.0.77 to 2.1.325).
        "control_response" => ControlResponse(Box<Response>),
        /// The CLI takes back a question (2.1.55 to 2.1.325).
        "control_cancel_request" => ControlCancel(Cancel),
        /// A question in the dialect of one older document; never measured.
        "callback.request" => CallbackRequest(Box<CallbackRequest>),
        /// The life of a prompt that has a uuid (2.1.207 to 2.1.325, undeclared).
        "command_lifecycle" => CommandLifecycle(CommandLifecycle),
        /// A tool still runs (2.1.233 to 2.1.325).
        "tool_progress" => ToolProgress(Box<ToolProgress>),
        /// A few words about tool calls that have ended (2.1.85 to 2.1.325).
        "tool_use_summary" => ToolUseSummary(ToolUseSummary),
        /// What the user might ask next (2.1.176 to 2.1.325).
        "prompt_suggestion" => PromptSuggestion(PromptSuggestion),
        /// The conversation was thrown away (2.1.233 to 2.1.325).
        "conversation_reset" => ConversationReset(ConversationReset),
        /// The limits of the plan have changed (2.1.55 to 2.1.325).
        "rate_limit_event" => RateLimitEvent(RateLimitEvent),
        /// The state of a login (2.1.55 to 2.1.325).
        "auth_status" => AuthStatus(AuthStatus),
        /// Entries of a transcript file, as they are written (2.1.176 to 2.1.325, undeclared).
        "transcript_mirror" => TranscriptMirror(TranscriptMirror),
        /// The goal that the session works towards. Declared, not measured.
        "active_goal" => ActiveGoal(ActiveGoal),
        /// A sign of life. Declared; never measured on stdout.
        "keep_alive" => KeepAlive(KeepAlive),
        /// Something went wrong, in two of the older documents; never measured.
        "error" => Error(ErrorLine),

        // For a screen of the CLI's own; known from its code (2.1.325) only.
        /// What the model is told besides the conversation. Not measured.
        "attachment" => AttachmentLine(Box<screen::AttachmentLine>),
        /// A message is to be taken back. Not measured.
        "tombstone" => Tombstone(screen::Tombstone),
        /// How a call of the API goes. Not measured.
        "api_metrics" => ApiMetrics(screen::ApiMetrics),
        /// The user is to be told by the system's own means. Not measured.
        "os_notification" => OsNotification(screen::OsNotification),
        /// Settings for this session only. Not measured.
        "apply_flag_settings" => FlagSettings(screen::FlagSettings),
        /// A list is to be opened at the side. Not measured.
        "set_expanded_view" => SetExpandedView(screen::SetExpandedView),
        /// When the conversation will be summed up. Not measured.
        "autocompact_state" => AutocompactState(screen::AutocompactState),
        /// The tool calls that run. Not measured.
        "set_in_progress_tool_use_ids" => SetInProgressToolUseIds(screen::SetInProgressToolUseIds),
        /// Hints are to be taken away. Not measured.
        "hint_clears" => HintClears(screen::HintClears),
        /// The user is to choose a message to go back to. Not measured.
        "open_message_selector" => OpenMessageSelector(screen::OpenMessageSelector),
        /// How a compaction goes. Not measured.
        "compact_progress" => CompactProgress(screen::CompactProgress),
        /// What the spinner is to say. Not measured.
        "stream_mode" => StreamMode(screen::StreamMode),
        ;
        /// A text that is no JSON object.
        NotJson
    }
}

impl FromCli {
    /// The kind with its subtype, where it has one: `system/init`, `result/success`.
    pub fn full_kind(&self) -> String {
        match self {
            FromCli::System(system) => format!("{}/{}", self.kind(), system.kind()),
            FromCli::Result(result) => format!("{}/{}", self.kind(), result.subtype),
            _ => self.kind().to_owned(),
        }
    }

    /// The ids of the line; none when its kind is not known.
    pub fn envelope(&self) -> Option<&dyn Envelope> {
        Some(match self {
            FromCli::StreamEvent(line) => &**line,
            FromCli::Assistant(line) => &**line,
            FromCli::User(line) => &**line,
            FromCli::System(system) => return system.envelope(),
            FromCli::Result(line) => &**line,
            FromCli::ControlRequest(line) => &**line,
            FromCli::ControlResponse(line) => &**line,
            FromCli::ControlCancel(line) => line,
            FromCli::CommandLifecycle(line) => line,
            FromCli::ToolProgress(line) => &**line,
            FromCli::ToolUseSummary(line) => line,
            FromCli::PromptSuggestion(line) => line,
            FromCli::ConversationReset(line) => line,
            FromCli::RateLimitEvent(line) => line,
            FromCli::AuthStatus(line) => line,
            FromCli::TranscriptMirror(line) => line,
            FromCli::ActiveGoal(line) => line,
            FromCli::KeepAlive(line) => line,
            FromCli::Error(line) => line,
            FromCli::AttachmentLine(line) => &**line,
            FromCli::Tombstone(line) => line,
            FromCli::ApiMetrics(line) => line,
            FromCli::OsNotification(line) => line,
            FromCli::FlagSettings(line) => line,
            FromCli::SetExpandedView(line) => line,
            FromCli::AutocompactState(line) => line,
            FromCli::SetInProgressToolUseIds(line) => line,
            FromCli::HintClears(line) => line,
            FromCli::OpenMessageSelector(line) => line,
            FromCli::CompactProgress(line) => line,
            FromCli::StreamMode(line) => line,
            FromCli::CallbackRequest(_) | FromCli::Other(_) | FromCli::NotJson(_) => return None,
        })
    }

    /// The id of the line. Of an `assistant`, `user` or `compact_boundary` line it is also that of its entry in the
    /// transcript file.
    pub fn uuid(&self) -> Option<&Uuid> {
        self.envelope()?.uuid()
    }

    /// The CLI's session.
    pub fn session_id(&self) -> Option<&SessionId> {
        self.envelope()?.session_id()
    }

    /// The tool call whose subagent speaks; none for the main agent. The field of the same name on `tool_progress` is
    /// the running call itself and not given here.
    pub fn parent_tool_use_id(&self) -> Option<&ToolUseId> {
        match self {
            FromCli::StreamEvent(line) => line.parent_tool_use_id.as_ref(),
            FromCli::Assistant(line) => line.parent_tool_use_id.as_ref(),
            FromCli::User(line) => line.parent_tool_use_id.as_ref(),
            FromCli::System(system) => system.parent_tool_use_id(),
            FromCli::Result(line) => line.parent_tool_use_id.as_ref(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode;

    #[test]
    fn every_known_line_tells_its_ids() {
        let line = r#"{"type":"TYPE","subtype":"SUB","uuid":"u1","session_id":"s1"}"#;
        let ids = |kind: &str, subtype: &str| {
            let body = decode(line.replace("TYPE", kind).replace("SUB", subtype)).body;
            (body.uuid().cloned(), body.session_id().cloned())
        };
        let expected = (Some("u1".into()), Some("s1".into()));
        let control = |kind: &str| kind.starts_with("control_") || kind == "callback.request";
        for kind in FromCli::KINDS.iter().filter(|kind| **kind != "system" && !control(kind)) {
            assert_eq!(ids(kind, "success"), expected, "{kind}");
        }
        for subtype in System::KINDS {
            assert_eq!(ids("system", subtype), expected, "system/{subtype}");
        }
        assert_eq!(ids("news", ""), (None, None));
    }

    #[test]
    fn the_full_kind_has_the_subtype() {
        let kind = |line: &str| decode(line).body.full_kind();
        assert_eq!(kind(r#"{"type":"system","subtype":"init"}"#), "system/init");
        assert_eq!(kind(r#"{"type":"system","subtype":"tomorrow"}"#), "system/tomorrow");
        assert_eq!(kind(r#"{"type":"result","subtype":"error_max_turns"}"#), "result/error_max_turns");
        assert_eq!(kind(r#"{"type":"keep_alive"}"#), "keep_alive");
    }

    #[test]
    fn the_parent_is_the_call_whose_subagent_speaks_and_not_a_call_that_still_runs() {
        let parent = |line: &str| decode(line).body.parent_tool_use_id().map(ToString::to_string);
        assert_eq!(
            parent(r#"{"type":"user","message":{"content":"hi"},"parent_tool_use_id":"toolu_1"}"#).as_deref(),
            Some("toolu_1")
        );
        assert_eq!(parent(r#"{"type":"assistant","message":{"content":[]},"parent_tool_use_id":null}"#), None);
        assert_eq!(
            parent(r#"{"type":"tool_progress","tool_use_id":"toolu_1-heartbeat-0","parent_tool_use_id":"toolu_1"}"#),
            None
        );
    }
}
