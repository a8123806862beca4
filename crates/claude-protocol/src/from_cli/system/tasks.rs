//! `system` lines about tasks: subagents and commands, in the foreground and in the background. All of 2.1.325.

use crate::from_cli::system::workflow::WorkflowPart;
use crate::ids::{TaskId, ToolUseId};
use crate::tool::mcp::McpResource;

message! {
    /// A task has begun: a subagent, or a command that runs in the background or for more than about three seconds
    /// (2.1.325).
    pub struct TaskStarted {
        /// The task. Of a subagent also its `agent_id`.
        pub task_id: TaskId,
        /// This run of the task; a later run of the same task has one that sorts after it.
        pub run_id: Option<String>,
        /// The tool call that began it.
        pub tool_use_id: Option<ToolUseId>,
        /// What it is to do, in a few words.
        pub description: Option<String>,
        /// Does it run in the background? May change later: see [`TaskPatch`].
        pub is_backgrounded: Option<bool>,
        /// What it is.
        pub task_type: Option<TaskType>,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// How deep a subagent is nested; 1 for one of the main agent.
        pub spawn_depth: Option<u64>,
        /// Does the turn wait for it? In the CLI's code, not measured.
        pub awaited: Option<bool>,
        /// The prompt of a subagent.
        pub prompt: Option<String>,
        /// Did a subagent begin it?
        pub owned_by_subagent: Option<bool>,
        /// The task of that subagent.
        pub parent_task_id: Option<TaskId>,
        /// The name of a workflow (2.1.207 to 2.1.325).
        pub workflow_name: Option<String>,
        /// Is it housekeeping, which the conversation need not show?
        pub skip_transcript: Option<bool>,
        /// Is it no activity, so that no spinner need turn?
        pub ambient: Option<bool>,
    }

    /// A subagent has made a tool call, or a workflow has come further (2.1.325).
    pub struct TaskProgress {
        /// The task.
        pub task_id: TaskId,
        /// This run of the task.
        pub run_id: Option<String>,
        /// The tool call that began it.
        pub tool_use_id: Option<ToolUseId>,
        /// What it does right now.
        pub description: Option<String>,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// What it has used so far.
        pub usage: Option<TaskUsage>,
        /// The tool that it called; of a workflow, the name of the subagent.
        pub last_tool_name: Option<String>,
        /// A line about how it goes, with `agentProgressSummaries` (declared, not measured); of a workflow, what it
        /// does (2.1.207 to 2.1.325).
        pub summary: Option<String>,
        /// The parts of a workflow that are new or have changed (2.1.207 to 2.1.325).
        pub workflow_progress: Option<Vec<WorkflowPart>>,
    }

    /// A task has changed (2.1.325).
    pub struct TaskUpdated {
        /// The task.
        pub task_id: TaskId,
        /// This run of the task.
        pub run_id: Option<String>,
        /// What is new; the rest is as it was.
        pub patch: TaskPatch,
    }

    /// A task has ended (2.1.325). If it ran in the background, the CLI mostly begins a turn to tell the model.
    pub struct TaskNotification {
        /// The task.
        pub task_id: TaskId,
        /// This run of the task.
        pub run_id: Option<String>,
        /// The tool call that began it.
        pub tool_use_id: Option<ToolUseId>,
        /// How it ended.
        pub status: Option<TaskOutcome>,
        /// Why, if in none of the usual ways: `worker_restart`. Declared, not measured.
        pub reason: Option<String>,
        /// The file with its output.
        pub output_file: Option<String>,
        /// A line about how it ended; of a subagent, its answer or its description.
        pub summary: Option<String>,
        /// True if the summary is the whole report of a subagent in the background (2.1.326). Absent otherwise: then it may
        /// be a description or an interim text.
        pub summary_is_report: Option<bool>,
        /// What a subagent has used.
        pub usage: Option<TaskUsage>,
        /// Files that a task of an MCP server gave. Declared, not measured.
        pub resource_links: Option<Vec<McpResource>>,
        /// What became of a subagent's report: `send`, `flagged` or `withheld`. In the CLI's code, not measured.
        pub handback: Option<String>,
        /// The report. In the CLI's code, not measured.
        pub handback_report: Option<HandbackReport>,
        /// Is it housekeeping, which the conversation need not show?
        pub skip_transcript: Option<bool>,
        /// Is it no activity, so that no spinner need turn?
        pub ambient: Option<bool>,
    }

    /// The tasks in the background are others now (2.1.325). Its place among the `task_*` lines is not fixed.
    pub struct BackgroundTasksChanged {
        /// All of them: replace the list.
        pub tasks: Vec<BackgroundTask>,
    }
}

wire! {
    /// A subagent's report. In the CLI's code (2.1.325), not measured.
    pub struct HandbackReport {
        /// The whole report.
        pub text: Option<String>,
        /// What to beware of in it.
        pub warning: Option<String>,
    }

    /// A task in the background (2.1.325).
    pub struct BackgroundTask {
        /// The task.
        pub task_id: TaskId,
        /// This run of the task.
        pub run_id: Option<String>,
        /// What it is.
        pub task_type: Option<TaskType>,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// What it is to do, in a few words.
        pub description: Option<String>,
        /// The task of the subagent that began it. Declared, not measured here.
        pub parent_task_id: Option<TaskId>,
        /// Is it no activity, so that no spinner need turn? Declared, not measured here.
        pub ambient: Option<bool>,
        /// Does the turn wait for it? In the CLI's code, not measured.
        pub awaited: Option<bool>,
        /// Does it run on another machine? In the CLI's code, not measured.
        pub off_host: Option<bool>,
    }

    /// What is new about a task (2.1.325).
    pub struct TaskPatch {
        /// How it is.
        pub status: Option<TaskStatus>,
        /// What it is to do. Declared, not measured.
        pub description: Option<String>,
        /// When it ended, in milliseconds since 1970.
        pub end_time: Option<f64>,
        /// Milliseconds for which it was paused. Declared, not measured.
        pub total_paused_ms: Option<f64>,
        /// Why it failed.
        pub error: Option<String>,
        /// Does it run in the background?
        pub is_backgrounded: Option<bool>,
    }

    /// What a subagent has used (2.1.325).
    pub struct TaskUsage {
        /// Tokens.
        pub total_tokens: Option<u64>,
        /// Tool calls.
        pub tool_uses: Option<u64>,
        /// Milliseconds.
        pub duration_ms: Option<f64>,
    }
}

words! {
    /// What a task is.
    pub enum TaskType {
        /// A subagent (2.1.325).
        LocalAgent = "local_agent",
        /// A command of the shell (2.1.325).
        LocalBash = "local_bash",
        /// A workflow (2.1.207 to 2.1.325).
        LocalWorkflow = "local_workflow",
        /// A task of an MCP server. Declared, not measured.
        McpTask = "mcp_task",
        /// A subagent on another machine. Declared, not measured.
        RemoteAgent = "remote_agent",
    }

    /// How a task is.
    pub enum TaskStatus {
        /// Not begun. Declared, not measured.
        Pending = "pending",
        /// It runs. Declared, not measured.
        Running = "running",
        /// Ended well (2.1.325).
        Completed = "completed",
        /// Failed (2.1.325).
        Failed = "failed",
        /// Stopped (2.1.325); the `task_notification` says `stopped`.
        Killed = "killed",
        /// Paused. Declared, not measured.
        Paused = "paused",
    }

    /// How a task ended (2.1.325).
    pub enum TaskOutcome {
        /// Well.
        Completed = "completed",
        /// It failed.
        Failed = "failed",
        /// It was stopped; the `task_updated` says `killed`.
        Stopped = "stopped",
    }
}
