//! Fields that lines have seldom: what a line says beside the usual is in its event, and not only in its text.

use insights::convert::Profile;
use insights::state::ask::AskBody;
use insights::state::item::ItemBody;
use serde_json::{Value, json};

use crate::fixtures::scenario;
use crate::same_items::disagreements;
use crate::script::{after, call_of, entry, events, out, records, system};
use crate::support::{told, told_of};

/// Some fields of the first event of a line.
fn fields(line: &Value, names: &[&str]) -> Value {
    let event = told(&[&line.to_string()], Profile::Full).swap_remove(0);
    names.iter().map(|name| ((*name).to_owned(), event[*name].clone())).collect::<serde_json::Map<_, _>>().into()
}

fn of_system(subtype: &str, more: Value) -> Value {
    let mut line = json!({"type": "system", "subtype": subtype});
    line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    line
}

#[test]
fn an_init_says_what_a_server_says_of_itself_and_what_is_tried_out() {
    let servers = json!([{"name": "db", "status": "connected", "serverInfo": {"name": "Postgres", "version": "1.2"}}]);
    let line = of_system("init", json!({"mcp_servers": servers, "betas": ["context-1m"]}));
    assert_eq!(fields(&line, &["mcpServers", "betas"]), json!({"mcpServers": servers, "betas": ["context-1m"]}));
}

#[test]
fn a_form_keeps_the_order_of_its_fields_and_its_headings() {
    let request = json!({
        "subtype": "elicitation", "mcp_server_name": "git", "message": "Which?", "mode": "form",
        "requested_schema": {"type": "object", "properties": {"1": {}, "b": {}, "a": {}}},
        "property_order": ["b", "a", "1"], "title": "A question", "display_name": "Git", "description": "Of the server"
    });
    let line = json!({"type": "control_request", "request_id": "q", "request": request});
    let names = ["propertyOrder", "title", "displayName", "description"];
    assert_eq!(
        fields(&line, &names),
        json!({
            "propertyOrder": ["b", "a", "1"], "title": "A question", "displayName": "Git", "description": "Of the server"
        })
    );
    let state = after(vec![out(line)]);
    let AskBody::Elicitation(ask) = &state.asks[0].body else { panic!("{:?}", state.asks) };
    assert_eq!(ask.property_order, ["b", "a", "1"]);
    let headings = [&ask.title, &ask.display_name, &ask.description].map(|heading| heading.as_deref());
    assert_eq!(headings, [Some("A question"), Some("Git"), Some("Of the server")]);
}

#[test]
fn a_permission_says_which_rule_made_it_ask_and_where_its_server_is_from() {
    let request = json!({
        "subtype": "can_use_tool", "tool_name": "mcp__git__push", "input": {}, "tool_use_id": "t",
        "mcp_server": {"name": "git", "source": "project"},
        "matched_ask_rule": {"tool_name": "mcp__git__push", "rule_content": null}
    });
    let state = after(vec![out(json!({"type": "control_request", "request_id": "q", "request": request}))]);
    let AskBody::Permission(ask) = &state.asks[0].body else { panic!("{:?}", state.asks) };
    let told = [&ask.matched_rule, &ask.mcp_source].map(|told| told.as_deref());
    assert_eq!(told, [Some("mcp__git__push"), Some("project")]);
}

#[test]
fn the_size_of_the_context_is_told_though_the_bill_calls_the_model_by_a_shorter_name() {
    let init = of_system("init", json!({"model": "claude-opus[1m]", "session_id": "s"}));
    let usage = json!({"claude-haiku": {"contextWindow": 200_000}, "claude-opus": {"contextWindow": 1_000_000}});
    let ended = json!({"type": "result", "subtype": "success", "modelUsage": usage, "session_id": "s"});
    let told = told(&[&init.to_string(), &ended.to_string()], Profile::Full);
    let metrics = told.iter().find(|event| event["event"] == "session_metrics").unwrap();
    assert_eq!(metrics["contextMax"], 1_000_000);
}

#[test]
fn of_remarks_about_one_call_the_last_one_counts_live_as_imported() {
    let remark = |content: &str, call: Value| {
        out(of_system("informational", json!({"content": content, "level": "notice", "tool_use_id": call})))
    };
    let entry_of = |content: &str, call: Value| {
        let more = json!({"content": content, "level": "notice", "toolUseID": call, "uuid": content, "sessionId": "s"});
        entry(of_system("informational", more))
    };
    let live = after(vec![remark("one", json!("t")), remark("two", json!("t")), remark("three", json!(null))]);
    let read = after(vec![entry_of("one", json!("t")), entry_of("two", json!("t")), entry_of("three", json!(null))]);
    assert_eq!(disagreements(&live, &read), [""; 0]);
    assert_eq!((live.items.len(), read.items.len()), (2, 2));
    assert_eq!(disagreements(&live, &after(vec![entry_of("two", json!("t"))])).len(), 1, "remarks are looked at");
}

#[test]
fn whole_numbers_are_written_without_a_fraction_and_others_as_they_are() {
    let written = |line: Value| {
        let events = events(vec![out(line)]);
        serde_json::to_string(&events[0]).unwrap()
    };
    let ended =
        |ms: Value| written(json!({"type": "result", "subtype": "success", "duration_ms": ms, "session_id": "s"}));
    for (told, expected) in [
        (json!(1200), "1200,"),
        (json!(1200.0), "1200,"),
        (json!(0.25), "0.25,"),
        (json!(9_007_199_254_740_992_u64), "9007199254740992,"),
        (json!(1e300), "1e+300,"),
    ] {
        let text = ended(told);
        assert!(text.contains(&format!("\"durationMs\":{expected}")), "{text}");
    }
    let info = json!({"status": "allowed", "rateLimitType": "five_hour", "utilization": 0.75});
    let text = written(json!({"type": "rate_limit_event", "rate_limit_info": info, "session_id": "s"}));
    assert!(text.contains(r#""usedPercent":75"#) && !text.contains("75.0"), "{text}");
}

#[test]
fn progress_of_a_subagents_call_names_the_call_that_started_the_subagent() {
    let progress = |of: &str| {
        out(json!({"type": "tool_progress", "tool_use_id": "p", "parent_tool_use_id": of, "elapsed_time_seconds": 3}))
    };
    let inner = call_of("a", "t", "Bash", json!({"command": "make"}));
    let told = told_of(records(vec![inner, progress("t"), progress("a")]));
    let parents: Vec<(&Value, Option<&Value>)> =
        told[1..].iter().map(|e| (&e["callId"], e.get("parentCallId"))).collect();
    assert_eq!(parents, [(&json!("t"), Some(&json!("a"))), (&json!("a"), None)]);
}

#[test]
fn a_file_that_was_not_uploaded_says_why() {
    let more = json!({
        "files": [{"filename": "a.txt", "file_id": "f1"}],
        "failed": [{"filename": "b.txt", "error": "too large"}, {"filename": "c.txt"}],
        "processed_at": "2026-01-02T03:04:05Z"
    });
    assert_eq!(
        fields(&of_system("files_persisted", more.clone()), &["files", "failed", "processedAt"]),
        json!({
            "files": [{"filename": "a.txt", "fileId": "f1"}],
            "failed": [{"filename": "b.txt", "error": "too large"}, {"filename": "c.txt"}],
            "processedAt": "2026-01-02T03:04:05Z"
        })
    );
    let state = after(vec![system("files_persisted", more)]);
    let ItemBody::Notice(notice) = &state.items.iter().last().unwrap().body else { panic!("no notice") };
    assert_eq!(notice.text.text, "Could not upload b.txt (too large), c.txt");
}

#[test]
fn news_of_tasks_goals_retries_and_losses_is_told_whole() {
    let started = of_system("task_started", json!({"task_id": "t", "spawn_depth": 2, "workflow_name": "tidy"}));
    assert_eq!(
        fields(&started, &["spawnDepth", "workflowName", "description"]),
        json!({"spawnDepth": 2, "workflowName": "tidy", "description": "tidy"})
    );
    let updated = of_system("task_updated", json!({"task_id": "t", "patch": {"end_time": 1500}}));
    assert_eq!(fields(&updated, &["endTime"]), json!({"endTime": 1500}));
    let task = json!({"task_id": "t", "run_id": "r", "parent_task_id": "p"});
    let changed = of_system("background_tasks_changed", json!({"tasks": [task]}));
    assert_eq!(fields(&changed, &["tasks"]), json!({"tasks": [{"taskId": "t", "runId": "r", "parentTaskId": "p"}]}));
    let goal = json!({"condition": "green", "set_at": 1500, "tokens_at_start": 7});
    assert_eq!(
        fields(&json!({"type": "active_goal", "value": goal}), &["setAt", "tokensAtStart"]),
        json!({"setAt": 1500, "tokensAtStart": 7})
    );
    let retry = of_system("api_retry", json!({"attempt": 1, "no_response": {"waited_ms": 30000}}));
    assert_eq!(fields(&retry, &["noResponseMs"]), json!({"noResponseMs": 30000}));
    let tries = json!({"attempt": 2, "max_retries": 3, "retry_delay_ms": 500, "error_status": 529});
    assert_eq!(
        fields(
            &of_system("control_request_progress", tries),
            &["attempt", "maxRetries", "retryDelayMs", "errorStatus"]
        ),
        json!({"attempt": 2, "maxRetries": 3, "retryDelayMs": 500, "errorStatus": 529})
    );
    let lost = of_system("session_writes_lost", json!({"lost": ["transcript"], "transcript_session_ids": ["s9"]}));
    assert_eq!(fields(&lost, &["lost", "sessionIds"]), json!({"lost": ["transcript"], "sessionIds": ["s9"]}));
}

#[test]
fn a_task_of_a_server_says_what_it_gave() {
    let file = json!({"uri": "file:///r.pdf", "name": "r", "mimeType": "application/pdf", "size": 9, "server": "docs"});
    let line = of_system("task_notification", json!({"task_id": "t", "resource_links": [file, {"name": "nowhere"}]}));
    assert_eq!(fields(&line, &["resourceLinks"]), json!({"resourceLinks": [file]}));
}

#[test]
fn a_refusal_says_what_it_is_about_and_how_far_the_other_model_goes() {
    let line = of_system(
        "model_refusal_fallback",
        json!({
            "original_model": "opus", "fallback_model": "sonnet", "trigger": "refusal", "direction": "retry", "scope": "local",
            "api_refusal_category": "cyber", "api_refusal_explanation": "No.", "refused_user_message_uuid": "p"
        }),
    );
    let names = ["direction", "scope", "category", "explanation", "reason", "refusedUserMessageUuid"];
    assert_eq!(
        fields(&line, &names),
        json!({
            "direction": "retry", "scope": "local", "category": "cyber", "explanation": "No.", "reason": "No.",
            "refusedUserMessageUuid": "p"
        })
    );
    let line = of_system(
        "model_refusal_no_fallback",
        json!({"original_model": "opus", "api_refusal_category": "cyber", "refused_user_message_uuid": "p"}),
    );
    assert_eq!(
        fields(&line, &["category", "reason", "refusedUserMessageUuid"]),
        json!({"category": "cyber", "reason": "cyber", "refusedUserMessageUuid": "p"})
    );
}

#[test]
fn what_was_written_to_the_cache_is_told_by_how_long_it_stays() {
    let result = |five: u64, hour: u64| {
        let usage = json!({
            "inputTokens": 1, "outputTokens": 1, "cacheCreationInputTokens": five + hour, "costUSD": 0,
            "cacheCreationEphemeral5mInputTokens": five, "cacheCreationEphemeral1hInputTokens": hour
        });
        json!({"type": "result", "subtype": "success", "total_cost_usd": 0, "modelUsage": {"opus": usage}})
    };
    let lines = [result(10, 4), result(15, 10)].map(|line| line.to_string());
    let events = told(&[&lines[0], &lines[1]], Profile::Full);
    let turn = events.iter().rfind(|event| event["event"] == "turn_complete").unwrap();
    let split = |usage: &Value| (usage["cacheCreation5mTokens"].clone(), usage["cacheCreation1hTokens"].clone());
    assert_eq!(split(&turn["modelUsage"]["opus"]), (json!(15), json!(10)));
    assert_eq!(split(&turn["turnModelUsage"]["opus"]), (json!(5), json!(6)), "what is new of it");
    let session = events.iter().rfind(|event| event["event"] == "session_metrics").unwrap();
    assert_eq!(split(&session["perModel"]["opus"]), (json!(15), json!(10)));
    let state = after([result(10, 4), result(15, 10)].map(out).into());
    let opus = &state.meters.models["opus"];
    assert_eq!((opus.cache_creation_5m_tokens, opus.cache_creation_1h_tokens), (Some(15), Some(10)));
}

#[test]
fn a_turn_says_what_the_last_call_of_its_main_agent_used() {
    let used = |parent: Option<&str>, tokens: u64| {
        let usage = json!({"input_tokens": tokens, "cache_read_input_tokens": 4, "output_tokens": 5});
        let message = json!({"id": format!("m{tokens}"), "model": "x", "content": [], "usage": usage});
        json!({"type": "assistant", "parent_tool_use_id": parent, "message": message})
    };
    let result = json!({"type": "result", "subtype": "success"});
    let lines = [used(None, 1), used(None, 3), used(Some("a"), 7), result.clone(), result].map(|line| line.to_string());
    let lines = lines.each_ref().map(String::as_str);
    for profile in [Profile::Core, Profile::Full] {
        let events = told(&lines, profile);
        let turns = events.iter().filter(|event| event["event"] == "turn_complete");
        let last: Vec<&Value> = turns.map(|turn| &turn["extensions"]["lastStepUsage"]).collect();
        let usage = json!({"input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 5});
        assert_eq!(last, [&usage, &Value::Null], "a turn without a call has none");
    }
}

#[test]
fn a_note_says_how_the_agent_would_show_it() {
    let line = of_system("notification", json!({"text": "x", "priority": "low", "color": "red", "timeout_ms": 800}));
    assert_eq!(
        fields(&line, &["priority", "color", "timeoutMs"]),
        json!({"priority": "low", "color": "red", "timeoutMs": 800})
    );
}

#[test]
fn a_remark_says_which_feature_it_belongs_to() {
    let line =
        of_system("informational", json!({"content": "x", "level": "warning", "tag": "auto_mode_no_server_check"}));
    assert_eq!(
        fields(&line, &["text", "level", "tag"]),
        json!({"text": "x", "level": "warning", "tag": "auto_mode_no_server_check"})
    );
    let untagged = of_system("informational", json!({"content": "x"}));
    assert_eq!(fields(&untagged, &["tag"]), json!({"tag": null}));
}

/// The report of `/usage` as subscribers get it, on the wire and in an event.
fn usage_report() -> (Value, Value) {
    let wire = json!({
        "session": {
            "total_cost_usd": 0.25, "total_api_duration_ms": 1500, "total_duration_ms": 60_000,
            "total_lines_added": 12, "total_lines_removed": 3,
            "model_usage": {"opus": {"inputTokens": 5, "outputTokens": 7, "costUSD": 0.25}}
        },
        "rate_limits": {
            "limits": [
                {"kind": "session", "group": "plan", "percent": 41.5, "resets_at": "1970-01-01T00:00:01.500Z",
                 "severity": "normal", "is_active": true},
                {"kind": "weekly_scoped", "percent": 100, "resets_at": "soon", "severity": "critical",
                 "scope": {"model": {"display_name": "Opus"}, "surface": {"display_name": "Code"}}}
            ],
            "extra_usage": {
                "is_enabled": true, "monthly_limit": 5000, "used_credits": 50, "utilization": 1, "currency": "EUR"
            }
        }
    });
    let event = json!({
        "costUsd": 0.25, "durationMs": 60_000, "durationApiMs": 1500, "linesAdded": 12, "linesRemoved": 3,
        "modelUsage": {"opus": {"inputTokens": 5, "outputTokens": 7, "costUsd": 0.25}},
        "limits": [
            {"kind": "session", "group": "plan", "usedPercent": 41.5, "resetsAt": 1500, "severity": "normal",
             "isActive": true},
            {"kind": "weekly_scoped", "usedPercent": 100, "model": "Opus", "surface": "Code", "severity": "critical"}
        ],
        "extraUsage": {
            "isEnabled": true, "monthlyLimit": 5000, "usedCredits": 50, "usedPercent": 1, "currency": "EUR"
        }
    });
    (wire, event)
}

#[test]
fn the_answer_of_usage_has_its_figures_beside_its_words() {
    let (wire, report) = usage_report();
    // Captured with an API key, which gets the words alone.
    let mut lines =
        scenario("2.1.326", "slash-cost").records().into_iter().map(|record| record.line.text().into_owned());
    let captured = lines.find(|line| line.contains("local_command_run")).unwrap();
    let mut plain = told(&[&captured], Profile::Full);
    assert_eq!(
        (plain.len(), &plain[0]["event"], &plain[0]["usageReport"]),
        (1, &json!("local_command_output"), &Value::Null)
    );

    let mut line: Value = serde_json::from_str(&captured).unwrap();
    line["usage_report"] = wire;
    plain[0]["usageReport"] = report;
    assert_eq!(told(&[&line.to_string()], Profile::Full), plain, "nothing else is told");
    assert_eq!(
        told(&[&line.to_string()], Profile::Core),
        told(&[&captured], Profile::Core),
        "the documents know no report"
    );
    // A version that does not name the command still says what it is by its figures.
    for name in ["local_command_run", "local_command_source"] {
        line.as_object_mut().unwrap().remove(name);
    }
    plain[0].as_object_mut().unwrap().remove("command");
    assert_eq!(told(&[&line.to_string()], Profile::Full), plain);
}

#[test]
fn the_answer_of_usage_is_read_from_a_transcript_too() {
    let (wire, report) = usage_report();
    let content = "<local-command-stdout>Total cost: $0.25</local-command-stdout>";
    let kept = json!({
        "type": "system", "subtype": "local_command", "uuid": "u", "content": content,
        "commandRun": {"command": "usage"}, "usageReport": wire
    });
    let events = told_of(records(vec![entry(kept)]));
    assert_eq!(
        (events.len(), &events[0]["text"], &events[0]["usageReport"]),
        (1, &json!("Total cost: $0.25"), &report)
    );
}

#[test]
fn a_report_of_which_nothing_fits_leaves_the_words() {
    let line = json!({
        "type": "assistant", "local_command_run": {"command": "usage"}, "usage_report": {"session": 7, "rate_limits": []},
        "message": {"id": "m", "model": "<synthetic>", "content": [{"type": "text", "text": "Total cost: $0.25"}]}
    });
    assert_eq!(
        fields(&line, &["event", "text", "usageReport"]),
        json!({"event": "local_command_output", "text": "Total cost: $0.25", "usageReport": {}})
    );
}

#[test]
fn a_turn_says_which_call_was_put_off() {
    let call = json!({"id": "t", "name": "Bash", "input": {"command": "ls"}});
    let line = json!({"type": "result", "subtype": "success", "deferred_tool_use": call});
    assert_eq!(fields(&line, &["deferredToolUse"]), json!({"deferredToolUse": call}));
}

/// What comes seldom or never in captures, each as a whole.
#[test]
fn kinds_that_are_met_seldom_have_their_fields() {
    let asked = |request: Value| json!({"type": "control_request", "request_id": "q", "request": request});
    let command = json!({"name": "x", "description": "Does x", "argumentHint": "[y]"});
    let near = json!({"status": "allowed_warning", "rateLimitType": "five_hour", "utilization": 0.5, "resetsAt": 1_800_000_000});
    let memories = json!([{"path": "<synthesis:a>", "scope": "team", "content": "Use tabs."}, {"path": "/m.md"}]);
    let used = json!({"input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 5});
    let cases = [
        (
            json!({"type": "prompt_suggestion", "suggestion": "Run the tests"}),
            json!({"event": "prompt_suggestion", "suggestion": "Run the tests"}),
        ),
        (
            json!({"type": "auth_status", "isAuthenticating": true, "output": ["Open this"], "error": "too slow"}),
            json!({"event": "auth_status", "isAuthenticating": true, "output": ["Open this"], "error": "too slow"}),
        ),
        (
            of_system("session_state_changed", json!({"state": "requires_action"})),
            json!({"event": "session_state", "state": "requires_action"}),
        ),
        (
            of_system("worker_shutting_down", json!({"reason": "idle"})),
            json!({"event": "worker_shutdown", "reason": "idle"}),
        ),
        (
            of_system("elicitation_complete", json!({"mcp_server_name": "git", "elicitation_id": "e"})),
            json!({"event": "elicitation_complete", "mcpServer": "git", "elicitationId": "e"}),
        ),
        (
            of_system("memory_recall", json!({"mode": "synthesize", "memories": memories})),
            json!({"event": "memory_recall", "mode": "synthesize", "memories": memories}),
        ),
        (
            of_system("commands_changed", json!({"commands": [command]})),
            json!({"event": "available_commands", "availableCommands": [command]}),
        ),
        (
            asked(
                json!({"subtype": "request_user_dialog", "dialog_kind": "choice", "payload": {"a": 1}, "tool_use_id": "t"}),
            ),
            json!({"event": "user_dialog", "requestId": "q", "dialogKind": "choice", "payload": {"a": 1}, "toolUseId": "t"}),
        ),
        (
            json!({"type": "rate_limit_event", "rate_limit_info": near}),
            json!({
                "event": "rate_limit_update", "status": "allowed_warning", "limitType": "five_hour", "utilization": 0.5,
                "resetsAt": 1_800_000_000_000_u64, "windows": {},
                "primary": {"usedPercent": 50, "resetsAt": 1_800_000_000_000_u64, "status": "allowed_warning"}
            }),
        ),
        (
            json!({"type": "assistant", "message": {"id": "m", "model": "x", "content": [], "usage": used}}),
            json!({"event": "usage_update", "stepUsage": used, "messageId": "m", "contextTokens": 12, "model": "x"}),
        ),
    ];
    for (line, mut event) in cases {
        event["sessionId"] = json!("fixture");
        assert_eq!(told(&[&line.to_string()], Profile::Full), [event]);
    }
}
