//! Laws of costs, over sessions of any course: what the turns cost is what the session cost, by model as well, however often
//! the agent's own count begins anew.

use std::collections::BTreeMap;

use insights::convert::Profile;
use insights::event::Body;
use insights::record::{HostFact, Record};
use insights::state::State;
use insights::time::UnixMillis;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::events;

const MODELS: [&str; 3] = ["opus", "sonnet", "haiku"];

/// Tokens by model.
type Tokens = BTreeMap<&'static str, u64>;

/// What comes before a turn.
#[derive(Clone, Copy, Debug)]
enum Before {
    Nothing,
    /// Another process, which the log tells of.
    Process,
    /// Another process in plain lines, which tell of none. Only known by a count that is lower.
    ProcessUntold,
    Clear,
    /// A start that failed, which reports zeros.
    FailedStart,
}

/// The course of a session: what came before each turn, and what it used. A turn that used nothing was a local command.
fn course() -> impl Strategy<Value = Vec<(Before, Tokens)>> {
    let before = prop_oneof![
        6 => Just(Before::Nothing),
        1 => Just(Before::Process),
        2 => Just(Before::ProcessUntold),
        1 => Just(Before::Clear),
        1 => Just(Before::FailedStart),
    ];
    prop::collection::vec((before, used()), 1..20)
}

fn used() -> impl Strategy<Value = Tokens> {
    prop::collection::btree_map(prop::sample::select(&MODELS), 1..500_u64, 0..=3)
}

/// Dollars that add up without an error.
fn usd(tokens: &Tokens) -> f64 {
    tokens.values().sum::<u64>() as f64 / 64.0
}

fn usage(tokens: &Tokens) -> Value {
    let model = |(model, tokens): (&&str, &u64)| {
        ((*model).to_owned(), json!({"inputTokens": tokens, "outputTokens": 0, "costUSD": *tokens as f64 / 64.0}))
    };
    tokens.iter().map(model).collect::<serde_json::Map<_, _>>().into()
}

fn add(to: &mut Tokens, more: &Tokens) {
    more.iter().for_each(|(model, tokens)| *to.entry(*model).or_default() += tokens);
}

/// The agent of a test, as it counts.
struct Agent {
    /// Does it count on when it is resumed, and say what is new? Old versions do neither.
    is_new: bool,
    counted: Tokens,
    records: Vec<Record>,
}

impl Agent {
    /// What a conversation cost before it was taken over is counted on by new versions.
    fn plays(is_new: bool, foreign: &Tokens, course: &[(Before, Tokens)]) -> Vec<Record> {
        let mut agent = Agent { is_new, counted: foreign.clone(), records: Vec::new() };
        for (before, used) in course {
            agent.turn(*before, used);
        }
        agent.records
    }

    fn turn(&mut self, before: Before, used: &Tokens) {
        let seq = self.records.len() as u64 + 1;
        match before {
            Before::Nothing => {}
            Before::ProcessUntold if !self.is_new && usd(used) < usd(&self.counted) => self.counted.clear(),
            Before::Process | Before::ProcessUntold => {
                if !self.is_new {
                    self.counted.clear();
                }
                let (program, argv, cwd) = ("claude".to_owned(), Vec::new(), "/w".to_owned());
                let spawned = HostFact::Spawned { program, argv, cwd, version: None, pid: None };
                self.records.push(Record::host(seq, UnixMillis(0), &spawned));
            }
            Before::FailedStart => {
                let line = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
                    "total_cost_usd": 0, "modelUsage": {}});
                self.records.push(Record::stdout(seq, UnixMillis(0), line.to_string()));
            }
            Before::Clear => {
                self.counted.clear();
                let reset = r#"{"type":"conversation_reset","trigger":"clear"}"#;
                self.records.push(Record::stdout(seq, UnixMillis(0), reset));
            }
        }
        add(&mut self.counted, used);
        let mut line = json!({"type": "result", "subtype": "success", "total_cost_usd": usd(&self.counted)});
        // Old versions list no models after a local command.
        let silent = used.is_empty() && !self.is_new;
        line["modelUsage"] = usage(if silent { used } else { &self.counted });
        if self.is_new {
            line["model_usage_since_last_result"] = usage(used);
        }
        let seq = self.records.len() as u64 + 1;
        self.records.push(Record::stdout(seq, UnixMillis(0), line.to_string()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn turns_cost_what_was_used_in_them_and_add_up_to_the_session(
        is_new in any::<bool>(),
        foreign in used(),
        course in course(),
    ) {
        let foreign = if is_new { foreign } else { Tokens::new() };
        let mut turns = course.iter().map(|(_, used)| used);
        let nothing = Tokens::new();
        let mut used = &nothing;
        let mut all = Tokens::new();
        // Who clears the conversation before its first turn has not taken it over.
        let inherited = if matches!(course[0].0, Before::Clear) { 0.0 } else { usd(&foreign) };
        let mut state = State::default();
        for event in events(Agent::plays(is_new, &foreign, &course), Profile::Full) {
            state.apply(&event);
            match event.body {
                Body::TurnComplete(turn) if turn.is_error => {
                    used = &nothing;
                    prop_assert_eq!(turn.turn_cost_usd, Some(0.0));
                }
                Body::TurnComplete(turn) => {
                    used = turns.next().unwrap();
                    add(&mut all, used);
                    prop_assert_eq!(turn.turn_cost_usd, Some(usd(used)));
                    let told: Tokens = told(turn.turn_model_usage.iter().flatten());
                    prop_assert_eq!(&told, used);
                }
                Body::SessionMetrics(metrics) => {
                    prop_assert_eq!((metrics.turn_cost_usd, metrics.cost_usd), (usd(used), usd(&all)));
                    let is_begun = turns.len() < course.len();
                    prop_assert_eq!(metrics.inherited_cost_usd, if is_begun { inherited } else { 0.0 });
                    prop_assert_eq!(metrics.tokens.input_tokens, all.values().sum::<u64>());
                    prop_assert_eq!(told(&metrics.per_model), all.clone());
                }
                _ => {}
            }
        }
        prop_assert_eq!(turns.next(), None);
        prop_assert_eq!((state.meters.cost_usd, state.meters.inherited_usd), (usd(&all), inherited));
    }
}

/// Tokens by model, as they are told; the dollars of each must agree.
fn told<'a>(models: impl IntoIterator<Item = (&'a String, &'a insights::event::turn::ModelTokenUsage)>) -> Tokens {
    let known = |model: &str| MODELS.into_iter().find(|known| *known == model).unwrap();
    let tokens = |usage: &insights::event::turn::ModelTokenUsage| {
        assert_eq!(usage.cost_usd, Some(usage.input_tokens as f64 / 64.0));
        usage.input_tokens
    };
    models.into_iter().map(|(model, usage)| (known(model), tokens(usage))).collect()
}
