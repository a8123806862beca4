//! What a story can say beyond what the CLI would do: turns that go on by what the host decided, and time that passes.

use std::time::Duration;

use lab::agent::{Pace, Step, Story, Turn};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::host::{Host, allow, kinds, prompt};

/// A turn with one call, and what is said after it.
fn asking(call: Value) -> Story {
    let mut block = json!({"type": "tool_use", "asks": true});
    block.as_object_mut().unwrap().append(&mut call.as_object().unwrap().clone());
    let steps = json!([{"message": {"blocks": [block]}}, {"message": {"blocks": [{"type": "text", "text": "Done."}]}}]);
    Story::new().turn(serde_json::from_value(steps).unwrap())
}

fn says(text: &str) -> Value {
    json!([{"message": {"blocks": [{"type": "text", "text": text}]}}])
}

fn answer(ask: &Value, decision: &Value) -> Value {
    let response = json!({"subtype": "success", "request_id": ask["request_id"], "response": decision});
    json!({"type": "control_response", "response": response})
}

async fn told(story: Story, decision: impl FnOnce(&Value) -> Value) -> Value {
    let mut host = Host::start(story);
    host.send(&prompt("go")).await;
    let ask = host.until("control_request").await;
    host.send(&decision(&ask)).await;
    host.until("result").await["result"].clone()
}

#[tokio::test]
async fn a_refused_call_may_have_a_branch_of_its_own() {
    let call = json!({"name": "Bash", "input": {"command": "make"}, "branches": {"denied": says("Then not.")}});
    let deny = |ask: &Value| answer(ask, &json!({"behavior": "deny", "message": "no"}));
    assert_eq!(told(asking(call.clone()), deny).await, "Then not.");
    assert_eq!(told(asking(call), allow).await, "Done.");
}

#[tokio::test]
async fn an_answer_to_a_question_may_have_a_branch_of_its_own() {
    let call = json!({"name": "AskUserQuestion", "input": {"questions": []}, "branches": {"Red": says("Red it is.")}});
    let chosen = |answers: Value| {
        move |ask: &Value| answer(ask, &json!({"behavior": "allow", "updatedInput": {"answers": answers}}))
    };
    assert_eq!(told(asking(call.clone()), chosen(json!({"Which?": "Red"}))).await, "Red it is.");
    assert_eq!(
        told(asking(call.clone()), chosen(json!({"Any?": "No", "Which?": ["Blue", "Red"]}))).await,
        "Red it is."
    );
    assert_eq!(told(asking(call), chosen(json!({"Which?": "Blue"}))).await, "Done.");
}

#[tokio::test]
async fn an_approved_plan_ends_the_mode_that_asked_for_it() {
    let story = asking(json!({"name": "ExitPlanMode", "input": {"plan": "1. Do it"}}));
    let mut host = Host::with_flags(story, "--permission-prompt-tool stdio --permission-mode plan");
    host.send(&prompt("go")).await;
    let ask = host.until("control_request").await;
    host.send(&allow(&ask)).await;
    assert_eq!(host.until("system").await["permissionMode"], "default");
}

#[tokio::test(start_paused = true)]
async fn an_agent_takes_the_time_that_it_is_given() {
    let pace = Pace { piece: Duration::from_millis(10), beat: Duration::from_secs(1) };
    let story = asking(json!({"name": "Bash", "input": {"command": "ls"}, "asks": false, "takes": 4}));
    let mut host = Host::start_agent(story, |agent| agent.at_pace(pace));
    let started = Instant::now();
    host.send(&prompt("go")).await;
    host.until("result").await;
    // A beat before each of two messages and four for the tool; a piece for the input and one for the text.
    assert_eq!(started.elapsed(), Duration::from_millis(6020));
}

#[tokio::test(start_paused = true)]
async fn a_background_command_ends_when_its_time_is_over_and_an_interrupt_ends_a_tool_at_once() {
    let pace = Pace { piece: Duration::ZERO, beat: Duration::from_secs(1) };
    let call = json!({"type": "tool_use", "name": "Bash", "asks": false, "takes": 30, "then": says("It is through."),
        "input": {"command": "make", "description": "A job", "run_in_background": true}});
    let waits: Turn = serde_json::from_value(json!([{"message": {"blocks": [call]}}])).unwrap();
    let long = Turn::new().calls("Bash", json!({"command": "ls"}));
    let mut host =
        Host::start_agent(Story::new().turn(waits).turn(long.then(Step::Wait(3600))), |agent| agent.at_pace(pace));
    let started = Instant::now();
    host.send(&prompt("go")).await;
    host.until("result").await;
    assert_eq!(host.until("result").await["result"], "It is through.");
    assert_eq!(started.elapsed(), Duration::from_secs(32));
    host.send(&prompt("again")).await;
    host.until("assistant").await;
    host.control("interrupt", json!({})).await;
    assert_eq!(host.until("result").await["terminal_reason"], "aborted_tools");
}

#[tokio::test]
async fn a_story_can_write_system_lines_and_name_its_figures() {
    let story = json!({
        "usage": {"input_tokens": 7, "cache_read_input_tokens": 70},
        "turns": [[{"system": {"subtype": "status", "status": "compacting"}}, {"message": {"blocks": [{"type": "text", "text": "Hi."}]}}]],
    });
    let mut host = Host::start(serde_json::from_value(story).unwrap());
    host.send(&prompt("go")).await;
    let (lines, _) = host.finish().await;
    assert_eq!(kinds(&lines), ["system/init", "system/status", "assistant/text", "result/success"]);
    assert_eq!(lines[1]["session_id"], lines[0]["session_id"]);
    assert_eq!(lines[3]["usage"]["cache_read_input_tokens"], 70);
}
