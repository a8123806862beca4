//! The session itself: header, catalog, servers, limits, remarks and what nobody understands.

use insights::UnixMillis;
use insights::event::text::NoticeLevel;
use insights::state::header::{Category, Limit, McpServer};
use insights::state::item::ItemBody;
use serde_json::json;

use crate::script::*;

#[test]
fn an_init_fills_the_header_and_the_next_one_takes_nothing_away() {
    let less = out(json!({"type": "system", "subtype": "init", "session_id": "s2", "model": "sonnet", "uuid": "i2"}));
    let state = after(vec![init(), done(0.0), less]);
    let status = &state.status;
    assert_eq!(status.model.as_deref(), Some("sonnet"));
    assert_eq!((status.cwd.as_deref(), status.mode.as_deref()), (Some("/w"), Some("default")));
    assert_eq!(status.session_id.as_deref(), Some("s2"));
    assert_eq!(status.earlier_session_ids, ["s1".into()]);
    assert_eq!(state.catalog.commands.iter().map(|command| command.name.as_str()).collect::<Vec<_>>(), ["cost"]);
    let server = McpServer {
        name: "git".to_owned(),
        status: "connected".to_owned(),
        error: None,
        source: None,
        version: None,
        tools: Vec::new(),
    };
    assert_eq!(state.mcp, [server]);
}

#[test]
fn mode_model_and_title_follow_what_is_said() {
    let mode = system("status", json!({"status": null, "permissionMode": "plan"}));
    let title = system("session_title_changed", json!({"title": "Better"}));
    let set = sent(
        json!({"type": "control_request", "request_id": "r", "request": {"subtype": "set_model", "model": "haiku"}}),
    );
    let ok = out(json!({"type": "control_response", "response": {"subtype": "success", "request_id": "r"}}));
    let state = after(vec![init(), mode, title, set, ok]);
    let status = &state.status;
    assert_eq!((status.mode.as_deref(), status.title.as_deref()), (Some("plan"), Some("Better")));
    assert_eq!(status.model.as_deref(), Some("haiku"));
}

#[test]
fn a_request_that_fails_is_shown() {
    let set = sent(json!({
        "type": "control_request", "request_id": "r", "request": {"subtype": "set_permission_mode", "mode": "x"}
    }));
    let no = out(
        json!({"type": "control_response", "response": {"subtype": "error", "request_id": "r", "error": "no such mode"}}),
    );
    let state = after(vec![init(), set, no]);
    let ItemBody::Notice(notice) = &state.items.iter().next().unwrap().body else { panic!() };
    assert_eq!(notice.level, NoticeLevel::Warning);
    assert_eq!(notice.text.text, "set permission mode: no such mode");
    assert_eq!(state.status.mode.as_deref(), Some("default"));
}

#[test]
fn limits_are_kept_by_name() {
    let limit = out(json!({
        "type": "rate_limit_event", "session_id": "s1", "uuid": "r",
        "rate_limit_info": {"status": "allowed_warning", "resetsAt": 1_800_000_000, "rateLimitType": "five_hour", "utilization": 0.9}
    }));
    let state = after(vec![init(), limit]);
    let expected = Limit {
        used_percent: Some(90.0),
        resets_at: Some(UnixMillis(1_800_000_000_000)),
        status: Some("allowed_warning".to_owned()),
    };
    assert_eq!(state.meters.limits.clone().into_iter().collect::<Vec<_>>(), [("five_hour".to_owned(), expected)]);
}

#[test]
fn the_context_is_as_large_as_the_last_call_of_the_main_agent() {
    let used = |parent: Option<&str>, tokens: u64| {
        let message = json!({
            "id": format!("m{tokens}"), "role": "assistant", "model": "opus", "content": [{"type": "text", "text": "x"}],
            "usage": {"input_tokens": tokens, "output_tokens": 0, "cache_read_input_tokens": 1}
        });
        out(
            json!({"type": "assistant", "session_id": "s1", "uuid": "u", "parent_tool_use_id": parent, "message": message}),
        )
    };
    let state = after(vec![init(), used(None, 100), used(Some("a"), 7)]);
    assert_eq!(state.meters.context.used, Some(101));
}

#[test]
fn the_report_of_the_context_gives_its_shares() {
    let message = json!({
        "id": "m", "role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": "## Context Usage"}]
    });
    let state = after(vec![
        init(),
        out(json!({
            "type": "assistant", "session_id": "s1", "uuid": "u", "parent_tool_use_id": null, "message": message,
            "local_command_source": "<local-command-stdout>…", "local_command_run": {"command": "context", "args": ""},
            "context_usage": {
                "model": "opus", "total_tokens": 30, "raw_max_tokens": 200, "percentage": 15,
                "categories": [{"name": "Messages", "tokens": 30, "kind": "used"}]
            }
        })),
    ]);
    let context = &state.meters.context;
    assert_eq!((context.used, context.window), (Some(30), Some(200)));
    assert_eq!(context.categories, [Category { name: "Messages".to_owned(), tokens: 30 }]);
    let ItemBody::Command(command) = &state.items.iter().next().unwrap().body else { panic!() };
    assert_eq!((command.command.as_deref(), command.text.text.as_str()), (Some("context"), "## Context Usage"));
}

#[test]
fn of_notes_with_one_key_the_last_one_counts() {
    let note = |text: &str| system("notification", json!({"key": "stop-hook", "text": text, "priority": "low"}));
    let state = after(vec![init(), note("one"), note("two")]);
    let texts = state.items.iter().map(|item| match &item.body {
        ItemBody::Notice(notice) => notice.text.text.as_str(),
        other => panic!("{other:?}"),
    });
    assert_eq!(texts.collect::<Vec<_>>(), ["two"]);
}

#[test]
fn a_hook_that_went_well_and_said_nothing_is_not_shown() {
    let hook = |id: &str, outcome: &str, stderr: &str| {
        system(
            "hook_response",
            json!({
                "hook_id": id, "hook_name": "Stop:check", "hook_event": "Stop", "output": "", "stdout": "", "stderr": stderr,
                "exit_code": 0, "outcome": outcome
            }),
        )
    };
    let state = after(vec![init(), hook("a", "success", "")]);
    assert_eq!(state.items.len(), 0);
    let state = after(vec![init(), hook("a", "error", "bad"), hook("b", "success", "wrote")]);
    let outputs = state.items.iter().map(|item| match &item.body {
        ItemBody::Hook(hook) => hook.output.text.as_str(),
        other => panic!("{other:?}"),
    });
    assert_eq!(outputs.collect::<Vec<_>>(), ["bad", "wrote"]);
}

#[test]
fn what_nobody_understands_is_shown_raw() {
    let state = after(vec![init(), out(json!({"type": "tomorrow", "subtype": "x"})), out(json!("no object"))]);
    let kinds = state.items.iter().map(|item| match &item.body {
        ItemBody::Unknown(unknown) => unknown.message_type.as_str(),
        other => panic!("{other:?}"),
    });
    assert_eq!(kinds.collect::<Vec<_>>(), ["tomorrow/x", "protocol_error"]);
}

#[test]
fn another_model_that_takes_over_is_told_and_takes_back_what_was_said() {
    let fallback = system(
        "model_refusal_fallback",
        json!({
            "original_model": "opus", "fallback_model": "sonnet", "content": "Switched", "retracted_message_uuids": ["u-m"]
        }),
    );
    let state = after(vec![init(), text("m", "I cannot"), fallback]);
    assert_eq!(state.status.model.as_deref(), Some("sonnet"));
    assert_eq!(ids(&state), ["sys-model_refusal_fallback"]);
}
