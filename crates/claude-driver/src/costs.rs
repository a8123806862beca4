//! What a turn cost: the CLI's running totals in, the difference to the last result out.

use std::collections::BTreeMap;

use claude_protocol::from_cli::TurnResult;
use claude_protocol::usage::ModelUsage;

/// The totals so far.
#[derive(Debug, Default)]
pub(crate) struct Costs {
    total_usd: f64,
    models: BTreeMap<String, ModelUsage>,
}

/// What one turn added.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TurnCost {
    /// Dollars of this turn.
    pub turn_usd: f64,
    /// Dollars as the CLI counts them up; a resumed session may begin with what it cost before.
    pub total_usd: f64,
    /// What the turn used, by model. Never negative.
    pub models: BTreeMap<String, ModelUsage>,
}

impl Costs {
    /// What a resumed session had cost before.
    pub(crate) fn inherit(&mut self, total_usd: f64, models: BTreeMap<String, ModelUsage>) {
        *self = Costs { total_usd, models };
    }

    /// The next result of the session, whoever started its turn. Totals that went down were reset (by `/clear`), and
    /// count from nothing.
    pub(crate) fn take(&mut self, result: &TurnResult) -> TurnCost {
        let total_usd = result.total_cost_usd.unwrap_or(self.total_usd);
        let models = result.model_usage.clone().unwrap_or_default();
        if total_usd < self.total_usd || models.iter().any(|(model, usage)| went_down(self.models.get(model), usage)) {
            *self = Costs::default();
        }
        let cost = TurnCost {
            turn_usd: total_usd - self.total_usd,
            total_usd,
            models: models.iter().map(|(model, usage)| (model.clone(), minus(usage, self.models.get(model)))).collect(),
        };
        *self = Costs { total_usd, models };
        cost
    }
}

fn went_down(before: Option<&ModelUsage>, now: &ModelUsage) -> bool {
    before.is_some_and(|before| counts(now).iter().zip(counts(before)).any(|(now, before)| *now < before))
}

fn counts(usage: &ModelUsage) -> [Option<u64>; 5] {
    [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_input_tokens,
        usage.cache_creation_input_tokens,
        usage.web_search_requests,
    ]
}

fn minus(now: &ModelUsage, before: Option<&ModelUsage>) -> ModelUsage {
    let Some(before) = before else { return now.clone() };
    let less = |now: Option<u64>, before: Option<u64>| now.map(|now| now.saturating_sub(before.unwrap_or(0)));
    let mut left = now.clone();
    left.input_tokens = less(now.input_tokens, before.input_tokens);
    left.output_tokens = less(now.output_tokens, before.output_tokens);
    left.cache_read_input_tokens = less(now.cache_read_input_tokens, before.cache_read_input_tokens);
    left.cache_creation_input_tokens = less(now.cache_creation_input_tokens, before.cache_creation_input_tokens);
    left.web_search_requests = less(now.web_search_requests, before.web_search_requests);
    left.cost_usd = now.cost_usd.map(|now| (now - before.cost_usd.unwrap_or(0.0)).max(0.0));
    left
}
