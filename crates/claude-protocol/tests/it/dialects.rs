//! Every form that a document or a version ever had is read, and nothing of it goes unnamed (C1 to C60 of the
//! requirements; the numbers are theirs).

use claude_protocol::content::Content;
use claude_protocol::control::{Ask, InitializeAnswer};
use claude_protocol::permission::PermissionUpdate;
use claude_protocol::wire::to_json;
use claude_protocol::{FromCli, Raw, System, ToolInput, ToolResult, decode, drift};

/// The message, after a look that all of the line is understood.
fn read(line: &str) -> FromCli {
    let drift = drift::<FromCli>(line);
    assert_eq!((drift.notes, drift.unmodelled, drift.unknown), (vec![], vec![], vec![]), "{line}");
    decode(line).body
}

fn raw(text: &str) -> Raw {
    Raw::from_text(text).unwrap()
}

#[test]
fn c5_the_answer_to_initialize_may_be_nested_or_flat() {
    let data = r#""commands":[{"name":"compact","description":"d","argumentHint":""}],"models":[{"value":"opus","displayName":"Opus","description":"d"}],"account":{"email":"a@b.c"}"#;
    for line in [
        format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"1","response":{{{data}}}}}}}"#
        ),
        format!(r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"1",{data}}}}}"#),
        format!(r#"{{"type":"control_response","response":{{{data}}}}}"#),
    ] {
        let FromCli::ControlResponse(response) = read(&line) else { panic!("{line}") };
        let answer = response.answer().unwrap().read::<InitializeAnswer>().unwrap().value;
        assert_eq!(answer.models.unwrap().len(), 1, "{line}");
        assert_eq!(answer.account.unwrap().email.as_deref(), Some("a@b.c"), "{line}");
    }
}

#[test]
fn c8_c9_a_permission_request_has_one_form_whatever_the_dialect() {
    let suggestion = r#"{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls:*"}],"behavior":"allow","destination":"session"}"#;
    let control = format!(
        r#"{{"type":"control_request","request_id":"r","session_id":"s","request":{{"subtype":"can_use_tool","tool_name":"Bash","input":{{"command":"ls"}},"tool_use_id":"t","blocked_path":"/x","permission_suggestions":[{suggestion}]}}}}"#
    );
    let callback = format!(
        r#"{{"type":"callback.request","id":"r","session_id":"s","payload":{{"callback_type":"can_use_tool","tool_name":"Bash","tool_input":{{"command":"ls"}},"tool_use_id":"t","blocked_path":"/x","suggestions":[{suggestion}]}}}}"#
    );
    let FromCli::ControlRequest(request) = read(&control) else { panic!("{control}") };
    let Ask::CanUseTool(by_control) = &request.request else { panic!("{control}") };
    let FromCli::CallbackRequest(callback) = read(&callback) else { panic!("{callback}") };
    assert_eq!(callback.can_use_tool(), Some(&**by_control));
}

#[test]
fn c11_c12_all_six_updates_are_typed_and_the_flat_one_of_a_document_is_carried() {
    for (kind, rest) in [
        ("addRules", r#","rules":[{"toolName":"mcp__a__b"}],"behavior":"allow","destination":"localSettings""#),
        ("replaceRules", r#","rules":[],"behavior":"deny","destination":"userSettings""#),
        ("removeRules", r#","rules":[{"toolName":"Bash","ruleContent":"x"}],"behavior":"ask","destination":"cliArg""#),
        ("setMode", r#","mode":"acceptEdits","destination":"session""#),
        ("addDirectories", r#","directories":["/a"],"destination":"projectSettings""#),
        ("removeDirectories", r#","directories":[],"destination":"session""#),
    ] {
        let text = format!(r#"{{"type":"{kind}"{rest}}}"#);
        let update = raw(&text).read::<PermissionUpdate>().unwrap().value;
        assert!(!matches!(update, PermissionUpdate::Other(_)), "{text}");
        assert_eq!(to_json(&update), text);
    }
    let old = r#"{"type":"allow_tool","tool_name":"Bash","description":"Always"}"#;
    let update = raw(old).read::<PermissionUpdate>().unwrap().value;
    assert!(matches!(&update, PermissionUpdate::Other(other) if other.kind == "allow_tool"));
    assert_eq!(to_json(&update), old);
}

#[test]
fn c20_answers_to_questions_are_a_string_or_a_list() {
    let questions = r#""questions":[{"question":"Which?","header":"H","multiSelect":true,"options":[{"label":"A","description":"a"}]}]"#;
    for answers in [r#""A, B""#, r#"["A","B"]"#] {
        let result = format!(r#"{{{questions},"answers":{{"Which?":{answers}}}}}"#);
        assert_eq!(ToolResult::drift("AskUserQuestion", &raw(&result)), Default::default(), "{result}");
    }
}

#[test]
fn c23_content_is_a_string_or_blocks() {
    let line = |content: &str| {
        format!(
            r#"{{"type":"user","message":{{"role":"user","content":{content}}},"isReplay":true,"session_id":"s","uuid":"u","parent_tool_use_id":null}}"#
        )
    };
    let FromCli::User(user) = read(&line(r#""<local-command-stdout>x</local-command-stdout>""#)) else { panic!() };
    assert_eq!(user.message.content, Content::Text("<local-command-stdout>x</local-command-stdout>".to_owned()));
    let FromCli::User(user) = read(&line(r#"[{"type":"text","text":"x"}]"#)) else { panic!() };
    assert_eq!(user.message.content.blocks().len(), 1);
}

#[test]
fn c24_local_command_output_has_a_message_of_its_own() {
    let body = read(r#"{"type":"system","subtype":"local_command_output","content":"x","uuid":"u","session_id":"s"}"#);
    assert!(matches!(body, FromCli::System(System::LocalCommandOutput(_))), "{body:?}");
}

#[test]
fn c27_the_cost_of_a_model_is_read_in_both_spellings() {
    for spelling in ["costUSD", "costUsd"] {
        let line = format!(r#"{{"type":"result","subtype":"success","modelUsage":{{"m":{{"{spelling}":0.5}}}}}}"#);
        let FromCli::Result(result) = read(&line) else { panic!("{line}") };
        assert_eq!(result.model_usage.unwrap()["m"].cost_usd, Some(0.5));
    }
}

#[test]
fn c28_c29_errors_are_told_by_the_result_and_by_a_line_of_their_own() {
    for (line, failed) in [
        (r#"{"type":"result","subtype":"success","is_error":false,"result":"ok"}"#, false),
        (r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":400}"#, true),
        (r#"{"type":"result","subtype":"error_max_turns","is_error":false,"errors":[]}"#, true),
        (r#"{"type":"result","subtype":"error","is_error":true}"#, true),
        (r#"{"type":"result","subtype":"error_of_tomorrow"}"#, true),
    ] {
        let FromCli::Result(result) = read(line) else { panic!("{line}") };
        assert_eq!(result.failed(), failed, "{line}");
    }
    assert_eq!(decode(r#"{"type":"error","error":{"message":"x"}}"#).body.kind(), "error");
}

#[test]
fn c30_c32_compaction_and_clearing_are_read_in_old_and_new_forms() {
    let boundary = |rest: &str| read(&format!(r#"{{"type":"system","subtype":"compact_boundary"{rest}}}"#));
    let new = boundary(r#","compact_metadata":{"trigger":"auto","pre_tokens":9},"uuid":"u","session_id":"s""#);
    assert!(matches!(new, FromCli::System(System::CompactBoundary(line)) if line.compact_metadata.is_some()));
    let old = boundary(r#","summary":"what was said""#);
    assert!(matches!(old, FromCli::System(System::CompactBoundary(line)) if line.summary.is_some()));
    assert_eq!(read(r#"{"type":"system","subtype":"context_cleared"}"#).full_kind(), "system/context_cleared");
    let reset = read(r#"{"type":"conversation_reset","new_conversation_id":"n","trigger":"clear"}"#);
    assert!(matches!(reset, FromCli::ConversationReset(_)));
}

#[test]
fn c31_any_status_is_a_status() {
    for status in [r#""compacting""#, r#""requesting""#, "null", r#""processing","message":"x""#, r#""resuming""#] {
        let body = read(&format!(r#"{{"type":"system","subtype":"status","status":{status}}}"#));
        assert!(matches!(body, FromCli::System(System::Status(_))), "{status}");
    }
}

#[test]
fn c33_the_redundant_event_type_does_no_harm() {
    let line = r#"{"type":"stream_event","event_type":"content_block_delta","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}}"#;
    let FromCli::StreamEvent(stream) = read(line) else { panic!("{line}") };
    assert_eq!(stream.event.kind(), "content_block_delta");
}

#[test]
fn c37_the_result_of_bash_is_read_in_every_form() {
    let read = |text: &str| ToolResult::read("Bash", &raw(text)).value;
    for text in [
        r#"{"stdout":"x","stderr":"","exit_code":3}"#,
        r#"{"stdout":"x","stderr":"","interrupted":false,"isImage":false}"#,
        r#"{"stdout":"x","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}"#,
    ] {
        assert!(matches!(read(text), ToolResult::Bash(_)), "{text}");
        assert_eq!(ToolResult::drift("Bash", &raw(text)), Default::default(), "{text}");
    }
    assert_eq!(read(r#""Error: Exit code 3""#), ToolResult::Error("Exit code 3".to_owned()));
}

#[test]
fn c38_a_written_file_was_created_or_replaced() {
    for kind in ["create", "update", "overwrite"] {
        let text =
            format!(r#"{{"type":"{kind}","filePath":"/a","content":"b","structuredPatch":[],"originalFile":null}}"#);
        assert_eq!(ToolResult::drift("Write", &raw(&text)), Default::default(), "{text}");
    }
}

#[test]
fn c41_c42_task_and_agent_are_one_tool() {
    let input = raw(r#"{"description":"d","prompt":"p","subagent_type":"x","resume":"a1"}"#);
    let [task, agent] = ["Task", "Agent"].map(|name| ToolInput::read(name, &input).value);
    assert_eq!(task, agent);
    assert!(matches!(task, ToolInput::Agent(_)), "{task:?}");
}
