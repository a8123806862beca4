//! What hooks are told about the session: its turns, subagents, models, files.

use super::input::hook_input;
use crate::from_cli::assistant::AssistantError;
use crate::from_cli::system::compaction::CompactTrigger;
use crate::ids::{TaskId, Uuid};

wire! {
    /// Work that goes on in the background, as hooks see it; the kinds are others than on the `task_*` lines.
    pub struct BackgroundWork {
        /// The task.
        pub id: Option<TaskId>,
        /// For example `shell`, `subagent`, `monitor`, `workflow`.
        pub r#type: Option<String> = "type",
        /// How far it is.
        pub status: Option<String>,
        /// What it is for; long texts are cut.
        pub description: Option<String>,
        /// The command of a shell task; long texts are cut.
        pub command: Option<String>,
        /// The kind of a subagent.
        pub agent_type: Option<String>,
        /// The MCP server of a monitor.
        pub server: Option<String>,
        /// The MCP tool of a monitor.
        pub tool: Option<String>,
        /// The name of a workflow.
        pub name: Option<String>,
    }

    /// A prompt that will wake the session later.
    pub struct SessionCron {
        /// Its name.
        pub id: Option<String>,
        /// A cron expression.
        pub schedule: Option<String>,
        /// Does it come again?
        pub recurring: Option<bool>,
        /// The prompt; long texts are cut.
        pub prompt: Option<String>,
    }
}

hook_input! {
    /// The main agent is about to stop. A block makes it go on.
    pub struct Stop {
        /// Has a stop hook made it go on already? Beware of loops.
        pub stop_hook_active: Option<bool>,
        /// The last words of the model.
        pub last_assistant_message: Option<String>,
        /// Work that goes on in the background.
        pub background_tasks: Option<Vec<BackgroundWork>>,
        /// Prompts that will wake the session later.
        pub session_crons: Option<Vec<SessionCron>>,
    }

    /// The turn ended in an API error.
    pub struct StopFailure {
        /// The kind of error, as on the `assistant` line.
        pub error: Option<AssistantError>,
        /// More about it.
        pub error_details: Option<String>,
        /// The last words of the model.
        pub last_assistant_message: Option<String>,
    }

    /// A subagent begins; `agent_id` and `agent_type` say which.
    pub struct SubagentStart {}

    /// A subagent is about to stop; `agent_id` and `agent_type` say which.
    pub struct SubagentStop {
        /// Has a stop hook made it go on already?
        pub stop_hook_active: Option<bool>,
        /// The subagent's transcript file.
        pub agent_transcript_path: Option<String>,
        /// The last words of the subagent.
        pub last_assistant_message: Option<String>,
        /// Work that goes on in the background.
        pub background_tasks: Option<Vec<BackgroundWork>>,
        /// Prompts that will wake the session later.
        pub session_crons: Option<Vec<SessionCron>>,
    }

    /// A session begins.
    pub struct SessionStart {
        /// `startup`, `resume`, `clear`, `compact` or `fork`.
        pub source: Option<String>,
        /// The model.
        pub model: Option<String>,
        /// The session's title (declared, not measured).
        pub session_title: Option<String>,
        /// Of a resumed session: seconds since its last answer (declared, not measured).
        pub seconds_since_last_response: Option<f64>,
        /// Of a resumed session: its length (declared, not measured).
        pub context_tokens: Option<u64>,
        /// Of a resumed session: will the prompt cache have been dropped? (declared, not measured)
        pub prompt_cache_likely_expired: Option<bool>,
        /// Of a resumed session: what filling the cache again may cost (declared, not measured).
        pub estimated_cache_write_usd: Option<f64>,
    }

    /// A session ends.
    pub struct SessionEnd {
        /// `clear`, `resume`, `logout`, `prompt_input_exit` or `other`.
        pub reason: Option<String>,
    }

    /// The CLI runs its setup.
    pub struct Setup {
        /// `init` or `maintenance`.
        pub trigger: Option<String>,
    }

    /// A compaction is about to begin.
    pub struct PreCompact {
        /// What began it.
        pub trigger: Option<CompactTrigger>,
        /// What the user said after `/compact`.
        pub custom_instructions: Option<String>,
    }

    /// A compaction is done.
    pub struct PostCompact {
        /// What began it.
        pub trigger: Option<CompactTrigger>,
        /// The summary.
        pub compact_summary: Option<String>,
    }

    /// The model is about to change, or has changed.
    pub struct ModelSwitch {
        /// The full name of the old model.
        pub from_model: Option<String>,
        /// The full name of the new model.
        pub to_model: Option<String>,
        /// What was asked for; null for the default.
        pub requested_model: Option<String>,
        /// `command`, `picker`, `sdk`, `auto` or `resume`.
        pub source: Option<String>,
        /// The tokens that the next request sends.
        pub context_tokens: Option<u64>,
        /// Is the prompt cache of the old model likely still there? The switch gives it up.
        pub prompt_cache_warm: Option<bool>,
        /// `5m` or `1h`.
        pub cache_ttl: Option<String>,
        /// What filling the cache of the new model may cost.
        pub estimated_cache_write_usd: Option<f64>,
        /// Whose prices these are: `configured`, `catalog` or `default`.
        pub pricing: Option<String>,
    }

    /// The CLI wants the user's attention.
    pub struct Notification {
        /// What it says.
        pub message: Option<String>,
        /// A heading.
        pub title: Option<String>,
        /// What it is about.
        pub notification_type: Option<String>,
    }

    /// A task of the model's list.
    pub struct TaskEvent {
        /// Its number on the list; not the id of a background task.
        pub task_id: Option<String>,
        /// Its heading.
        pub task_subject: Option<String>,
        /// What it is.
        pub task_description: Option<String>,
        /// The teammate it is for (declared, not measured).
        pub teammate_name: Option<String>,
        /// The team (declared, not measured).
        pub team_name: Option<String>,
    }

    /// A teammate has nothing to do.
    pub struct TeammateIdle {
        /// The teammate.
        pub teammate_name: Option<String>,
        /// The team.
        pub team_name: Option<String>,
    }

    /// A settings file has changed.
    pub struct ConfigChange {
        /// `user_settings`, `project_settings`, `local_settings`, `policy_settings` or `skills`.
        pub source: Option<String>,
        /// The file.
        pub file_path: Option<String>,
    }

    /// An instruction file has been read.
    pub struct InstructionsLoaded {
        /// The file.
        pub file_path: Option<String>,
        /// `User`, `Project`, `Local` or `Managed`.
        pub memory_type: Option<String>,
        /// `session_start`, `nested_traversal`, `path_glob_match`, `include` or `compact`.
        pub load_reason: Option<String>,
        /// The patterns that the file is for.
        pub globs: Option<Vec<String>>,
        /// The file that made the CLI look.
        pub trigger_file_path: Option<String>,
        /// The file that includes this one.
        pub parent_file_path: Option<String>,
    }

    /// The working directory has changed.
    pub struct CwdChanged {
        /// The old one.
        pub old_cwd: Option<String>,
        /// The new one.
        pub new_cwd: Option<String>,
    }

    /// A watched file has changed.
    pub struct FileChanged {
        /// The file.
        pub file_path: Option<String>,
        /// `change`, `add` or `unlink`.
        pub event: Option<String>,
    }

    /// A working directory has been added.
    pub struct DirectoryAdded {
        /// The directory, as an absolute path.
        pub directory: Option<String>,
        /// `slash_command` or `register_repo_root`.
        pub source: Option<String>,
    }

    /// A worktree is about to be made. The answer says where.
    pub struct WorktreeCreate {
        /// Its name.
        pub name: Option<String>,
    }

    /// A worktree is about to be removed.
    pub struct WorktreeRemove {
        /// Its directory.
        pub worktree_path: Option<String>,
    }

    /// Lines of an answer are about to be shown. The answer may put others in their place.
    pub struct MessageDisplay {
        /// The turn.
        pub turn_id: Option<Uuid>,
        /// The line of the answer; not the API's `msg_…`.
        pub message_id: Option<Uuid>,
        /// The place of this piece in the answer.
        pub index: Option<u64>,
        /// Is it the last piece?
        pub is_final: Option<bool> = "final",
        /// The new lines.
        pub delta: Option<String>,
    }
}
