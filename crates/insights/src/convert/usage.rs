//! Token counts of the wire to those of events, and the report of what was used.

use std::collections::BTreeMap;

use claude_protocol::usage::report::{
    ExtraUsage as WireExtra, UsageLimit as WireLimit, UsageReport as WireReport, UsageScopeName,
};
use claude_protocol::usage::{ModelUsage, Usage};

use crate::event::text::{ExtraUsage, UsageLimit, UsageReport};
use crate::event::turn::{ModelTokenUsage, TokenUsage};
use crate::time::UnixMillis;

/// The counts of one message or turn.
pub(super) fn tokens(usage: &Usage) -> TokenUsage {
    TokenUsage {
        input_tokens: usage.input_tokens.unwrap_or(0),
        output_tokens: usage.output_tokens.unwrap_or(0),
        cache_read_tokens: usage.cache_read_input_tokens,
        cache_creation_tokens: usage.cache_creation_input_tokens,
    }
}

/// What the context holds once the message is in it; `None` where the counts do not tell what was sent.
pub(super) fn context(usage: &Usage) -> Option<u64> {
    let sent = usage.input_tokens?;
    let cached =
        usage.cache_read_input_tokens.unwrap_or(0).saturating_add(usage.cache_creation_input_tokens.unwrap_or(0));
    Some(sent.saturating_add(cached).saturating_add(usage.output_tokens.unwrap_or(0)))
}

/// The counts as of a message's end: those of its end where it has them, else those of its beginning.
pub(super) fn joined(beginning: Option<&Usage>, mut end: Usage) -> Usage {
    let Some(beginning) = beginning else { return end };
    end.input_tokens = end.input_tokens.or(beginning.input_tokens);
    end.cache_read_input_tokens = end.cache_read_input_tokens.or(beginning.cache_read_input_tokens);
    end.cache_creation_input_tokens = end.cache_creation_input_tokens.or(beginning.cache_creation_input_tokens);
    end
}

/// The counts and costs of all models.
pub(super) fn models(usage: BTreeMap<String, ModelUsage>) -> BTreeMap<String, ModelTokenUsage> {
    usage.into_iter().map(|(model, usage)| (model, of_model(usage))).collect()
}

fn of_model(usage: ModelUsage) -> ModelTokenUsage {
    ModelTokenUsage {
        input_tokens: usage.input_tokens.unwrap_or(0),
        output_tokens: usage.output_tokens.unwrap_or(0),
        cache_read_tokens: usage.cache_read_input_tokens,
        cache_creation_tokens: usage.cache_creation_input_tokens,
        cache_creation_5m_tokens: usage.cache_creation_ephemeral_5m_input_tokens,
        cache_creation_1h_tokens: usage.cache_creation_ephemeral_1h_input_tokens,
        cost_usd: usage.cost_usd,
        context_window: usage.context_window,
        web_search_requests: usage.web_search_requests,
        max_output_tokens: usage.max_output_tokens,
        thinking_tokens: usage.thinking_tokens,
        canonical_model: usage.canonical_model.map(Into::into),
        provider: usage.provider.map(Into::into),
        cost_basis: usage.cost_basis.map(|basis| basis.as_str().into()),
    }
}

/// What the session and the plan have used, as `/usage` reports it.
pub(super) fn report(report: WireReport) -> UsageReport {
    let session = report.session.unwrap_or_default();
    let plan = report.rate_limits.unwrap_or_default();
    UsageReport {
        cost_usd: session.total_cost_usd,
        duration_ms: session.total_duration_ms,
        duration_api_ms: session.total_api_duration_ms,
        lines_added: session.total_lines_added,
        lines_removed: session.total_lines_removed,
        model_usage: session.model_usage.map(models),
        limits: plan.limits.map(|limits| limits.into_iter().map(limit).collect()),
        extra_usage: plan.extra_usage.map(extra),
    }
}

fn limit(limit: WireLimit) -> UsageLimit {
    let scope = limit.scope.unwrap_or_default();
    let name = |of: Option<UsageScopeName>| of.and_then(|named| named.display_name);
    UsageLimit {
        kind: limit.kind,
        group: limit.group,
        used_percent: limit.percent,
        resets_at: limit.resets_at.as_deref().and_then(UnixMillis::from_iso),
        model: name(scope.model),
        surface: name(scope.surface),
        severity: limit.severity,
        is_active: limit.is_active,
    }
}

fn extra(extra: WireExtra) -> ExtraUsage {
    ExtraUsage {
        is_enabled: extra.is_enabled,
        monthly_limit: extra.monthly_limit,
        used_credits: extra.used_credits,
        used_percent: extra.utilization,
        currency: extra.currency,
    }
}
