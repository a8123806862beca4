//! What a session is started with, as a form can hold it: kept in the session folder, so that it is resumed the same way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use claude_driver::{Claude, SettingSource, Tools};
use claude_protocol::Raw;
use claude_protocol::control::catalog::EffortLevel;
use claude_protocol::control::initialize::AgentDefinition;
use claude_protocol::control::mcp::ServerConfig;
use claude_protocol::permission::PermissionMode;
use journal::Folder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};

/// What a session is started with. What is empty is left to the CLI.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
// Whoever takes them from outside refuses what is not among them. What a newer version has kept is read all the same.
#[schemars(extend("additionalProperties" = false))]
pub struct Options {
    /// The working directory; that of the host if there is none. Over the API `~` at the beginning of a path is the user's home.
    pub cwd: Option<PathBuf>,
    /// The model.
    pub model: Option<String>,
    /// Models to fall back to.
    pub fallback_models: Vec<String>,
    /// The permission mode to begin with.
    pub mode: Option<String>,
    /// How hard the model is to think.
    pub effort: Option<String>,
    /// How many rounds a turn may have.
    pub max_turns: Option<u32>,
    /// How many dollars may be spent.
    pub max_budget_usd: Option<f64>,
    /// Tools that need no permission, as rules: `Bash(git *)`.
    pub allowed_tools: Vec<String>,
    /// Tools that are forbidden, as rules.
    pub disallowed_tools: Vec<String>,
    /// The only built-in tools that there are.
    pub tools: Option<Vec<String>>,
    /// Other folders that the agent may work in.
    pub directories: Vec<PathBuf>,
    /// Instead of the CLI's own system prompt.
    pub system_prompt: Option<String>,
    /// After the system prompt.
    pub append_system_prompt: Option<String>,
    /// MCP servers, by name, as the CLI's configuration has them.
    pub mcp_servers: BTreeMap<String, Value>,
    /// Files with MCP servers.
    pub mcp_files: Vec<PathBuf>,
    /// Only these servers, none of the user's own.
    pub strict_mcp: bool,
    /// The agent that leads.
    pub agent: Option<String>,
    /// Subagents, by name, as the CLI's configuration has them.
    pub agents: BTreeMap<String, Value>,
    /// Settings, as the CLI's settings files have them.
    pub settings: Option<Value>,
    /// Which settings files are read: `user`, `project`, `local`.
    pub setting_sources: Option<Vec<String>>,
    /// The session's title.
    pub title: Option<String>,
    /// Arguments for the CLI that have no option here.
    pub extra_args: Vec<String>,
    /// Asks for no permission at all. Must be allowed where Quarterdeck is started.
    pub bypass_permissions: bool,
}

impl Options {
    /// The configuration of the driver: these options on top of `base`, which says which CLI, in which environment.
    pub fn claude(&self, base: &Claude) -> Result<Claude> {
        let mut claude = base.clone().tell_all().file_checkpoints();
        if let Some(cwd) = &self.cwd {
            claude = claude.cwd(cwd);
        }
        if let Some(model) = &self.model {
            claude = claude.model(model);
        }
        if let Some(mode) = &self.mode {
            let mode = known("the permission mode", PermissionMode::from(mode.as_str()), |mode| {
                matches!(mode, PermissionMode::Other(_))
            })?;
            claude = claude.permission_mode(mode);
        }
        if let Some(effort) = &self.effort {
            let effort = known("the effort", EffortLevel::from(effort.as_str()), |effort| {
                matches!(effort, EffortLevel::Other(_))
            })?;
            claude = claude.effort(effort);
        }
        if let Some(turns) = self.max_turns {
            claude = claude.max_turns(turns);
        }
        if let Some(dollars) = self.max_budget_usd {
            claude = claude.max_budget_usd(dollars);
        }
        if let Some(tools) = &self.tools {
            claude = claude.built_in_tools(Tools::only(tools.iter().cloned()));
        }
        if let Some(text) = &self.system_prompt {
            claude = claude.system_prompt(text);
        }
        if let Some(text) = &self.append_system_prompt {
            claude = claude.append_system_prompt(text);
        }
        for (name, config) in &self.mcp_servers {
            let config: ServerConfig = read("an MCP server", config)?;
            claude = claude.mcp_server(name, config);
        }
        for file in &self.mcp_files {
            claude = claude.mcp_config_file(file);
        }
        if self.strict_mcp {
            claude = claude.strict_mcp_config();
        }
        if let Some(agent) = &self.agent {
            claude = claude.agent(agent);
        }
        for (name, definition) in &self.agents {
            let definition: AgentDefinition = read("a subagent", definition)?;
            claude = claude.subagent(name, definition);
        }
        if let Some(settings) = &self.settings {
            let settings = Raw::from_value(settings).map_err(|error| wrong("the settings", error))?;
            claude = claude.settings(settings);
        }
        if let Some(sources) = &self.setting_sources {
            let sources: Vec<SettingSource> =
                sources.iter().map(|source| setting_source(source)).collect::<Result<_>>()?;
            claude = claude.setting_sources(sources);
        }
        if let Some(title) = &self.title {
            claude = claude.title(title);
        }
        if self.bypass_permissions {
            claude = claude.dangerously_skip_permissions();
        }
        Ok(claude
            .fallback_models(self.fallback_models.iter().cloned())
            .allowed_tools(self.allowed_tools.iter().cloned())
            .disallowed_tools(self.disallowed_tools.iter().cloned())
            .add_directories(self.directories.iter().cloned())
            .extra_args(self.extra_args.iter().cloned()))
    }

    /// What these say, and what `kept` says where these say nothing.
    pub fn over(&self, kept: &Options) -> Result<Options> {
        let fields = |options: &Options| match serde_json::to_value(options) {
            Ok(Value::Object(fields)) => Ok(fields),
            Ok(_) => Ok(serde_json::Map::new()),
            Err(error) => Err(wrong("the options", error)),
        };
        let (silent, mut all) = (fields(&Options::default())?, fields(kept)?);
        all.extend(fields(self)?.into_iter().filter(|(name, value)| silent.get(name) != Some(value)));
        serde_json::from_value(Value::Object(all)).map_err(|error| wrong("the options", error))
    }

    /// Reads the options of the session in `folder`; those of nobody if it was not started here.
    pub fn load(folder: &Folder) -> Result<Options> {
        let path = file(folder);
        match std::fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| wrong("the kept options", error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Options::default()),
            Err(source) => Err(Error::File { doing: "read", path, source }),
        }
    }

    /// Keeps the options in `folder`, whole or not at all.
    pub fn save(&self, folder: &Folder) -> Result<()> {
        let path = file(folder);
        // Two at once write two files; one of them is the last.
        let part = path.with_extension(format!("{}.part", uuid::Uuid::new_v4().simple()));
        let text = serde_json::to_string_pretty(self).map_err(|error| wrong("the options", error))?;
        let write = |part: &Path| {
            use std::io::Write;
            use std::os::unix::fs::OpenOptionsExt;
            let mut options = std::fs::OpenOptions::new();
            let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(part)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(part, &path)
        };
        write(&part).map_err(|source| Error::File { doing: "write", path: path.clone(), source })
    }
}

fn file(folder: &Folder) -> PathBuf {
    folder.path().join("options.json")
}

fn wrong(what: &'static str, error: impl std::fmt::Display) -> Error {
    Error::Option { what, why: error.to_string() }
}

/// A word of the CLI, if it is one of those that we know: the CLI ends with an error at the start otherwise.
fn known<T: std::fmt::Display>(what: &'static str, word: T, is_unknown: impl Fn(&T) -> bool) -> Result<T> {
    if is_unknown(&word) { Err(Error::Option { what, why: format!("`{word}` is not known") }) } else { Ok(word) }
}

fn read<T: claude_protocol::wire::Wire>(what: &'static str, value: &Value) -> Result<T> {
    let raw = Raw::from_value(value).map_err(|error| wrong(what, error))?;
    let reading = raw.read::<T>().ok_or_else(|| wrong(what, "it is no JSON object"))?;
    match reading.notes.first() {
        None => Ok(reading.value),
        Some(note) => Err(wrong(what, note)),
    }
}

fn setting_source(word: &str) -> Result<SettingSource> {
    match word {
        "user" => Ok(SettingSource::User),
        "project" => Ok(SettingSource::Project),
        "local" => Ok(SettingSource::Local),
        _ => Err(wrong("the setting sources", format!("`{word}` is none of `user`, `project` and `local`"))),
    }
}
