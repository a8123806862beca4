//! Requests to the CLI: what they do, and what becomes of those that a version does not know.

use std::time::Duration;

use claude_driver::protocol::FromCli;
use claude_driver::protocol::control::mcp::McpServerState;
use claude_driver::protocol::from_cli::turn::CommandState;
use claude_driver::protocol::permission::PermissionMode;
use claude_driver::{Error, Tool};
use lab::{CliVersion, Script};
use serde_json::{Value, json};

use super::staged::{MODEL, asking, claude, find, stage};

lab::on_every_version! {
    another_model_answers_after_set_model,
    edits_need_no_asking_after_a_change_of_mode,
    a_request_that_the_version_does_not_know_is_an_error,
    the_state_of_the_session_can_be_asked,
    files_go_back_to_where_they_were,
}

async fn another_model_answers_after_set_model(cli: CliVersion) {
    const OTHER: &str = "claude-opus-4-5-20251101";
    let stage = stage(cli, Script::new().says("One.").says("Two.")).await;
    let session = claude(&stage).start().await.unwrap();
    session.send("Who are you?").await.unwrap();
    let told = session.set_model(Some(OTHER)).await.unwrap();
    assert_eq!(told.as_deref(), cli.is_present().then_some(OTHER));
    let answer = session.send("And now?").await.unwrap();
    assert_eq!(answer.text, "Two.");
    let asked: Vec<_> = stage.model.story_requests().iter().map(|request| request.body["model"].clone()).collect();
    assert_eq!(asked, [MODEL, OTHER]);
    assert_eq!(session.init().unwrap().model.as_deref(), Some(OTHER));
    // What the turn used is the other model's alone.
    let used: Vec<_> = answer
        .cost
        .models
        .iter()
        .filter(|(_, usage)| usage.output_tokens > Some(0))
        .map(|(model, _)| &**model)
        .collect();
    assert_eq!(used, [OTHER]);
    session.close().await.unwrap();
}

async fn edits_need_no_asking_after_a_change_of_mode(cli: CliVersion) {
    let script = Script::new().calls("Write", json!({"file_path": "note.txt", "content": "new"})).says("Written.");
    let stage = stage(cli, script).await;
    let (claude, mut requests) = asking(claude(&stage));
    let session = claude.start().await.unwrap();
    session.set_permission_mode(PermissionMode::AcceptEdits).await.unwrap();
    assert_eq!(session.send("Write it").await.unwrap().text, "Written.");
    assert_eq!(session.init().unwrap().permission_mode, Some(PermissionMode::AcceptEdits));
    session.close().await.unwrap();
    assert!(stage.place.project().join("note.txt").exists());
    assert!(requests.try_recv().is_err());
}

async fn a_request_that_the_version_does_not_know_is_an_error(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("Still here.")).await;
    let limit = if cli.is_present() { Duration::from_secs(50) } else { Duration::from_millis(300) };
    let session = claude(&stage).request_time_limit(limit).start().await.unwrap();
    let unknown = session.control::<Value>("make_coffee", json!({"sugar": 2})).await;
    let renamed = session.rename("Ship it").await;
    if cli.is_present() {
        let Err(Error::Refused { request, message, .. }) = &unknown else { panic!("{unknown:?}") };
        assert!(request == "make_coffee" && message.contains("make_coffee"), "{unknown:?}");
        renamed.unwrap();
    } else {
        // Old versions keep silent. What this crate knows to be newer is an error at once.
        assert!(matches!(&unknown, Err(Error::TimedOut { request, .. }) if request == "make_coffee"), "{unknown:?}");
        let Err(Error::TooOld { needs, has, .. }) = &renamed else { panic!("{renamed:?}") };
        assert_eq!((needs.to_string(), has.to_string()), ("2.1.325".to_owned(), cli.to_string()));
    }
    assert_eq!(session.send("Still there?").await.unwrap().text, "Still here.");
    session.close().await.unwrap();
}

async fn the_state_of_the_session_can_be_asked(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("Hello.")).await;
    let tool = Tool::new("nothing", "Does nothing", |(): (), _| async { Ok("nothing") });
    let session = claude(&stage).tools([tool]).start().await.unwrap();
    assert_eq!(session.version().unwrap().to_string(), cli.to_string());
    assert!(session.commands().iter().any(|command| command.name == "compact"));
    session.send("Hello").await.unwrap();
    assert!(session.init().unwrap().tools.as_ref().unwrap().iter().any(|tool| tool == "mcp__host__nothing"));
    let servers = session.mcp_status().await.unwrap().mcp_servers;
    let states: Vec<_> = servers.iter().map(|server| (&*server.name, server.status.as_ref())).collect();
    assert_eq!(states, [("host", Some(&McpServerState::Connected))]);
    let usage = session.context_usage().await;
    if cli.is_present() {
        let usage = usage.unwrap();
        assert!(usage.total_tokens > Some(0) && usage.max_tokens > usage.total_tokens, "{usage:?}");
    } else {
        assert!(matches!(usage, Err(Error::TooOld { .. })), "{usage:?}");
    }
    let reconnected = session.mcp_reconnect("nobody").await;
    match reconnected {
        Err(Error::TooOld { .. }) => assert!(cli < CliVersion::new(2, 1, 38)),
        Err(Error::Refused { .. }) => assert!(cli >= CliVersion::new(2, 1, 38)),
        other => panic!("{other:?}"),
    }
    session.close().await.unwrap();
}

async fn files_go_back_to_where_they_were(cli: CliVersion) {
    let edit = |path: &str| json!({"file_path": path, "old_string": "line two", "new_string": "line 2"});
    let stage = stage(cli, Script::new().says("Ready.")).await;
    let path = stage.place.project().join("hello.txt");
    let path_text = path.to_str().unwrap();
    // The script speaks of the place, so it is told to a stage that is there already.
    let script =
        Script::new().calls("Read", json!({"file_path": path_text})).calls("Edit", edit(path_text)).says("Edited.");
    let model = lab::Model::start(script).await.unwrap();
    let claude = claude(&stage).env("ANTHROPIC_BASE_URL", model.base_url());
    let claude = claude.file_checkpoints().permission_mode(PermissionMode::AcceptEdits);
    let session = claude.start().await.unwrap();
    let mut events = session.events();
    let turn = session.send("Edit it");
    let prompt = turn.uuid().clone();
    assert_eq!(turn.await.unwrap().text, "Edited.");
    if cli.is_present() {
        // The present version keeps the copy when it is done with the prompt, a moment after the result.
        find(&mut events, "the end of the prompt", |message| match message {
            FromCli::CommandLifecycle(news) if news.state == Some(CommandState::Completed) => Some(()),
            _ => None,
        })
        .await;
    }
    let text = || std::fs::read_to_string(&path).unwrap();
    assert!(text().contains("line 2"));
    let look = session.rewind_files_dry_run(&prompt).await.unwrap();
    assert_eq!(
        (look.can_rewind, look.files_changed),
        (Some(true), Some(vec![path_text.to_owned()])),
        "{:?}",
        look.error
    );
    assert!(text().contains("line 2"));
    let rewound = session.rewind_files(&prompt).await.unwrap();
    assert_eq!(rewound.can_rewind, Some(true), "{rewound:?}");
    assert!(text().contains("line two"));
    session.close().await.unwrap();
}
