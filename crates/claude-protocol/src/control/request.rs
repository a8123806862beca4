//! What the commands of a host carry. `new` takes what a command must have; the rest are fields to fill.

use super::change::Change;
use super::initialize::PluginConfig;
use crate::ids::{SessionId, TaskId, ToolUseId, Uuid};
use crate::permission::PermissionMode;
use crate::raw::Raw;
use crate::wire::OrNull;

wire! {
    /// Stop the turn. Background agents are stopped, too, unless `initialize` set `perTaskStopAffordance`.
    pub struct Interrupt {
        /// True: also drop the prompts that wait (2.1.325).
        pub cancel_queued: Option<bool>,
    }

    /// Another permission mode.
    pub struct SetPermissionMode {
        /// The mode.
        pub mode: PermissionMode = "mode" | "permissionMode" | "permission_mode",
    }

    /// Another model.
    pub struct SetModel {
        /// Its name or alias; `default` puts it back in every version. Nothing checks it before the next turn.
        pub model: Option<String>,
    }

    /// Another limit for thinking. Versions before 2.1.325 want the limit on every such request.
    pub struct SetMaxThinkingTokens {
        /// The limit.
        pub max_thinking_tokens: Change<u64>,
        /// How thinking is shown (2.1.325).
        pub thinking_display: Change<ThinkingDisplay>,
    }

    /// Stop a task.
    pub struct StopTask {
        /// The task.
        pub task_id: TaskId,
    }

    /// Move running tools to the background; only those that `system/task_started` has told of.
    pub struct BackgroundTasks {
        /// Only this call.
        pub tool_use_id: Option<ToolUseId>,
    }

    /// The end of what a background command has printed.
    pub struct GetTaskOutput {
        /// The task.
        pub task_id: TaskId,
    }

    /// Put files back as they were.
    pub struct RewindFiles {
        /// The prompt before which they were so; it must have been sent with a uuid.
        pub user_message_id: Uuid,
        /// True: only tell what would happen.
        pub dry_run: Option<bool>,
    }

    /// Go back in the conversation.
    pub struct RewindConversation {
        /// The prompt to take back, with all that came after.
        pub target_message_uuid: Uuid,
    }

    /// Take back a prompt that waits.
    pub struct CancelAsyncMessage {
        /// The prompt.
        pub message_uuid: Uuid,
    }

    /// What fills the context.
    pub struct GetContextUsage {
        /// How exactly; full if absent.
        pub detail: Option<ContextDetail>,
    }

    /// What the session cost, as a text.
    pub struct GetSessionCost {}

    /// What the session cost, and how much of the plan is used.
    pub struct GetUsage {
        /// True: leave out what would need a scan of the transcripts (declared, not measured).
        pub skip_behaviors: Option<bool>,
    }

    /// The settings.
    pub struct GetSettings {}

    /// Change settings for this process.
    pub struct ApplyFlagSettings {
        /// The settings to change.
        pub settings: Raw,
    }

    /// Write to a settings file.
    pub struct UpdateSettings {
        /// `localSettings` (only `outputStyle`) or `userSettings` (only `effortLevel`).
        pub source: String,
        /// The settings to change.
        pub settings: Raw,
    }

    /// The models to choose from.
    pub struct ListModels {}

    /// The CLI's version.
    pub struct GetBinaryVersion {}

    /// The hooks of the settings.
    pub struct GetHooksListing {}

    /// The permission rules in force.
    pub struct ListPermissionRules {}

    /// Files to mention with `@`.
    pub struct FileSuggestions {
        /// The beginning of a path.
        pub query: String,
    }

    /// A file.
    pub struct ReadFile {
        /// Its path.
        pub path: String,
        /// The most bytes to read.
        pub max_bytes: Option<u64>,
        /// `utf-8` or `base64`.
        pub encoding: Option<String>,
    }

    /// Look for skills again.
    pub struct ReloadSkills {}

    /// Look for plugins again.
    pub struct ReloadPlugins {
        /// True: hold back if the prompt cache would suffer (declared, not measured).
        pub hold_on_cache_impact: Option<bool>,
        /// Plugins to load besides (declared, not measured).
        pub add_plugins: Option<Vec<PluginConfig>>,
        /// True: fail if the session is busy (declared, not measured).
        pub refuse_if_busy: Option<bool>,
    }

    /// Look for output styles again.
    pub struct ReloadOutputStyles {}

    /// A title for the session.
    pub struct RenameSession {
        /// The title.
        pub title: String,
        /// `host` if the user chose it here, `remote` if elsewhere (declared, not measured).
        pub source: Option<String>,
        /// The session it is for: refused if the process has moved on (declared, not measured).
        pub session_id: Option<SessionId>,
    }

    /// The host has seen this file.
    pub struct SeedReadState {
        /// The file.
        pub path: String,
        /// When it was last changed, in Unix milliseconds.
        pub mtime: f64,
    }

    /// Does anybody watch?
    pub struct SetHasSubscribers {
        /// Null if the host does not know.
        pub has_subscribers: OrNull<bool>,
    }

    /// A colour for the session.
    pub struct SetColor {
        /// Its name; `default` for none.
        pub color: String,
    }

    /// One more working directory.
    pub struct RegisterRepoRoot {
        /// The directory.
        pub directory: String,
        /// Read its instructions?
        pub reload_claude_md: Option<bool>,
        /// Look for its plugins?
        pub reload_plugins: Option<bool>,
        /// Look for its skills?
        pub reload_skills: Option<bool>,
    }

    /// A question beside the conversation.
    pub struct SideQuestion {
        /// The question.
        pub question: String,
        /// Questions before it, and their answers (declared, not measured).
        pub history: Option<Vec<SideExchange>>,
    }

    /// A side question that has been answered.
    pub struct SideExchange {
        /// The question.
        pub question: String,
        /// The answer.
        pub response: String,
    }

    /// A title made by a model.
    pub struct GenerateSessionTitle {
        /// What the session is about.
        pub description: String,
        /// Use it as the session's title? (declared, not measured)
        pub persist: Option<bool>,
    }

    /// The end of the session.
    pub struct EndSession {
        /// Why (declared, not measured).
        pub reason: Option<String>,
    }

    /// What `/status` shows.
    pub struct GetStatus {}

    /// The plan of plan mode.
    pub struct GetPlan {}

    /// What has changed in the workspace.
    pub struct GetWorkspaceDiff {}

    /// What `/memory` shows.
    pub struct GetMemoryDialog {}

    /// What `/skills` shows.
    pub struct GetSkillsDialog {}

    /// The conversation as a text.
    pub struct ExportConversation {}

    /// Another working directory.
    pub struct SetCwd {
        /// The directory.
        pub path: String,
        /// Has the user said that it can be trusted?
        pub trust_accepted: Option<bool>,
        /// The directory the user was asked about.
        pub trusted_directory: Option<String>,
    }

    /// A copy of the conversation.
    pub struct ForkConversation {}

    /// How much the model does unasked.
    pub struct SetProactivityLevel {
        /// `ask`, `default` or `proactive`.
        pub level: String,
        /// May the user be offered to skip permissions?
        pub offer_bypass: Option<bool>,
    }
}

words! {
    /// How thinking is shown.
    pub enum ThinkingDisplay {
        /// Summed up.
        Summarized = "summarized",
        /// Not at all.
        Omitted = "omitted",
        /// As short titles.
        Highlights = "highlights",
        /// The word on `assistant` and `stream_event` lines (2.1.325); undeclared.
        Updates = "updates",
    }

    /// How exactly the context is counted.
    pub enum ContextDetail {
        /// From what is known; no calls of the API.
        Summary = "summary",
        /// Each part counted by the API.
        Full = "full",
    }
}

/// `new` for the commands that must carry something.
macro_rules! constructors {
    ($( $name:ident { $( $field:ident : $type:ty ),* } )*) => { $(
        impl $name {
            /// The command with what it must have.
            #[allow(clippy::needless_update, reason = "some commands have no other fields")]
            pub fn new($( $field: impl Into<$type> ),*) -> Self {
                $name { $( $field: $field.into(), )* ..$name::default() }
            }
        }
    )* };
}

constructors! {
    SetPermissionMode { mode: PermissionMode }
    StopTask { task_id: TaskId }
    GetTaskOutput { task_id: TaskId }
    RewindFiles { user_message_id: Uuid }
    RewindConversation { target_message_uuid: Uuid }
    CancelAsyncMessage { message_uuid: Uuid }
    ApplyFlagSettings { settings: Raw }
    UpdateSettings { source: String, settings: Raw }
    FileSuggestions { query: String }
    ReadFile { path: String }
    RenameSession { title: String }
    SeedReadState { path: String, mtime: f64 }
    SetColor { color: String }
    RegisterRepoRoot { directory: String }
    SideQuestion { question: String }
    GenerateSessionTitle { description: String }
    SetCwd { path: String }
    SetProactivityLevel { level: String }
}

impl SetModel {
    /// Another model, by name or alias.
    pub fn new(model: impl Into<String>) -> Self {
        SetModel { model: Some(model.into()) }
    }
}

impl SetMaxThinkingTokens {
    /// A limit, or none.
    pub fn new(max_thinking_tokens: Change<u64>) -> Self {
        SetMaxThinkingTokens { max_thinking_tokens, ..SetMaxThinkingTokens::default() }
    }
}

impl SetHasSubscribers {
    /// Somebody watches.
    pub fn watched() -> Self {
        SetHasSubscribers { has_subscribers: OrNull(Some(true)) }
    }

    /// Nobody watches.
    pub fn unwatched() -> Self {
        SetHasSubscribers { has_subscribers: OrNull(Some(false)) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Command;
    use super::*;
    use crate::wire::to_json;

    #[test]
    fn all_spellings_of_the_mode_are_read_and_one_is_written() {
        let expected = Command::from(SetPermissionMode::new(PermissionMode::Plan));
        for key in ["mode", "permissionMode", "permission_mode"] {
            let text = format!(r#"{{"subtype":"set_permission_mode","{key}":"plan"}}"#);
            assert_eq!(Raw::from_text(&text).unwrap().read::<Command>().unwrap().value, expected);
        }
        assert_eq!(to_json(&expected), r#"{"subtype":"set_permission_mode","mode":"plan"}"#);
    }
}
