//! Turns: how they begin, go on and end; the process behind them; prompts on their way.

use std::collections::BTreeMap;

use insights::HostFact;
use insights::UnixMillis;
use insights::event::turn::{ModelTokenUsage, TokenUsage};
use insights::state::State;
use insights::state::header::{AgentProcess, Exit, Phase, QueuedState, Retry};
use insights::state::item::{Denial, FileChange, ImageRef, ItemBody, TurnItem, TurnOutcome, UserRole};
use insights::state::tool::ToolStatus;
use serde_json::json;

use crate::script::*;

fn turn(state: &State) -> &TurnItem {
    let turns = state.items.iter().rev().find_map(|item| match &item.body {
        ItemBody::Turn(turn) => Some(&**turn),
        _ => None,
    });
    turns.unwrap()
}

fn phase(state: &State) -> (Phase, &str) {
    (state.status.phase, &state.status.words)
}

#[test]
fn a_session_says_in_words_what_it_does() {
    let thinking = json!({"type": "thinking", "thinking": ""});
    let bash = |id: &str, command: &str| call(id, "Bash", json!({"command": command}));
    let tool_block = json!({"type": "tool_use", "id": "x", "name": "Bash", "input": {}});
    let question = json!({"type": "tool_use", "id": "x", "name": "AskUserQuestion", "input": {}});
    let compacting = || system("status", json!({"status": "compacting"}));
    let steps = [
        (vec![], (Phase::Asleep, "")),
        (vec![spawned()], (Phase::Starting, "Starting")),
        (vec![spawned(), init()], (Phase::Running, "Working")),
        (vec![init(), message_start("m"), block_start(0, thinking)], (Phase::Running, "Thinking")),
        (
            vec![init(), message_start("m"), block_start(0, json!({"type": "text", "text": ""}))],
            (Phase::Running, "Writing"),
        ),
        (vec![init(), message_start("m"), block_start(0, tool_block)], (Phase::Running, "Preparing Bash")),
        (vec![init(), message_start("m"), block_start(0, question)], (Phase::Running, "Preparing a question")),
        (vec![init(), bash("a", "npm test\nmore")], (Phase::Running, "Running Bash: npm test")),
        (vec![init(), call("a", "mcp__git__log", json!({}))], (Phase::Running, "Running git: log")),
        (
            vec![init(), call("a", "WebFetch", json!({"url": "https://tides.example", "prompt": "When?"}))],
            (Phase::Running, "Running a web fetch: https://tides.example"),
        ),
        (vec![init(), bash("a", "x"), bash("b", "y"), bash("c", "z")], (Phase::Running, "Running 3 tools")),
        (vec![init(), bash("a", "x"), bash("b", "y"), result("a", "", json!({}))], (Phase::Running, "Running Bash: y")),
        (vec![init(), compacting()], (Phase::Compacting, "Compacting the context")),
        (vec![init(), compacting(), system("status", json!({"status": null}))], (Phase::Running, "Working")),
        (vec![init(), interrupt()], (Phase::Interrupting, "Stopping")),
        (vec![init(), done(0.0)], (Phase::Idle, "Ready")),
        (vec![init(), done(0.0), exited(0)], (Phase::Asleep, "Asleep")),
        (vec![init(), exited(2)], (Phase::Failed, "The agent ended with exit code 2")),
    ];
    for (said, expected) in steps {
        assert_eq!(phase(&after(said)), expected);
    }
}

#[test]
fn a_retry_says_which_and_when_and_is_forgotten_when_it_succeeds() {
    let retry = || {
        system(
            "api_retry",
            json!({
                "attempt": 3, "max_retries": 10, "retry_delay_ms": 8000, "error_status": 529, "error": "overloaded"
            }),
        )
    };
    let state = after(vec![init(), retry()]);
    assert_eq!(phase(&state), (Phase::Retrying, "Overloaded, try 3 of 10"));
    let expected = Retry { attempt: 3, max: Some(10), at: UnixMillis(10_000), error: "Overloaded".to_owned() };
    assert_eq!(state.status.turn.as_ref().and_then(|turn| turn.retry.clone()), Some(expected));
    for said in [message_start("m"), text("m", "Hi."), done(0.0)] {
        let state = after(vec![init(), retry(), said]);
        assert_eq!(state.status.turn.clone().and_then(|turn| turn.retry), None);
    }
}

#[test]
fn a_turn_sums_up_what_it_did() {
    let edit = json!({"file_path": "/w/a.rs", "old_string": "a", "new_string": "b\nc"});
    let patch = json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2, "lines": ["-a", "+b", "+c"]}]);
    let edited = |id: &str| result(id, "ok", json!({"structuredPatch": patch}));
    let written = result("w", "ok", json!({"type": "create", "structuredPatch": []}));
    let models = json!({"opus": {"inputTokens": 5, "outputTokens": 7, "costUSD": 0.25, "contextWindow": 200_000}});
    let denials = json!([{"tool_name": "Bash", "tool_use_id": "b", "tool_input": {}}]);
    let state = after(vec![
        prompt("p1", "Please edit"),
        lifecycle("p1", "started"),
        init(),
        call("e1", "Edit", edit.clone()),
        edited("e1"),
        call("e2", "Edit", edit),
        edited("e2"),
        call("w", "Write", json!({"file_path": "/w/new.md", "content": "x\n"})),
        written,
        call("b", "Bash", json!({"command": "rm"})),
        failure("b", "no"),
        ended(json!({
            "total_cost_usd": 0.25, "modelUsage": models, "permission_denials": denials, "uuid": "res",
            "structured_output": {"ok": true}
        })),
    ]);
    let usage = ModelTokenUsage {
        input_tokens: 5,
        output_tokens: 7,
        cost_usd: Some(0.25),
        context_window: Some(200_000),
        ..ModelTokenUsage::default()
    };
    let file = |path: &str, added, removed, created| FileChange { path: path.to_owned(), added, removed, created };
    let told = turn(&state);
    let models: BTreeMap<String, ModelTokenUsage> = told.models.clone();
    assert_eq!(models.get("opus").map(|opus| (opus.input_tokens, opus.cost_usd)), Some((5, usage.cost_usd)));
    let expected = TurnItem {
        outcome: TurnOutcome::Completed,
        message: None,
        prompts: vec!["p1".into()],
        origin: None,
        duration_ms: Some(100.0),
        cost_usd: Some(0.25),
        usage: Some(TokenUsage { input_tokens: 5, output_tokens: 7, ..TokenUsage::default() }),
        context_tokens: None,
        models,
        tool_calls: 4,
        files: vec![file("/w/a.rs", 4, 2, false), file("/w/new.md", 1, 0, true)],
        denials: vec![Denial { tool: "Bash".to_owned(), call: "b".into() }],
        structured_output: Some(insights::state::Clip { text: r#"{"ok":true}"#.to_owned(), more: None }),
    };
    assert_eq!(told, &expected);
    assert_eq!(tool(&state, "b").status, ToolStatus::Denied);
    assert_eq!(state.meters.context.window, Some(200_000));
}

#[test]
fn a_turn_says_how_large_the_context_was_when_it_ended() {
    let said = |tokens: u64| {
        let message = json!({
            "id": format!("m{tokens}"), "role": "assistant", "model": "opus", "content": [{"type": "text", "text": "x"}],
            "usage": {"input_tokens": tokens, "output_tokens": 1}
        });
        out(json!({"type": "assistant", "session_id": "s1", "uuid": format!("u{tokens}"), "message": message}))
    };
    let state = after(vec![init(), said(10), said(20), done(0.0), said(30), done(0.0)]);
    let sizes = state.items.iter().filter_map(|item| match &item.body {
        ItemBody::Turn(turn) => Some(turn.context_tokens),
        _ => None,
    });
    assert_eq!(sizes.collect::<Vec<_>>(), [Some(21), Some(31)]);
}

#[test]
fn turns_end_in_different_ways() {
    let cases = [
        (
            json!({"subtype": "error_max_turns", "is_error": true, "errors": ["too many"]}),
            TurnOutcome::MaxTurns,
            Some("too many"),
        ),
        (json!({"subtype": "error_max_budget_usd", "is_error": true}), TurnOutcome::MaxBudget, None),
        (json!({"is_error": true, "result": "API Error: no"}), TurnOutcome::Failed, Some("API Error: no")),
        (json!({"result": "", "local_command": "cost"}), TurnOutcome::Command, None),
        (json!({"result": "Unknown skill: x"}), TurnOutcome::Completed, Some("Unknown skill: x")),
    ];
    for (result, outcome, message) in cases {
        let state = after(vec![init(), ended(result)]);
        assert_eq!((&turn(&state).outcome, turn(&state).message.as_deref()), (&outcome, message));
    }
    let state = after(vec![init(), interrupt(), ended(json!({"subtype": "error_during_execution", "is_error": true}))]);
    assert_eq!((&turn(&state).outcome, &turn(&state).message), (&TurnOutcome::Interrupted, &None));
}

#[test]
fn a_turn_that_ends_ends_its_calls() {
    let state = after(vec![init(), call("t", "Bash", json!({"command": "x"})), done(0.0)]);
    assert_eq!(
        (&tool(&state, "t").status, tool(&state, "t").ended_at),
        (&ToolStatus::Cancelled, Some(UnixMillis(3000)))
    );
}

#[test]
fn the_session_costs_what_its_turns_cost() {
    let state = after(vec![
        init(),
        done(0.1),
        init(),
        done(0.3),
        init(),
        ended(json!({"local_command": "cost", "total_cost_usd": 0.3})),
    ]);
    assert!((state.meters.cost_usd - 0.3).abs() < 1e-9, "{}", state.meters.cost_usd);
    assert!((state.meters.last_turn_usd.unwrap() - 0.2).abs() < 1e-9);
    assert_eq!(state.meters.turns, 2, "a local command is no turn");
}

#[test]
fn a_fork_has_spent_nothing_of_its_own_yet() {
    let forked = || fact(HostFact::Forked { session: None, from: None, to: None });
    let state = after(vec![init(), done(0.5), forked()]);
    assert_eq!((state.meters.cost_usd, state.meters.inherited_usd, state.meters.turns), (0.0, 0.5, 0));
    let state = after(vec![init(), done(0.5), forked(), spawned(), init(), done(0.25)]);
    assert_eq!((state.meters.cost_usd, state.meters.turns), (0.25, 1));
}

#[test]
fn a_turn_begins_with_its_prompt_or_by_itself() {
    let by_prompt = after(vec![spawned(), prompt("p", "Hi"), lifecycle("p", "started")]);
    let clock = by_prompt.status.turn.clone().unwrap();
    assert_eq!((clock.from_seq, clock.started_at, clock.prompts), (3, UnixMillis(3000), vec!["p".into()]));
    let by_itself = after(vec![init(), done(0.0), text("m", "I am back")]);
    assert_eq!(by_itself.status.turn.as_ref().map(|clock| clock.from_seq), Some(3));
}

#[test]
fn a_prompt_waits_until_the_agent_takes_it() {
    let queue = |said: Vec<Said>| {
        let state = after(said);
        state.queue.iter().map(|queued| (queued.id.to_string(), queued.state.clone())).collect::<Vec<_>>()
    };
    assert_eq!(queue(vec![prompt("p", "Hi")]), [("p".to_owned(), QueuedState::Sent)]);
    assert_eq!(queue(vec![prompt("p", "Hi"), lifecycle("p", "queued")]), [("p".to_owned(), QueuedState::Queued)]);
    assert_eq!(queue(vec![prompt("p", "Hi"), lifecycle("p", "cancelled")]), []);
    assert_eq!(queue(vec![spawned(), prompt("p", "Hi"), exited(1)]), [("p".to_owned(), QueuedState::Unconfirmed)]);
    let dismissed = |prompt: &str| fact(HostFact::Dismissed { prompt: prompt.to_owned() });
    let given_up = vec![spawned(), prompt("p", "Hi"), prompt("q", "You"), exited(1), dismissed("p")];
    assert_eq!(queue(given_up), [("q".to_owned(), QueuedState::Unconfirmed)]);
    assert_eq!(after(vec![spawned(), dismissed("p")]), after(vec![spawned()]), "nobody knows it");
    let state = after(vec![spawned(), prompt("p", "Hi\nyou"), lifecycle("p", "started")]);
    assert_eq!(state.queue, []);
    let ItemBody::User(user) = &item(&state, "p").body else { panic!() };
    assert_eq!((user.text.text.as_str(), &user.role, user.by.as_deref()), ("Hi\nyou", &UserRole::Person, Some("ada")));
    assert_eq!((item(&state, "p").seq, item(&state, "p").order.0), (2, 3), "it is shown where it was taken");
    assert_eq!(state.status.title.as_deref(), Some("Hi"));
}

#[test]
fn a_picture_is_a_reference() {
    let content =
        json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}}]);
    let sent = sent(json!({"type": "user", "uuid": "p", "message": {"role": "user", "content": content}}));
    let state = after(vec![spawned(), sent, lifecycle("p", "started")]);
    let ItemBody::User(user) = &item(&state, "p").body else { panic!() };
    let image = &user.images[0];
    assert_eq!((image.media_type.as_str(), image.seq), ("image/png", 2));
    assert_eq!(image.pointer, "/message/content/0/source/data");
    assert!(!serde_json::to_string(&state).unwrap().contains("aGVsbG8="));
}

#[test]
fn a_picture_stands_where_it_stood_among_the_words() {
    let picture = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}});
    let words = |text: &str| json!({"type": "text", "text": text});
    let content = json!([picture, words("Vögel:"), picture, picture, words("da"), picture]);
    let said = || sent(json!({"type": "user", "uuid": "p", "message": {"role": "user", "content": content}}));
    let places = |images: &[ImageRef]| images.iter().map(|image| image.after).collect::<Vec<_>>();
    let queued = after(vec![spawned(), said()]);
    assert_eq!(places(&queued.queue[0].images), [None, Some(6), Some(6), Some(9)]);
    let state = after(vec![spawned(), said(), lifecycle("p", "started")]);
    let ItemBody::User(user) = &item(&state, "p").body else { panic!() };
    assert_eq!(user.text.text, "Vögel:\nda");
    assert_eq!(places(&user.images), [None, Some(6), Some(6), Some(9)]);
}

#[test]
fn a_process_that_dies_says_so_and_takes_all_along() {
    let state = after(vec![spawned(), init(), call("t", "Bash", json!({"command": "x"})), exited(3)]);
    assert_eq!(state.status.agent, AgentProcess::Died);
    let exit = Exit { code: Some(3), signal: None, lost: false, stderr_tail: vec!["oh no".to_owned()] };
    assert_eq!(state.status.exit, Some(exit));
    assert_eq!(state.status.turn, None);
    assert_eq!(tool(&state, "t").status, ToolStatus::Cancelled);
    let ItemBody::Error(error) = &state.items.iter().last().unwrap().body else { panic!() };
    assert_eq!(error.text.text, "The agent ended with exit code 3\noh no");

    let again = after(vec![spawned(), exited(3), spawned()]);
    assert_eq!((again.status.agent, again.status.exit.clone()), (AgentProcess::Starting, None));
}

#[test]
fn an_exit_code_of_1_after_a_failed_turn_is_no_news() {
    let failed = || ended(json!({"is_error": true, "result": "API Error"}));
    let state = after(vec![spawned(), init(), failed(), exited(1)]);
    assert_eq!(state.status.agent, AgentProcess::Ended);
    let state = after(vec![spawned(), init(), done(0.0), exited(1)]);
    assert_eq!(state.status.agent, AgentProcess::Died);
}

#[test]
fn an_exit_code_of_0_in_the_midst_of_a_turn_is_an_end_before_its_time() {
    let state = after(vec![spawned(), init(), exited(0)]);
    assert_eq!(phase(&state), (Phase::Failed, "The agent ended before its turn did"));
    let ItemBody::Error(error) = &state.items.iter().last().unwrap().body else { panic!() };
    assert_eq!(error.text.text, "The agent ended before its turn did\noh no");
    let told = HostFact::Exited { code: Some(0), signal: None, stderr_tail: Vec::new(), expected: true };
    let state = after(vec![spawned(), init(), fact(told)]);
    assert_eq!((phase(&state), state.items.len()), ((Phase::Asleep, "Asleep"), 0), "whoever ended it knows");
}

#[test]
fn a_turn_counts_what_subagents_in_the_background_did_before_it() {
    let launched = json!({"isAsync": true, "status": "async_launched", "agentId": "ag1"});
    let patch = json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-a", "+b"]}]);
    let edit = json!({"file_path": "/w/a.rs", "old_string": "a", "new_string": "b"});
    let said = vec![
        init(),
        call("a", "Agent", json!({"description": "Edit", "prompt": "Edit!", "run_in_background": true})),
        result("a", "Launched", launched),
        done(0.1),
        call_of("a", "e", "Edit", edit),
        result("e", "ok", json!({"structuredPatch": patch})),
        init(),
        text("m", "It has edited."),
        done(0.2),
    ];
    let state = after(said);
    let changed = FileChange { path: "/w/a.rs".to_owned(), added: 1, removed: 1, created: false };
    assert_eq!((turn(&state).tool_calls, &turn(&state).files), (1, &vec![changed]));

    // Not what a turn did that nobody saw the end of.
    let lost = call("b", "Bash", json!({"command": "ls"}));
    let state = after(vec![init(), done(0.1), init(), lost, exited(3), spawned(), init(), text("m", "Hi."), done(0.2)]);
    assert_eq!(turn(&state).tool_calls, 0);
}

#[test]
fn a_prompt_that_a_hook_of_the_host_blocked_says_why() {
    let asked = || {
        let input = json!({"hook_event_name": "UserPromptSubmit", "prompt": "forbidden", "session_id": "s1"});
        let request = json!({"subtype": "hook_callback", "callback_id": "h", "input": input});
        out(json!({"type": "control_request", "request_id": "q", "request": request}))
    };
    let notices = |said: Vec<Said>| {
        let state = after([spawned(), prompt("p", "forbidden")].into_iter().chain(said).collect());
        let notice = |item: &insights::state::Item| match &item.body {
            ItemBody::Notice(notice) => Some(notice.text.text.clone()),
            _ => None,
        };
        state.items.iter().filter_map(notice).collect::<Vec<_>>()
    };
    let blocked = || answer("q", json!({"decision": "block", "reason": "not allowed"}));
    let nothing = || ended(json!({"num_turns": 0}));
    assert_eq!(notices(vec![asked(), blocked(), nothing()]), ["A hook blocked the prompt: not allowed"]);
    assert_eq!(notices(vec![asked(), answer("q", json!({})), nothing()]), [""; 0]);
    let outcome = json!({"kind": "blocked_by_hook", "prompt_kept": false, "reason": "not allowed"});
    let told = json!({"content": "Blocked: not allowed", "level": "warning", "prompt_submit_outcome": outcome});
    let said = vec![asked(), blocked(), system("informational", told), nothing()];
    assert_eq!(notices(said), ["Blocked: not allowed"], "newer versions say it themselves");
}

#[test]
fn words_without_a_process_begin_no_turn() {
    let state = after(vec![text("m", "From an old file.")]);
    assert_eq!((state.status.phase, state.status.turn.clone(), state.items.len()), (Phase::Asleep, None, 1));
}

#[test]
fn a_call_that_was_cut_off_is_known_by_what_the_conversation_says_of_it() {
    let input = || call("t", "Bash", json!({"command": "sleep 9"}));
    let rejected = || decided("t", "no", true, json!({"non_execution_kind": "user-rejected"}));
    // Nobody saw who pressed stop, as in a transcript.
    let old = failure("t", "Exit code 137\n[Request interrupted by user for tool use]");
    for said in [vec![init(), input(), old, interrupt_mark()], vec![init(), input(), rejected(), interrupt_mark()]] {
        let state = after(said);
        let tool = tool(&state, "t");
        assert_eq!((&tool.status, &tool.decision), (&ToolStatus::Cancelled, &None));
    }
    let state = after(vec![init(), input(), rejected()]);
    assert_eq!(tool(&state, "t").status, ToolStatus::Denied, "without the mark it was a refusal");

    let failed = call("f", "Bash", json!({"command": "false"}));
    let before = vec![init(), failed, failure("f", "Exit code 1"), input(), rejected(), interrupt_mark()];
    assert_eq!(tool(&after(before), "f").status, ToolStatus::Failed, "what failed by itself did");
    let ask = ask("q", "t", "Bash", json!({"command": "sleep 9"}));
    let no = answer("q", json!({"behavior": "deny", "message": "no", "interrupt": true}));
    let state = after(vec![init(), input(), ask, no, rejected(), interrupt_mark()]);
    assert_eq!(tool(&state, "t").status, ToolStatus::Denied, "a refusal that ends the turn is one");
}
