//! Captured conversations in, what they mean for the prompts out.

use claude_protocol::{ToCli, decode, decode_as};

use super::*;

/// Plays a captured conversation: prompts with a uuid are sent where the host sent them. Each prompt is named by its first
/// character; what happens is told in words.
fn played(version: &str, scenario: &str) -> Vec<String> {
    let path = format!("{}/../../fixtures/cli/{version}/{scenario}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut turns = Turns::new();
    let mut told = Vec::new();
    for record in text.lines() {
        let record: serde_json::Value = serde_json::from_str(record).unwrap();
        let line = record["line"].to_string();
        match record["dir"].as_str() {
            Some("in") => match decode_as::<ToCli>(line).body {
                ToCli::Prompt(prompt) => {
                    if let Some(uuid) = prompt.uuid {
                        let is_command = prompt.message.content.text().starts_with('/');
                        turns.sent(uuid.clone(), is_command, uuid.as_str()[..1].to_owned());
                    }
                }
                ToCli::ControlRequest(request) if request.request.kind() == "interrupt" => turns.interrupting(),
                _ => {}
            },
            Some("out") => told.extend(turns.see(&decode(line).body).into_iter().map(|step| match step {
                Step::Begins(turn) => format!("{turn} begins"),
                Step::Cancelled(turn) => format!("{turn} cancelled"),
                Step::Ends { turns, interrupted: false } => format!("{} ends", turns.join("+")),
                Step::Ends { turns, interrupted: true } => format!("{} interrupted", turns.join("+")),
            })),
            _ => {}
        }
    }
    told
}

#[test]
fn queued_prompts_are_settled_one_by_one_on_old_versions_and_merged_on_new_ones() {
    for version in ["2.1.1", "2.1.29", "2.1.38"] {
        let expected = ["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"];
        assert_eq!(played(version, "replay-queued"), expected, "{version}");
    }
    assert_eq!(played("2.1.326", "replay-queued"), ["1 begins", "1 ends", "2 begins", "3 begins", "2+3 ends"]);
    // Without replay the new version still names the prompts.
    assert_eq!(played("2.1.326", "queue-two-messages"), ["1 begins", "1 ends", "2 begins", "3 begins", "2+3 ends"]);
}

#[test]
fn a_prompt_that_is_folded_into_a_running_turn_shares_its_result() {
    for version in ["2.1.1", "2.1.29", "2.1.38", "2.1.326"] {
        assert_eq!(played(version, "replay-injected-mid-turn"), ["1 begins", "2 begins", "1+2 ends"], "{version}");
    }
}

#[test]
fn an_interrupt_ends_the_turn_that_runs_and_the_next_one_goes_on() {
    let expected = ["1 begins", "1 interrupted", "2 begins", "2 ends"];
    assert_eq!(played("2.1.326", "interrupt-queued"), expected);
}

#[test]
fn a_command_is_settled_although_nothing_replays_it() {
    let mut turns = Turns::new();
    turns.sent("u".into(), true, 1);
    let init = decode(r#"{"type":"system","subtype":"init"}"#).body;
    let result = decode(r#"{"type":"result","subtype":"success","is_error":false}"#).body;
    assert_eq!(turns.see(&init), [Step::Begins(1)]);
    assert_eq!(turns.see(&result), [Step::Ends { turns: vec![1], interrupted: false }]);
    // Nor does a failure before `init` and the replay leave anyone waiting.
    turns.sent("v".into(), false, 2);
    let failed = decode(r#"{"type":"result","subtype":"error_during_execution","is_error":true}"#).body;
    assert_eq!(turns.see(&failed), [Step::Ends { turns: vec![2], interrupted: false }]);
}

#[test]
fn on_old_versions_a_turn_begins_before_its_text_is_streamed() {
    let mut turns = Turns::new();
    turns.sent("u".into(), false, 1);
    turns.sent("v".into(), false, 2);
    let init = decode(r#"{"type":"system","subtype":"init"}"#).body;
    let replay = decode(r#"{"type":"user","uuid":"u","isReplay":true,"message":{"role":"user","content":"x"}}"#).body;
    let result = decode(r#"{"type":"result","subtype":"success","is_error":false}"#).body;
    // The replay comes with the first whole message: too late for those who stream.
    assert_eq!(turns.see(&init), [Step::Begins(1)]);
    assert_eq!(turns.see(&replay), []);
    assert_eq!(turns.see(&result), [Step::Ends { turns: vec![1], interrupted: false }]);
    assert_eq!(turns.see(&init), [Step::Begins(2)]);
}

#[test]
fn a_turn_that_the_cli_starts_by_itself_answers_no_prompt() {
    let mut turns = Turns::new();
    let named = decode(r#"{"type":"system","subtype":"init","user_message_uuids":["u"]}"#).body;
    let by_itself =
        decode(r#"{"type":"result","subtype":"success","is_error":false,"origin":{"kind":"task-notification"}}"#).body;
    turns.sent("u".into(), false, 1);
    // The CLI was at a turn of its own when the prompt came.
    assert_eq!(turns.see(&by_itself), [Step::Ends { turns: vec![], interrupted: false }]);
    assert_eq!(turns.see(&named), [Step::Begins(1)]);
    let mine = decode(r#"{"type":"result","subtype":"success","is_error":false,"user_message_uuids":["u"]}"#).body;
    assert_eq!(turns.see(&mine), [Step::Ends { turns: vec![1], interrupted: false }]);
    assert!(turns.is_idle());
}

#[test]
fn a_prompt_that_is_taken_back_is_cancelled() {
    let mut turns = Turns::new();
    turns.sent("u".into(), false, 1);
    let cancelled = decode(r#"{"type":"command_lifecycle","command_uuid":"u","state":"cancelled"}"#).body;
    assert_eq!(turns.see(&cancelled), [Step::Cancelled(1)]);
    assert_eq!(turns.see(&cancelled), []);
}
