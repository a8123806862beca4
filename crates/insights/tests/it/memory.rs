//! What a converter remembers of a session does not grow with it, also where only the agent's own lines are there: nothing
//! says then that a question was answered.

use insights::convert::{Converter, Profile, RawLines};
use serde_json::json;

use crate::script::*;

/// How much is remembered after so many turns of which only stdout was kept.
fn remembered(turns: usize, turn: impl Fn(&str) -> Vec<Said>) -> usize {
    let mut converter = Converter::new("s", Profile::Full, RawLines::LeftOut);
    for record in records((0..turns).flat_map(|number| turn(&format!("{number:02}"))).collect()) {
        converter.convert(record);
    }
    serde_json::to_string(&converter).unwrap().len()
}

fn does_not_grow(turn: impl Fn(&str) -> Vec<Said>) {
    let (few, many) = (remembered(10, &turn), remembered(90, &turn));
    // Numbers have more digits then.
    assert!(many < few + 16, "{few} bytes became {many}");
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
    assert!(matches!(&events.last().unwrap().body, insights::event::Body::PermissionResolved(told) if told.allowed));
}
