//! Tools: allowed, denied and changed by the host, side by side, and in the hands of a subagent.

use claude_protocol::content::Block;
use claude_protocol::permission::PermissionAnswer;
use claude_protocol::tool::ToolResult;
use claude_protocol::tool::agent::AgentStatus;
use claude_protocol::tool::read::ReadResult;
use claude_protocol::{FromCli, Raw, ToolInput};
use lab::{CliVersion, Launch, Reply, Script};
use serde_json::json;

use super::talk::{Talk, input, last_sent, sent, stage};

lab::on_every_version! {
    a_command_runs_when_the_host_allows_it,
    a_denied_command_does_not_run_and_the_model_reads_why,
    a_command_runs_as_the_host_has_changed_it,
    two_calls_of_one_answer_give_two_results,
    a_subagent_speaks_under_the_call_that_started_it,
}

/// A model that wants a command and then says something.
fn wants(command: &str, then: &str) -> Script {
    Script::new().calls("Bash", json!({"command": command, "description": "Make a file"})).says(then)
}

async fn a_command_runs_when_the_host_allows_it(cli: CliVersion) {
    let stage = stage(cli, wants("touch made.txt && echo made", "Made.")).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    talk.prompt("Make it").await;
    let (to, ask) = talk.permission().await;
    let made = stage.place.project().join("made.txt");
    assert!(!made.exists());
    talk.say(to.permission(&PermissionAnswer::allow(&ask))).await;
    let result = talk.result().await;
    let told = talk.finish().await;

    let ToolInput::Bash(bash) = input(&ask) else { panic!("{ask:?}") };
    assert_eq!((&*bash.command, bash.description.as_deref()), ("touch made.txt && echo made", Some("Make a file")));
    let call = told.call(ask.tool_use_id.as_ref().unwrap());
    assert_eq!((&call.name, &call.input), (&ask.tool_name, &ask.input));
    let [(block, ToolResult::Bash(bash))] = &told.results()[..] else { panic!("{:?}", told.results()) };
    assert_eq!((&block.tool_use_id, block.failed()), (&call.id, false));
    assert_eq!((bash.stdout.as_deref(), bash.interrupted), (Some("made"), Some(false)));
    assert!(made.exists());
    assert_eq!((result.result.as_deref(), result.permission_denials), (Some("Made."), Some(Vec::new())));
    assert_eq!((told.asked(), told.code), (1, Some(0)));
}

async fn a_denied_command_does_not_run_and_the_model_reads_why(cli: CliVersion) {
    let stage = stage(cli, wants("touch made.txt", "Then not.")).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    talk.prompt("Make it").await;
    let (to, ask) = talk.permission().await;
    talk.say(to.permission(&PermissionAnswer::deny(&ask, "Not on a Friday."))).await;
    let result = talk.result().await;
    let told = talk.finish().await;

    assert!(!stage.place.project().join("made.txt").exists());
    let [(block, why)] = &told.results()[..] else { panic!("{:?}", told.results()) };
    assert_eq!(*why, ToolResult::Error("Not on a Friday.".to_owned()));
    assert!(block.failed());
    assert_eq!(block.content.as_ref().unwrap().text(), "Not on a Friday.");
    let to_model = &last_sent(&stage)["content"][0];
    assert_eq!((&to_model["type"], &to_model["is_error"]), (&json!("tool_result"), &json!(true)));
    // The present version adds a reminder of its own.
    assert!(to_model["content"].as_str().unwrap().starts_with("Not on a Friday."), "{to_model}");
    let denials = result.permission_denials.unwrap();
    let denials: Vec<_> =
        denials.iter().map(|denial| (&denial.tool_name, &denial.tool_use_id, &denial.tool_input)).collect();
    assert_eq!(denials, [(&Some("Bash".to_owned()), &ask.tool_use_id, &Some(ask.input.clone()))]);
    assert_eq!((result.result.as_deref(), told.code), (Some("Then not."), Some(0)));
}

async fn a_command_runs_as_the_host_has_changed_it(cli: CliVersion) {
    let stage = stage(cli, wants("touch original.txt", "Made.")).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    talk.prompt("Make it").await;
    let (to, ask) = talk.permission().await;
    let changed = Raw::from_value(&json!({"command": "touch changed.txt && echo changed"})).unwrap();
    talk.say(to.permission(&PermissionAnswer::allow_with(&ask, changed).unwrap())).await;
    talk.result().await;
    let told = talk.finish().await;

    let project = stage.place.project();
    assert!(project.join("changed.txt").exists() && !project.join("original.txt").exists());
    let [(_, ToolResult::Bash(bash))] = &told.results()[..] else { panic!("{:?}", told.results()) };
    assert_eq!(bash.stdout.as_deref(), Some("changed"));
    // The call still shows what the model wanted, here and to the model.
    let call = told.call(ask.tool_use_id.as_ref().unwrap());
    assert_eq!(call.input, ask.input);
    assert!(!sent(&stage).concat().contains("touch changed.txt"));
}

async fn two_calls_of_one_answer_give_two_results(cli: CliVersion) {
    let both = Reply::new()
        .calls("Bash", json!({"command": "echo one", "description": "Say it"}))
        .calls("Read", json!({"file_path": "hello.txt"}));
    let stage = stage(cli, Script::new().reply(both).says("Both done.")).await;
    let mut talk = Talk::start(&stage, Launch::new().args(["--permission-mode", "bypassPermissions"])).await;
    let result = talk.turn("Do both").await;
    let told = talk.finish().await;

    // They come as they are ready, each on a line of its own.
    assert!(told.users().iter().all(|line| line.message.content.blocks().len() == 1));
    let mut results = told.results();
    results.sort_by_key(|(block, _)| block.tool_use_id.clone());
    let [(_, ToolResult::Bash(said)), (_, ToolResult::Read(ReadResult::Text(read)))] = &results[..] else {
        panic!("{results:?}")
    };
    assert_eq!(said.stdout.as_deref(), Some("one"));
    assert_eq!(read.file.content.as_deref(), Some("line one\nline two\nline three\n"));
    // The path is that of the call: it is not made whole.
    assert_eq!(read.file.file_path.as_deref(), Some("hello.txt"));
    assert_eq!((result.result.as_deref(), told.asked(), told.code), (Some("Both done."), 0, Some(0)));
    // The two calls are one message of the model on two lines.
    let ids: Vec<_> = told.assistants().iter().map(|line| line.message.id.clone().unwrap()).collect();
    assert!(ids.len() == 3 && ids[0] == ids[1] && ids[1] != ids[2], "{ids:?}");
}

async fn a_subagent_speaks_under_the_call_that_started_it(cli: CliVersion) {
    let tool = if cli.is_present() { "Agent" } else { "Task" };
    let work = json!({
        "description": "Count files", "prompt": "SUBTASK count the files", "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    let script = Script::new()
        .calls(tool, work)
        .calls("Bash", json!({"command": "ls | wc -l", "description": "Count"}))
        .when("SUBTASK")
        .says("There is one file.")
        .when("SUBTASK")
        .says("The agent found one file.");
    let stage = stage(cli, script).await;
    let mut talk = Talk::start(&stage, Launch::new().args(["--permission-mode", "bypassPermissions"])).await;
    let result = talk.turn("Delegate it").await;
    let told = talk.finish().await;

    let Block::ToolUse(call) = told.blocks()[0] else { panic!("{:?}", told.blocks()) };
    let ToolInput::Agent(work) = ToolInput::read(&call.name, &call.input).value else { panic!("{call:?}") };
    assert_eq!((&*call.name, &*work.prompt, work.run_in_background), (tool, "SUBTASK count the files", Some(false)));
    let nested: Vec<&FromCli> = told.lines.iter().filter(|line| line.parent_tool_use_id() == Some(&call.id)).collect();
    let [FromCli::User(prompt), FromCli::Assistant(step), FromCli::User(answer)] = nested[..] else {
        panic!("{:?}", told.kinds())
    };
    assert_eq!(prompt.message.content.text(), "SUBTASK count the files");
    let bash = step.message.content.tool_uses().next().unwrap();
    let ToolInput::Bash(command) = ToolInput::read(&bash.name, &bash.input).value else { panic!("{bash:?}") };
    assert_eq!(command.command, "ls | wc -l");
    let counted = answer.message.content.tool_results().next().unwrap();
    assert_eq!((&counted.tool_use_id, counted.content.as_ref().unwrap().text().trim()), (&bash.id, "1"));
    // Only the oldest version gives the structured result of a subagent's tool, too.
    let structured = answer.tool_use_result.as_ref().map(|result| ToolResult::read(&bash.name, result).value);
    match structured {
        Some(ToolResult::Bash(counted)) if cli == CliVersion::new(2, 1, 1) => {
            assert_eq!(counted.stdout.as_deref(), Some("1"))
        }
        None if cli > CliVersion::new(2, 1, 1) => {}
        other => panic!("{other:?}"),
    }

    let [(block, ToolResult::Agent(agent))] = &told.results()[..] else { panic!("{:?}", told.results()) };
    assert_eq!(block.tool_use_id, call.id);
    assert_eq!(agent.status, Some(AgentStatus::Completed));
    // The present version puts notes of its own before the answer, and says how many.
    assert_eq!(
        (agent.harness_note_count, agent.harness_tail_count),
        if cli.is_present() { (Some(1), Some(0)) } else { (None, None) }
    );
    let blocks = agent.content.as_ref().unwrap().blocks();
    assert_eq!(blocks[usize::from(cli.is_present())..], [Block::text("There is one file.")]);
    assert_eq!((agent.total_tool_use_count, agent.prompt.as_deref()), (Some(1), Some("SUBTASK count the files")));
    assert!(agent.agent_id.is_some() && agent.total_duration_ms.is_some() && agent.usage.is_some());
    assert_eq!((result.result.as_deref(), told.code), (Some("The agent found one file."), Some(0)));
    assert_eq!(stage.model.unused_replies(), 0);
}
