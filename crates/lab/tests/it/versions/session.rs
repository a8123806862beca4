//! A session is steered and taken up again: interrupt, model, permission mode, resume.

use claude_protocol::control::answer::SetPermissionModeAnswer;
use claude_protocol::control::request::{Interrupt, SetModel, SetPermissionMode};
use claude_protocol::from_cli::ResultKind;
use claude_protocol::from_cli::stream::Event;
use claude_protocol::permission::PermissionMode;
use claude_protocol::tool::ToolResult;
use claude_protocol::tool::edit::WriteKind;
use claude_protocol::{FromCli, System};
use lab::{CliVersion, Launch, Script};
use serde_json::json;

use super::talk::{MODEL, Talk, Told, sent, stage};

lab::on_every_version! {
    an_interrupt_ends_the_turn_and_not_the_session,
    another_model_answers_after_set_model,
    edits_need_no_asking_after_a_change_of_mode,
    a_resumed_session_knows_what_was_said,
}

async fn an_interrupt_ends_the_turn_and_not_the_session(cli: CliVersion) {
    let long = (0..60).map(|word| format!("word{word} ")).collect::<String>();
    // Nobody opens the gate: the stream stands still until the CLI gives up on it.
    let script = Script::new().says(long).pausing_after(5, "never").says("Again, then.");
    let stage = stage(cli, script).await;
    let mut talk = Talk::start(&stage, Launch::new().args(["--include-partial-messages"])).await;
    talk.prompt("Talk for long").await;
    let mut deltas = 0;
    talk.next("the fifth piece", |line| {
        let piece = matches!(line, FromCli::StreamEvent(line) if matches!(line.event, Event::BlockDelta(_)));
        deltas += usize::from(piece);
        (deltas == 5).then_some(())
    })
    .await;
    let answer = talk.command(Interrupt::default()).await;
    assert_eq!(answer.still_queued, cli.is_present().then(Vec::new));
    let words = talk.next("the words in the user's name", |line| match line {
        FromCli::User(user) => Some(user.message.content.text().into_owned()),
        _ => None,
    });
    assert_eq!(words.await, "[Request interrupted by user]");
    let result = talk.result().await;
    assert_eq!((&result.subtype, result.failed()), (&ResultKind::ErrorDuringExecution, true));
    assert_eq!(result.result, None);
    assert_eq!(talk.turn("Again").await.result.as_deref(), Some("Again, then."));
    let told = talk.finish().await;

    // Only the present version keeps what was said until then.
    let cut: Vec<_> = told
        .assistants()
        .iter()
        .filter(|line| line.aborted == Some(true))
        .map(|line| line.message.content.text())
        .collect();
    let expected: &[&str] = if cli.is_present() { &["word0 word1 word2 word3 word4 "] } else { &[] };
    assert_eq!(cut, expected);
    assert_eq!(told.code, Some(0));
}

async fn another_model_answers_after_set_model(cli: CliVersion) {
    const OTHER: &str = "claude-opus-4-5-20251101";
    let stage = stage(cli, Script::new().says("One.").says("Two.")).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    talk.turn("Who are you?").await;
    let answer = talk.command(SetModel::new(OTHER)).await;
    assert_eq!(answer.model.as_deref(), cli.is_present().then_some(OTHER));
    let result = talk.turn("And now?").await;
    let told = talk.finish().await;

    let asked: Vec<_> = stage.model.story_requests().iter().map(|request| request.body["model"].clone()).collect();
    assert_eq!(asked, [MODEL, OTHER]);
    let models: Vec<_> = told.inits().iter().map(|init| init.model.as_deref().unwrap()).collect();
    assert_eq!(models, [MODEL, OTHER]);
    assert_eq!(told.assistants()[1].message.model.as_deref(), Some(OTHER));
    // The present version says it in the user's name, too.
    let said: Vec<_> = told.users().iter().map(|user| user.is_replay).collect();
    assert_eq!(said, if cli.is_present() { vec![Some(true)] } else { vec![] });
    let usage = result.model_usage.unwrap();
    assert!(usage.contains_key(MODEL) && usage.contains_key(OTHER), "{usage:?}");
}

async fn edits_need_no_asking_after_a_change_of_mode(cli: CliVersion) {
    let script = Script::new().calls("Write", json!({"file_path": "note.txt", "content": "new"})).says("Written.");
    let stage = stage(cli, script).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    let id = talk.request(SetPermissionMode::new(PermissionMode::AcceptEdits)).await;
    talk.answer::<SetPermissionMode>(&id).await;
    let result = talk.turn("Write it").await;
    let told = talk.finish().await;

    // Versions before the present one answer twice, and only one of the answers names the mode.
    let answers = told.answers(&id);
    let modes: Vec<_> = answers
        .iter()
        .map(|answer| answer.answer_to::<SetPermissionMode>().unwrap().value)
        .filter(|answer| *answer != SetPermissionModeAnswer::default())
        .map(|answer| answer.mode)
        .collect();
    assert_eq!(modes, [Some(PermissionMode::AcceptEdits)]);
    assert_eq!(answers.len(), if cli.is_present() { 1 } else { 2 });
    let news: Vec<_> = told.lines.iter().filter_map(mode_of_status).collect();
    let expected: &[_] = if cli.is_present() { &[PermissionMode::AcceptEdits] } else { &[] };
    assert_eq!(news, expected);
    assert_eq!(told.inits()[0].permission_mode, Some(PermissionMode::AcceptEdits));

    assert_eq!(told.asked(), 0);
    assert_eq!(std::fs::read_to_string(stage.place.project().join("note.txt")).unwrap(), "new");
    let [(_, ToolResult::Write(write))] = &told.results()[..] else { panic!("{:?}", told.results()) };
    // The path is that of the call: it is not made whole.
    assert_eq!(write.file_path.as_deref(), Some("note.txt"));
    assert_eq!((&write.r#type, write.content.as_deref()), (&Some(WriteKind::Create), Some("new")));
    assert_eq!((result.result.as_deref(), told.code), (Some("Written."), Some(0)));
}

async fn a_resumed_session_knows_what_was_said(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("Hello Ada.").says("It is Ada.")).await;
    let mut talk = Talk::start(&stage, Launch::new()).await;
    talk.turn("My name is Ada").await;
    let first = talk.finish().await;
    let id = first.inits()[0].session_id.clone().unwrap();
    let mut talk = Talk::start(&stage, Launch::new().args(["--resume", id.as_str()])).await;
    let result = talk.turn("What is my name?").await;
    let second: Told = talk.finish().await;

    assert_eq!(result.result.as_deref(), Some("It is Ada."));
    assert_eq!(second.kinds(), ["system/init", "assistant", "result/success"]);
    assert!(second.lines.iter().all(|line| line.session_id() == Some(&id)));
    let [before, after] = &sent(&stage)[..] else { panic!("{:?}", sent(&stage)) };
    assert!(!before.contains("Hello Ada."));
    for words in ["My name is Ada", "Hello Ada.", "What is my name?"] {
        assert!(after.contains(words), "{words} in {after}");
    }
}

/// The mode that a `system/status` line tells.
fn mode_of_status(line: &FromCli) -> Option<PermissionMode> {
    match line {
        FromCli::System(System::Status(status)) => status.permission_mode.clone(),
        _ => None,
    }
}
