//! Blocks, streams, tools and subagents: where the documents disagree, by number.

use insights::convert::Profile;
use insights::state::tool::ToolView;
use serde_json::{Value, json};

use super::{captured, column, core, full, of_kind};
use crate::fixtures::VERSIONS;
use crate::script::{after, call, result, tool};
use crate::support::told;

#[test]
fn c33_the_second_name_of_a_stream_event_changes_nothing() {
    let delta = json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "a" } });
    let plain = json!({ "type": "stream_event", "event": delta });
    let named = json!({ "type": "stream_event", "event_type": "message_stop", "event": delta });
    assert_eq!(core(&named.to_string()), core(&plain.to_string()));
    assert_eq!(core(&plain.to_string())[0]["textDelta"], "a");
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
fn c38_overwrite_and_update_both_mean_replaced() {
    let written = |kind: &str| {
        let input = json!({ "file_path": "/w/a", "content": "two\n" });
        let structured = json!({
            "type": kind, "filePath": "/w/a", "content": "two\n", "originalFile": "one\n",
            "structuredPatch": [{ "oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-one", "+two"] }]
        });
        let state = after(vec![call("t", "Write", input), result("t", "done", structured)]);
        let ToolView::Edit { diff, .. } = &tool(&state, "t").view else { panic!("no edit") };
        (diff.created, diff.added, diff.removed)
    };
    assert_eq!(written("update"), (false, 1, 1));
    assert_eq!(written("overwrite"), written("update"));
    assert!(written("create").0);
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
fn c42_a_subagent_that_is_resumed_is_still_told_as_such() {
    let line = |input: Value| {
        let call = json!({ "type": "tool_use", "id": "t", "name": "Agent", "input": input });
        json!({ "type": "assistant", "message": { "id": "m", "content": [call] } }).to_string()
    };
    let spawn = |input: Value| {
        let spawn = core(&line(input)).pop().unwrap();
        (spawn["isResume"].clone(), spawn["resumeAgentId"].clone())
    };
    assert_eq!(spawn(json!({ "prompt": "go on", "resume": "a7" })), (json!(true), json!("a7")));
    assert_eq!(spawn(json!({ "prompt": "go on" })), (json!(false), Value::Null));
}

#[test]
fn c43_a_background_subagent_ends_with_its_notification_and_not_with_its_result() {
    let events = captured("2.1.326", "background-subagent");
    let ends = of_kind(&events, "subagent_complete");
    assert_eq!(ends.len(), 1);
    assert_eq!((&ends[0]["status"], &ends[0]["summary"]), (&json!("completed"), &json!("1 file.")));
    let place = |kind: &str| events.iter().position(|event| event["event"] == kind).unwrap();
    assert!(place("turn_complete") < place("subagent_complete"));
    // One in the foreground is told once, though its notification comes as well.
    assert_eq!(of_kind(&captured("2.1.326", "subagent"), "subagent_complete").len(), 1);
}

#[test]
fn c44_a_parent_counts_where_somebody_speaks_and_nowhere_else() {
    let with = |line: &Value, parent: &str| {
        let mut line = line.clone();
        line["parent_tool_use_id"] = parent.into();
        line.to_string()
    };
    for line in [
        json!({ "type": "system", "subtype": "init", "model": "opus" }),
        json!({ "type": "system", "subtype": "status", "status": "compacting" }),
        json!({ "type": "system", "subtype": "compact_boundary", "compact_metadata": { "trigger": "auto" } }),
        json!({ "type": "result", "subtype": "success", "total_cost_usd": 0.5 }),
    ] {
        assert_eq!(full(&with(&line, "t")), full(&line.to_string()));
    }
    let text = json!({ "type": "text", "text": "a" });
    for line in [
        json!({ "type": "assistant", "message": { "id": "m", "content": [text] } }),
        json!({ "type": "user", "message": { "role": "user", "content": [text] } }),
        json!({ "type": "stream_event", "event": { "type": "message_start", "message": { "id": "m" } } }),
    ] {
        assert_eq!(full(&with(&line, "t"))[0]["parentCallId"], "t", "{line}");
    }
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
