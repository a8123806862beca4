//! News of the work itself: the model and its API, hooks, tools, permissions, files, the account.

use std::collections::BTreeMap;

use claude_protocol::from_cli::account::{RateLimitInfo, RateLimitWindow as WireWindow};
use claude_protocol::from_cli::system::undeclared::{ApiErrorNotice, ModelConsentFallback};
use claude_protocol::from_cli::system::{
    ApiRetry as WireRetry, ControlRequestProgress, ElicitationComplete as WireElicitation, FilesPersisted as WireFiles,
    HookProgress, HookResponse, HookStarted, MemoryRecall as WireRecall, MirrorError, ModelFallback as WireFallback,
    ModelRefusalFallback, ModelRefusalNoFallback, PermissionDenied as WireDenied, SessionWritesLost, ThinkingTokens,
};
use claude_protocol::from_cli::{
    ActiveGoal, AuthStatus as WireAuth, RateLimitEvent, ToolProgress as WireProgress, ToolUseSummary,
};
use claude_protocol::{AgentId, RequestId, ToolUseId, Uuid};

use super::Converter;
use crate::event::Body;
use crate::event::ask::{ControlProgress, ElicitationComplete, PermissionDenied};
use crate::event::files::{FailedFile, FilesPersisted, MemoryRecall, PersistedFile, RecalledMemory};
use crate::event::session::{AuthStatus, Goal, RateLimitUpdate, RateLimitWindow, StorageProblem, ThinkingProgress};
use crate::event::text::{Hook, HookPhase, ModelFallback};
use crate::event::tool::{ToolProgress, ToolSummary};
use crate::event::turn::ApiRetry;
use crate::time::UnixMillis;

impl Converter {
    pub(super) fn api_retry(&mut self, line: WireRetry) {
        self.out.put(Body::ApiRetry(ApiRetry {
            attempt: line.attempt.unwrap_or(0),
            max_retries: line.max_retries,
            retry_delay_ms: line.retry_delay_ms,
            error_status: line.error_status,
            error: line.error.map(|error| error.to_string()),
            no_response_ms: line.no_response.and_then(|silence| silence.waited_ms),
        }));
    }

    /// The same in the form of a transcript.
    pub(super) fn api_error(&mut self, line: ApiErrorNotice) {
        let failure = line.error.map(|error| *error).unwrap_or_default();
        self.out.put(Body::ApiRetry(ApiRetry {
            attempt: line.retry_attempt.unwrap_or(0),
            max_retries: line.max_retries,
            retry_delay_ms: line.retry_in_ms,
            error_status: failure.status,
            error: failure.formatted.or(failure.message),
            no_response_ms: None,
        }));
    }

    pub(super) fn model_fallback(&mut self, line: WireFallback) {
        let fallback = ModelFallback { reason: line.trigger, ..fallback(line.original_model, line.fallback_model) };
        self.put_fallback(fallback, line.content);
    }

    pub(super) fn refusal_fallback(&mut self, line: ModelRefusalFallback) {
        let (explanation, category) = (line.api_refusal_explanation, line.api_refusal_category);
        let retracted = line.retracted_message_uuids.unwrap_or_default().into_iter().map(Uuid::into_shared).collect();
        let fallback = ModelFallback {
            reason: explanation.clone().or_else(|| category.clone()).or(line.trigger),
            direction: line.direction,
            scope: line.scope.map(|scope| scope.to_string()),
            category,
            explanation,
            refused_user_message_uuid: line.refused_user_message_uuid.map(Uuid::into_shared),
            retracted_uuids: retracted,
            ..fallback(line.original_model, line.fallback_model)
        };
        self.put_fallback(fallback, line.content);
    }

    pub(super) fn refusal(&mut self, line: ModelRefusalNoFallback) {
        let (explanation, category) = (line.api_refusal_explanation, line.api_refusal_category);
        let reason = explanation.clone().or_else(|| category.clone());
        let fallback = ModelFallback {
            reason: reason.or_else(|| Some("refusal".to_owned())),
            category,
            explanation,
            refused_user_message_uuid: line.refused_user_message_uuid.map(Uuid::into_shared),
            ..fallback(line.original_model, None)
        };
        self.put_fallback(fallback, line.content);
    }

    pub(super) fn consent_fallback(&mut self, line: ModelConsentFallback) {
        let fallback = ModelFallback { reason: line.choice, ..fallback(line.original_model, line.fallback_model) };
        self.put_fallback(fallback, line.content);
    }

    fn put_fallback(&mut self, mut fallback: ModelFallback, text: Option<String>) {
        if fallback.fallback_model.is_some() && !fallback.is_for_one_answer() {
            self.context.model.clone_from(&fallback.fallback_model);
        }
        let models = (&fallback.original_model, &fallback.fallback_model);
        fallback.text = text.filter(|text| !text.is_empty()).unwrap_or_else(|| match models {
            (Some(original), Some(fallback)) => format!("{fallback} takes over from {original}"),
            (Some(original), None) => format!("{original} refused"),
            (None, Some(fallback)) => format!("{fallback} takes over"),
            (None, None) => "The model refused".to_owned(),
        });
        self.out.put(Body::ModelFallback(Box::new(fallback)));
    }

    pub(super) fn thinking_tokens(&mut self, line: ThinkingTokens) {
        let estimated_tokens = line.estimated_tokens.unwrap_or(0);
        self.out.put(Body::ThinkingProgress(ThinkingProgress { estimated_tokens, delta: line.estimated_tokens_delta }));
    }

    pub(super) fn hook_started(&mut self, line: HookStarted) {
        let event = line.hook_event.map(|event| event.to_string());
        self.out.put(Body::Hook(Box::new(hook(HookPhase::Started, line.hook_id, line.hook_name, event))));
    }

    pub(super) fn hook_progress(&mut self, line: HookProgress) {
        let event = line.hook_event.map(|event| event.to_string());
        self.out.put(Body::Hook(Box::new(Hook {
            stdout: line.stdout,
            stderr: line.stderr,
            output: line.output,
            ..hook(HookPhase::Progress, line.hook_id, line.hook_name, event)
        })));
    }

    pub(super) fn hook_response(&mut self, line: HookResponse) {
        let event = line.hook_event.map(|event| event.to_string());
        self.out.put(Body::Hook(Box::new(Hook {
            stdout: line.stdout,
            stderr: line.stderr,
            output: line.output,
            exit_code: line.exit_code,
            outcome: line.outcome.map(|outcome| outcome.to_string()),
            ..hook(HookPhase::Response, line.hook_id, line.hook_name, event)
        })));
    }

    pub(super) fn permission_denied(&mut self, line: WireDenied) {
        self.out.about().agent_id = line.agent_id.map(AgentId::into_shared);
        self.out.put(Body::PermissionDenied(Box::new(PermissionDenied {
            tool_name: line.tool_name,
            tool_use_id: line.tool_use_id.map(ToolUseId::into_shared),
            reason_type: line.decision_reason_type.map(|kind| kind.to_string()),
            reason: line.decision_reason,
            message: line.message,
        })));
    }

    pub(super) fn elicitation_complete(&mut self, line: WireElicitation) {
        let done = ElicitationComplete { mcp_server: line.mcp_server_name, elicitation_id: line.elicitation_id };
        self.out.put(Body::ElicitationComplete(done));
    }

    pub(super) fn control_progress(&mut self, line: ControlRequestProgress) {
        self.out.put(Body::ControlProgress(ControlProgress {
            request_id: line.request_id.map(RequestId::into_shared),
            status: line.status.map(|status| status.to_string()),
            attempt: line.attempt,
            max_retries: line.max_retries,
            retry_delay_ms: line.retry_delay_ms,
            error_status: line.error_status,
        }));
    }

    pub(super) fn memory_recall(&mut self, line: WireRecall) {
        let memories = line.memories.unwrap_or_default().into_iter().map(|memory| RecalledMemory {
            path: memory.path,
            scope: memory.scope.map(|scope| scope.to_string()),
            content: memory.content,
        });
        let mode = line.mode.map(|mode| mode.to_string());
        self.out.put(Body::MemoryRecall(MemoryRecall { mode, memories: memories.collect() }));
    }

    pub(super) fn files_persisted(&mut self, line: WireFiles) {
        let files = line.files.unwrap_or_default().into_iter();
        let files = files.filter_map(|file| Some(PersistedFile { filename: file.filename?, file_id: file.file_id }));
        let failed = line.failed.unwrap_or_default().into_iter();
        let failed = failed.filter_map(|file| Some(FailedFile { filename: file.filename?, error: file.error }));
        let (files, failed) = (files.collect(), failed.collect());
        self.out.put(Body::FilesPersisted(FilesPersisted { files, failed, processed_at: line.processed_at }));
    }

    pub(super) fn mirror_error(&mut self, line: MirrorError) {
        let problem = StorageProblem { error: line.error, ..problem("mirror_error") };
        self.out.put(Body::StorageProblem(problem));
    }

    pub(super) fn writes_lost(&mut self, line: SessionWritesLost) {
        let sessions = line.transcript_session_ids;
        let problem = StorageProblem {
            error: line.error_code,
            lost: line.lost,
            session_ids: sessions.map(|ids| ids.into_iter().map(|id| id.to_string()).collect()),
            ..problem("writes_lost")
        };
        self.out.put(Body::StorageProblem(problem));
    }

    pub(super) fn tool_progress(&mut self, line: WireProgress) {
        // The line has an id of its own; the call that runs stands where others have the subagent's.
        let call = line.parent_tool_use_id.or(line.tool_use_id).unwrap_or_default();
        let retry = line.subagent_retry.map(|retry| {
            let why = retry.error_category.unwrap_or_else(|| "failed".to_owned());
            format!("{why}, try {} of {}", retry.attempt.unwrap_or(0), retry.max_retries.unwrap_or(0))
        });
        self.out.about().agent_type = line.subagent_type.map(Into::into);
        self.out.put(Body::ToolProgress(ToolProgress {
            parent_call_id: self.calls.parent(call.as_str()).cloned(),
            call_id: call.into_shared(),
            tool_name: line.tool_name,
            elapsed_seconds: line.elapsed_time_seconds.unwrap_or(0.0),
            task_id: line.task_id.map(claude_protocol::TaskId::into_shared),
            heartbeat: line.heartbeat,
            retry,
        }));
    }

    pub(super) fn tool_summary(&mut self, line: ToolUseSummary) {
        let calls = line.preceding_tool_use_ids.unwrap_or_default();
        self.out.put(Body::ToolSummary(ToolSummary {
            summary: line.summary.unwrap_or_default(),
            call_ids: calls.into_iter().map(ToolUseId::into_shared).collect(),
        }));
    }

    pub(super) fn auth_status(&mut self, line: WireAuth) {
        self.out.put(Body::AuthStatus(AuthStatus {
            is_authenticating: line.is_authenticating.unwrap_or(false),
            output: line.output.unwrap_or_default(),
            error: line.error,
        }));
    }

    pub(super) fn goal(&mut self, line: ActiveGoal) {
        let goal = line.value.unwrap_or_default();
        self.out.put(Body::Goal(Goal {
            condition: goal.condition,
            iterations: goal.iterations,
            set_at: goal.set_at.map(UnixMillis::from_float),
            tokens_at_start: goal.tokens_at_start,
            last_reason: goal.last_reason,
        }));
    }

    pub(super) fn rate_limit(&mut self, line: RateLimitEvent) {
        let limits = line.rate_limit_info.map(|limits| *limits).unwrap_or_default();
        self.out.put(Body::RateLimitUpdate(Box::new(limits_of(limits))));
    }
}

/// That one model takes over from another, and nothing more.
pub(super) fn fallback(original_model: Option<String>, fallback_model: Option<String>) -> ModelFallback {
    ModelFallback {
        original_model,
        fallback_model,
        reason: None,
        direction: None,
        scope: None,
        category: None,
        explanation: None,
        refused_user_message_uuid: None,
        text: String::new(),
        retracted_uuids: Vec::new(),
    }
}

fn problem(kind: &str) -> StorageProblem {
    StorageProblem { kind: kind.to_owned(), error: None, lost: None, session_ids: None }
}

fn hook(phase: HookPhase, id: Option<String>, name: Option<String>, event: Option<String>) -> Hook {
    Hook {
        phase,
        hook_id: id.map(Into::into),
        hook_name: name,
        hook_event: event,
        stdout: None,
        stderr: None,
        output: None,
        exit_code: None,
        outcome: None,
    }
}

fn limits_of(limits: RateLimitInfo) -> RateLimitUpdate {
    let all = limits.unified_windows.unwrap_or_default();
    let named = [
        ("five_hour", all.five_hour, 5 * 60),
        ("seven_day", all.seven_day, 7 * 24 * 60),
        ("seven_day_overage_included", all.seven_day_overage_included, 7 * 24 * 60),
    ];
    let told = named.into_iter().filter_map(|(name, told, minutes)| Some((name.to_owned(), window(told?, minutes))));
    let windows: BTreeMap<String, RateLimitWindow> = told.collect();
    let limit_type = limits.rate_limit_type.map(|kind| kind.to_string());
    // Where the windows are not listed, the figures of the nearest one are there all the same.
    let nearest = limits.utilization.map(|used| RateLimitWindow {
        used_percent: used * 100.0,
        window_duration_mins: None,
        resets_at: limits.resets_at.map(seconds),
        status: limits.status.as_ref().map(ToString::to_string),
    });
    let primary = limit_type.as_ref().and_then(|name| windows.get(name).cloned()).or(nearest);
    let secondary = windows.iter().find(|(name, _)| Some(*name) != limit_type.as_ref()).map(|(_, told)| told.clone());
    RateLimitUpdate {
        primary,
        secondary,
        windows,
        status: limits.status.map(|status| status.to_string()),
        resets_at: limits.resets_at.map(seconds),
        limit_type,
        utilization: limits.utilization,
        overage_status: limits.overage_status.map(|status| status.to_string()),
        overage_resets_at: limits.overage_resets_at.map(seconds),
        overage_disabled_reason: limits.overage_disabled_reason,
        is_using_overage: limits.is_using_overage.or(limits.overage_in_use),
        surpassed_threshold: limits.surpassed_threshold,
        limit_scope: limits.limit_scope,
        error_code: limits.error_code,
    }
}

fn window(told: WireWindow, minutes: u64) -> RateLimitWindow {
    RateLimitWindow {
        used_percent: told.utilization.unwrap_or(0.0) * 100.0,
        window_duration_mins: Some(minutes),
        resets_at: told.resets_at.map(seconds),
        status: told.status.map(|status| status.to_string()),
    }
}

/// A moment that is told in seconds.
fn seconds(at: f64) -> UnixMillis {
    UnixMillis::from_float(at * 1000.0)
}
