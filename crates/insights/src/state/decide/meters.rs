//! What a session has used: the figures of a turn in, sums out.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::event::turn::{ModelTokenUsage, TokenUsage, TurnComplete, main_model};
use crate::state::clip::{LIST_BYTES, Room, SHORT_BYTES};
use crate::state::header::Meters;
use crate::state::item::{TurnItem, TurnOutcome};

use super::draft::Draft;

/// The most models that are told apart.
const MODELS: usize = 100;

/// As many models as are worth naming.
pub(super) fn models(models: Option<&BTreeMap<String, ModelTokenUsage>>) -> BTreeMap<String, ModelTokenUsage> {
    let mut room = Room(2 * LIST_BYTES);
    let named = room.list(models.into_iter().flatten(), 2 * SHORT_BYTES / 4, |(name, usage), room| {
        let mut usage = usage.clone();
        usage.cost_usd = finite(usage.cost_usd);
        for text in [&mut usage.canonical_model, &mut usage.provider, &mut usage.cost_basis].into_iter().flatten() {
            *text = room.shared(text);
        }
        (room.text(name), usage)
    });
    named.into_iter().collect()
}

/// Adds what a turn used to what the session has used.
pub(super) fn turn(draft: &mut Draft<'_>, complete: &TurnComplete, item: &TurnItem) {
    let cost_usd = finite(complete.turn_cost_usd);
    let model = draft.status().model.clone();
    let meters = draft.meters_mut();
    meters.cost_usd = added(meters.cost_usd, cost_usd);
    meters.inherited_usd = finite(complete.inherited_cost_usd).unwrap_or(meters.inherited_usd);
    meters.duration_ms = added(meters.duration_ms, complete.duration_ms);
    let is_paid = cost_usd.is_some_and(|cost| cost > 0.0);
    let is_turn = item.outcome != TurnOutcome::Command;
    if is_turn {
        meters.turns = meters.turns.saturating_add(1);
    }
    // An agent that could not begin has spent nothing, and says so; some commands ask the model, too.
    let has_begun = item.outcome != TurnOutcome::Failed || complete.num_turns != Some(0);
    if (is_turn && has_begun) || is_paid {
        meters.last_turn_usd = cost_usd.or(meters.last_turn_usd);
        meters.last_turn_tokens = complete.usage.clone().or(meters.last_turn_tokens.take());
    }
    for (name, usage) in &item.models {
        add_tokens(&mut meters.tokens, usage);
        let models = Arc::make_mut(&mut meters.models);
        let full = models.len() >= MODELS;
        match models.get_mut(name) {
            Some(known) => add(known, usage),
            None if full => {}
            None => _ = models.insert(name.clone(), usage.clone()),
        }
    }
    let totals = complete.model_usage.as_ref();
    let window = totals.and_then(|totals| window(totals, model.as_deref()));
    meters.context.window = window.or(meters.context.window);
}

/// What was used so far was used by another session; the context is what it was.
pub(super) fn inherit(draft: &mut Draft<'_>) {
    let meters = draft.meters_mut();
    let inherited_usd = added(meters.inherited_usd, Some(meters.cost_usd));
    let (context, limits) = (std::mem::take(&mut meters.context), std::mem::take(&mut meters.limits));
    let overage = meters.overage.take();
    *meters = Meters { inherited_usd, context, limits, overage, ..Meters::default() };
}

/// The size of the main model's context.
fn window(totals: &BTreeMap<String, ModelTokenUsage>, model: Option<&str>) -> Option<u64> {
    main_model(totals, model)?.context_window.filter(|window| *window > 0)
}

fn add_tokens(sum: &mut TokenUsage, usage: &ModelTokenUsage) {
    sum.input_tokens = sum.input_tokens.saturating_add(usage.input_tokens);
    sum.output_tokens = sum.output_tokens.saturating_add(usage.output_tokens);
    plus(&mut sum.cache_read_tokens, usage.cache_read_tokens);
    plus(&mut sum.cache_creation_tokens, usage.cache_creation_tokens);
}

fn add(sum: &mut ModelTokenUsage, usage: &ModelTokenUsage) {
    sum.input_tokens = sum.input_tokens.saturating_add(usage.input_tokens);
    sum.output_tokens = sum.output_tokens.saturating_add(usage.output_tokens);
    plus(&mut sum.cache_read_tokens, usage.cache_read_tokens);
    plus(&mut sum.cache_creation_tokens, usage.cache_creation_tokens);
    plus(&mut sum.cache_creation_5m_tokens, usage.cache_creation_5m_tokens);
    plus(&mut sum.cache_creation_1h_tokens, usage.cache_creation_1h_tokens);
    plus(&mut sum.web_search_requests, usage.web_search_requests);
    plus(&mut sum.thinking_tokens, usage.thinking_tokens);
    sum.cost_usd = match (sum.cost_usd, usage.cost_usd) {
        (None, None) => None,
        (before, now) => Some(added(before.unwrap_or_default(), now)),
    };
    sum.context_window = usage.context_window.or(sum.context_window);
    sum.max_output_tokens = usage.max_output_tokens.or(sum.max_output_tokens);
}

/// A number that JSON can tell. Others come from lines that nobody should believe.
pub(super) fn finite(number: Option<f64>) -> Option<f64> {
    number.filter(|number| number.is_finite())
}

fn added(before: f64, more: Option<f64>) -> f64 {
    finite(Some(before + more.unwrap_or_default())).unwrap_or(before)
}

fn plus(sum: &mut Option<u64>, more: Option<u64>) {
    if let Some(more) = more {
        *sum = Some(sum.unwrap_or_default().saturating_add(more));
    }
}
