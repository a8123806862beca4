//! What a session is started with: [`Claude`] is the configuration, built step by step, and [`Options`] the plain data in
//! it, which the launch turns into arguments, environment and the first request.
//!
//! Each method says which flag it becomes and since which version of the CLI; one that an installed CLI lacks is an error
//! at the start and never dropped in silence. Flags that make no sense for a session over pipes have no method:
//! `--print`, `--ax-screen-reader`, `--background`, `--cloud`, `--desktop`, `--remote-control`, `--rewind-files`,
//! `--sdk-url`, `--teleport`, `--tmux`. What else the CLI has or will have can be passed with [`Claude::extra_args`].

mod custom;
mod environment;
mod limits;
mod mcp;
mod model;
mod output;
mod permissions;
mod prompt;
mod session;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use claude_protocol::Raw;
use claude_protocol::control::catalog::EffortLevel;
use claude_protocol::control::initialize::AgentDefinition;
use claude_protocol::control::mcp::ServerConfig;
use claude_protocol::permission::PermissionMode;

pub use custom::{Chrome, Plugin, SettingSource};
pub use environment::Debug;
pub use limits::AutoCompact;
pub use model::{Thinking, ThinkingDisplay};
pub use permissions::Tools;

use crate::handlers::Handlers;

pub(crate) use custom::Settings;
pub(crate) use environment::Variables;
pub(crate) use limits::Limits;
pub(crate) use session::Selection;

/// How sessions are started. Immutable, cheap to clone, and good for any number of sessions.
///
/// ```
/// use claude_driver::Claude;
///
/// let claude = Claude::new().model("sonnet").cwd(".").max_budget_usd(0.5);
/// let careful = claude.clone().disallowed_tools(["Bash"]);
/// # let _ = careful;
/// ```
#[derive(Clone, Debug, Default)]
pub struct Claude {
    pub(crate) options: Arc<Options>,
    pub(crate) handlers: Arc<Handlers>,
}

impl Claude {
    /// The CLI's own choices for everything, with partial messages.
    pub fn new() -> Claude {
        Claude::default()
    }

    fn with(mut self, change: impl FnOnce(&mut Options)) -> Claude {
        change(Arc::make_mut(&mut self.options));
        self
    }

    pub(crate) fn handling(mut self, change: impl FnOnce(&mut Handlers)) -> Claude {
        change(Arc::make_mut(&mut self.handlers));
        self
    }
}

/// The plain data of [`Claude`]. A field that is empty leaves the choice to the CLI.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    // The model.
    pub(crate) model: Option<String>,
    pub(crate) fallback_models: Vec<String>,
    pub(crate) effort: Option<EffortLevel>,
    pub(crate) thinking: Option<Thinking>,
    pub(crate) thinking_display: Option<ThinkingDisplay>,
    pub(crate) betas: Vec<String>,
    // Limits.
    pub(crate) max_turns: Option<u32>,
    pub(crate) max_budget_usd: Option<f64>,
    pub(crate) task_budget: Option<u64>,
    pub(crate) auto_compact: Option<AutoCompact>,
    pub(crate) max_retries: Option<u32>,
    pub(crate) limits: Limits,
    // Permissions and tools.
    pub(crate) permission_mode: Option<PermissionMode>,
    pub(crate) bypass_possible: bool,
    pub(crate) skip_permissions: bool,
    pub(crate) deny_prompts: bool,
    pub(crate) permission_prompt_tool: Option<String>,
    pub(crate) allowed_tools: Vec<String>,
    pub(crate) disallowed_tools: Vec<String>,
    pub(crate) tools: Option<Tools>,
    pub(crate) tool_aliases: BTreeMap<String, String>,
    pub(crate) directories: Vec<PathBuf>,
    pub(crate) restricted: bool,
    // The prompt.
    pub(crate) system_prompt: Option<String>,
    pub(crate) append_system_prompt: Option<String>,
    pub(crate) append_subagent_system_prompt: Option<String>,
    pub(crate) plan_mode_instructions: Option<String>,
    pub(crate) exclude_dynamic_sections: bool,
    pub(crate) fresh_system_prompt: bool,
    pub(crate) json_schema: Option<Raw>,
    // Which session.
    pub(crate) selection: Selection,
    pub(crate) fork: bool,
    pub(crate) session_id: Option<String>,
    pub(crate) resume_at: Option<String>,
    pub(crate) resume_drops_turn: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) unsaved: bool,
    pub(crate) worktree: Option<Option<String>>,
    // MCP servers.
    pub(crate) mcp_servers: BTreeMap<String, ServerConfig>,
    pub(crate) mcp_files: Vec<PathBuf>,
    pub(crate) strict_mcp: bool,
    // What customizes the CLI.
    pub(crate) settings: Option<Settings>,
    pub(crate) sandbox: Option<Raw>,
    pub(crate) managed_settings: Option<Raw>,
    pub(crate) setting_sources: Option<Vec<SettingSource>>,
    pub(crate) project_config_root: Option<PathBuf>,
    pub(crate) agent: Option<String>,
    pub(crate) agents: BTreeMap<String, AgentDefinition>,
    pub(crate) plugins: Vec<Plugin>,
    pub(crate) plugin_urls: Vec<String>,
    pub(crate) skills: Option<Vec<String>>,
    pub(crate) no_slash_commands: bool,
    pub(crate) bare: bool,
    pub(crate) safe_mode: bool,
    pub(crate) brief: bool,
    pub(crate) chrome: Option<Chrome>,
    pub(crate) ide: bool,
    pub(crate) setup_hooks: Option<&'static str>,
    pub(crate) files: Vec<String>,
    // What the CLI tells.
    pub(crate) tell_all: bool,
    pub(crate) no_partial_messages: bool,
    pub(crate) hook_events: bool,
    pub(crate) subagent_text: bool,
    pub(crate) prompt_suggestions: bool,
    pub(crate) progress_summaries: bool,
    pub(crate) tool_summaries: bool,
    pub(crate) no_session_state: bool,
    pub(crate) auth_status: bool,
    pub(crate) mirror: bool,
    pub(crate) per_task_stop: bool,
    pub(crate) dialogs: Vec<String>,
    // The process.
    pub(crate) program: Option<PathBuf>,
    pub(crate) runtime: Option<PathBuf>,
    pub(crate) runtime_args: Vec<OsString>,
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) variables: Variables,
    pub(crate) clear_environment: bool,
    pub(crate) file_checkpoints: bool,
    pub(crate) extra_args: Vec<OsString>,
    pub(crate) debug: Option<Debug>,
    pub(crate) debug_file: Option<PathBuf>,
}
