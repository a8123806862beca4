//! Tool calls: their cards, from the call to the result.

use std::collections::BTreeMap;

use insights::UnixMillis;
use insights::event::task::TodoStatus;
use insights::event::tool::ToolKind;
use insights::state::clip::{Clip, More};
use insights::state::item::ItemBody;
use insights::state::lines::Lines;
use insights::state::tool::{DecisionOutcome, Diff, Everywhere, Hunk, ToolItem, ToolStatus, ToolView};
use serde_json::{Value, json};

use crate::script::*;

fn words(text: &str) -> Clip {
    Clip { text: text.to_owned(), more: None }
}

/// The view of a call that gave this.
fn view(tool_name: &str, input: Value, content: &str, structured: Value) -> ToolView {
    let state = after(vec![init(), call("t", tool_name, input), result("t", content, structured)]);
    tool(&state, "t").view.clone()
}

#[test]
fn a_command_is_a_card_with_its_output() {
    let input = json!({"command": "npm test", "description": "Run the tests"});
    let structured = json!({"stdout": "ok", "stderr": "", "interrupted": false, "isImage": false});
    let state = after(vec![init(), call("t", "Bash", input.clone()), result("t", "ok", structured)]);
    let expected = ToolItem {
        name: "Bash".to_owned(),
        tool_kind: ToolKind::Execute,
        title: "Run the tests".to_owned(),
        status: ToolStatus::Completed,
        input: words(&input.to_string()),
        view: ToolView::Command {
            command: words("npm test"),
            description: Some("Run the tests".to_owned()),
            output: words("ok"),
            exit_code: None,
            interrupted: false,
            background: false,
        },
        images: Vec::new(),
        more_images: None,
        error: None,
        locations: Default::default(),
        decision: None,
        elapsed_seconds: None,
        ended_at: Some(UnixMillis(3000)),
        task_id: None,
        summary: None,
    };
    assert_eq!(tool(&state, "t"), &expected);
}

#[test]
fn a_command_that_fails_shows_its_exit_code_and_output() {
    let state =
        after(vec![init(), call("t", "Bash", json!({"command": "false"})), failure("t", "Exit code 3\nout\nerr")]);
    let tool = tool(&state, "t");
    let ToolView::Command { output, exit_code, .. } = &tool.view else { panic!("{tool:?}") };
    assert_eq!((output.text.as_str(), *exit_code), ("out\nerr", Some(3)));
    assert_eq!((&tool.status, &tool.error), (&ToolStatus::Failed, &None));
}

#[test]
fn an_error_is_shown_without_its_tags() {
    let error = "<tool_use_error>File has not been read yet.</tool_use_error>";
    let state = after(vec![init(), call("t", "Edit", json!({"file_path": "/a"})), failure("t", error)]);
    assert_eq!(tool(&state, "t").error, Some(words("File has not been read yet.")));
}

#[test]
fn a_change_is_computed_before_it_is_made_and_told_after() {
    let input = json!({"file_path": "/w/a.rs", "old_string": "one\ntwo", "new_string": "one\n2", "replace_all": false});
    let asked = after(vec![init(), call("t", "Edit", input.clone())]);
    let lines: Lines = [" one", "-two", "+2"].into_iter().collect();
    let hunk = Hunk { old_start: 0, old_lines: 2, new_start: 0, new_lines: 2, lines: lines.clone() };
    let diff =
        Diff { path: "/w/a.rs".to_owned(), hunks: vec![hunk], added: 1, removed: 1, proposed: true, ..Diff::default() };
    assert_eq!(tool(&asked, "t").view, ToolView::Edit { diff: diff.clone(), content: None });

    let patch = json!([{"oldStart": 7, "oldLines": 2, "newStart": 7, "newLines": 2, "lines": lines}]);
    let structured = json!({"filePath": "/w/a.rs", "structuredPatch": patch, "userModified": true});
    let hunk = Hunk { old_start: 7, old_lines: 2, new_start: 7, new_lines: 2, lines };
    let diff = Diff { hunks: vec![hunk], proposed: false, user_modified: true, ..diff };
    assert_eq!(view("Edit", input, "changed", structured), ToolView::Edit { diff, content: None });
}

#[test]
fn a_subagents_change_has_no_patch_and_keeps_the_computed_one() {
    let input = json!({"file_path": "/w/a.rs", "old_string": "a", "new_string": "b"});
    let ToolView::Edit { diff, .. } = view("Edit", input, "changed", Value::Null) else { panic!() };
    assert_eq!((diff.proposed, diff.added, diff.removed, diff.hunks.len()), (false, 1, 1, 1));
}

#[test]
fn a_new_file_is_its_content_and_a_written_one_its_changes() {
    let input = json!({"file_path": "/w/a.md", "content": "x\ny\n"});
    let created = json!({"type": "create", "filePath": "/w/a.md", "structuredPatch": [], "originalFile": null});
    let diff = Diff { path: "/w/a.md".to_owned(), added: 2, created: true, ..Diff::default() };
    let expected = ToolView::Edit { diff: diff.clone(), content: Some(words("x\ny\n")) };
    assert_eq!(view("Write", input.clone(), "File created", created), expected);

    let patch = json!([{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-a", "+x"]}]);
    let lines = ["-a", "+x"].into_iter().collect();
    let hunk = Hunk { old_start: 1, old_lines: 1, new_start: 1, new_lines: 1, lines };
    let updated = json!({"type": "update", "filePath": "/w/a.md", "structuredPatch": patch});
    let diff = Diff { created: false, added: 1, removed: 1, hunks: vec![hunk], ..diff };
    assert_eq!(view("Write", input, "updated", updated), ToolView::Edit { diff, content: None });
}

#[test]
fn searches_files_pages_and_skills_show_what_they_gave() {
    let found = json!({"filenames": ["a.rs", "b.rs"], "numFiles": 2, "truncated": true});
    let expected = ToolView::Search {
        pattern: "*.rs".to_owned(),
        path: Some("src".to_owned()),
        output: words("a.rs\nb.rs"),
        count: Some(2),
        truncated: true,
    };
    assert_eq!(view("Glob", json!({"pattern": "*.rs", "path": "src"}), "a.rs", found), expected);

    let file = json!({"type": "text", "file": {"content": "x", "numLines": 1, "startLine": 5, "totalLines": 9}});
    let expected = ToolView::Read {
        path: "/a".to_owned(),
        content: words("x"),
        start_line: Some(5),
        lines: Some(1),
        total_lines: Some(9),
    };
    assert_eq!(view("Read", json!({"file_path": "/a", "offset": 5}), "5\tx", file), expected);

    let page = json!({"result": "A page", "code": 200, "url": "https://a.example"});
    let expected = ToolView::Fetch {
        url: words("https://a.example"),
        prompt: Some("What?".to_owned()),
        output: words("A page"),
        code: Some(200),
    };
    assert_eq!(view("WebFetch", json!({"url": "https://a.example", "prompt": "What?"}), "A page", page), expected);

    let skill = ToolView::Skill { skill: "greet".to_owned(), args: None, output: words("Launching") };
    assert_eq!(view("Skill", json!({"skill": "greet"}), "Launching", json!({"success": true})), skill);

    let mcp = ToolView::Mcp { server: "git".to_owned(), tool: "log_all".to_owned(), output: words("3 commits") };
    assert_eq!(view("mcp__git__log_all", json!({}), "3 commits", json!([{"type": "text"}])), mcp);

    let other = ToolView::Other { output: words("{\"id\":1}") };
    let state = after(vec![init(), call("t", "CronCreate", json!({})), {
        let mut line: Value = json!({"type": "user", "session_id": "s1", "uuid": "r", "parent_tool_use_id": null});
        line["message"] = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]});
        line["tool_use_result"] = json!({"id": 1});
        out(line)
    }]);
    assert_eq!(tool(&state, "t").view, other);
}

#[test]
fn answers_to_questions_are_lists_however_they_were_written() {
    let input = json!({"questions": [{"question": "Which?", "header": "H", "multiSelect": true, "options": []}]});
    let told = json!({"questions": [], "answers": {"Which?": ["A", "B"], "And?": "C"}});
    let ToolView::Question { answers, .. } = view("AskUserQuestion", input, "answered", told) else { panic!() };
    let one =
        |question: &str, answers: &[&str]| (question.to_owned(), answers.iter().map(|a| (*a).to_owned()).collect());
    assert_eq!(answers, BTreeMap::from([one("Which?", &["A", "B"]), one("And?", &["C"])]));
}

#[test]
fn results_that_share_one_structured_result_show_their_own_words() {
    let mut line = json!({"type": "user", "session_id": "s1", "uuid": "r", "parent_tool_use_id": null});
    let block = |id: &str, content: &str| json!({"type": "tool_result", "tool_use_id": id, "content": content});
    line["message"] = json!({"role": "user", "content": [block("a", "one"), block("b", "two")]});
    line["tool_use_result"] = json!({"stdout": "shared", "stderr": ""});
    let calls = ["a", "b"].map(|id| call(id, "Bash", json!({"command": id})));
    let state = after([init()].into_iter().chain(calls).chain([out(line)]).collect());
    for (id, expected) in [("a", "one"), ("b", "two")] {
        let ToolView::Command { output, .. } = &tool(&state, id).view else { panic!() };
        assert_eq!(output.text, expected);
    }
}

#[test]
fn a_long_output_is_its_head_and_where_the_rest_is() {
    let long = "x".repeat(100_000);
    let structured = json!({"stdout": long, "stderr": "", "interrupted": false});
    let ToolView::Command { output, .. } = view("Bash", json!({"command": "yes"}), "x", structured) else { panic!() };
    assert_eq!(
        output.more,
        Some(More { bytes: 100_000, seq: 3, pointer: "/tool_use_result/stdout".to_owned(), from: None })
    );
    assert_eq!(output.text.len(), 14 * 1024);
}

#[test]
fn a_result_whose_call_was_not_seen_is_shown_by_itself() {
    let state = after(vec![init(), result("t", "hello", Value::Null)]);
    let tool = tool(&state, "t");
    assert_eq!((tool.name.as_str(), &tool.status), ("Tool", &ToolStatus::Completed));
    assert_eq!(tool.view, ToolView::Other { output: words("hello") });
}

#[test]
fn lone_surrogates_do_not_hide_a_result() {
    let line = r#"{"type":"user","session_id":"s1","uuid":"r","parent_tool_use_id":null,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]},"tool_use_result":{"stdout":"cut \ud83d","stderr":""}}"#;
    let mut records = crate::play::records_of(&[line]);
    let called = events(vec![init(), call("t", "Bash", json!({"command": "x"}))]);
    records[0].seq = 9;
    let mut state = crate::play::state(&called);
    for event in crate::play::events(records) {
        state.apply(&event);
    }
    let ToolView::Command { output, .. } = &tool(&state, "t").view else { panic!() };
    assert_eq!(output.text, "cut \u{fffd}");
}

#[test]
fn progress_and_summaries_are_noted_at_the_call() {
    let progress = out(json!({
        "type": "tool_progress", "tool_use_id": "t", "tool_name": "Bash", "parent_tool_use_id": null,
        "elapsed_time_seconds": 31.5, "session_id": "s1", "uuid": "p"
    }));
    let summary = out(json!({
        "type": "tool_use_summary", "summary": "Ran it", "preceding_tool_use_ids": ["t"], "session_id": "s1", "uuid": "q"
    }));
    let state = after(vec![init(), call("t", "Bash", json!({"command": "x"})), progress, summary]);
    let tool = tool(&state, "t");
    assert_eq!((tool.elapsed_seconds, tool.summary.as_deref()), (Some(31.5), Some("Ran it")));
}

#[test]
fn the_mark_of_an_interrupt_is_no_output_of_the_command() {
    let output = |content: &str| {
        let state = after(vec![init(), call("c", "Bash", json!({"command": "make"})), failure("c", content)]);
        match &tool(&state, "c").view {
            ToolView::Command { output, exit_code, .. } => (output.text.clone(), *exit_code),
            other => panic!("{other:?}"),
        }
    };
    let mark = "[Request interrupted by user for tool use]";
    assert_eq!(output(&format!("Exit code 137\n{mark}")), (String::new(), Some(137)));
    assert_eq!(output(&format!("Exit code 137\nhalf\ndone\n{mark}")), ("half\ndone".to_owned(), Some(137)));
    assert_eq!(output("Exit code 1\nhalf\ndone"), ("half\ndone".to_owned(), Some(1)));
}

#[test]
fn what_a_hook_of_the_host_lets_run_in_place_of_a_call_is_what_is_shown() {
    let input = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "make"}});
    let request = json!({"subtype": "hook_callback", "callback_id": "h", "tool_use_id": "c", "input": input});
    let told = |decision: &str, command: &str| {
        let input = json!({"command": command});
        let verdict = json!({"hookEventName": "PreToolUse", "permissionDecision": decision, "updatedInput": input});
        let state = after(vec![
            init(),
            call("c", "Bash", json!({"command": "make"})),
            out(json!({"type": "control_request", "request_id": "r", "request": request})),
            answer("r", json!({"hookSpecificOutput": verdict})),
        ]);
        let tool = tool(&state, "c");
        let ToolView::Command { command, .. } = &tool.view else { panic!("{tool:?}") };
        let decision = tool.decision.clone().unwrap();
        (command.text.clone(), tool.title.clone(), decision.by, decision.edited)
    };
    let hook = || Some("hook".to_owned());
    let cleans = ("make clean".to_owned(), "make clean".to_owned(), hook(), true);
    assert_eq!(told("allow", "make clean"), cleans);
    assert_eq!(told("ask", "make clean"), cleans, "it runs, if it may");
    // The same again is no other input.
    assert_eq!(told("allow", "make"), ("make".to_owned(), "make".to_owned(), hook(), false));
}

#[test]
fn a_hook_of_the_host_that_is_asked_for_a_permission_decides_like_a_person() {
    let input = json!({"hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": {"command": "make"}});
    let request = json!({"subtype": "hook_callback", "callback_id": "h", "tool_use_id": "c", "input": input});
    let asked = |decision: Value| {
        vec![
            init(),
            call("c", "Bash", json!({"command": "make"})),
            // Newer versions ask the person at the same time.
            ask("q", "c", "Bash", json!({"command": "make"})),
            out(json!({"type": "control_request", "request_id": "r", "request": request})),
            answer("r", json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})),
            withdrawn("q"),
        ]
    };
    let rule =
        json!({"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": "session"});
    let long = "x".repeat(40_000);
    let allow = json!({"behavior": "allow", "updatedInput": {"command": long}, "updatedPermissions": [rule]});
    let state = after(asked(allow));
    let allowed = tool(&state, "c");
    let decision = allowed.decision.as_ref().unwrap();
    assert_eq!((&decision.outcome, decision.by.as_deref()), (&DecisionOutcome::Allowed, Some("hook")));
    assert_eq!((decision.edited, decision.remembered.len()), (true, 1));
    let ToolView::Command { command, .. } = &allowed.view else { panic!("{allowed:?}") };
    let more = command.more.as_ref().unwrap();
    let pointer = "/response/response/hookSpecificOutput/decision/updatedInput/command";
    assert_eq!((more.seq, more.pointer.as_str()), (5, pointer), "the rest is found where the hook has said it");

    let deny = asked(json!({"behavior": "deny", "message": "not on my watch"}));
    let state = after(deny.into_iter().chain([failure("c", "not on my watch"), done(0.0)]).collect());
    let denied = tool(&state, "c");
    let decision = denied.decision.as_ref().unwrap();
    assert_eq!((&denied.status, decision.by.as_deref()), (&ToolStatus::Denied, Some("hook")));

    // A hook that says nothing leaves it to the person.
    let state = after(asked(json!({})).into_iter().take(5).collect());
    assert_eq!((state.asks.len(), &tool(&state, "c").decision), (1, &None));
}

#[test]
fn a_change_of_a_task_that_says_nothing_of_its_status_leaves_it() {
    let state = after(vec![
        init(),
        call("a", "TaskCreate", json!({"subject": "Sail"})),
        result("a", "", json!({"task": {"id": "1", "subject": "Sail"}})),
        call("b", "TaskUpdate", json!({"taskId": "1", "status": "in_progress"})),
        result("b", "", json!({"success": true, "taskId": "1", "updatedFields": ["status"]})),
        call("c", "TaskUpdate", json!({"taskId": "1", "description": "To the island"})),
        result("c", "", json!({"success": true, "taskId": "1", "updatedFields": ["description"]})),
    ]);
    let ToolView::Todo { todos } = &tool(&state, "c").view else { panic!() };
    assert_eq!((todos[0].subject.as_str(), &todos[0].status), ("Sail", &TodoStatus::InProgress));
}

#[test]
fn a_cell_that_is_removed_is_what_it_was() {
    let kind = |mode: &str| {
        let file = json!({"cells": [{"id": "b", "cell_type": "markdown", "source": "# Sail"}]}).to_string();
        let state = after(vec![
            init(),
            call("c", "NotebookEdit", json!({"notebook_path": "/n.ipynb", "cell_id": "b", "edit_mode": mode})),
            result("c", "", json!({"cell_id": "b", "cell_type": "code", "original_file": file})),
        ]);
        let ToolView::Notebook { cell_type, .. } = &tool(&state, "c").view else { panic!() };
        cell_type.clone().unwrap()
    };
    assert_eq!((kind("delete").as_str(), kind("replace").as_str()), ("markdown", "code"));
}

#[test]
fn a_call_that_one_hook_allows_and_another_refuses_is_refused() {
    let input = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "make"}});
    let asked = |id: &str| {
        let request = json!({"subtype": "hook_callback", "callback_id": "h", "tool_use_id": "c", "input": input});
        out(json!({"type": "control_request", "request_id": id, "request": request}))
    };
    let verdict =
        |word: &str| json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word}});
    let state = after(vec![
        init(),
        call("c", "Bash", json!({"command": "make"})),
        asked("q"),
        asked("r"),
        answer("q", verdict("allow")),
        answer("r", verdict("deny")),
        failure("c", "not on my watch"),
        done(0.0),
    ]);
    let tool = tool(&state, "c");
    assert_eq!(tool.status, ToolStatus::Denied);
    assert_eq!(tool.decision.as_ref().map(|decision| &decision.outcome), Some(&DecisionOutcome::Denied));
}

#[test]
fn what_a_cell_said_before_is_found_in_the_notebook_where_the_result_does_not_say_it() {
    let notebook = |source: Value| json!({"cells": [{"id": "a", "source": "x"}, {"id": "b", "source": source}]});
    let was = |mode: &str, file: String| {
        let state = after(vec![
            init(),
            call("c", "NotebookEdit", json!({"notebook_path": "/n.ipynb", "cell_id": "b", "edit_mode": mode})),
            result("c", "", json!({"cell_id": "b", "original_file": file})),
        ]);
        let ToolView::Notebook { old_source, .. } = &tool(&state, "c").view else { panic!("no notebook") };
        old_source.as_ref().map(|old| old.text.clone())
    };
    let lines = notebook(json!(["one\n", "two"])).to_string();
    assert_eq!(was("replace", lines.clone()).as_deref(), Some("one\ntwo"));
    assert_eq!(was("delete", notebook(json!("one")).to_string()).as_deref(), Some("one"));
    assert_eq!(was("insert", lines), None);
    assert_eq!(was("replace", "no notebook".to_owned()), None);
    assert_eq!(was("replace", notebook(json!("long ".repeat(100_000))).to_string()), None);
}

#[test]
fn a_call_that_a_hook_of_the_host_refused_is_denied_also_where_the_agent_does_not_say_so() {
    let asked = |event: &str| {
        let input = json!({"hook_event_name": event, "tool_name": "Bash"});
        let request = json!({"subtype": "hook_callback", "callback_id": "h", "tool_use_id": "c", "input": input});
        out(json!({"type": "control_request", "request_id": "r", "request": request}))
    };
    let told_at = |event: &str, verdict: Value| {
        let said = vec![
            init(),
            call("c", "Bash", json!({"command": "make"})),
            asked(event),
            answer("r", verdict),
            failure("c", "not on my watch"),
        ];
        let state = after(said);
        let tool = tool(&state, "c");
        (tool.status.clone(), tool.decision.as_ref().and_then(|decision| decision.by.clone()))
    };
    let told = |verdict: Value| told_at("PreToolUse", verdict);
    let denied = (ToolStatus::Denied, Some("hook".to_owned()));
    let specific =
        |word: &str| json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word}});
    assert_eq!(told(specific("deny")), denied);
    assert_eq!(told(json!({"decision": "block", "reason": "not on my watch"})), denied);
    assert_eq!(told(specific("allow")), (ToolStatus::Failed, Some("hook".to_owned())));
    assert_eq!(told(specific("ask")), (ToolStatus::Failed, None));
    assert_eq!(told(json!({"decision": "approve"})), (ToolStatus::Failed, Some("hook".to_owned())));
    assert_eq!(told(json!({})), (ToolStatus::Failed, None));
    assert_eq!(told_at("PostToolUseFailure", json!({"decision": "block"})), (ToolStatus::Failed, None));
}

#[test]
fn an_edit_of_every_occurrence_says_so() {
    let edit = |all: bool| json!({"old_string": "a", "new_string": "b", "replace_all": all});
    let everywhere = |name: &str, input: Value| {
        let done = result("t", "ok", json!({"structuredPatch": []}));
        let state = after(vec![init(), call("t", name, input), done]);
        match &tool(&state, "t").view {
            ToolView::Edit { diff, .. } => diff.everywhere.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(everywhere("Edit", edit(false)), None);
    assert_eq!(everywhere("Edit", edit(true)), Some(Everywhere::All));
    let several = |edits: [bool; 2]| everywhere("MultiEdit", json!({"file_path": "/a", "edits": edits.map(edit)}));
    assert_eq!(several([false, false]), None);
    assert_eq!(several([true, false]), Some(Everywhere::Some));
    assert_eq!(several([true, true]), Some(Everywhere::All));
}

#[test]
fn the_number_of_omitted_pictures_is_shown() {
    let picture = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}});
    for count in [9, 500] {
        let pictures = vec![picture.clone(); count];
        let line = json!({"type": "user", "uuid": "u", "message": {"role": "user", "content": pictures}});
        let given = json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t", "content": pictures}
        ]}});
        let state = after(vec![
            spawned(),
            init(),
            sent(line),
            lifecycle("u", "started"),
            call("t", "Read", json!({})),
            out(given),
        ]);
        let ItemBody::User(user) = &item(&state, "u").body else { panic!("{:?}", item(&state, "u")) };
        let read = tool(&state, "t");
        for (images, more) in [(&user.images, user.more_images), (&read.images, read.more_images)] {
            assert_eq!(images.len() + more.unwrap_or(0) as usize, count);
            assert_eq!(more.is_some(), count == 500, "{} pictures", images.len());
        }
    }
}
