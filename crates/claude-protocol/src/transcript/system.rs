//! `system`: news that the user sees in the conversation, told apart by `subtype`.

use super::{entries, entry};
use crate::from_cli::assistant::{LocalCommandOutcome, LocalCommandRun};
use crate::from_cli::system::compaction::CompactTrigger;
use crate::from_cli::system::notices::{Level, PromptSubmitOutcomeKind};
use crate::from_cli::system::undeclared::SnapshotFile;
use crate::hook::HookEvent;
use crate::ids::{ToolUseId, Uuid};
use crate::raw::Raw;
use crate::usage::context::ContextReport;
use crate::usage::report::UsageReport;

entries! {
    /// News in a transcript. They share the type with the lines on stdout but not the fields.
    pub enum SystemEntry by "subtype" after ["type"] {
        /// The conversation was compacted; what follows is a new root (2.0.77 to 2.1.325).
        "compact_boundary" => CompactBoundary(Box<CompactBoundaryEntry>),
        /// Old tool results were cleared from the context (not measured).
        "microcompact_boundary" => MicrocompactBoundary(Box<MicrocompactBoundaryEntry>),
        /// What a slash command of the CLI printed; a synthetic `assistant` line on stdout (2.1.85 to 2.1.325).
        "local_command" => LocalCommand(Box<LocalCommandEntry>),
        /// Hooks ran at the end of a turn (2.0.77 to 2.1.325).
        "stop_hook_summary" => StopHookSummary(Box<StopHookSummaryEntry>),
        /// A call of the API failed and will be tried again (2.1.29 to 2.1.325).
        "api_error" => ApiError(Box<ApiErrorEntry>),
        /// A word to the user (2.1.55 to 2.1.325).
        "informational" => Informational(Box<InformationalEntry>),
        /// How long a turn took (not measured).
        "turn_duration" => TurnDuration(Box<TurnDurationEntry>),
        /// What happened while the user was away (not measured).
        "away_summary" => AwaySummary(Box<NoticeEntry>),
        /// A scheduled prompt was sent (not measured).
        "scheduled_task_fire" => ScheduledTaskFire(Box<NoticeEntry>),
        /// Another model took over (2.1.292 to 2.1.325).
        "model_fallback" => ModelFallback(Box<ModelChangeEntry>),
        /// Another model took over after a refusal (not measured).
        "model_refusal_fallback" => ModelRefusalFallback(Box<ModelChangeEntry>),
        /// The model refused and no other took over (2.1.325).
        "model_refusal_no_fallback" => ModelRefusalNoFallback(Box<ModelChangeEntry>),
        /// A model needs the user's consent (in the code of 2.1.325; not measured).
        "model_consent_fallback" => ModelConsentFallback(Box<ModelChangeEntry>),
        /// The subagents were stopped (in the code of 2.1.55 to 2.1.325; not measured).
        "agents_killed" => AgentsKilled(Box<NoticeEntry>),
        /// Remote control is on (in the code of 2.1.55 to 2.1.325; not measured).
        "bridge_status" => BridgeStatus(Box<NoticeEntry>),
        /// A session in the vendor's cloud (in the code of 2.1.325; not measured).
        "cloud_session_status" => CloudSessionStatus(Box<NoticeEntry>),
        /// Files of the session as they are now (in the code of 2.1.55 to 2.1.325; not measured).
        "file_snapshot" => FileSnapshot(Box<NoticeEntry>),
        /// Memories were written (in the code of 2.1.85 to 2.1.325; not measured).
        "memory_saved" => MemorySaved(Box<NoticeEntry>),
        /// Commands that were denied may be tried again (in the code of 2.1.325; not measured).
        "permission_retry" => PermissionRetry(Box<NoticeEntry>),
    }
}

entry! {
    /// The conversation was compacted. `parentUuid` is null, `logicalParentUuid` is what came before.
    pub struct CompactBoundaryEntry {
        /// A word to the user.
        pub content: Option<String>,
        /// How much it matters.
        pub level: Option<Level>,
        /// A word of the CLI.
        pub is_meta: Option<bool> = "isMeta",
        /// How it was done.
        pub compact_metadata: Option<Box<RecordedCompaction>> = "compactMetadata",
    }

    /// Old tool results were cleared from the context (not measured).
    pub struct MicrocompactBoundaryEntry {
        /// A word to the user.
        pub content: Option<String>,
        /// How much it matters.
        pub level: Option<Level>,
        /// A word of the CLI.
        pub is_meta: Option<bool> = "isMeta",
        /// What was cleared.
        pub microcompact_metadata: Option<Raw> = "microcompactMetadata",
    }

    /// What a slash command of the CLI printed.
    pub struct LocalCommandEntry {
        /// The output, within `<local-command-stdout>` or `<local-command-stderr>`.
        pub content: Option<String>,
        /// How much it matters.
        pub level: Option<Level>,
        /// A word of the CLI.
        pub is_meta: Option<bool> = "isMeta",
        /// The command.
        pub command_run: Option<LocalCommandRun> = "commandRun",
        /// How it ended, for some commands.
        pub command_outcome: Option<LocalCommandOutcome> = "commandOutcome",
        /// What `/context` printed, as data (2.1.266 to 2.1.325).
        pub context_usage: Option<Box<ContextReport>> = "contextUsage",
        /// What `/usage` printed, as data (not measured).
        pub usage_report: Option<Box<UsageReport>> = "usageReport",
    }

    /// Hooks ran at the end of a turn.
    pub struct StopHookSummaryEntry {
        /// How many hooks ran.
        pub hook_count: Option<u64> = "hookCount",
        /// Which hooks.
        pub hook_infos: Option<Vec<HookInfo>> = "hookInfos",
        /// What went wrong in them.
        pub hook_errors: Option<Vec<String>> = "hookErrors",
        /// What they added to the context (2.1.325).
        pub hook_additional_context: Option<Vec<String>> = "hookAdditionalContext",
        /// Did one of them end the work?
        pub prevented_continuation: Option<bool> = "preventedContinuation",
        /// Why it did; empty when it did not.
        pub stop_reason: Option<String> = "stopReason",
        /// Did they print anything?
        pub has_output: Option<bool> = "hasOutput",
        /// How much it matters.
        pub level: Option<Level>,
        /// An id of this run of the hooks; no call of a tool.
        pub tool_use_id: Option<String> = "toolUseID",
        /// The event, where it is not `Stop` (not measured).
        pub hook_label: Option<HookEvent> = "hookLabel",
        /// How long all hooks took, in milliseconds (not measured).
        pub total_duration_ms: Option<f64> = "totalDurationMs",
    }

    /// A call of the API failed and will be tried again.
    pub struct ApiErrorEntry {
        /// The failure.
        pub error: Option<Box<ApiErrorDetail>>,
        /// Why there was no answer at all (not measured).
        pub cause: Option<Raw>,
        /// Milliseconds until the next try.
        pub retry_in_ms: Option<f64> = "retryInMs",
        /// The number of this try, from 1.
        pub retry_attempt: Option<u64> = "retryAttempt",
        /// How many tries there are.
        pub max_retries: Option<u64> = "maxRetries",
        /// How much it matters.
        pub level: Option<Level>,
        /// What was tried: `request_retry` (2.1.325).
        pub source: Option<String>,
    }

    /// A word to the user (2.1.325).
    pub struct InformationalEntry {
        /// The word.
        pub content: Option<String>,
        /// How much it matters.
        pub level: Option<Level>,
        /// A word of the CLI.
        pub is_meta: Option<bool> = "isMeta",
        /// Did the work end with it?
        pub prevent_continuation: Option<bool> = "preventContinuation",
        /// What became of a prompt that was stopped.
        pub prompt_submit_ending: Option<PromptSubmitEnding> = "promptSubmitEnding",
        /// The call it is about (not measured).
        pub tool_use_id: Option<ToolUseId> = "toolUseID",
    }

    /// How long a turn took (not measured).
    pub struct TurnDurationEntry {
        /// Milliseconds.
        pub duration_ms: Option<f64> = "durationMs",
        /// How many messages there are.
        pub message_count: Option<u64> = "messageCount",
        /// Subagents that still run in the background.
        pub pending_background_agent_count: Option<u64> = "pendingBackgroundAgentCount",
        /// Workflows that still run.
        pub pending_workflow_count: Option<u64> = "pendingWorkflowCount",
        /// Tokens that were used of the budget.
        pub budget_tokens: Option<u64> = "budgetTokens",
        /// The budget, in tokens.
        pub budget_limit: Option<u64> = "budgetLimit",
        /// How often the model was sent on for the sake of the budget.
        pub budget_nudges: Option<u64> = "budgetNudges",
        /// A word of the CLI.
        pub is_meta: Option<bool> = "isMeta",
        /// How much it matters.
        pub level: Option<Level>,
    }

    /// A word to the user, with what some kinds of it carry (in the code of 2.1.325; not measured).
    pub struct NoticeEntry {
        /// The word.
        pub content: Option<String>,
        /// How much it matters.
        pub level: Option<Level>,
        /// A word of the CLI.
        pub is_meta: Option<bool> = "isMeta",
        /// Where to go on, of `bridge_status` and `cloud_session_status`.
        pub url: Option<String>,
        /// Which entry, of `cloud_session_status`.
        pub entry: Option<Raw>,
        /// The commands, of `permission_retry`.
        pub commands: Option<Vec<String>>,
        /// Does the model hear of it with the next prompt? Of `permission_retry`.
        pub heard_at_next_prompt: Option<bool> = "heardAtNextPrompt",
        /// The files, of `memory_saved`.
        pub written_paths: Option<Vec<String>> = "writtenPaths",
        /// How many of them are the team's, of `memory_saved`.
        pub team_count: Option<u64> = "teamCount",
        /// What to call it, of `memory_saved`.
        pub verb: Option<String>,
        /// The files, of `file_snapshot`.
        pub snapshot_files: Option<Vec<SnapshotFile>> = "snapshotFiles",
        /// The schedule, of `scheduled_task_fire`, like all below.
        pub task_id: Option<String> = "taskId",
        /// When it is due, as in a crontab.
        pub cron: Option<String>,
        /// The prompt, shortened.
        pub prompt: Option<String>,
        /// `loop` for one that runs on and on.
        pub task_kind: Option<String> = "taskKind",
        /// What kind of schedule.
        pub cron_kind: Option<String> = "cronKind",
        /// How often in a row it had nothing to do.
        pub no_op_streak: Option<u64> = "noOpStreak",
        /// Since when.
        pub streak_started_at: Option<Raw> = "streakStartedAt",
        /// Earlier entries that this one stands for.
        pub folded_uuids: Option<Vec<Uuid>> = "foldedUuids",
    }

    /// The model was changed, or could not be. Only a refusal without a successor was measured (2.1.325).
    pub struct ModelChangeEntry {
        /// A word to the user.
        pub content: Option<String>,
        /// How much it matters.
        pub level: Option<Level>,
        /// A word of the CLI.
        pub is_meta: Option<bool> = "isMeta",
        /// Why.
        pub trigger: Option<String>,
        /// The model before.
        pub original_model: Option<String> = "originalModel",
        /// The model now.
        pub fallback_model: Option<String> = "fallbackModel",
        /// The API's id of the request.
        pub request_id: Option<String> = "requestId",
        /// What kind of refusal, as the API names it.
        pub api_refusal_category: Option<String> = "apiRefusalCategory",
        /// Why, in the API's words.
        pub api_refusal_explanation: Option<String> = "apiRefusalExplanation",
        /// The prompt that was refused.
        pub refused_user_message_uuid: Option<Uuid> = "refusedUserMessageUuid",
    }
}

wire! {
    /// How a conversation was compacted: as on the stream's
    /// [`CompactBoundary`](crate::from_cli::system::CompactBoundary), with more, and in the spelling of the files.
    pub struct RecordedCompaction {
        /// What began it.
        pub trigger: Option<CompactTrigger>,
        /// Tokens in the context before.
        pub pre_tokens: Option<u64> = "preTokens",
        /// Tokens in the context after (2.1.325).
        pub post_tokens: Option<u64> = "postTokens",
        /// How long it took, in milliseconds (2.1.325).
        pub duration_ms: Option<f64> = "durationMs",
        /// Tokens that all compactions of the session have dropped (2.1.325).
        pub cumulative_dropped_tokens: Option<u64> = "cumulativeDroppedTokens",
        /// The entries that stay in the context, by their ends (2.1.325).
        pub preserved_segment: Option<KeptSegment> = "preservedSegment",
        /// The entries that stay in the context, one by one (2.1.325).
        pub preserved_messages: Option<KeptEntries> = "preservedMessages",
        /// The prompt of the turn that is still running (2.1.325).
        pub running_turn_prompt: Option<Raw> = "runningTurnPrompt",
        /// What the user asked for (not measured).
        pub user_context: Option<String> = "userContext",
        /// How many messages were summarised (not measured).
        pub messages_summarized: Option<u64> = "messagesSummarized",
        /// Tools that had been loaded before (not measured).
        pub pre_compact_discovered_tools: Option<Vec<String>> = "preCompactDiscoveredTools",
    }

    /// Entries that stay in the context, by their ends.
    pub struct KeptSegment {
        /// The first.
        pub head_uuid: Option<Uuid> = "headUuid",
        /// The entry that they hang from now.
        pub anchor_uuid: Option<Uuid> = "anchorUuid",
        /// The last.
        pub tail_uuid: Option<Uuid> = "tailUuid",
    }

    /// Entries that stay in the context, one by one.
    pub struct KeptEntries {
        /// The entry that they hang from now.
        pub anchor_uuid: Option<Uuid> = "anchorUuid",
        /// The messages.
        pub uuids: Option<Vec<Uuid>>,
        /// The messages and all that hangs from them.
        pub all_uuids: Option<Vec<Uuid>> = "allUuids",
    }

    /// What is known of a connection that failed.
    pub struct ConnectionError {
        /// The error's code, for example `ECONNREFUSED`.
        pub code: Option<String>,
        /// The error as text.
        pub message: Option<String>,
        /// Was it the encryption that failed?
        pub is_ssl_error: Option<bool> = "isSSLError",
    }

    /// A hook that ran.
    pub struct HookInfo {
        /// The command; `callback` for one of the host; the prompt for one that asks a model.
        pub command: Option<String>,
        /// The prompt of one that asks a model.
        pub prompt_text: Option<String> = "promptText",
        /// How long it took, in milliseconds (2.1.325).
        pub duration_ms: Option<f64> = "durationMs",
    }

    /// A failed call of the API. Up to 2.1.38 the error of the HTTP library as it was; in 2.1.325 a summary.
    pub struct ApiErrorDetail {
        /// The HTTP status; absent when there was no answer.
        pub status: Option<u64>,
        /// The failure as text (2.1.325).
        pub message: Option<String>,
        /// The failure as text, for people (2.1.325).
        pub formatted: Option<String>,
        /// The API's id of the request.
        pub request_id: Option<String> = "requestId" | "requestID",
        /// The API's answer (up to 2.1.38).
        pub error: Option<Raw>,
        /// Headers of the answer (up to 2.1.38).
        pub headers: Option<Raw>,
        /// What is known of the connection (2.1.325).
        pub connection: Option<ConnectionError>,
        /// Is there no network (2.1.325)?
        pub is_network_down: Option<bool> = "isNetworkDown",
        /// The limits that were hit (2.1.325).
        pub rate_limits: Option<Raw> = "rateLimits",
        /// Why there was no answer (2.1.325).
        pub no_response: Option<Raw> = "noResponse",
        /// Why there was no answer (not measured).
        pub cause: Option<Raw>,
        /// The kind of error (not measured).
        pub r#type: Option<String> = "type",
    }

    /// What became of a prompt that was stopped (2.1.325).
    pub struct PromptSubmitEnding {
        /// Why it was stopped.
        pub ending: Option<PromptEnding>,
        /// Is the prompt still in the conversation?
        pub prompt_kept: Option<bool> = "promptKept",
    }

    /// Why a prompt was stopped (2.1.325).
    pub struct PromptEnding {
        /// What happened.
        pub kind: Option<PromptSubmitOutcomeKind>,
        /// The reason that was given.
        pub reason: Option<String>,
    }
}
