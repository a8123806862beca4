//! `system` lines that no document declares: their fields are known from the CLI's code (2.1.325), and none was
//! measured. Some are written in a terminal, a desktop app or a hosted session only.

use crate::from_cli::system::notices::Level;
use crate::ids::{AgentId, RequestId, TaskId, ToolUseId, Uuid};

message! {
    /// A turn begins. In the CLI's code (2.1.325), not measured.
    pub struct TurnStarting {
        /// What kind of turn, for example `task-notification`.
        pub mode: Option<String>,
        /// The task whose end began it, if it is one of those.
        pub task_id: Option<TaskId>,
    }

    /// Of a start or a turn no more is said than that it is so. In the CLI's code (2.1.325), not measured.
    pub struct Mark {}

    /// A turn was broken off for another prompt. In the CLI's code (2.1.325), not measured.
    pub struct TurnPreempted {
        /// Why.
        pub reason: Option<String>,
        /// The prompt that goes first.
        pub preempted_by_uuid: Option<Uuid>,
        /// The prompts whose turn it was.
        pub preempted_message_uuids: Option<Vec<Uuid>>,
    }

    /// How long a turn took. In the CLI's code (2.1.325), not measured.
    pub struct TurnDuration {
        /// Milliseconds.
        pub duration_ms: Option<f64>,
        /// Tokens that were used of the budget.
        pub budget_tokens: Option<u64>,
        /// The budget, in tokens.
        pub budget_limit: Option<u64>,
        /// How often the model was sent on for the sake of the budget.
        pub budget_nudges: Option<u64>,
        /// How many messages there are.
        pub message_count: Option<u64>,
        /// Subagents that still run in the background.
        pub pending_background_agent_count: Option<u64>,
        /// Workflows that still run.
        pub pending_workflow_count: Option<u64>,
    }

    /// A text: what happened while the user was away, that a scheduled prompt was sent, what the model thinks. In the
    /// CLI's code (2.1.325), not measured.
    pub struct Words {
        /// The text.
        pub content: Option<String>,
    }

    /// What the session is busy with, in a few words. In the CLI's code (2.1.325), not measured.
    pub struct TaskSummary {
        /// The words; null when there are none any more.
        pub detail: Option<String>,
    }

    /// Where a turn has left the work. In the CLI's code (2.1.325), not measured.
    pub struct PostTurnSummary {
        /// The last message that it is about.
        pub summarizes_uuid: Option<Uuid>,
        /// What state the work is in.
        pub status_category: Option<String>,
        /// The same in words.
        pub status_detail: Option<String>,
        /// What the user has to do.
        pub needs_action: Option<String>,
    }

    /// Commands that were denied may be tried again. In the CLI's code (2.1.325), not measured.
    pub struct PermissionRetry {
        /// A word to the user.
        pub content: Option<String>,
        /// The commands.
        pub commands: Option<Vec<String>>,
    }

    /// Whether a tool call may run is being found out. In the CLI's code (2.1.325), not measured.
    pub struct PermissionCheckStatus {
        /// The call.
        pub tool_use_id: Option<ToolUseId>,
        /// The subagent that made it.
        pub agent_id: Option<AgentId>,
        /// How far that is.
        pub status: Option<PermissionCheck>,
    }

    /// Memories were written. In the CLI's code (2.1.325), not measured.
    pub struct MemorySaved {
        /// The files.
        pub written_paths: Option<Vec<String>>,
        /// How many of them are the team's.
        pub team_count: Option<u64>,
        /// What to call it.
        pub verb: Option<String>,
    }

    /// Files of the session, such as the plan, as they are now. In the CLI's code (2.1.325), not measured.
    pub struct FileSnapshot {
        /// A word to the user.
        pub content: Option<String>,
        /// The files.
        pub snapshot_files: Option<Vec<SnapshotFile>>,
    }

    /// Files that came with a prompt are not there. In the CLI's code (2.1.325), not measured.
    pub struct FileAttachmentsMissing {
        /// The prompt.
        pub message_uuid: Option<Uuid>,
        /// How many files came with it.
        pub sent_count: Option<u64>,
        /// Those that are not there.
        pub missing: Option<Vec<MissingFile>>,
    }

    /// The files with instructions, such as `CLAUDE.md`, are large. In the CLI's code (2.1.325), not measured.
    pub struct InstructionSizeWarning {
        /// How long they are together, in characters.
        pub total_chars: Option<u64>,
        /// How long they should be at most.
        pub total_limit_chars: Option<u64>,
        /// How many there are.
        pub file_count: Option<u64>,
        /// How long the longest is.
        pub largest_chars: Option<u64>,
    }

    /// Whether the effort can differ from turn to turn has changed. In the CLI's code (2.1.325), not measured.
    pub struct PerTurnEffortChanged {
        /// Can it?
        pub per_turn_effort_active: Option<bool>,
    }

    /// Facts about the session. In the CLI's code (2.1.325), not measured.
    pub struct SessionMetadata {
        /// The facts.
        pub metadata: Option<Metadata>,
    }

    /// A message of another session is held back, or no longer. In the CLI's code (2.1.325), not measured.
    pub struct PeerMessageHold {
        /// Which of the two.
        pub state: Option<HoldState>,
        /// The message.
        pub message_uuid: Option<Uuid>,
        /// The way it came: `bridge`, `stdin` or `socket`.
        pub lane: Option<String>,
        /// The other session's address.
        pub from: Option<String>,
        /// The other session's name.
        pub from_name: Option<String>,
        /// Why it is held back, for example `mode-mismatch`.
        pub cause: Option<String>,
        /// What became of it: `expired`, `refused`, `dropped` or `discarded`.
        pub outcome: Option<String>,
    }

    /// Questions that the session took over have been dealt with. In the CLI's code (2.1.325), not measured.
    pub struct InheritedAsksSettled {
        /// Those that are still open.
        pub kept_request_ids: Option<Vec<RequestId>>,
    }

    /// A report to the vendor was drafted. In the CLI's code (2.1.325), not measured.
    pub struct FeedbackDraftQueued {
        /// The draft.
        pub draft_id: Option<String>,
        /// `bug`, `idea` or `missing_capability`.
        pub draft_type: Option<String>,
        /// Its title.
        pub title: Option<String>,
        /// Its beginning.
        pub details_preview: Option<String>,
    }

    /// A model needs the user's consent. In the CLI's code (2.1.325), not measured.
    pub struct ModelConsentFallback {
        /// What the user chose: `consent`, `switch_default` or `cancelled`.
        pub choice: Option<String>,
        /// The model.
        pub original_model: Option<String>,
        /// Its name for people.
        pub original_model_name: Option<String>,
        /// The model that takes over.
        pub fallback_model: Option<String>,
        /// Is that one the default from now on?
        pub persisted_as_default: Option<bool>,
        /// A word to the user.
        pub content: Option<String>,
    }

    /// A call of the API failed and will be made again, in the form of the transcript. In the CLI's code (2.1.325), not
    /// measured: what is written is [`ApiRetry`](super::ApiRetry).
    pub struct ApiErrorNotice {
        /// The failure.
        pub error: Option<Box<ApiFailure>>,
        /// Milliseconds until the next try.
        pub retry_in_ms: Option<f64>,
        /// The number of this try.
        pub retry_attempt: Option<u64>,
        /// The most tries.
        pub max_retries: Option<u64>,
    }

    /// Hooks ran at the end of a turn, in the form of the transcript. In the CLI's code (2.1.325), not measured.
    pub struct StopHookSummary {
        /// How many.
        pub hook_count: Option<u64>,
        /// Which.
        pub hook_infos: Option<Vec<StopHook>>,
        /// What went wrong in them.
        pub hook_errors: Option<Vec<String>>,
        /// What they added to the context.
        pub hook_additional_context: Option<Vec<String>>,
        /// Did one of them end the work?
        pub prevented_continuation: Option<bool>,
        /// Why it did.
        pub stop_reason: Option<String>,
        /// Did they print anything?
        pub has_output: Option<bool>,
        /// How much it matters.
        pub level: Option<Level>,
        /// An id of this run of the hooks.
        pub tool_use_id: Option<String>,
        /// The event, where it is not `Stop`.
        pub hook_label: Option<String>,
        /// How long all took, in milliseconds.
        pub total_duration_ms: Option<f64>,
    }

    /// The work is about an app for a phone. In the CLI's code (2.1.325), not measured.
    pub struct DevIntent {
        /// `ios_app` or `android_app`.
        pub kind: Option<String>,
        /// What gave it away, for example `swift_edit`.
        pub trigger: Option<String>,
    }
}

wire! {
    /// A file of the session.
    pub struct SnapshotFile {
        /// What it is, for example `plan`.
        pub key: Option<String>,
        /// Where it is.
        pub path: Option<String>,
        /// What is in it.
        pub content: Option<String>,
    }

    /// A file that came with a prompt and is not there.
    pub struct MissingFile {
        /// The file.
        pub file_uuid: Option<String>,
        /// Why.
        pub reason: Option<String>,
    }

    /// Facts about a session.
    pub struct Metadata {
        /// What it has published.
        pub artifacts: Option<Vec<Artifact>>,
    }

    /// A page that a session has published.
    pub struct Artifact {
        /// Its address.
        pub url: Option<String>,
        /// Its title.
        pub title: Option<String>,
        /// Its picture.
        pub favicon: Option<String>,
        /// Always `frame`.
        pub kind: Option<String>,
        /// When it was last changed.
        pub updated_at: Option<String>,
    }

    /// A failed call of the API.
    pub struct ApiFailure {
        /// The failure as text.
        pub message: Option<String>,
        /// The HTTP status.
        pub status: Option<u64>,
        /// The API's id of the request.
        pub request_id: Option<String>,
        /// The failure as text, for people.
        pub formatted: Option<String>,
        /// What is known of the connection.
        pub connection: Option<FailedConnection>,
        /// Is there no network?
        pub is_network_down: Option<bool>,
        /// The limits that were hit.
        pub rate_limits: Option<HitLimits>,
    }

    /// A connection that failed.
    pub struct FailedConnection {
        /// The error's code.
        pub code: Option<String>,
        /// The error as text.
        pub message: Option<String>,
        /// Was it the encryption that failed?
        pub is_ssl_error: Option<bool>,
    }

    /// Limits that were hit.
    pub struct HitLimits {
        /// When they end, in seconds since 1970.
        pub resets_at: Option<f64>,
        /// Which limit.
        pub rate_limit_type: Option<String>,
    }

    /// A hook that ran.
    pub struct StopHook {
        /// The command.
        pub command: Option<String>,
        /// The prompt of one that asks a model.
        pub prompt_text: Option<String>,
        /// How long it took, in milliseconds.
        pub duration_ms: Option<f64>,
    }
}

words! {
    /// How far it is found out whether a tool call may run.
    pub enum PermissionCheck {
        /// Not yet.
        Checking = "checking",
        /// It is.
        Done = "done",
    }

    /// What becomes of a message of another session.
    pub enum HoldState {
        /// It waits.
        Held = "held",
        /// The model gets it.
        Released = "released",
        /// It is thrown away.
        Dropped = "dropped",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromCli, System, decode, unmodelled};

    #[test]
    fn a_line_that_no_document_declares_is_read_in_full() {
        let line = concat!(
            r#"{"type":"system","subtype":"turn_preempted","reason":"now","preempted_by_uuid":"b","#,
            r#""preempted_message_uuids":["a"],"uuid":"u","session_id":"s"}"#
        );
        let expected = TurnPreempted {
            reason: Some("now".to_owned()),
            preempted_by_uuid: Some("b".into()),
            preempted_message_uuids: Some(vec!["a".into()]),
            uuid: Some("u".into()),
            session_id: Some("s".into()),
        };
        let decoded = decode(line);
        assert_eq!(decoded.notes, []);
        assert_eq!(decoded.body, FromCli::System(System::TurnPreempted(expected)));
        assert_eq!(unmodelled(line), Vec::<String>::new());
    }
}
