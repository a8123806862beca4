//! Where the source documents contradict each other or the real CLI: what was decided, by number. Numbers that are not here
//! are about writing to the CLI, about screens, or about the documents themselves.

use insights::convert::Profile;
use insights::record::Record;
use insights::time::UnixMillis;
use serde_json::{Value, json};

use crate::fixtures::{VERSIONS, scenario};
use crate::support::{events, told, told_of};

/// The events of a captured session as JSON, in profile `full`.
fn captured(version: &'static str, name: &str) -> Vec<Value> {
    told_of(scenario(version, name).records())
}

fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

/// One field of all events of a kind.
fn column(events: &[Value], kind: &str, field: &str) -> Vec<Value> {
    of_kind(events, kind).into_iter().map(|event| event[field].clone()).collect()
}

fn full(line: &str) -> Vec<Value> {
    told(&[line], Profile::Full)
}

fn core(line: &str) -> Vec<Value> {
    told(&[line], Profile::Core)
}

fn stdin(seq: u64, line: &str) -> Record {
    Record::stdin(seq, UnixMillis(0), line)
}

fn stdout(seq: u64, line: &str) -> Record {
    Record::stdout(seq, UnixMillis(0), line)
}

#[test]
fn c05_the_initialize_answer_is_read_inside_and_in_the_flat_form() {
    let init = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
    let inner = r#""commands":[{"name":"c","description":"d"}],"models":[{"value":"m"}]"#;
    let nested = format!(
        r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"1","response":{{{inner}}}}}}}"#
    );
    let flat = format!(r#"{{"type":"control_response","response":{{{inner}}}}}"#);
    let expected = json!([{ "value": "m", "displayName": "", "description": "" }]);
    for answer in [nested, flat] {
        assert_eq!(told(&[&answer, init], Profile::Core)[0]["availableModels"], expected);
    }
}

#[test]
fn c07_the_first_init_opens_the_session_and_the_others_refresh_it() {
    for version in VERSIONS {
        let events = captured(version, "multi-turn");
        let first = column(&events, "session_init", "isFirst");
        assert!(first.len() > 1 && first[0] == true && first[1..].iter().all(|first| *first == false), "{version}");
    }
    // Under another id, another session is opened.
    let events = captured("2.1.325", "slash-clear-then-talk");
    assert_eq!(column(&events, "session_init", "isFirst"), [true, true, false]);
}

#[test]
fn c08_c09_c10_a_callback_request_is_the_same_permission_request() {
    let control = r#"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"a":1},"permission_suggestions":[]}}"#;
    let callback = r#"{"type":"callback.request","id":"q","session_id":"fixture","payload":{"callback_type":"can_use_tool","tool_name":"Bash","tool_input":{"a":1},"suggestions":[]}}"#;
    assert_eq!(core(control), core(callback));
    assert_eq!(core(control)[0]["sessionId"], "fixture");
    let answered = told_of(vec![
        stdout(1, callback),
        stdin(2, r#"{"type":"callback.response","id":"q","payload":{"behavior":"allow","updated_input":{"a":2}}}"#),
    ]);
    assert_eq!(
        answered[1],
        json!({
            "event": "permission_resolved", "sessionId": "fixture", "requestId": "q", "allowed": true,
            "updatedInput": { "a": 2 }, "remembered": []
        })
    );
}

#[test]
fn c11_c12_c13_all_six_suggestions_and_unknown_ones_are_data_with_words() {
    let suggestions = json!([
        { "type": "addRules", "rules": [{ "toolName": "Bash" }], "behavior": "deny", "destination": "userSettings" },
        { "type": "replaceRules", "rules": [{ "toolName": "A" }, { "toolName": "B", "ruleContent": "x" }], "behavior": "allow", "destination": "projectSettings" },
        { "type": "removeRules", "rules": [{ "toolName": "A" }], "behavior": "ask", "destination": "localSettings" },
        { "type": "setMode", "mode": "acceptEdits", "destination": "session" },
        { "type": "addDirectories", "directories": ["/a", "/b"], "destination": "cliArg" },
        { "type": "removeDirectories", "directories": ["/a"], "destination": "nowhere" },
        { "type": "allow_tool", "tool_name": "Bash", "description": "Allow all" },
        { "type": "tomorrow" },
    ]);
    let line = json!({ "type": "control_request", "request_id": "q", "request": {
        "subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "permission_suggestions": suggestions
    } });
    let event = &core(&line.to_string())[0];
    let told = event["suggestions"].as_array().unwrap();
    let words: Vec<&str> = told.iter().map(|told| told["description"].as_str().unwrap()).collect();
    assert_eq!(
        words,
        [
            "Deny Bash in all your projects",
            "Allow only A, B(x) in this project, for everyone",
            "No longer ask A in this project, for you",
            "Switch to mode acceptEdits for this session",
            "Allow work in /a, /b for this run",
            "No longer work in /a nowhere",
            "Allow all",
            "tomorrow",
        ]
    );
    let raw: Vec<Value> = told.iter().map(|told| told["raw"].clone()).collect();
    assert_eq!(Value::from(raw), suggestions);
    assert_eq!(told[4]["directory"], "/a");
    assert_eq!(told[6]["toolName"], "Bash");
}

#[test]
fn c14_c15_c16_an_answer_tells_whether_the_input_changed_and_what_is_remembered() {
    let ask = r#"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"a":1,"b":2}}}"#;
    let answer = |answer: &str| {
        let line = format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"q","response":{answer}}}}}"#
        );
        told_of(vec![stdout(1, ask), stdin(2, &line)])[1].clone()
    };
    let resolved = |fields: Value| {
        let mut all =
            json!({ "event": "permission_resolved", "sessionId": "fixture", "requestId": "q", "remembered": [] });
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        all
    };
    assert_eq!(answer(r#"{"behavior":"allow"}"#), resolved(json!({ "allowed": true })));
    assert_eq!(answer(r#"{"behavior":"allow","updatedInput":{"b":2,"a":1}}"#), resolved(json!({ "allowed": true })));
    assert_eq!(
        answer(
            r#"{"behavior":"allow","updatedInput":{"a":1},"updatedPermissions":[{"type":"setMode","mode":"plan","destination":"session"}]}"#
        ),
        resolved(json!({
            "allowed": true, "updatedInput": { "a": 1 }, "remembered": ["Switch to mode plan for this session"]
        }))
    );
    assert_eq!(
        answer(r#"{"behavior":"deny","message":"no","interrupt":true}"#),
        resolved(json!({ "allowed": false, "message": "no", "interrupt": true }))
    );
    assert_eq!(answer(r#"{"what":1}"#), resolved(json!({ "allowed": false, "response": { "what": 1 } })));
}

#[test]
fn c17_the_mode_is_known_from_the_answer_or_the_request() {
    for version in VERSIONS {
        let events = captured(version, "control-set-permission-mode");
        assert_eq!(column(&events, "control_result", "permissionMode")[0], "acceptEdits", "{version}");
    }
}

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
        assert!(outputs[0]["text"].as_str().unwrap().starts_with("Total cost:"));
        assert!(outputs[0]["command"] == "cost" || outputs[0]["command"] == "usage", "{version}");
        // The answer of the model before it is the only other text.
        assert_eq!(of_kind(&events, "text").len(), 1, "{version}");
    }
    let declared = r#"{"type":"system","subtype":"local_command_output","content":"Hi"}"#;
    assert_eq!(
        full(declared),
        [json!({ "event": "local_command_output", "sessionId": "fixture", "text": "Hi", "isError": false })]
    );
    let core = events(scenario("2.1.325", "slash-cost").records(), Profile::Core);
    let core = serde_json::to_value(core).unwrap();
    assert_eq!(column(core.as_array().unwrap(), "text", "role"), [Value::Null, "localCommand".into()]);
}

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

#[test]
fn c26_a_turn_costs_what_it_adds_also_after_resume_fork_and_clear() {
    let costs = |version: &'static str, scenario: &str| -> Vec<f64> {
        let costs = column(&captured(version, scenario), "turn_complete", "turnCostUsd");
        costs.iter().map(|usd| (usd.as_f64().unwrap() * 1e9).round() / 1e9).collect()
    };
    assert_eq!(costs("2.1.325", "resume"), [0.017982, 0.008991]);
    assert_eq!(costs("2.1.38", "resume"), [0.02997, 0.014985]);
    assert_eq!(costs("2.1.325", "fork-session"), [0.00033, 0.00033]);
    assert_eq!(costs("2.1.325", "slash-clear-then-talk"), [0.00033, 0.0, 0.00033]);
    assert_eq!(costs("2.1.38", "slash-cost"), [0.014985, 0.0]);
    assert_eq!(costs("2.1.1", "replay-queued"), [0.00033, 0.00033, 0.00033]);
    // What the first process spent is this log's own: nothing is inherited.
    let inherited = column(&captured("2.1.325", "resume"), "session_metrics", "inheritedCostUsd");
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
        let events = captured(version, "api-error-400");
        let text = of_kind(&events, "text")[0];
        assert!(text["error"].is_string() && text["isSynthetic"] == true, "{version}");
        assert_eq!(column(&events, "turn_complete", "isError"), [true], "{version}");
    }
    let unnamed =
        r#"{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: 500"}]}}"#;
    assert_eq!(core(unnamed)[0]["error"], "unknown");
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
            "event": "context_compaction", "sessionId": "fixture", "trigger": "cleared", "newSessionId": "n",
            "resetTrigger": "clear"
        })]
    );
}

#[test]
fn c34_of_two_message_stops_the_one_without_a_reason_closes_the_message() {
    for version in VERSIONS {
        let events = captured(version, "streaming-text");
        let stops: Vec<bool> = of_kind(&events, "stream_delta")
            .into_iter()
            .filter(|delta| delta["kind"] == "messageStop")
            .map(|delta| delta["extensions"].get("claude.stopReason").is_some())
            .collect();
        assert_eq!(stops, [true, false], "{version}");
    }
}

#[test]
fn c35_pieces_of_an_input_name_their_call_and_agree_with_the_whole_block() {
    for version in VERSIONS {
        let events = captured(version, "parallel-tools-streaming");
        let calls: Vec<[&Value; 3]> = of_kind(&events, "tool_invocation")
            .into_iter()
            .map(|call| [&call["callId"], &call["messageId"], &call["blockIndex"]])
            .collect();
        let pieces = of_kind(&events, "stream_delta").into_iter().filter(|delta| delta["kind"] == "toolInput");
        let mut named = 0;
        for piece in pieces {
            assert!(
                calls.contains(&[&piece["callId"], &piece["messageId"], &piece["blockIndex"]]),
                "{version}: {piece}"
            );
            named += 1;
        }
        assert!(named > 1 && calls.len() > 1, "{version}");
    }
}

#[test]
fn c35_a_whole_block_is_the_one_that_is_open_and_else_the_next() {
    let event = |event: Value| json!({ "type": "stream_event", "event": event }).to_string();
    let whole = |text: &str| {
        json!({ "type": "assistant", "message": { "id": "m", "content": [{ "type": "text", "text": text }] } })
            .to_string()
    };
    let start = |index: u32| {
        event(json!({ "type": "content_block_start", "index": index, "content_block": { "type": "text" } }))
    };
    // The first block never comes whole.
    let lines = [
        event(json!({ "type": "message_start", "message": { "id": "m", "content": [] } })),
        start(0),
        event(json!({ "type": "content_block_stop", "index": 0 })),
        start(1),
        whole("a"),
        event(json!({ "type": "content_block_stop", "index": 1 })),
        whole("b"),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(column(&told(&lines, Profile::Core), "text", "blockIndex"), [1, 2]);
}

#[test]
fn c35_main_agent_and_subagents_do_not_mix_up_their_blocks() {
    let start = |parent: &str, call: &str| {
        format!(
            r#"{{"type":"stream_event","parent_tool_use_id":{parent},"event":{{"type":"content_block_start","index":0,"content_block":{{"type":"tool_use","id":"{call}","name":"Bash"}}}}}}"#
        )
    };
    let piece = |parent: &str| {
        format!(
            r#"{{"type":"stream_event","parent_tool_use_id":{parent},"event":{{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":"x"}}}}}}"#
        )
    };
    let lines = [start("null", "main"), start("\"p\"", "sub"), piece("null"), piece("\"p\"")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let events = told(&lines, Profile::Core);
    assert_eq!((&events[2]["callId"], &events[3]["callId"]), (&json!("main"), &json!("sub")));
}

#[test]
fn c36_signatures_give_no_core_event_and_empty_thoughts_do() {
    let signature = r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}}"#;
    assert_eq!(core(signature), Vec::<Value>::new());
    assert_eq!(full(signature)[0]["kind"], "signature");
    let thought = r#"{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"","signature":"x"}]}}"#;
    assert_eq!((&core(thought)[0]["kind"], &core(thought)[0]["text"]), (&json!("thinking"), &json!("")));
}

#[test]
fn c37_the_exit_code_is_read_from_the_field_or_from_the_text() {
    for version in VERSIONS {
        let events = captured(version, "bash-nonzero");
        assert_eq!(column(&events, "tool_completion", "exitCode"), [3], "{version}");
    }
    let field = r#"{"type":"user","tool_use_result":{"stdout":"","exit_code":4},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}}"#;
    assert_eq!(core(field)[0]["exitCode"], 4);
    let list = r#"{"type":"user","tool_use_result":[1,"x"],"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}}"#;
    assert_eq!(core(list)[0]["output"], json!([1, "x"]));
}

#[test]
fn c39_several_results_of_one_line_share_the_structured_one_and_say_so() {
    let line = r#"{"type":"user","tool_use_result":{"a":1},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"},{"type":"tool_result","tool_use_id":"t2","content":"2"}]}}"#;
    let completion = |call: &str, content: &str, place: u32| {
        json!({
            "event": "tool_completion", "sessionId": "fixture", "callId": call, "status": "completed",
            "output": { "a": 1 }, "isError": false, "content": content, "images": [], "isShared": true,
            "outputPointer": "/tool_use_result", "blockIndex": place
        })
    };
    assert_eq!(core(line), [completion("t1", "1", 0), completion("t2", "2", 1)]);
}

#[test]
fn c40_one_block_many_blocks_and_repeated_blocks_are_each_told_once() {
    let line = |blocks: Value| json!({ "type": "assistant", "message": { "id": "m", "content": blocks } }).to_string();
    let text = |text: &str| json!({ "type": "text", "text": text });
    let call = json!({ "type": "tool_use", "id": "t", "name": "Bash", "input": {} });
    let told_by = |lines: &[String]| {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let told = told(&lines, Profile::Core);
        told.iter().map(|event| (event["event"].clone(), event["blockIndex"].clone())).collect::<Vec<_>>()
    };
    let expected = [(json!("text"), json!(0)), (json!("tool_invocation"), json!(1)), (json!("text"), json!(2))];
    let one_by_one = [line(json!([text("a")])), line(json!([call])), line(json!([text("b")]))];
    let at_once = [line(json!([text("a"), call, text("b")]))];
    let growing = [line(json!([text("a")])), line(json!([text("a"), call])), line(json!([text("a"), call, text("b")]))];
    let twice = [line(json!([text("a")])), line(json!([call])), line(json!([call])), line(json!([text("b")]))];
    for lines in [&one_by_one[..], &at_once, &growing, &twice] {
        assert_eq!(told_by(lines), expected);
    }
    // The same words again, as a block of its own, are said again.
    assert_eq!(told_by(&[line(json!([text("a")])), line(json!([text("a")]))]).len(), 2);
}

#[test]
fn c41_task_and_agent_both_start_subagents() {
    for version in VERSIONS {
        let events = captured(version, "subagent");
        assert_eq!(of_kind(&events, "subagent_spawn").len(), 1, "{version}");
        assert_eq!(column(&events, "subagent_complete", "summary"), ["There is 1 file."], "{version}");
    }
}

#[test]
fn c43_a_background_subagent_ends_with_its_notification_and_not_with_its_result() {
    let events = captured("2.1.325", "background-subagent");
    let ends = of_kind(&events, "subagent_complete");
    assert_eq!(ends.len(), 1);
    assert_eq!((&ends[0]["status"], &ends[0]["summary"]), (&json!("completed"), &json!("1 file.")));
    let place = |kind: &str| events.iter().position(|event| event["event"] == kind).unwrap();
    assert!(place("turn_complete") < place("subagent_complete"));
    // One in the foreground is told once, though its notification comes as well.
    assert_eq!(of_kind(&captured("2.1.325", "subagent"), "subagent_complete").len(), 1);
}

#[test]
fn c45_the_prompt_of_a_subagent_is_an_input_of_its_conversation() {
    for version in VERSIONS {
        let events = captured(version, "subagent");
        let prompts: Vec<_> =
            of_kind(&events, "user_input").into_iter().filter(|input| input.get("parentCallId").is_some()).collect();
        assert_eq!(prompts.len(), 1, "{version}");
        assert_eq!(prompts[0]["text"], "SUBTASK-A count the files");
        assert_eq!(prompts[0]["parentCallId"], of_kind(&events, "subagent_spawn")[0]["callId"]);
    }
}

#[test]
fn c46_c48_modes_and_fast_mode_are_open_words() {
    let line = r#"{"type":"system","subtype":"init","permissionMode":"tomorrow","fast_mode_state":"cooldown"}"#;
    assert_eq!(
        (&core(line)[0]["permissionMode"], &core(line)[0]["fastModeState"]),
        (&json!("tomorrow"), &json!("cooldown"))
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
    let events = captured("2.1.325", "hooks-pretool-deny");
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
fn c53_the_reason_of_a_question_is_told() {
    let line = r#"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Write","input":{},"decision_reason":"plan mode","decision_reason_type":"mode","agent_id":"a7","matched_ask_rule":{"tool_name":"Write","rule_content":"/x"}}}"#;
    let event = &core(line)[0];
    assert_eq!(
        [&event["reason"], &event["reasonType"], &event["agentId"], &event["matchedAskRule"]],
        ["plan mode", "mode", "a7", "Write(/x)"]
    );
}

#[test]
fn c54_c55_what_newer_versions_tell_has_fields() {
    let events = captured("2.1.325", "plain-text");
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
    let events = captured("2.1.325", "control-queries");
    let asked =
        of_kind(&events, "control_result").into_iter().find(|result| result["subtype"] == "get_context_usage").unwrap();
    assert!(asked["contextUsage"]["categories"].as_array().unwrap().len() > 2);
}

#[test]
fn c60_the_number_of_rounds_is_passed_on_and_not_used() {
    let line =
        |rounds: u64| format!(r#"{{"type":"result","subtype":"success","num_turns":{rounds},"total_cost_usd":0.5}}"#);
    let (few, many) = (full(&line(1)), full(&line(620)));
    assert_eq!((&few[0]["numTurns"], &many[0]["numTurns"]), (&json!(1), &json!(620)));
    assert_eq!(few[1], many[1]);
}
