//! What customizes the CLI: settings, agents, plugins, skills.

use std::path::PathBuf;

use claude_protocol::Raw;
use claude_protocol::control::initialize::AgentDefinition;

use super::Claude;

/// Settings for this session alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Settings {
    /// A JSON object.
    Json(Raw),
    /// A file with one.
    File(PathBuf),
}

/// A settings file that the CLI loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// The user's.
    User,
    /// The project's.
    Project,
    /// The user's for this project.
    Local,
    /// A word that a newer CLI knows.
    Other(String),
}

impl SettingSource {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            SettingSource::User => "user",
            SettingSource::Project => "project",
            SettingSource::Local => "local",
            SettingSource::Other(word) => word,
        }
    }
}

/// Whether the browser extension is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chrome {
    /// `--chrome`.
    On,
    /// `--no-chrome`.
    Off,
}

/// A plugin on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    pub(crate) path: PathBuf,
    pub(crate) without_mcp: bool,
}

impl Plugin {
    /// The plugin in a directory.
    pub fn new(path: impl Into<PathBuf>) -> Plugin {
        Plugin { path: path.into(), without_mcp: false }
    }

    /// Leaves the plugin's MCP servers to the host. Since 2.1.172.
    pub fn without_mcp_servers(mut self) -> Plugin {
        self.without_mcp = true;
        self
    }
}

impl Claude {
    /// Settings for this session, a JSON object: `--settings`, through a file. Every version.
    pub fn settings(self, settings: impl Into<Raw>) -> Claude {
        self.with(|options| options.settings = Some(Settings::Json(settings.into())))
    }

    /// A file with settings for this session: `--settings`. Every version.
    pub fn settings_file(self, file: impl Into<PathBuf>) -> Claude {
        self.with(|options| options.settings = Some(Settings::File(file.into())))
    }

    /// Settings of the sandbox, a JSON object; they become `sandbox` of [`Claude::settings`].
    pub fn sandbox(self, settings: impl Into<Raw>) -> Claude {
        self.with(|options| options.sandbox = Some(settings.into()))
    }

    /// Settings that outrank the user's, a JSON object: `--managed-settings`. Since 2.1.118.
    pub fn managed_settings(self, settings: impl Into<Raw>) -> Claude {
        self.with(|options| options.managed_settings = Some(settings.into()))
    }

    /// The settings files to load and no others; an empty list loads none: `--setting-sources`. Every version.
    pub fn setting_sources(self, sources: impl IntoIterator<Item = SettingSource>) -> Claude {
        self.with(|options| options.setting_sources = Some(sources.into_iter().collect()))
    }

    /// Takes the project's settings from this directory instead of the working directory: `--project-config-root`. Since
    /// 2.1.276.
    pub fn project_config_root(self, directory: impl Into<PathBuf>) -> Claude {
        self.with(|options| options.project_config_root = Some(directory.into()))
    }

    /// The agent that leads the session, one of the user's or one of [`Claude::subagent`]: `--agent`. Since 2.1.29: older
    /// versions take the flag and pass over it in sessions like these.
    pub fn agent(self, name: impl Into<String>) -> Claude {
        self.with(|options| options.agent = Some(name.into()))
    }

    /// A subagent: `agents` of `initialize`. Every version.
    pub fn subagent(self, name: impl Into<String>, definition: AgentDefinition) -> Claude {
        self.with(|options| _ = options.agents.insert(name.into(), definition))
    }

    /// A plugin on disk: `plugins` of `initialize` since 2.1.261, `--plugin-dir` before.
    pub fn plugin(self, plugin: Plugin) -> Claude {
        self.with(|options| options.plugins.push(plugin))
    }

    /// A plugin behind an address: `--plugin-url`. Since 2.1.129.
    pub fn plugin_url(self, url: impl Into<String>) -> Claude {
        self.with(|options| options.plugin_urls.push(url.into()))
    }

    /// The only skills to load: `skills` of `initialize`. Declared for 2.1.325.
    pub fn skills<T: Into<String>>(self, names: impl IntoIterator<Item = T>) -> Claude {
        self.with(|options| options.skills = Some(names.into_iter().map(Into::into).collect()))
    }

    /// No skills and no slash commands: `--disable-slash-commands`. Every version.
    pub fn disable_slash_commands(self) -> Claude {
        self.with(|options| options.no_slash_commands = true)
    }

    /// As little as possible: no hooks of settings, no memory, no instruction files: `--bare`. Since 2.1.81.
    pub fn bare(self) -> Claude {
        self.with(|options| options.bare = true)
    }

    /// Without all customizations, to look for a broken one: `--safe-mode`. Since 2.1.169.
    pub fn safe_mode(self) -> Claude {
        self.with(|options| options.safe_mode = true)
    }

    /// Gives the model a tool to write to the user: `--brief`. Since 2.1.72.
    pub fn brief(self) -> Claude {
        self.with(|options| options.brief = true)
    }

    /// Whether the browser extension is used: `--chrome`, `--no-chrome`. Every version.
    pub fn chrome(self, chrome: Chrome) -> Claude {
        self.with(|options| options.chrome = Some(chrome))
    }

    /// Connects to the editor if there is exactly one: `--ide`. Every version.
    pub fn ide(self) -> Claude {
        self.with(|options| options.ide = true)
    }

    /// Runs the `Setup` hooks for a fresh checkout first: `--init`. Since 2.1.9, hidden from the help.
    pub fn run_init_hooks(self) -> Claude {
        self.with(|options| options.setup_hooks = Some("--init"))
    }

    /// Runs the `Setup` hooks for maintenance first: `--maintenance`. Since 2.1.10, hidden from the help.
    pub fn run_maintenance_hooks(self) -> Claude {
        self.with(|options| options.setup_hooks = Some("--maintenance"))
    }

    /// Files to fetch at the start, each as `file_id:path`: `--file`. Since 2.1.8.
    pub fn files<T: Into<String>>(self, files: impl IntoIterator<Item = T>) -> Claude {
        self.with(|options| options.files.extend(files.into_iter().map(Into::into)))
    }
}
