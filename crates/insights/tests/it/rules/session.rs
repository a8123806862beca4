//! The session itself: header, catalog, servers, limits, remarks and what nobody understands.

use insights::event::Body;
use insights::event::text::NoticeLevel;
use insights::state::header::{Category, Limit, McpServer, Overage};
use insights::state::item::ItemBody;
use insights::{HostFact, UnixMillis};
use serde_json::{Value, json};

use crate::fixtures::{VERSIONS, scenario};
use crate::play;
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
fn what_the_agent_says_when_it_is_greeted_is_known_before_the_first_turn() {
    for version in VERSIONS {
        let mut events = scenario(version, "plain-text-initialize").events();
        let first_turn = events.iter().position(|event| matches!(event.body, Body::SessionInit(_))).unwrap();
        events.truncate(first_turn);
        let state = play::state(&events);
        let (status, says_more) = (&state.status, version == "2.1.326");
        assert_eq!(status.output_style.as_deref(), Some("default"), "{version}");
        assert_eq!(status.version.as_deref(), Some(version));
        let told = [&status.mode, &status.fast_mode, &status.fast_mode_disabled_reason].map(|told| told.as_deref());
        let expected =
            [Some("default"), Some("off"), Some("sdk_opt_in_required")].map(|said| said.filter(|_| says_more));
        assert_eq!(told, expected, "{version}");
        assert_eq!(state.catalog.capabilities.is_empty(), !says_more, "{version}");
    }
}

#[test]
fn a_mode_of_the_settings_is_known_before_the_first_turn() {
    let greeting =
        json!({"commands": [], "models": [], "current_permission_mode": "acceptEdits", "current_model": "opus"});
    let answer = json!({"subtype": "success", "request_id": "1", "response": greeting});
    let state = after(vec![spawned(), out(json!({"type": "control_response", "response": answer}))]);
    assert_eq!((state.status.mode.as_deref(), state.status.model.as_deref()), (Some("acceptEdits"), Some("opus")));
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
fn files_that_were_put_back_are_told_with_the_prompt_and_their_names() {
    let ask = |id: &str, prompt: &str, dry_run: bool| {
        sent(json!({
            "type": "control_request", "request_id": id,
            "request": {"subtype": "rewind_files", "user_message_id": prompt, "dry_run": dry_run}
        }))
    };
    let answer = |id: &str, said: serde_json::Value| {
        out(json!({"type": "control_response", "response": {"subtype": "success", "request_id": id, "response": said}}))
    };
    let notices = |records: Vec<_>| {
        let state = after(records);
        let notice = |item: &insights::state::Item| match &item.body {
            ItemBody::Notice(notice) => Some(notice.text.text.clone()),
            _ => None,
        };
        state.items.iter().filter_map(notice).collect::<Vec<_>>()
    };
    let looked_and = |more: Vec<_>| {
        let could = json!({"canRewind": true, "filesChanged": ["/w/src/a.rs", "/elsewhere/b"], "insertions": 1});
        let mut records = vec![init(), prompt("p1", "Mend it\nall"), lifecycle("p1", "started")];
        records.extend([ask("1", "p1", true), answer("1", could)]);
        records.extend(more);
        notices(records)
    };
    assert_eq!(looked_and(Vec::new()), [""; 0], "nobody has done anything yet");
    assert_eq!(
        looked_and(vec![ask("2", "p1", false), answer("2", json!({"canRewind": true}))]),
        ["2 files put back to before “Mend it”, by ada\nsrc/a.rs\n/elsewhere/b"]
    );
    assert_eq!(
        looked_and(vec![ask("2", "p0", false), answer("2", json!({"canRewind": true}))]),
        ["Files put back to before an earlier message, by ada"],
        "what was told of another prompt is not what happened"
    );
    assert_eq!(looked_and(vec![ask("2", "p1", false), answer("2", json!({"canRewind": false}))]), [""; 0]);
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
fn use_beyond_the_plan_is_told_until_it_ends() {
    let limit = |info: Value| {
        out(json!({"type": "rate_limit_event", "session_id": "s1", "uuid": "r", "rate_limit_info": info}))
    };
    let begins = json!({
        "status": "rejected", "overageStatus": "allowed", "overageResetsAt": 1_800_000_000, "isUsingOverage": true
    });
    let in_use = Overage {
        in_use: true,
        status: Some("allowed".to_owned()),
        resets_at: Some(UnixMillis(1_800_000_000_000)),
        disabled_reason: None,
    };
    let beyond = |more: Vec<Said>| {
        after([init(), limit(begins.clone())].into_iter().chain(more).collect()).meters.overage.clone()
    };
    assert_eq!(beyond(Vec::new()), Some(in_use.clone()));
    assert_eq!(beyond(vec![limit(json!({"status": "allowed"}))]), Some(in_use.clone()), "nothing was said of it");
    let ended = beyond(vec![limit(json!({"status": "allowed", "isUsingOverage": false}))]);
    assert_eq!(ended, Some(Overage { in_use: false, ..in_use.clone() }));
    let refused = json!({"status": "rejected", "overageStatus": "rejected", "overageDisabledReason": "out_of_credits"});
    let (status, disabled_reason) = (Some("rejected".to_owned()), Some("out_of_credits".to_owned()));
    assert_eq!(beyond(vec![limit(refused)]), Some(Overage { status, disabled_reason, ..in_use }));
    assert_eq!(after(vec![init(), limit(json!({"status": "allowed"}))]).meters.overage, None);
}

#[test]
fn of_many_compactions_the_last_ones_are_kept_and_all_are_counted() {
    let compacted = |n: u64| {
        let metadata = json!({"trigger": "auto", "pre_tokens": n});
        out(json!({"type": "system", "subtype": "compact_boundary", "session_id": "s1", "compact_metadata": metadata}))
    };
    let state = after([init()].into_iter().chain((1..=100).map(compacted)).collect());
    let context = &state.meters.context;
    let before: Vec<u64> = context.compactions.iter().filter_map(|mark| mark.before).collect();
    assert_eq!((context.compacted, before), (100, (69..=100).collect()));
    assert_eq!(state.items.len(), 100);
}

#[test]
fn what_the_agent_could_not_keep_is_named() {
    let lost = json!({"lost": ["messages", "titles"], "error_code": "disk_full"});
    let state = after(vec![init(), system("session_writes_lost", lost)]);
    let ItemBody::Notice(notice) = &state.items.iter().next().unwrap().body else { panic!() };
    assert_eq!(notice.text.text, "The agent could not keep its own record: disk_full\nLost: messages, titles");
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
fn remarks_of_one_feature_are_all_kept_and_the_last_one_about_a_call_counts() {
    let texts = |more: serde_json::Value| {
        let remark = |number: u32| {
            let mut line = json!({"content": format!("remark {number}"), "uuid": format!("n{number}")});
            line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            system("informational", line)
        };
        let state = after(vec![init(), remark(1), remark(2)]);
        let text = |item: &insights::state::Item| match &item.body {
            ItemBody::Notice(notice) => notice.text.text.clone(),
            other => panic!("{other:?}"),
        };
        state.items.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(texts(json!({"tag": "auto_mode"})), ["remark 1", "remark 2"]);
    assert_eq!(texts(json!({"tool_use_id": "t"})), ["remark 2"]);
}

#[test]
fn plugins_that_did_not_load_are_told_once() {
    let init = |errors: serde_json::Value| {
        out(json!({"type": "system", "subtype": "init", "session_id": "s1", "plugin_errors": errors}))
    };
    let broken = || json!([{"plugin": "lint", "message": "no manifest"}, {"type": "network"}]);
    let state = after(vec![init(broken()), done(0.0), init(broken()), done(0.0), init(json!([]))]);
    let notices = state.items.iter().filter_map(|item| match &item.body {
        ItemBody::Notice(notice) => Some((item.seq, notice.level.clone(), notice.text.text.as_str())),
        _ => None,
    });
    assert_eq!(notices.collect::<Vec<_>>(), [(1, NoticeLevel::Warning, "lint: no manifest\nnetwork")]);
}

#[test]
fn how_much_to_think_is_forgotten_with_the_process_that_was_told() {
    let request = json!({"subtype": "set_max_thinking_tokens", "max_thinking_tokens": 0});
    let set = || sent(json!({"type": "control_request", "request_id": "r", "request": request.clone()}));
    let ok = || out(json!({"type": "control_response", "response": {"subtype": "success", "request_id": "r"}}));
    let state = after(vec![spawned(), set(), ok()]);
    assert_eq!(state.status.thinking.as_deref(), Some("off"));
    let state = after(vec![spawned(), set(), ok(), exited(0), spawned()]);
    assert_eq!(state.status.thinking, None);
}

#[test]
fn the_mode_of_a_process_is_not_that_of_the_next_one() {
    let planning = || out(json!({"type": "system", "subtype": "init", "session_id": "s1", "permissionMode": "plan"}));
    let mode = |said| after(said).status.mode.clone();
    assert_eq!(mode(vec![spawned(), planning(), exited(0)]).as_deref(), Some("plan"));
    assert_eq!(mode(vec![spawned(), planning(), exited(0), spawned()]), None);
    assert_eq!(mode(vec![spawned(), init(), exited(0), spawned()]).as_deref(), Some("default"));
    let next = |words: &[&str]| {
        let argv = words.iter().map(|word| (*word).to_owned()).collect();
        let (program, cwd) = ("claude".to_owned(), "/w".to_owned());
        let told = HostFact::Spawned { program, argv, cwd, version: None, pid: None };
        mode(vec![spawned(), planning(), exited(0), fact(told)])
    };
    assert_eq!(next(&["--permission-mode", "acceptEdits"]).as_deref(), Some("acceptEdits"));
    assert_eq!(next(&["--permission-mode", "plan", "--permission-mode=acceptEdits"]).as_deref(), Some("acceptEdits"));
    assert_eq!(
        next(&["--permission-mode", "plan", "--dangerously-skip-permissions"]).as_deref(),
        Some("bypassPermissions")
    );
}

#[test]
fn a_cleared_conversation_is_the_session_that_the_next_turn_names() {
    let reset =
        || out(json!({"type": "conversation_reset", "new_conversation_id": "c", "trigger": "clear", "uuid": "c"}));
    let state = after(vec![init(), reset()]);
    assert_eq!(state.status.session_id.as_deref(), Some("s1"));
    let next = out(json!({"type": "system", "subtype": "init", "session_id": "s2", "uuid": "i2"}));
    let state = after(vec![init(), reset(), next]);
    assert_eq!(
        (state.status.session_id.as_deref(), &*state.status.earlier_session_ids),
        (Some("s2"), &["s1".into()][..])
    );
}

#[test]
fn what_a_compaction_keeps_is_not_said_again() {
    let answer = |uuid: &str, text: &str| {
        let content = format!("<local-command-stdout>{text}</local-command-stdout>");
        out(json!({
            "type": "user", "session_id": "s1", "uuid": uuid, "isReplay": true, "parent_tool_use_id": null,
            "message": {"role": "user", "content": content}
        }))
    };
    let commands = |kept: serde_json::Value| {
        let state = after(vec![
            init(),
            answer("a", "Set model"),
            system("compact_boundary", json!({"compact_metadata": {"trigger": "manual", "preserved_messages": kept}})),
            answer("a", "Set model"),
            answer("b", "Compacted"),
        ]);
        let command = |item: &insights::state::Item| match &item.body {
            ItemBody::Command(command) => Some(command.text.text.clone()),
            _ => None,
        };
        state.items.iter().filter_map(command).collect::<Vec<_>>()
    };
    assert_eq!(commands(json!({"uuids": ["a"]})), ["Set model", "Compacted"]);
    assert_eq!(commands(json!(null)), ["Set model", "Compacted"], "it is known by its own id too");
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

#[test]
fn a_model_that_takes_over_for_one_answer_is_not_that_of_the_session() {
    let fallback = |scope: &str| {
        let models =
            json!({"original_model": "opus", "fallback_model": "sonnet", "content": "Switched", "scope": scope});
        after(vec![init(), system("model_refusal_fallback", models)]).status.model.clone()
    };
    assert_eq!(fallback("local").as_deref(), Some("opus"));
    assert_eq!(fallback("session").as_deref(), Some("sonnet"));
}

#[test]
fn there_is_something_to_choose_from_before_the_first_turn() {
    let greeted = || {
        let answer = json!({
            "commands": [{"name": "cost"}],
            "models": [{"value": "opus", "displayName": "Opus", "description": "Thinks"}],
            "agents": [{"name": "Explore", "description": "Looks", "model": "haiku"}],
            "account": {"email": "ada@example.com", "subscriptionType": "max"},
            "available_output_styles": ["default", "terse"]
        });
        let response = json!({"subtype": "success", "request_id": "g", "response": answer});
        vec![
            spawned(),
            sent(json!({"type": "control_request", "request_id": "g", "request": {"subtype": "initialize"}})),
            out(json!({"type": "control_response", "response": response})),
        ]
    };
    let state = after(greeted());
    assert_eq!(state.status.turn, None, "nothing was asked yet");
    let catalog = &state.catalog;
    assert_eq!(
        catalog.models.iter().map(|model| (&*model.value, &*model.name)).collect::<Vec<_>>(),
        [("opus", "Opus")]
    );
    let account = catalog.account.as_ref().unwrap();
    assert_eq!((account.email.as_deref(), account.plan.as_deref()), (Some("ada@example.com"), Some("max")));
    let kinds = catalog.agent_kinds.iter().map(|kind| (&*kind.name, kind.description.as_deref()));
    assert_eq!(kinds.collect::<Vec<_>>(), [("Explore", Some("Looks"))]);
    assert_eq!(*catalog.agents, ["Explore".to_owned()]);
    assert_eq!(*catalog.output_styles, ["default".to_owned(), "terse".to_owned()]);

    let after_init = after(greeted().into_iter().chain([init()]).collect());
    assert_eq!(after_init.catalog.models, catalog.models);
    assert_eq!(after_init.catalog.account, catalog.account);
    assert_eq!((&after_init.catalog.agents, &after_init.catalog.agent_kinds), (&catalog.agents, &catalog.agent_kinds));
    let less = out(json!({"type": "system", "subtype": "init", "session_id": "s1", "agents": ["Plan"]}));
    let newer = after(greeted().into_iter().chain([less]).collect());
    assert_eq!(*newer.catalog.agents, ["Plan".to_owned()], "the newest list counts");
}

#[test]
fn a_server_that_was_switched_on_or_off_is_shown_so_at_once() {
    let list = json!([{"name": "lab", "status": "failed", "error": "gone"}, {"name": "other", "status": "connected"}]);
    let toggle = |enabled: bool| json!({"subtype": "mcp_toggle", "serverName": "lab", "enabled": enabled});
    let asks =
        |id: &str, request: Value| sent(json!({"type": "control_request", "request_id": id, "request": request}));
    let says = |id: &str, kind: &str| {
        out(json!({"type": "control_response", "response": {"subtype": kind, "request_id": id, "error": "no"}}))
    };
    let mut said = vec![
        init(),
        asks("a", json!({"subtype": "mcp_status"})),
        out(json!({
            "type": "control_response",
            "response": {"subtype": "success", "request_id": "a", "response": {"mcpServers": list}}
        })),
        asks("b", toggle(false)),
    ];
    let status = |said: &Vec<Said>| {
        let state = after(said.clone());
        state.mcp.iter().map(|server| (server.status.clone(), server.error.clone())).collect::<Vec<_>>()
    };
    let connected = || ("connected".to_owned(), None);
    assert_eq!(status(&said)[0].0, "failed", "nothing has happened yet");
    said.push(says("b", "success"));
    assert_eq!(status(&said), [("disabled".to_owned(), None), connected()]);
    said.extend([asks("c", toggle(true)), says("c", "error")]);
    assert_eq!(status(&said)[0].0, "disabled");
    said.extend([asks("d", toggle(true)), says("d", "success")]);
    assert_eq!(status(&said), [("pending".to_owned(), None), connected()]);
}
