//! What hooks are told about tools, permissions and prompts.

use crate::content::Content;
use crate::control::ask::{ElicitationAction, ElicitationMode};
use crate::control::catalog::EffortLevel;
use crate::ids::ToolUseId;
use crate::permission::{McpServerProvenance, PermissionUpdate};
use crate::raw::Raw;

/// Declares what a hook is told: the event's own fields and those that every event has.
macro_rules! hook_input {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($field:tt)*
        }
    )*) => { wire! { $(
        $(#[$meta])*
        pub struct $name {
            /// The CLI's session.
            pub session_id: Option<$crate::ids::SessionId>,
            /// The session's transcript file.
            pub transcript_path: Option<String>,
            /// The working directory.
            pub cwd: Option<String>,
            /// Ties together all that follows from one prompt; absent before the first.
            pub prompt_id: Option<String>,
            /// The permission mode; not on every event.
            pub permission_mode: Option<$crate::permission::PermissionMode>,
            /// The subagent in which it happened; absent for the main agent.
            pub agent_id: Option<$crate::ids::AgentId>,
            /// The kind of that subagent; also, without `agent_id`, that of a session started with `--agent`. It can be
            /// empty.
            pub agent_type: Option<String>,
            /// How hard the model thinks in this turn.
            pub effort: Option<$crate::hook::input::Effort>,
            $($field)*
        }
    )* } };
}

pub(super) use hook_input;

wire! {
    /// How hard the model thinks.
    pub struct Effort {
        /// The level.
        pub level: Option<EffortLevel>,
    }

    /// One of the calls of a batch.
    pub struct BatchCall {
        /// The tool.
        pub tool_name: String,
        /// Its input.
        pub tool_input: Option<Raw>,
        /// The call.
        pub tool_use_id: Option<ToolUseId>,
        /// What the model reads.
        pub tool_response: Option<Content>,
    }
}

hook_input! {
    /// A tool is about to run. The answer may allow, deny or ask, and change the input.
    pub struct PreToolUse {
        /// The tool.
        pub tool_name: String,
        /// Its input.
        pub tool_input: Option<Raw>,
        /// The call.
        pub tool_use_id: Option<ToolUseId>,
        /// The MCP server of the tool (declared, not measured).
        pub mcp_server: Option<McpServerProvenance>,
    }

    /// A tool has run.
    pub struct PostToolUse {
        /// The tool.
        pub tool_name: String,
        /// Its input.
        pub tool_input: Option<Raw>,
        /// Its structured result, as in `tool_use_result`.
        pub tool_response: Option<Raw>,
        /// The call.
        pub tool_use_id: Option<ToolUseId>,
        /// How long it ran, without prompts and hooks.
        pub duration_ms: Option<f64>,
        /// The MCP server of the tool (declared, not measured).
        pub mcp_server: Option<McpServerProvenance>,
    }

    /// A tool has failed.
    pub struct PostToolUseFailure {
        /// The tool.
        pub tool_name: String,
        /// Its input.
        pub tool_input: Option<Raw>,
        /// The call.
        pub tool_use_id: Option<ToolUseId>,
        /// What went wrong, for example `Exit code 2`.
        pub error: Option<String>,
        /// Was it the user who stopped it?
        pub is_interrupt: Option<bool>,
        /// How long it ran, without prompts and hooks.
        pub duration_ms: Option<f64>,
        /// The MCP server of the tool (declared, not measured).
        pub mcp_server: Option<McpServerProvenance>,
    }

    /// All calls of one answer are done.
    pub struct PostToolBatch {
        /// The calls.
        pub tool_calls: Vec<BatchCall>,
    }

    /// The CLI asks for a permission. `can_use_tool` asks for the same at the same time; the first answer counts, the
    /// other request is withdrawn.
    pub struct PermissionRequest {
        /// The tool.
        pub tool_name: String,
        /// Its input.
        pub tool_input: Option<Raw>,
        /// What could be remembered.
        pub permission_suggestions: Option<Vec<PermissionUpdate>>,
        /// The MCP server of the tool (declared, not measured).
        pub mcp_server: Option<McpServerProvenance>,
    }

    /// Auto mode has denied a call.
    pub struct PermissionDenied {
        /// The tool.
        pub tool_name: String,
        /// Its input.
        pub tool_input: Option<Raw>,
        /// The call.
        pub tool_use_id: Option<ToolUseId>,
        /// Why.
        pub reason: Option<String>,
        /// The MCP server of the tool.
        pub mcp_server: Option<McpServerProvenance>,
    }

    /// A prompt has come in.
    pub struct UserPromptSubmit {
        /// The prompt.
        pub prompt: String,
        /// Who wrote it: `user`, `sdk`, `system`, `loop_wakeup`, `schedule_wakeup`, `poll_event` (declared, not
        /// measured).
        pub source: Option<String>,
        /// The session's title (declared, not measured).
        pub session_title: Option<String>,
    }

    /// A command has been expanded to a prompt.
    pub struct UserPromptExpansion {
        /// `slash_command` or `mcp_prompt`.
        pub expansion_type: Option<String>,
        /// The command.
        pub command_name: Option<String>,
        /// Its arguments.
        pub command_args: Option<String>,
        /// Where it is defined.
        pub command_source: Option<String>,
        /// The prompt it became.
        pub prompt: Option<String>,
    }

    /// An MCP server wants something from the user. The answer may give it in the user's place.
    pub struct Elicitation {
        /// The server.
        pub mcp_server_name: Option<String>,
        /// What it says.
        pub message: Option<String>,
        /// A form to fill, or a page to visit.
        pub mode: Option<ElicitationMode>,
        /// The page to visit.
        pub url: Option<String>,
        /// The server's name for the question.
        pub elicitation_id: Option<String>,
        /// The JSON schema of the form.
        pub requested_schema: Option<Raw>,
    }

    /// The user has answered an MCP server. The answer may be changed.
    pub struct ElicitationResult {
        /// The server.
        pub mcp_server_name: Option<String>,
        /// The server's name for the question.
        pub elicitation_id: Option<String>,
        /// A form to fill, or a page to visit.
        pub mode: Option<ElicitationMode>,
        /// What the user did.
        pub action: Option<ElicitationAction>,
        /// The filled form.
        pub content: Option<Raw>,
    }
}
