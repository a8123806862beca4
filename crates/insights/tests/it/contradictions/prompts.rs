//! Prompts, replays, local commands and what is unknown: where the documents disagree, by number.

use insights::convert::Profile;
use serde_json::{Value, json};

use super::{captured, column, core, full, of_kind, stdin, stdout};
use crate::fixtures::{VERSIONS, scenario};
use crate::support::{events, told, told_of};

#[test]
fn c21_a_prompt_and_its_echo_are_one() {
    for version in VERSIONS {
        for scenario in ["replay-user-messages", "image-block-in", "replay-queued", "replay-injected-mid-turn"] {
            let events = captured(version, scenario);
            let inputs = of_kind(&events, "user_input");
            let sent = inputs.iter().filter(|input| input["state"] == "sent").count();
            let consumed: Vec<_> =
                inputs.iter().filter(|input| input["state"] == "consumed").map(|input| &input["messageUuid"]).collect();
            assert_eq!(consumed.len(), sent, "{version}/{scenario}: {consumed:?}");
            assert!(!inputs.iter().any(|input| input["state"] == "unconfirmed"));
        }
    }
}

#[test]
fn c22_c23_a_replay_is_a_prompt_or_the_output_of_a_command_by_its_content() {
    let prompt = r#"{"type":"user","isReplay":true,"uuid":"u","message":{"role":"user","content":"hello"}}"#;
    assert_eq!(
        full(prompt),
        [json!({
            "event": "user_input", "sessionId": "fixture", "messageUuid": "u", "text": "hello", "images": [],
            "isSynthetic": false, "state": "consumed"
        })]
    );
    let output = r#"{"type":"user","isReplay":true,"message":{"role":"user","content":"<local-command-stdout>Done </local-command-stdout>"}}"#;
    assert_eq!(
        full(output),
        [json!({ "event": "local_command_output", "sessionId": "fixture", "text": "Done", "isError": false })]
    );
    // The documents' profile knows neither, but a marked text, also as a plain string.
    assert_eq!(core(prompt)[0]["text"], "hello");
    assert_eq!(core(output)[0]["extensions"], json!({ "claude.isReplay": true }));
    assert_eq!(core(r#"{"type":"user","message":{"role":"user","content":"plain"}}"#), Vec::<Value>::new());
}

#[test]
fn c24_the_output_of_a_local_command_is_one_event_in_all_three_forms() {
    for version in VERSIONS {
        let events = captured(version, "slash-cost");
        let outputs = of_kind(&events, "local_command_output");
        assert_eq!(outputs.len(), 1, "{version}");
        let begins = if version == "2.1.326" { "Estimated cost:" } else { "Total cost:" };
        assert!(outputs[0]["text"].as_str().unwrap().starts_with(begins), "{version}");
        assert!(outputs[0]["command"] == "cost" || outputs[0]["command"] == "usage", "{version}");
        // The answer of the model before it is the only other text.
        assert_eq!(of_kind(&events, "text").len(), 1, "{version}");
    }
    let declared = r#"{"type":"system","subtype":"local_command_output","content":"Hi"}"#;
    assert_eq!(
        full(declared),
        [json!({ "event": "local_command_output", "sessionId": "fixture", "text": "Hi", "isError": false })]
    );
    let core = events(scenario("2.1.326", "slash-cost").records(), Profile::Core);
    let core = serde_json::to_value(core).unwrap();
    assert_eq!(column(core.as_array().unwrap(), "text", "role"), [Value::Null, "localCommand".into()]);
}

#[test]
fn c31_a_status_that_nobody_knows_is_neutral() {
    let status =
        |word: &str| full(&format!(r#"{{"type":"system","subtype":"status","status":{word}}}"#))[0]["status"].clone();
    assert_eq!(status("null"), "idle");
    assert_eq!(status(r#""requesting""#), "requesting");
    assert_eq!(status(r#""processing""#), "processing");
    assert_eq!(status(r#""ended""#), "ended");
}

#[test]
fn c32_both_ways_of_clearing_are_one() {
    let reset = r#"{"type":"conversation_reset","new_conversation_id":"n","trigger":"clear"}"#;
    assert_eq!(
        core(reset),
        [json!({
            "event": "context_compaction", "sessionId": "fixture", "trigger": "cleared", "newConversationId": "n",
            "resetTrigger": "clear"
        })]
    );
    assert_eq!(
        core(r#"{"type":"system","subtype":"context_cleared"}"#),
        [json!({ "event": "context_compaction", "sessionId": "fixture", "trigger": "cleared" })]
    );
}

#[test]
fn c49_commands_come_from_the_wire_and_the_newest_list_counts() {
    let changed = r#"{"type":"system","subtype":"commands_changed","commands":[{"name":"new"}]}"#;
    let initialize = r#"{"type":"control_response","response":{"response":{"commands":[{"name":"old"}],"models":[]}}}"#;
    let init = r#"{"type":"system","subtype":"init","slash_commands":["plain"]}"#;
    let names = |lines: &[&str]| told(lines, Profile::Core).last().unwrap()["slashCommands"][0]["name"].clone();
    assert_eq!(names(&[init]), "plain");
    assert_eq!(names(&[initialize, init]), "old");
    assert_eq!(names(&[initialize, changed, init]), "new");
}

#[test]
fn c50_hooks_are_shown_where_they_come() {
    let events = captured("2.1.326", "hooks-pretool-deny");
    assert_eq!(column(&events, "hook_callback", "hookEvent")[0], "PreToolUse");
    let response = r#"{"type":"system","subtype":"hook_response","hook_id":"h","hook_name":"Stop","hook_event":"Stop","stdout":"o","stderr":"","output":"o","exit_code":2,"outcome":"error"}"#;
    assert_eq!(
        full(response),
        [json!({
            "event": "hook", "sessionId": "fixture", "phase": "response", "hookId": "h", "hookName": "Stop",
            "hookEvent": "Stop", "stdout": "o", "stderr": "", "output": "o", "exitCode": 2, "outcome": "error"
        })]
    );
}

#[test]
fn c51_the_talk_with_a_tool_server_is_quiet_unless_it_fails() {
    let ask = r#"{"type":"control_request","request_id":"q","request":{"subtype":"mcp_message","server_name":"db","message":{}}}"#;
    let answer = r#"{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{"mcp_response":{}}}}"#;
    let failure = r#"{"type":"control_response","response":{"subtype":"error","request_id":"q","error":"down"}}"#;
    assert_eq!(told_of(vec![stdout(1, ask), stdin(2, answer)]), Vec::<Value>::new());
    let failed = told_of(vec![stdout(1, ask), stdin(2, failure)]);
    assert_eq!(failed[0]["text"], "The tool server db did not answer: down");
}

#[test]
fn c52_what_is_unknown_is_an_event_in_full_and_none_in_core() {
    for (line, kind, subtype) in [
        (r#"{"type":"news"}"#, "news", Value::Null),
        (r#"{"type":"news","subtype":"good"}"#, "news", json!("good")),
        (r#"{"type":"system","subtype":"tomorrow"}"#, "system", json!("tomorrow")),
        (
            r#"{"type":"control_request","request_id":"q","request":{"subtype":"dance"}}"#,
            "control_request",
            json!("dance"),
        ),
    ] {
        assert_eq!(core(line), Vec::<Value>::new());
        let event = &full(line)[0];
        assert_eq!((&event["event"], &event["messageType"]), (&json!("unknown_message"), &json!(kind)));
        assert_eq!(event["subtype"], subtype);
    }
    let block = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"hologram","x":1}]}}"#;
    assert_eq!(
        full(block),
        [json!({
            "event": "unknown_block", "sessionId": "fixture", "messageId": "m", "blockIndex": 0,
            "blockType": "hologram", "block": { "type": "hologram", "x": 1 }
        })]
    );
    assert_eq!(full("npm warn")[0]["event"], "protocol_error");
}

#[test]
fn c54_c55_what_newer_versions_tell_has_fields() {
    let events = captured("2.1.326", "plain-text");
    let init = of_kind(&events, "session_init")[0];
    for field in ["version", "agents", "skills", "plugins", "capabilities", "terminalSlashCommands", "viewMode"] {
        assert!(init.get(field).is_some(), "{field}");
    }
    let usage = of_kind(&events, "turn_complete")[0]["modelUsage"].as_object().unwrap().values().next().unwrap();
    assert!(usage["maxOutputTokens"].is_number() && usage["canonicalModel"].is_string());
}

#[test]
fn c59_the_context_is_read_from_data_or_from_the_table() {
    for version in VERSIONS {
        let events = captured(version, "slash-context");
        let usage = &of_kind(&events, "local_command_output")[0]["contextUsage"];
        let names: Vec<&str> =
            usage["categories"].as_array().unwrap().iter().map(|category| category["name"].as_str().unwrap()).collect();
        assert!(names.contains(&"System prompt") && names.contains(&"Free space"), "{version}: {names:?}");
        assert!(!names.iter().any(|name| name.contains("deferred")), "{version}: {names:?}");
        assert!(usage["max"].as_u64().unwrap() > 0 && usage["model"].is_string(), "{version}");
    }
    let events = captured("2.1.326", "control-queries");
    let asked =
        of_kind(&events, "control_result").into_iter().find(|result| result["subtype"] == "get_context_usage").unwrap();
    assert!(asked["contextUsage"]["categories"].as_array().unwrap().len() > 2);
}
