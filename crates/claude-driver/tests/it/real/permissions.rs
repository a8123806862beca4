//! The CLI asks and the host decides: permissions, questions and plans.

use claude_driver::protocol::ToolInput;
use claude_driver::protocol::permission::PermissionMode;
use claude_driver::{Answers, TurnEnd};
use lab::{CliVersion, Script};
use serde_json::json;

use super::staged::{asked, asking, bash, claude, last_sent, sent, stage};

lab::on_every_version! {
    permissions_are_decided_turn_by_turn,
    what_is_allowed_always_is_not_asked_again,
    questions_are_answered,
    a_plan_is_approved,
    a_denial_that_stops_ends_the_turn,
}

async fn permissions_are_decided_turn_by_turn(cli: CliVersion) {
    let script = Script::new()
        .calls("Bash", bash("touch allowed.txt"))
        .says("Allowed.")
        .calls("Bash", bash("touch denied.txt"))
        .says("Denied.")
        .calls("Bash", bash("touch original.txt"))
        .says("Changed.");
    let stage = stage(cli, script).await;
    let (claude, mut requests) = asking(claude(&stage));
    let session = claude.start().await.unwrap();
    let made = |name: &str| stage.place.project().join(name).exists();

    let turn = session.send("Make one");
    let request = asked(&mut requests).await;
    assert!(matches!(&request.tool, ToolInput::Bash(bash) if bash.command == "touch allowed.txt"), "{request:?}");
    assert!(!made("allowed.txt"));
    request.allow();
    let answer = turn.await.unwrap();
    assert_eq!((&*answer.text, answer.end, made("allowed.txt")), ("Allowed.", TurnEnd::Completed, true));

    let turn = session.send("Make another");
    asked(&mut requests).await.deny("Not on a Friday.");
    assert_eq!(turn.await.unwrap().text, "Denied.");
    assert!(!made("denied.txt") && last_sent(&stage).contains("Not on a Friday."));

    let turn = session.send("And a third");
    asked(&mut requests).await.allow_with(json!({"command": "touch changed.txt"}));
    assert_eq!(turn.await.unwrap().text, "Changed.");
    assert!(made("changed.txt") && !made("original.txt"));

    let exit = session.close().await.unwrap();
    assert!(exit.is_clean(), "{exit}");
    assert!(requests.try_recv().is_err());
}

async fn what_is_allowed_always_is_not_asked_again(cli: CliVersion) {
    let script = Script::new().calls("Bash", bash("touch one.txt")).calls("Bash", bash("touch two.txt")).says("Both.");
    let stage = stage(cli, script).await;
    let (claude, mut requests) = asking(claude(&stage));
    let session = claude.start().await.unwrap();
    let turn = session.send("Make both");
    let request = asked(&mut requests).await;
    let suggestions = request.suggestions().to_vec();
    assert!(!suggestions.is_empty());
    request.allow_always(suggestions);
    assert_eq!(turn.await.unwrap().text, "Both.");
    session.close().await.unwrap();
    assert!(stage.place.project().join("two.txt").exists());
    assert!(requests.try_recv().is_err());
}

async fn questions_are_answered(cli: CliVersion) {
    let option = |label: &str| json!({"label": label, "description": "good"});
    let question = |text: &str, header: &str, many: bool, labels: [&str; 2]| json!({"question": text, "header": header, "multiSelect": many, "options": labels.map(option)});
    let questions = json!({"questions": [
        question("Which color?", "Color", false, ["Red", "Blue"]),
        question("Which toppings?", "Toppings", true, ["Cheese", "Ham"]),
        question("Which name?", "Name", false, ["Ada", "Bob"]),
    ]});
    let stage = stage(cli, Script::new().calls("AskUserQuestion", questions).says("Noted.")).await;
    let (claude, mut requests) = asking(claude(&stage));
    let session = claude.start().await.unwrap();
    let turn = session.send("Ask me");
    let request = asked(&mut requests).await;
    let texts: Vec<&str> = request.questions().unwrap().iter().map(|question| &*question.question).collect();
    assert_eq!(texts, ["Which color?", "Which toppings?", "Which name?"]);
    let answers = Answers::new()
        .choose("Which color?", "Blue")
        .choose_all("Which toppings?", ["Cheese", "Ham"])
        .choose("Which name?", "Something of my own");
    request.answer_questions(answers);
    assert_eq!(turn.await.unwrap().text, "Noted.");
    let to_model = last_sent(&stage).replace('\\', "");
    let expected =
        [r#""Which color?"="Blue""#, r#""Which toppings?"="Cheese,Ham""#, r#""Which name?"="Something of my own""#];
    for words in expected {
        assert!(to_model.contains(words), "{words} in {to_model}");
    }
    session.close().await.unwrap();
}

async fn a_plan_is_approved(cli: CliVersion) {
    let plan = "# Plan\n\n1. Write a note\n";
    let script = Script::new()
        .calls("Write", json!({"file_path": "$PLANFILE", "content": plan}))
        .calls("ExitPlanMode", json!({"plan": plan}))
        .calls("Write", json!({"file_path": "note.txt", "content": "yes"}))
        .says("Implemented.");
    let stage = stage(cli, script).await;
    let (claude, mut requests) = asking(claude(&stage).permission_mode(PermissionMode::Plan));
    // The tools of plan mode are there at once.
    let session = claude.env("ENABLE_TOOL_SEARCH", "false").start().await.unwrap();
    let turn = session.send("Plan it");
    let request = asked(&mut requests).await;
    assert_eq!(request.plan().map(str::trim), Some(plan.trim()), "{request:?}");
    request.allow();
    let request = asked(&mut requests).await;
    assert_eq!(request.tool_name, "Write");
    request.allow();
    assert_eq!(turn.await.unwrap().text, "Implemented.");
    assert!(stage.place.project().join("note.txt").exists());
    assert!(sent(&stage)[2].contains("approved"), "{}", sent(&stage)[2]);
    session.close().await.unwrap();
    assert!(requests.try_recv().is_err());
}

async fn a_denial_that_stops_ends_the_turn(cli: CliVersion) {
    let stage = stage(cli, Script::new().calls("Bash", bash("touch made.txt")).says("Next.")).await;
    let (claude, mut requests) = asking(claude(&stage));
    let session = claude.start().await.unwrap();
    let turn = session.send("Make it");
    asked(&mut requests).await.deny_and_stop("Enough.");
    assert_eq!(turn.await.unwrap().end, TurnEnd::Interrupted);
    assert_eq!(session.send("Go on").await.unwrap().text, "Next.");
    session.close().await.unwrap();
    assert!(!stage.place.project().join("made.txt").exists());
}
