//! Prompts, answers and facts: what the log has beside the agent's own lines.

use claude_protocol::Line;
use insights::convert::{Converter, Profile, RawLines, wire_time};
use insights::event::text::NoticeLevel;
use insights::record::{HostFact, Record, Source};
use insights::time::UnixMillis;
use serde_json::{Value, json};

use crate::support::told_of;

/// A log in the making.
#[derive(Default)]
struct Log(Vec<Record>);

impl Log {
    fn add(mut self, source: Source, line: impl Into<Line>) -> Self {
        let seq = self.0.len() as u64 + 1;
        self.0.push(Record { seq, at: UnixMillis(0), source, line: line.into() });
        self
    }

    fn stdin(self, line: Value) -> Self {
        self.add(Source::Stdin { by: Some("phone".to_owned()), id: Some("m1".to_owned()) }, line.to_string())
    }

    fn stdout(self, line: Value) -> Self {
        self.add(Source::Stdout, line.to_string())
    }

    fn fact(self, fact: HostFact) -> Self {
        self.add(Source::Host, fact.to_json())
    }

    fn events(self) -> Vec<Value> {
        told_of(self.0)
    }

    /// State and name of each input.
    fn inputs(self) -> Vec<(String, String)> {
        let events = self.events();
        let inputs = events.iter().filter(|event| event["event"] == "user_input");
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        inputs.map(|input| (word(&input["state"]), word(&input["messageUuid"]))).collect()
    }
}

fn prompt(uuid: Option<&str>, text: &str) -> Value {
    let mut line =
        json!({ "type": "user", "message": { "role": "user", "content": [{ "type": "text", "text": text }] } });
    if let Some(uuid) = uuid {
        line["uuid"] = uuid.into();
    }
    line
}

fn lifecycle(uuid: &str, state: &str) -> Value {
    json!({ "type": "command_lifecycle", "command_uuid": uuid, "state": state })
}

fn init() -> Value {
    json!({ "type": "system", "subtype": "init" })
}

fn exited() -> HostFact {
    HostFact::Exited { code: Some(1), signal: None, stderr_tail: vec!["no".to_owned()], expected: false }
}

fn said(states: &[(&str, &str)]) -> Vec<(String, String)> {
    states.iter().map(|(state, uuid)| ((*state).to_owned(), (*uuid).to_owned())).collect()
}

#[test]
fn a_prompt_is_told_when_it_is_sent_with_who_sent_it() {
    let line = json!({ "type": "user", "uuid": "u", "priority": "now", "message": { "role": "user", "content": [
        { "type": "text", "text": "look" },
        { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBO" } },
    ] } });
    let events = Log::default().stdin(line).stdout(lifecycle("u", "started")).events();
    let mut expected = json!({
        "event": "user_input", "sessionId": "fixture", "messageUuid": "u", "text": "look", "isSynthetic": false,
        "state": "sent", "by": "phone", "clientId": "m1", "priority": "now",
        "images": [{ "mediaType": "image/png", "data": "iVBO", "pointer": "/message/content/1/source/data", "bytes": 4, "after": 4 }]
    });
    assert_eq!(events[0], expected);
    // Told again, it says where the picture is instead of repeating it.
    expected["state"] = "consumed".into();
    expected["images"] = json!([{ "mediaType": "image/png", "pointer": "/message/content/1/source/data", "bytes": 4, "seq": 1, "after": 4 }]);
    assert_eq!(events[1], expected);
}

#[test]
fn each_state_of_a_prompt_is_told_once_whatever_confirms_it() {
    let all = Log::default()
        .stdin(prompt(Some("u"), "hi"))
        .stdout(lifecycle("u", "queued"))
        .stdout(lifecycle("u", "queued"))
        .stdout(lifecycle("u", "started"))
        .stdout(json!({ "type": "system", "subtype": "init", "user_message_uuids": ["u"] }))
        .stdout(
            json!({ "type": "user", "isReplay": true, "uuid": "u", "message": { "role": "user", "content": "hi" } }),
        )
        .stdout(json!({ "type": "result", "subtype": "success", "user_message_uuid": "u" }))
        .stdout(lifecycle("u", "completed"));
    assert_eq!(all.inputs(), said(&[("sent", "u"), ("queued", "u"), ("consumed", "u")]));
}

#[test]
fn the_oldest_prompt_begins_with_init_where_the_cli_names_none() {
    let old = Log::default().stdin(prompt(Some("a"), "1")).stdin(prompt(Some("b"), "2")).stdout(init());
    assert_eq!(old.inputs(), said(&[("sent", "a"), ("sent", "b"), ("consumed", "a")]));
    // One that names prompts is taken at its word: this turn is its own.
    let new = Log::default().stdin(prompt(Some("a"), "1")).stdout(lifecycle("a", "queued")).stdout(init());
    assert_eq!(new.inputs(), said(&[("sent", "a"), ("queued", "a")]));
    // A prompt without a name can only begin with a turn that names none.
    let unnamed = Log::default().stdout(lifecycle("x", "queued")).stdin(prompt(None, "1")).stdout(init());
    assert_eq!(unnamed.inputs(), said(&[("sent", "#2"), ("consumed", "#2")]));
}

/// What was said in the user's name, with no mark of what it is.
fn unmarked(uuid: &str, text: &str) -> Value {
    json!({ "type": "user", "uuid": uuid, "message": { "role": "user", "content": [{ "type": "text", "text": text }] } })
}

#[test]
fn a_prompt_that_comes_back_unmarked_and_under_another_name_is_the_one_that_was_sent() {
    let result = || json!({ "type": "result", "subtype": "success" });
    for uuid in [Some("a"), None] {
        let name = uuid.unwrap_or("#1");
        let taken = Log::default().stdin(prompt(uuid, "go")).stdout(init()).stdout(unmarked("x", "go"));
        assert_eq!(taken.inputs(), said(&[("sent", name), ("consumed", name)]));
        let waits = Log::default().stdin(prompt(uuid, "go")).stdout(unmarked("x", "go")).stdout(init());
        assert_eq!(waits.inputs(), said(&[("sent", name), ("consumed", name)]));
    }
    let by_its_name = Log::default().stdin(prompt(Some("a"), "go")).stdout(init()).stdout(unmarked("a", "go"));
    assert_eq!(by_its_name.inputs(), said(&[("sent", "a"), ("consumed", "a")]));
    let named = Log::default().stdin(prompt(Some("a"), "go")).stdout(lifecycle("a", "started"));
    assert_eq!(named.stdout(unmarked("x", "go")).inputs(), said(&[("sent", "a"), ("consumed", "a")]));
    // Said twice, it is two prompts, and each comes back.
    let turn = |log: Log, uuid: &str, copy: &str| {
        log.stdin(prompt(Some(uuid), "go")).stdout(init()).stdout(unmarked(copy, "go")).stdout(result())
    };
    let twice = turn(turn(Log::default(), "a", "x"), "b", "y");
    assert_eq!(twice.inputs(), said(&[("sent", "a"), ("consumed", "a"), ("sent", "b"), ("consumed", "b")]));
}

#[test]
fn the_same_words_that_nobody_here_has_sent_are_told() {
    let sent = || Log::default().stdin(prompt(Some("a"), "go")).stdout(init());
    let told = said(&[("sent", "a"), ("consumed", "a"), ("consumed", "y")]);
    assert_eq!(sent().stdout(unmarked("x", "go")).stdout(unmarked("y", "go")).inputs(), told, "it came back before");
    let replay =
        json!({ "type": "user", "isReplay": true, "uuid": "a", "message": { "role": "user", "content": "go" } });
    assert_eq!(sent().stdout(replay).stdout(unmarked("y", "go")).inputs(), told, "by its name");
    let mut peer = unmarked("y", "go");
    peer["origin"] = json!({ "kind": "peer" });
    assert_eq!(sent().stdout(peer).inputs(), told, "another agent said it");
    let done = sent().stdout(json!({ "type": "result", "subtype": "success" }));
    assert_eq!(done.stdout(unmarked("y", "go")).inputs(), told, "the turn is over");
    assert_eq!(sent().stdout(unmarked("y", "stop")).inputs(), told, "other words");
    // One that names prompts would say that this one was taken.
    let queued = Log::default().stdin(prompt(Some("a"), "go")).stdout(lifecycle("a", "queued"));
    let told = said(&[("sent", "a"), ("queued", "a"), ("consumed", "y")]);
    assert_eq!(queued.stdout(unmarked("y", "go")).inputs(), told);
}

#[test]
fn a_prompt_that_was_taken_back_is_cancelled_and_one_that_is_done_is_not() {
    let log = Log::default()
        .stdin(prompt(Some("a"), "1"))
        .stdin(prompt(Some("b"), "2"))
        .stdout(lifecycle("a", "started"))
        .stdout(lifecycle("b", "cancelled"))
        .stdout(lifecycle("a", "cancelled"));
    assert_eq!(log.inputs(), said(&[("sent", "a"), ("sent", "b"), ("consumed", "a"), ("cancelled", "b")]));
}

#[test]
fn a_result_says_which_prompts_it_answers() {
    let answered = |log: Log| {
        let events = log.events();
        events.iter().find(|event| event["event"] == "turn_complete").unwrap()["promptUuids"].clone()
    };
    let result = json!({ "type": "result", "subtype": "success" });
    let taken = || Log::default().stdin(prompt(Some("a"), "1")).stdout(lifecycle("a", "started"));
    assert_eq!(answered(taken().stdout(result.clone())), json!(["a"]));
    let foreign = json!({ "type": "result", "subtype": "success", "origin": { "kind": "task-notification" } });
    assert_eq!(answered(taken().stdout(foreign)), json!([]));
    let named =
        json!({ "type": "result", "subtype": "success", "user_message_uuid": "x", "user_message_uuids": ["a", "x"] });
    assert_eq!(answered(taken().stdout(named)), json!(["a", "x"]));
}

#[test]
fn what_the_process_owed_at_its_end_is_unconfirmed_or_withdrawn() {
    let ask = json!({ "type": "control_request", "request_id": "q", "request": {
        "subtype": "can_use_tool", "tool_name": "Bash", "input": {}
    } });
    for (fact, lost) in [(exited(), false), (HostFact::Lost, true)] {
        let log = Log::default().stdin(prompt(Some("u"), "hi")).stdout(ask.clone()).fact(fact);
        let events = log.events();
        let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["user_input", "permission_request", "user_input", "permission_cancelled", "process_exit"]);
        assert_eq!((&events[2]["state"], &events[2]["text"]), (&json!("unconfirmed"), &json!("hi")));
        assert_eq!(events[3]["requestId"], "q");
        assert_eq!(events[4]["lost"], lost);
    }
}

#[test]
fn an_answer_names_who_gave_it_and_a_late_one_is_nothing() {
    let ask = json!({ "type": "control_request", "request_id": "q", "request": {
        "subtype": "elicitation", "mcp_server_name": "db", "message": "Name?"
    } });
    let answer = json!({ "type": "control_response", "response": {
        "subtype": "success", "request_id": "q", "response": { "action": "accept", "content": { "name": "Ada" } }
    } });
    let events = Log::default().stdout(ask).stdin(answer.clone()).stdin(answer).events();
    assert_eq!(
        events[1..],
        [json!({
            "event": "permission_resolved", "sessionId": "fixture", "requestId": "q", "allowed": true, "by": "phone",
            "remembered": [], "response": { "action": "accept", "content": { "name": "Ada" } }
        })]
    );
}

#[test]
fn a_request_and_its_answer_belong_together() {
    let events = Log::default()
        .stdin(json!({ "type": "control_request", "request_id": "r", "request": { "subtype": "set_model", "model": "opus" } }))
        .stdout(json!({ "type": "control_response", "response": { "subtype": "success", "request_id": "r" } }))
        .events();
    assert_eq!(
        events,
        [
            json!({ "event": "control_sent", "sessionId": "fixture", "requestId": "r", "subtype": "set_model", "by": "phone" }),
            json!({
                "event": "control_result", "sessionId": "fixture", "requestId": "r", "subtype": "set_model", "ok": true,
                "model": "opus"
            }),
        ]
    );
}

#[test]
fn what_a_request_has_changed_is_known_where_the_answer_does_not_repeat_it() {
    let asked = |request: serde_json::Value| {
        let sent = json!({ "type": "control_request", "request_id": "r", "request": request });
        let done = json!({ "type": "control_response", "response": { "subtype": "success", "request_id": "r" } });
        Log::default().stdin(sent).stdout(done).events()[1]["changed"].clone()
    };
    let flags = |settings: serde_json::Value| asked(json!({ "subtype": "apply_flag_settings", "settings": settings }));
    assert_eq!(flags(json!({ "effortLevel": "high" })), json!({ "effort": "high" }));
    assert_eq!(flags(json!({ "fastMode": true, "theme": "dark" })), json!({ "fastMode": "on" }));
    assert_eq!(flags(json!({ "theme": "dark" })), json!(null));
    let thinking = |most: serde_json::Value| {
        asked(json!({ "subtype": "set_max_thinking_tokens", "max_thinking_tokens": most }))["thinking"].clone()
    };
    assert_eq!([thinking(json!(0)), thinking(json!(null)), thinking(json!(9000))], ["off", "on", "9000"]);
}

#[test]
fn an_interrupt_is_known_from_the_request_the_mark_or_the_reason() {
    let failed = json!({ "type": "result", "subtype": "error_during_execution", "is_error": true });
    let ended = |log: Log| {
        let events = log.events();
        let turn = events.iter().rfind(|event| event["event"] == "turn_complete").unwrap().clone();
        (turn["isInterrupted"].clone(), turn["isError"].clone())
    };
    let interrupt = json!({ "type": "control_request", "request_id": "r", "request": { "subtype": "interrupt" } });
    let mark = json!({ "type": "user", "message": { "role": "user", "content": [{ "type": "text", "text": "[Request interrupted by user]" }] } });
    let reason = json!({ "type": "result", "subtype": "error_during_execution", "is_error": true, "terminal_reason": "aborted_tools" });
    let (yes, no) = ((json!(true), json!(false)), (json!(false), json!(true)));
    assert_eq!(ended(Log::default().stdout(init()).stdin(interrupt.clone()).stdout(failed.clone())), yes);
    assert_eq!(ended(Log::default().stdout(mark).stdout(failed.clone())), yes);
    assert_eq!(ended(Log::default().stdout(reason)), yes);
    // While nothing runs there is nothing to interrupt.
    assert_eq!(ended(Log::default().stdin(interrupt).stdout(init()).stdout(failed)), no);
}

#[test]
fn a_new_process_forgets_what_the_old_one_said() {
    let spawned = || HostFact::Spawned {
        program: "claude".to_owned(),
        argv: Vec::new(),
        cwd: "/work".to_owned(),
        version: None,
        pid: None,
    };
    let initialize = json!({ "type": "control_response", "response": { "response": { "commands": [{ "name": "c" }], "models": [] } } });
    let result = |total: f64| json!({ "type": "result", "subtype": "success", "total_cost_usd": total });
    let events = Log::default()
        .fact(spawned())
        .stdout(initialize)
        .stdout(result(0.25))
        .fact(spawned())
        .stdout(init())
        // An older version begins to count anew, though its total is higher.
        .stdout(result(0.5))
        .events();
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).collect::<Vec<_>>();
    assert_eq!(of("session_init")[0].get("slashCommands"), None);
    let costs: Vec<_> = of("turn_complete").iter().map(|turn| turn["turnCostUsd"].as_f64().unwrap()).collect();
    assert_eq!(costs, [0.25, 0.5]);
}

#[test]
fn what_was_spent_before_a_fork_is_inherited() {
    let result = |total: f64, new: f64| {
        json!({ "type": "result", "subtype": "success", "total_cost_usd": total,
            "modelUsage": { "m": { "costUSD": total } }, "model_usage_since_last_result": { "m": { "costUSD": new } } })
    };
    let events = Log::default()
        .stdout(result(0.5, 0.5))
        .fact(HostFact::Forked { session: None, from: None, to: None })
        .fact(HostFact::Spawned {
            program: String::new(),
            argv: Vec::new(),
            cwd: String::new(),
            version: None,
            pid: None,
        })
        .stdout(result(0.75, 0.25))
        .events();
    let metrics = events.iter().rfind(|event| event["event"] == "session_metrics").unwrap();
    assert_eq!((&metrics["costUsd"], &metrics["inheritedCostUsd"]), (&json!(0.25), &json!(0.5)));
}

#[test]
fn facts_and_stderr_are_events() {
    let events = Log::default()
        .fact(HostFact::Log { format: 1, session: "s".to_owned(), created: UnixMillis(0) })
        .fact(HostFact::Attached)
        .fact(HostFact::Resumed { from: Some("a".to_owned()), to: Some("b".to_owned()) })
        .fact(HostFact::Note { text: "mind".to_owned(), level: NoticeLevel::Info })
        .add(Source::Host, r#"{"fact":"tomorrow"}"#)
        .add(Source::Stderr, "npm warn")
        .add(Source::Stdin { by: None, id: None }, "[1]")
        .add(Source::Stdin { by: None, id: None }, r#"{"type":"dance"}"#)
        .events();
    let session = |mut event: Value| {
        event["sessionId"] = "fixture".into();
        event
    };
    assert_eq!(
        events,
        [
            session(json!({ "event": "session_moved", "how": "attached" })),
            session(json!({ "event": "session_moved", "how": "resumed", "from": "a", "to": "b" })),
            session(json!({ "event": "notice", "source": "host", "level": "info", "text": "mind" })),
            session(json!({ "event": "unknown_message", "messageType": "tomorrow", "direction": "host" })),
            session(json!({ "event": "stderr", "text": "npm warn" })),
            session(json!({ "event": "protocol_error", "error": "not a JSON object, from byte 0 on", "line": "[1]" })),
            session(json!({ "event": "unknown_message", "messageType": "dance", "direction": "stdin" })),
        ]
    );
}

#[test]
fn fields_that_do_not_fit_are_named() {
    let line =
        json!({ "type": "assistant", "aborted": "yes", "message": { "content": [{ "type": "text", "text": "a" }] } });
    let told = |profile: Profile| {
        let mut converter = Converter::new("s", profile, RawLines::LeftOut);
        let events = converter.convert(Record::stdout(1, UnixMillis(0), line.to_string()));
        serde_json::to_value(&events[0]).unwrap()["extensions"].clone()
    };
    assert_eq!(told(Profile::Full), json!({ "claude.lenient": ["aborted"] }));
    assert_eq!(told(Profile::Core), Value::Null);
}

#[test]
fn the_list_of_things_to_do_follows_the_task_tools() {
    let call = |id: &str, name: &str, input: Value| json!({ "type": "assistant", "message": { "id": id, "content": [{ "type": "tool_use", "id": id, "name": name, "input": input }] } });
    let result = |id: &str, result: Value| json!({ "type": "user", "tool_use_result": result, "message": { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": id }] } });
    let events = Log::default()
        .stdout(call("1", "TaskCreate", json!({ "subject": "a", "description": "d", "activeForm": "doing a" })))
        .stdout(result("1", json!({ "task": { "id": "1", "subject": "a" } })))
        .stdout(call("2", "TaskCreate", json!({ "subject": "b" })))
        .stdout(result("2", json!({ "task": { "id": "2", "subject": "b" } })))
        .stdout(call("3", "TaskUpdate", json!({ "taskId": "2", "addBlockedBy": ["1"], "status": "in_progress" })))
        .stdout(result("3", json!({ "success": true, "taskId": "2" })))
        .stdout(call("4", "TaskList", json!({})))
        .stdout(result(
            "4",
            json!({ "tasks": [
            { "id": "1", "subject": "a", "status": "pending", "blockedBy": [] },
            { "id": "2", "subject": "b", "status": "in_progress", "blockedBy": ["1"] },
        ] }),
        ))
        .stdout(call("5", "TaskUpdate", json!({ "taskId": "1", "status": "deleted" })))
        .stdout(result("5", json!({ "success": true, "taskId": "1" })))
        .events();
    let lists: Vec<&Value> =
        events.iter().filter(|event| event["event"] == "task_list").map(|event| &event["tasks"]).collect();
    let a = |blocks: Value| {
        json!({
            "id": "1", "subject": "a", "description": "d", "status": "pending", "activeForm": "doing a", "blocks": blocks,
            "blockedBy": []
        })
    };
    let b = |status: &str, blocked_by: Value| {
        json!({
            "id": "2", "subject": "b", "status": status, "blocks": [], "blockedBy": blocked_by
        })
    };
    // What the list says was known already, so it gives no event.
    assert_eq!(
        lists,
        [
            &json!([a(json!([]))]),
            &json!([a(json!([])), b("pending", json!([]))]),
            &json!([a(json!(["2"])), b("in_progress", json!(["1"]))]),
            &json!([b("in_progress", json!([]))]),
        ]
    );
}

#[test]
fn the_time_of_a_line_is_its_own() {
    let time = |line: &str| wire_time(&line.into());
    assert_eq!(time(r#"{"type":"user","timestamp":"1970-01-01T00:00:01.000Z"}"#), Some(UnixMillis(1000)));
    assert_eq!(time(r#"{"type":"user","message":{"timestamp":"1970-01-01T00:00:01.000Z"}}"#), None);
    assert_eq!(time(r#"{"timestamp":7}"#), None);
    assert_eq!(time("npm"), None);
}
