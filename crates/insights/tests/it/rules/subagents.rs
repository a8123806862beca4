//! Subagents: lanes with their own items, in the foreground and the background.

use insights::UnixMillis;
use insights::state::clip::Clip;
use insights::state::header::{JobStatus, Phase};
use insights::state::item::ItemBody;
use insights::state::tool::{AgentItem, ToolStatus};
use serde_json::{Value, json};

use crate::script::*;

fn words(text: &str) -> Clip {
    Clip { text: text.to_owned(), more: None }
}

fn spawn(id: &str) -> Said {
    call(id, "Agent", json!({"description": "Count files", "prompt": "Count!", "subagent_type": "Explore"}))
}

fn launched() -> Said {
    result("a", "Launched", json!({"isAsync": true, "status": "async_launched", "agentId": "ag1", "prompt": "Count!"}))
}

fn task(subtype: &str, more: Value) -> Said {
    let mut line = json!({"task_id": "ag1", "run_id": "r", "tool_use_id": "a"});
    line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    system(subtype, line)
}

#[test]
fn a_subagent_is_one_item_with_its_own_below_it() {
    let input = json!({"description": "Count files", "prompt": "Count!", "subagent_type": "Explore"});
    let structured = json!({
        "status": "completed", "agentId": "ag1", "content": [{"type": "text", "text": "One."}], "totalDurationMs": 12.0,
        "totalTokens": 34, "totalToolUseCount": 1, "resolvedModel": "haiku"
    });
    let said = vec![init(), spawn("a"), call_of("a", "t", "Bash", json!({"command": "ls"})), text_of("a", "m", "One.")];
    let running = after(said);
    assert_eq!(item(&running, "t").parent.as_deref(), Some("a"));
    assert_eq!(item(&running, "m/0").parent.as_deref(), Some("a"));
    assert_eq!(running.status.words, "Subagent Explore: Count files");

    let state = after(vec![init(), spawn("a"), result("a", "framed", structured)]);
    let expected = AgentItem {
        name: "Agent".to_owned(),
        agent_type: Some("Explore".to_owned()),
        description: "Count files".to_owned(),
        input: words(&input.to_string()),
        prompt: words("Count!"),
        status: ToolStatus::Completed,
        background: false,
        agent_id: Some("ag1".to_owned()),
        task_id: Some("ag1".to_owned()),
        model: Some("haiku".to_owned()),
        result: Some(words("One.")),
        error: None,
        decision: None,
        tokens: Some(34),
        tool_uses: Some(1),
        duration_ms: Some(12.0),
        last_tool: None,
        retry: None,
        ended_at: Some(UnixMillis(3000)),
    };
    assert_eq!(agent(&state, "a"), &expected);
}

#[test]
fn a_subagent_in_the_background_outlives_the_turn() {
    let said = || {
        vec![
            init(),
            spawn("a"),
            task(
                "task_started",
                json!({"description": "Count files", "is_backgrounded": true, "task_type": "local_agent"}),
            ),
            launched(),
            call_of("a", "t", "Bash", json!({"command": "ls"})),
            done(0.1),
        ]
    };
    let state = after(said());
    assert_eq!(agent(&state, "a").status, ToolStatus::Background);
    assert_eq!(tool(&state, "t").status, ToolStatus::Running);
    assert_eq!((state.status.phase, state.status.words.as_str()), (Phase::Idle, "Ready, 1 job in the background"));
    assert_eq!(state.status.turn, None);

    let state = after(said().into_iter().chain([init(), done(0.2)]).collect());
    assert_eq!(agent(&state, "a").status, ToolStatus::Background, "another turn does not end it");
    assert_eq!(tool(&state, "t").status, ToolStatus::Running);

    let note = json!({"status": "stopped", "summary": "Count files", "output_file": "/o"});
    let state = after(said().into_iter().chain([task("task_notification", note)]).collect());
    assert_eq!(agent(&state, "a").status, ToolStatus::Cancelled);
    assert_eq!(tool(&state, "t").status, ToolStatus::Cancelled, "its call will not end by itself any more");
    let job = &state.jobs[0];
    assert_eq!(
        (&job.status, job.call.as_deref(), job.ended_at),
        (&JobStatus::Stopped, Some("a"), Some(UnixMillis(7000)))
    );
}

#[test]
fn what_a_task_tells_is_noted_at_its_subagent() {
    let usage = json!({"total_tokens": 50, "tool_uses": 3, "duration_ms": 9.0});
    let progress =
        json!({"description": "Reading", "last_tool_name": "Read", "usage": usage, "subagent_type": "Explore"});
    let state = after(vec![
        init(),
        spawn("a"),
        task(
            "task_started",
            json!({"description": "Count files", "is_backgrounded": false, "task_type": "local_agent"}),
        ),
        task("task_progress", progress),
    ]);
    let agent = agent(&state, "a");
    assert_eq!((agent.last_tool.as_deref(), agent.tokens, agent.tool_uses), (Some("Read"), Some(50), Some(3)));
    assert_eq!(state.jobs[0].description, "Count files");
}

#[test]
fn a_subagent_whose_call_nobody_saw_gets_an_item_and_the_call_takes_its_place() {
    let state = after(vec![init(), text_of("a", "m", "Hi.")]);
    assert_eq!(ids(&state), ["a", "m/0"]);
    assert_eq!(agent(&state, "a").name, "Agent");

    let state = after(vec![init(), text_of("a", "m", "Hi."), spawn("a")]);
    assert_eq!(agent(&state, "a").description, "Count files");
    assert_eq!(item(&state, "a").seq, 3);
}

#[test]
fn a_command_that_runs_as_a_subagent_ends_with_its_turn() {
    let parent = "forked-command-code-review";
    let state = after(vec![init(), text_of(parent, "m", "Looks good."), done(0.0)]);
    let agent = agent(&state, parent);
    assert_eq!((agent.name.as_str(), &agent.status), ("code-review", &ToolStatus::Completed));
    assert!(matches!(&item(&state, "m/0").body, ItemBody::Text(text) if text.text.text == "Looks good."));
}

#[test]
fn lines_of_a_subagent_begin_no_turn() {
    let state = after(vec![init(), spawn("a"), launched(), done(0.0), text_of("a", "m", "Still here.")]);
    assert_eq!(state.status.turn, None);
    assert_eq!(state.status.phase, Phase::Idle);
}

#[test]
fn the_set_of_background_tasks_ends_those_that_are_not_in_it() {
    let set = |tasks: Value| system("background_tasks_changed", json!({"tasks": tasks}));
    let one = json!([{"task_id": "b1", "task_type": "local_bash", "description": "Ticker"}]);
    let state = after(vec![init(), set(one.clone())]);
    assert_eq!((state.jobs.len(), &state.jobs[0].status), (1, &JobStatus::Running));
    let state = after(vec![init(), set(one), set(json!([]))]);
    assert_eq!((&state.jobs[0].status, state.jobs[0].ended_at), (&JobStatus::Completed, Some(UnixMillis(3000))));
}

#[test]
fn what_is_nobodys_business_is_no_job() {
    let started =
        json!({"description": "Memory", "is_backgrounded": true, "ambient": true, "task_type": "local_agent"});
    let state = after(vec![init(), task("task_started", started)]);
    assert_eq!(state.jobs, []);
}
