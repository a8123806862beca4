//! The session as it is: `system/init` in, joined with the kept answer to `initialize`; one event out.

use std::sync::Arc;

use claude_protocol::control::InitializeAnswer;
use claude_protocol::control::catalog::{
    Account, AgentInfo as WireAgent, ModelInfo as WireModel, SlashCommand as WireCommand,
};
use claude_protocol::control::mcp::{McpServerState, McpServerStatus as WireServer, ServerInfo};
use claude_protocol::from_cli::system::Init;
use claude_protocol::from_cli::system::init::{McpServer, PluginError};
use claude_protocol::{Names, Uuid};
use serde::{Deserialize, Serialize};

use super::Converter;
use crate::event::Body;
use crate::event::session::{
    AccountInfo, AgentKind, McpServerInfo, McpServerStatus, McpStatus, ModelInfo, Offered, PluginInfo, SessionInit,
    SlashCommand,
};
use crate::json::Json;

/// What is kept for the next `init`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Start {
    /// The session of the last one.
    session: Option<Arc<str>>,
    /// What the answer to `initialize` said.
    pub(super) commands: Option<Arc<[SlashCommand]>>,
    models: Option<Arc<[ModelInfo]>>,
    agents: Option<Arc<[AgentKind]>>,
    account: Option<AccountInfo>,
    output_styles: Option<Vec<String>>,
}

impl Start {
    /// Another process has begun, with other answers.
    pub(super) fn restart(&mut self) {
        *self = Start { session: self.session.take(), ..Start::default() };
    }

    /// Keeps the answer to `initialize`; what it does not tell stays. Comes out as what is known before any turn.
    pub(super) fn answered(&mut self, answer: InitializeAnswer) -> Offered {
        self.commands = answer.commands.map(commands).or(self.commands.take());
        self.models = answer.models.map(|models| models.into_iter().map(model).collect()).or(self.models.take());
        self.agents = answer.agents.map(|agents| agents.into_iter().map(agent).collect()).or(self.agents.take());
        self.account = answer.account.map(account).or(self.account.take());
        self.output_styles = answer.available_output_styles.or(self.output_styles.take());
        let name = |kind: &AgentKind| kind.name.clone();
        Offered {
            model: answer.current_model,
            permission_mode: answer.current_permission_mode.map(|mode| mode.to_string()),
            output_style: answer.output_style,
            fast_mode_state: answer.fast_mode_state.map(|state| state.to_string()),
            fast_mode_disabled_reason: answer.fast_mode_disabled_reason.map(|reason| reason.to_string()),
            version: answer.claude_code_version,
            capabilities: answer.capabilities.map(Arc::from),
            account: self.account.clone(),
            available_models: self.models.clone(),
            agents: self.agents.as_ref().map(|kinds| kinds.iter().map(name).collect()),
            agent_kinds: self.agents.clone(),
            available_output_styles: self.output_styles.clone(),
        }
    }
}

impl Converter {
    pub(super) fn init(&mut self, init: Init) {
        let session = Arc::clone(self.out.session_id());
        let is_first = self.start.session.as_ref() != Some(&session);
        self.start.session = Some(session);
        self.turn.running = true;
        self.compaction.awaiting_summary = false;
        self.context.model = init.model.clone().or(self.context.model.take());

        let named = |names: Option<Names>| {
            let command = |name: &String| SlashCommand {
                name: name.clone(),
                description: String::new(),
                argument_hint: String::new(),
                aliases: None,
            };
            names.map(|names| names.iter().map(command).collect())
        };
        let key_source = init.api_key_source.map(|source| source.to_string());
        let mut extensions = Vec::new();
        if let Some(source) = &key_source {
            extensions.push(("claude.apiKeySource", Json::string(source)));
        }
        if let Some(style) = &init.output_style {
            extensions.push(("claude.outputStyle", Json::string(style)));
        }
        let uuids = init.user_message_uuids.map(|uuids| uuids.into_iter().map(Uuid::into_shared).collect::<Vec<_>>());
        let body = SessionInit {
            model: init.model,
            reasoning_effort: init.effort.map(|effort| effort.to_string()),
            cwd: init.cwd,
            available_tools: init.tools.map(Names::into_shared),
            mcp_servers: init.mcp_servers.map(|servers| servers.into_iter().map(server).collect()),
            permission_mode: init.permission_mode.map(|mode| mode.to_string()),
            account: self.start.account.clone(),
            slash_commands: self.start.commands.clone().or_else(|| named(init.slash_commands)),
            available_models: self.start.models.clone(),
            version: init.claude_code_version,
            agents: init.agents.map(Names::into_shared),
            agent_kinds: self.start.agents.clone(),
            skills: init.skills.map(Names::into_shared),
            plugins: init.plugins.map(|plugins| {
                let plugin = plugins.into_iter();
                plugin
                    .map(|plugin| PluginInfo { name: plugin.name, path: plugin.path, version: plugin.version })
                    .collect()
            }),
            plugin_errors: init.plugin_errors.map(|errors| errors.into_iter().map(plugin_error).collect()),
            output_style: init.output_style,
            available_output_styles: self.start.output_styles.clone(),
            fast_mode_state: init.fast_mode_state.map(|state| state.to_string()),
            fast_mode_disabled_reason: init.fast_mode_disabled_reason.map(|reason| reason.to_string()),
            capabilities: init.capabilities.map(Names::into_shared),
            betas: init.betas,
            terminal_slash_commands: init.terminal_slash_commands.map(Names::into_shared),
            view_mode: init.view_mode.map(|mode| mode.to_string()),
            api_key_source: key_source,
            additional_directories: init.additional_directories,
            user_message_uuids: uuids.clone(),
            is_first,
        };
        self.out.put_with(Body::SessionInit(Box::new(body)), extensions);
        match uuids {
            Some(uuids) => {
                self.prompts.are_named();
                self.take_prompts(&uuids);
            }
            None => self.take_oldest_prompt(),
        }
    }
}

fn plugin_error(error: PluginError) -> String {
    let words = error.message.or(error.r#type).unwrap_or_default();
    error.plugin.map(|plugin| format!("{plugin}: {words}")).unwrap_or(words)
}

/// Commands as events have them.
pub(super) fn commands(commands: Vec<WireCommand>) -> Arc<[SlashCommand]> {
    let command = |command: WireCommand| SlashCommand {
        name: command.name,
        description: command.description.unwrap_or_default(),
        argument_hint: command.argument_hint.unwrap_or_default(),
        aliases: command.aliases,
    };
    commands.into_iter().map(command).collect()
}

fn model(model: WireModel) -> ModelInfo {
    ModelInfo {
        value: model.value.unwrap_or_default(),
        display_name: model.display_name.unwrap_or_default(),
        description: model.description.unwrap_or_default(),
        effort_levels: model
            .supported_effort_levels
            .map(|levels| levels.into_iter().map(|level| level.to_string()).collect()),
        resolved: model.resolved_model,
        fast_mode: model.supports_fast_mode,
        auto_mode: model.supports_auto_mode,
        thinking_off: model.supports_thinking_off,
    }
}

fn agent(agent: WireAgent) -> AgentKind {
    AgentKind { name: agent.name, description: agent.description, model: agent.model }
}

fn account(account: Account) -> AccountInfo {
    AccountInfo {
        email: account.email,
        organization: account.organization,
        subscription_type: account.subscription_type,
        token_source: account.token_source,
        api_key_source: account.api_key_source.map(|source| source.to_string()),
    }
}

fn server(server: McpServer) -> McpServerStatus {
    McpServerStatus {
        name: server.name,
        status: mcp_status(server.status),
        server_info: server.server_info.map(server_info),
        source: server.source,
        error: None,
        tools: None,
    }
}

/// A server as the answer to `mcp_status` has it.
pub(super) fn server_status(server: WireServer) -> McpServerStatus {
    McpServerStatus {
        name: server.name,
        status: mcp_status(server.status),
        server_info: server.server_info.map(server_info),
        source: server.scope.or(server.source),
        error: server.error,
        tools: server.tools.map(|tools| tools.into_iter().map(|tool| tool.name).collect()),
    }
}

fn server_info(info: ServerInfo) -> McpServerInfo {
    McpServerInfo { name: info.name.unwrap_or_default(), version: info.version.unwrap_or_default() }
}

fn mcp_status(state: Option<McpServerState>) -> McpStatus {
    match state {
        Some(McpServerState::Connected) => McpStatus::Connected,
        Some(McpServerState::Failed) => McpStatus::Failed,
        Some(McpServerState::NeedsAuth) => McpStatus::NeedsAuth,
        Some(McpServerState::Pending) | None => McpStatus::Pending,
        Some(McpServerState::Disabled) => McpStatus::Disabled,
        Some(McpServerState::Other(word)) => McpStatus::Other(word),
    }
}
