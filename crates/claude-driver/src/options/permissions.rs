//! Which tools there are, and which of them run without asking.

use std::path::PathBuf;

use claude_protocol::permission::PermissionMode;

use super::Claude;

/// The built-in tools that the model has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tools {
    /// All that the CLI gives by default.
    Default,
    /// None.
    None,
    /// These and no others.
    Only(Vec<String>),
}

impl Tools {
    /// These and no others.
    pub fn only<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Tools {
        Tools::Only(names.into_iter().map(Into::into).collect())
    }
}

impl Claude {
    /// How the CLI decides about tools: `--permission-mode`. Every version; `auto` since 2.1.91. Newer versions may start
    /// in `auto` when nothing is said.
    pub fn permission_mode(self, mode: PermissionMode) -> Claude {
        self.with(|options| options.permission_mode = Some(mode))
    }

    /// Lets the session change to [`PermissionMode::BypassPermissions`] later: `--allow-dangerously-skip-permissions`.
    /// Every version.
    pub fn allow_dangerously_skip_permissions(self) -> Claude {
        self.with(|options| options.bypass_possible = true)
    }

    /// Runs every tool without asking: `--dangerously-skip-permissions`. Every version; refused for root outside of a
    /// sandbox.
    pub fn dangerously_skip_permissions(self) -> Claude {
        self.with(|options| options.skip_permissions = true)
    }

    /// Denies at once whatever would need asking: `--permission-prompts none`. Since 2.1.260.
    pub fn deny_permission_prompts(self) -> Claude {
        self.with(|options| options.deny_prompts = true)
    }

    /// A tool of an MCP server that answers in place of a handler: `--permission-prompt-tool`. Every version.
    pub fn permission_prompt_tool(self, tool: impl Into<String>) -> Claude {
        self.with(|options| options.permission_prompt_tool = Some(tool.into()))
    }

    /// Tools, or rules such as `Bash(git *)`, that run without asking: `--allowedTools`. Every version.
    pub fn allowed_tools<T: Into<String>>(self, rules: impl IntoIterator<Item = T>) -> Claude {
        self.with(|options| options.allowed_tools.extend(rules.into_iter().map(Into::into)))
    }

    /// Tools, or rules, that are refused: `--disallowedTools`. Every version.
    pub fn disallowed_tools<T: Into<String>>(self, rules: impl IntoIterator<Item = T>) -> Claude {
        self.with(|options| options.disallowed_tools.extend(rules.into_iter().map(Into::into)))
    }

    /// The built-in tools that the model has: `--tools`. Every version.
    pub fn built_in_tools(self, tools: Tools) -> Claude {
        self.with(|options| options.tools = Some(tools))
    }

    /// Runs one tool when the model calls another: `toolAliases` of `initialize`. Since 2.1.142.
    pub fn tool_alias(self, called: impl Into<String>, runs: impl Into<String>) -> Claude {
        self.with(|options| _ = options.tool_aliases.insert(called.into(), runs.into()))
    }

    /// More directories that tools may use: `--add-dir`. Every version.
    pub fn add_directories<T: Into<PathBuf>>(self, directories: impl IntoIterator<Item = T>) -> Claude {
        self.with(|options| options.directories.extend(directories.into_iter().map(Into::into)))
    }

    /// No tools that run code, no settings of the user or project, and no files outside of the working directories:
    /// `--restricted`. Since 2.1.250.
    pub fn restricted(self) -> Claude {
        self.with(|options| options.restricted = true)
    }
}
