//! `system` lines for people: texts, notes, denials, and what has come of requests.

use crate::ids::{AgentId, RequestId, ToolUseId};
use crate::permission::DecisionReasonType;

message! {
    /// A line of text for people: what a hook says, a prompt that was blocked, a stop for safety (2.1.325).
    pub struct Informational {
        /// The text, plain.
        pub content: Option<String>,
        /// How much it matters.
        pub level: Option<Level>,
        /// The tool call that it is about; a later line about the same call replaces it. Declared, not measured.
        pub tool_use_id: Option<ToolUseId>,
        /// Does the turn end here?
        pub prevent_continuation: Option<bool>,
        /// A mark of the feature that it belongs to, for example `auto_mode_no_server_check` (2.1.325).
        pub tag: Option<String>,
        /// When, as ISO 8601; on few lines (2.1.325).
        pub timestamp: Option<String>,
        /// Is it a word of the CLI to the model? On few lines, in the spelling of the transcript (2.1.325).
        pub is_meta: Option<bool> = "isMeta",
        /// What became of the prompt, when a hook had a say in it.
        pub prompt_submit_outcome: Option<PromptSubmitOutcome>,
        /// The model that had to be taken instead of the one asked for. In the CLI's code, not measured.
        pub model_restriction: Option<ModelRestriction>,
        /// A hook that gave no verdict. In the CLI's code, not measured.
        pub hook_no_verdict: Option<HookNoVerdict>,
    }

    /// A short note that comes and goes: the goal, an error of a `Stop` hook (2.1.325).
    pub struct Notification {
        /// What it is about; a later note with the same key replaces it.
        pub key: Option<String>,
        /// The text.
        pub text: Option<String>,
        /// How much it matters.
        pub priority: Option<NotificationPriority>,
        /// Its colour. Declared, not measured.
        pub color: Option<String>,
        /// Milliseconds for which to show it. Declared, not measured.
        pub timeout_ms: Option<f64>,
    }

    /// The output of a local command. Declared, not measured: 2.1.325 writes an `assistant` line instead.
    pub struct LocalCommandOutput {
        /// The output.
        pub content: Option<String>,
    }

    /// A tool call was denied without asking the host: by a rule, by the mode, or because there is nobody to ask
    /// (2.1.325). The list on the `result` is the one to count on.
    pub struct PermissionDenied {
        /// The tool.
        pub tool_name: Option<String>,
        /// The call.
        pub tool_use_id: Option<ToolUseId>,
        /// The subagent that made it. Declared, not measured.
        pub agent_id: Option<AgentId>,
        /// What the decision rests on.
        pub decision_reason_type: Option<DecisionReasonType>,
        /// The same more narrowly, for example `outside_reads_blocked`. In the CLI's code, not measured.
        pub decision_reason_code: Option<String>,
        /// Why, in words.
        pub decision_reason: Option<String>,
        /// What the model is told.
        pub message: Option<String>,
    }

    /// What the user had to do in a browser for an MCP server is done (2.1.325).
    pub struct ElicitationComplete {
        /// The server.
        pub mcp_server_name: Option<String>,
        /// What it was, as in the `elicitation` request.
        pub elicitation_id: Option<String>,
    }

    /// A control request of the host is being worked on; only for `side_question` (2.1.325).
    pub struct ControlRequestProgress {
        /// The request.
        pub request_id: Option<RequestId>,
        /// How it goes.
        pub status: Option<ControlProgressStatus>,
        /// Which try will be next. Declared, not measured.
        pub attempt: Option<u64>,
        /// The most tries. Declared, not measured.
        pub max_retries: Option<u64>,
        /// Milliseconds until then. Declared, not measured.
        pub retry_delay_ms: Option<f64>,
        /// The HTTP status; null when there was no answer. Declared, not measured.
        pub error_status: Option<u64>,
    }

    /// Memories were put before the model. Declared, not measured.
    pub struct MemoryRecall {
        /// How they were found.
        pub mode: Option<MemoryRecallMode>,
        /// The memories.
        pub memories: Option<Vec<RecalledMemory>>,
    }
}

wire! {
    /// What became of a prompt, when a hook had a say in it (2.1.325).
    pub struct PromptSubmitOutcome {
        /// What.
        pub kind: Option<PromptSubmitOutcomeKind>,
        /// Why a hook gave no verdict. In the CLI, not measured.
        pub no_verdict_kind: Option<String>,
        /// Does the prompt stay in the conversation?
        pub prompt_kept: Option<bool>,
        /// Why, in the words of the hook.
        pub reason: Option<String>,
    }

    /// A model that had to be taken instead of the one asked for. In the CLI's code (2.1.325), not measured.
    pub struct ModelRestriction {
        /// The one asked for.
        pub requested_model: Option<String>,
        /// The one taken.
        pub effective_model: Option<String>,
        /// When: at the `start`, at a `switch` or at a `resume`.
        pub at: Option<String>,
    }

    /// A hook that gave no verdict. In the CLI's code (2.1.325), not measured.
    pub struct HookNoVerdict {
        /// The event.
        pub hook_event: Option<String>,
        /// The tool call.
        pub tool_use_id: Option<ToolUseId>,
        /// Did it take too long?
        pub timed_out: Option<bool>,
        /// Its plugin.
        pub plugin_id: Option<String>,
        /// The directory of its plugin.
        pub plugin_root: Option<String>,
    }

    /// A memory that was put before the model. Declared, not measured.
    pub struct RecalledMemory {
        /// Its file, `<synthesis:…>` for a text made out of many, or an address of the organization.
        pub path: Option<String>,
        /// Whose it is.
        pub scope: Option<MemoryScope>,
        /// What it says; absent when the file can be read instead.
        pub content: Option<String>,
    }
}

words! {
    /// How much a line of text matters.
    pub enum Level {
        /// Only for those who want everything. In transcripts (2.1.1 to 2.1.325); declared, not measured on stdout.
        Info = "info",
        /// In grey (2.1.325).
        Notice = "notice",
        /// A hint. In transcripts (2.1.1 to 2.1.325); declared, not measured on stdout.
        Suggestion = "suggestion",
        /// A warning (2.1.325).
        Warning = "warning",
        /// An error; only in transcripts (2.1.29 to 2.1.325).
        Error = "error",
    }

    /// How much a note matters. Declared, not measured, where it does not say otherwise.
    pub enum NotificationPriority {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
        /// To be shown at once (2.1.325).
        Immediate = "immediate",
    }

    /// How a control request goes.
    pub enum ControlProgressStatus {
        /// It is being worked on (2.1.325).
        Started = "started",
        /// The API has to be asked again. Declared, not measured.
        ApiRetry = "api_retry",
    }

    /// What became of a prompt. In the CLI, not measured, where it does not say otherwise.
    pub enum PromptSubmitOutcomeKind {
        /// A hook blocked it (2.1.325).
        BlockedByHook = "blocked_by_hook",
        /// A hook stopped the turn.
        StoppedByHook = "stopped_by_hook",
        /// A hook dropped it.
        DroppedByHook = "dropped_by_hook",
        /// It was not passed on.
        NotPassedOn = "not_passed_on",
        /// The hook gave no verdict.
        NoVerdict = "no_verdict",
    }

    /// How memories were found. Declared, not measured.
    pub enum MemoryRecallMode {
        /// Whole files were chosen.
        Select = "select",
        /// A text was made out of many.
        Synthesize = "synthesize",
    }

    /// Whose a memory is. Declared, not measured.
    pub enum MemoryScope {
        /// The user's.
        Personal = "personal",
        /// The team's.
        Team = "team",
        /// The organization's.
        Organization = "organization",
    }
}
