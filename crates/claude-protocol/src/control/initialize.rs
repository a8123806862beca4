//! `initialize`: what a host tells the CLI at the start, and what it learns.

use std::collections::BTreeMap;

use super::catalog::{
    Account, AgentInfo, ApiKeySource, EffortLevel, FastModeDisabledReason, FastModeState, ModelInfo, SlashCommand,
};
use super::mcp::{SdkServerManifest, SdkServerSettings};
use crate::cursor::{Cursor, Fault};
use crate::from_cli::system::SessionState;
use crate::hook::{HookEvent, HookMatcher};
use crate::permission::PermissionMode;
use crate::raw::Raw;
use crate::wire::Wire;

wire! {
    /// The first request of a host (2.1.1 to 2.1.325). It can be left out, and 2.1.325 takes it more than once; with
    /// `sdkMcpServers` the CLI asks before it answers.
    pub struct Initialize {
        /// Hooks of the host, by event (see [`HookEvent`]).
        pub hooks: Option<BTreeMap<String, Vec<HookMatcher>>>,
        /// MCP servers that live in the host, by name. One that does not answer hangs the first turn.
        pub sdk_mcp_servers: Option<Vec<String>> = "sdkMcpServers",
        /// Settings of these servers (declared, not measured).
        pub sdk_mcp_server_configs: Option<BTreeMap<String, SdkServerSettings>> = "sdkMcpServerConfigs",
        /// What these servers answer to their handshake, to save the asking (declared, not measured).
        pub sdk_mcp_server_manifests: Option<BTreeMap<String, SdkServerManifest>> = "sdkMcpServerManifests",
        /// `host_per_send` if the manifests are fresh; needed over remote transports only (declared, not measured).
        pub sdk_mcp_server_manifests_origin: Option<String> = "sdkMcpServerManifestsOrigin",
        /// The JSON schema of `result.structured_output`.
        pub json_schema: Option<Raw> = "jsonSchema",
        /// A system prompt in place of the CLI's.
        pub system_prompt: Option<SystemPrompt> = "systemPrompt",
        /// A text after the system prompt.
        pub append_system_prompt: Option<String> = "appendSystemPrompt",
        /// A text after the system prompt of subagents (declared, not measured).
        pub append_subagent_system_prompt: Option<String> = "appendSubagentSystemPrompt",
        /// False: make the system prompt anew for each request (declared, not measured).
        pub system_prompt_snapshot: Option<bool> = "systemPromptSnapshot",
        /// What to do in plan mode, in place of the CLI's own words (declared, not measured).
        pub plan_mode_instructions: Option<String> = "planModeInstructions",
        /// Other names of tools (declared, not measured).
        pub tool_aliases: Option<BTreeMap<String, String>> = "toolAliases",
        /// Keep what differs between users out of the system prompt (declared, not measured).
        pub exclude_dynamic_sections: Option<bool> = "excludeDynamicSections",
        /// Subagents of the host, by name.
        pub agents: Option<BTreeMap<String, AgentDefinition>>,
        /// A title for the session (declared, not measured).
        pub title: Option<String>,
        /// The only skills to load (declared, not measured).
        pub skills: Option<Vec<String>>,
        /// True: suggest the next prompt after each turn, see `prompt_suggestion`.
        pub prompt_suggestions: Option<bool> = "promptSuggestions",
        /// True: sum up what subagents do (declared, not measured).
        pub agent_progress_summaries: Option<bool> = "agentProgressSummaries",
        /// True: send also what subagents say (declared, not measured).
        pub forward_subagent_text: Option<bool> = "forwardSubagentText",
        /// True: send also the calls of subagents of subagents (declared, not measured).
        pub forward_nested_subagent_tool_calls: Option<bool> = "forwardNestedSubagentToolCalls",
        /// The dialogs that the host can show; no others are sent.
        pub supported_dialog_kinds: Option<Vec<String>> = "supportedDialogKinds",
        /// True: the host lets the user stop single tasks, so an interrupt spares those in the background.
        pub per_task_stop_affordance: Option<bool> = "perTaskStopAffordance",
        /// True: `set_proactivity_level` works.
        pub proactivity: Option<bool>,
        /// Plugins to load; only with `--await-initialize` (declared, not measured).
        pub plugins: Option<Vec<PluginConfig>>,
        /// The system prompt of one older document; every CLI tried ignores it.
        pub older_system_prompt: Option<Raw> = "system_prompt",
        /// The MCP servers of one older document; every CLI tried ignores them: use `--mcp-config` or
        /// `mcp_set_servers`.
        pub older_mcp_servers: Option<Raw> = "mcp_servers",
    }

    /// A subagent that the host defines.
    pub struct AgentDefinition {
        /// When to use it.
        pub description: Option<String>,
        /// Its system prompt.
        pub prompt: Option<String>,
        /// Its tools; all if absent.
        pub tools: Option<Vec<String>>,
        /// Tools it must not have.
        pub disallowed_tools: Option<Vec<String>> = "disallowedTools",
        /// Its model; `inherit` for that of the main agent.
        pub model: Option<String>,
        /// Its MCP servers: names, or maps from a name to a configuration.
        pub mcp_servers: Option<Vec<Raw>> = "mcpServers",
        /// Skills to load at once.
        pub skills: Option<Vec<String>>,
        /// A first prompt, when it is the main agent.
        pub initial_prompt: Option<String> = "initialPrompt",
        /// The most rounds it may take.
        pub max_turns: Option<u64> = "maxTurns",
        /// The length at which it compacts its conversation, in tokens.
        pub auto_compact_window: Option<u64> = "autoCompactWindow",
        /// Does it run in the background?
        pub background: Option<bool>,
        /// Leave out the user's instruction files?
        pub omit_claude_md: Option<bool> = "omitClaudeMd",
        /// Whose memory it has: `user`, `project` or `local`.
        pub memory: Option<String>,
        /// How hard it thinks.
        pub effort: Option<AgentEffort>,
        /// Its permission mode.
        pub permission_mode: Option<PermissionMode> = "permissionMode",
        /// Agents that watch it.
        pub observer: Option<String>,
        /// A word to those.
        pub observer_message: Option<String> = "observerMessage",
        /// A reminder added to its system prompt; experimental.
        pub critical_system_reminder: Option<String> = "criticalSystemReminder_EXPERIMENTAL",
    }

    /// A plugin on disk.
    pub struct PluginConfig {
        /// Always `local`.
        pub r#type: Option<String> = "type",
        /// Its directory.
        pub path: Option<String>,
        /// Leave its MCP servers to the host?
        pub skip_mcp_discovery: Option<bool> = "skipMcpDiscovery",
    }

    /// What the CLI answers to `initialize`.
    pub struct InitializeAnswer {
        /// Slash commands and skills.
        pub commands: Option<Vec<SlashCommand>>,
        /// Kinds of subagents (2.1.325).
        pub agents: Option<Vec<AgentInfo>>,
        /// The output style.
        pub output_style: Option<String>,
        /// The output styles to choose from.
        pub available_output_styles: Option<Vec<String>>,
        /// Where the user's output styles are (2.1.325).
        pub user_output_styles_dir: Option<String>,
        /// The models to choose from.
        pub models: Option<Vec<ModelInfo>>,
        /// Models that cannot be chosen (declared, not measured).
        pub unavailable_models: Option<Vec<ModelInfo>>,
        /// Who pays.
        pub account: Option<Account>,
        /// Two ways to log in that contradict each other (declared, not measured).
        pub auth_conflict: Option<AuthConflict>,
        /// The model in force (declared, not measured).
        pub current_model: Option<String>,
        /// The permission mode in force (2.1.325).
        pub current_permission_mode: Option<PermissionMode>,
        /// Is the mode that of the settings' fallback? (declared, not measured)
        pub permission_mode_from_default_fallback: Option<bool>,
        /// A mode to suggest to the user (declared, not measured).
        pub auto_default_nudge: Option<PermissionMode>,
        /// Is a turn running? (2.1.325)
        pub session_state: Option<SessionState>,
        /// The process (2.1.325).
        pub pid: Option<u64>,
        /// The CLI's version (2.1.325).
        pub claude_code_version: Option<String>,
        /// What this CLI can do beyond the declared (2.1.325).
        pub capabilities: Option<Vec<String>>,
        /// Have the hooks been registered? Only if there were some (2.1.325).
        pub hooks_applied: Option<bool>,
        /// Does the CLI heed `onFailure` of hooks? (2.1.325)
        pub hook_on_failure_supported: Option<bool>,
        /// How many of the host's hook matchers have a `whenUnanswered` that the CLI heeds (2.1.326; 0 was measured).
        pub hooks_when_unanswered_kept: Option<u64>,
        /// Does the `ask` of another hook outrank the host's `allow`? (2.1.325)
        pub other_hook_ask_outranks_host: Option<bool>,
        /// Are all plugins loaded that the request listed? (declared, not measured)
        pub plugins_applied: Option<bool>,
        /// Are the managed settings of the request in force? (declared, not measured)
        pub managed_settings_applied: Option<bool>,
        /// May the host word its own permission prompts? (declared, not measured)
        pub host_worded_asks: Option<bool>,
        /// Has the trust in the workspace been noted? (declared, not measured)
        pub workspace_trust_recorded: Option<bool>,
        /// What became of the servers' manifests, by server (declared, not measured).
        pub sdk_mcp_manifests_parked: Option<BTreeMap<String, String>>,
        /// Which tools of servers may run code, by server (declared, not measured).
        pub code_running_mcp_tools_applied: Option<BTreeMap<String, Vec<String>>>,
        /// Does the CLI tell when it has read a prompt? (declared, not measured)
        pub inbound_read_receipts: Option<bool>,
        /// Is the fast mode on? (2.1.325)
        pub fast_mode_state: Option<FastModeState>,
        /// Why it cannot be turned on (2.1.325).
        pub fast_mode_disabled_reason: Option<FastModeDisabledReason>,
        /// A word for the footer (declared, not measured).
        pub footer_indicator: Option<FooterIndicator>,
        /// How feedback is sent (2.1.325).
        pub feedback_mode: Option<FeedbackMode>,
        /// When to ask for feedback (declared, not measured).
        pub feedback_survey_config: Option<Raw>,
        /// What to ask after a rating (declared, not measured).
        pub survey_followup_box: Option<Raw>,
        /// Are statistics turned off? (2.1.325)
        pub analytics_disabled: Option<bool>,
        /// Is remote control turned on by itself? (2.1.325)
        pub remote_control_auto_enable: Option<bool>,
        /// Is remote control on unless turned off? (2.1.325)
        pub remote_control_auto_on_by_default: Option<bool>,
        /// Does remote control connect by itself? (2.1.325)
        pub remote_control_auto_connect_default: Option<bool>,
        /// Can remote control be had? (2.1.325)
        pub remote_control_available: Option<bool>,
        /// May an IDE turn on remote control by itself? (2.1.325)
        pub ide_rc_auto_enable_gate: Option<bool>,
        /// Was the browser extension on at the start? (declared, not measured)
        pub claude_in_chrome_at_startup: Option<bool>,
        /// Do not offer the browser extension (declared, not measured).
        pub claude_in_chrome_prompt_disabled: Option<bool>,
    }

    /// Two ways to log in that contradict each other.
    pub struct AuthConflict {
        /// Where the login comes from.
        pub token_source: Option<String>,
        /// Where the API key comes from.
        pub api_key_source: Option<ApiKeySource>,
    }

    /// A word for the footer.
    pub struct FooterIndicator {
        /// The word.
        pub text: Option<String>,
    }

    /// How feedback is sent.
    pub struct FeedbackMode {
        /// `post`, `bundle`, `share` or `disabled`.
        pub kind: Option<String>,
    }
}

/// How hard a subagent thinks.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentEffort {
    /// A level.
    Level(EffortLevel),
    /// A number (declared, not measured).
    Number(f64),
}

impl Wire for AgentEffort {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        match cursor.peek() {
            b'"' => Wire::read(cursor).map(AgentEffort::Level),
            _ => Wire::read(cursor).map(AgentEffort::Number),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            AgentEffort::Level(level) => level.write(out),
            AgentEffort::Number(number) => number.write(out),
        }
    }

    fn missing() -> Self {
        AgentEffort::Level(EffortLevel::default())
    }
}

/// A system prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum SystemPrompt {
    /// One string. 2.1.1, 2.1.38 and 2.1.325 all take it.
    Text(String),
    /// A list, as declared for 2.1.325; 2.1.1 and 2.1.38 lose it, so it is not the form to write.
    Parts(Vec<String>),
}

impl Wire for SystemPrompt {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        match cursor.peek() {
            b'"' => Wire::read(cursor).map(SystemPrompt::Text),
            b'[' => Wire::read(cursor).map(SystemPrompt::Parts),
            _ => Err(Fault::Misfit("a string or a list of strings")),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            SystemPrompt::Text(text) => text.write(out),
            SystemPrompt::Parts(parts) => parts.write(out),
        }
    }

    fn missing() -> Self {
        SystemPrompt::Parts(Vec::new())
    }
}

impl From<&str> for SystemPrompt {
    fn from(text: &str) -> Self {
        SystemPrompt::Text(text.to_owned())
    }
}

impl Initialize {
    /// The request without any wishes.
    pub fn new() -> Self {
        Initialize::default()
    }

    /// Registers a hook for an event, beside those that are there.
    pub fn add_hook(&mut self, event: &HookEvent, matcher: HookMatcher) {
        self.hooks.get_or_insert_default().entry(event.as_str().to_owned()).or_default().push(matcher);
    }
}

impl AgentDefinition {
    /// A subagent: when to use it, and its system prompt.
    pub fn new(description: impl Into<String>, prompt: impl Into<String>) -> Self {
        AgentDefinition {
            description: Some(description.into()),
            prompt: Some(prompt.into()),
            ..AgentDefinition::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::to_json;

    #[test]
    fn hooks_are_registered_by_event() {
        let mut initialize = Initialize::new();
        initialize.add_hook(&HookEvent::PreToolUse, HookMatcher::matching("Bash", "h1"));
        initialize.add_hook(&HookEvent::PreToolUse, HookMatcher::any("h2"));
        let expected = concat!(
            r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hookCallbackIds":["h1"]},"#,
            r#"{"hookCallbackIds":["h2"]}]}}"#
        );
        assert_eq!(to_json(&initialize), expected);
    }

    #[test]
    fn both_forms_of_the_system_prompt_and_the_oldest_names_are_read() {
        let read = |text: &str| {
            let reading = Raw::from_text(text).unwrap().read::<Initialize>().unwrap();
            assert_eq!(reading.notes, []);
            reading.value
        };
        assert_eq!(read(r#"{"systemPrompt":"a"}"#).system_prompt, Some(SystemPrompt::Text("a".to_owned())));
        assert_eq!(read(r#"{"systemPrompt":["a"]}"#).system_prompt, Some(SystemPrompt::Parts(vec!["a".to_owned()])));
        let oldest =
            r#"{"system_prompt":{"type":"preset","preset":"claude_code"},"mcp_servers":{},"agents":{},"hooks":{}}"#;
        let oldest = read(oldest);
        assert!(oldest.older_system_prompt.is_some() && oldest.older_mcp_servers.is_some());
    }
}
