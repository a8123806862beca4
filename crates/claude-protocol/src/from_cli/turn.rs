//! Lines around a turn: the life of a prompt, the progress of tools, what might be asked next, a new conversation; and
//! the few that belong to nothing larger: the mirror of a transcript, signs of life, errors.

use crate::ids::{AgentId, SessionId, TaskId, ToolUseId, Uuid};
use crate::transcript::Entry;

message! {
    /// A prompt's life, for each prompt that the host gave a uuid (2.1.325). `completed` and `cancelled` come after the
    /// `result`.
    pub struct CommandLifecycle {
        /// The prompt.
        pub command_uuid: Option<Uuid>,
        /// Where it is.
        pub state: Option<CommandState>,
        /// The schedule that sent it: `loop_wakeup` or `schedule_wakeup`. In the CLI's code, not measured.
        pub wakeup_source: Option<String>,
        /// When it was to be sent, in milliseconds since 1970. In the CLI's code, not measured.
        pub scheduled_for: Option<f64>,
        /// Have its hooks run before its turn? In the CLI's code, not measured.
        pub ran_ahead: Option<bool>,
    }

    /// A tool still runs: a heartbeat every 30 seconds, and when a subagent has to ask the API again (2.1.325).
    pub struct ToolProgress {
        /// The id of this piece of news, `<call>-heartbeat-N`. The call itself is `parent_tool_use_id`.
        pub tool_use_id: Option<ToolUseId>,
        /// The tool.
        pub tool_name: Option<String>,
        /// The call that runs. Not, as elsewhere, the call whose subagent speaks.
        pub parent_tool_use_id: Option<ToolUseId>,
        /// Seconds since it began.
        pub elapsed_time_seconds: Option<f64>,
        /// The task, if the call has become one. Declared, not measured.
        pub task_id: Option<TaskId>,
        /// Is this no more than a sign of life?
        pub heartbeat: Option<bool>,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// A call of the API that a subagent has to make again.
        pub subagent_retry: Option<SubagentRetry>,
    }

    /// A few words about tool calls that have ended (2.1.325, only with `CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES=1`).
    pub struct ToolUseSummary {
        /// The words.
        pub summary: Option<String>,
        /// The calls.
        pub preceding_tool_use_ids: Option<Vec<ToolUseId>>,
        /// When, as ISO 8601. In the CLI's code, not measured.
        pub timestamp: Option<String>,
    }

    /// What the user might ask next; after a `result`, but not that of the first turn (2.1.325, only with
    /// `--prompt-suggestions` or `promptSuggestions`).
    pub struct PromptSuggestion {
        /// The prompt.
        pub suggestion: Option<String>,
    }

    /// The conversation was thrown away: `/clear`, or a plan begins in a fresh context (2.1.325). The next `init` has
    /// the new session.
    pub struct ConversationReset {
        /// The new session.
        pub new_conversation_id: Option<SessionId>,
        /// What did it. Whatever it says, the conversation is gone.
        pub trigger: Option<ResetTrigger>,
        /// The prompt that said `/clear`.
        pub user_message_uuid: Option<Uuid>,
        /// When, as ISO 8601. For display only.
        pub timestamp: Option<String>,
    }

    /// The goal that the session works towards has changed. Declared, not measured: `/goal` did not send it.
    pub struct ActiveGoal {
        /// The goal; null when there is none any more.
        pub value: Option<Goal>,
    }

    /// Entries of a transcript file, as they are written (2.1.325, only with the hidden `--session-mirror`).
    pub struct TranscriptMirror {
        /// The file.
        pub file_path: Option<String> = "filePath",
        /// The entries.
        pub entries: Vec<Entry>,
    }

    /// A sign of life, in both directions. Never measured on stdout, where it is only documented and declared; of a
    /// host the CLI ignores it.
    pub struct KeepAlive {
        /// The step of the start-up that was just passed, for hosts that ask for it. Declared, not measured.
        pub startup_mark: Option<String>,
    }

    /// Something went wrong, in two of the older documents. Never measured in any version: bad input gets a line on
    /// stderr, and a failed call of the API an `assistant` line.
    pub struct ErrorLine {
        /// What went wrong.
        pub error: Option<ErrorDetails>,
    }
}

wire! {
    /// A call of the API that a subagent has to make again (2.1.325).
    pub struct SubagentRetry {
        /// The subagent.
        pub agent_id: Option<AgentId>,
        /// Which try this is, from 1.
        pub attempt: Option<u64>,
        /// The most tries.
        pub max_retries: Option<u64>,
        /// Milliseconds until then.
        pub retry_delay_ms: Option<f64>,
        /// The HTTP status; null when there was no answer.
        pub error_status: Option<u64>,
        /// What went wrong.
        pub error_category: Option<String>,
    }

    /// A goal that the session works towards. Declared, not measured.
    pub struct Goal {
        /// What is to be reached.
        pub condition: Option<String>,
        /// How often the model was sent on.
        pub iterations: Option<u64>,
        /// When it was set, in milliseconds since 1970.
        pub set_at: Option<f64>,
        /// Tokens that had been used by then.
        pub tokens_at_start: Option<u64>,
        /// Why it was last found not to be reached.
        pub last_reason: Option<String>,
    }

    /// What went wrong, in the form of the API's errors.
    pub struct ErrorDetails {
        /// The kind, for example `overloaded_error`.
        pub r#type: Option<String> = "type",
        /// In words.
        pub message: Option<String>,
    }
}

words! {
    /// Where a prompt is in its life (2.1.325).
    pub enum CommandState {
        /// It waits.
        Queued = "queued",
        /// The model has it.
        Started = "started",
        /// Its turn has ended.
        Completed = "completed",
        /// It was called off.
        Cancelled = "cancelled",
    }

    /// What threw a conversation away.
    pub enum ResetTrigger {
        /// `/clear` or one of its aliases (2.1.325).
        Clear = "clear",
        /// The end of plan mode, with a fresh context. Declared, not measured.
        PlanModeExit = "plan_mode_exit",
        /// A fresh session for a plan. Declared, not measured.
        FreshSession = "fresh_session",
        /// The introduction ran again. Declared, not measured.
        Onboarding = "onboarding",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromCli, decode};

    #[test]
    fn the_error_line_of_the_older_documents_is_read() {
        let line = r#"{"type":"error","error":{"type":"overloaded_error","message":"Try again"}}"#;
        let details = ErrorDetails { r#type: Some("overloaded_error".into()), message: Some("Try again".into()) };
        assert_eq!(decode(line).body, FromCli::Error(ErrorLine { error: Some(details), ..ErrorLine::default() }));
    }

    #[test]
    fn the_entries_of_a_mirrored_transcript_are_typed() {
        let line = r#"{"type":"transcript_mirror","filePath":"/s.jsonl","entries":[{"type":"mode","mode":"normal"}]}"#;
        let decoded = decode(line);
        assert_eq!(decoded.notes, []);
        let FromCli::TranscriptMirror(mirror) = decoded.body else { panic!("not a mirror") };
        assert!(matches!(&mirror.entries[..], [Entry::Mode(entry)] if entry.mode.as_deref() == Some("normal")));
    }
}
