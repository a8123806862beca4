//! `system/init`: the session as it is now.

use crate::control::catalog::{ApiKeySource, EffortLevel, FastModeDisabledReason, FastModeState, Plugin};
use crate::control::mcp::{McpServerState, ServerInfo};
use crate::control::request::ThinkingDisplay;
use crate::ids::{ToolUseId, Uuid};
use crate::names::Names;
use crate::permission::PermissionMode;
use crate::raw::Raw;

message! {
    /// The session as it is now: the first line of each turn, or nearly so; none at the start of the process, and none
    /// after `initialize` (2.1.1 to 2.1.325). Each one replaces what the last one said. After `/clear` its session is a
    /// new one.
    pub struct Init {
        /// The working directory.
        pub cwd: Option<String>,
        /// The model.
        pub model: Option<String>,
        /// The permission mode.
        pub permission_mode: Option<PermissionMode> = "permissionMode",
        /// The tools. The subagent tool is called `Task` here, while calls of it say `Agent` (2.1.325).
        pub tools: Option<Names>,
        /// The MCP servers.
        pub mcp_servers: Option<Vec<McpServer>>,
        /// The slash commands, without the slash.
        pub slash_commands: Option<Names>,
        /// Those of them that only make sense in a terminal (2.1.325).
        pub terminal_slash_commands: Option<Names>,
        /// The agents.
        pub agents: Option<Names>,
        /// The skills.
        pub skills: Option<Names>,
        /// The plugins.
        pub plugins: Option<Vec<Plugin>>,
        /// Plugins that did not load, or not in full. Declared, not measured.
        pub plugin_errors: Option<Vec<PluginError>>,
        /// Remarks about plugins that did load. In the CLI's code, not measured.
        pub plugin_warnings: Option<Vec<PluginError>>,
        /// MCP servers that could not be set up. In the CLI's code, not measured.
        pub mcp_server_errors: Option<Vec<McpServerError>>,
        /// Where the API key is from.
        pub api_key_source: Option<ApiKeySource> = "apiKeySource",
        /// The version of the CLI.
        pub claude_code_version: Option<String>,
        /// The output style.
        pub output_style: Option<String>,
        /// What the CLI can do, so that nobody has to compare versions (2.1.325).
        pub capabilities: Option<Names>,
        /// Betas of the API that are on. Declared, not measured.
        pub betas: Option<Vec<String>>,
        /// Is nothing reported about use? (2.1.325)
        pub analytics_disabled: Option<bool>,
        /// Is the user not to be asked for feedback? (2.1.325)
        pub product_feedback_disabled: Option<bool>,
        /// Where memories are kept (2.1.325).
        pub memory_paths: Option<MemoryPaths>,
        /// The working directory at the start (2.1.325).
        pub original_cwd: Option<String>,
        /// Directories beside the working directory that tools may use (2.1.325).
        pub additional_directories: Option<Vec<String>>,
        /// The socket for messages from other sessions (2.1.325).
        pub messaging_socket_path: Option<String>,
        /// Fast mode (2.1.38, 2.1.325).
        pub fast_mode_state: Option<FastModeState>,
        /// Why fast mode cannot be used (2.1.325).
        pub fast_mode_disabled_reason: Option<FastModeDisabledReason>,
        /// How hard the model is to think. Declared, not measured.
        pub effort: Option<EffortLevel>,
        /// Can the effort differ from turn to turn? (2.1.325)
        pub per_turn_effort_active: Option<bool>,
        /// Can a prompt ask for the hardest thinking? (2.1.325)
        pub ultrathink_available: Option<bool>,
        /// Does the word in a typed prompt do so? (2.1.325)
        pub ultrathink_typed_raises: Option<bool>,
        /// How turns are to be shown (2.1.325).
        pub view_mode: Option<ViewMode>,
        /// The prompts that this turn answers, if the host gave them uuids (2.1.325).
        pub user_message_uuids: Option<Vec<Uuid>>,
        /// A mark for the footer of the terminal. In the CLI's code, not measured.
        pub footer_indicator: Option<FooterIndicator>,
        /// A directory for files of no importance. In the CLI's code, not measured.
        pub scratchpad_path: Option<String>,
        /// Where skills of the account are kept. In the CLI's code, not measured.
        pub synced_skills_path: Option<String>,
        /// The PowerShell that commands run in. In the CLI's code, not measured.
        pub powershell_path: Option<String>,
        /// How the host has set thinking. In the CLI's code, not measured.
        pub client_thinking: Option<ClientThinking>,
        /// Did the host set what was set already? In the CLI's code, not measured.
        pub flag_restate_noop: Option<bool>,
        /// The number of a hosted process. In the CLI's code, not measured.
        pub worker_epoch: Option<u64>,
        /// How long a hosted process took to start. In the CLI's code, not measured.
        pub startup_timing: Option<Raw>,
        /// The session in the vendor's cloud: its device, its files, its calls. In the CLI's code, not measured.
        pub cloud_session: Option<Raw>,
        /// The tool call whose subagent this is about, in one of the older documents; never measured.
        pub parent_tool_use_id: Option<ToolUseId>,
    }
}

wire! {
    /// An MCP server, in short.
    pub struct McpServer {
        /// Its name.
        pub name: String,
        /// How it is.
        pub status: Option<McpServerState>,
        /// Where it is defined: `sdk`, `plugin`, or a scope of the settings such as `dynamic` (2.1.325).
        pub source: Option<String>,
        /// What it says of itself, in one of the older documents; never measured here, but in answers to `mcp_status`.
        pub server_info: Option<ServerInfo> = "serverInfo",
    }

    /// A plugin that did not load, or not in full. Declared, not measured.
    pub struct PluginError {
        /// The plugin.
        pub plugin: Option<String>,
        /// The kind of error, from an open set.
        pub r#type: Option<String> = "type",
        /// In words.
        pub message: Option<String>,
        /// The directory that did not load.
        pub path: Option<String>,
        /// The entry of the managed settings that kept it out.
        pub managed_lock: Option<ManagedLock>,
    }

    /// An MCP server that could not be set up. In the CLI's code (2.1.325), not measured.
    pub struct McpServerError {
        /// Its name.
        pub name: Option<String>,
        /// The kind of error.
        pub r#type: Option<String> = "type",
        /// In words.
        pub message: Option<String>,
    }

    /// A mark for the footer of the terminal. In the CLI's code (2.1.325), not measured.
    pub struct FooterIndicator {
        /// The text.
        pub text: Option<String>,
    }

    /// How the host has set thinking. In the CLI's code (2.1.325), not measured.
    pub struct ClientThinking {
        /// The most tokens; null for the CLI's own choice.
        pub max_thinking_tokens: Option<u64>,
        /// How thinking is to be shown.
        pub thinking_display: Option<ThinkingDisplay>,
    }

    /// An entry of the managed settings about a plugin. Declared, not measured.
    pub struct ManagedLock {
        /// Does the entry turn the plugin on?
        pub plugin_enabled: Option<bool>,
        /// The plugin's name in the entry.
        pub name: Option<String>,
        /// The marketplace in the entry.
        pub marketplace: Option<String>,
    }

    /// Where memories are kept (2.1.325).
    pub struct MemoryPaths {
        /// Those that the CLI writes by itself.
        pub auto: Option<String>,
        /// Those of the team. In the CLI, not measured.
        pub team: Option<String>,
    }
}

words! {
    /// How turns are to be shown (2.1.325).
    pub enum ViewMode {
        /// In full (2.1.325).
        Default = "default",
        /// As the prompt and the last answer only. Declared, not measured.
        Focus = "focus",
    }
}
