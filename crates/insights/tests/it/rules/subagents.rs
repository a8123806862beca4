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
    assert_eq!(agent(&state, "a").result, None, "what it was to do is not what it said");
    let job = &state.jobs[0];
    assert_eq!(
        (&job.status, job.call.as_deref(), job.ended_at),
        (&JobStatus::Stopped, Some("a"), Some(UnixMillis(7000)))
    );
}

#[test]
fn a_call_that_was_stopped_with_its_subagent_did_not_fail() {
    let note = json!({"status": "stopped", "summary": "Count files", "output_file": "/o"});
    let said = vec![
        init(),
        spawn("a"),
        launched(),
        call_of("a", "t", "Bash", json!({"command": "sleep 9"})),
        done(0.1),
        task("task_notification", note),
        failure("t", "The command was ended"),
    ];
    assert_eq!(tool(&after(said), "t").status, ToolStatus::Cancelled);
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

/// Work of an old version: nothing but its call tells that it goes on, and the news of its end does not name the call.
fn left_running() -> Vec<Said> {
    let bash = json!({"command": "npm test", "description": "Tests", "run_in_background": true});
    let runs_on = json!({"stdout": "", "stderr": "", "interrupted": false, "backgroundTaskId": "b1"});
    vec![init(), spawn("a"), launched(), call("b", "Bash", bash), result("b", "Runs on", runs_on), done(0.1)]
}

#[test]
fn work_that_only_its_call_tells_of_is_a_job_until_its_end_is_told() {
    let state = after(left_running());
    let jobs: Vec<_> = state.jobs.iter().map(|job| (&*job.id, job.kind.as_deref(), &*job.description)).collect();
    assert_eq!(jobs, [("ag1", Some("local_agent"), "Count files"), ("b1", Some("local_bash"), "Tests")]);
    let calls: Vec<_> = state.jobs.iter().map(|job| (job.call.as_deref(), job.background, &job.status)).collect();
    assert_eq!(calls, [(Some("a"), true, &JobStatus::Running), (Some("b"), true, &JobStatus::Running)]);
    assert_eq!(state.status.words, "Ready, 2 jobs in the background");

    let ends = ["ag1", "b1"].map(|task| {
        let note = json!({"task_id": task, "status": "completed", "summary": format!("{task} is done")});
        system("task_notification", note)
    });
    let state = after(left_running().into_iter().chain(ends).collect());
    let jobs: Vec<_> = state.jobs.iter().map(|job| &job.status).collect();
    assert_eq!(jobs, [&JobStatus::Completed, &JobStatus::Completed]);
    let agent = agent(&state, "a");
    assert_eq!((&agent.status, agent.result.as_ref()), (&ToolStatus::Completed, Some(&words("ag1 is done"))));
    let tool = tool(&state, "b");
    assert_eq!((&tool.status, tool.summary.as_deref()), (&ToolStatus::Completed, Some("b1 is done")));
}

#[test]
fn work_in_the_background_whose_end_nobody_told_is_over_with_the_process() {
    let state = after(left_running().into_iter().chain([exited(0)]).collect());
    assert_eq!(agent(&state, "a").status, ToolStatus::Ended);
    assert_eq!(tool(&state, "b").status, ToolStatus::Ended);
    assert!(state.jobs.iter().all(|job| job.status == JobStatus::Ended && job.ended_at.is_some()));
}

/// A subagent of a subagent returns: lines of subagents have no structured result.
fn nested(parts: &[&str]) -> Vec<Said> {
    let input = json!({"description": "Look deeper", "prompt": "Look!", "subagent_type": "Explore"});
    let parts: Vec<Value> = parts.iter().map(|part| json!({"type": "text", "text": part})).collect();
    let block = json!({"type": "tool_result", "tool_use_id": "n", "content": parts});
    let returned = json!({
        "type": "user", "session_id": "s1", "uuid": "r-n", "parent_tool_use_id": "a",
        "message": {"role": "user", "content": [block]}
    });
    vec![init(), spawn("a"), call_of("a", "n", "Agent", input), out(returned)]
}

#[test]
fn a_subagent_is_named_by_the_words_of_its_result_where_nothing_else_names_it() {
    let told = |parts: &[&str]| {
        let state = after(nested(parts));
        let agent = agent(&state, "n");
        assert_eq!(agent.status, ToolStatus::Completed);
        (agent.agent_id.clone(), agent.result.as_ref().map(|result| result.text.clone()))
    };
    let named = |id: &str, words: &str| (Some(id.to_owned()), Some(words.to_owned()));
    // 2.1.1 and 2.1.38 have a part of its own for it, 2.1.325 a line.
    assert_eq!(told(&["4", "agentId: a2135cd (for resuming to continue)"]), named("a2135cd", "4"));
    let usage = "agentId: a093f46 (for resuming)\n<usage>total_tokens: 7</usage>";
    assert_eq!(told(&["4", usage]), named("a093f46", "4"));
    assert_eq!(
        told(&["Report:\n  4\nagentId: ad97 (use SendMessage)\n<usage></usage>"]),
        named("ad97", "Report:\n  4")
    );
    // What the subagent says of itself comes before it.
    assert_eq!(told(&["agentId: forged", "agentId: a1 (for resuming)"]), named("a1", "agentId: forged"));
    assert_eq!(told(&["The agentId: is nowhere"]), (None, Some("The agentId: is nowhere".to_owned())));
}

#[test]
fn a_subagent_that_only_words_tell_of_finds_its_entries_and_runs_on() {
    let words = {
        let message = json!({"id": "m", "role": "assistant", "content": [{"type": "text", "text": "Found."}]});
        json!({"type": "assistant", "uuid": "e", "isSidechain": true, "agentId": "ag2", "sessionId": "s1", "message": message})
    };
    let state = after(nested(&["4", "agentId: ag2 (for resuming)"]).into_iter().chain([entry(words)]).collect());
    assert_eq!(item(&state, "m/0").parent.as_deref(), Some("n"));

    let launched = "Async agent launched successfully.\nagentId: ag2 (internal ID)\noutput_file: /o";
    let state = after(nested(&[launched]));
    assert_eq!(
        (&agent(&state, "n").status, agent(&state, "n").agent_id.as_deref()),
        (&ToolStatus::Background, Some("ag2"))
    );
    assert_eq!(
        state.jobs.iter().map(|job| (&*job.id, &job.status)).collect::<Vec<_>>(),
        [("ag2", &JobStatus::Running)]
    );
    let ended = system("task_notification", json!({"task_id": "ag2", "status": "completed", "summary": "Found."}));
    let state = after(nested(&[launched]).into_iter().chain([ended]).collect());
    let agent = agent(&state, "n");
    assert_eq!((&agent.status, agent.result.as_ref()), (&ToolStatus::Completed, Some(&self::words("Found."))));
}

#[test]
fn the_output_of_a_subagent_in_the_background_is_found_where_its_start_was_told() {
    let launched =
        json!({"isAsync": true, "status": "async_launched", "agentId": "a1", "outputFile": "/tmp/a1.output"});
    let state = after(vec![
        init(),
        call("t", "Task", json!({"description": "Count files", "prompt": "count", "run_in_background": true})),
        result("t", "Async agent launched successfully.", launched),
    ]);
    let files: Vec<_> = state.jobs.iter().map(|job| job.output_file.as_deref()).collect();
    assert_eq!(files, [Some("/tmp/a1.output")]);
}
