//! Hooks that the host registered in `initialize`: which events there are, what the CLI says when one fires
//! ([`HookInput`]) and what the host may answer ([`HookOutput`]).
//!
//! A hook fires as a `hook_callback` request (see [`HookCallback`]); the CLI waits for the answer.

use crate::ids::{CallbackId, ToolUseId};

pub mod input;
pub mod output;
pub mod session;

pub use output::{HookDecision, HookOutput, HookPermission, HookSpecificOutput};

use input::{
    Elicitation, ElicitationResult, PermissionDenied, PermissionRequest, PostToolBatch, PostToolUse,
    PostToolUseFailure, PreToolUse, UserPromptExpansion, UserPromptSubmit,
};
use session::{
    ConfigChange, CwdChanged, DirectoryAdded, FileChanged, InstructionsLoaded, MessageDisplay, ModelSwitch,
    Notification, PostCompact, PreCompact, SessionEnd, SessionStart, Setup, Stop, StopFailure, SubagentStart,
    SubagentStop, TaskEvent, TeammateIdle, WorktreeCreate, WorktreeRemove,
};

words! {
    /// An event that hooks can be registered for. 2.1.325 knows all of them.
    pub enum HookEvent {
        /// A tool is about to run.
        PreToolUse = "PreToolUse",
        /// A tool has run.
        PostToolUse = "PostToolUse",
        /// A tool has failed.
        PostToolUseFailure = "PostToolUseFailure",
        /// All calls of one answer are done.
        PostToolBatch = "PostToolBatch",
        /// The CLI wants the user's attention.
        Notification = "Notification",
        /// A prompt has come in.
        UserPromptSubmit = "UserPromptSubmit",
        /// A command has been expanded to a prompt.
        UserPromptExpansion = "UserPromptExpansion",
        /// A session begins, or begins anew after a compaction.
        SessionStart = "SessionStart",
        /// A session ends. The host is not asked: the process exits first.
        SessionEnd = "SessionEnd",
        /// The main agent is about to stop.
        Stop = "Stop",
        /// The turn ended in an API error.
        StopFailure = "StopFailure",
        /// A subagent begins.
        SubagentStart = "SubagentStart",
        /// A subagent is about to stop.
        SubagentStop = "SubagentStop",
        /// A compaction is about to begin.
        PreCompact = "PreCompact",
        /// A compaction is done.
        PostCompact = "PostCompact",
        /// The model is about to change.
        PreModelSwitch = "PreModelSwitch",
        /// The model has changed.
        PostModelSwitch = "PostModelSwitch",
        /// The CLI asks for a permission; at the same time as `can_use_tool`, and the first answer counts.
        PermissionRequest = "PermissionRequest",
        /// Auto mode has denied a call.
        PermissionDenied = "PermissionDenied",
        /// The CLI runs its setup.
        Setup = "Setup",
        /// A teammate has nothing to do.
        TeammateIdle = "TeammateIdle",
        /// The model has put a task on its list.
        TaskCreated = "TaskCreated",
        /// The model has ticked off a task.
        TaskCompleted = "TaskCompleted",
        /// An MCP server wants something from the user.
        Elicitation = "Elicitation",
        /// The user has answered an MCP server.
        ElicitationResult = "ElicitationResult",
        /// A settings file has changed.
        ConfigChange = "ConfigChange",
        /// A worktree is about to be made.
        WorktreeCreate = "WorktreeCreate",
        /// A worktree is about to be removed.
        WorktreeRemove = "WorktreeRemove",
        /// An instruction file has been read.
        InstructionsLoaded = "InstructionsLoaded",
        /// The working directory has changed.
        CwdChanged = "CwdChanged",
        /// A watched file has changed.
        FileChanged = "FileChanged",
        /// A working directory has been added.
        DirectoryAdded = "DirectoryAdded",
        /// Lines of an answer are about to be shown.
        MessageDisplay = "MessageDisplay",
    }
}

wire! {
    /// A hook fires (2.1.1 to 2.1.325). The answer is a [`HookOutput`]; `{}` has no opinion.
    pub struct HookCallback {
        /// The id that the host gave to this hook in `initialize`.
        pub callback_id: CallbackId,
        /// What happened.
        pub input: HookInput,
        /// The call, for tool events; for the others an id of the CLI's own that means nothing to a host.
        pub tool_use_id: Option<ToolUseId>,
        /// When the CLI asked, in Unix milliseconds (declared, not measured).
        pub issued_at: Option<f64>,
        /// How long the CLI waits, in milliseconds (declared, not measured).
        pub deadline_ms: Option<f64>,
    }

    /// Hooks to be registered for one event.
    pub struct HookMatcher {
        /// Which tools (or other subjects of the event) it is for, as a regular expression; all if absent.
        pub matcher: Option<String>,
        /// Names of the host's own choosing: one of them comes back in each [`HookCallback`].
        pub hook_callback_ids: Vec<CallbackId> = "hookCallbackIds",
        /// How long the CLI waits for an answer, in seconds.
        pub timeout: Option<f64>,
        /// What an error in place of an answer means (2.1.325, where `hook_on_failure_supported` says so).
        pub on_failure: Option<OnFailure> = "onFailure",
    }
}

words! {
    /// What the CLI does when a hook fails.
    pub enum OnFailure {
        /// It reports the failure and goes on.
        Continue = "continue",
        /// It takes the failure for a block.
        Block = "block",
    }
}

tagged! {
    /// What a hook is told, by event. "Measured" below is 2.1.325, with host hooks; the rest is declared only.
    pub enum HookInput by "hook_event_name" after [] {
        /// A tool is about to run. Measured.
        "PreToolUse" => PreToolUse(Box<PreToolUse>),
        /// A tool has run. Measured.
        "PostToolUse" => PostToolUse(Box<PostToolUse>),
        /// A tool has failed. Measured.
        "PostToolUseFailure" => PostToolUseFailure(Box<PostToolUseFailure>),
        /// All calls of one answer are done. Measured.
        "PostToolBatch" => PostToolBatch(Box<PostToolBatch>),
        /// The CLI asks for a permission. Measured.
        "PermissionRequest" => PermissionRequest(Box<PermissionRequest>),
        /// Auto mode has denied a call.
        "PermissionDenied" => PermissionDenied(Box<PermissionDenied>),
        /// A prompt has come in. Measured.
        "UserPromptSubmit" => UserPromptSubmit(Box<UserPromptSubmit>),
        /// A command has been expanded to a prompt. Measured.
        "UserPromptExpansion" => UserPromptExpansion(Box<UserPromptExpansion>),
        /// An MCP server wants something from the user.
        "Elicitation" => Elicitation(Box<Elicitation>),
        /// The user has answered an MCP server.
        "ElicitationResult" => ElicitationResult(Box<ElicitationResult>),
        /// The main agent is about to stop. Measured.
        "Stop" => Stop(Box<Stop>),
        /// The turn ended in an API error. Measured.
        "StopFailure" => StopFailure(Box<StopFailure>),
        /// A subagent begins. Measured.
        "SubagentStart" => SubagentStart(Box<SubagentStart>),
        /// A subagent is about to stop. Measured.
        "SubagentStop" => SubagentStop(Box<SubagentStop>),
        /// A session begins. Measured, but only after a compaction: host hooks are registered after the start.
        "SessionStart" => SessionStart(Box<SessionStart>),
        /// A session ends.
        "SessionEnd" => SessionEnd(Box<SessionEnd>),
        /// The CLI runs its setup.
        "Setup" => Setup(Box<Setup>),
        /// A compaction is about to begin. Measured.
        "PreCompact" => PreCompact(Box<PreCompact>),
        /// A compaction is done. Measured.
        "PostCompact" => PostCompact(Box<PostCompact>),
        /// The model is about to change. Measured.
        "PreModelSwitch" => PreModelSwitch(Box<ModelSwitch>),
        /// The model has changed. Measured.
        "PostModelSwitch" => PostModelSwitch(Box<ModelSwitch>),
        /// The CLI wants the user's attention.
        "Notification" => Notification(Box<Notification>),
        /// The model has put a task on its list. Measured.
        "TaskCreated" => TaskCreated(Box<TaskEvent>),
        /// The model has ticked off a task. Measured.
        "TaskCompleted" => TaskCompleted(Box<TaskEvent>),
        /// A teammate has nothing to do.
        "TeammateIdle" => TeammateIdle(Box<TeammateIdle>),
        /// A settings file has changed. Measured.
        "ConfigChange" => ConfigChange(Box<ConfigChange>),
        /// An instruction file has been read. Measured.
        "InstructionsLoaded" => InstructionsLoaded(Box<InstructionsLoaded>),
        /// The working directory has changed.
        "CwdChanged" => CwdChanged(Box<CwdChanged>),
        /// A watched file has changed.
        "FileChanged" => FileChanged(Box<FileChanged>),
        /// A working directory has been added.
        "DirectoryAdded" => DirectoryAdded(Box<DirectoryAdded>),
        /// A worktree is about to be made. Measured.
        "WorktreeCreate" => WorktreeCreate(Box<WorktreeCreate>),
        /// A worktree is about to be removed.
        "WorktreeRemove" => WorktreeRemove(Box<WorktreeRemove>),
        /// Lines of an answer are about to be shown. Measured.
        "MessageDisplay" => MessageDisplay(Box<MessageDisplay>),
    }
}

impl HookMatcher {
    /// A hook for every subject of an event.
    pub fn any(callback: impl Into<CallbackId>) -> Self {
        HookMatcher { hook_callback_ids: vec![callback.into()], ..HookMatcher::default() }
    }

    /// A hook for the tools (or other subjects) that fit `matcher`.
    pub fn matching(matcher: impl Into<String>, callback: impl Into<CallbackId>) -> Self {
        HookMatcher { matcher: Some(matcher.into()), ..HookMatcher::any(callback) }
    }
}

impl HookInput {
    /// The event.
    pub fn event(&self) -> HookEvent {
        self.kind().into()
    }
}
