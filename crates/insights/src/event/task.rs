//! Work beside the conversation: tasks in the background, and the list of things to do.

use std::sync::Arc;

use crate::shape::{event, names, state};
use crate::time::UnixMillis;

event! {
    /// A task has begun, gone on, or ended: a subagent, or a command that takes long.
    pub struct Task {
        /// Which of these.
        pub phase: TaskPhase,
        /// The task; of a subagent also its `agentId`.
        pub task_id: Arc<str>,
        /// The run of it.
        pub run_id: Option<Arc<str>>,
        /// The call that began it.
        pub tool_use_id: Option<Arc<str>>,
        /// `local_agent`, `local_bash`, …
        pub task_type: Option<String>,
        /// The kind of the subagent.
        pub agent_type: Option<String>,
        /// What it does.
        pub description: Option<String>,
        /// What came of it.
        pub summary: Option<String>,
        /// `running`, `completed`, `failed`, `stopped`, …
        pub status: Option<String>,
        /// Does it run in the background?
        pub is_backgrounded: Option<bool>,
        /// The task that began it.
        pub parent_task_id: Option<Arc<str>>,
        /// How deep a subagent is nested; 1 for one of the main agent.
        pub spawn_depth: Option<u64>,
        /// The workflow that it is.
        pub workflow_name: Option<String>,
        /// What it was told.
        pub prompt: Option<String>,
        /// The tool that it called last.
        pub last_tool_name: Option<String>,
        /// Tokens so far.
        pub total_tokens: Option<u64>,
        /// Tool calls so far.
        pub tool_uses: Option<u64>,
        /// Milliseconds so far.
        pub duration_ms: Option<f64>,
        /// When it ended.
        pub end_time: Option<UnixMillis>,
        /// What went wrong.
        pub error: Option<String>,
        /// The file with its output.
        pub output_file: Option<String>,
        /// What a task of an MCP server gave.
        pub resource_links: Option<Vec<ResourceLink>>,
        /// Is it none of the user's business?
        pub ambient: Option<bool>,
    }

    /// Something that an MCP server has, by its address.
    pub struct ResourceLink {
        /// Its address.
        pub uri: String,
        /// Its name.
        pub name: Option<String>,
        /// Its name for people.
        pub title: Option<String>,
        /// What it is.
        pub description: Option<String>,
        /// Its media type.
        pub mime_type: Option<String>,
        /// Its size in bytes.
        pub size: Option<u64>,
        /// The server that has it.
        pub server: Option<String>,
    }

    /// The tasks in the background, all of them.
    pub struct BackgroundTasks {
        /// The tasks.
        pub tasks: Vec<BackgroundTask>,
    }

    /// A task in the background.
    pub struct BackgroundTask {
        /// The task.
        pub task_id: Arc<str>,
        /// The run of it.
        pub run_id: Option<Arc<str>>,
        /// The task that began it.
        pub parent_task_id: Option<Arc<str>>,
        /// `local_agent`, `local_bash`, …
        pub task_type: Option<String>,
        /// The kind of the subagent.
        pub agent_type: Option<String>,
        /// What it does.
        pub description: Option<String>,
    }

    /// The agent's list of things to do, all of it.
    pub struct TaskList {
        /// The things to do.
        pub tasks: Vec<TodoTask>,
    }
}

state! {
    /// A thing to do.
    pub struct TodoTask {
        /// Its number, or its place in a list without numbers.
        pub id: String,
        /// What is to be done.
        pub subject: String,
        /// More about it.
        pub description: Option<String>,
        /// How far it is.
        pub status: TodoStatus,
        /// What to say while it is being done.
        pub active_form: Option<String>,
        /// Who does it.
        pub owner: Option<String>,
        /// What waits for it.
        pub blocks: Vec<String>,
        /// What it waits for.
        pub blocked_by: Vec<String>,
    }
}

names! {
    /// What is told of a task.
    pub enum TaskPhase {
        /// It has begun.
        Started,
        /// It goes on.
        Progress,
        /// Something about it has changed.
        Updated,
        /// It has ended, and the agent was told.
        Notification,
    }

    /// How far a thing to do is.
    pub enum TodoStatus {
        /// Not begun.
        Pending,
        /// Begun.
        #[serde(rename = "in_progress")]
        InProgress,
        /// Done.
        Completed,
        ;
        /// Something else.
        Other(String)
    }
}
