//! The source documents' own test cases (R328–R345), and what else they say of single messages, in profile `core`.
//!
//! Each case is lines in and events out, so that the same cases can be run over a session as well.

use insights::convert::Profile;
use serde_json::{Value, json};

use crate::support::told;

/// Lines in, events out.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) lines: &'static [&'static str],
    pub(crate) events: fn() -> Value,
}

macro_rules! cases {
    ($( $(#[$meta:meta])* $name:ident: $lines:expr => $events:tt; )*) => {
        /// All cases, for whoever can feed lines.
        pub(crate) const CASES: &[Case] = &[$(
            Case { name: stringify!($name), lines: &$lines, events: || json!($events) },
        )*];

        $( #[test] $(#[$meta])* fn $name() {
            let case = named(stringify!($name));
            assert_eq!(Value::from(told(case.lines, Profile::Core)), (case.events)());
        } )*

        /// The same over a session (R346).
        mod over_a_session {
            $( #[tokio::test] async fn $name() {
                crate::live::double::holds(super::named(stringify!($name))).await;
            } )*
        }
    };
}

fn named(name: &str) -> &'static Case {
    CASES.iter().find(|case| case.name == name).unwrap()
}

const INIT: &str = concat!(
    r#"{"type":"system","subtype":"init","session_id":"s1","uuid":"u1","cwd":"/work","model":"claude-x","#,
    r#""permissionMode":"default","tools":["Bash","Read"],"mcp_servers":[{"name":"db","status":"connected"},7],"#,
    r#""slash_commands":["compact"],"apiKeySource":"none","output_style":"default"}"#
);
const INITIALIZE: &str = concat!(
    r#"{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"#,
    r#""commands":[{"name":"compact","description":"Sum up","argumentHint":"[what]"}],"#,
    r#""models":[{"value":"opus","displayName":"Opus","description":"Strong"}],"#,
    r#""account":{"email":"a@b","organization":"O","subscriptionType":"max","tokenSource":"t","apiKeySource":"none"}}}}"#
);

cases! {
    r328_a_system_init_gives_one_session_init: [INIT] => [{
        "event": "session_init", "sessionId": "s1", "messageUuid": "u1", "model": "claude-x", "cwd": "/work",
        "availableTools": ["Bash", "Read"], "mcpServers": [{ "name": "db", "status": "connected" }],
        "permissionMode": "default",
        "slashCommands": [{ "name": "compact", "description": "", "argumentHint": "" }],
        "outputStyle": "default", "apiKeySource": "none", "isFirst": true,
        "extensions": { "claude.apiKeySource": "none", "claude.outputStyle": "default" }
    }];

    r329_a_system_init_is_joined_with_the_kept_initialize_answer: [INITIALIZE, INIT] => [{
        "event": "session_init", "sessionId": "s1", "messageUuid": "u1", "model": "claude-x", "cwd": "/work",
        "availableTools": ["Bash", "Read"], "mcpServers": [{ "name": "db", "status": "connected" }],
        "permissionMode": "default",
        "account": {
            "email": "a@b", "organization": "O", "subscriptionType": "max", "tokenSource": "t", "apiKeySource": "none"
        },
        "slashCommands": [{ "name": "compact", "description": "Sum up", "argumentHint": "[what]" }],
        "availableModels": [{ "value": "opus", "displayName": "Opus", "description": "Strong" }],
        "outputStyle": "default", "apiKeySource": "none", "isFirst": true,
        "extensions": { "claude.apiKeySource": "none", "claude.outputStyle": "default" }
    }];

    r330_the_status_compacting_gives_one_session_status:
        [r#"{"type":"system","subtype":"status","status":"compacting","session_id":"s1","message":"Wait"}"#] =>
        [{ "event": "session_status", "sessionId": "s1", "status": "compacting", "message": "Wait" }];

    r331_a_compact_boundary_gives_a_compaction_with_its_tokens:
        [r#"{"type":"system","subtype":"compact_boundary","session_id":"s1","compact_metadata":{"trigger":"auto","pre_tokens":180000}}"#] =>
        [{ "event": "context_compaction", "sessionId": "s1", "trigger": "auto", "preTokens": 180000 }];

    r332_a_cleared_context_gives_a_compaction:
        [r#"{"type":"system","subtype":"context_cleared","session_id":"s1"}"#] =>
        [{ "event": "context_compaction", "sessionId": "s1", "trigger": "cleared" }];

    r333_an_assistant_text_gives_a_text:
        [r#"{"type":"assistant","session_id":"s1","message":{"model":"m","content":[{"type":"text","text":"Hi"}]}}"#] =>
        [{ "event": "text", "sessionId": "s1", "text": "Hi", "kind": "text", "model": "m", "blockIndex": 0 }];

    r334_an_assistant_thought_gives_a_thinking_text:
        [r#"{"type":"assistant","session_id":"s1","message":{"content":[{"type":"thinking","thinking":"Hm","signature":"x"}]}}"#] =>
        [{ "event": "text", "sessionId": "s1", "text": "Hm", "kind": "thinking", "blockIndex": 0 }];

    r335_an_assistant_tool_use_gives_an_invocation:
        [r#"{"type":"assistant","session_id":"s1","message":{"content":[{"type":"tool_use","id":"tu_1","name":"Bash","input":{"command":"ls","cwd":"/x"}}]}}"#] =>
        [{
            "event": "tool_invocation", "sessionId": "s1", "callId": "tu_1", "kind": "execute", "toolName": "Bash",
            "input": { "command": "ls", "cwd": "/x" }, "blockIndex": 0
        }];

    r336_text_thinking_and_tool_use_give_three_events_in_that_order:
        [r#"{"type":"assistant","session_id":"s1","message":{"id":"m1","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"b"},{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"/f"}}]}}"#] =>
        [
            { "event": "text", "sessionId": "s1", "text": "a", "kind": "text", "messageId": "m1", "blockIndex": 0 },
            {
                "event": "text", "sessionId": "s1", "text": "b", "kind": "thinking", "messageId": "m1", "blockIndex": 1,
                "lineBlock": 1
            },
            {
                "event": "tool_invocation", "sessionId": "s1", "callId": "t", "kind": "read", "toolName": "Read",
                "input": { "file_path": "/f" }, "locations": ["/f"], "messageId": "m1", "blockIndex": 2,
                "lineBlock": 2
            }
        ];

    r337_a_task_tool_gives_an_invocation_and_then_a_subagent:
        [r#"{"type":"assistant","session_id":"s1","message":{"content":[{"type":"tool_use","id":"t","name":"Task","input":{"subagent_type":"Explore","prompt":"Look"}}]}}"#] =>
        [
            {
                "event": "tool_invocation", "sessionId": "s1", "callId": "t", "kind": "think", "toolName": "Task",
                "input": { "subagent_type": "Explore", "prompt": "Look" }, "blockIndex": 0
            },
            {
                "event": "subagent_spawn", "sessionId": "s1", "callId": "t", "agentType": "Explore", "description": "Look",
                "isResume": false, "prompt": "Look"
            }
        ];

    r338_a_tool_result_gives_a_completion:
        [r#"{"type":"user","session_id":"s1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"tu_1","content":"ok"}]}}"#] =>
        [{
            "event": "tool_completion", "sessionId": "s1", "callId": "tu_1", "status": "completed", "output": "ok",
            "isError": false, "content": "ok", "images": [], "blockIndex": 0
        }];

    r339_a_structured_result_is_the_output:
        [r#"{"type":"user","session_id":"s1","tool_use_result":{"oldTodos":[],"newTodos":[1.50]},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"tu_1","content":"ok","is_error":true}]}}"#] =>
        [{
            "event": "tool_completion", "sessionId": "s1", "callId": "tu_1", "status": "failed",
            "output": { "oldTodos": [], "newTodos": [1.50] }, "isError": true, "content": "ok", "errorText": "ok",
            "images": [], "blockIndex": 0, "outputPointer": "/tool_use_result"
        }];

    r340_a_synthetic_text_is_marked:
        [r#"{"type":"user","session_id":"s1","isSynthetic":true,"message":{"role":"user","content":[{"type":"text","text":"So far"}]}}"#] =>
        [{
            "event": "text", "sessionId": "s1", "text": "So far", "kind": "text", "blockIndex": 0, "role": "feedback",
            "extensions": { "claude.isSynthetic": true }
        }];

    r341_a_result_gives_one_turn_complete_with_all_fields: [concat!(
            r#"{"type":"result","subtype":"success","is_error":false,"session_id":"s1","uuid":"u9","result":"Done","#,
            r#""duration_ms":1200,"duration_api_ms":900,"num_turns":2,"total_cost_usd":0.25,"errors":["e"],"#,
            r#""usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":4},"#,
            r#""modelUsage":{"m":{"inputTokens":1,"outputTokens":2,"cacheReadInputTokens":3,"cacheCreationInputTokens":4,"#,
            r#""costUSD":0.25,"contextWindow":200000,"webSearchRequests":0},"x":7},"#,
            r#""permission_denials":[{"tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"ls"}}]}"#
        )] => [{
            "event": "turn_complete", "sessionId": "s1", "messageUuid": "u9", "isError": false, "subtype": "success",
            "errors": ["e"], "result": "Done", "costUsd": 0.25, "turnCostUsd": 0.25, "durationMs": 1200,
            "durationApiMs": 900, "numTurns": 2,
            "usage": { "inputTokens": 1, "outputTokens": 2, "cacheReadTokens": 3, "cacheCreationTokens": 4 },
            "modelUsage": { "m": {
                "inputTokens": 1, "outputTokens": 2, "cacheReadTokens": 3, "cacheCreationTokens": 4, "costUsd": 0.25,
                "contextWindow": 200000, "webSearchRequests": 0
            } },
            "turnModelUsage": { "m": {
                "inputTokens": 1, "outputTokens": 2, "cacheReadTokens": 3, "cacheCreationTokens": 4, "costUsd": 0.25,
                "contextWindow": 200000, "webSearchRequests": 0
            } },
            "permissionDenials": [{ "toolName": "Bash", "toolUseId": "t", "toolInput": { "command": "ls" } }],
            "isInterrupted": false, "promptUuids": []
        }];

    r342_a_can_use_tool_request_gives_one_permission_request: [concat!(
            r#"{"type":"control_request","request_id":"r1","session_id":"s1","request":{"subtype":"can_use_tool","#,
            r#""tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t","blocked_path":"/x","decision_reason":"why","#,
            r#""permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls:*"}],"#,
            r#""behavior":"allow","destination":"session"}]}}"#
        )] => [{
            "event": "permission_request", "sessionId": "s1", "requestId": "r1", "toolName": "Bash", "toolKind": "execute",
            "toolInput": { "command": "ls" }, "toolUseId": "t", "reason": "why", "blockedPath": "/x",
            "suggestions": [{
                "type": "addRules", "description": "Allow Bash(ls:*) for this session", "toolName": "Bash",
                "rules": [{ "toolName": "Bash", "ruleContent": "ls:*" }], "behavior": "allow", "destination": "session",
                "raw": {
                    "type": "addRules", "rules": [{ "toolName": "Bash", "ruleContent": "ls:*" }], "behavior": "allow",
                    "destination": "session"
                }
            }],
            "isQuestion": false
        }];

    r343_a_text_delta_gives_a_stream_delta:
        [r#"{"type":"stream_event","session_id":"s1","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}}"#] =>
        [{ "event": "stream_delta", "sessionId": "s1", "kind": "text", "textDelta": "Hi", "blockIndex": 0 }];

    r344_an_unknown_type_gives_nothing: [r#"{"type":"foo","x":1}"#] => [];

    r345_all_events_of_a_subagent_carry_its_call:
        [r#"{"type":"assistant","session_id":"s1","parent_tool_use_id":"tu_parent","message":{"content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"Agent","input":{"description":"d"}}]}}"#] =>
        [
            { "event": "text", "sessionId": "s1", "text": "a", "kind": "text", "parentCallId": "tu_parent", "blockIndex": 0 },
            {
                "event": "tool_invocation", "sessionId": "s1", "callId": "t", "parentCallId": "tu_parent", "kind": "think",
                "toolName": "Agent", "input": { "description": "d" }, "blockIndex": 1, "lineBlock": 1
            },
            {
                "event": "subagent_spawn", "sessionId": "s1", "callId": "t", "parentCallId": "tu_parent", "description": "d",
                "isResume": false, "lineBlock": 1
            }
        ];

    r266_a_line_without_a_session_has_the_session_of_the_converter:
        [r#"{"type":"system","subtype":"context_cleared"}"#] =>
        [{ "event": "context_compaction", "sessionId": "fixture", "trigger": "cleared" }];

    r287_a_replayed_text_is_marked:
        [r#"{"type":"user","session_id":"s1","isReplay":true,"message":{"role":"user","content":[{"type":"text","text":"again"}]}}"#] =>
        [{
            "event": "text", "sessionId": "s1", "text": "again", "kind": "text", "blockIndex": 0, "role": "replay",
            "extensions": { "claude.isReplay": true }
        }];

    r288_regular_user_text_gives_nothing:
        [r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}"#] => [];

    r291_locations_are_the_paths_of_the_input_and_the_pattern_of_a_glob:
        [r#"{"type":"assistant","session_id":"s1","message":{"content":[{"type":"tool_use","id":"t","name":"Glob","input":{"pattern":"*.rs","path":"/p","file_path":"/f","notebook_path":7}}]}}"#] =>
        [{
            "event": "tool_invocation", "sessionId": "s1", "callId": "t", "kind": "search", "toolName": "Glob",
            "input": { "pattern": "*.rs", "path": "/p", "file_path": "/f", "notebook_path": 7 },
            "locations": ["/f", "/p", "*.rs"], "blockIndex": 0
        }];

    r293_a_tool_use_without_id_name_or_input_gets_them:
        [r#"{"type":"assistant","session_id":"s1","message":{"content":[{"type":"tool_use"}]}}"#] =>
        [{
            "event": "tool_invocation", "sessionId": "s1", "callId": "call-1-0", "kind": "other", "toolName": "",
            "input": {}, "blockIndex": 0
        }];

    r297_a_resumed_subagent_says_whose_work_it_goes_on_with:
        [r#"{"type":"assistant","session_id":"s1","message":{"content":[{"type":"tool_use","id":"t","name":"Task","input":{"name":"n","task":"go","resume":"a7"}}]}}"#] =>
        [
            {
                "event": "tool_invocation", "sessionId": "s1", "callId": "t", "kind": "think", "toolName": "Task",
                "input": { "name": "n", "task": "go", "resume": "a7" }, "blockIndex": 0
            },
            {
                "event": "subagent_spawn", "sessionId": "s1", "callId": "t", "agentType": "n", "description": "go",
                "isResume": true, "resumeAgentId": "a7"
            }
        ];

    r298_the_end_of_a_subagent_is_told_from_its_structured_result:
        [r#"{"type":"user","session_id":"s1","tool_use_result":{"status":"completed","agentId":"a7","content":[{"type":"text","text":"Found"}],"totalTokens":5},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}}"#] =>
        [
            {
                "event": "tool_completion", "sessionId": "s1", "callId": "t", "status": "completed", "isError": false,
                "output": { "status": "completed", "agentId": "a7", "content": [{ "type": "text", "text": "Found" }], "totalTokens": 5 },
                "images": [], "blockIndex": 0, "outputPointer": "/tool_use_result"
            },
            {
                "event": "subagent_complete", "sessionId": "s1", "callId": "t", "agentId": "a7", "status": "completed",
                "summary": "Found", "totalTokens": 5
            }
        ];

    r312_each_stream_event_gives_at_most_one_delta: [
            r#"{"type":"stream_event","session_id":"s1","event":{"type":"message_start","message":{"id":"m1","content":[]}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Bash","input":{}}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a"}}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_stop","index":0}}"#,
            r#"{"type":"stream_event","event":{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"Hm"}}}"#,
            r#"{"type":"stream_event","event":{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}}}"#,
            r#"{"type":"stream_event","event":{"type":"message_stop"}}"#,
            r#"{"type":"stream_event","event":{"type":"surprise"}}"#,
            r#"{"type":"stream_event"}"#
        ] => [
            { "event": "stream_delta", "sessionId": "s1", "kind": "messageStart", "messageId": "m1" },
            {
                "event": "stream_delta", "sessionId": "s1", "kind": "blockStart", "messageId": "m1", "blockIndex": 0,
                "callId": "t", "blockType": "tool_use", "toolName": "Bash"
            },
            {
                "event": "stream_delta", "sessionId": "s1", "kind": "toolInput", "messageId": "m1", "blockIndex": 0,
                "callId": "t", "jsonDelta": "{\"a"
            },
            { "event": "stream_delta", "sessionId": "s1", "kind": "blockStop", "messageId": "m1", "blockIndex": 0 },
            { "event": "stream_delta", "sessionId": "s1", "kind": "thinking", "messageId": "m1", "blockIndex": 1, "textDelta": "Hm" },
            {
                "event": "stream_delta", "sessionId": "s1", "kind": "messageStop", "messageId": "m1",
                "extensions": { "claude.stopReason": "tool_use" }
            },
            { "event": "stream_delta", "sessionId": "s1", "kind": "messageStop", "messageId": "m1" }
        ];

    r322_control_responses_and_other_control_requests_give_nothing: [
            INITIALIZE,
            r#"{"type":"control_response","response":{"subtype":"error","request_id":"x","error":"no"}}"#,
            r#"{"type":"control_request","request_id":"r2","request":{"subtype":"hook_callback","callback_id":"h","input":{}}}"#
        ] => [];

    r323_unknown_system_lines_and_neutral_statuses_give_nothing: [
            r#"{"type":"system","subtype":"tomorrow"}"#,
            r#"{"type":"system","subtype":"status","status":null,"permissionMode":"plan"}"#,
            r#"{"type":"system","subtype":"status","status":"requesting"}"#,
            r#"{"type":"system","subtype":"status","status":"dreaming"}"#,
            r#"{"type":"system","subtype":"session_title_changed","title":"T"}"#,
            "not JSON"
        ] => [];

    r324_wrong_types_fall_back_to_defaults: [concat!(
            r#"{"type":"result","subtype":7,"is_error":"yes","duration_ms":"long","num_turns":-1,"usage":[],"modelUsage":"x","#,
            r#""permission_denials":{},"result":{},"total_cost_usd":"1"}"#
        )] => [{
            "event": "turn_complete", "sessionId": "fixture", "isError": true, "turnCostUsd": 0, "turnModelUsage": {},
            "isInterrupted": false, "promptUuids": []
        }];

    r325_entries_of_a_list_that_are_no_objects_are_skipped:
        [r#"{"type":"assistant","session_id":"s1","message":{"content":[7,null,"x",{"type":"text","text":"a"},{"type":"hologram"}]}}"#] =>
        [{ "event": "text", "sessionId": "s1", "text": "a", "kind": "text", "blockIndex": 0 }];

    r326_empty_and_missing_content_gives_nothing: [
            r#"{"type":"assistant","message":{"content":[]}}"#, r#"{"type":"assistant","message":{}}"#, r#"{"type":"assistant"}"#,
            r#"{"type":"user","message":{"role":"user","content":[]}}"#, r#"{"type":"user"}"#
        ] => [];
}

#[test]
fn r272_tool_names_map_to_kinds() {
    let kind = |name: &str| {
        let line = json!({ "type": "assistant", "message": { "content": [
            { "type": "tool_use", "id": "t", "name": name, "input": {} }
        ] } });
        told(&[&line.to_string()], Profile::Core)[0]["kind"].clone()
    };
    for (name, expected) in [
        ("Bash", "execute"),
        ("Read", "read"),
        ("Write", "edit"),
        ("Edit", "edit"),
        ("NotebookEdit", "edit"),
        ("Glob", "search"),
        ("Grep", "search"),
        ("WebFetch", "fetch"),
        ("WebSearch", "browse"),
        ("Task", "think"),
        ("AskUserQuestion", "ask"),
        ("TodoWrite", "memory"),
        ("mcp__db__query", "mcp"),
        ("ExitPlanMode", "other"),
    ] {
        assert_eq!(kind(name), expected, "{name}");
    }
}
