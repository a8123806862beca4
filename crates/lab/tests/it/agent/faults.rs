//! Faults on demand, in memory.

use lab::agent::{ControlFault, Death, Ending, Flood, IN_FILE, Ignored, Kind, OUT_FILE, Step, Story, Turn, moment_us};
use serde_json::json;

use super::host::{Host, allow, kinds, prompt};

#[tokio::test]
async fn a_control_request_is_met_with_silence_an_error_or_two_answers() {
    let story = Story::new()
        .on_control("get_plan", ControlFault::Silence)
        .on_next_control("mcp_status", ControlFault::Error("no".to_owned()))
        .on_next_control("mcp_status", ControlFault::Body(json!({"odd": true})))
        .on_control("mcp_status", ControlFault::Twice);
    let mut host = Host::start(story);
    for subtype in ["get_plan", "mcp_status", "mcp_status", "mcp_status"] {
        host.control(subtype, json!({})).await;
    }
    let (lines, _) = host.finish().await;
    let success = |body| json!({"type": "control_response", "response": {"subtype": "success", "request_id": "mcp_status", "response": body}});
    let error = json!({"type": "control_response", "response": {"subtype": "error", "request_id": "mcp_status", "error": "no"}});
    let usual = success(json!({"mcpServers": []}));
    assert_eq!(lines, [error, success(json!({"odd": true})), usual.clone(), usual]);
}

#[tokio::test]
async fn a_slow_answer_comes_when_a_later_line_was_read() {
    let story = Story::new().on_control("mcp_status", ControlFault::After(Kind::from("control_request/get_plan")));
    let mut host = Host::start(story);
    host.control("mcp_status", json!({})).await;
    host.control("list_models", json!({})).await;
    host.control("get_plan", json!({})).await;
    let (lines, _) = host.finish().await;
    let ids: Vec<_> = lines.iter().map(|line| line["response"]["request_id"].clone()).collect();
    assert_eq!(ids, ["list_models", "mcp_status", "get_plan"]);
}

#[tokio::test]
async fn a_control_request_can_be_deadly() {
    let mut host = Host::start(Story::new().on_control("interrupt", ControlFault::Death(Death::Code(9))));
    host.control("interrupt", json!({})).await;
    assert_eq!(host.ending().await, Ending::Exited(9));
}

#[tokio::test]
async fn garbage_is_written_byte_for_byte() {
    let turn = Turn::new()
        .writes("no json at all")
        .writes_bytes(b"\xff\xfe\n")
        .writes(r#"{"type":"hologram"}"#)
        .writes_part("{\"type\":")
        .behind("go")
        .writes_part("\"keep_alive\"}\n");
    let mut host = Host::start(Story::new().turn(turn));
    host.send(&prompt("go")).await;
    host.next_bytes().await;
    assert_eq!(host.next_bytes().await.unwrap(), b"no json at all\n");
    assert_eq!(host.next_bytes().await.unwrap(), b"\xff\xfe\n");
    assert_eq!(host.next_bytes().await.unwrap(), b"{\"type\":\"hologram\"}\n");
    host.gates.release("go");
    assert_eq!(host.next_bytes().await.unwrap(), b"{\"type\":\"keep_alive\"}\n");
}

#[tokio::test]
async fn half_a_line_is_the_last_word_of_a_dying_agent() {
    let mut host = Host::start(Story::new().turn(Turn::new().writes_part("{\"type\":\"assi").is_killed()));
    host.send(&prompt("go")).await;
    host.next_bytes().await;
    assert_eq!(host.next_bytes().await.unwrap(), b"{\"type\":\"assi");
    assert_eq!(host.next_bytes().await, None);
    assert_eq!(host.ending().await, Ending::Killed);
}

#[tokio::test]
async fn a_request_of_an_unknown_subtype_waits_for_any_answer() {
    let mut host =
        Host::start(Story::new().turn(Turn::new().requests("make_tea", json!({"sugar": 2})).says("Thanks.")));
    host.send(&prompt("go")).await;
    let request = host.until("control_request").await;
    assert_eq!(request["request"], json!({"subtype": "make_tea", "sugar": 2}));
    let refusal = json!({"subtype": "error", "request_id": request["request_id"], "error": "unknown"});
    host.send(&json!({"type": "control_response", "response": refusal})).await;
    assert_eq!(kinds(&host.finish().await.0), ["assistant/text", "result/success"]);
}

#[tokio::test]
async fn a_withdrawn_ask_takes_no_answer_any_more() {
    let turn = Turn::new().opens_ask("a", "Bash", json!({})).waits_for("keep_alive").withdraws("a").says("Never mind.");
    let mut host = Host::start(Story::new().turn(turn));
    host.send(&prompt("go")).await;
    let ask = host.until("control_request").await;
    host.send(&json!({"type": "keep_alive"})).await;
    let cancel = host.next().await;
    assert_eq!(cancel, json!({"type": "control_cancel_request", "request_id": ask["request_id"]}));
    host.send(&allow(&ask)).await;
    assert_eq!(kinds(&host.finish().await.0), ["assistant/text", "result/success"]);
}

// In paused time a wait is over once nobody has anything left to do.
#[tokio::test(start_paused = true)]
async fn a_hanging_turn_is_ended_by_an_interrupt_and_a_deaf_one_by_nothing() {
    let mut host = Host::start(Story::new().turn(Turn::new().hangs()).turn(Turn::new().goes_deaf()));
    host.send(&prompt("1")).await;
    host.until("system").await;
    host.control("interrupt", json!({})).await;
    let lines = host.lines_to("result").await;
    assert_eq!(kinds(&lines), ["control_response/success", "user/text", "result/error_during_execution"]);
    host.send(&prompt("2")).await;
    host.until("system").await;
    host.control("interrupt", json!({})).await;
    let waiting = tokio::time::timeout(std::time::Duration::from_secs(1), host.next_bytes());
    assert!(waiting.await.is_err(), "a deaf agent answered");
}

#[tokio::test]
async fn a_huge_line_is_one_line() {
    let mut host = Host::start(Story::new().turn(Turn::new().writes_huge_line(3_000_000)));
    host.send(&prompt("go")).await;
    let line = host.until("assistant").await;
    assert_eq!(line["message"]["content"][0]["text"].as_str().unwrap().len(), 3_000_000);
}

#[tokio::test]
async fn a_malformed_line_ends_the_agent() {
    let mut host = Host::start(Story::new());
    host.send(&json!({"type": "user"})).await;
    assert_eq!(host.ending().await, Ending::Exited(1));
}

#[tokio::test]
async fn an_error_as_the_last_result_is_the_exit_code() {
    let story =
        Story::new().turn(Turn::new().says("Hm.").results_in(json!({"is_error": true, "subtype": "error_max_turns"})));
    let mut host = Host::start(story);
    host.send(&prompt("go")).await;
    let (lines, ending) = host.finish().await;
    assert_eq!(kinds(&lines).last().unwrap(), "result/error_max_turns");
    assert_eq!(ending, Ending::Exited(1));
}

// In paused time a wait is over once nobody has anything left to do.
#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_can_be_ignored() {
    let mut host = Host::start(Story::new().ignoring(Ignored::Eof));
    host.control("mcp_status", json!({})).await;
    host.next().await;
    let ending = tokio::time::timeout(std::time::Duration::from_secs(1), host.finish());
    assert!(ending.await.is_err(), "the agent ended with its input");
}

#[tokio::test]
async fn paced_deltas_say_when_they_were_written() {
    let mut host = Host::start(Story::new().turn(Turn::new().paces(3, 1)));
    host.send(&prompt("go")).await;
    let (mut words, mut whole) = (Vec::new(), String::new());
    loop {
        let line: serde_json::Value = serde_json::from_slice(&host.next_bytes().await.unwrap()).unwrap();
        if line["event"]["type"] == "content_block_delta" {
            words.push(line["event"]["delta"]["text"].as_str().unwrap().to_owned());
        }
        if line["type"] == "assistant" {
            whole = line["message"]["content"][0]["text"].as_str().unwrap().to_owned();
        }
        if line["type"] == "result" {
            break;
        }
    }
    assert_eq!(words.concat(), whole);
    let moments: Vec<u64> = words.iter().map(|word| word.trim().parse().unwrap()).collect();
    assert_eq!(moments.len(), 3);
    assert!(moments.is_sorted() && moments[2] <= moment_us(), "{moments:?}");
}

#[tokio::test]
async fn a_flood_is_numbered_whole_and_in_the_side_files() {
    let folder = std::env::temp_dir().join(format!("lab-agent-flood-{}", std::process::id()));
    let story =
        Story::new().turn(Turn::new().then(Step::Flood(Flood { deltas: 20_000, line_bytes: 400, endless: false })));
    let mut host = Host::start_agent(story, |agent| agent.recording_in(&folder).unwrap());
    host.send(&prompt("go")).await;
    let mut all = Vec::new();
    let mut deltas = 0;
    let mut whole = String::new();
    loop {
        let bytes = host.next_bytes().await.unwrap();
        let line: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        all.extend_from_slice(&bytes);
        if line["event"]["type"] == "content_block_delta" {
            assert_eq!(bytes.len(), 400);
            assert!(line["event"]["delta"]["text"].as_str().unwrap().starts_with(&format!("{deltas:010} ")));
            deltas += 1;
        }
        if line["type"] == "assistant" {
            whole = line["message"]["content"][0]["text"].as_str().unwrap().to_owned();
        }
        if line["type"] == "result" {
            break;
        }
    }
    assert_eq!(deltas, 20_000);
    assert_eq!(whole.split_whitespace().count(), 20_000);
    assert_eq!(std::fs::read(folder.join(OUT_FILE)).unwrap(), all);
    assert_eq!(std::fs::read_to_string(folder.join(IN_FILE)).unwrap(), format!("{}\n", prompt("go")));
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_flood_can_be_interrupted() {
    let story =
        Story::new().turn(Turn::new().then(Step::Flood(Flood { deltas: u64::MAX, line_bytes: 0, endless: true })));
    let mut host = Host::start(story);
    host.send(&prompt("go")).await;
    host.until("stream_event").await;
    host.control("interrupt", json!({})).await;
    assert_eq!(host.until("result").await["terminal_reason"], "aborted_streaming");
}
