//! Sessions, modes and permissions: where the documents disagree, by number.

use insights::convert::Profile;
use insights::state::tool::ToolView;
use serde_json::{Value, json};

use super::{captured, column, core, stdin, stdout};
use crate::fixtures::VERSIONS;
use crate::script::{after, call, result, tool};
use crate::support::{told, told_of};

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
    let events = captured("2.1.326", "slash-clear-then-talk");
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
fn c20_answers_are_read_as_a_list_and_as_one_text() {
    let answers = |answers: Value| {
        let input = json!({"questions": [{"question": "Which?", "header": "H", "multiSelect": true, "options": []}]});
        let said = vec![call("t", "AskUserQuestion", input), result("t", "answered", json!({"answers": answers}))];
        let state = after(said);
        let ToolView::Question { answers, .. } = &tool(&state, "t").view else { panic!("no question") };
        answers["Which?"].clone()
    };
    assert_eq!(answers(json!({"Which?": ["A", "B"]})), ["A", "B"]);
    assert_eq!(answers(json!({"Which?": "A, B"})), ["A, B"]);
}

#[test]
fn c47_a_model_offers_the_efforts_that_it_lists() {
    let line = json!({"type": "control_response", "response": {"subtype": "success", "request_id": "1", "response": {
        "commands": [], "models": [
            {"value": "opus", "supportedEffortLevels": ["low", "medium", "high", "xhigh", "max", "tomorrow"]},
            {"value": "haiku"}
        ]
    }}});
    let events = told(&[&line.to_string(), r#"{"type":"system","subtype":"init"}"#], Profile::Core);
    let models = &events[0]["availableModels"];
    assert_eq!(models[0]["effortLevels"], json!(["low", "medium", "high", "xhigh", "max", "tomorrow"]));
    assert_eq!(models[1].get("effortLevels"), None);
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
fn c53_the_reason_of_a_question_is_told() {
    let line = r#"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Write","input":{},"decision_reason":"plan mode","decision_reason_type":"mode","agent_id":"a7","matched_ask_rule":{"tool_name":"Write","rule_content":"/x"}}}"#;
    let event = &core(line)[0];
    assert_eq!(
        [&event["reason"], &event["reasonType"], &event["agentId"], &event["matchedAskRule"]],
        ["plan mode", "mode", "a7", "Write(/x)"]
    );
}
