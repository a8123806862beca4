//! What turns cost adds up: over turns that fail, turns of the CLI's own, `/clear` and what a resumed session had cost.

use std::collections::BTreeMap;

use claude_driver::{Answer, Claude, Error};
use serde_json::{Value, json};

use super::dice::Dice;
use super::peer::met;

/// The CLI's running totals.
#[derive(Clone, Default)]
struct Totals {
    usd: f64,
    models: Models,
    /// What is new since the last result.
    since: Models,
}

/// Tokens and dollars.
type Models = BTreeMap<&'static str, (u64, f64)>;

impl Totals {
    /// Adds what a turn costs.
    fn spend(&mut self, dice: &mut Dice) -> Totals {
        let (usd, tokens) = (dice.roll(100_000) as f64 * 1e-7, dice.roll(1000) as u64);
        let model = *dice.pick(&["opus", "haiku"]);
        self.usd += usd;
        for models in [&mut self.models, &mut self.since] {
            let (all_tokens, all_usd) = models.entry(model).or_default();
            *all_tokens += tokens;
            *all_usd += usd;
        }
        Totals { usd, models: BTreeMap::from([(model, (tokens, usd))]), since: Models::new() }
    }

    fn result(&mut self, fields: &Value) -> Value {
        let since = std::mem::take(&mut self.since);
        let mut line = json!({
            "type": "result", "subtype": "success", "is_error": false, "result": "Done.",
            "total_cost_usd": self.usd, "modelUsage": figures(&self.models),
            "model_usage_since_last_result": figures(&since),
        });
        line.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        line
    }
}

fn figures(models: &Models) -> Value {
    let figures =
        |(tokens, usd): &(u64, f64)| json!({"inputTokens": tokens, "outputTokens": 2 * tokens, "costUSD": usd});
    models.iter().map(|(model, counts)| ((*model).to_owned(), figures(counts))).collect()
}

fn check(answer: &Answer, spent: &Totals, seed: u64) {
    assert!((answer.cost_usd - spent.usd).abs() < 1e-9, "seed {seed}: {} and not {}", answer.cost_usd, spent.usd);
    for (model, usage) in &answer.cost.models {
        let (expected, _) = spent.models.get(model.as_str()).copied().unwrap_or_default();
        assert_eq!(usage.input_tokens, Some(expected), "seed {seed}: {model}");
        assert_eq!(usage.output_tokens, Some(2 * expected), "seed {seed}: {model}");
    }
}

#[tokio::test]
async fn costs_of_turns_add_up() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let mut totals = Totals::default();
        if dice.hits(2) {
            // A resumed session counts on from what it cost before.
            totals.spend(&mut dice);
            totals.since.clear();
        }
        let (session, mut peer) = met(&Claude::new()).await;
        let (mut told, mut expected) = (0.0, 0.0);
        for _ in 0..20 {
            if dice.hits(4) {
                totals.spend(&mut dice);
                peer.say(&totals.result(&json!({"origin": {"kind": "task-notification"}}))).await;
            }
            if dice.hits(6) {
                totals = Totals::default();
                peer.say(&json!({"type": "conversation_reset", "trigger": "clear"})).await;
            }
            let turn = session.send("go");
            let prompt = peer.hear().await.unwrap();
            let spent = totals.spend(&mut dice);
            expected += spent.usd;
            let named = json!([prompt["uuid"]]);
            let answer = if dice.hits(4) {
                let failed = json!({"subtype": "error_max_turns", "is_error": true, "user_message_uuids": named});
                peer.say(&totals.result(&failed)).await;
                match turn.await {
                    Err(Error::Failed(answer)) => *answer,
                    other => panic!("{other:?}"),
                }
            } else {
                peer.say(&totals.result(&json!({"user_message_uuids": named}))).await;
                turn.await.unwrap()
            };
            check(&answer, &spent, seed);
            assert!((answer.cost.total_usd - totals.usd).abs() < 1e-9);
            told += answer.cost_usd;
        }
        assert!((told - expected).abs() < 1e-9, "seed {seed}: {told} and not {expected}");
    }
}
