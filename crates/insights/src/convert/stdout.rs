//! Lines of the CLI's stdout: each type to its events, or to the reason why it has none.

use claude_protocol::from_cli::turn::{CommandLifecycle, CommandState};
use claude_protocol::{AgentId, Envelope, FromCli, NotJson, Uuid};

use super::assistant::Said;
use super::quiet::Quiet;
use super::user::Heard;
use super::{Converter, Profile};
use crate::event::Body;
use crate::event::session::{PromptSuggestion, ProtocolError};
use crate::json::Json;

/// So much of a line that is no message is shown.
const SHOWN_CHARS: usize = 400;

impl Converter {
    pub(super) fn stdout(&mut self, body: FromCli) {
        // Most lines are pieces of an answer: these give their ids away, and need not share them.
        if !matches!(body, FromCli::StreamEvent(_))
            && let Some(ids) = body.envelope()
        {
            self.about(ids);
        }
        match body {
            FromCli::StreamEvent(line) => self.stream_event(line),
            FromCli::Assistant(line) => {
                let about = self.out.about();
                about.agent_id = line.agent_id.clone().map(AgentId::into_shared);
                about.agent_type = line.subagent_type.as_deref().map(Into::into);
                about.agent_description = line.task_description.as_deref().map(Into::into);
                self.wire_time(line.timestamp.as_deref());
                self.said(Said::from_line(*line));
            }
            FromCli::User(line) => {
                let about = self.out.about();
                about.agent_id = line.agent_id.clone().map(AgentId::into_shared);
                about.agent_type = line.subagent_type.as_deref().map(Into::into);
                about.agent_description = line.task_description.as_deref().map(Into::into);
                about.origin = line.origin.as_ref().map(|origin| origin.kind().into());
                self.wire_time(line.timestamp.as_deref());
                self.heard(Heard::from_line(*line));
            }
            FromCli::System(line) => self.system(line),
            FromCli::Result(line) => self.result(*line),
            FromCli::ControlRequest(line) => self.control_request(*line),
            FromCli::ControlResponse(line) => self.control_response(*line),
            FromCli::ControlCancel(line) => self.control_cancel(line),
            FromCli::CallbackRequest(line) => self.callback_request(*line),
            FromCli::CommandLifecycle(line) => self.lifecycle(line),
            FromCli::ToolProgress(line) => self.tool_progress(*line),
            FromCli::ToolUseSummary(line) => self.tool_summary(line),
            FromCli::PromptSuggestion(line) => {
                let suggestion = line.suggestion.unwrap_or_default();
                self.out.put(Body::PromptSuggestion(PromptSuggestion { suggestion }));
            }
            FromCli::ConversationReset(line) => self.conversation_reset(line),
            FromCli::RateLimitEvent(line) => self.rate_limit(line),
            FromCli::AuthStatus(line) => self.auth_status(line),
            FromCli::ActiveGoal(line) => self.goal(line),
            FromCli::Error(line) => self.error_line(line),
            FromCli::TranscriptMirror(_) => self.out.quiet(Quiet::TranscriptMirror),
            FromCli::KeepAlive(_) => self.out.quiet(Quiet::KeepAlive),
            FromCli::OsNotification(line) => self.noted("os_notification", line.message, ""),
            FromCli::AttachmentLine(_) => self.unknown("attachment", None),
            FromCli::Tombstone(_)
            | FromCli::ApiMetrics(_)
            | FromCli::FlagSettings(_)
            | FromCli::SetExpandedView(_)
            | FromCli::AutocompactState(_)
            | FromCli::SetInProgressToolUseIds(_)
            | FromCli::HintClears(_)
            | FromCli::OpenMessageSelector(_)
            | FromCli::CompactProgress(_)
            | FromCli::StreamMode(_) => self.out.quiet(Quiet::OwnScreen),
            FromCli::Other(other) => self.unknown(&other.kind, subtype(&other.raw)),
            FromCli::NotJson(not_json) => self.not_json(&not_json),
        }
    }

    fn about(&mut self, ids: &dyn Envelope) {
        if let Some(session) = ids.session_id() {
            self.out.session(session.as_str());
        }
        self.out.about().message_uuid = ids.uuid().cloned().map(Uuid::into_shared);
    }

    /// The CLI's own time, beside that of the record.
    fn wire_time(&mut self, timestamp: Option<&str>) {
        if let Some(timestamp) = timestamp.filter(|_| self.out.profile() == Profile::Full) {
            self.out.about().extend("claude.timestamp", Json::string(timestamp));
        }
    }

    fn lifecycle(&mut self, line: CommandLifecycle) {
        self.prompts.are_named();
        let uuid = line.command_uuid.map(Uuid::into_shared).unwrap_or_default();
        match line.state {
            Some(CommandState::Queued) => self.queue_prompt(&uuid),
            Some(CommandState::Started) => self.take_prompts(&[uuid]),
            Some(CommandState::Cancelled) => self.cancel_prompt(&uuid),
            Some(CommandState::Completed) => self.out.quiet(Quiet::PromptDone),
            Some(CommandState::Other(word)) => self.unknown("command_lifecycle", Some(word)),
            None => self.unknown("command_lifecycle", None),
        }
    }

    /// A line that is no message.
    pub(super) fn not_json(&mut self, not_json: &NotJson) {
        let line = self.out.text().chars().take(SHOWN_CHARS).collect();
        let error = format!("not a JSON object, from byte {} on", not_json.at);
        self.out.put(Body::ProtocolError(ProtocolError { error, line }));
    }
}

fn subtype(raw: &claude_protocol::Raw) -> Option<String> {
    let value: serde_json::Value = raw.parse().ok()?;
    Some(value.get("subtype")?.as_str()?.to_owned())
}
