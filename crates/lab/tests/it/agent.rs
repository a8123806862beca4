//! The scripted agent in memory and as a program: its turns, its answers and its faults.

mod faults;
mod host;
mod process;
mod told;

use claude_protocol::{FromCli, drift};
use lab::agent::{Dialect, Ending, Flags, Story, Turn};
use lab::{Reply, Script};
use serde_json::json;

use host::{Host, allow, fields, kinds, prompt};

#[tokio::test]
async fn a_prompt_becomes_a_turn_that_names_it() {
    let mut host = Host::start(Story::new().says("Hello."));
    host.send(&json!({"type": "user", "uuid": "u-1", "message": {"role": "user", "content": "hi"}})).await;
    let (lines, ending) = host.finish().await;
    let expected = [
        "command_lifecycle/queued",
        "command_lifecycle/started",
        "system/init",
        "assistant/text",
        "result/success",
        "command_lifecycle/completed",
    ];
    assert_eq!(kinds(&lines), expected);
    assert_eq!(
        fields(
            &lines[4],
            &["result", "user_message_uuid", "user_message_uuids", "is_error", "num_turns", "result_index"]
        ),
        json!({"result": "Hello.", "user_message_uuid": "u-1", "user_message_uuids": ["u-1"], "is_error": false, "num_turns": 1, "result_index": 0})
    );
    assert_eq!(ending, Ending::Exited(0));
}

#[tokio::test]
async fn costs_add_up_over_the_turns_while_usage_does_not() {
    let mut host = Host::start(Story::new().says("One.").says("Two."));
    host.send(&prompt("1")).await;
    let first = host.until("result").await;
    host.send(&prompt("2")).await;
    let second = host.until("result").await;
    assert_eq!(first["usage"], second["usage"]);
    assert_eq!(second["total_cost_usd"].as_f64(), first["total_cost_usd"].as_f64().map(|cost| cost * 2.0));
    assert_eq!(second["model_usage_since_last_result"], first["modelUsage"]);
}

#[tokio::test]
async fn prompts_that_wait_are_merged_into_one_turn() {
    let story = Story::new().turn(Turn::new().says("One.").waits_for("keep_alive")).says("Two and three.");
    let mut host = Host::start(story);
    for text in ["1", "2", "3"] {
        host.send(&prompt(text)).await;
        if text == "1" {
            host.until("assistant").await;
        }
    }
    host.send(&json!({"type": "keep_alive"})).await;
    let (lines, _) = host.finish().await;
    assert_eq!(kinds(&lines), ["result/success", "system/init", "assistant/text", "result/success"]);
}

#[tokio::test]
async fn every_line_of_a_rich_turn_is_one_that_the_types_know() {
    let story = Story::new().turn(
        Turn::new()
            .thinks("Hm.")
            .says("Let me see.")
            .calls("Bash", json!({"command": "touch a", "description": "Make a file"}))
            .giving("")
            .calls("Read", json!({"file_path": "/a"}))
            .giving("text")
            .asks("Which?", &["Red", "Blue"])
            .delegates(
                "Count",
                "Count the files",
                vec![Reply::new().calls("Bash", json!({"command": "ls"})), Reply::new().says("One.")],
            )
            .hooks("cb", json!({"hook_event_name": "Stop"}))
            .messages_mcp("lab", json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
            .elicits("lab", "Name?", json!({"type": "object", "properties": {}}))
            .opens_ask("later", "Write", json!({"file_path": "/b", "content": ""}))
            .withdraws("later")
            .runs_in_background("A job", Turn::new().says("The job is done."))
            .says("Done."),
    );
    let mut host =
        Host::with_flags(story, "--permission-prompt-tool stdio --include-partial-messages --replay-user-messages");
    host.send(&json!({"type": "control_request", "request_id": "1", "request": {"subtype": "initialize"}})).await;
    host.send(&json!({"type": "user", "uuid": "u-1", "message": {"role": "user", "content": "go"}})).await;
    let mut lines = Vec::new();
    let mut results = 0;
    while results < 2 {
        let line = host.next().await;
        if line["type"] == "control_request" {
            host.send(&allow(&line)).await;
        }
        results += usize::from(line["type"] == "result");
        lines.push(line);
    }
    for line in &lines {
        let drift = drift::<FromCli>(line.to_string());
        assert!(drift.unmodelled.is_empty() && drift.notes.is_empty(), "{drift:?} in {line}");
    }
    assert!(lines.iter().any(|line| line["type"] == "control_cancel_request"));
    assert_eq!(lines.last().unwrap()["origin"]["kind"], "task-notification");
}

#[tokio::test]
async fn a_model_script_is_acted_out_like_the_cli_would() {
    let script = Script::new().calls("Bash", json!({"command": "touch a"})).says("Made.");
    let mut host = Host::start(Story::of_model(script));
    host.send(&prompt("make it")).await;
    let ask = host.until("control_request").await;
    assert_eq!(
        fields(&ask["request"], &["subtype", "tool_name", "input"]),
        json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "touch a"}})
    );
    host.send(&allow(&ask)).await;
    assert_eq!(kinds(&host.finish().await.0), ["user/tool_result", "assistant/text", "result/success"]);
}

#[tokio::test]
async fn tools_that_only_look_ask_together_and_are_answered_in_any_order() {
    let read = |path: &str| json!({"type": "tool_use", "name": "Read", "input": {"file_path": path}, "asks": true, "gives": path});
    let story = Story::new().turn(Turn::new().message(Reply::new().block(read("/a")).block(read("/b"))));
    let mut host = Host::start(story);
    host.send(&prompt("read both")).await;
    let first = host.until("control_request").await;
    let second = host.until("control_request").await;
    host.send(&allow(&second)).await;
    let result = host.until("user").await;
    assert_eq!(result["message"]["content"][0]["content"], "/b");
    host.send(&allow(&first)).await;
    assert_eq!(host.until("user").await["message"]["content"][0]["content"], "/a");
}

#[tokio::test]
async fn a_task_in_the_background_ends_when_told_and_starts_a_turn() {
    let story = Story::new().turn(
        Turn::new().runs_in_background("A job", Turn::new().says("It ended.")).until("keep_alive").says("Started."),
    );
    let mut host = Host::start(story);
    host.send(&prompt("start it")).await;
    assert!(host.until("result").await.get("origin").is_none());
    host.send(&json!({"type": "keep_alive"})).await;
    let (lines, _) = host.finish().await;
    let expected = [
        "system/task_updated",
        "system/task_notification",
        "system/background_tasks_changed",
        "system/init",
        "assistant/text",
        "result/success",
    ];
    assert_eq!(kinds(&lines), expected);
    assert_eq!(lines.last().unwrap()["result"], "It ended.");
}

#[tokio::test]
async fn the_old_dialect_is_terse_and_repeats_itself() {
    let mut host = Host::start(Story::new().says("Hello.").speaking(Dialect::Old));
    host.control("make_coffee", json!({})).await;
    host.control("set_permission_mode", json!({"mode": "plan"})).await;
    host.control("interrupt", json!({})).await;
    host.send(&json!({"type": "user", "uuid": "u-1", "message": {"role": "user", "content": "hi"}})).await;
    let (lines, _) = host.finish().await;
    assert_eq!(
        lines[..3],
        [
            json!({"type": "control_response", "response": {"subtype": "success", "request_id": "set_permission_mode", "response": {"mode": "plan"}}}),
            json!({"type": "control_response", "response": {"subtype": "success", "request_id": "set_permission_mode"}}),
            json!({"type": "control_response", "response": {"subtype": "success", "request_id": "interrupt"}}),
        ]
    );
    assert_eq!(kinds(&lines[3..]), ["system/init", "assistant/text", "result/success"]);
    assert!(lines[5].get("user_message_uuid").is_none());
    assert_eq!(lines[3]["claude_code_version"], "2.1.38");
}

#[tokio::test]
async fn an_unknown_control_request_gets_the_error_of_the_cli() {
    let mut host = Host::start(Story::new());
    host.control("make_coffee", json!({})).await;
    assert_eq!(
        host.next().await,
        json!({"type": "control_response", "response": {
            "subtype": "error", "request_id": "make_coffee",
            "error": "Unsupported control request subtype: make_coffee", "error_code": "unsupported_request",
        }})
    );
}

#[tokio::test]
async fn an_interrupted_tool_is_rejected_and_the_session_goes_on() {
    let story = Story::new()
        .turn(Turn::new().calls("Bash", json!({"command": "sleep 600"})).unasked().until("never"))
        .says("Again.");
    let mut host = Host::start(story);
    host.send(&prompt("go")).await;
    host.until("assistant").await;
    host.control("interrupt", json!({})).await;
    let lines = host.lines_to("result").await;
    assert_eq!(
        kinds(&lines),
        ["control_response/success", "user/tool_result", "user/text", "result/error_during_execution"]
    );
    assert_eq!(lines[3]["terminal_reason"], "aborted_tools");
    host.send(&prompt("again")).await;
    assert_eq!(host.finish().await.1, Ending::Exited(0));
}

#[tokio::test]
async fn flags_change_what_is_said() {
    let mut host = Host::start_agent(Story::new().says("Hi there"), |agent| {
        agent.with_flags(Flags::parse(["--include-partial-messages", "--model", "opus", "--session-id", "s-1"]))
    });
    host.send(&prompt("hi")).await;
    let init = host.until("system").await;
    assert_eq!(fields(&init, &["session_id", "model"]), json!({"session_id": "s-1", "model": "opus"}));
    let (lines, _) = host.finish().await;
    let deltas = lines.iter().filter(|line| line["event"]["type"] == "content_block_delta");
    let text: String = deltas.filter_map(|line| line["event"]["delta"]["text"].as_str()).collect();
    assert_eq!(text, "Hi there");
}
