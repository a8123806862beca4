//! No item and no question is larger than was promised, whatever comes.

use insights::state::clip::{TEXT_BYTES, VIEW_BYTES, WHOLE_BYTES};
use insights::state::item::ItemBody;
use insights::state::tool::ToolView;
use insights::state::{Change, State};
use serde_json::{Value, json};

use crate::script::*;

/// Texts that take at least so many bytes in JSON: long ones, and short ones that JSON makes long.
fn long(bytes: usize) -> [String; 3] {
    ["é".repeat(bytes / 2 + 1), "\u{1}".repeat(bytes / 6 + 1), "\"\n".repeat(bytes / 4 + 1)]
}

fn check(what: &str, said: Vec<Said>) {
    let mut state = State::default();
    let mut checked = 0;
    for event in events(said) {
        for change in state.apply(&event) {
            let sizes: Vec<usize> = match &change {
                Change::Put { item } => vec![serde_json::to_string(item).unwrap().len()],
                // What has grown is looked at when it is put anew, and in the end.
                Change::Append { .. } => continue,
                Change::Asks { asks } => asks.iter().map(|ask| serde_json::to_string(ask).unwrap().len()).collect(),
                _ => continue,
            };
            for size in sizes {
                assert!(size <= WHOLE_BYTES, "{what}: {size} bytes: {change:.500?}");
                checked += 1;
            }
        }
    }
    for item in state.items.iter() {
        let size = serde_json::to_string(item).unwrap().len();
        assert!(size <= WHOLE_BYTES, "{what}: {size} bytes in the end: {item:.500?}");
    }
    assert!(checked > 0, "{what}: nothing was put");
}

/// Every input of a known tool, with this text in all its places.
pub(crate) fn inputs(text: &str) -> Vec<(&'static str, Value)> {
    let many = |value: Value| Value::Array(vec![value; 2_000]);
    let todo = json!({"content": text, "status": text, "activeForm": text});
    let option = json!({"label": text, "description": text, "preview": text});
    let question = json!({"question": text, "header": text, "options": [option, option, option]});
    let small = json!({"question": "?", "options": many(json!({"label": "a"}))});
    vec![
        ("Bash", json!({"command": text, "description": text})),
        ("Read", json!({"file_path": text})),
        ("Edit", json!({"file_path": text, "old_string": text, "new_string": "y"})),
        ("MultiEdit", json!({"file_path": text, "edits": many(json!({"old_string": "a", "new_string": "b"}))})),
        ("Write", json!({"file_path": text, "content": text})),
        (
            "NotebookEdit",
            json!({"notebook_path": text, "new_source": text, "cell_id": text, "cell_type": text, "edit_mode": text}),
        ),
        ("Grep", json!({"pattern": text, "path": text})),
        ("WebFetch", json!({"url": text, "prompt": text})),
        ("WebSearch", json!({"query": text})),
        ("TodoWrite", json!({"todos": many(json!({"content": "a", "status": "pending"}))})),
        ("TodoWrite", json!({"todos": [todo, todo]})),
        ("TaskCreate", json!({"subject": text, "description": text, "activeForm": text})),
        ("AskUserQuestion", json!({"questions": [question, question]})),
        ("AskUserQuestion", json!({"questions": vec![json!({"question": "?"}); 10_000]})),
        ("AskUserQuestion", json!({"questions": [small]})),
        ("ExitPlanMode", json!({"plan": text, "planFilePath": text})),
        ("Skill", json!({"skill": text, "args": text})),
        ("mcp__server__tool", json!({"a": text})),
        ("Other", json!({"a": text})),
        ("Agent", json!({"description": text, "prompt": text, "subagent_type": text, "model": text})),
    ]
}

/// What a tool gives, with this text in all its places.
pub(crate) fn given(tool: &str, text: &str) -> Value {
    let hunk = json!({"oldStart": 1, "oldLines": 1e99, "newStart": -1, "newLines": 1, "lines": [text, "+b", "-c"]});
    match tool {
        "Bash" => json!({"stdout": text, "stderr": text, "backgroundTaskId": text}),
        "Read" => json!({"file": {"content": text, "numLines": 1e300}}),
        "Edit" | "MultiEdit" | "Write" => json!({"structuredPatch": vec![hunk; 20]}),
        "NotebookEdit" => json!({"old_source": text, "language": text, "cell_id": text, "cell_type": text}),
        "Grep" => json!({"filenames": [text, text]}),
        "WebFetch" => json!({"result": text}),
        "WebSearch" => json!({"results": [text, {"content": vec![json!({"title": text, "url": text}); 20]}]}),
        "TodoWrite" => json!({"newTodos": [{"content": text}, {"content": text}]}),
        "AskUserQuestion" => json!({"answers": {text: [text, text]}}),
        "ExitPlanMode" => json!({"plan": text, "filePath": text}),
        "Agent" => json!({"status": "completed", "agentId": text, "content": [{"type": "text", "text": text}]}),
        _ => json!({"content": text}),
    }
}

#[test]
fn calls_and_their_results_are_bounded() {
    for text in long(VIEW_BYTES) {
        for (name, input) in inputs(&text) {
            let said = vec![init(), call("t", name, input.clone()), result("t", &text, given(name, &text))];
            check(name, said);
            check(name, vec![init(), call("t", name, input), failure("t", &text)]);
        }
    }
}

#[test]
fn a_megabyte_is_bounded_too() {
    let text = "x ".repeat(500_000);
    let lines = "a line\n".repeat(150_000);
    for (name, input) in [
        ("Bash", json!({"command": text})),
        ("Edit", json!({"file_path": "/a", "old_string": text, "new_string": lines})),
        ("Write", json!({"file_path": "/a", "content": lines})),
    ] {
        let hunk = json!({"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": [text, "+b"]});
        let given = json!({"stdout": text, "structuredPatch": [hunk]});
        let asked = ask("q", "t", name, input.clone());
        check(name, vec![init(), call("t", name, input), asked, result("t", &text, given)]);
    }
}

#[test]
fn questions_and_their_answers_are_bounded() {
    for text in long(VIEW_BYTES) {
        let suggestion = json!({
            "type": "addRules", "rules": vec![json!({"toolName": text, "ruleContent": text}); 3], "behavior": "allow",
            "destination": "session"
        });
        let small = json!({"type": "addDirectories", "directories": ["a"], "destination": "session"});
        for (name, input) in inputs(&text) {
            let many = (name == "Bash").then(|| vec![small.clone(); 10_000]);
            for suggestions in [vec![suggestion.clone(); 2]].into_iter().chain(many) {
                let request = out(json!({
                    "type": "control_request", "request_id": text,
                    "request": {
                        "subtype": "can_use_tool", "tool_name": name, "input": input, "tool_use_id": "t",
                        "decision_reason": text, "blocked_path": text, "title": text, "description": text,
                        "agent_id": text, "permission_suggestions": suggestions
                    }
                }));
                let deny = json!({"behavior": "deny", "message": text});
                check(
                    name,
                    vec![init(), call("t", name, input.clone()), request, answer(&text, deny), failure("t", &text)],
                );
            }
        }
        let form = json!({"subtype": "elicitation", "mcp_server_name": text, "message": text, "url": text,
            "requested_schema": {"a": text}, "elicitation_id": text});
        check("form", vec![init(), out(json!({"type": "control_request", "request_id": "q", "request": form}))]);
    }
}

#[test]
fn words_are_bounded() {
    for long in long(TEXT_BYTES) {
        check("text", vec![init(), text(&long, &long)]);
        check("prompt", vec![spawned(), prompt(&long, &long), lifecycle(&long, "started")]);
        check("notice", vec![init(), system("informational", json!({"content": long, "level": long}))]);
        let hook = json!({"hook_id": "h", "hook_name": long, "hook_event": long, "output": long, "stdout": long,
            "stderr": long, "exit_code": 1, "outcome": long});
        check("hook", vec![init(), system("hook_response", hook)]);
        check("unknown", vec![init(), out(json!({"type": long, "subtype": long}))]);
        check(
            "errors",
            vec![init(), ended(json!({"is_error": true, "errors": [long, long], "structured_output": long}))],
        );
        let empty = json!({"type": "text", "text": ""});
        let tool = json!({"type": "tool_use", "id": "t", "name": long, "input": {}});
        let input = stream(json!({
            "type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": long}
        }));
        let streamed = vec![
            init(),
            message_start("m"),
            block_start(0, empty),
            piece(0, &long),
            piece(0, &long),
            block_start(1, tool),
            input,
        ];
        check("stream", streamed);
    }
}

#[test]
fn a_turn_that_did_very_much_is_bounded() {
    let mut said = vec![init()];
    for number in 0..400 {
        let path = format!("/{}{number}", "p".repeat(900));
        said.push(call(&format!("t{number}"), "Write", json!({"file_path": path, "content": "x"})));
        said.push(result(&format!("t{number}"), "ok", json!({"type": "create"})));
    }
    let denial = json!({"tool_name": "B".repeat(2000), "tool_use_id": "x".repeat(500), "tool_input": {}});
    let models: serde_json::Map<String, Value> = (0..500)
        .map(|number| (format!("{}{number}", "m".repeat(300)), json!({"inputTokens": 1, "costUSD": 0.1})))
        .collect();
    let uuids: Vec<String> = (0..1000).map(|number| format!("prompt-{number}")).collect();
    said.push(ended(
        json!({"permission_denials": vec![denial; 1000], "modelUsage": models, "user_message_uuids": uuids}),
    ));
    check("turn", said);
}

#[test]
fn a_long_stream_of_small_pieces_stops_growing_in_time() {
    let empty = json!({"type": "text", "text": ""});
    let mut said = vec![init(), message_start("m"), block_start(0, empty)];
    said.extend((0..3000).map(|_| piece(0, "a \"quoted\" line of some words\n")));
    check("stream", said);
}

#[test]
fn truncated_text_is_where_its_pointer_says_even_in_a_line_with_many_blocks() {
    let long = |mark: &str| mark.repeat(200_000);
    let blocks = json!([
        {"type": "thinking", "thinking": long("a")},
        {"type": "text", "text": long("b")},
        {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": long("c")}},
        {"type": "tool_use", "id": "s", "name": "Task", "input": {"prompt": long("d")}},
    ]);
    let line = json!({"type": "assistant", "session_id": "s1", "message": {"id": "m", "content": blocks}});
    let state = after(vec![init(), out(line.clone())]);
    let clips = state.items.iter().flat_map(|item| match &item.body {
        ItemBody::Thinking(thinking) => vec![&thinking.text],
        ItemBody::Text(text) => vec![&text.text],
        ItemBody::Tool(tool) => match &tool.view {
            ToolView::Command { command, .. } => vec![&tool.input, command],
            other => panic!("{other:?}"),
        },
        ItemBody::Agent(agent) => vec![&agent.input, &agent.prompt],
        other => panic!("{other:?}"),
    });
    let mut checked = 0;
    for clip in clips {
        let more = clip.more.as_ref().unwrap();
        let whole = line.pointer(&more.pointer).unwrap_or_else(|| panic!("nothing at {}", more.pointer));
        let whole = whole.as_str().map_or_else(|| whole.to_string(), str::to_owned);
        assert!(whole.starts_with(&clip.text), "something else at {}", more.pointer);
        checked += 1;
    }
    assert_eq!(checked, 6);
}
