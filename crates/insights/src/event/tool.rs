//! Tools and subagents: calls, results, and what happens between.

use std::sync::Arc;

use super::text::ImageData;
use super::turn::TokenUsage;
use crate::json::Json;
use crate::shape::{event, names};

event! {
    /// The agent calls a tool.
    pub struct ToolInvocation {
        /// Pairs with the completion.
        pub call_id: Arc<str>,
        /// The call whose subagent this one is of.
        pub parent_call_id: Option<Arc<str>>,
        /// What kind of work it is.
        pub kind: ToolKind,
        /// The tool, by its own name.
        pub tool_name: String,
        /// A name for people.
        pub title: Option<String>,
        /// The input, as the model wrote it.
        pub input: Json,
        /// The paths that it is about.
        pub locations: Option<Vec<String>>,
        /// The model.
        pub model: Option<String>,
        /// The message.
        pub message_id: Option<Arc<str>>,
        /// The number of the block in its message.
        pub block_index: Option<u32>,
        /// Its place among the blocks of its line, where that is not the first.
        pub line_block: Option<u32>,
        /// The MCP server, of a tool that has one.
        pub mcp_server: Option<String>,
        /// The tool's name there.
        pub mcp_tool: Option<String>,
        /// Is it to run in the background?
        pub run_in_background: Option<bool>,
    }

    /// A tool has ended.
    pub struct ToolCompletion {
        /// The call.
        pub call_id: Arc<str>,
        /// The call whose subagent it is of.
        pub parent_call_id: Option<Arc<str>>,
        /// The tool, where its call was seen.
        pub tool_name: Option<String>,
        /// How it ended.
        pub status: ToolCallStatus,
        /// The structured result, else what the model reads.
        pub output: Option<Json>,
        /// Did it fail, or was it refused?
        pub is_error: bool,
        /// What the model reads, as text.
        pub content: Option<String>,
        /// The pictures in it.
        pub images: Vec<ImageData>,
        /// What went wrong, without tags.
        pub error_text: Option<String>,
        /// The exit code of a command.
        pub exit_code: Option<i64>,
        /// Is `output` shared with other results of the same line?
        pub is_shared: Option<bool>,
        /// Who allowed or refused it: `config`, `user_temporary`, `hook`, …
        pub decided_by: Option<String>,
        /// Why it was not run at all: `user-rejected`, `permission-rule`, …
        pub not_run: Option<String>,
        /// Where `output` stands in the line, as a JSON pointer.
        pub output_pointer: Option<&'static str>,
        /// The task as which the subagent that it has started goes on.
        pub runs_on_as: Option<Arc<str>>,
        /// The number of the block in its line.
        pub block_index: u32,
        /// The paths that were changed.
        pub locations: Option<Vec<String>>,
    }

    /// A subagent was started.
    pub struct SubagentSpawn {
        /// The call that started it.
        pub call_id: Arc<str>,
        /// The call whose subagent started it.
        pub parent_call_id: Option<Arc<str>>,
        /// What kind it is.
        pub agent_type: Option<String>,
        /// What it is to do.
        pub description: Option<String>,
        /// Does it go on with earlier work?
        pub is_resume: bool,
        /// Whose work that is.
        pub resume_agent_id: Option<String>,
        /// The model that it is to use.
        pub model: Option<String>,
        /// Is it to run in the background? Where the call does not say, nobody knows yet.
        pub background: Option<bool>,
        /// What it is told.
        pub prompt: Option<String>,
        /// Where it works, if apart.
        pub isolation: Option<String>,
        /// The place of the call among the blocks of its line, where that is not the first.
        pub line_block: Option<u32>,
    }

    /// A subagent has ended.
    pub struct SubagentComplete {
        /// The call that started it.
        pub call_id: Arc<str>,
        /// The subagent, for going on with it.
        pub agent_id: Option<String>,
        /// `completed`, `failed`, `stopped`, …
        pub status: Option<String>,
        /// Its last words.
        pub summary: Option<String>,
        /// How long it took.
        pub total_duration_ms: Option<f64>,
        /// Tokens that it used.
        pub total_tokens: Option<u64>,
        /// Tools that it called.
        pub total_tool_use_count: Option<u64>,
        /// Tokens in detail.
        pub usage: Option<TokenUsage>,
        /// The model that it ran on.
        pub resolved_model: Option<String>,
        /// The file with what it said, if it ran in the background.
        pub output_file: Option<String>,
    }

    /// A tool still runs.
    pub struct ToolProgress {
        /// The call.
        pub call_id: Arc<str>,
        /// The tool.
        pub tool_name: Option<String>,
        /// The call whose subagent it is of.
        pub parent_call_id: Option<Arc<str>>,
        /// How long it has run.
        pub elapsed_seconds: f64,
        /// Its task, where it has one.
        pub task_id: Option<Arc<str>>,
        /// Is this a mere sign of life?
        pub heartbeat: Option<bool>,
        /// Why a subagent waits: its call of the model failed and will be made again.
        pub retry: Option<String>,
    }

    /// A few words about tool calls that have ended.
    pub struct ToolSummary {
        /// The words.
        pub summary: String,
        /// The calls.
        pub call_ids: Vec<Arc<str>>,
    }
}

names! {
    /// What kind of work a tool does.
    pub enum ToolKind {
        /// Runs a command.
        Execute,
        /// Reads a file.
        Read,
        /// Changes a file.
        Edit,
        /// Removes a file.
        Delete,
        /// Moves a file.
        Move,
        /// Looks for something.
        Search,
        /// Gets a page.
        Fetch,
        /// Searches the web.
        Browse,
        /// Sets another agent to work.
        Think,
        /// Asks the user.
        Ask,
        /// Keeps a list.
        Memory,
        /// Is served by an MCP server.
        Mcp,
        /// Something else.
        Other,
    }

    /// How a tool call ended.
    pub enum ToolCallStatus {
        /// Well.
        Completed,
        /// Not well.
        Failed,
        /// It was called off.
        Cancelled,
    }
}
