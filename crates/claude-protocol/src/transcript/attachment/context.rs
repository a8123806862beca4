//! What the CLI tells the model about its surroundings: machine, model, tools, agents, skills. All 2.1.325.

use crate::raw::Raw;

wire! {
    /// The session is in auto mode.
    pub struct AutoMode {
        /// How much the model is told (not measured).
        pub reminder_type: Option<String> = "reminderType",
        /// Internal.
        pub auto_mode_consent_flow: Option<bool> = "autoModeConsentFlow",
        /// Internal.
        pub bash_first: Option<bool> = "bashFirst",
        /// Internal.
        pub bash_first_steer: Option<String> = "bashFirstSteer",
        /// Internal.
        pub bypass: Option<bool>,
        /// Internal.
        pub finish_exposed_work: Option<bool> = "finishExposedWork",
        /// Internal.
        pub steer_only: Option<bool> = "steerOnly",
    }

    /// The files with instructions.
    pub struct Instructions {
        /// The files.
        pub files: Option<Vec<InstructionFile>>,
    }

    /// A file with instructions.
    pub struct InstructionFile {
        /// The file.
        pub path: Option<String>,
        /// Whose it is: `Project`, …
        pub r#type: Option<String> = "type",
        /// Its text.
        pub content: Option<String>,
    }

    /// The kinds of subagents that are new or gone.
    pub struct AgentListingDelta {
        /// The names that are new.
        pub added_types: Option<Vec<String>> = "addedTypes",
        /// The same with descriptions, as the model reads them.
        pub added_lines: Option<Vec<String>> = "addedLines",
        /// The names that are the CLI's own.
        pub built_in_types: Option<Vec<String>> = "builtInTypes",
        /// The names that are of plugins of the CLI.
        pub built_in_plugin_types: Option<Vec<String>> = "builtInPluginTypes",
        /// The names that are gone.
        pub removed_types: Option<Vec<String>> = "removedTypes",
        /// Is it the first list?
        pub is_initial: Option<bool> = "isInitial",
        /// Is the model told to start several at once?
        pub show_concurrency_note: Option<bool> = "showConcurrencyNote",
    }

    /// The tools that can be loaded, as far as they are new or gone.
    pub struct DeferredToolsDelta {
        /// The names that are new.
        pub added_names: Option<Vec<String>> = "addedNames",
        /// The same as the model reads them.
        pub added_lines: Option<Vec<String>> = "addedLines",
        /// The names that are gone.
        pub removed_names: Option<Vec<String>> = "removedNames",
        /// The names that the API is not told.
        pub wire_hidden_names: Option<Vec<String>> = "wireHiddenNames",
        /// The names that are back.
        pub readded_names: Option<Vec<String>> = "readdedNames",
        /// MCP servers that are still connecting.
        pub pending_mcp_servers: Option<Vec<Raw>> = "pendingMcpServers",
        /// MCP servers that the user must log in to.
        pub needs_auth_mcp_servers: Option<Vec<Raw>> = "needsAuthMcpServers",
        /// MCP servers that could not be reached.
        pub failed_mcp_servers: Option<Vec<FailedMcpServer>> = "failedMcpServers",
    }

    /// An MCP server that could not be reached.
    pub struct FailedMcpServer {
        /// Its name.
        pub name: Option<String>,
        /// The error's code.
        pub error_code: Option<String> = "errorCode",
        /// The error.
        pub error: Option<String>,
    }

    /// Tools that have been loaded.
    pub struct DeferredToolsRecord {
        /// The tools as the API has them.
        pub entries: Option<Vec<Raw>>,
    }

    /// The skills that are new.
    pub struct SkillListing {
        /// The list as the model reads it.
        pub content: Option<String>,
        /// How many.
        pub skill_count: Option<u64> = "skillCount",
        /// Is it the first list?
        pub is_initial: Option<bool> = "isInitial",
        /// Their names.
        pub names: Option<Vec<String>>,
        /// Hashes of their descriptions.
        pub digests: Option<Vec<String>>,
    }

    /// Today's date.
    pub struct Date {
        /// The date: `2026-11-15`.
        pub date: Option<String>,
    }

    /// Directory and machine.
    pub struct Environment {
        /// All of it.
        pub snapshot: Option<EnvironmentSnapshot>,
        /// What is new since the last time.
        pub changes: Option<Vec<EnvironmentChange>>,
    }

    /// Directory and machine.
    pub struct EnvironmentSnapshot {
        /// The working directory.
        pub working_directory: Option<String> = "workingDirectory",
        /// Is it a git worktree?
        pub is_worktree: Option<bool> = "isWorktree",
        /// Is it in a git repository?
        pub is_git_repo: Option<bool> = "isGitRepo",
        /// Other directories that the session may use.
        pub additional_working_directories: Option<Vec<String>> = "additionalWorkingDirectories",
        /// `linux`, `darwin` or `win32`.
        pub platform: Option<String>,
        /// The shell.
        pub shell: Option<String>,
        /// The system and its version.
        pub os_version: Option<String> = "osVersion",
    }

    /// What is new about directory and machine.
    pub struct EnvironmentChange {
        /// The field of the snapshot.
        pub field: Option<String>,
        /// Its value before.
        pub from: Option<Raw>,
        /// What a list has gained.
        pub added: Option<Vec<String>>,
        /// What a list has lost.
        pub removed: Option<Vec<String>>,
    }

    /// Which model it is.
    pub struct Model {
        /// The model.
        pub identity: Option<ModelIdentity>,
        /// The same as the model reads it.
        pub text: Option<String>,
    }

    /// A model.
    pub struct ModelIdentity {
        /// Its id.
        pub model_id: Option<String> = "modelId",
        /// Its name for people; null for one that the CLI does not know.
        pub marketing_name: Option<String> = "marketingName",
        /// Up to when it knows the world.
        pub knowledge_cutoff: Option<String> = "knowledgeCutoff",
    }

    /// The state of the repository.
    pub struct SessionContext {
        /// The state.
        pub context: Option<SessionContextParts>,
    }

    /// Parts of the session's context.
    pub struct SessionContextParts {
        /// Branch, status and last commits, as text.
        pub git_status: Option<String> = "gitStatus",
    }

    /// How to sign commits and pull requests.
    pub struct RemoteSessionChange {
        /// The page of the session.
        pub url: Option<String>,
        /// The last lines of a commit message.
        pub commit: Option<String>,
        /// The last lines of a pull request.
        pub pr: Option<String>,
        /// Can files be sent to the user?
        pub send_user_file_hint: Option<bool> = "sendUserFileHint",
        /// Do settings of an organisation say the one?
        pub managed_commit: Option<bool> = "managedCommit",
        /// Do they say the other?
        pub managed_pr: Option<bool> = "managedPr",
    }

    /// Tokens that are left.
    pub struct TotalTokensReminder {
        /// The text, within `<total_tokens>`.
        pub text: Option<String>,
    }

    /// System prompt and tools as the session saw them.
    pub struct PromptSnapshot {
        /// The parts of the system prompt.
        pub system_prompt: Option<Raw> = "systemPrompt",
        /// The tools with their schemas.
        pub tools: Option<Raw>,
        /// The first lines of the system prompt.
        pub cli_prefix: Option<String> = "cliPrefix",
        /// Internal.
        pub reminder_fold: Option<Raw> = "reminderFold",
        /// Internal.
        pub echo_wire_tool_inputs: Option<Raw> = "echoWireToolInputs",
        /// Internal.
        pub context_rendering: Option<String> = "contextRendering",
        /// Internal.
        pub system_turns: Option<bool> = "systemTurns",
        /// Internal.
        pub tool_change_header: Option<bool> = "toolChangeHeader",
        /// Internal.
        pub inline_tools: Option<bool> = "inlineTools",
        /// Internal.
        pub kept_reminders: Option<bool> = "keptReminders",
    }
}
