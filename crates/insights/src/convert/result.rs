//! The end of a turn: a `result` in; the turn's end and what the session has used so far out.

use claude_protocol::from_cli::TurnResult;
use claude_protocol::from_cli::result::{PermissionDenial as WireDenial, TerminalReason};
use claude_protocol::{Raw, ToolUseId, Uuid};

use super::costs::Told;
use super::{Converter, tools, usage};
use crate::event::Body;
use crate::event::session::SessionMetrics;
use crate::event::text::NoticeLevel;
use crate::event::turn::{PermissionDenial, TurnComplete};
use crate::json::Json;

impl Converter {
    pub(super) fn result(&mut self, result: TurnResult) {
        let failed = std::mem::take(&mut self.turn.failed) || result.failed();
        let aborted =
            matches!(result.terminal_reason, Some(TerminalReason::AbortedStreaming | TerminalReason::AbortedTools));
        let marked = std::mem::take(&mut self.turn.interrupted) && failed && result.terminal_reason.is_none();
        let is_interrupted = aborted || marked;
        self.turn.running = false;
        self.blocks.turn_ended();
        self.requests.turn_ended();
        self.compaction.turn_ended();

        let model_usage = result.model_usage.map(usage::models);
        let since_last = result.model_usage_since_last_result.map(usage::models);
        let cost =
            self.costs.take(Told { total_usd: result.total_cost_usd, models: model_usage.clone(), since_last, failed });
        if let Some(models) = &model_usage {
            self.context.seen(models);
        }

        let mut named: Vec<_> =
            result.user_message_uuids.unwrap_or_default().into_iter().map(Uuid::into_shared).collect();
        if let Some(uuid) = result.user_message_uuid.map(Uuid::into_shared).filter(|uuid| !named.contains(uuid)) {
            named.push(uuid);
        }
        // A prompt that is answered was taken, whether that was told or not.
        if !named.is_empty() {
            self.prompts.are_named();
            self.take_prompts(&named);
        }
        // A turn that the agent began by itself answers nobody.
        let foreign = result.origin.as_ref().is_some_and(|origin| origin.kind() != "human");
        let prompt_uuids = match named.is_empty() {
            false => {
                self.prompts.turn_ended();
                named
            }
            true if foreign => Vec::new(),
            true => self.prompts.turn_ended(),
        };
        self.out.about().origin = result.origin.as_ref().map(|origin| origin.kind().into());

        if let Some(reason) = self.turn.blocked.take() {
            let text = format!("A hook blocked the prompt: {reason}");
            self.put_notice("UserPromptSubmit", NoticeLevel::Warning, text.trim_end_matches(": ").to_owned());
        }
        let turn = TurnComplete {
            is_error: failed && !is_interrupted,
            subtype: Some(result.subtype.to_string()).filter(|subtype| !subtype.is_empty()),
            errors: result.errors,
            result: result.result,
            cost_usd: result.total_cost_usd,
            turn_cost_usd: Some(cost.usd),
            inherited_cost_usd: self.costs.inherited(),
            duration_ms: result.duration_ms,
            duration_api_ms: result.duration_api_ms,
            num_turns: result.num_turns,
            usage: result.usage.as_ref().map(usage::tokens),
            model_usage,
            turn_model_usage: Some(cost.models),
            permission_denials: result.permission_denials.map(|denials| denials.into_iter().map(denial).collect()),
            stop_reason: result.stop_reason.map(|reason| reason.to_string()),
            terminal_reason: result.terminal_reason.map(|reason| reason.to_string()),
            api_error_status: result.api_error_status,
            structured_output: result.structured_output.map(|raw| Json::trusted(raw.into_text())),
            deferred_tool_use: result.deferred_tool_use.map(|call| Json::trusted(Raw::from_wire(&call).into_text())),
            queued_turn_count: result.queued_turn_count,
            result_index: result.result_index,
            ttft_ms: result.ttft_ms,
            local_command: result.local_command,
            startup_failure_reason: result.startup_failure_reason,
            fast_mode_state: result.fast_mode_state.map(|state| state.to_string()),
            credential_expires_at: result.credential_expires_at,
            is_interrupted,
            prompt_uuids,
        };
        let last_step = self.context.last_step.take().map(|used| Json::trusted(Raw::from_wire(&used).into_text()));
        self.out.put_with(Body::TurnComplete(Box::new(turn)), last_step.map(|used| ("lastStepUsage", used)));
        self.metrics(cost.usd);
    }

    fn metrics(&mut self, turn_cost_usd: f64) {
        let spent = self.costs.spent();
        let (used, max) = (self.context.used, self.context.window);
        let percent = match (used, max) {
            (Some(used), Some(max)) if max > 0 => Some(used as f64 * 100.0 / max as f64),
            _ => None,
        };
        let metrics = SessionMetrics {
            cost_usd: spent.usd,
            turn_cost_usd,
            inherited_cost_usd: spent.inherited_usd,
            tokens: spent.tokens,
            per_model: spent.models,
            context_used: used,
            context_max: max,
            context_percent: percent,
            compactions: self.compaction.count,
            turns: spent.turns,
        };
        self.out.put(Body::SessionMetrics(Box::new(metrics)));
    }
}

fn denial(denial: WireDenial) -> PermissionDenial {
    PermissionDenial {
        tool_name: denial.tool_name.unwrap_or_default(),
        tool_use_id: denial.tool_use_id.map(ToolUseId::into_shared).unwrap_or_default(),
        tool_input: tools::object(denial.tool_input.unwrap_or_default()),
    }
}
