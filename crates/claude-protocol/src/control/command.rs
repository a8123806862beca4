//! Every command that a host can give, with the type of its answer: one table.

use super::answer::{
    BackgroundTasksAnswer, BinaryVersion, CancelAsyncMessageAnswer, Done, FileSuggestionsAnswer,
    ForkConversationAnswer, GeneratedTitle, InterruptAnswer, ListModelsAnswer, OutputStyles, PermissionRules,
    ReadFileAnswer, RegisterRepoRootAnswer, ReloadPluginsAnswer, ReloadSkillsAnswer, RewindConversationAnswer,
    RewindFilesAnswer, SessionCost, SetCwdAnswer, SetModelAnswer, SetPermissionModeAnswer, SetProactivityLevelAnswer,
    Settings, SideQuestionAnswer, TaskOutputAnswer,
};
use super::ask::McpMessage;
use super::dialogs::{ExportedConversation, MemoryDialog, Plan, SkillsDialog, StatusDialog, WorkspaceDiff};
use super::hooks_listing::HooksListing;
use super::initialize::{Initialize, InitializeAnswer};
use super::mcp::{
    McpCall, McpCallAnswer, McpReadResource, McpReadResourceAnswer, McpReconnect, McpSetServers, McpSetServersAnswer,
    McpStatus, McpStatusAnswer, McpToggle,
};
use super::request::{
    ApplyFlagSettings, BackgroundTasks, CancelAsyncMessage, EndSession, ExportConversation, FileSuggestions,
    ForkConversation, GenerateSessionTitle, GetBinaryVersion, GetContextUsage, GetHooksListing, GetMemoryDialog,
    GetPlan, GetSessionCost, GetSettings, GetSkillsDialog, GetStatus, GetTaskOutput, GetUsage, GetWorkspaceDiff,
    Interrupt, ListModels, ListPermissionRules, ReadFile, RegisterRepoRoot, ReloadOutputStyles, ReloadPlugins,
    ReloadSkills, RenameSession, RewindConversation, RewindFiles, SeedReadState, SetColor, SetCwd, SetHasSubscribers,
    SetMaxThinkingTokens, SetModel, SetPermissionMode, SetProactivityLevel, SideQuestion, StopTask, UpdateSettings,
};
use crate::note::Drift;
use crate::raw::Raw;
use crate::usage::context::ContextUsage;
use crate::usage::report::UsageAnswer;
use crate::wire::Wire;

/// A command whose answer has a type; see [`Response::answer_to`](super::Response::answer_to).
pub trait Answered: Into<Command> {
    /// What the CLI answers on success.
    type Answer: Wire + Default;
}

/// The table of commands: subtype, request, answer.
macro_rules! commands {
    (
        $(#[$meta:meta])*
        pub enum Command {
            $( $(#[$variant_meta:meta])* $kind:literal => $name:ident($type:ty) answers $answer:ty, )*
        }
    ) => {
        tagged! {
            $(#[$meta])*
            pub enum Command by "subtype" after [] {
                $( $(#[$variant_meta])* $kind => $name($type), )*
            }
        }

        $(
            impl From<$name> for Command {
                fn from(request: $name) -> Self {
                    Command::$name(request.into())
                }
            }

            impl Answered for $name {
                type Answer = $answer;
            }
        )*

        /// What the answer to a command of this kind holds that its type does not name; `None` for an unknown kind, or
        /// an answer that is no object.
        pub fn answer_drift(kind: &str, answer: &Raw) -> Option<Drift> {
            match kind {
                $( $kind => answer.drift::<$answer>(), )*
                _ => None,
            }
        }
    };
}

commands! {
    /// A command of the host. 2.1.1 knows `initialize`, `interrupt`, `set_permission_mode`, `set_model`,
    /// `set_max_thinking_tokens`, `rewind_files`, `mcp_status`, `mcp_set_servers` and `mcp_message`, and 2.1.38 knows
    /// `mcp_reconnect` and `mcp_toggle` besides; to all others they give no answer. Where nothing else is said, 2.1.325
    /// was seen to answer.
    pub enum Command {
        /// What the host wants, and what there is. 2.1.1 to 2.1.325.
        "initialize" => Initialize(Box<Initialize>) answers InitializeAnswer,
        /// Stop the turn. 2.1.1 to 2.1.325.
        "interrupt" => Interrupt(Interrupt) answers InterruptAnswer,
        /// Another permission mode. 2.1.1 to 2.1.325; before 2.1.325 anything is a success, and there are two answers.
        "set_permission_mode" => SetPermissionMode(SetPermissionMode) answers SetPermissionModeAnswer,
        /// Another model, from the next call on. 2.1.1 to 2.1.325; a `user` line comes before the answer (2.1.325).
        "set_model" => SetModel(SetModel) answers SetModelAnswer,
        /// Another limit for thinking. 2.1.1 to 2.1.325.
        "set_max_thinking_tokens" => SetMaxThinkingTokens(SetMaxThinkingTokens) answers Done,
        /// How are the MCP servers? 2.1.1 to 2.1.325.
        "mcp_status" => McpStatus(McpStatus) answers McpStatusAnswer,
        /// A message of a server that lives in the host. 2.1.1 to 2.1.325.
        "mcp_message" => McpMessage(McpMessage) answers Done,
        /// Connect a server again. 2.1.38 to 2.1.325.
        "mcp_reconnect" => McpReconnect(McpReconnect) answers Done,
        /// Turn a server on or off. 2.1.38 to 2.1.325.
        "mcp_toggle" => McpToggle(McpToggle) answers Done,
        /// The servers to have. 2.1.1 to 2.1.325.
        "mcp_set_servers" => McpSetServers(McpSetServers) answers McpSetServersAnswer,
        /// Call a tool of a server.
        "mcp_call" => McpCall(Box<McpCall>) answers McpCallAnswer,
        /// Read a page of a server (declared, not measured).
        "mcp_read_resource" => McpReadResource(McpReadResource) answers McpReadResourceAnswer,
        /// Stop a task. An unknown one is a success, too.
        "stop_task" => StopTask(StopTask) answers Done,
        /// Move running tools to the background.
        "background_tasks" => BackgroundTasks(BackgroundTasks) answers BackgroundTasksAnswer,
        /// The end of what a background command has printed.
        "get_task_output" => GetTaskOutput(GetTaskOutput) answers TaskOutputAnswer,
        /// Put files back as they were. 2.1.1 to 2.1.325, if file checkpoints are turned on.
        "rewind_files" => RewindFiles(RewindFiles) answers RewindFilesAnswer,
        /// Go back in the conversation.
        "rewind_conversation" => RewindConversation(RewindConversation) answers RewindConversationAnswer,
        /// Take back a prompt that waits.
        "cancel_async_message" => CancelAsyncMessage(CancelAsyncMessage) answers CancelAsyncMessageAnswer,
        /// What fills the context.
        "get_context_usage" => GetContextUsage(GetContextUsage) answers ContextUsage,
        /// What the session cost, as a text.
        "get_session_cost" => GetSessionCost(GetSessionCost) answers SessionCost,
        /// What the session cost, and how much of the plan is used.
        "get_usage" => GetUsage(GetUsage) answers UsageAnswer,
        /// The settings.
        "get_settings" => GetSettings(GetSettings) answers Settings,
        /// Change settings for this process.
        "apply_flag_settings" => ApplyFlagSettings(ApplyFlagSettings) answers Done,
        /// Write to a settings file.
        "update_settings" => UpdateSettings(UpdateSettings) answers Done,
        /// The models to choose from.
        "list_models" => ListModels(ListModels) answers ListModelsAnswer,
        /// The CLI's version.
        "get_binary_version" => GetBinaryVersion(GetBinaryVersion) answers BinaryVersion,
        /// The hooks of the settings.
        "get_hooks_listing" => GetHooksListing(GetHooksListing) answers HooksListing,
        /// The permission rules in force.
        "list_permission_rules" => ListPermissionRules(ListPermissionRules) answers PermissionRules,
        /// Files to mention with `@`.
        "file_suggestions" => FileSuggestions(FileSuggestions) answers FileSuggestionsAnswer,
        /// A file, as the Read tool may read it.
        "read_file" => ReadFile(ReadFile) answers ReadFileAnswer,
        /// Look for skills again.
        "reload_skills" => ReloadSkills(ReloadSkills) answers ReloadSkillsAnswer,
        /// Look for plugins again.
        "reload_plugins" => ReloadPlugins(ReloadPlugins) answers ReloadPluginsAnswer,
        /// Look for output styles again.
        "reload_output_styles" => ReloadOutputStyles(ReloadOutputStyles) answers OutputStyles,
        /// A title for the session; `system/session_title_changed` follows.
        "rename_session" => RenameSession(RenameSession) answers Done,
        /// The host has seen this file: editing it needs no new Read.
        "seed_read_state" => SeedReadState(SeedReadState) answers Done,
        /// Does anybody watch?
        "set_has_subscribers" => SetHasSubscribers(SetHasSubscribers) answers Done,
        /// A colour for the session (declared; 2.1.325 does not support it without a terminal).
        "set_color" => SetColor(SetColor) answers Done,
        /// One more working directory, inside of those there are.
        "register_repo_root" => RegisterRepoRoot(RegisterRepoRoot) answers RegisterRepoRootAnswer,
        /// A question beside the conversation; `system/control_request_progress` comes first. Can be cancelled.
        "side_question" => SideQuestion(SideQuestion) answers SideQuestionAnswer,
        /// A title made by a model.
        "generate_session_title" => GenerateSessionTitle(GenerateSessionTitle) answers GeneratedTitle,
        /// The end of the session. The process still waits for the end of its input.
        "end_session" => EndSession(EndSession) answers Done,
        /// What `/status` shows.
        "get_status" => GetStatus(GetStatus) answers StatusDialog,
        /// The plan of plan mode.
        "get_plan" => GetPlan(GetPlan) answers Plan,
        /// What has changed in the workspace.
        "get_workspace_diff" => GetWorkspaceDiff(GetWorkspaceDiff) answers WorkspaceDiff,
        /// What `/memory` shows.
        "get_memory_dialog" => GetMemoryDialog(GetMemoryDialog) answers MemoryDialog,
        /// What `/skills` shows.
        "get_skills_dialog" => GetSkillsDialog(GetSkillsDialog) answers SkillsDialog,
        /// The conversation as a text.
        "export_conversation" => ExportConversation(ExportConversation) answers ExportedConversation,
        /// Another working directory.
        "set_cwd" => SetCwd(SetCwd) answers SetCwdAnswer,
        /// A copy of the conversation; refused outside of remote control.
        "fork_conversation" => ForkConversation(ForkConversation) answers ForkConversationAnswer,
        /// How much the model does unasked; only if `initialize` turned that on.
        "set_proactivity_level" => SetProactivityLevel(SetProactivityLevel) answers SetProactivityLevelAnswer,
    }
}
