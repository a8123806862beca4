//! The smaller answers of the CLI; each belongs to the command of a similar name.

use super::catalog::{AgentInfo, EffortLevel, ModelInfo, Plugin, SlashCommand};
use super::mcp::McpServerStatus;
use crate::ids::Uuid;
use crate::permission::{PermissionMode, RuleBehavior};
use crate::raw::Raw;

wire! {
    /// Done; there is nothing more to say. The data is absent or `{}`.
    pub struct Done {}

    /// What an interrupt leaves (2.1.325; nothing in older versions).
    pub struct InterruptAnswer {
        /// Prompts that still wait and will run; only those sent with a uuid.
        pub still_queued: Option<Vec<Uuid>>,
        /// Prompts that were dropped, if that was asked for.
        pub cancelled: Option<Vec<Uuid>>,
        /// Prompts that were put back to wait (declared, not measured).
        pub put_back: Option<Vec<Uuid>>,
        /// What became of a prompt to be sent at once (declared, not measured).
        pub send_now: Option<String>,
        /// What became of the turn: `stopped`, `idle` or `spared` (declared, not measured).
        pub turn: Option<String>,
    }

    /// The mode in force; `manual` is reported as `default`.
    pub struct SetPermissionModeAnswer {
        /// The mode; absent on the second answer of older versions.
        pub mode: Option<PermissionMode>,
    }

    /// The model in force (2.1.325; nothing in older versions).
    pub struct SetModelAnswer {
        /// Its full name.
        pub model: Option<String>,
    }

    /// What was moved to the background.
    pub struct BackgroundTasksAnswer {
        /// Was anything? (declared; `{}` was measured)
        pub backgrounded: Option<bool>,
    }

    /// The end of what a command has printed.
    pub struct TaskOutputAnswer {
        /// At most the last 8 KiB; may hold terminal escapes.
        pub output: Option<String>,
        /// How much there is in all.
        pub total_bytes: Option<u64>,
        /// Is `output` only the end?
        pub truncated: Option<bool>,
    }

    /// What became of the files.
    pub struct RewindFilesAnswer {
        /// Could it be done?
        pub can_rewind: Option<bool> = "canRewind",
        /// Why not.
        pub error: Option<String>,
        /// The files.
        pub files_changed: Option<Vec<String>> = "filesChanged",
        /// Lines that came back.
        pub insertions: Option<u64>,
        /// Lines that went.
        pub deletions: Option<u64>,
        /// Files left alone because a link stood in their place.
        pub skipped_links: Option<u64> = "skippedLinks",
    }

    /// Where the conversation is now.
    pub struct RewindConversationAnswer {
        /// Could it be done?
        pub rewound: Option<bool>,
        /// The prompt that was taken back.
        pub target_message_uuid: Option<Uuid> = "targetMessageUuid",
        /// Its text, to edit and send again.
        pub prefill_text: Option<String> = "prefillText",
        /// The answer that is now the last.
        pub preceding_assistant_uuid: Option<Uuid> = "precedingAssistantUuid",
        /// Why not.
        pub error: Option<String>,
        /// Why not, for programs, for example `target_not_found`.
        pub reason: Option<String>,
    }

    /// Was the prompt taken back?
    pub struct CancelAsyncMessageAnswer {
        /// False if it was not waiting any more.
        pub cancelled: Option<bool>,
        /// The prompt (2.1.326; only if it was taken back).
        pub message_uuid: Option<Uuid>,
    }

    /// What the session cost.
    pub struct SessionCost {
        /// What `/cost` prints.
        pub text: Option<String>,
    }

    /// The settings.
    pub struct Settings {
        /// What counts, all files together.
        pub effective: Option<Raw>,
        /// What each file says.
        pub sources: Option<Vec<SettingsSource>>,
        /// What it comes to.
        pub applied: Option<AppliedSettings>,
        /// Files that could not be read (declared, not measured).
        pub errors: Option<Vec<SettingsError>>,
        /// Why remote control cannot be changed (declared, not measured).
        pub remote_control_policy_lock_reason: Option<String>,
        /// Was something left out because answers are stored? (declared, not measured)
        pub withheld: Option<bool>,
    }

    /// What a settings file says.
    pub struct SettingsSource {
        /// `userSettings`, `projectSettings`, `localSettings`, `flagSettings` or `policySettings`.
        pub source: Option<String>,
        /// Its content.
        pub settings: Option<Raw>,
    }

    /// What the settings come to.
    pub struct AppliedSettings {
        /// The model.
        pub model: Option<String>,
        /// How hard it thinks; null if it cannot be told.
        pub effort: Option<EffortLevel>,
        /// The model that advises.
        pub advisor: Option<String>,
        /// Is `ultracode` on?
        pub ultracode: Option<bool>,
        /// Was it asked for?
        pub ultracode_requested: Option<bool> = "ultracodeRequested",
        /// Can it be had?
        pub ultracode_available: Option<bool> = "ultracodeAvailable",
        /// Can `ultrathink` be had?
        pub ultrathink_available: Option<bool> = "ultrathinkAvailable",
        /// May file tools not read outside of the working directories?
        pub outside_file_tool_reads_blocked: Option<bool> = "outsideFileToolReadsBlocked",
        /// May file tools not write outside of them?
        pub outside_file_tool_writes_blocked: Option<bool> = "outsideFileToolWritesBlocked",
        /// Do only the directories of the launch count for that?
        pub outside_blocks_count_launch_folders_only: Option<bool> = "outsideBlocksCountLaunchFoldersOnly",
        /// Did the environment leave the CLI's files where they are?
        pub launch_env_left_own_files_in_place: Option<bool> = "launchEnvLeftOwnFilesInPlace",
    }

    /// A settings file that could not be read, or a part of it.
    pub struct SettingsError {
        /// The file.
        pub file: Option<String>,
        /// Where in it; empty for the whole.
        pub path: Option<String>,
        /// What is wrong.
        pub message: Option<String>,
    }

    /// The models to choose from.
    pub struct ListModelsAnswer {
        /// The models.
        pub models: Option<Vec<ModelInfo>>,
    }

    /// The CLI's version.
    pub struct BinaryVersion {
        /// For example `2.1.325`.
        pub version: Option<String>,
        /// When it was built, as an ISO time.
        pub build_time: Option<String> = "buildTime",
        /// The oldest Agent SDK that a desktop app may bring along and still run this CLI, for example `0.3.280` (2.1.326).
        pub oldest_desktop_sdk: Option<String> = "oldestDesktopSdk",
    }

    /// The permission rules in force.
    pub struct PermissionRules {
        /// The rules and directories.
        pub state: Option<PermissionRulesState>,
    }

    /// Rules and directories.
    pub struct PermissionRulesState {
        /// The rules.
        pub rules: Option<Vec<RuleEntry>>,
        /// The working directories that were added.
        pub workspace_directories: Option<Vec<WorkspaceDirectory>> = "workspaceDirectories",
        /// The first working directory.
        pub original_cwd: Option<String> = "originalCwd",
        /// Do only the organization's rules count?
        pub managed_only: Option<bool> = "managedOnly",
        /// Settings files that could not be read (declared, not measured).
        pub errors: Option<Vec<SettingsError>>,
        /// Was something left out because answers are stored? (declared, not measured)
        pub withheld: Option<bool>,
    }

    /// A rule in force.
    pub struct RuleEntry {
        /// What it does.
        pub behavior: Option<RuleBehavior>,
        /// Where it is from: a settings file, `session`, `cliArg`, `command`, …
        pub source: Option<String>,
        /// The rule, for example `Bash(touch *)`.
        pub rule: Option<String>,
        /// The rule in words.
        pub description: Option<RuleDescription>,
        /// `persistent`, `session` or `readonly`.
        pub editability: Option<String>,
        /// True if the organization's settings void it (declared, not measured).
        pub not_in_effect: Option<bool> = "notInEffect",
    }

    /// A rule in words, in three parts.
    pub struct RuleDescription {
        /// Before.
        pub prefix: Option<String>,
        /// The part to stress.
        pub emphasis: Option<String>,
        /// After.
        pub suffix: Option<String>,
    }

    /// A working directory.
    pub struct WorkspaceDirectory {
        /// Its path.
        pub path: Option<String>,
        /// Where it is from.
        pub source: Option<String>,
    }

    /// Files to mention.
    pub struct FileSuggestionsAnswer {
        /// The files, best first; directories end in a slash.
        pub suggestions: Option<Vec<FileSuggestion>>,
        /// What the paths are relative to.
        pub cwd: Option<String>,
    }

    /// A file to mention.
    pub struct FileSuggestion {
        /// Its path.
        pub path: String,
        /// How well it fits (declared, not measured).
        pub score: Option<f64>,
    }

    /// A file.
    pub struct ReadFileAnswer {
        /// Its text, or its bytes as base64.
        pub contents: Option<String>,
        /// Its absolute path.
        pub abs_path: Option<String> = "absPath",
        /// The path that was asked for.
        pub requested_path: Option<String>,
        /// Were bytes replaced that are not UTF-8?
        pub lossy: Option<bool>,
        /// Is it only the beginning?
        pub truncated: Option<bool>,
        /// `base64`, if that was asked for.
        pub encoding: Option<String>,
        /// Where the part begins (declared, not measured).
        pub offset: Option<u64>,
        /// How much was read (declared, not measured).
        pub read_bytes: Option<u64>,
        /// How much there is (declared, not measured).
        pub total_bytes: Option<u64>,
        /// A mark of this state of the file (declared, not measured).
        pub etag: Option<String>,
    }

    /// The skills there are now.
    pub struct ReloadSkillsAnswer {
        /// The skills.
        pub skills: Option<Vec<SlashCommand>>,
    }

    /// What there is after plugins were loaded.
    pub struct ReloadPluginsAnswer {
        /// Commands.
        pub commands: Option<Vec<SlashCommand>>,
        /// Kinds of subagents.
        pub agents: Option<Vec<AgentInfo>>,
        /// Plugins.
        pub plugins: Option<Vec<Plugin>>,
        /// MCP servers.
        pub mcp_servers: Option<Vec<McpServerStatus>> = "mcpServers",
        /// How many plugins failed.
        pub error_count: Option<u64>,
        /// Was it held back, as asked? (declared, not measured)
        pub held: Option<bool>,
        /// What it would have done to the prompt cache (declared, not measured).
        pub cache_impact: Option<CacheImpact>,
    }

    /// What loading plugins would change in the list of tools.
    pub struct CacheImpact {
        /// New servers.
        pub mcp_servers_added: Option<Vec<String>>,
        /// Servers that would go.
        pub mcp_servers_removed: Option<Vec<String>>,
        /// `adds`, `may-add`, `removes` or `may-remove`.
        pub lsp_tool_change: Option<String>,
    }

    /// The output styles there are now.
    pub struct OutputStyles {
        /// Their names.
        pub available_output_styles: Option<Vec<String>>,
    }

    /// The directory that was added.
    pub struct RegisterRepoRootAnswer {
        /// Its path.
        pub directory: Option<String>,
    }

    /// The answer to a side question.
    pub struct SideQuestionAnswer {
        /// The answer; null if there is none.
        pub response: Option<String>,
        /// Are these words of the CLI itself?
        pub synthetic: Option<bool>,
        /// Another model had to answer (declared, not measured).
        pub refusal_fallback: Option<RefusalFallback>,
    }

    /// A model that refused, and the one that answered.
    pub struct RefusalFallback {
        /// Who refused.
        pub original_model: Option<String>,
        /// Who answered.
        pub fallback_model: Option<String>,
        /// What the user is told.
        pub content: Option<String>,
    }

    /// A title made by a model.
    pub struct GeneratedTitle {
        /// The title; null if none came about.
        pub title: Option<String>,
    }

    /// Where the session works now.
    pub struct SetCwdAnswer {
        /// `ok`, `needs_trust` or `rejected`.
        pub status: Option<String>,
        /// The working directory, if it is `ok`.
        pub cwd: Option<String>,
        /// Is it another one than before?
        pub changed: Option<bool>,
        /// Has the transcript moved along?
        pub transcript_relocated: Option<bool>,
        /// What the user must be asked to trust, if that is needed.
        pub trust_root: Option<String>,
        /// The directory that was asked for, if trust is needed.
        pub directory: Option<String>,
        /// Why it was rejected, for programs.
        pub reason: Option<String>,
        /// Why it was rejected, for people.
        pub message: Option<String>,
    }

    /// What became of the copy.
    pub struct ForkConversationAnswer {
        /// Is there one?
        pub forked: Option<bool>,
        /// Why not.
        pub error: Option<String>,
        /// Why not, for programs.
        pub reason: Option<String>,
    }

    /// The level in force.
    pub struct SetProactivityLevelAnswer {
        /// The level.
        pub level: Option<String>,
        /// The permission mode that goes with it.
        pub permission_mode: Option<PermissionMode> = "permissionMode",
    }
}
