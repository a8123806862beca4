//! Costs, ends of turns, failures and compactions: where the documents disagree, by number.

use insights::convert::Profile;
use serde_json::{Value, json};

use super::{captured, column, core, full, of_kind};
use crate::fixtures::VERSIONS;
use crate::support::told;

#[test]
fn c25_usage_is_of_the_turn_and_cost_is_told_both_ways() {
    for version in VERSIONS {
        let events = captured(version, "multi-turn");
        let turns = of_kind(&events, "turn_complete");
        let number = |value: &Value| value.as_f64().unwrap();
        let mut total = 0.0;
        for turn in &turns {
            total += number(&turn["turnCostUsd"]);
            assert!((number(&turn["costUsd"]) - total).abs() < 1e-9, "{version}");
            // The figures of the turn are what one call of the model used, in every turn.
            assert_eq!(turn["usage"]["inputTokens"], turns[0]["usage"]["inputTokens"]);
        }
        assert!(turns.len() > 1);
    }
}

#[test]
fn c26_totals_that_were_reset_are_no_refund_and_zeros_of_a_failure_no_news() {
    let result = |total: f64, rest: &str| {
        format!(
            r#"{{"type":"result","subtype":"success","total_cost_usd":{total},"modelUsage":{{"m":{{"inputTokens":1,"costUSD":{total}}}}}{rest}}}"#
        )
    };
    let costs = |lines: &[&str]| column(&told(lines, Profile::Core), "turn_complete", "turnCostUsd");
    assert_eq!(costs(&[&result(0.5, ""), &result(0.75, ""), &result(0.25, "")]), [0.5, 0.25, 0.25]);
    let failed =
        r#"{"type":"result","subtype":"error_during_execution","is_error":true,"total_cost_usd":0,"modelUsage":{}}"#;
    assert_eq!(costs(&[&result(0.5, ""), failed, &result(0.75, "")]), [0.5, 0.0, 0.25]);
    // A resumed session says what is new; the rest is inherited.
    let resumed = result(0.75, r#","model_usage_since_last_result":{"m":{"inputTokens":1,"costUSD":0.25}}"#);
    let events = told(&[&resumed], Profile::Full);
    assert_eq!(events[0]["turnCostUsd"], 0.25);
    assert_eq!(events[0]["inheritedCostUsd"], 0.5);
    assert_eq!((&events[1]["costUsd"], &events[1]["inheritedCostUsd"]), (&json!(0.25), &json!(0.5)));
}

/// 2.1.1 lists no models when it has compacted: what it used for that comes with the next turn, and in no other way.
#[test]
fn what_a_compaction_used_is_told_late_by_2_1_1_and_never_lost() {
    for version in VERSIONS {
        let events = captured(version, "slash-compact-manual");
        let count = |turn: &&Value| -> u64 {
            let models = turn["turnModelUsage"].as_object().unwrap().values();
            models.map(|usage| usage["inputTokens"].as_u64().unwrap()).sum()
        };
        let used: Vec<u64> = of_kind(&events, "turn_complete").iter().map(count).collect();
        assert_eq!(used, if version == "2.1.1" { [10, 10, 0, 20] } else { [10, 10, 10, 10] }, "{version}");
        let costs = column(&events, "turn_complete", "turnCostUsd");
        assert!(costs.iter().all(|usd| (usd.as_f64().unwrap() - costs[0].as_f64().unwrap()).abs() < 1e-9), "{version}");
        assert_eq!(of_kind(&events, "session_metrics").last().unwrap()["tokens"]["inputTokens"], 40, "{version}");
    }
}

#[test]
fn c26_a_turn_costs_what_it_adds_also_after_resume_fork_and_clear() {
    let costs = |version: &'static str, scenario: &str| -> Vec<f64> {
        let costs = column(&captured(version, scenario), "turn_complete", "turnCostUsd");
        costs.iter().map(|usd| (usd.as_f64().unwrap() * 1e9).round() / 1e9).collect()
    };
    assert_eq!(costs("2.1.326", "resume"), [0.017982, 0.008991]);
    assert_eq!(costs("2.1.38", "resume"), [0.02997, 0.014985]);
    assert_eq!(costs("2.1.326", "fork-session"), [0.00033, 0.00033]);
    assert_eq!(costs("2.1.326", "slash-clear-then-talk"), [0.00033, 0.0, 0.00033]);
    assert_eq!(costs("2.1.38", "slash-cost"), [0.014985, 0.0]);
    assert_eq!(costs("2.1.1", "replay-queued"), [0.00033, 0.00033, 0.00033]);
    // What the first process spent is this log's own: nothing is inherited.
    let inherited = column(&captured("2.1.326", "resume"), "session_metrics", "inheritedCostUsd");
    assert_eq!(inherited, [0.0, 0.0]);
}

#[test]
fn c26_a_cleared_conversation_counts_from_nothing_and_a_local_command_keeps_the_count() {
    let result = |total: f64, models: Value| {
        json!({ "type": "result", "subtype": "success", "total_cost_usd": total, "modelUsage": models }).to_string()
    };
    let model = |tokens: u64, usd: f64| json!({ "m": { "inputTokens": tokens, "costUSD": usd } });
    let reset = r#"{"type":"conversation_reset","trigger":"clear"}"#;
    let cleared = told(&[&result(0.25, model(1, 0.25)), reset, &result(0.5, model(2, 0.5))], Profile::Core);
    assert_eq!(column(&cleared, "turn_complete", "turnCostUsd"), [0.25, 0.5]);
    // Old versions list no models after a local command.
    let lines = [result(0.25, model(1, 0.25)), result(0.25, json!({})), result(0.75, model(4, 0.75))];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let turns = told(&lines, Profile::Core);
    assert_eq!(turns[1]["turnModelUsage"], json!({}));
    assert_eq!(turns[2]["turnModelUsage"], json!({ "m": { "inputTokens": 3, "outputTokens": 0, "costUsd": 0.5 } }));
}

#[test]
fn c26_after_a_reset_a_model_that_is_not_told_of_has_used_nothing() {
    let usage = |usd: f64| json!({ "inputTokens": (usd * 100.0) as u64, "costUSD": usd });
    let first = json!({ "total_cost_usd": 1.25, "modelUsage": { "opus": usage(1.0), "haiku": usage(0.25) } });
    let second = json!({ "total_cost_usd": 0.5, "modelUsage": { "opus": usage(0.5) } });
    let line = |told: Value| {
        let mut line = json!({ "type": "result", "subtype": "success" });
        line.as_object_mut().unwrap().extend(told.as_object().unwrap().clone());
        line.to_string()
    };
    let used = |usd: f64| json!({ "inputTokens": (usd * 100.0) as u64, "outputTokens": 0, "costUsd": usd });
    let events = told(&[&line(first), &line(second)], Profile::Full);
    assert_eq!(column(&events, "turn_complete", "turnModelUsage")[1], json!({ "opus": used(0.5) }));
    assert_eq!(column(&events, "session_metrics", "perModel")[1], json!({ "opus": used(1.5), "haiku": used(0.25) }));
    // Without a sum, nothing is known to be spent, and what was spent before is not spent again.
    let untold = json!({ "modelUsage": { "opus": usage(0.25) } });
    let sums = [json!({ "total_cost_usd": 1.0, "modelUsage": { "opus": usage(1.0) } }), untold].map(line);
    let events = told(&[&sums[0], &sums[1]], Profile::Full);
    assert_eq!(column(&events, "turn_complete", "turnCostUsd"), [1.0, 0.0]);
}

#[test]
fn c27_the_cost_of_a_model_is_read_in_both_spellings() {
    for key in ["costUSD", "costUsd"] {
        let line = format!(r#"{{"type":"result","subtype":"success","modelUsage":{{"m":{{"{key}":0.5}}}}}}"#);
        assert_eq!(core(&line)[0]["modelUsage"]["m"]["costUsd"], 0.5);
    }
}

#[test]
fn c28_any_other_end_than_success_is_an_error_and_keeps_its_name() {
    for subtype in ["error", "error_max_turns", "error_tomorrow"] {
        let line = format!(r#"{{"type":"result","subtype":"{subtype}","is_error":false}}"#);
        let event = &core(&line)[0];
        assert_eq!((&event["subtype"], &event["isError"]), (&json!(subtype), &json!(true)));
    }
}

#[test]
fn c29_a_failed_call_of_the_api_is_an_error_in_every_version() {
    for version in VERSIONS {
        for scenario in ["api-error-400", "api-error-401"] {
            let events = captured(version, scenario);
            let text = of_kind(&events, "text")[0];
            assert!(text["error"].is_string() && text["isSynthetic"] == true, "{version} {scenario}");
            assert_eq!(column(&events, "turn_complete", "isError"), [true], "{version} {scenario}");
        }
    }
    let unnamed =
        r#"{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: 500"}]}}"#;
    assert_eq!(core(unnamed)[0]["error"], "unknown");
    // The end of the turn may be told as a success; what the model says after it makes it one.
    let success = r#"{"type":"result","subtype":"success","is_error":false,"result":"API Error: 500"}"#;
    let spoken = r#"{"type":"assistant","message":{"model":"m","content":[{"type":"text","text":"There."}]}}"#;
    let outcomes = |lines: &[&str]| column(&told(lines, Profile::Core), "turn_complete", "isError");
    assert_eq!(outcomes(&[unnamed, success, success]), [true, false]);
    assert_eq!(outcomes(&[unnamed, spoken, success]), [false]);
    assert_eq!(
        core(r#"{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}"#),
        [
            json!({ "event": "text", "sessionId": "fixture", "text": "Busy", "kind": "error", "error": "overloaded_error" })
        ]
    );
}

#[test]
fn c30_the_summary_is_read_from_the_boundary_or_from_the_next_line() {
    let line = r#"{"type":"system","subtype":"compact_boundary","summary":"So far"}"#;
    assert_eq!(core(line)[0]["summary"], "So far");
    for version in VERSIONS {
        for scenario in ["slash-compact-manual", "auto-compact"] {
            let events = captured(version, scenario);
            let place = events.iter().position(|event| event["event"] == "context_compaction").unwrap();
            let summary = &events[place + 1];
            assert_eq!(
                (&summary["event"], &summary["role"]),
                (&json!("text"), &json!("compactionSummary")),
                "{version}"
            );
            assert_eq!(summary["extensions"]["claude.isSynthetic"], true, "{version}");
            assert!(summary["text"].as_str().unwrap().contains("Primary request"), "{version}");
        }
    }
}

#[test]
fn c60_the_number_of_rounds_is_passed_on_and_not_used() {
    let line =
        |rounds: u64| format!(r#"{{"type":"result","subtype":"success","num_turns":{rounds},"total_cost_usd":0.5}}"#);
    let (few, many) = (full(&line(1)), full(&line(620)));
    assert_eq!((&few[0]["numTurns"], &many[0]["numTurns"]), (&json!(1), &json!(620)));
    assert_eq!(few[1], many[1]);
}
