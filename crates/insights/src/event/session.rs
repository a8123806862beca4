//! The session itself: what it is, what it is busy with, what it has used, and the process behind it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::turn::{ModelTokenUsage, TokenUsage};
use crate::json::Json;
use crate::shape::{event, names, state};
use crate::time::UnixMillis;

event! {
    /// The session as it is now. Each turn begins with one, which refreshes what the one before said.
    pub struct SessionInit {
        /// The model in use.
        pub model: Option<String>,
        /// How hard the model is to think, where the agent says so.
        pub reasoning_effort: Option<String>,
        /// The working directory.
        pub cwd: Option<String>,
        /// The tools.
        pub available_tools: Option<Arc<[String]>>,
        /// The MCP servers.
        pub mcp_servers: Option<Vec<McpServerStatus>>,
        /// The permission mode.
        pub permission_mode: Option<String>,
        /// Who is logged in.
        pub account: Option<AccountInfo>,
        /// The slash commands.
        pub slash_commands: Option<Arc<[SlashCommand]>>,
        /// The models to choose from.
        pub available_models: Option<Arc<[ModelInfo]>>,
        /// The agent's version.
        pub version: Option<String>,
        /// The subagents that can be started.
        pub agents: Option<Arc<[String]>>,
        /// What they are for, where the agent says it.
        pub agent_kinds: Option<Arc<[AgentKind]>>,
        /// The skills.
        pub skills: Option<Arc<[String]>>,
        /// The plugins.
        pub plugins: Option<Vec<PluginInfo>>,
        /// What went wrong with plugins.
        pub plugin_errors: Option<Vec<String>>,
        /// The output style.
        pub output_style: Option<String>,
        /// The output styles to choose from.
        pub available_output_styles: Option<Vec<String>>,
        /// Fast mode: `off`, `cooldown` or `on`.
        pub fast_mode_state: Option<String>,
        /// Why fast mode cannot be used.
        pub fast_mode_disabled_reason: Option<String>,
        /// What this version can do.
        pub capabilities: Option<Arc<[String]>>,
        /// What is tried out in the API.
        pub betas: Option<Vec<String>>,
        /// Commands that need a terminal.
        pub terminal_slash_commands: Option<Arc<[String]>>,
        /// How much of the conversation the agent's own screen shows.
        pub view_mode: Option<String>,
        /// Where the API key is from, as the agent reports it.
        pub api_key_source: Option<String>,
        /// Other folders that the agent may work in.
        pub additional_directories: Option<Vec<String>>,
        /// The prompts that the turn begins with, where the agent names them.
        pub user_message_uuids: Option<Vec<Arc<str>>>,
        /// Is this the first of the session, and not a refresh?
        pub is_first: bool,
    }

    /// What the agent says when it is greeted, before the first turn. Each `SessionInit` says it again.
    pub struct Offered {
        /// The model in use.
        pub model: Option<String>,
        /// The permission mode.
        pub permission_mode: Option<String>,
        /// The output style.
        pub output_style: Option<String>,
        /// Fast mode: `off`, `cooldown` or `on`.
        pub fast_mode_state: Option<String>,
        /// Why fast mode cannot be used.
        pub fast_mode_disabled_reason: Option<String>,
        /// The agent's version.
        pub version: Option<String>,
        /// What this version can do.
        pub capabilities: Option<Arc<[String]>>,
        /// Who is logged in.
        pub account: Option<AccountInfo>,
        /// The models to choose from.
        pub available_models: Option<Arc<[ModelInfo]>>,
        /// The subagents that can be started.
        pub agents: Option<Arc<[String]>>,
        /// What they are for.
        pub agent_kinds: Option<Arc<[AgentKind]>>,
        /// The output styles to choose from.
        pub available_output_styles: Option<Vec<String>>,
    }

    /// An MCP server.
    pub struct McpServerStatus {
        /// Its name.
        pub name: String,
        /// Its state.
        pub status: McpStatus,
        /// What it says of itself.
        pub server_info: Option<McpServerInfo>,
        /// Where it is configured: `user`, `project`, `sdk`, …
        pub source: Option<String>,
        /// What went wrong.
        pub error: Option<String>,
        /// Its tools, where they are listed.
        pub tools: Option<Vec<String>>,
    }

    /// What an MCP server says of itself.
    pub struct McpServerInfo {
        /// Its name.
        pub name: String,
        /// Its version.
        pub version: String,
    }

    /// A plugin.
    pub struct PluginInfo {
        /// Its name.
        pub name: String,
        /// Where it is.
        pub path: Option<String>,
        /// Its version.
        pub version: Option<String>,
    }

    /// What the agent is busy with, and what else changed with it.
    pub struct SessionStatus {
        /// What it is busy with.
        pub status: SessionStatusWord,
        /// More about it.
        pub message: Option<String>,
        /// The permission mode that is in force from now on.
        pub permission_mode: Option<String>,
        /// How a compaction ended: `success` or `failed`.
        pub compact_result: Option<String>,
        /// Why it failed.
        pub compact_error: Option<String>,
        /// The session's new title.
        pub title: Option<String>,
        /// The working directory, where a transcript tells it.
        pub cwd: Option<String>,
        /// The agent's version, where a transcript tells it.
        pub version: Option<String>,
    }

    /// The limits of the plan.
    pub struct RateLimitUpdate {
        /// The nearest window.
        pub primary: Option<RateLimitWindow>,
        /// Another one.
        pub secondary: Option<RateLimitWindow>,
        /// All windows that were told, by their name.
        pub windows: BTreeMap<String, RateLimitWindow>,
        /// May requests be made: `allowed`, `allowed_warning` or `rejected`?
        pub status: Option<String>,
        /// When the limit ends.
        pub resets_at: Option<UnixMillis>,
        /// Which limit it is: `five_hour`, `seven_day`, …
        pub limit_type: Option<String>,
        /// How much of it is used, 0 to 1.
        pub utilization: Option<f64>,
        /// The same for use beyond the plan.
        pub overage_status: Option<String>,
        /// When that limit ends.
        pub overage_resets_at: Option<UnixMillis>,
        /// Why there is no use beyond the plan.
        pub overage_disabled_reason: Option<String>,
        /// Are requests being made beyond the plan?
        pub is_using_overage: Option<bool>,
        /// The mark that was passed, 0 to 1.
        pub surpassed_threshold: Option<f64>,
        /// What shares the limit.
        pub limit_scope: Option<String>,
        /// What to do about it, for programs.
        pub error_code: Option<String>,
    }

    /// A window of the plan.
    pub struct RateLimitWindow {
        /// How much of it is used, in percent.
        pub used_percent: f64,
        /// How long it is.
        pub window_duration_mins: Option<u64>,
        /// When it ends.
        pub resets_at: Option<UnixMillis>,
        /// May requests be made?
        pub status: Option<String>,
    }

    /// The slash commands, all of them.
    pub struct AvailableCommands {
        /// The commands.
        pub available_commands: Arc<[SlashCommand]>,
    }

    /// Does the session work, wait or need an answer?
    pub struct SessionStateWord {
        /// `idle`, `running` or `requires_action`.
        pub state: String,
    }

    /// What the user might ask next.
    pub struct PromptSuggestion {
        /// The words.
        pub suggestion: String,
    }

    /// The model thinks.
    pub struct ThinkingProgress {
        /// A guess at the tokens so far.
        pub estimated_tokens: u64,
        /// What is new of them.
        pub delta: Option<i64>,
    }

    /// The state of a login.
    pub struct AuthStatus {
        /// Does it go on?
        pub is_authenticating: bool,
        /// What the agent says.
        pub output: Vec<String>,
        /// What went wrong.
        pub error: Option<String>,
    }

    /// The goal that the session works towards; without a condition it was given up or reached.
    pub struct Goal {
        /// When it is reached.
        pub condition: Option<String>,
        /// The tries so far.
        pub iterations: Option<u64>,
        /// When it was set.
        pub set_at: Option<UnixMillis>,
        /// Tokens that had been used by then.
        pub tokens_at_start: Option<u64>,
        /// Why the last one was not enough.
        pub last_reason: Option<String>,
    }

    /// Something could not be kept.
    pub struct StorageProblem {
        /// `mirror_error` or `writes_lost`.
        pub kind: String,
        /// What went wrong.
        pub error: Option<String>,
        /// What is lost.
        pub lost: Option<Vec<String>>,
        /// The sessions whose transcripts have gaps.
        pub session_ids: Option<Vec<String>>,
    }

    /// The agent's process will end.
    pub struct WorkerShutdown {
        /// Why.
        pub reason: Option<String>,
    }

    /// What the session has used so far: derived with each turn's end.
    pub struct SessionMetrics {
        /// Dollars of this session's own turns.
        pub cost_usd: f64,
        /// Dollars of the last turn.
        pub turn_cost_usd: f64,
        /// Dollars that were spent before this session took the conversation over; not part of `cost_usd`.
        pub inherited_cost_usd: f64,
        /// Tokens of this session's own turns.
        pub tokens: TokenUsage,
        /// The same by model.
        pub per_model: BTreeMap<String, ModelTokenUsage>,
        /// Tokens in the context.
        pub context_used: Option<u64>,
        /// Tokens that fit into it.
        pub context_max: Option<u64>,
        /// How full it is, in percent.
        pub context_percent: Option<f64>,
        /// How often the context was summed up.
        pub compactions: u64,
        /// Turns that have ended.
        pub turns: u64,
    }

    /// The agent's process was started.
    pub struct ProcessStart {
        /// The program.
        pub program: String,
        /// Its arguments.
        pub argv: Vec<String>,
        /// Its working directory.
        pub cwd: String,
        /// The agent's version.
        pub version: Option<String>,
        /// The process.
        pub pid: Option<u32>,
    }

    /// The agent's process has ended.
    pub struct ProcessExit {
        /// Its exit code.
        pub code: Option<i32>,
        /// The signal that ended it.
        pub signal: Option<i32>,
        /// Was it told to end?
        pub expected: bool,
        /// Did nobody see how it ended, since its keeper died too?
        pub lost: bool,
        /// The last lines of its stderr.
        pub stderr_tail: Vec<String>,
    }

    /// The agent wrote to its stderr.
    pub struct Stderr {
        /// The line.
        pub text: String,
    }

    /// The conversation goes on under another id, or in another process.
    pub struct SessionMoved {
        /// How.
        pub how: MovedHow,
        /// The id before.
        pub from: Option<String>,
        /// The id now.
        pub to: Option<String>,
    }

    /// A line that is no message.
    pub struct ProtocolError {
        /// What is wrong with it.
        pub error: String,
        /// Its beginning.
        pub line: String,
    }

    /// A message of a kind that we do not know.
    pub struct UnknownMessage {
        /// Its type.
        pub message_type: String,
        /// Its subtype.
        pub subtype: Option<String>,
        /// The way it went, if not from the agent.
        pub direction: Option<String>,
    }

    /// A block of a kind that we do not know.
    pub struct UnknownBlock {
        /// The message.
        pub message_id: Option<Arc<str>>,
        /// The number of the block in its message.
        pub block_index: u32,
        /// Its type.
        pub block_type: String,
        /// The call whose subagent speaks.
        pub parent_call_id: Option<Arc<str>>,
        /// The block itself.
        pub block: Json,
    }
}

state! {
    /// Who is logged in.
    pub struct AccountInfo {
        /// The address.
        pub email: Option<String>,
        /// The organization.
        pub organization: Option<String>,
        /// The plan.
        pub subscription_type: Option<String>,
        /// Where the token is from.
        pub token_source: Option<String>,
        /// Where the API key is from.
        pub api_key_source: Option<String>,
    }

    /// A slash command.
    pub struct SlashCommand {
        /// Its name, without the slash.
        pub name: String,
        /// What it does.
        pub description: String,
        /// What may follow it.
        pub argument_hint: String,
        /// Other names of it.
        pub aliases: Option<Vec<String>>,
    }

    /// A kind of subagent.
    pub struct AgentKind {
        /// Its name.
        pub name: String,
        /// What it is for.
        pub description: Option<String>,
        /// Its model; `inherit` for that of the main agent.
        pub model: Option<String>,
    }

    /// A model to choose.
    pub struct ModelInfo {
        /// What to ask for.
        pub value: String,
        /// Its name for people.
        pub display_name: String,
        /// What it is good for.
        pub description: String,
        /// How hard it can be made to think.
        pub effort_levels: Option<Vec<String>>,
        /// The full name of what is asked for.
        pub resolved: Option<String>,
        /// Has it a fast mode?
        pub fast_mode: Option<bool>,
        /// Can it be used in auto mode?
        pub auto_mode: Option<bool>,
        /// Can thinking be turned off?
        pub thinking_off: Option<bool>,
    }
}

names! {
    /// What an agent is busy with.
    pub enum SessionStatusWord {
        /// It sums up the context.
        Compacting,
        /// It takes a conversation up again.
        Resuming,
        /// It was interrupted.
        Interrupted,
        /// It has ended.
        Ended,
        /// Something went wrong.
        Error,
        /// It waits for the model.
        Requesting,
        /// Nothing.
        Idle,
        ;
        /// Something else.
        Other(String)
    }

    /// The state of an MCP server.
    pub enum McpStatus {
        /// It can be used.
        Connected,
        /// It could not be reached.
        Failed,
        /// The user has to log in.
        #[serde(rename = "needs-auth")]
        NeedsAuth,
        /// It is being connected.
        Pending,
        /// It is turned off.
        Disabled,
        ;
        /// Something else.
        Other(String)
    }

    /// How a conversation came to go on elsewhere.
    pub enum MovedHow {
        /// In a new process, under the same id or a new one.
        Resumed,
        /// As a copy.
        Forked,
        /// From nothing.
        Cleared,
        /// It was read from the agent's own file.
        Imported,
        /// A server has taken it up.
        Attached,
        /// A server has let it go.
        Detached,
    }
}
