//! What a turn cost: the CLI's running totals in, the difference to the last result out.
//!
//! A resumed session of newer versions counts on from what it cost before and says what is new; older ones begin at 0.
//! `/clear` begins anew, and so do totals that went down. What the totals held before the first turn is inherited.
//!
//! 2.1.1 lists no models with the result of `/compact`, though its dollars are in the total: its tokens are first told with
//! the next result, in one sum with those of that turn. They cannot be taken apart there: `usage` beside them counts the main
//! loop alone, and by model there may be subagents and calls of the CLI's own in it. So that turn's models hold both; its
//! dollars, those of the compaction and all sums are right.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::turn::{ModelTokenUsage, TokenUsage};

/// Tokens and dollars, by model.
pub(super) type Models = BTreeMap<String, ModelTokenUsage>;

/// The totals so far.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Costs {
    /// The agent's totals at the last result.
    total_usd: f64,
    models: Models,
    /// There has been a result in this process.
    begun: bool,
    /// Of this session's own turns.
    own_usd: f64,
    own_models: Models,
    /// What was spent before this session took the conversation over.
    inherited_usd: f64,
    /// Turns that have ended.
    turns: u64,
}

/// The totals as a result tells them.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) total_usd: Option<f64>,
    pub(super) models: Option<Models>,
    /// What is new since the last result of the process.
    pub(super) since_last: Option<Models>,
    pub(super) failed: bool,
}

/// What one turn added.
#[derive(Debug, Default, PartialEq)]
pub(super) struct TurnCost {
    pub(super) usd: f64,
    pub(super) models: Models,
}

/// What the session has used so far.
#[derive(Debug)]
pub(super) struct Spent {
    pub(super) usd: f64,
    pub(super) inherited_usd: f64,
    pub(super) tokens: TokenUsage,
    pub(super) models: Models,
    pub(super) turns: u64,
}

impl Costs {
    /// Another process has begun.
    pub(super) fn restart(&mut self) {
        self.begun = false;
        self.total_usd = 0.0;
        self.models.clear();
    }

    /// The conversation begins anew, and with it the agent's count.
    pub(super) fn cleared(&mut self) {
        self.total_usd = 0.0;
        self.models.clear();
        self.begun = true;
    }

    /// All that was spent so far was another session's.
    pub(super) fn forked(&mut self) {
        self.inherited_usd += self.own_usd;
        self.own_usd = 0.0;
        self.own_models.clear();
        self.turns = 0;
    }

    /// The next result, whoever started its turn. What it does not tell is as it was.
    pub(super) fn take(&mut self, told: Told) -> TurnCost {
        self.turns += 1;
        let told_usd = told.total_usd.filter(|usd| usd.is_finite() && *usd >= 0.0);
        let total_usd = told_usd.unwrap_or(self.total_usd);
        let mut models = told.models.unwrap_or_default();
        // A start that failed reports zeros, which say nothing of what was spent.
        if told.failed && total_usd == 0.0 && models.is_empty() {
            return TurnCost::default();
        }
        if let Some(used) = told.since_last.as_ref().filter(|_| !self.begun) {
            let new_usd: f64 = used.values().filter_map(|usage| usage.cost_usd).sum();
            let before = (total_usd - new_usd).max(0.0);
            // What this log's own turns cost before is not inherited.
            let foreign = before - self.own_usd - self.inherited_usd;
            if foreign > 1e-9 {
                self.inherited_usd += foreign;
            }
            self.total_usd = before;
            self.models = models.iter().map(|(model, usage)| (model.clone(), minus(usage, used.get(model)))).collect();
        }
        if total_usd < self.total_usd || models.iter().any(|(model, usage)| went_down(self.models.get(model), usage)) {
            self.cleared();
        }
        let total_usd = told_usd.unwrap_or(self.total_usd);
        for (model, usage) in &self.models {
            models.entry(model.clone()).or_insert_with(|| usage.clone());
        }
        let used = models.iter().map(|(model, usage)| (model.clone(), minus(usage, self.models.get(model))));
        let used: Models = used.filter(|(_, usage)| !is_nothing(usage)).collect();
        let usd = total_usd - self.total_usd;
        self.own_usd += usd;
        for (model, usage) in &used {
            let own = self.own_models.entry(model.clone()).or_default();
            *own = plus(own, usage);
        }
        self.total_usd = total_usd;
        self.models = models;
        self.begun = true;
        TurnCost { usd, models: used }
    }

    /// What was spent before this session took the conversation over.
    pub(super) fn inherited(&self) -> Option<f64> {
        (self.inherited_usd > 0.0).then_some(self.inherited_usd)
    }

    pub(super) fn spent(&self) -> Spent {
        let mut tokens = TokenUsage::default();
        for usage in self.own_models.values() {
            tokens.input_tokens = tokens.input_tokens.saturating_add(usage.input_tokens);
            tokens.output_tokens = tokens.output_tokens.saturating_add(usage.output_tokens);
            tokens.cache_read_tokens = sum(tokens.cache_read_tokens, usage.cache_read_tokens);
            tokens.cache_creation_tokens = sum(tokens.cache_creation_tokens, usage.cache_creation_tokens);
        }
        Spent {
            usd: self.own_usd,
            inherited_usd: self.inherited_usd,
            tokens,
            models: self.own_models.clone(),
            turns: self.turns,
        }
    }
}

fn counts(usage: &ModelTokenUsage) -> [u64; 5] {
    [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_tokens.unwrap_or(0),
        usage.cache_creation_tokens.unwrap_or(0),
        usage.web_search_requests.unwrap_or(0),
    ]
}

fn went_down(before: Option<&ModelTokenUsage>, now: &ModelTokenUsage) -> bool {
    before.is_some_and(|before| counts(now).iter().zip(counts(before)).any(|(now, before)| *now < before))
}

fn is_nothing(usage: &ModelTokenUsage) -> bool {
    counts(usage) == [0; 5] && usage.cost_usd.unwrap_or(0.0) == 0.0
}

/// The counts of both under the names of the first; dollars never go below nothing.
fn join(
    of: &ModelTokenUsage,
    other: &ModelTokenUsage,
    count: impl Fn(u64, u64) -> u64,
    usd: impl Fn(f64, f64) -> f64,
) -> ModelTokenUsage {
    let maybe = |of: Option<u64>, other: Option<u64>| match (of, other) {
        (None, None) => None,
        _ => Some(count(of.unwrap_or(0), other.unwrap_or(0))),
    };
    ModelTokenUsage {
        input_tokens: count(of.input_tokens, other.input_tokens),
        output_tokens: count(of.output_tokens, other.output_tokens),
        cache_read_tokens: maybe(of.cache_read_tokens, other.cache_read_tokens),
        cache_creation_tokens: maybe(of.cache_creation_tokens, other.cache_creation_tokens),
        cache_creation_5m_tokens: maybe(of.cache_creation_5m_tokens, other.cache_creation_5m_tokens),
        cache_creation_1h_tokens: maybe(of.cache_creation_1h_tokens, other.cache_creation_1h_tokens),
        web_search_requests: maybe(of.web_search_requests, other.web_search_requests),
        thinking_tokens: maybe(of.thinking_tokens, other.thinking_tokens),
        cost_usd: match (of.cost_usd, other.cost_usd) {
            (None, None) => None,
            (of, other) => Some(usd(of.unwrap_or(0.0), other.unwrap_or(0.0)).max(0.0)),
        },
        ..of.clone()
    }
}

fn minus(now: &ModelTokenUsage, before: Option<&ModelTokenUsage>) -> ModelTokenUsage {
    let none = ModelTokenUsage::default();
    join(now, before.unwrap_or(&none), u64::saturating_sub, |now, before| now - before)
}

fn plus(sum: &ModelTokenUsage, more: &ModelTokenUsage) -> ModelTokenUsage {
    join(more, sum, u64::saturating_add, |more, sum| more + sum)
}

fn sum(of: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (of, other) {
        (None, None) => None,
        _ => Some(of.unwrap_or(0).saturating_add(other.unwrap_or(0))),
    }
}
