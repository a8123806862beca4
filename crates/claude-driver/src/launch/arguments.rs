//! Options in, the argument vector out. Pure: texts that go into files are returned with the paths they will have.

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use claude_protocol::Raw;
use claude_protocol::control::catalog::EffortLevel;
use claude_protocol::permission::PermissionMode;

use super::Wanted;
use super::files::Text;
use super::initialize::plugins_in_initialize;
use super::notice::{QUESTION_TOOL, disallows_questions};
use super::since::{self, Feature};
use super::version::Version;
use crate::error::Error;
use crate::options::{AutoCompact, Chrome, Debug, Options, Selection, Settings, Thinking, Tools};

/// The arguments, and the files that they name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// The arguments.
    pub(crate) list: Vec<OsString>,
    /// The files.
    pub(crate) texts: Vec<Text>,
}

/// The arguments for this version; files are placed into `folder`.
pub(crate) fn arguments(
    options: &Options,
    wanted: &Wanted,
    version: &Version,
    folder: &Path,
) -> Result<Arguments, Error> {
    if *version < since::OLDEST {
        let what = "this version of the driver".to_owned();
        return Err(Error::TooOld { what, needs: since::OLDEST, has: *version });
    }
    let mut builder = Builder { version, folder, arguments: Arguments::default() };
    builder.pair("--output-format", "stream-json");
    builder.pair("--input-format", "stream-json");
    builder.switch("--verbose", true);
    // Every version echoes the uuid of a prompt with it, and turns are settled by that.
    builder.switch("--replay-user-messages", true);
    builder.switch("--include-partial-messages", !options.no_partial_messages);
    builder.model(options)?;
    builder.limits(options)?;
    builder.permissions(options, wanted)?;
    builder.prompt(options)?;
    builder.session(options)?;
    builder.servers(options);
    builder.settings(options)?;
    builder.custom(options)?;
    builder.output(options)?;
    builder.arguments.list.extend(options.extra_args.iter().cloned());
    Ok(builder.arguments)
}

struct Builder<'a> {
    version: &'a Version,
    folder: &'a Path,
    arguments: Arguments,
}

impl Builder<'_> {
    fn model(&mut self, options: &Options) -> Result<(), Error> {
        self.optional("--model", options.model.as_deref());
        if options.fallback_models.len() > 1 {
            since::FALLBACK_LIST.check(self.version)?;
        }
        self.joined("--fallback-model", &options.fallback_models);
        if options.effort == Some(EffortLevel::XHigh) {
            since::EFFORT_XHIGH.check(self.version)?;
        }
        self.newer(since::EFFORT, options.effort.as_ref().map(EffortLevel::as_str))?;
        match &options.thinking {
            None => {}
            Some(Thinking::Tokens(tokens)) => self.pair("--max-thinking-tokens", tokens.to_string()),
            Some(Thinking::Adaptive) => self.newer(since::THINKING, Some("adaptive"))?,
            Some(Thinking::Disabled) => self.newer(since::THINKING, Some("disabled"))?,
            Some(Thinking::Other(word)) => self.newer(since::THINKING, Some(word))?,
        }
        self.newer(since::THINKING_DISPLAY, options.thinking_display.as_ref().map(|display| display.as_str()))?;
        self.each("--betas", &options.betas);
        Ok(())
    }

    fn limits(&mut self, options: &Options) -> Result<(), Error> {
        self.optional("--max-turns", options.max_turns.map(|turns| turns.to_string()));
        self.optional("--max-budget-usd", options.max_budget_usd.map(|dollars| dollars.to_string()));
        self.newer(since::TASK_BUDGET, options.task_budget.map(|tokens| tokens.to_string()))?;
        let window = options.auto_compact.map(|window| match window {
            AutoCompact::Auto => "auto".to_owned(),
            AutoCompact::Tokens(tokens) => tokens.to_string(),
        });
        self.newer(since::AUTOCOMPACT, window)
    }

    fn permissions(&mut self, options: &Options, wanted: &Wanted) -> Result<(), Error> {
        if wanted.permission_handler && options.permission_prompt_tool.is_some() {
            return conflict("a permission handler and `--permission-prompt-tool` exclude each other");
        }
        let bypasses = options.skip_permissions || options.permission_mode == Some(PermissionMode::BypassPermissions);
        if options.restricted && bypasses {
            return conflict("`--restricted` refuses to bypass permissions");
        }
        let stdio = wanted.permission_handler.then_some("stdio");
        self.optional("--permission-prompt-tool", options.permission_prompt_tool.as_deref().or(stdio));
        self.newer(since::PERMISSION_PROMPTS, options.deny_prompts.then_some("none"))?;
        if options.permission_mode == Some(PermissionMode::Auto) {
            since::AUTO_MODE.check(self.version)?;
        }
        let mode = options.permission_mode.as_ref().map(|mode| match mode {
            // Only newer versions know this other name of the default.
            PermissionMode::Manual => "default",
            mode => mode.as_str(),
        });
        self.optional("--permission-mode", mode);
        self.switch("--allow-dangerously-skip-permissions", options.bypass_possible);
        self.switch("--dangerously-skip-permissions", options.skip_permissions);
        self.newer_switch(since::RESTRICTED, options.restricted)?;
        match &options.tools {
            None => {}
            Some(Tools::Default) => self.pair("--tools", "default"),
            Some(Tools::None) => self.pair("--tools", ""),
            Some(Tools::Only(names)) => self.pair("--tools", names.join(",")),
        }
        self.joined("--allowedTools", &options.allowed_tools);
        let mut disallowed = options.disallowed_tools.clone();
        if disallows_questions(options, wanted) {
            disallowed.push(QUESTION_TOOL.to_owned());
        }
        self.joined("--disallowedTools", &disallowed);
        self.each("--add-dir", &options.directories);
        Ok(())
    }

    fn prompt(&mut self, options: &Options) -> Result<(), Error> {
        if let Some(text) = &options.append_subagent_system_prompt {
            since::APPEND_SUBAGENT_SYSTEM_PROMPT.check(self.version)?;
            self.file(since::APPEND_SUBAGENT_SYSTEM_PROMPT.name, "subagent-system-prompt.txt", text.clone());
        }
        self.newer_switch(since::EXCLUDE_DYNAMIC_SECTIONS, options.exclude_dynamic_sections)?;
        self.newer(since::SYSTEM_PROMPT_SNAPSHOT, options.fresh_system_prompt.then_some("off"))
    }

    fn session(&mut self, options: &Options) -> Result<(), Error> {
        let new = options.selection == Selection::New;
        if new && options.fork {
            return conflict("`--fork-session` needs a session to take up");
        }
        if !new && options.session_id.is_some() && !options.fork {
            return conflict("`--session-id` with a session that is taken up needs `--fork-session`");
        }
        if options.resume_at.is_some() && !matches!(options.selection, Selection::Resume(_)) {
            return conflict("`--resume-session-at` needs `--resume`");
        }
        if options.resume_drops_turn.is_some() && options.resume_at.is_none() {
            return conflict("`--resume-drops-turn` needs `--resume-session-at`");
        }
        match &options.selection {
            Selection::New => {}
            Selection::Resume(session) => self.pair("--resume", session),
            Selection::Recent => self.switch("--continue", true),
            Selection::PullRequest(request) => self.newer(since::FROM_PR, Some(request))?,
        }
        self.switch("--fork-session", options.fork);
        self.optional("--session-id", options.session_id.as_deref());
        self.optional("--resume-session-at", options.resume_at.as_deref());
        self.newer(since::RESUME_DROPS_TURN, options.resume_drops_turn.as_deref())?;
        self.newer(since::NAME, options.title.as_deref())?;
        self.switch("--no-session-persistence", options.unsaved);
        if let Some(name) = &options.worktree {
            since::WORKTREE.check(self.version)?;
            let value = name.as_ref().map(|name| format!("--worktree={name}"));
            self.arguments.list.push(value.unwrap_or_else(|| "--worktree".to_owned()).into());
        }
        Ok(())
    }

    fn servers(&mut self, options: &Options) {
        if !options.mcp_servers.is_empty() {
            let servers = Raw::from_wire(&options.mcp_servers);
            self.file("--mcp-config", "mcp.json", format!("{{\"mcpServers\":{}}}", servers.text()));
        }
        self.each("--mcp-config", &options.mcp_files);
        self.switch("--strict-mcp-config", options.strict_mcp);
    }

    fn settings(&mut self, options: &Options) -> Result<(), Error> {
        match (&options.settings, &options.sandbox) {
            (None, None) => {}
            (Some(Settings::File(file)), None) => self.pair("--settings", file),
            (Some(Settings::File(_)), Some(_)) => {
                return conflict(
                    "settings of the sandbox cannot be added to a settings file; give the settings as JSON",
                );
            }
            (Some(Settings::Json(settings)), None) => self.settings_file(settings)?,
            (None, Some(sandbox)) => {
                self.settings_file(&sandboxed(&Raw::from_text("{}").unwrap_or_default(), sandbox))?
            }
            (Some(Settings::Json(settings)), Some(sandbox)) => self.settings_file(&sandboxed(settings, sandbox))?,
        }
        self.newer(since::MANAGED_SETTINGS, options.managed_settings.as_ref().map(Raw::text))?;
        let sources = options.setting_sources.as_ref();
        let sources = sources.map(|all| all.iter().map(|source| source.as_str()).collect::<Vec<_>>().join(","));
        self.optional("--setting-sources", sources);
        self.newer(since::PROJECT_CONFIG_ROOT, options.project_config_root.as_ref())
    }

    fn settings_file(&mut self, settings: &Raw) -> Result<(), Error> {
        if !settings.is_object() {
            return conflict("settings must be a JSON object");
        }
        self.file("--settings", "settings.json", settings.text().to_owned());
        Ok(())
    }

    fn custom(&mut self, options: &Options) -> Result<(), Error> {
        self.newer(since::AGENT, options.agent.as_deref())?;
        if plugins_in_initialize(options, self.version) {
            self.newer_switch(since::AWAIT_INITIALIZE, true)?;
        } else {
            for plugin in &options.plugins {
                match plugin.without_mcp {
                    true => self.newer(since::PLUGIN_DIR_NO_MCP, Some(&plugin.path))?,
                    false => self.pair("--plugin-dir", &plugin.path),
                }
            }
        }
        options.plugin_urls.iter().try_for_each(|url| self.newer(since::PLUGIN_URL, Some(url)))?;
        self.switch("--disable-slash-commands", options.no_slash_commands);
        self.newer_switch(since::BARE, options.bare)?;
        self.newer_switch(since::SAFE_MODE, options.safe_mode)?;
        self.newer_switch(since::BRIEF, options.brief)?;
        self.switch("--chrome", options.chrome == Some(Chrome::On));
        self.switch("--no-chrome", options.chrome == Some(Chrome::Off));
        self.switch("--ide", options.ide);
        self.newer_switch(since::INIT, options.setup_hooks == Some(since::INIT.name))?;
        self.newer_switch(since::MAINTENANCE, options.setup_hooks == Some(since::MAINTENANCE.name))?;
        if !options.files.is_empty() {
            since::FILE.check(self.version)?;
        }
        self.each(since::FILE.name, &options.files);
        Ok(())
    }

    fn output(&mut self, options: &Options) -> Result<(), Error> {
        self.newer_switch(since::INCLUDE_HOOK_EVENTS, options.hook_events)?;
        self.newer_switch(since::FORWARD_SUBAGENT_TEXT, options.subagent_text)?;
        self.switch("--enable-auth-status", options.auth_status);
        self.newer_switch(since::SESSION_MIRROR, options.mirror)?;
        match &options.debug {
            None => {}
            Some(Debug::Everything) => self.switch("--debug", true),
            // The filter is only read from behind an equals sign.
            Some(Debug::Only(filter)) => self.arguments.list.push(format!("--debug={filter}").into()),
            Some(Debug::ToStderr) => self.switch("--debug-to-stderr", true),
        }
        self.newer(since::DEBUG_FILE, options.debug_file.as_ref())
    }

    fn switch(&mut self, flag: &str, on: bool) {
        self.arguments.list.extend(on.then(|| flag.into()));
    }

    fn pair(&mut self, flag: &str, value: impl AsRef<OsStr>) {
        self.arguments.list.extend([flag.into(), value.as_ref().to_owned()]);
    }

    fn optional(&mut self, flag: &str, value: Option<impl AsRef<OsStr>>) {
        if let Some(value) = value {
            self.pair(flag, value);
        }
    }

    /// The flag before each value: the form that flags with one value and with many have in common.
    fn each(&mut self, flag: &str, values: &[impl AsRef<OsStr>]) {
        values.iter().for_each(|value| self.pair(flag, value));
    }

    fn joined(&mut self, flag: &str, values: &[String]) {
        self.optional(flag, (!values.is_empty()).then(|| values.join(",")));
    }

    fn newer(&mut self, feature: Feature, value: Option<impl AsRef<OsStr>>) -> Result<(), Error> {
        if let Some(value) = value {
            feature.check(self.version)?;
            self.pair(feature.name, value);
        }
        Ok(())
    }

    fn newer_switch(&mut self, feature: Feature, on: bool) -> Result<(), Error> {
        if on {
            feature.check(self.version)?;
            self.switch(feature.name, true);
        }
        Ok(())
    }

    fn file(&mut self, flag: &str, name: &str, text: String) {
        let path = self.folder.join(name);
        self.pair(flag, &path);
        self.arguments.texts.push(Text { path, text });
    }
}

fn sandboxed(settings: &Raw, sandbox: &Raw) -> Raw {
    // Settings that are no object stay as they are and are refused later.
    settings.with_member("sandbox", sandbox).unwrap_or_else(|| settings.clone())
}

fn conflict<T>(why: &str) -> Result<T, Error> {
    Err(Error::Conflict { why: why.to_owned() })
}

/// How long a command line may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    one: usize,
    all: usize,
}

impl Limit {
    /// What this system takes, less some room for the program and the environment.
    pub(crate) fn of_this_system() -> Limit {
        if cfg!(windows) {
            // 32,767 UTF-16 units, of which quoting may take some.
            Limit { one: 30_000, all: 30_000 }
        } else if cfg!(target_os = "linux") {
            // 32 pages for one argument; a quarter of the stack, usually 2 MiB, for all and the environment.
            Limit { one: 131_071, all: 1_500_000 }
        } else {
            Limit { one: 800_000, all: 800_000 }
        }
    }
}

/// An error of its own for a command line that the system would refuse in words that help nobody.
pub(crate) fn check_length(list: &[OsString], limit: Limit) -> Result<(), Error> {
    if let Some(at) = list.iter().position(|argument| argument.len() > limit.one) {
        let flag = at.checked_sub(1).and_then(|before| list[before].to_str()).unwrap_or("an argument");
        return Err(Error::TooLong { what: format!("`{flag}`"), bytes: list[at].len(), limit: limit.one });
    }
    // Each argument has an end mark and a pointer to it.
    let bytes = list.iter().map(|argument| argument.len() + 1 + size_of::<usize>()).sum();
    if bytes > limit.all {
        return Err(Error::TooLong { what: "all of it".to_owned(), bytes, limit: limit.all });
    }
    Ok(())
}
