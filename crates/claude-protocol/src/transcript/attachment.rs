//! `attachment`: what the model is told besides the conversation. Its place is in the chain between the messages.

pub mod context;
pub mod hook;
pub mod mention;
pub mod reminder;

use super::entry;
use crate::content::Content;
use crate::from_cli::Origin;
use crate::from_cli::system::tasks::{TaskStatus, TaskType};
use crate::ids::{TaskId, ToolUseId, Uuid};
use crate::raw::Raw;

entry! {
    /// Something that the model is told besides the conversation (2.1.325).
    pub struct AttachmentEntry {
        /// What it is.
        pub attachment: Attachment,
        /// The text that the model gets for it.
        pub rendered: Option<Vec<Rendered>>,
        /// The text when it stands in a turn of the user (2.1.325).
        pub rendered_in_human_turn: Option<Vec<Rendered>> = "renderedInHumanTurn",
        /// As whose words: `system` or `user` (2.1.325).
        pub rendered_role: Option<String> = "renderedRole",
        /// Does it stand beside the result of a tool (2.1.325)?
        pub rendered_beside_tool_result: Option<bool> = "renderedBesideToolResult",
    }
}

tagged! {
    /// What the model is told. First what a screen may want to show, then what the CLI tells for itself.
    pub enum Attachment by "type" after [] {
        /// A file that the prompt mentions with `@` (2.1.117 to 2.1.325).
        "file" => File(Box<mention::FileAttachment>),
        /// Such a file, which the model has read before (2.1.176 to 2.1.325).
        "already_read_file" => AlreadyReadFile(Box<mention::FileAttachment>),
        /// A directory that the prompt mentions (2.1.117 to 2.1.325).
        "directory" => Directory(mention::DirectoryAttachment),
        /// A large PDF that the prompt mentions (not measured).
        "pdf_reference" => PdfReference(mention::PdfReference),
        /// A file that was too large to keep over a compaction (not measured).
        "compact_file_reference" => CompactFileReference(mention::CompactFileReference),
        /// A file has been changed by someone else (2.1.233 to 2.1.325).
        "edited_text_file" => EditedTextFile(mention::EditedTextFile),
        /// A resource of an MCP server that the prompt mentions (not measured).
        "mcp_resource" => McpResource(Box<mention::McpResourceAttachment>),
        /// An agent that the prompt mentions (not measured).
        "agent_mention" => AgentMention(mention::AgentMention),
        /// The file that is open in the editor (not measured).
        "opened_file_in_ide" => OpenedFileInIde(mention::OpenedFileInIde),
        /// The lines that are selected in the editor (not measured).
        "selected_lines_in_ide" => SelectedLinesInIde(Box<mention::SelectedLinesInIde>),
        /// A prompt, or a task's end, that came while the turn was running (2.1.176 to 2.1.325).
        "queued_command" => QueuedCommand(Box<QueuedCommand>),
        /// A hook ran (2.1.117 to 2.1.325).
        "hook_success" => HookSuccess(Box<hook::HookRun>),
        /// A hook failed; the work goes on (2.1.117 to 2.1.325).
        "hook_non_blocking_error" => HookNonBlockingError(Box<hook::HookRun>),
        /// A hook could not be run (not measured).
        "hook_error_during_execution" => HookErrorDuringExecution(Box<hook::HookRun>),
        /// A hook was cut off (not measured).
        "hook_cancelled" => HookCancelled(Box<hook::HookRun>),
        /// A hook objected (2.1.176 to 2.1.325).
        "hook_blocking_error" => HookBlockingError(Box<hook::HookBlockingError>),
        /// A hook adds to the context (2.1.117 to 2.1.325).
        "hook_additional_context" => HookAdditionalContext(Box<hook::HookAdditionalContext>),
        /// A hook has a word for the user (2.1.117 to 2.1.325).
        "hook_system_message" => HookSystemMessage(Box<hook::HookSystemMessage>),
        /// A hook ended the work (2.1.176 to 2.1.325).
        "hook_stopped_continuation" => HookStoppedContinuation(Box<hook::HookStoppedContinuation>),
        /// A hook decided about a call (2.1.176 to 2.1.325).
        "hook_permission_decision" => HookPermissionDecision(Box<hook::HookPermissionDecision>),
        /// The session's goal (2.1.176 to 2.1.325).
        "goal_status" => GoalStatus(GoalStatus),
        /// The session is in plan mode (2.1.176 to 2.1.325).
        "plan_mode" => PlanMode(PlanMode),
        /// The session is in plan mode again (not measured).
        "plan_mode_reentry" => PlanModeReentry(PlanMode),
        /// The session has left plan mode (2.1.176 to 2.1.325).
        "plan_mode_exit" => PlanModeExit(PlanMode),
        /// The plan, after a compaction (not measured).
        "plan_file_reference" => PlanFileReference(PlanFileReference),
        /// The answer that `--json-schema` asks for (2.1.176 to 2.1.325).
        "structured_output" => StructuredOutput(StructuredOutput),
        /// `--max-turns` was reached (2.1.176 to 2.1.325).
        "max_turns_reached" => MaxTurnsReached(MaxTurnsReached),
        /// The state of a background task, after a compaction (2.1.325).
        "task_status" => TaskStatus(Box<TaskStatusAttachment>),
        /// A reminder of the list of things to do (2.1.233 to 2.1.325).
        "task_reminder" => TaskReminder(TaskReminder),
        /// The same for `TodoWrite` (not measured).
        "todo_reminder" => TodoReminder(TaskReminder),
        /// What a skill or a command may do without asking (2.1.117 to 2.1.325).
        "command_permissions" => CommandPermissions(CommandPermissions),
        /// The skills in use, after a compaction (2.1.233 to 2.1.325).
        "invoked_skills" => InvokedSkills(InvokedSkills),
        /// The prompt was a slash command that does not exist, and went to the model as it was (2.1.292 to 2.1.325).
        "unknown_command_fallback" => UnknownCommandFallback(UnknownCommandFallback),
        /// The session is in auto mode (2.1.292 to 2.1.325).
        "auto_mode" => AutoMode(context::AutoMode),
        /// The files with instructions, such as `CLAUDE.md` (2.1.292 to 2.1.325).
        "instructions" => Instructions(context::Instructions),
        /// Which kinds of subagents there are (2.1.207 to 2.1.325).
        "agent_listing_delta" => AgentListingDelta(Box<context::AgentListingDelta>),
        /// Which tools can be loaded (2.1.318 to 2.1.325).
        "deferred_tools_delta" => DeferredToolsDelta(Box<context::DeferredToolsDelta>),
        /// Tools that have been loaded (2.1.325).
        "deferred_tools_record" => DeferredToolsRecord(context::DeferredToolsRecord),
        /// Which skills there are (2.1.117 to 2.1.325).
        "skill_listing" => SkillListing(context::SkillListing),
        /// Today's date (2.1.292 to 2.1.325).
        "date" => Date(context::Date),
        /// Directory and machine (2.1.292 to 2.1.325).
        "environment" => Environment(Box<context::Environment>),
        /// Which model it is (2.1.292 to 2.1.325).
        "model" => Model(context::Model),
        /// The state of the git repository (2.1.292 to 2.1.325).
        "session_context" => SessionContext(context::SessionContext),
        /// How to sign commits and pull requests (2.1.292 to 2.1.325).
        "remote_session_change" => RemoteSessionChange(context::RemoteSessionChange),
        /// Tokens that are left (2.1.233 to 2.1.325).
        "total_tokens_reminder" => TotalTokensReminder(context::TotalTokensReminder),
        /// System prompt and tools as the session saw them; large (2.1.292 to 2.1.325).
        "prompt_snapshot" => PromptSnapshot(Box<context::PromptSnapshot>),
        /// Instructions for a directory that the model has looked into (2.1.117 to 2.1.325).
        "nested_memory" => NestedMemory(reminder::NestedMemory),
        /// The output style, again (2.1.117 to 2.1.325).
        "output_style" => OutputStyle(reminder::OutputStyle),
        /// The output style in full (2.1.292 to 2.1.325).
        "output_style_instructions" => OutputStyleInstructions(reminder::OutputStyleInstructions),
        /// A hook that ran beside the work has ended (2.1.117 to 2.1.325).
        "async_hook_response" => AsyncHookResponse(Box<reminder::AsyncHookResponse>),
        /// What is left of `--max-budget-usd` (2.1.117 to 2.1.325).
        "budget_usd" => BudgetUsd(reminder::Budget),
        /// What is left of the context (not measured).
        "token_usage" => TokenUsage(reminder::Budget),
        /// A hook has put off a call (not measured).
        "hook_deferred_tool" => HookDeferredTool(Box<reminder::HookDeferredTool>),
        /// The language to answer in (2.1.325).
        "language" => Language(reminder::Language),
        /// It is another day (not measured).
        "date_change" => DateChange(reminder::DateChange),
        /// What the editor or a language server complains about (not measured).
        "diagnostics" => Diagnostics(reminder::Diagnostics),
        /// Skills of a directory that the model has looked into (not measured).
        "dynamic_skill" => DynamicSkill(reminder::DynamicSkill),
        /// A picture has been changed by someone else (not measured).
        "edited_image_file" => EditedImageFile(reminder::EditedImageFile),
        /// Memories that fit the prompt (not measured).
        "relevant_memories" => RelevantMemories(reminder::RelevantMemories),
        /// Memories have changed (not measured).
        "memory_update" => MemoryUpdate(reminder::MemoryUpdate),
        /// What MCP servers say about themselves (2.1.233 to 2.1.325).
        "mcp_instructions_delta" => McpInstructionsDelta(reminder::McpInstructionsDelta),
        /// MCP servers that need a login (not measured).
        "repl_mcp_needs_auth" => McpNeedsAuth(reminder::McpNeedsAuth),
        /// The session has left auto mode (not measured).
        "auto_mode_exit" => AutoModeExit(reminder::AutoModeExit),
        /// The team that the session works in (not measured).
        "team_context" => TeamContext(Box<reminder::TeamContext>),
        /// Members of the team have ended (not measured).
        "teammate_shutdown_batch" => TeammateShutdownBatch(reminder::TeammateShutdownBatch),
        /// The session only delegates (in the code of 2.0.77).
        "delegate_mode" => DelegateMode(reminder::DelegateMode),
        /// The session delegates no more (in the code of 2.0.77).
        "delegate_mode_exit" => DelegateModeExit(reminder::Nothing),
        /// The list of things to do (in the code of 2.0.77 and 2.1.55).
        "todo" => Todo(reminder::TodoAttachment),
        /// Tools that could be loaded and were not (not measured).
        "tool_search_usage_reminder" => ToolSearchUsageReminder(reminder::ToolSearchUsageReminder),
        /// Results of tools that the model does not get any more (not measured).
        "tool_results_cut" => ToolResultsCut(reminder::ToolResultsCut),
        /// Thinking that the model does not get any more (not measured).
        "thinking_stripped" => ThinkingStripped(reminder::ThinkingStripped),
        /// A file was read in part (not measured).
        "read_truncation_notice" => ReadTruncationNotice(reminder::ResultNote),
        /// Who sees the output of a command (not measured).
        "bash_output_audience_note" => BashOutputAudienceNote(reminder::ResultNote),
        /// Pictures of the prompt that are files as well (not measured).
        "inlined_image_paths" => InlinedImagePaths(reminder::InlinedImagePaths),
        /// The prompt asks for hard thinking (not measured).
        "ultrathink_effort" => UltrathinkEffort(reminder::Nothing),
        /// The hardest thinking begins (not measured).
        "ultra_effort_enter" => UltraEffortEnter(reminder::UltraEffortEnter),
        /// The hardest thinking ends (not measured).
        "ultra_effort_exit" => UltraEffortExit(reminder::Nothing),
        /// The prompt asks for a workflow (not measured).
        "workflow_keyword_request" => WorkflowKeywordRequest(reminder::Nothing),
        /// How large workflows are to be (not measured).
        "workflow_size_guideline_change" => WorkflowSizeGuidelineChange(reminder::WorkflowSizeGuideline),
        /// Something that the model must not forget (not measured).
        "critical_system_reminder" => CriticalSystemReminder(reminder::Note),
        /// How the sandbox works (not measured).
        "sandbox_instructions" => SandboxInstructions(reminder::Note),
        /// A hint to make calls at once (not measured).
        "batching_reminder" => BatchingReminder(reminder::Note),
        /// Another hint (not measured).
        "secondary_reminder" => SecondaryReminder(reminder::Note),
        /// How long the work has taken (not measured).
        "elapsed_time_reminder" => ElapsedTimeReminder(reminder::Note),
        /// A hint to say something (not measured).
        "silent_turn_reminder" => SilentTurnReminder(reminder::Note),
        /// What a copy of the session is for (not measured).
        "fork_briefing" => ForkBriefing(reminder::Note),
        /// What is new before the conversation (not measured).
        "prefix_delta" => PrefixDelta(reminder::Note),
        /// News of a directory that is copied (not measured).
        "dir_sync_notice" => DirSyncNotice(reminder::Note),
        /// Tools that are on another machine as well (not measured).
        "linked_plugin_tools_note" => LinkedPluginToolsNote(reminder::Note),
        /// What the coordinator of a team is told (not measured).
        "coordinator_context" => CoordinatorContext(reminder::Note),
    }
}

wire! {
    /// A text that the model gets.
    pub struct Rendered {
        /// The text.
        pub content: Option<Content>,
    }

    /// A prompt, or a task's end, that came while the turn was running.
    pub struct QueuedCommand {
        /// The prompt.
        pub prompt: Option<Content>,
        /// The id that the prompt was sent with.
        pub source_uuid: Option<Uuid>,
        /// An id of this delivery, also in the `queue-operation` entry.
        pub delivery_id: Option<String>,
        /// `prompt` or `task-notification`.
        pub command_mode: Option<String> = "commandMode",
        /// When it came.
        pub timestamp: Option<String>,
        /// Where it comes from, when no user wrote it.
        pub origin: Option<Origin>,
        /// The run of the task.
        pub run_id: Option<String> = "runId",
        /// What the task has used.
        pub usage: Option<RecordedTaskUsage>,
        /// Numbers of the images in it (not measured).
        pub image_paste_ids: Option<Vec<u64>> = "imagePasteIds",
        /// A word of the CLI (not measured).
        pub is_meta: Option<bool> = "isMeta",
    }

    /// What a task has used.
    pub struct RecordedTaskUsage {
        /// Tokens.
        pub total_tokens: Option<u64> = "totalTokens",
        /// Calls of tools.
        pub tool_uses: Option<u64> = "toolUses",
        /// Milliseconds.
        pub duration_ms: Option<f64> = "durationMs",
    }

    /// The session's goal.
    pub struct GoalStatus {
        /// Is it met?
        pub met: Option<bool>,
        /// Does it mark the end of the goal?
        pub sentinel: Option<bool>,
        /// The goal.
        pub condition: Option<String>,
        /// Why it is met or not (not measured).
        pub reason: Option<String>,
    }

    /// Plan mode begins, goes on or ends.
    pub struct PlanMode {
        /// How much the model is told: `full` or `sparse`.
        pub reminder_type: Option<String> = "reminderType",
        /// Is it a subagent's?
        pub is_sub_agent: Option<bool> = "isSubAgent",
        /// The plan's file.
        pub plan_file_path: Option<String> = "planFilePath",
        /// Does the file exist?
        pub plan_exists: Option<bool> = "planExists",
    }

    /// The plan, after a compaction (not measured).
    pub struct PlanFileReference {
        /// The plan's file.
        pub plan_file_path: Option<String> = "planFilePath",
        /// The plan.
        pub plan_content: Option<String> = "planContent",
    }

    /// The answer that `--json-schema` asks for.
    pub struct StructuredOutput {
        /// The answer.
        pub data: Option<Raw>,
        /// The call that gave it.
        pub tool_use_id: Option<ToolUseId> = "toolUseID",
    }

    /// `--max-turns` was reached.
    pub struct MaxTurnsReached {
        /// The limit.
        pub max_turns: Option<u64> = "maxTurns",
        /// How many turns there were.
        pub turn_count: Option<u64> = "turnCount",
        /// Is the end of the run settled?
        pub exit_committed: Option<bool> = "exitCommitted",
    }

    /// The state of a background task, after a compaction (not measured).
    pub struct TaskStatusAttachment {
        /// The task.
        pub task_id: Option<TaskId> = "taskId",
        /// What it is.
        pub task_type: Option<TaskType> = "taskType",
        /// How it is.
        pub status: Option<TaskStatus>,
        /// Its title.
        pub description: Option<String>,
        /// What is new.
        pub delta_summary: Option<String> = "deltaSummary",
        /// The file it writes to.
        pub output_file_path: Option<String> = "outputFilePath",
        /// The command, of a shell (2.1.325).
        pub shell: Option<TaskShell>,
    }

    /// The command of a background task (2.1.325).
    pub struct TaskShell {
        /// The command.
        pub command: Option<String>,
        /// The shell, for example `bash`.
        pub kind: Option<String>,
        /// The call that started it.
        pub tool_use_id: Option<ToolUseId> = "toolUseId",
    }

    /// A reminder of the list of things to do.
    pub struct TaskReminder {
        /// The list.
        pub content: Option<Vec<Raw>>,
        /// How long it is.
        pub item_count: Option<u64> = "itemCount",
    }

    /// What a skill or a command may do without asking.
    pub struct CommandPermissions {
        /// The tools.
        pub allowed_tools: Option<Vec<String>> = "allowedTools",
        /// The model that it asks for (not measured).
        pub model: Option<String>,
    }

    /// The skills in use, after a compaction.
    pub struct InvokedSkills {
        /// The skills.
        pub skills: Option<Vec<InvokedSkill>>,
    }

    /// A slash command that does not exist.
    pub struct UnknownCommandFallback {
        /// Its name, without the slash.
        pub command_name: Option<String> = "commandName",
        /// Some that exist.
        pub available_command_names: Option<Vec<String>> = "availableCommandNames",
        /// How many there are.
        pub available_command_count: Option<u64> = "availableCommandCount",
    }

    /// A skill in use.
    pub struct InvokedSkill {
        /// Its name.
        pub name: Option<String>,
        /// Where it is from, for example `projectSettings:hey`.
        pub path: Option<String>,
        /// Its text.
        pub content: Option<String>,
    }
}
