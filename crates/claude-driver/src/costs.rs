//! What a turn cost: the CLI's running totals in, the difference to the last result out.

use std::collections::BTreeMap;

use claude_protocol::from_cli::TurnResult;
use claude_protocol::usage::ModelUsage;

/// The totals so far.
#[derive(Debug, Default)]
pub(crate) struct Costs {
    total_usd: f64,
    models: BTreeMap<String, ModelUsage>,
    /// There has been a result.
    begun: bool,
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
    /// The conversation begins anew (`/clear`), and with it the CLI's count.
    pub(crate) fn reset(&mut self) {
        *self = Costs { begun: true, ..Costs::default() };
    }

    /// The next result of the session, whoever started its turn. What it does not tell is as it was. Totals that went down
    /// were reset, and count from nothing.
    pub(crate) fn take(&mut self, result: &TurnResult) -> TurnCost {
        let total_usd = result.total_cost_usd.unwrap_or(self.total_usd);
        let models = result.model_usage.clone().unwrap_or_else(|| self.models.clone());
        if let Some(used) = result.model_usage_since_last_result.as_ref().filter(|_| !self.begun) {
            // A resumed session counts on from what it cost before, and says what is new (2.1.325; older ones begin at 0).
            let new_usd: f64 = used.values().filter_map(|usage| usage.cost_usd).sum();
            self.total_usd = total_usd - new_usd;
            self.models = models.iter().map(|(model, usage)| (model.clone(), minus(usage, used.get(model)))).collect();
        }
        if total_usd < self.total_usd || models.iter().any(|(model, usage)| went_down(self.models.get(model), usage)) {
            self.reset();
        }
        let cost = TurnCost {
            turn_usd: total_usd - self.total_usd,
            total_usd,
            models: models.iter().map(|(model, usage)| (model.clone(), minus(usage, self.models.get(model)))).collect(),
        };
        *self = Costs { total_usd, models, begun: true };
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

#[cfg(test)]
mod tests {
    use claude_protocol::{FromCli, decode};

    use super::*;

    /// What each turn of a captured conversation cost, and the last total; a process begins with a `spawn` record.
    fn costs(version: &str, scenario: &str) -> Vec<Vec<f64>> {
        let path = format!("{}/../../fixtures/cli/{version}/{scenario}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut processes: Vec<(Costs, Vec<f64>)> = Vec::new();
        for record in text.lines() {
            let record: serde_json::Value = serde_json::from_str(record).unwrap();
            if record["line"]["event"] == "spawn" {
                processes.push(Default::default());
            }
            if record["dir"] != "out" {
                continue;
            }
            if let FromCli::Result(result) = decode(record["line"].to_string()).body {
                let (costs, turns) = processes.last_mut().unwrap();
                let cost = costs.take(&result);
                assert!(cost.models.values().all(|usage| usage.cost_usd.is_none_or(|usd| usd >= 0.0)));
                turns.push((cost.turn_usd * 1e9).round() / 1e9);
            }
        }
        processes.into_iter().map(|(_, turns)| turns).collect()
    }

    #[test]
    fn a_turn_costs_what_it_adds_also_after_resume_fork_and_clear() {
        assert_eq!(costs("2.1.326", "resume"), [[0.017982], [0.008991]]);
        assert_eq!(costs("2.1.38", "resume"), [[0.02997], [0.014985]]);
        assert_eq!(costs("2.1.326", "fork-session"), [[0.00033], [0.00033]]);
        assert_eq!(costs("2.1.326", "slash-clear-then-talk"), [[0.00033, 0.0, 0.00033]]);
        assert_eq!(costs("2.1.38", "slash-cost"), [[0.014985, 0.0]]);
        assert_eq!(costs("2.1.1", "replay-queued"), [[0.00033, 0.00033, 0.00033]]);
    }
}
