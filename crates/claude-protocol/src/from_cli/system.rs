//! `system`: news about the session and its work, one variant per `subtype`.

use crate::ids::{Envelope, SessionId, ToolUseId, Uuid};

pub mod compaction;
pub mod hooks;
pub mod hosted;
pub mod init;
pub mod model;
pub mod notices;
pub mod repository;
pub mod session;
pub mod storage;
pub mod tasks;
pub mod undeclared;
pub mod workflow;

pub use compaction::{CompactBoundary, CompactMetadata, ContextCleared};
pub use hooks::{HookProgress, HookResponse, HookStarted};
pub use init::Init;
pub use model::{ApiRetry, ModelFallback, ModelRefusalFallback, ModelRefusalNoFallback, ThinkingTokens};
pub use notices::{
    ControlRequestProgress, ElicitationComplete, Informational, LocalCommandOutput, MemoryRecall, Notification,
    PermissionDenied,
};
pub use repository::{CodeChangePublished, VcsStateChanged};
pub use session::{
    CommandsChanged, SessionState, SessionStateChanged, SessionTitleChanged, Status, StatusWord, UiInvalidate,
    WorkerShuttingDown,
};
pub use storage::{FilesPersisted, MirrorError, PluginInstall, SessionWritesLost};
pub use tasks::{BackgroundTasksChanged, TaskNotification, TaskProgress, TaskStarted, TaskUpdated};

tagged! {
    /// A `system` line, told apart by its `subtype`.
    pub enum System by "subtype" after ["type"] {
        /// The session as it is now: the first line of each turn, or nearly so (2.0.77 to 2.1.325).
        "init" => Init(Box<Init>),
        /// What the CLI is busy with, and changes of the permission mode (2.0.77 to 2.1.325).
        "status" => Status(Box<Status>),
        /// Does the session work, wait or need an answer? (2.1.85 to 2.1.325)
        "session_state_changed" => SessionStateChanged(SessionStateChanged),
        /// The session has a new name (2.1.292 to 2.1.325).
        "session_title_changed" => SessionTitleChanged(SessionTitleChanged),
        /// The slash commands are others now (2.1.176 to 2.1.325).
        "commands_changed" => CommandsChanged(CommandsChanged),
        /// Something in the CLI's own screen has to be drawn again (2.1.292 to 2.1.325).
        "ui_invalidate" => UiInvalidate(UiInvalidate),
        /// The process of a remote session ends. Declared, not measured.
        "worker_shutting_down" => WorkerShuttingDown(WorkerShuttingDown),

        /// A task has begun (2.1.55 to 2.1.325).
        "task_started" => TaskStarted(Box<TaskStarted>),
        /// A subagent has made a tool call (2.1.85 to 2.1.325).
        "task_progress" => TaskProgress(Box<TaskProgress>),
        /// A task has changed (2.1.117 to 2.1.325).
        "task_updated" => TaskUpdated(Box<TaskUpdated>),
        /// A task has ended (2.1.55 to 2.1.325).
        "task_notification" => TaskNotification(Box<TaskNotification>),
        /// The tasks in the background are others now (2.1.207 to 2.1.325).
        "background_tasks_changed" => BackgroundTasksChanged(BackgroundTasksChanged),

        /// The conversation was summed up here (2.0.77 to 2.1.325).
        "compact_boundary" => CompactBoundary(Box<CompactBoundary>),
        /// The conversation was cleared, in two of the older documents; never measured.
        "context_cleared" => ContextCleared(ContextCleared),

        /// A hook has begun (2.1.38 to 2.1.325).
        "hook_started" => HookStarted(HookStarted),
        /// A hook has written something (2.1.117 to 2.1.325).
        "hook_progress" => HookProgress(Box<HookProgress>),
        /// A hook has ended (2.1.38 to 2.1.325).
        "hook_response" => HookResponse(Box<HookResponse>),

        /// A call of the API failed and will be made again (2.1.85 to 2.1.325).
        "api_retry" => ApiRetry(ApiRetry),
        /// Another model has taken over, because the first was not to be had (2.1.207 to 2.1.325).
        "model_fallback" => ModelFallback(Box<ModelFallback>),
        /// The model refused, and another one is asked. Declared, not measured.
        "model_refusal_fallback" => ModelRefusalFallback(Box<ModelRefusalFallback>),
        /// The model refused, and no other one is asked (2.1.233 to 2.1.325).
        "model_refusal_no_fallback" => ModelRefusalNoFallback(Box<ModelRefusalNoFallback>),
        /// The model thinks: how many tokens so far (2.1.176 to 2.1.325).
        "thinking_tokens" => ThinkingTokens(ThinkingTokens),

        /// A line of text for people (2.1.233 to 2.1.325).
        "informational" => Informational(Box<Informational>),
        /// A short note of the kind that comes and goes (2.1.117 to 2.1.325).
        "notification" => Notification(Box<Notification>),
        /// The output of a local command. Declared, not measured.
        "local_command_output" => LocalCommandOutput(LocalCommandOutput),
        /// A tool call was denied without asking the host (2.1.176 to 2.1.325).
        "permission_denied" => PermissionDenied(Box<PermissionDenied>),
        /// What the user had to do in a browser is done (2.1.325).
        "elicitation_complete" => ElicitationComplete(ElicitationComplete),
        /// A control request of the host is being worked on (2.1.207 to 2.1.325).
        "control_request_progress" => ControlRequestProgress(ControlRequestProgress),
        /// Memories were put before the model. Declared, not measured.
        "memory_recall" => MemoryRecall(MemoryRecall),

        /// Files were uploaded. Declared, not measured.
        "files_persisted" => FilesPersisted(FilesPersisted),
        /// Entries of a mirrored transcript were lost. Declared, not measured.
        "mirror_error" => MirrorError(MirrorError),
        /// The disk was full. Declared, not measured.
        "session_writes_lost" => SessionWritesLost(SessionWritesLost),
        /// Plugins are being installed. Declared, not measured.
        "plugin_install" => PluginInstall(PluginInstall),

        /// A shell command has changed the repository (2.1.325).
        "vcs_state_changed" => VcsStateChanged(VcsStateChanged),
        /// A change went out for review. In the CLI, not measured.
        "code_change_published" => CodeChangePublished(Box<CodeChangePublished>),

        // Known from the CLI's code (2.1.325) only; none was measured.
        /// A turn begins. Not measured.
        "turn_starting" => TurnStarting(undeclared::TurnStarting),
        /// A turn has begun before the `init`. Not measured.
        "turn_began_before_init" => TurnBeganBeforeInit(undeclared::Mark),
        /// A sign of life before the `init`. Not measured.
        "alive_before_init" => AliveBeforeInit(undeclared::Mark),
        /// A turn was broken off for another prompt. Not measured.
        "turn_preempted" => TurnPreempted(undeclared::TurnPreempted),
        /// How long a turn took. Not measured.
        "turn_duration" => TurnDuration(undeclared::TurnDuration),
        /// What happened while the user was away. Not measured.
        "away_summary" => AwaySummary(undeclared::Words),
        /// A scheduled prompt was sent. Not measured.
        "scheduled_task_fire" => ScheduledTaskFire(undeclared::Words),
        /// What the model thinks. Not measured.
        "thinking" => Thinking(undeclared::Words),
        /// What the session is busy with. Not measured.
        "task_summary" => TaskSummary(undeclared::TaskSummary),
        /// Where a turn has left the work. Not measured.
        "post_turn_summary" => PostTurnSummary(undeclared::PostTurnSummary),
        /// Commands that were denied may be tried again. Not measured.
        "permission_retry" => PermissionRetry(undeclared::PermissionRetry),
        /// Whether a tool call may run is being found out. Not measured.
        "permission_check_status" => PermissionCheckStatus(undeclared::PermissionCheckStatus),
        /// Memories were written. Not measured.
        "memory_saved" => MemorySaved(undeclared::MemorySaved),
        /// The subagents were stopped. Not measured.
        "agents_killed" => AgentsKilled(undeclared::Mark),
        /// Files of the session as they are now. Not measured.
        "file_snapshot" => FileSnapshot(undeclared::FileSnapshot),
        /// Files that came with a prompt are not there. Not measured.
        "file_attachments_missing" => FileAttachmentsMissing(undeclared::FileAttachmentsMissing),
        /// The files with instructions are large. Not measured.
        "instruction_size_warning" => InstructionSizeWarning(undeclared::InstructionSizeWarning),
        /// Whether the effort can differ from turn to turn. Not measured.
        "per_turn_effort_changed" => PerTurnEffortChanged(undeclared::PerTurnEffortChanged),
        /// Facts about the session. Not measured.
        "session_metadata" => SessionMetadata(undeclared::SessionMetadata),
        /// A message of another session is held back, or no longer. Not measured.
        "peer_message_hold" => PeerMessageHold(Box<undeclared::PeerMessageHold>),
        /// Questions that the session took over have been dealt with. Not measured.
        "inherited_asks_settled" => InheritedAsksSettled(undeclared::InheritedAsksSettled),
        /// A report to the vendor was drafted. Not measured.
        "feedback_draft_queued" => FeedbackDraftQueued(undeclared::FeedbackDraftQueued),
        /// A model needs the user's consent. Not measured.
        "model_consent_fallback" => ModelConsentFallback(Box<undeclared::ModelConsentFallback>),
        /// A call of the API failed and will be made again. Not measured.
        "api_error" => ApiError(undeclared::ApiErrorNotice),
        /// Hooks ran at the end of a turn. Not measured.
        "stop_hook_summary" => StopHookSummary(Box<undeclared::StopHookSummary>),
        /// The work is about an app for a phone. Not measured.
        "dev_intent" => DevIntent(undeclared::DevIntent),

        /// The state of remote control. Not measured.
        "bridge_state" => BridgeState(hosted::BridgeState),
        /// A session in the vendor's cloud has changed. Not measured.
        "cloud_session_delta" => CloudSessionDelta(hosted::CloudSessionDelta),
        /// Turns can be handed over from elsewhere. Not measured.
        "turn_handoff_available" => TurnHandoffAvailable(hosted::TurnHandoffAvailable),
        /// What a tool gave that ran on another machine. Not measured.
        "tool_host_result" => ToolHostResult(Box<hosted::ToolHostResult>),
        /// The directory in which the process began. Not measured.
        "start_folder" => StartFolder(hosted::StartFolder),
        /// What a plugin has drawn is in the focus. Not measured.
        "ui_focus" => UiFocus(hosted::UiFocus),
        /// What a plugin has drawn is to be moved. Not measured.
        "ui_scroll" => UiScroll(hosted::UiScroll),
        /// A line for a plugin's log. Not measured.
        "ui_log" => UiLog(hosted::UiText),
        /// A plugin's line of the status. Not measured.
        "ui_status" => UiStatus(hosted::UiText),
        /// A short note of a plugin. Not measured.
        "ui_toast" => UiToast(hosted::UiText),
        /// A plugin wants the user told. Not measured.
        "ui_notify" => UiNotify(Box<hosted::UiNotify>),
        /// A plugin takes that back. Not measured.
        "ui_notify_cancel" => UiNotifyCancel(hosted::UiNotifyCancel),
        /// The panes of plugins are others now. Not measured.
        "ui_panes" => UiPanes(hosted::UiPanes),
        /// Where rows of plugins stand in the conversation. Not measured.
        "ui_placed" => UiPlaced(hosted::UiPlaced),
    }
}

impl System {
    /// The ids of the line; none when its kind is not known.
    pub fn envelope(&self) -> Option<&dyn Envelope> {
        Some(match self {
            System::Init(line) => &**line,
            System::Status(line) => &**line,
            System::SessionStateChanged(line) => line,
            System::SessionTitleChanged(line) => line,
            System::CommandsChanged(line) => line,
            System::UiInvalidate(line) => line,
            System::WorkerShuttingDown(line) => line,
            System::TaskStarted(line) => &**line,
            System::TaskProgress(line) => &**line,
            System::TaskUpdated(line) => &**line,
            System::TaskNotification(line) => &**line,
            System::BackgroundTasksChanged(line) => line,
            System::CompactBoundary(line) => &**line,
            System::ContextCleared(line) => line,
            System::HookStarted(line) => line,
            System::HookProgress(line) => &**line,
            System::HookResponse(line) => &**line,
            System::ApiRetry(line) => line,
            System::ModelFallback(line) => &**line,
            System::ModelRefusalFallback(line) => &**line,
            System::ModelRefusalNoFallback(line) => &**line,
            System::ThinkingTokens(line) => line,
            System::Informational(line) => &**line,
            System::Notification(line) => &**line,
            System::LocalCommandOutput(line) => line,
            System::PermissionDenied(line) => &**line,
            System::ElicitationComplete(line) => line,
            System::ControlRequestProgress(line) => line,
            System::MemoryRecall(line) => line,
            System::FilesPersisted(line) => line,
            System::MirrorError(line) => line,
            System::SessionWritesLost(line) => line,
            System::PluginInstall(line) => line,
            System::VcsStateChanged(line) => line,
            System::CodeChangePublished(line) => &**line,
            System::TurnStarting(line) => line,
            System::TurnBeganBeforeInit(line) => line,
            System::AliveBeforeInit(line) => line,
            System::TurnPreempted(line) => line,
            System::TurnDuration(line) => line,
            System::AwaySummary(line) => line,
            System::ScheduledTaskFire(line) => line,
            System::Thinking(line) => line,
            System::TaskSummary(line) => line,
            System::PostTurnSummary(line) => line,
            System::PermissionRetry(line) => line,
            System::PermissionCheckStatus(line) => line,
            System::MemorySaved(line) => line,
            System::AgentsKilled(line) => line,
            System::FileSnapshot(line) => line,
            System::FileAttachmentsMissing(line) => line,
            System::InstructionSizeWarning(line) => line,
            System::PerTurnEffortChanged(line) => line,
            System::SessionMetadata(line) => line,
            System::PeerMessageHold(line) => &**line,
            System::InheritedAsksSettled(line) => line,
            System::FeedbackDraftQueued(line) => line,
            System::ModelConsentFallback(line) => &**line,
            System::ApiError(line) => line,
            System::StopHookSummary(line) => &**line,
            System::DevIntent(line) => line,
            System::BridgeState(line) => line,
            System::CloudSessionDelta(line) => line,
            System::TurnHandoffAvailable(line) => line,
            System::ToolHostResult(line) => &**line,
            System::StartFolder(line) => line,
            System::UiFocus(line) => line,
            System::UiScroll(line) => line,
            System::UiLog(line) => line,
            System::UiStatus(line) => line,
            System::UiToast(line) => line,
            System::UiNotify(line) => &**line,
            System::UiNotifyCancel(line) => line,
            System::UiPanes(line) => line,
            System::UiPlaced(line) => line,
            System::Other(_) => return None,
        })
    }

    /// The id of the line.
    pub fn uuid(&self) -> Option<&Uuid> {
        self.envelope()?.uuid()
    }

    /// The CLI's session.
    pub fn session_id(&self) -> Option<&SessionId> {
        self.envelope()?.session_id()
    }

    /// The tool call whose subagent this is about. Only one of the older documents has it on `system` lines, and no
    /// version was seen to send it there.
    pub fn parent_tool_use_id(&self) -> Option<&ToolUseId> {
        match self {
            System::Init(line) => line.parent_tool_use_id.as_ref(),
            System::Status(line) => line.parent_tool_use_id.as_ref(),
            System::CompactBoundary(line) => line.parent_tool_use_id.as_ref(),
            _ => None,
        }
    }
}
