//! `result`: a turn has ended.

use std::collections::BTreeMap;

use crate::content::StopReason;
use crate::control::catalog::{FastModeDisabledReason, FastModeState};
use crate::from_cli::origin::Origin;
use crate::ids::{RequestId, ToolUseId, Uuid};
use crate::raw::Raw;
use crate::usage::{ModelUsage, Usage};

message! {
    /// The end of a turn (2.1.1 to 2.1.325). Not every prompt has one of its own: prompts that wait are merged into one
    /// turn, and tasks in the background begin turns that nobody asked for. Also written without a turn when a session
    /// to be resumed is not there.
    pub struct TurnResult {
        /// How the turn ended. `success` says nothing about the API: see [`TurnResult::failed`].
        pub subtype: ResultKind,
        /// Did it end in an error? 2.1.38 says no on the `error_*` kinds; all versions say yes on a `success` that ended
        /// in an API error.
        pub is_error: Option<bool>,
        /// The last text of the answer, the output of a local command, or the text of an API error.
        pub result: Option<String>,
        /// What went wrong, on the `error_*` kinds. What begins with `[ede_diagnostic]` is not for people.
        pub errors: Option<Vec<String>>,
        /// Milliseconds that the turn took.
        pub duration_ms: Option<f64>,
        /// Milliseconds spent in calls of the API: a running total; 0 after a local command.
        pub duration_api_ms: Option<f64>,
        /// The messages that the turn added in the user's role, plus one. Not the number of turns, nor of API calls.
        pub num_turns: Option<u64>,
        /// Why the model stopped; null when it was not asked (2.1.1 to 2.1.325).
        pub stop_reason: Option<StopReason>,
        /// An estimate in US dollars: a running total, which 2.1.325 takes up again on a resume (2.1.38 begins at 0)
        /// and `/clear` resets. Results of failed starts may say 0.
        pub total_cost_usd: Option<f64>,
        /// Tokens of this turn's main loop, without subagents.
        pub usage: Option<Usage>,
        /// Tokens and cost per model: a running total, like the cost.
        pub model_usage: Option<BTreeMap<String, ModelUsage>> = "modelUsage",
        /// The same for what came since the last result (2.1.325).
        pub model_usage_since_last_result: Option<BTreeMap<String, ModelUsage>>,
        /// The tool calls of this turn that were denied.
        pub permission_denials: Option<Vec<PermissionDenial>>,
        /// What the model gave for `--json-schema` (2.1.38, 2.1.325).
        pub structured_output: Option<Raw>,
        /// A tool call that was put off. Declared, not measured.
        pub deferred_tool_use: Option<DeferredToolUse>,
        /// Why the loop of model and tools ended; absent when none ran (2.1.325).
        pub terminal_reason: Option<TerminalReason>,
        /// The HTTP status of the API error that ended the turn (2.1.325).
        pub api_error_status: Option<u64>,
        /// A narrower name of that error, for example `connection_failed` (2.1.325).
        pub api_error: Option<String>,
        /// The API's own name of that error (2.1.325).
        pub api_error_type: Option<String>,
        /// A number or word for that error. In the CLI's code, not measured.
        pub api_error_code: Option<String>,
        /// `first_party` when the vendor's own API has failed. In the CLI's code, not measured.
        pub api_error_origin: Option<String>,
        /// Fast mode (2.1.325).
        pub fast_mode_state: Option<FastModeState>,
        /// Why fast mode cannot be used (2.1.325).
        pub fast_mode_disabled_reason: Option<FastModeDisabledReason>,
        /// The session's subagents so far (2.1.325).
        pub subagent_stats: Option<Box<SubagentStats>>,
        /// How often a safety system has stopped a call of the model in this process so far (2.1.325).
        pub safety_stops: Option<u64>,
        /// Prompts that still wait; they may be merged into fewer turns (2.1.325).
        pub queued_turn_count: Option<u64>,
        /// The number of this result in the process, from 0; a gap means that one was lost (2.1.325).
        pub result_index: Option<u64>,
        /// Where the turn came from, if not from a prompt of the host (2.1.325).
        pub origin: Option<Origin>,
        /// The local command that ran instead of a turn, by the name that was typed (2.1.325).
        pub local_command: Option<String>,
        /// The prompt that was answered, if the host gave it a uuid (2.1.325).
        pub user_message_uuid: Option<Uuid>,
        /// All prompts that were answered (2.1.325).
        pub user_message_uuids: Option<Vec<Uuid>>,
        /// Why the turn went on with one that a restart had cut off. Declared, not measured.
        pub resume_reason: Option<String>,
        /// Why the CLI could not start, for example `config_file_invalid`. Declared, not measured.
        pub startup_failure_reason: Option<String>,
        /// The settings file that could not be read. Declared, not measured.
        pub invalid_config_file: Option<InvalidConfigFile>,
        /// When the login ends for good, as ISO 8601. Declared, not measured.
        pub credential_expires_at: Option<String>,
        /// Did the end of the process cut the turn off? In the CLI's code, not measured.
        pub interrupted_by_shutdown: Option<bool>,
        /// Did a check of permissions end the turn? In the CLI's code, not measured.
        pub stopped_by_permission_check: Option<bool>,
        /// Messages that are back, because a limit refused the turn after a rewind. In the CLI's code, not measured.
        pub restored_rewind: Option<RestoredRewind>,
        /// What the organization's policy says. In the CLI's code, not measured.
        pub policy_answer: Option<String>,
        /// Why. In the CLI's code, not measured.
        pub policy_answer_reason: Option<String>,
        /// How a hosted process ended. In the CLI's code, not measured.
        pub runner_exit: Option<RunnerExit>,
        /// Milliseconds until the first token (2.1.325).
        pub ttft_ms: Option<f64>,
        /// Milliseconds until the first event of the stream (2.1.325).
        pub ttft_stream_ms: Option<f64>,
        /// Milliseconds until the API was asked (2.1.325).
        pub time_to_request_ms: Option<f64>,
        /// Milliseconds until the first piece of content (2.1.325).
        pub first_content_frame_ms: Option<f64>,
        /// When the API was asked, in milliseconds since 1970; with a prompt that has a uuid (2.1.325).
        pub request_sent_wall_ms: Option<f64>,
        /// Tokens sent with the first request that no cache had (2.1.325).
        pub first_request_input_tokens: Option<u64>,
        /// Tokens of the first request that the cache had (2.1.325).
        pub first_request_cache_read_input_tokens: Option<u64>,
        /// Milliseconds until the first piece was posted to a remote host. Declared, not measured, like all below.
        pub first_stream_post_ms: Option<f64>,
        /// Milliseconds until that post was acknowledged.
        pub first_stream_post_ack_ms: Option<f64>,
        /// Milliseconds for which that post waited.
        pub first_stream_post_queue_wait_ms: Option<f64>,
        /// What that post waited for.
        pub first_stream_post_queued_behind: Option<String>,
        /// When that post was made, in milliseconds since 1970.
        pub first_stream_post_wall_ms: Option<f64>,
        /// Milliseconds until the first text was posted to a remote host.
        pub first_text_post_ms: Option<f64>,
        /// Milliseconds for which that post waited.
        pub first_text_post_queue_wait_ms: Option<f64>,
        /// What that post waited for.
        pub first_text_post_queued_behind: Option<String>,
        /// When that post was made, in milliseconds since 1970.
        pub first_text_post_wall_ms: Option<f64>,
        /// Milliseconds from the start of the process until the API was asked.
        pub time_to_request_from_spawn_ms: Option<f64>,
        /// Was the process started before there was a session for it?
        pub warm_spare_claimed: Option<bool>,
        /// The moment that other times count from, in milliseconds since 1970.
        pub time_origin_ms: Option<f64>,
        /// The tool call whose subagent has ended its turn, in one of the older documents; never measured.
        pub parent_tool_use_id: Option<ToolUseId>,
    }
}

impl TurnResult {
    /// Did the turn end in an error, in the way of any version?
    pub fn failed(&self) -> bool {
        self.is_error == Some(true) || self.subtype != ResultKind::Success
    }
}

wire! {
    /// A tool call that was denied (2.1.1 to 2.1.325).
    pub struct PermissionDenial {
        /// The tool.
        pub tool_name: Option<String>,
        /// The call.
        pub tool_use_id: Option<ToolUseId>,
        /// Its input.
        pub tool_input: Option<Raw>,
    }

    /// A tool call that was put off. Declared, not measured.
    pub struct DeferredToolUse {
        /// The call.
        pub id: Option<ToolUseId>,
        /// The tool.
        pub name: Option<String>,
        /// Its input.
        pub input: Option<Raw>,
    }

    /// Messages that are back after a rewind. In the CLI's code (2.1.325), not measured.
    pub struct RestoredRewind {
        /// The request that had removed them.
        pub request_id: Option<RequestId>,
        /// The last of them.
        pub last_message_uuid: Option<Uuid>,
    }

    /// How a hosted process ended. In the CLI's code (2.1.325), not measured.
    pub struct RunnerExit {
        /// When, for example at `setup`.
        pub phase: Option<String>,
        /// The exit code.
        pub exit_code: Option<i64>,
        /// The signal that ended it.
        pub signal: Option<String>,
    }

    /// A settings file that could not be read. Declared, not measured.
    pub struct InvalidConfigFile {
        /// Where it is.
        pub path: Option<String>,
        /// Is it the CLI's global file?
        pub is_global: Option<bool>,
        /// Did the CLI look for a backup?
        pub backup_searched: Option<bool>,
        /// The backup, if it found one. It may be broken too.
        pub backup_path: Option<String>,
    }

    /// The subagents that the session has started so far (2.1.325).
    pub struct SubagentStats {
        /// All of them.
        pub spawned: Option<u64>,
        /// How the model wanted them to run.
        pub requested: Option<SubagentsRequested>,
        /// Those that began in the background.
        pub started_in_background: Option<u64>,
        /// How many there are of each kind.
        pub by_type: Option<BTreeMap<String, u64>>,
        /// The deepest nesting; 1 for a subagent of the main agent.
        pub max_depth: Option<u64>,
        /// Those that other subagents started.
        pub spawned_by_subagents: Option<u64>,
        /// Those that ended well.
        pub completed: Option<u64>,
        /// Those that failed.
        pub failed: Option<u64>,
        /// Those that were stopped, by whom.
        pub killed: Option<SubagentsKilled>,
        /// Those that were not started, by reason.
        pub refused: Option<SubagentsRefused>,
    }

    /// How the model wanted subagents to run (2.1.325).
    pub struct SubagentsRequested {
        /// In the background.
        pub background: Option<u64>,
        /// In the foreground.
        pub foreground: Option<u64>,
        /// It did not say.
        pub unset: Option<u64>,
    }

    /// Who stopped subagents (2.1.325).
    pub struct SubagentsKilled {
        /// The agent that had started them.
        pub parent: Option<u64>,
        /// The user.
        pub user: Option<u64>,
        /// The CLI.
        pub system: Option<u64>,
    }

    /// Why subagents were not started (2.1.325).
    pub struct SubagentsRefused {
        /// Too deep.
        pub depth_limit: Option<u64>,
        /// Too many at once.
        pub concurrency_limit: Option<u64>,
        /// Too expensive.
        pub budget: Option<u64>,
    }
}

words! {
    /// How a turn ended.
    pub enum ResultKind {
        /// The turn ran to its end, also when that end was an API error (2.1.1 to 2.1.325).
        Success = "success",
        /// It was cut off by an interrupt or a denial with `interrupt`, or the session to be resumed is not there
        /// (2.1.1 to 2.1.325).
        ErrorDuringExecution = "error_during_execution",
        /// It reached `--max-turns` (2.1.325).
        ErrorMaxTurns = "error_max_turns",
        /// It reached `--max-budget-usd` (2.1.325).
        ErrorMaxBudgetUsd = "error_max_budget_usd",
        /// The model did not manage to give output that fits `--json-schema` (2.1.325).
        ErrorMaxStructuredOutputRetries = "error_max_structured_output_retries",
        /// The word of the older documents for any error; never measured.
        Error = "error",
    }

    /// Why the loop of model and tools ended (2.1.325). Declared, not measured, where it does not say otherwise.
    pub enum TerminalReason {
        /// The model was done (2.1.325).
        Completed = "completed",
        /// The API failed (2.1.325).
        ApiError = "api_error",
        /// Interrupted while the model spoke (2.1.325).
        AbortedStreaming = "aborted_streaming",
        /// Interrupted while tools ran (2.1.325).
        AbortedTools = "aborted_tools",
        /// `--max-turns` was reached (2.1.325).
        MaxTurns = "max_turns",
        /// `--max-budget-usd` was reached (2.1.325).
        BudgetExhausted = "budget_exhausted",
        /// No output fitted `--json-schema` (2.1.325).
        StructuredOutputRetryExhausted = "structured_output_retry_exhausted",
        /// A hook stopped the turn (2.1.325).
        HookStopped = "hook_stopped",
        /// A `Stop` hook kept the turn from going on.
        StopHookPrevented = "stop_hook_prevented",
        /// The context is too long (2.1.325).
        PromptTooLong = "prompt_too_long",
        /// A picture could not be used (2.1.325).
        ImageError = "image_error",
        /// The model failed.
        ModelError = "model_error",
        /// The context is full and cannot be summed up.
        BlockingLimit = "blocking_limit",
        /// The context filled up again too fast after summing up.
        RapidRefillBreaker = "rapid_refill_breaker",
        /// The model's tool calls could not be read.
        MalformedToolUseExhausted = "malformed_tool_use_exhausted",
        /// A tool call was put off.
        ToolDeferred = "tool_deferred",
        /// A tool call that had been put off is not there any more.
        ToolDeferredUnavailable = "tool_deferred_unavailable",
        /// The turn moved to the background.
        BackgroundRequested = "background_requested",
        /// The turn could not begin.
        TurnSetupFailed = "turn_setup_failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromCli, decode};

    fn read(line: &str) -> TurnResult {
        let decoded = decode(line);
        assert_eq!(decoded.notes, []);
        let FromCli::Result(result) = decoded.body else { panic!("not a result") };
        *result
    }

    #[test]
    fn a_turn_has_failed_if_any_version_would_say_so() {
        assert!(!read(r#"{"type":"result","subtype":"success","is_error":false}"#).failed());
        assert!(read(r#"{"type":"result","subtype":"success","is_error":true}"#).failed());
        assert!(read(r#"{"type":"result","subtype":"error_max_turns","is_error":false}"#).failed());
    }

    #[test]
    fn the_error_result_of_an_older_document_is_read() {
        let line =
            r#"{"type":"result","subtype":"error","is_error":true,"result":"An error occurred","errors":["Timeout"]}"#;
        let expected = TurnResult {
            subtype: ResultKind::Error,
            is_error: Some(true),
            result: Some("An error occurred".to_owned()),
            errors: Some(vec!["Timeout".to_owned()]),
            ..TurnResult::default()
        };
        assert_eq!(read(line), expected);
    }
}
