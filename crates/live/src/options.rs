//! What a session is started with, as a form can hold it: kept in the session folder, so that it is resumed the same way.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use claude_driver::{AutoCompact, Chrome, Claude, Plugin, SettingSource, Thinking, ThinkingDisplay, Tools};
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
///
/// All that the driver can ask of a CLI is here, but for what makes no sense for a session that is kept, or is not the
/// session's own affair:
///
/// * Which conversation it takes up, whether that is forked, and under which id: whoever starts it says so.
/// * To write no transcript: there would be nothing to resume.
/// * What is done once, and would be done again whenever it is resumed: a new worktree, setup hooks, files to fetch.
/// * Who is asked for permissions: we are.
/// * What the CLI tells: everything, since that is what is shown.
/// * Which program runs, in which environment, with which debug output; settings that outrank the user's: the host's affair.
/// * The sandbox: it is one of the settings.
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
    /// Whether the model thinks before it answers: `adaptive`, as much as it finds right, or `disabled`.
    pub thinking: Option<String>,
    /// How many tokens it may think for, instead of `thinking`; with 0 it does not.
    pub max_thinking_tokens: Option<u32>,
    /// How thoughts appear: `summarized`, `omitted`, `highlights`.
    pub thinking_display: Option<String>,
    /// Beta features of the model's API, for users with a key of their own.
    pub betas: Vec<String>,
    /// How many rounds a turn may have.
    pub max_turns: Option<u32>,
    /// How many dollars may be spent.
    pub max_budget_usd: Option<f64>,
    /// How many tokens the model is told to have for its task.
    pub task_budget: Option<u64>,
    /// How long the conversation may be before it is compacted, in tokens: 100,000 to 1,000,000.
    pub auto_compact_tokens: Option<u64>,
    /// Tools that need no permission, as rules: `Bash(git *)`.
    pub allowed_tools: Vec<String>,
    /// Tools that are forbidden, as rules.
    pub disallowed_tools: Vec<String>,
    /// The only built-in tools that there are.
    pub tools: Option<Vec<String>>,
    /// Which tool runs when the model calls another, by the name that it calls.
    pub tool_aliases: BTreeMap<String, String>,
    /// No tools that run code, no settings of the user or of the project, no files outside of the folders here.
    pub restricted: bool,
    /// Other folders that the agent may work in.
    pub directories: Vec<PathBuf>,
    /// Instead of the CLI's own system prompt.
    pub system_prompt: Option<String>,
    /// After the system prompt.
    pub append_system_prompt: Option<String>,
    /// After the system prompt of every subagent.
    pub append_subagent_system_prompt: Option<String>,
    /// What to do in plan mode, instead of the CLI's own words.
    pub plan_mode_instructions: Option<String>,
    /// Keeps what differs between machines out of the system prompt, so that they can share a cache.
    pub exclude_dynamic_sections: bool,
    /// Makes the system prompt anew for each request instead of keeping the first.
    pub fresh_system_prompt: bool,
    /// The JSON schema that the structured result of each turn fits.
    pub json_schema: Option<Value>,
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
    /// Folders of plugins.
    pub plugin_dirs: Vec<PathBuf>,
    /// Addresses of plugins.
    pub plugin_urls: Vec<String>,
    /// The only skills that there are.
    pub skills: Option<Vec<String>>,
    /// No skills and no slash commands.
    pub disable_slash_commands: bool,
    /// Settings, as the CLI's settings files have them.
    pub settings: Option<Value>,
    /// Which settings files are read: `user`, `project`, `local`.
    pub setting_sources: Option<Vec<String>>,
    /// Where the project's settings are, if not in the working directory.
    pub project_config_root: Option<PathBuf>,
    /// As little as possible: no hooks of settings, no memory, no instruction files.
    pub bare: bool,
    /// Without all that was customized, to look for what is broken.
    pub safe_mode: bool,
    /// Gives the model a tool to write to the user.
    pub brief: bool,
    /// Whether the browser extension is used.
    pub chrome: Option<bool>,
    /// Connects to the editor, if there is exactly one.
    pub ide: bool,
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
        if let Some(title) = &self.title {
            claude = claude.title(title);
        }
        claude = self.with_model(claude)?;
        claude = self.with_limits(claude);
        claude = self.with_permissions(claude)?;
        claude = self.with_prompt(claude)?;
        claude = self.with_servers(claude)?;
        claude = self.with_settings(claude)?;
        claude = self.with_plugins(claude);
        Ok(claude.extra_args(self.extra_args.iter().cloned()))
    }

    fn with_model(&self, mut claude: Claude) -> Result<Claude> {
        if let Some(model) = &self.model {
            claude = claude.model(model);
        }
        if let Some(effort) = &self.effort {
            let effort = known("the effort", EffortLevel::from(effort.as_str()), |effort| {
                matches!(effort, EffortLevel::Other(_))
            })?;
            claude = claude.effort(effort);
        }
        match (self.thinking.as_deref(), self.max_thinking_tokens) {
            (None, None) => {}
            (None, Some(tokens)) => claude = claude.thinking(Thinking::Tokens(tokens)),
            (Some("adaptive"), None) => claude = claude.thinking(Thinking::Adaptive),
            (Some("disabled"), None) => claude = claude.thinking(Thinking::Disabled),
            (Some(word), None) => return Err(none_of("thinking", word, &["adaptive", "disabled"])),
            (Some(_), Some(_)) => return Err(wrong("thinking", "it is told in words or in tokens, not in both")),
        }
        if let Some(word) = &self.thinking_display {
            let display = match word.as_str() {
                "summarized" => ThinkingDisplay::Summarized,
                "omitted" => ThinkingDisplay::Omitted,
                "highlights" => ThinkingDisplay::Highlights,
                word => return Err(none_of("how thoughts appear", word, &["summarized", "omitted", "highlights"])),
            };
            claude = claude.thinking_display(display);
        }
        Ok(claude.fallback_models(self.fallback_models.iter().cloned()).betas(self.betas.iter().cloned()))
    }

    fn with_limits(&self, mut claude: Claude) -> Claude {
        if let Some(turns) = self.max_turns {
            claude = claude.max_turns(turns);
        }
        if let Some(dollars) = self.max_budget_usd {
            claude = claude.max_budget_usd(dollars);
        }
        if let Some(tokens) = self.task_budget {
            claude = claude.task_budget(tokens);
        }
        if let Some(tokens) = self.auto_compact_tokens {
            claude = claude.auto_compact(AutoCompact::Tokens(tokens));
        }
        claude
    }

    fn with_permissions(&self, mut claude: Claude) -> Result<Claude> {
        if let Some(mode) = &self.mode {
            let mode = known("the permission mode", PermissionMode::from(mode.as_str()), |mode| {
                matches!(mode, PermissionMode::Other(_))
            })?;
            claude = claude.permission_mode(mode);
        }
        if let Some(tools) = &self.tools {
            claude = claude.built_in_tools(Tools::only(tools.iter().cloned()));
        }
        for (called, runs) in &self.tool_aliases {
            claude = claude.tool_alias(called, runs);
        }
        if self.restricted {
            claude = claude.restricted();
        }
        if self.bypass_permissions {
            claude = claude.dangerously_skip_permissions();
        }
        Ok(claude
            .allowed_tools(self.allowed_tools.iter().cloned())
            .disallowed_tools(self.disallowed_tools.iter().cloned())
            .add_directories(self.directories.iter().cloned()))
    }

    fn with_prompt(&self, mut claude: Claude) -> Result<Claude> {
        if let Some(text) = &self.system_prompt {
            claude = claude.system_prompt(text);
        }
        if let Some(text) = &self.append_system_prompt {
            claude = claude.append_system_prompt(text);
        }
        if let Some(text) = &self.append_subagent_system_prompt {
            claude = claude.append_subagent_system_prompt(text);
        }
        if let Some(text) = &self.plan_mode_instructions {
            claude = claude.plan_mode_instructions(text);
        }
        if self.exclude_dynamic_sections {
            claude = claude.exclude_dynamic_sections();
        }
        if self.fresh_system_prompt {
            claude = claude.fresh_system_prompt();
        }
        if let Some(schema) = &self.json_schema {
            if !schema.is_object() {
                return Err(wrong("the JSON schema", "it is no JSON object"));
            }
            claude = claude.json_schema(Raw::from_value(schema).map_err(|error| wrong("the JSON schema", error))?);
        }
        Ok(claude)
    }

    fn with_servers(&self, mut claude: Claude) -> Result<Claude> {
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
        Ok(claude)
    }

    fn with_settings(&self, mut claude: Claude) -> Result<Claude> {
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
        if let Some(folder) = &self.project_config_root {
            claude = claude.project_config_root(folder);
        }
        Ok(claude)
    }

    fn with_plugins(&self, mut claude: Claude) -> Claude {
        type Switch = fn(Claude) -> Claude;
        for folder in &self.plugin_dirs {
            claude = claude.plugin(Plugin::new(folder));
        }
        for address in &self.plugin_urls {
            claude = claude.plugin_url(address);
        }
        if let Some(skills) = &self.skills {
            claude = claude.skills(skills.iter().cloned());
        }
        if let Some(used) = self.chrome {
            claude = claude.chrome(if used { Chrome::On } else { Chrome::Off });
        }
        let switches: [(bool, Switch); 5] = [
            (self.disable_slash_commands, Claude::disable_slash_commands),
            (self.bare, Claude::bare),
            (self.safe_mode, Claude::safe_mode),
            (self.brief, Claude::brief),
            (self.ide, Claude::ide),
        ];
        switches.into_iter().filter(|(on, _)| *on).fold(claude, |claude, (_, switch)| switch(claude))
    }

    /// Puts one of the settings in, whatever was said of it before.
    pub fn set(&mut self, setting: &str, value: impl Into<Value>) {
        let settings = self.settings.get_or_insert_with(|| Value::Object(serde_json::Map::new()));
        // What is no object is refused when an agent is started with it.
        if let Value::Object(fields) = settings {
            fields.insert(setting.to_owned(), value.into());
        }
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
        _ => Err(none_of("the setting sources", word, &["user", "project", "local"])),
    }
}

/// A word that is none of those that there are.
fn none_of(what: &'static str, word: &str, known: &[&str]) -> Error {
    let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
    wrong(what, format!("`{word}` is none of {}", known.join(", ")))
}
