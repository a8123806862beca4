//! Laws over all captured sessions: every line is accounted for, costs add up, `core` is a part of `full`.

use std::collections::BTreeMap;

use insights::convert::Profile;
use insights::convert::quiet::Quiet;
use insights::event::text::TextRole;
use insights::event::{Body, InsightsEvent};
use insights::record::{Record, Source};
use serde_json::Value;

use crate::fixtures::scenarios;
use crate::support::{accounted, events};

#[test]
fn every_line_gives_an_event_or_a_reason() {
    let mut reasons = BTreeMap::new();
    for scenario in scenarios() {
        let lines = scenario.records();
        for (record, (events, quiet)) in lines.iter().zip(accounted(lines.clone(), Profile::Full)) {
            assert_eq!(events.is_empty(), quiet.is_some());
            if let Some(quiet) = quiet {
                let line = record.line.text();
                assert!(!matches!(quiet, Quiet::Empty | Quiet::Profile), "{scenario}: {line}");
                *reasons.entry(quiet).or_insert(0) += 1;
            }
        }
    }
    insta::assert_debug_snapshot!(reasons);
}

#[test]
fn no_captured_line_is_unknown_or_has_a_field_that_does_not_fit() {
    for scenario in scenarios() {
        for event in events(scenario.records(), Profile::Full) {
            let lenient = event.extensions.as_ref().is_some_and(|all| all.contains_key("claude.lenient"));
            assert!(!lenient, "{scenario}: {event:?}");
            let unknown = matches!(&event.body, Body::UnknownMessage(unknown) if unknown.direction.is_none());
            assert!(!unknown && !matches!(event.body, Body::UnknownBlock(_)), "{scenario}: {event:?}");
        }
    }
}

/// What a session cost, as the wire tells it: newer versions say what each result adds, older ones count up from nothing
/// in each process.
fn cost_on_the_wire(lines: &[Record]) -> f64 {
    let (mut added, mut ended, mut total, mut says_what_is_new) = (0.0, 0.0, 0.0, false);
    for record in lines {
        let Ok(line) = serde_json::from_str::<Value>(&record.line.text()) else { continue };
        if line["fact"] == "spawned" {
            ended += total;
            total = 0.0;
        }
        if record.source == Source::Stdout && line["type"] == "result" {
            total = line["total_cost_usd"].as_f64().unwrap_or(0.0).max(total);
            says_what_is_new |= line["result_index"].is_number();
            let new = line["model_usage_since_last_result"].as_object();
            added += new.map_or(0.0, |new| new.values().filter_map(|usage| usage["costUSD"].as_f64()).sum());
        }
    }
    if says_what_is_new { added } else { ended + total }
}

#[test]
fn the_costs_of_turns_add_up_to_the_cost_of_the_session() {
    let mut compared = 0;
    for scenario in scenarios() {
        let lines = scenario.records();
        let mut sum = 0.0;
        for event in events(lines.clone(), Profile::Full) {
            match event.body {
                Body::TurnComplete(turn) => sum += turn.turn_cost_usd.unwrap(),
                Body::SessionMetrics(metrics) => {
                    assert!((metrics.cost_usd - sum).abs() < 1e-9, "{scenario}");
                    assert_eq!(metrics.inherited_cost_usd, 0.0, "{scenario}");
                    compared += 1;
                }
                _ => {}
            }
        }
        let told = cost_on_the_wire(&lines);
        assert!((sum - told).abs() < 1e-9, "{scenario}: {sum} and {told}");
    }
    assert!(compared > 400);
}

/// An event without what differs between the profiles by design.
fn shared(event: &InsightsEvent) -> Value {
    let mut value = serde_json::to_value(event).unwrap();
    let fields = value.as_object_mut().unwrap();
    for field in ["id", "seq", "extensions"] {
        fields.remove(field);
    }
    value
}

#[test]
fn core_is_a_part_of_full() {
    for scenario in scenarios() {
        let lines = scenario.records();
        let full = accounted(lines.clone(), Profile::Full);
        for ((core, _), (full, _)) in accounted(lines, Profile::Core).into_iter().zip(full) {
            let mut rest = full.iter().map(shared);
            for event in core {
                // In `full` these are the prompt or the output of the command that they are.
                let copy = matches!(
                    &event.body,
                    Body::Text(text) if matches!(text.role, Some(TextRole::Replay | TextRole::LocalCommand))
                );
                let event = shared(&event);
                assert!(copy || rest.any(|other| other == event), "{scenario}: {event}");
            }
        }
    }
}

#[test]
fn streamed_pieces_and_whole_blocks_agree_on_message_and_number() {
    let mut compared = 0;
    for scenario in scenarios() {
        let mut streamed: BTreeMap<(String, u32), String> = BTreeMap::new();
        for event in events(scenario.records(), Profile::Full) {
            match event.body {
                Body::StreamDelta(delta) => {
                    let message = delta.message_id.map(|id| id.to_string());
                    if let (Some(message), Some(block), Some(text)) = (&message, delta.block_index, &delta.text_delta) {
                        *streamed.entry((message.clone(), block)).or_default() += text;
                    }
                    if let Some(from) = delta.abandoned_from {
                        streamed.retain(|(of, block), _| message.as_ref() != Some(of) || *block < from);
                    }
                }
                Body::Text(text) => {
                    let (Some(message), Some(block)) = (text.message_id, text.block_index) else { continue };
                    if let Some(pieces) = streamed.remove(&(message.to_string(), block)) {
                        assert_eq!(pieces, text.text, "{scenario}");
                        compared += 1;
                    }
                }
                _ => {}
            }
        }
        // Only a turn that was cut off leaves pieces behind, and only old versions or a killed process do.
        let cut_off = ["interrupt-mid-stream", "interrupt-queued", "sigint-mid-stream", "sigterm-mid-stream"];
        let cut_off = cut_off.contains(&scenario.name.as_str()) || scenario.name == "sigkill-then-resume";
        assert!(streamed.is_empty() || cut_off, "{scenario}: {streamed:?}");
    }
    assert!(compared > 50);
}
