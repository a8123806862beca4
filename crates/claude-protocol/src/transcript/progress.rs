//! `progress`: signs of life of tools and hooks, as 2.1.29 and 2.1.38 wrote them into the file.

use super::entry;
use crate::from_cli::system::tasks::TaskType;
use crate::hook::HookEvent;
use crate::ids::{AgentId, TaskId};
use crate::raw::Raw;

entry! {
    /// A tool or a hook at work. A link of the chain, so it cannot be passed over when walking it.
    pub struct ProgressEntry {
        /// What is going on.
        pub data: Progress,
        /// An id of this sign, for example `bash-progress-0`.
        pub tool_use_id: Option<String> = "toolUseID",
        /// The call of a tool that it belongs to, or an id of the run of the hooks.
        pub parent_tool_use_id: Option<String> = "parentToolUseID",
    }

    /// What hooks added to the context (versions before 2.1.29; not measured).
    pub struct SavedHookContext {
        /// What they added.
        pub content: Option<Vec<String>>,
        /// The hook, for example `SessionStart:startup`.
        pub hook_name: Option<String> = "hookName",
        /// The event.
        pub hook_event: Option<HookEvent> = "hookEvent",
        /// An id of the run of the hooks.
        pub tool_use_id: Option<String> = "toolUseID",
    }
}

tagged! {
    /// What is going on.
    pub enum Progress by "type" after [] {
        /// A command runs.
        "bash_progress" => Bash(BashProgress),
        /// A hook runs.
        "hook_progress" => Hook(HookProgress),
        /// A subagent has said or done something (not measured).
        "agent_progress" => Agent(Box<AgentProgress>),
        /// An MCP tool runs (not measured).
        "mcp_progress" => Mcp(McpProgress),
        /// A search was sent (not measured).
        "query_update" => SearchQuery(SearchQuery),
        /// A search has brought something (not measured).
        "search_results_received" => SearchResults(SearchResults),
        /// A task is being waited for (not measured).
        "waiting_for_task" => WaitingForTask(WaitingForTask),
    }
}

wire! {
    /// A command runs.
    pub struct BashProgress {
        /// The end of what it has printed.
        pub output: Option<String>,
        /// All that it has printed.
        pub full_output: Option<String> = "fullOutput",
        /// Seconds since it began.
        pub elapsed_time_seconds: Option<f64> = "elapsedTimeSeconds",
        /// Lines printed so far.
        pub total_lines: Option<u64> = "totalLines",
        /// Bytes printed so far (not measured).
        pub total_bytes: Option<u64> = "totalBytes",
        /// Milliseconds that it may take (not measured).
        pub timeout_ms: Option<f64> = "timeoutMs",
        /// Its task (not measured).
        pub task_id: Option<TaskId> = "taskId",
    }

    /// A hook runs.
    pub struct HookProgress {
        /// The event.
        pub hook_event: Option<HookEvent> = "hookEvent",
        /// The hook, for example `PreToolUse:Bash`.
        pub hook_name: Option<String> = "hookName",
        /// Its command.
        pub command: Option<String>,
        /// Its prompt, for one that asks a model (not measured).
        pub prompt_text: Option<String> = "promptText",
        /// What to show meanwhile (not measured).
        pub status_message: Option<String> = "statusMessage",
    }

    /// A subagent has said or done something (not measured).
    pub struct AgentProgress {
        /// The entry of the subagent.
        pub message: Option<Raw>,
        /// All of its entries so far.
        pub normalized_messages: Option<Raw> = "normalizedMessages",
        /// What it was told.
        pub prompt: Option<String>,
        /// The subagent.
        pub agent_id: Option<AgentId> = "agentId",
        /// The subagent that it goes on from.
        pub resume: Option<String>,
    }

    /// An MCP tool runs (not measured).
    pub struct McpProgress {
        /// `started`, `completed` or `failed`.
        pub status: Option<String>,
        /// The server.
        pub server_name: Option<String> = "serverName",
        /// The tool.
        pub tool_name: Option<String> = "toolName",
        /// Milliseconds since it began.
        pub elapsed_time_ms: Option<f64> = "elapsedTimeMs",
        /// How far it is.
        pub progress: Option<f64>,
        /// How far it will go.
        pub total: Option<f64>,
        /// What it does.
        pub progress_message: Option<String> = "progressMessage",
    }

    /// A search was sent (not measured).
    pub struct SearchQuery {
        /// What is looked for.
        pub query: Option<String>,
    }

    /// A search has brought something (not measured).
    pub struct SearchResults {
        /// How many pages.
        pub result_count: Option<u64> = "resultCount",
        /// What was looked for.
        pub query: Option<String>,
    }

    /// A task is being waited for (not measured).
    pub struct WaitingForTask {
        /// Its title.
        pub task_description: Option<String> = "taskDescription",
        /// What it is.
        pub task_type: Option<TaskType> = "taskType",
    }
}
