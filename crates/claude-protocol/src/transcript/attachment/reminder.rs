//! What the CLI reminds the model of by itself: budgets, styles, memories of a directory, hooks that ended late. Known
//! from the CLI's code (2.0.77 to 2.1.325); those that were measured say so.

use crate::hook::HookEvent;
use crate::ids::{AgentId, ToolUseId};
use crate::permission::PermissionMode;
use crate::raw::Raw;
use crate::tool::todo::Todo;

wire! {
    /// A kind of which no more is said (not measured).
    pub struct Nothing {
        /// How hard the model is to think, on one of them (in the code of 2.1.85).
        pub level: Option<String>,
    }

    /// A text, under one of two names (not measured).
    pub struct Note {
        /// The text.
        pub text: Option<String>,
        /// The text.
        pub content: Option<String>,
        /// Is it another than before?
        pub changed: Option<bool>,
    }

    /// What is left of a budget: of money with `--max-budget-usd` (2.1.117 to 2.1.325), or of tokens (not measured).
    pub struct Budget {
        /// What is used.
        pub used: Option<f64>,
        /// The budget.
        pub total: Option<f64>,
        /// What is left.
        pub remaining: Option<f64>,
    }

    /// The output style, again (2.1.117 to 2.1.325).
    pub struct OutputStyle {
        /// Its name.
        pub style: Option<String>,
        /// What to keep in mind (not measured).
        pub turn_reminder: Option<String> = "turnReminder",
    }

    /// The output style in full (2.1.292 to 2.1.325).
    pub struct OutputStyleInstructions {
        /// The style; null when there is none any more.
        pub style: Option<StyleText>,
    }

    /// An output style (2.1.325).
    pub struct StyleText {
        /// Its name.
        pub name: Option<String>,
        /// What the model is told.
        pub prompt: Option<String>,
    }

    /// The language to answer in (2.1.325).
    pub struct Language {
        /// The language.
        pub language: Option<String>,
    }

    /// It is another day (not measured).
    pub struct DateChange {
        /// The day.
        pub new_date: Option<String> = "newDate",
    }

    /// Instructions for a directory that the model has just looked into (2.1.117 to 2.1.325).
    pub struct NestedMemory {
        /// The file.
        pub path: Option<String>,
        /// What is in it.
        pub content: Option<Box<MemoryFileText>>,
        /// The file, from the working directory.
        pub display_path: Option<String> = "displayPath",
    }

    /// A file with instructions (2.1.325).
    pub struct MemoryFileText {
        /// Where it is.
        pub path: Option<String>,
        /// Whose it is, for example `Project`.
        pub r#type: Option<String> = "type",
        /// What the model gets of it.
        pub content: Option<String>,
        /// The files that a rule is for.
        pub globs: Option<Vec<String>>,
        /// Is that not all that is in the file?
        pub content_differs_from_disk: Option<bool> = "contentDiffersFromDisk",
        /// All that is in the file.
        pub raw_content: Option<String> = "rawContent",
        /// Is it a rule?
        pub is_rule: Option<bool> = "isRule",
        /// The file that includes it (not measured).
        pub parent: Option<String>,
    }

    /// A hook that ran beside the work has ended (2.1.117 to 2.1.325).
    pub struct AsyncHookResponse {
        /// The CLI's name for the process.
        pub process_id: Option<String> = "processId",
        /// The hook, for example `PostToolUse:Bash`.
        pub hook_name: Option<String> = "hookName",
        /// The event.
        pub hook_event: Option<HookEvent> = "hookEvent",
        /// The tool.
        pub tool_name: Option<String> = "toolName",
        /// The command (not measured).
        pub command: Option<String>,
        /// Its plugin (not measured).
        pub plugin_id: Option<String> = "pluginId",
        /// What it answered.
        pub response: Option<Raw>,
        /// Is the answer plain text (not measured)?
        pub is_plain_output: Option<bool> = "isPlainOutput",
        /// What it printed.
        pub stdout: Option<String>,
        /// What it printed as errors.
        pub stderr: Option<String>,
        /// Its exit code.
        pub exit_code: Option<i64> = "exitCode",
    }

    /// A hook has put off a call (not measured).
    pub struct HookDeferredTool {
        /// The call.
        pub tool_use_id: Option<ToolUseId> = "toolUseID",
        /// The tool.
        pub tool_name: Option<String> = "toolName",
        /// Its input.
        pub tool_input: Option<Raw> = "toolInput",
        /// The hook.
        pub hook_name: Option<String> = "hookName",
        /// The event.
        pub hook_event: Option<HookEvent> = "hookEvent",
        /// The permission mode.
        pub permission_mode: Option<PermissionMode> = "permissionMode",
        /// A mark for tracing.
        pub traceparent: Option<String>,
    }

    /// What the editor or a language server complains about (not measured).
    pub struct Diagnostics {
        /// The files with their complaints.
        pub files: Option<Vec<Raw>>,
        /// Are they new?
        pub is_new: Option<bool> = "isNew",
    }

    /// Skills of a directory that the model has just looked into (not measured).
    pub struct DynamicSkill {
        /// The directory.
        pub skill_dir: Option<String> = "skillDir",
        /// The skills.
        pub skill_names: Option<Vec<String>> = "skillNames",
        /// The directory, from the working directory.
        pub display_path: Option<String> = "displayPath",
    }

    /// A picture has been changed by someone else (not measured).
    pub struct EditedImageFile {
        /// The file.
        pub filename: Option<String>,
        /// The picture.
        pub content: Option<Raw>,
    }

    /// Memories that fit the prompt (not measured).
    pub struct RelevantMemories {
        /// The memories.
        pub memories: Option<Vec<Raw>>,
    }

    /// Memories have changed (not measured).
    pub struct MemoryUpdate {
        /// What changed them.
        pub source: Option<String>,
        /// In words.
        pub summary: Option<String>,
        /// The files.
        pub paths: Option<Vec<String>>,
        /// Those of them that the model has seen.
        pub in_context_paths: Option<Vec<String>> = "inContextPaths",
    }

    /// What MCP servers say about themselves (2.1.233 to 2.1.325).
    pub struct McpInstructionsDelta {
        /// The servers.
        pub added_names: Option<Vec<String>> = "addedNames",
        /// What the model is told, in the same order.
        pub added_blocks: Option<Vec<String>> = "addedBlocks",
        /// What the servers said, in the same order.
        pub added_server_instructions: Option<Vec<Raw>> = "addedServerInstructions",
        /// Servers that are gone.
        pub removed_names: Option<Vec<String>> = "removedNames",
    }

    /// The session has left auto mode (not measured).
    pub struct AutoModeExit {
        /// Is the shell to be preferred?
        pub bash_first: Option<bool> = "bashFirst",
        /// Is it only a hint?
        pub steer_only: Option<bool> = "steerOnly",
        /// Is work that others see to be finished?
        pub finish_exposed_work: Option<bool> = "finishExposedWork",
    }

    /// The team that the session works in (not measured).
    pub struct TeamContext {
        /// The session's agent.
        pub agent_id: Option<AgentId> = "agentId",
        /// Its name.
        pub agent_name: Option<String> = "agentName",
        /// The team.
        pub team_name: Option<String> = "teamName",
        /// The team's settings.
        pub team_config_path: Option<String> = "teamConfigPath",
        /// The team's list of things to do.
        pub task_list_path: Option<String> = "taskListPath",
        /// Are there tools for that list?
        pub has_task_list_tools: Option<bool> = "hasTaskListTools",
    }

    /// Members of the team have ended (not measured).
    pub struct TeammateShutdownBatch {
        /// How many.
        pub count: Option<u64>,
    }

    /// Tools that could be loaded and were not (not measured).
    pub struct ToolSearchUsageReminder {
        /// Some of them.
        pub undiscovered_tool_names: Option<Vec<String>> = "undiscoveredToolNames",
        /// How many there are.
        pub undiscovered_count: Option<u64> = "undiscoveredCount",
    }

    /// The hardest thinking begins (not measured).
    pub struct UltraEffortEnter {
        /// `full` or `sparse`.
        pub reminder_type: Option<String> = "reminderType",
    }

    /// How large workflows are to be (not measured).
    pub struct WorkflowSizeGuideline {
        /// The size.
        pub size: Option<String>,
    }

    /// A remark on the result of a call (not measured).
    pub struct ResultNote {
        /// The remark.
        pub banner: Option<String>,
        /// The call.
        pub tool_use_id: Option<ToolUseId> = "toolUseID",
    }

    /// Results of tools that the model does not get any more (not measured).
    pub struct ToolResultsCut {
        /// The calls.
        pub call_ids: Option<Vec<ToolUseId>> = "callIds",
        /// What stands there instead.
        pub stand_in: Option<String> = "standIn",
        /// About how many tokens that saves.
        pub rough_tokens: Option<u64> = "roughTokens",
    }

    /// Thinking that the model does not get any more (not measured).
    pub struct ThinkingStripped {
        /// `all` or `partial`.
        pub scope: Option<String>,
        /// From where on.
        pub from: Option<Raw>,
    }

    /// Pictures of the prompt that are files as well (not measured).
    pub struct InlinedImagePaths {
        /// The files.
        pub paths: Option<Vec<Raw>>,
        /// Their names.
        pub names: Option<Vec<Raw>>,
    }

    /// MCP servers that need a login (not measured).
    pub struct McpNeedsAuth {
        /// The servers.
        pub servers: Option<Vec<Raw>>,
    }

    /// The list of things to do (in the code of 2.0.77 and 2.1.55; not measured).
    pub struct TodoAttachment {
        /// The list.
        pub content: Option<Vec<Todo>>,
        /// How many there are.
        pub item_count: Option<u64> = "itemCount",
        /// Why it is told, for example `post-compact`.
        pub context: Option<String>,
    }

    /// The session only delegates (in the code of 2.0.77; not measured).
    pub struct DelegateMode {
        /// The team.
        pub team_name: Option<String> = "teamName",
        /// The team's list of things to do.
        pub task_list_path: Option<String> = "taskListPath",
    }
}
