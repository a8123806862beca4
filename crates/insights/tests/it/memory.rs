//! What a converter remembers of a session does not grow with it, also where only the agent's own lines are there: nothing
//! says then that a question was answered.

use insights::InsightsEvent;
use insights::convert::{Converter, Profile, RawLines};
use insights::event::Body;
use serde_json::json;

use crate::script::*;

/// How much is remembered after so many turns of which only stdout was kept.
fn remembered(turns: usize, turn: impl Fn(&str) -> Vec<Said>) -> usize {
    let mut converter = Converter::new("s", Profile::Full, RawLines::LeftOut);
    for record in records((0..turns).flat_map(|number| turn(&format!("{number:04}"))).collect()) {
        converter.convert(record);
    }
    serde_json::to_string(&converter).unwrap().len()
}

fn does_not_grow(turn: impl Fn(&str) -> Vec<Said>) {
    let (few, many) = (remembered(10, &turn), remembered(90, &turn));
    // Numbers have more digits then.
    assert!(many < few + 16, "{few} bytes became {many}");
}

/// What never comes to an end is remembered for long, and not for ever.
fn is_bounded(long: usize, turn: impl Fn(&str) -> Vec<Said>) {
    let (full, more) = (remembered(long, &turn), remembered(long + 500, &turn));
    assert!(more < full + 16, "{full} bytes became {more}");
}

/// The tool of the last result, as far as its call is known.
fn tool_of_last_result(events: &[InsightsEvent]) -> Option<&str> {
    let mut results = events.iter().filter_map(|event| match &event.body {
        Body::ToolCompletion(result) => Some(result),
        _ => None,
    });
    results.next_back().unwrap().tool_name.as_deref()
}

fn asked(request: &str, what: serde_json::Value) -> Said {
    out(json!({"type": "control_request", "request_id": request, "request": what}))
}

#[test]
fn a_question_is_forgotten_when_its_call_has_a_result() {
    let turn = |n: &str| {
        let input = json!({"file_path": "/w/a", "content": "x".repeat(1000)});
        let hook = json!({"session_id": "s1", "hook_event_name": "PreToolUse", "tool_name": "Write", "agent_id": "a1"});
        vec![
            call_of("agent", n, "Write", input.clone()),
            asked(
                &format!("p{n}"),
                json!({"subtype": "can_use_tool", "tool_name": "Write", "input": input, "tool_use_id": n, "agent_id": "a1"}),
            ),
            asked(
                &format!("h{n}"),
                json!({"subtype": "hook_callback", "callback_id": "c", "tool_use_id": n, "input": hook}),
            ),
            asked(
                &format!("d{n}"),
                json!({"subtype": "request_user_dialog", "dialog_kind": "k", "payload": {}, "tool_use_id": n}),
            ),
            result(n, "", json!({})),
        ]
    };
    does_not_grow(turn);
}

#[test]
fn what_the_main_agent_asked_is_forgotten_when_its_turn_ends() {
    let turn = |n: &str| {
        vec![
            asked(&format!("p{n}"), json!({"subtype": "can_use_tool", "tool_name": "Write", "input": {"a": 1}})),
            asked(&format!("e{n}"), json!({"subtype": "elicitation", "mcp_server_name": "git", "message": "Which?"})),
            asked(&format!("m{n}"), json!({"subtype": "mcp_message", "server_name": "git", "message": {}})),
            asked(
                &format!("h{n}"),
                json!({"subtype": "hook_callback", "callback_id": "c", "input": {"hook_event_name": "Stop"}}),
            ),
            done(0.0),
        ]
    };
    does_not_grow(turn);
}

#[test]
fn a_question_of_a_subagent_can_be_answered_after_the_turn() {
    let question = json!({
        "subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, "tool_use_id": "t", "agent_id": "a1"
    });
    let events = events(vec![asked("q", question), done(0.0), answer("q", json!({"behavior": "allow"}))]);
    assert!(matches!(&events.last().unwrap().body, Body::PermissionResolved(told) if told.allowed));
}

#[test]
fn calls_without_a_result_do_not_add_up() {
    let input = json!({"subject": "x".repeat(100)});
    is_bounded(1100, |n| vec![call(n, "TaskCreate", input.clone()), done(0.0)]);
    is_bounded(1100, |n| vec![call_of("agent", n, "TaskCreate", input.clone())]);
}

#[test]
fn work_in_the_background_whose_end_nobody_tells_does_not_add_up() {
    is_bounded(1100, |n| vec![call(n, "Bash", json!({})), result(n, "", json!({"backgroundTaskId": n})), done(0.0)]);
}

#[test]
fn subagents_do_not_add_up() {
    let answer = |n: &str| result(n, "", json!({"agentId": format!("a{n}"), "status": "completed", "content": []}));
    is_bounded(4200, |n| vec![call(n, "Agent", json!({})), answer(n)]);
}

#[test]
fn subagents_that_speak_and_never_end_do_not_add_up() {
    is_bounded(300, |n| vec![text_of(n, &format!("m{n}"), "Hello")]);
}

#[test]
fn a_call_that_was_put_off_is_known_in_a_later_turn() {
    let mut said = vec![call("late", "Bash", json!({}))];
    said.extend((0..500).flat_map(|n| [call(&format!("lost{n}"), "Read", json!({})), done(0.0)]));
    said.push(result("late", "", json!({})));
    assert_eq!(tool_of_last_result(&events(said)), Some("Bash"));
}

#[test]
fn of_too_many_calls_the_oldest_is_forgotten() {
    let lost = |ends: &str| {
        let mut said: Vec<Said> = (0..1500).map(|n| call(&format!("c{n}"), "Read", json!({}))).collect();
        said.push(result(ends, "", json!({})));
        events(said)
    };
    assert_eq!(tool_of_last_result(&lost("c0")), None);
    assert_eq!(tool_of_last_result(&lost("c1000")), Some("Read"));
}

#[test]
fn a_thousand_subagents_find_their_calls_in_a_transcript() {
    let place = json!({"sessionId": "s", "cwd": "/w", "version": "2.1.325"});
    let of = |more: serde_json::Value| {
        let mut line = place.clone();
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        entry(line)
    };
    let returned = |n: usize| {
        let block = json!({"type": "tool_result", "tool_use_id": format!("c{n}"), "content": "done"});
        of(json!({
            "type": "user", "uuid": format!("r{n}"), "message": {"role": "user", "content": [block]},
            "toolUseResult": {"agentId": format!("a{n}"), "status": "completed", "content": []}
        }))
    };
    let speaks = |n: usize| {
        let block = json!({"type": "text", "text": "Hello"});
        of(json!({
            "type": "assistant", "uuid": format!("u{n}"), "isSidechain": true, "agentId": format!("a{n}"),
            "message": {"id": format!("m{n}"), "role": "assistant", "model": "opus", "content": [block]}
        }))
    };
    let events = events((0..1000).map(returned).chain((0..1000).map(speaks)).collect());
    let lanes: Vec<String> = events
        .iter()
        .filter_map(|event| match &event.body {
            Body::Text(text) => Some(text.parent_call_id.as_ref()?.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(lanes, (0..1000).map(|n| format!("c{n}")).collect::<Vec<_>>());
}
