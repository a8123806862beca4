//! Which answer belongs to which prompt: queued, steered and self-started turns, failures, and sessions side by side.

use std::sync::Arc;

use claude_driver::protocol::FromCli;
use claude_driver::protocol::permission::PermissionMode;
use claude_driver::{Error, Tool, TurnEnd};
use lab::{CliVersion, Script};
use serde_json::json;
use tokio::sync::Notify;

use super::staged::{bash, claude, find, messages, sent, soon, stage};

lab::on_every_version! {
    queued_prompts_are_answered_one_by_one,
    a_steered_prompt_is_folded_into_the_running_turn,
    a_turn_that_a_background_task_starts_is_no_prompts_answer,
    a_failure_of_the_api_is_an_error_and_the_session_goes_on,
    two_sessions_at_once_do_not_mix,
    a_turn_streams_its_own_lines_only,
}

async fn queued_prompts_are_answered_one_by_one(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("One.").behind("go").says("Two.").says("Three.")).await;
    let session = claude(&stage).start().await.unwrap();
    let turns = ["first", "second", "third"].map(|prompt| session.send(prompt));
    soon("the first request", stage.model.saw_requests(1)).await;
    stage.model.release("go");
    let [first, second, third] = turns;
    // Nothing depends on the order in which one asks for the answers.
    assert_eq!(third.await.unwrap().text, "Three.");
    assert_eq!(first.await.unwrap().text, "One.");
    assert_eq!(second.await.unwrap().text, "Two.");
    session.idle().await.unwrap();
    session.close().await.unwrap();
    let sent = sent(&stage);
    assert!(sent.len() == 3 && !sent[0].contains("second") && sent[2].contains("third"), "{sent:#?}");
}

/// A tool that holds the turn, and who holds it.
fn holding() -> (Tool, Arc<Notify>, Arc<Notify>) {
    let (called, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (calls, goes_on) = (Arc::clone(&called), Arc::clone(&go_on));
    let tool = Tool::new("hold", "Waits", move |(): (), _| {
        let (calls, goes_on) = (Arc::clone(&calls), Arc::clone(&goes_on));
        async move {
            calls.notify_one();
            goes_on.notified().await;
            Ok("held")
        }
    });
    (tool, called, go_on)
}

async fn a_steered_prompt_is_folded_into_the_running_turn(cli: CliVersion) {
    let mut script = Script::new().calls("mcp__host__hold", json!({})).says("Saw your note.");
    let twice = cli == CliVersion::new(2, 1, 1);
    if twice {
        // The oldest version folds the prompt in, and then asks it once more, in the same turn.
        script = script.says("Saw it twice.");
    }
    let stage = stage(cli, script.says("Next.")).await;
    let (tool, called, go_on) = holding();
    let session = claude(&stage).tools([tool]).allowed_tools(["mcp__host__hold"]).start().await.unwrap();
    let turn = session.send("Start");
    soon("the call", called.notified()).await;
    let steered = session.steer("EXTRA note");
    // An answer to a later line says that the CLI has read the prompt.
    session.mcp_status().await.unwrap();
    go_on.notify_one();
    let answer = turn.await.unwrap();
    assert_eq!(answer.text, if twice { "Saw it twice." } else { "Saw your note." });
    assert!(sent(&stage)[1].contains("EXTRA note"));
    let shared = soon("the answer to the steered prompt", steered.into_future()).await.unwrap();
    assert_eq!((&shared.text, &shared.result.uuid), (&answer.text, &answer.result.uuid));
    // And the session is not out of step.
    assert_eq!(session.send("Next").await.unwrap().text, "Next.");
    session.close().await.unwrap();
}

async fn a_turn_that_a_background_task_starts_is_no_prompts_answer(cli: CliVersion) {
    let mut work = bash("while [ -e hold ]; do sleep 0.05; done; echo finished");
    work["run_in_background"] = json!(true);
    let mut script = Script::new().calls("Bash", work).says("Started.");
    if cli.is_present() {
        script = script.says("It finished.").behind("told");
    }
    let stage = stage(cli, script.says("Mine.")).await;
    stage.place.write("hold", "").unwrap();
    let session = claude(&stage).permission_mode(PermissionMode::BypassPermissions).start().await.unwrap();
    let mut events = session.events();
    let started = session.send("Start").await.unwrap();
    assert_eq!(started.text, "Started.");
    if !cli.is_present() {
        // Older versions start no turn by themselves, and the task does not keep the session from being closed.
        assert_eq!(session.send("And I?").await.unwrap().text, "Mine.");
        session.close().await.unwrap();
        return;
    }
    std::fs::remove_file(stage.place.project().join("hold")).unwrap();
    soon("the turn of the CLI's own", stage.model.saw_requests(3)).await;
    // In the middle of a turn that nobody asked for, a prompt comes.
    let mine = session.send("And I?");
    session.mcp_status().await.unwrap();
    stage.model.release("told");
    let mine = mine.await.unwrap();
    assert_eq!(mine.text, "Mine.");
    let foreign = find(&mut events, "the CLI's own result", |message| match message {
        FromCli::Result(result) if result.origin.is_some() => Some(result.clone()),
        _ => None,
    });
    let foreign = foreign.await;
    assert_eq!(foreign.result.as_deref(), Some("It finished."));
    // What it cost is nobody's, and not mine either.
    let own = foreign.total_cost_usd.unwrap() - started.cost.total_usd;
    assert!(own > 0.0);
    assert!((mine.cost.total_usd - started.cost_usd - own - mine.cost_usd).abs() < 1e-9, "{:?}", mine.cost);
    session.close().await.unwrap();
}

async fn a_failure_of_the_api_is_an_error_and_the_session_goes_on(cli: CliVersion) {
    // The CLI asks again after a 400, with other parameters, so the model fails as often as it is asked.
    let script = Script::new().fails(400).when("FAIL").always().says("Fine.").when("GO ON");
    let stage = stage(cli, script).await;
    let session = claude(&stage).start().await.unwrap();
    let failed = session.send("FAIL, please").await.unwrap_err();
    let Error::Failed(answer) = &failed else { panic!("{failed:?}") };
    assert_eq!(answer.end, TurnEnd::Failed);
    assert!(answer.text.contains("scripted 400"), "{answer}");
    assert!(failed.to_string().contains("scripted 400"), "{failed}");
    // A failed turn ends as any other for those who stream it, with its result.
    let mut turn = session.send("FAIL again");
    assert!(matches!(messages(&mut turn).await.last(), Some(FromCli::Result(result)) if result.failed()));
    assert!(matches!(turn.await, Err(Error::Failed(_))));
    // The CLI exits with 1 after an error: that is no crash.
    let exit = session.close().await.unwrap();
    assert!(exit.last_result_failed && exit.is_clean(), "{exit}");
    assert_eq!(exit.status.unwrap().code(), Some(1));
}

async fn two_sessions_at_once_do_not_mix(cli: CliVersion) {
    let script = Script::new().says("Alpha.").when("ALPHA").always().says("Beta.").when("BETA").always();
    let stage = stage(cli, script).await;
    let claude = claude(&stage);
    let (alpha, beta) = tokio::join!(claude.start(), claude.start());
    let (alpha, beta) = (alpha.unwrap(), beta.unwrap());
    for _ in 0..2 {
        let (one, other) = tokio::join!(alpha.send("ALPHA").into_future(), beta.send("BETA").into_future());
        assert_eq!((&*one.unwrap().text, &*other.unwrap().text), ("Alpha.", "Beta."));
    }
    assert!(alpha.id().is_some() && alpha.id() != beta.id());
    assert_ne!(alpha.pid(), beta.pid());
    alpha.close().await.unwrap();
    // The end of one is not the end of the other.
    assert_eq!(beta.send("BETA").await.unwrap().text, "Beta.");
    beta.close().await.unwrap();
}

async fn a_turn_streams_its_own_lines_only(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("One by one.").says("Two by two.")).await;
    let session = claude(&stage).start().await.unwrap();
    let (mut first, mut second) = (session.send("first"), session.send("second"));
    for (turn, expected) in [(&mut first, "One by one."), (&mut second, "Two by two.")] {
        let messages = messages(turn).await;
        let results: Vec<_> = messages
            .iter()
            .filter_map(|message| match message {
                FromCli::Result(result) => result.result.as_deref(),
                _ => None,
            })
            .collect();
        assert_eq!(results, [expected]);
        let said: Vec<_> = messages
            .iter()
            .filter_map(|message| match message {
                FromCli::Assistant(assistant) => Some(assistant.message.content.text().into_owned()),
                _ => None,
            })
            .collect();
        assert_eq!(said, [expected]);
    }
    session.close().await.unwrap();
}
