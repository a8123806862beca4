//! Questions: open ones, and how each was decided.

use std::sync::Arc;

use insights::UnixMillis;
use insights::event::tool::ToolKind;
use insights::record::Source;
use insights::state::ask::{Ask, AskBody, PermissionAsk, PlanAsk, Question, QuestionAsk, QuestionOption, Suggestion};
use insights::state::clip::Clip;
use insights::state::header::Phase;
use insights::state::item::ItemBody;
use insights::state::tool::{Decision, DecisionOutcome, ToolStatus, ToolView};
use insights::state::{Change, State};
use serde_json::{Value, json};

use crate::fixtures::scenarios;
use crate::play;
use crate::script::*;

fn words(text: &str) -> Clip {
    Clip { text: text.to_owned(), more: None }
}

fn decision(outcome: DecisionOutcome, at: i64) -> Decision {
    Decision { outcome, by: None, at: UnixMillis(at), message: None, edited: false, remembered: Vec::new() }
}

fn asking() -> Vec<Said> {
    let input = json!({"command": "touch a"});
    vec![init(), call("t", "Bash", input.clone()), ask("q", "t", "Bash", input)]
}

fn asked_and(more: Said) -> State {
    after(asking().into_iter().chain([more]).collect())
}

#[test]
fn a_permission_is_asked_with_all_that_a_card_needs() {
    let request = out(json!({
        "type": "control_request", "request_id": "q",
        "request": {
            "subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "touch a", "description": "Make a"},
            "tool_use_id": "t", "decision_reason": "outside", "blocked_path": "/a",
            "permission_suggestions": [{
                "type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "touch *"}], "behavior": "allow",
                "destination": "session"
            }]
        }
    }));
    let state = after(vec![init(), call("t", "Bash", json!({"command": "touch a"})), request]);
    let expected = Ask {
        id: "q".into(),
        seq: 3,
        at: UnixMillis(3000),
        call: Some("t".into()),
        agent_id: None,
        body: AskBody::Permission(Box::new(PermissionAsk {
            tool: "Bash".to_owned(),
            tool_kind: ToolKind::Execute,
            title: "Make a".to_owned(),
            description: None,
            view: ToolView::Command {
                command: words("touch a"),
                description: Some("Make a".to_owned()),
                output: words(""),
                exit_code: None,
                interrupted: false,
                background: false,
            },
            input: words(r#"{"command":"touch a","description":"Make a"}"#),
            reason: Some("outside".to_owned()),
            reason_type: None,
            blocked_path: Some("/a".to_owned()),
            matched_rule: None,
            mcp_source: None,
            suggestions: vec![Suggestion {
                kind: "addRules".to_owned(),
                label: "Allow Bash(touch *) for this session".to_owned(),
                rules: vec!["Bash(touch *)".to_owned()],
                directories: Vec::new(),
                mode: None,
                behavior: Some("allow".to_owned()),
                destination: Some("session".to_owned()),
            }],
            default_to_no: false,
            suppress_always_allow: false,
        })),
    };
    assert_eq!(state.asks, [Arc::new(expected)]);
    assert_eq!(tool(&state, "t").status, ToolStatus::Waiting);
    assert_eq!((state.status.phase, state.status.words.as_str()), (Phase::NeedsYou, "Wants to run Bash"));
}

#[test]
fn an_allowed_call_runs_and_says_who_allowed_it() {
    let state = asked_and(answer("q", json!({"behavior": "allow", "updatedInput": {"command": "touch a"}})));
    assert_eq!(state.asks, []);
    let tool = tool(&state, "t");
    assert_eq!(tool.status, ToolStatus::Running);
    assert_eq!(
        tool.decision,
        Some(Decision { by: Some("ada".to_owned()), ..decision(DecisionOutcome::Allowed, 4000) })
    );
    assert_eq!((state.status.phase, state.status.words.as_str()), (Phase::Running, "Running Bash: touch a"));
}

#[test]
fn a_call_that_was_edited_shows_what_really_runs() {
    let updates = json!([{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]);
    let allow = json!({"behavior": "allow", "updatedInput": {"command": "touch b"}, "updatedPermissions": updates});
    let state = asked_and(answer("q", allow));
    let tool = tool(&state, "t");
    let ToolView::Command { command, .. } = &tool.view else { panic!("{tool:?}") };
    assert_eq!((command.text.as_str(), tool.title.as_str()), ("touch b", "touch b"));
    assert_eq!(tool.input.text, r#"{"command":"touch a"}"#);
    let edited = Decision {
        by: Some("ada".to_owned()),
        edited: true,
        remembered: vec!["Switch to mode acceptEdits for this session".to_owned()],
        ..decision(DecisionOutcome::Allowed, 4000)
    };
    assert_eq!(tool.decision, Some(edited));
}

#[test]
fn a_denied_tool_shows_the_reason() {
    let said = asking()
        .into_iter()
        .chain([answer("q", json!({"behavior": "deny", "message": "not now"})), failure("t", "not now")]);
    let state = after(said.collect());
    let tool = tool(&state, "t");
    assert_eq!(tool.status, ToolStatus::Denied);
    let denied = Decision {
        by: Some("ada".to_owned()),
        message: Some("not now".to_owned()),
        ..decision(DecisionOutcome::Denied, 4000)
    };
    assert_eq!(tool.decision, Some(denied));
}

#[test]
fn a_withdrawn_question_is_gone() {
    let state = asked_and(withdrawn("q"));
    assert_eq!(state.asks, []);
    assert_eq!(tool(&state, "t").decision, Some(decision(DecisionOutcome::Withdrawn, 4000)));
}

#[test]
fn a_question_that_an_interrupt_took_away_was_withdrawn_by_nobody() {
    let denials = json!([{"tool_name": "Bash", "tool_use_id": "t", "tool_input": {}}]);
    let cut = ended(json!({"subtype": "error_during_execution", "is_error": true, "permission_denials": denials}));
    let said = [interrupt(), withdrawn("q"), failure("t", "AbortError"), interrupt_mark(), cut];
    let state = after(asking().into_iter().chain(said).collect());
    let tool = tool(&state, "t");
    assert_eq!(tool.status, ToolStatus::Cancelled);
    assert_eq!(tool.decision, Some(decision(DecisionOutcome::Interrupted, 5000)));
    let ItemBody::Turn(turn) = &state.items.iter().last().unwrap().body else { panic!() };
    assert_eq!(turn.denials, [], "nobody was denied anything");

    let cut = ended(json!({"subtype": "error_during_execution", "is_error": true}));
    let state = after(asking().into_iter().chain([interrupt(), cut]).collect());
    let outcome = crate::script::tool(&state, "t").decision.as_ref().map(|decision| &decision.outcome);
    assert_eq!(
        outcome,
        Some(&DecisionOutcome::Interrupted),
        "whoever did not hear that the question is gone knows it too"
    );
}

#[test]
fn a_question_that_a_hook_answered_says_so() {
    let by_hook = |outcome| Decision { by: Some("hook".to_owned()), ..decision(outcome, 4000) };
    let accepted = json!({"permission_decision": {"decision": "accept", "source": "hook"}});
    let said = [withdrawn("q"), decided("t", "made", false, accepted)];
    let state = after(asking().into_iter().chain(said).collect());
    assert_eq!(tool(&state, "t").decision, Some(by_hook(DecisionOutcome::Allowed)));

    let verdict = json!({"decision": "reject", "source": "hook"});
    let rejected = json!({"non_execution_kind": "permission-rule", "permission_decision": verdict});
    let said = [withdrawn("q"), decided("t", "no", true, rejected)];
    let state = after(asking().into_iter().chain(said).collect());
    assert_eq!(tool(&state, "t").decision, Some(by_hook(DecisionOutcome::Denied)));
    assert_eq!(tool(&state, "t").status, ToolStatus::Denied);
}

#[test]
fn a_turn_that_ends_takes_its_questions_along() {
    let state = asked_and(ended(json!({"subtype": "error_during_execution"})));
    assert_eq!(state.asks, []);
    assert_eq!(tool(&state, "t").status, ToolStatus::Cancelled);
    assert_eq!(tool(&state, "t").decision, Some(decision(DecisionOutcome::Withdrawn, 4000)));
}

#[test]
fn a_call_that_has_its_result_is_not_asked_about_any_more() {
    let ended = || asking().into_iter().chain([result("t", "", json!({}))]);
    for state in [after(ended().collect()), after(ended().chain([done(0.0)]).collect())] {
        assert_eq!(state.asks, []);
        assert_ne!(state.status.phase, Phase::NeedsYou);
        let tool = tool(&state, "t");
        assert_eq!((&tool.status, &tool.decision), (&ToolStatus::Completed, &None), "nobody said who has decided");
    }
}

#[test]
fn without_what_was_written_to_the_agent_no_call_that_has_ended_is_asked_about() {
    let mut questions = 0;
    for scenario in scenarios() {
        let mut records = scenario.records();
        records.retain(|record| !matches!(record.source, Source::Stdin { .. }));
        let mut state = State::default();
        for event in play::events(records) {
            state.apply(&event);
            questions += state.asks.len();
            for call in state.asks.iter().filter_map(|ask| ask.call.as_ref()) {
                let ended_at = state.items.get(call).and_then(|item| match &item.body {
                    ItemBody::Tool(tool) => tool.ended_at,
                    ItemBody::Agent(agent) => agent.ended_at,
                    _ => None,
                });
                assert_eq!(ended_at, None, "{scenario}: {call} after {}", event.id);
            }
        }
    }
    assert!(questions > 100);
}

#[test]
fn a_process_that_ends_leaves_nobody_to_answer() {
    let state = asked_and(exited(1));
    assert_eq!(state.asks, []);
    assert_eq!(tool(&state, "t").decision, Some(decision(DecisionOutcome::Abandoned, 4000)));
    assert_eq!(tool(&state, "t").status, ToolStatus::Cancelled);
}

#[test]
fn several_questions_are_open_at_once_and_each_is_answered_alone() {
    let said = ["a", "b"].into_iter().flat_map(|id| {
        let input = json!({"file_path": id});
        [call(id, "Read", input.clone()), ask(&format!("q{id}"), id, "Read", input)]
    });
    let both: Vec<Said> = [init()].into_iter().chain(said).collect();
    let events = events(both.into_iter().chain([answer("qa", json!({"behavior": "allow"}))]).collect());
    let (last, before) = events.split_last().unwrap();
    let mut state = crate::play::state(before);
    assert_eq!(state.status.words, "2 questions for you");
    let changes = state.apply(last);
    assert!(changes.iter().any(|change| matches!(change, Change::Asks { asks } if asks.len() == 1)), "{changes:?}");
    assert_eq!(state.asks.iter().map(|ask| &*ask.id).collect::<Vec<_>>(), ["qb"]);
    assert_eq!(tool(&state, "a").status, ToolStatus::Running);
    assert_eq!(tool(&state, "b").status, ToolStatus::Waiting);
}

#[test]
fn a_question_of_the_agent_is_shown_with_its_options_and_its_answer_is_no_edit() {
    let questions = json!([
        {"question": "Which?", "header": "H", "multiSelect": true, "options": [{"label": "A", "description": "first"}]},
        {"question": "When?", "options": []}
    ]);
    let input = json!({"questions": questions});
    let said =
        || vec![init(), call("t", "AskUserQuestion", input.clone()), ask("q", "t", "AskUserQuestion", input.clone())];
    let state = after(said());
    let question = |question: &str, header: Option<&str>, multi_select, options| Question {
        question: question.to_owned(),
        header: header.map(str::to_owned),
        multi_select,
        options,
    };
    let option = QuestionOption { label: "A".to_owned(), description: Some("first".to_owned()), preview: None };
    let expected = vec![question("Which?", Some("H"), true, vec![option]), question("When?", None, false, Vec::new())];
    assert_eq!(state.asks[0].body, AskBody::Question(QuestionAsk { questions: expected }));
    assert_eq!(state.status.words, "2 questions for you");

    let allow = json!({"behavior": "allow", "updatedInput": {"questions": questions, "answers": {"Which?": "A"}}});
    let state = after(said().into_iter().chain([answer("q", allow)]).collect());
    let tool = tool(&state, "t");
    let ToolView::Question { answers, notes, .. } = &tool.view else { panic!("{tool:?}") };
    assert!(notes.is_empty());
    assert_eq!(answers.get("Which?"), Some(&vec!["A".to_owned()]));
    assert_eq!(tool.decision.as_ref().map(|decision| decision.edited), Some(false));
}

#[test]
fn what_is_noted_beside_an_answer_is_kept_whatever_stands_beside_it() {
    let input = json!({"questions": [{"question": "Which?", "options": []}]});
    let noted = |annotations: Value| {
        let updated = json!({"answers": {"Which?": "A"}, "annotations": annotations});
        let state = after(vec![
            init(),
            call("t", "AskUserQuestion", input.clone()),
            ask("q", "t", "AskUserQuestion", input.clone()),
            answer("q", json!({"behavior": "allow", "updatedInput": updated})),
            result("t", "", json!({"answers": {"Which?": "A"}})),
        ]);
        let ToolView::Question { answers, notes, .. } = &tool(&state, "t").view else { panic!() };
        assert_eq!(answers.get("Which?"), Some(&vec!["A".to_owned()]));
        notes.get("Which?").cloned()
    };
    let other = json!({"preview": "P"});
    assert_eq!(noted(json!({"Which?": {"notes": "soon", "preview": "P"}, "When?": other})).as_deref(), Some("soon"));
    assert_eq!(noted(json!({"Which?": {"notes": ""}})), None);
    // What is of another form takes nothing else along.
    assert_eq!((noted(json!({"Which?": {"notes": 7}})), noted(json!("none")), noted(Value::Null)), (None, None, None));
}

#[test]
fn a_plan_is_shown_for_approval() {
    let input = json!({"plan": "# Plan\nDo it", "planFilePath": "/p.md"});
    let state = after(vec![init(), call("t", "ExitPlanMode", json!({})), ask("q", "t", "ExitPlanMode", input)]);
    let plan = PlanAsk { plan: words("# Plan\nDo it"), path: Some("/p.md".to_owned()), suggestions: Vec::new() };
    assert_eq!(state.asks[0].body, AskBody::Plan(plan));
    assert_eq!(state.status.words, "Has a plan for you to approve");
}

#[test]
fn a_call_that_a_rule_refuses_was_asked_of_nobody() {
    let denied = system(
        "permission_denied",
        json!({
            "tool_name": "Bash", "tool_use_id": "t", "decision_reason_type": "rule", "decision_reason": "Bash(rm:*)",
            "message": "no"
        }),
    );
    let state = after(vec![init(), call("t", "Bash", json!({"command": "rm x"})), denied, failure("t", "no")]);
    let tool = tool(&state, "t");
    let by_rule = Decision {
        by: Some("rule".to_owned()),
        message: Some("Bash(rm:*)".to_owned()),
        ..decision(DecisionOutcome::Denied, 3000)
    };
    assert_eq!((&tool.status, &tool.decision), (&ToolStatus::Denied, &Some(by_rule)));
}

#[test]
fn what_old_versions_refuse_without_asking_is_refused_by_a_rule_or_the_mode() {
    let denials = json!([
        {"tool_name": "Bash", "tool_use_id": "t", "tool_input": {}},
        {"tool_name": "Task", "tool_use_id": "a", "tool_input": {}}
    ]);
    let said = |mode: &str| {
        let bash = call("t", "Bash", json!({"command": "rm x"}));
        let task = call("a", "Task", json!({"description": "Count", "prompt": "Count!"}));
        let mode = system("status", json!({"status": null, "permissionMode": mode}));
        let no = [failure("t", "no"), failure("a", "no"), ended(json!({"permission_denials": denials}))];
        after([init(), mode, bash, task].into_iter().chain(no).collect())
    };
    for (mode, by) in [("default", "rule"), ("dontAsk", "mode")] {
        let refused = Some(Decision { by: Some(by.to_owned()), ..decision(DecisionOutcome::Denied, 7000) });
        let state = said(mode);
        let (tool, agent) = (tool(&state, "t"), agent(&state, "a"));
        assert_eq!((&tool.status, &tool.decision), (&ToolStatus::Denied, &refused));
        assert_eq!((&agent.status, &agent.decision), (&ToolStatus::Denied, &refused));
    }
}

#[test]
fn a_rule_about_a_part_of_a_command_is_a_rule() {
    let denied = system(
        "permission_denied",
        json!({"tool_name": "Bash", "tool_use_id": "t", "decision_reason_type": "subcommandResults"}),
    );
    let state = after(vec![init(), call("t", "Bash", json!({"command": "ls && rm x"})), denied]);
    assert_eq!(tool(&state, "t").decision.as_ref().and_then(|decision| decision.by.as_deref()), Some("rule"));
}

#[test]
fn a_form_of_a_server_is_a_question_too() {
    let request = json!({
        "type": "control_request", "request_id": "q",
        "request": {"subtype": "elicitation", "mcp_server_name": "git", "message": "Your name?", "mode": "form",
            "requested_schema": {"type": "object"}}
    });
    let said = || vec![init(), out(request.clone())];
    let state = after(said());
    let AskBody::Elicitation(asked) = &state.asks[0].body else { panic!("{:?}", state.asks) };
    assert_eq!(asked.message, words("Your name?"));
    assert_eq!(asked.schema, Some(words(r#"{"type":"object"}"#)));
    assert_eq!(state.status.words, "git asks for something");
    let ends = [
        (answer("q", json!({"action": "accept", "content": {}})), "git asks: Your name?\nAccepted by ada"),
        (answer("q", json!({"action": "decline"})), "git asks: Your name?\nDeclined by ada"),
        (answer("q", json!({"action": "cancel"})), "git asks: Your name?\nClosed by ada"),
        (withdrawn("q"), "git asks: Your name?\nNot asked any more"),
    ];
    for (end, told) in ends {
        let state = after(said().into_iter().chain([end]).collect());
        assert_eq!(state.asks, []);
        let ItemBody::Notice(notice) = &item(&state, "ask/q").body else { panic!() };
        assert_eq!((notice.source.as_str(), notice.text.text.as_str()), ("elicitation", told));
    }
}

#[test]
fn what_was_granted_for_the_session_is_lost_with_its_process() {
    let rules = json!([{"toolName": "Bash", "ruleContent": "touch *"}]);
    let updates = json!([{"type": "addRules", "rules": rules, "behavior": "allow", "destination": "session"}]);
    let allow = json!({"behavior": "allow", "updatedInput": {"command": "touch a"}, "updatedPermissions": updates});
    let said =
        || asking().into_iter().chain([answer("q", allow.clone()), result("t", "", json!({})), done(0.0), exited(0)]);
    let state = after(said().collect());
    assert_eq!(state.status.lost_grants, ["Allow Bash(touch *) for this session"]);

    let input = json!({"command": "touch b"});
    let again = [spawned(), init(), call("t2", "Bash", input.clone()), ask("q2", "t2", "Bash", input)];
    let state = after(said().chain(again).chain([answer("q2", allow)]).collect());
    assert_eq!(state.status.lost_grants, [""; 0]);
    assert!(matches!(item(&state, "t2").body, ItemBody::Tool(_)));
}

#[test]
fn an_address_is_shown_to_its_end_or_with_the_way_to_it() {
    let shown = |bytes: usize| {
        let url = format!("https://sea.example/?q={}", "x".repeat(bytes));
        let form =
            json!({"subtype": "elicitation", "mcp_server_name": "m", "message": "Log in", "mode": "url", "url": url});
        let state = after(vec![
            init(),
            ask("q", "t", "WebFetch", json!({"url": url, "prompt": "?"})),
            out(json!({"type": "control_request", "request_id": "r", "request": form})),
        ]);
        let urls = state.asks.iter().map(|ask| match &ask.body {
            AskBody::Permission(asked) => match &asked.view {
                ToolView::Fetch { url, .. } => url.clone(),
                other => panic!("{other:?}"),
            },
            AskBody::Elicitation(asked) => asked.url.clone().unwrap(),
            other => panic!("{other:?}"),
        });
        (url, urls.collect::<Vec<Clip>>())
    };
    let (url, clips) = shown(3000);
    assert_eq!(clips, [Clip { text: url.clone(), more: None }, Clip { text: url, more: None }]);
    let (url, clips) = shown(9000);
    let more = |clip: &Clip| clip.more.as_ref().map(|more| (more.bytes, more.seq, more.pointer.clone()));
    let bytes = url.len() as u64;
    assert_eq!(more(&clips[0]), Some((bytes, 2, "/request/input/url".to_owned())));
    assert_eq!(more(&clips[1]), Some((bytes, 3, "/request/url".to_owned())));
}

#[test]
fn how_an_option_would_look_is_shown_to_its_end_or_with_the_way_to_it() {
    let preview = |lines: usize| {
        let options = json!([{"label": "A"}, {"label": "B", "preview": "+--------+\n".repeat(lines)}]);
        let state = after(vec![
            init(),
            ask("q", "t", "AskUserQuestion", json!({"questions": [{"question": "?", "options": options}]})),
        ]);
        match &state.asks[0].body {
            AskBody::Question(asked) => asked.questions[0].options[1].preview.clone().unwrap(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(preview(300), Clip { text: "+--------+\n".repeat(300), more: None });
    assert_eq!(preview(3000).more.unwrap().pointer, "/request/input/questions/0/options/1/preview");
}

#[test]
fn what_is_cut_with_no_way_to_the_rest_ends_with_a_mark() {
    let request = out(json!({
        "type": "control_request", "request_id": "q",
        "request": {"subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "decision_reason": "x".repeat(2000)}
    }));
    let state = after(vec![init(), request]);
    let AskBody::Permission(asked) = &state.asks[0].body else { panic!("{:?}", state.asks) };
    let reason = asked.reason.as_deref().unwrap();
    assert!(reason.ends_with("x…") && reason.len() == 1024, "{reason}");
}
