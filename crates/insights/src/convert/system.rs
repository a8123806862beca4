//! `system` lines: each subtype to its event, or to the reason why it has none.

use claude_protocol::System;

use super::Converter;
use super::quiet::Quiet;

impl Converter {
    pub(super) fn system(&mut self, line: System) {
        match line {
            System::Init(line) => self.init(*line),
            System::Status(line) => self.status(*line),
            System::SessionStateChanged(line) => self.session_state(line),
            System::SessionTitleChanged(line) => self.title(line),
            System::CommandsChanged(line) => self.commands_changed(line),
            System::WorkerShuttingDown(line) => self.shutting_down(line),

            System::TaskStarted(line) => self.task_started(*line),
            System::TaskProgress(line) => self.task_progress(*line),
            System::TaskUpdated(line) => self.task_updated(*line),
            System::TaskNotification(line) => self.task_notification(*line),
            System::BackgroundTasksChanged(line) => self.background_tasks(line),

            System::CompactBoundary(line) => self.compact_boundary(*line),
            System::ContextCleared(_) => self.cleared(None, None),

            System::HookStarted(line) => self.hook_started(line),
            System::HookProgress(line) => self.hook_progress(*line),
            System::HookResponse(line) => self.hook_response(*line),

            System::ApiRetry(line) => self.api_retry(line),
            System::ModelFallback(line) => self.model_fallback(*line),
            System::ModelRefusalFallback(line) => self.refusal_fallback(*line),
            System::ModelRefusalNoFallback(line) => self.refusal(*line),
            System::ThinkingTokens(line) => self.thinking_tokens(line),

            System::Informational(line) => self.informational(*line),
            System::Notification(line) => self.notification(*line),
            System::LocalCommandOutput(line) => self.local_command_output(line),
            System::PermissionDenied(line) => self.permission_denied(*line),
            System::ElicitationComplete(line) => self.elicitation_complete(line),
            System::ControlRequestProgress(line) => self.control_progress(line),
            System::MemoryRecall(line) => self.memory_recall(line),
            System::FilesPersisted(line) => self.files_persisted(line),
            System::MirrorError(line) => self.mirror_error(line),
            System::SessionWritesLost(line) => self.writes_lost(line),
            System::PluginInstall(line) => self.plugin_install(line),

            // Never measured: what is for people is a notice in the CLI's own words, or in few of ours.
            System::VcsStateChanged(line) => self.repository_changed(line),
            System::CodeChangePublished(line) => self.change_published(*line),
            System::TurnPreempted(line) => self.noted("turn_preempted", line.reason, "The turn was broken off"),
            System::Thinking(line) => self.noted("thinking", line.content, ""),
            System::AwaySummary(line) => self.noted("away_summary", line.content, ""),
            System::ScheduledTaskFire(line) => {
                self.noted("scheduled_task_fire", line.content, "A scheduled prompt was sent")
            }
            System::TaskSummary(line) => self.noted("task_summary", line.detail, ""),
            System::PostTurnSummary(line) => self.post_turn_summary(line),
            System::PermissionRetry(line) => {
                self.noted("permission_retry", line.content, "Commands may be tried again")
            }
            System::MemorySaved(line) => self.memory_saved(line),
            System::AgentsKilled(_) => self.noted("agents_killed", None, "The subagents were stopped"),
            System::FileAttachmentsMissing(line) => self.attachments_missing(line),
            System::InstructionSizeWarning(line) => self.instructions_large(line),
            System::PeerMessageHold(line) => self.peer_message_hold(*line),
            System::FeedbackDraftQueued(line) => {
                self.noted("feedback_draft_queued", line.title, "A report was drafted")
            }
            System::ModelConsentFallback(line) => self.consent_fallback(*line),
            System::ApiError(line) => self.api_error(line),
            System::StopHookSummary(line) => self.stop_hooks(*line),
            System::UiNotify(line) => self.plugin_says("ui_notify", line.plugin, line.text.or(line.title)),
            System::UiToast(line) => self.plugin_says("ui_toast", line.plugin, line.text),
            System::UiLog(line) => self.plugin_says("ui_log", line.plugin, line.text),
            System::UiStatus(line) => self.plugin_says("ui_status", line.plugin, line.text),

            // Marks without content, of work that other lines tell.
            System::TurnStarting(_)
            | System::TurnBeganBeforeInit(_)
            | System::AliveBeforeInit(_)
            | System::TurnDuration(_)
            | System::PermissionCheckStatus(_)
            | System::FileSnapshot(_)
            | System::PerTurnEffortChanged(_)
            | System::SessionMetadata(_)
            | System::InheritedAsksSettled(_)
            | System::DevIntent(_) => self.out.quiet(Quiet::Mark),
            System::UiInvalidate(_)
            | System::UiFocus(_)
            | System::UiScroll(_)
            | System::UiNotifyCancel(_)
            | System::UiPanes(_)
            | System::UiPlaced(_) => self.out.quiet(Quiet::OwnScreen),
            System::BridgeState(_)
            | System::CloudSessionDelta(_)
            | System::TurnHandoffAvailable(_)
            | System::ToolHostResult(_)
            | System::StartFolder(_) => self.out.quiet(Quiet::Hosting),
            System::Other(other) => self.unknown("system", Some(other.kind)),
        }
    }
}
