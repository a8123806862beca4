//! Sessions taken up again: as they were, forked, from an earlier point, and after the CLI was killed.

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use claude_driver::protocol::{Envelope, FromCli};
use claude_driver::{Ending, Error};
use lab::{CliVersion, Script, Stage};
use rustix::process::{Pid, Signal, kill_process};

use super::staged::{claude, last_sent, messages, read_up_to, soon, stage};

lab::on_every_version! {
    a_resumed_session_knows_what_was_said,
    a_fork_leaves_the_session_as_it_is,
    a_session_is_taken_up_at_an_earlier_point,
    a_session_outlives_the_kill_of_its_cli,
    a_session_that_is_not_there_is_an_error_with_words,
}

async fn a_resumed_session_knows_what_was_said(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("Hello Ada.").says("You are Ada.").says("Still Ada.")).await;
    let claude = claude(&stage);
    let session = claude.start().await.unwrap();
    let first = session.send("My name is Ada").await.unwrap();
    session.close().await.unwrap();
    let id = first.session_id.unwrap();
    assert_eq!(session.id().as_ref(), Some(&id));

    let session = claude.clone().resume(id.as_str()).start().await.unwrap();
    let answer = session.send("Who am I?").await.unwrap();
    assert_eq!((&*answer.text, answer.session_id.as_ref()), ("You are Ada.", Some(&id)));
    let sent = last_sent(&stage);
    assert!(sent.contains("My name is Ada") && sent.contains("Hello Ada."), "{sent}");
    session.close().await.unwrap();

    let session = claude.continue_recent().start().await.unwrap();
    assert_eq!(session.send("And now?").await.unwrap().session_id, Some(id));
    assert!(last_sent(&stage).contains("You are Ada."));
    session.close().await.unwrap();
}

async fn a_fork_leaves_the_session_as_it_is(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("Hello Ada.").says("Forked.").says("The first one.")).await;
    let claude = claude(&stage);
    let session = claude.start().await.unwrap();
    let id = session.send("My name is Ada").await.unwrap().session_id.unwrap();
    session.close().await.unwrap();

    let fork = claude.clone().resume(id.as_str()).fork().start().await.unwrap();
    let answer = fork.send("FORK it").await.unwrap();
    assert_eq!(answer.text, "Forked.");
    assert!(answer.session_id.is_some_and(|forked| forked != id));
    assert!(last_sent(&stage).contains("My name is Ada"));
    fork.close().await.unwrap();

    let session = claude.resume(id.as_str()).start().await.unwrap();
    session.send("Go on").await.unwrap();
    let sent = last_sent(&stage);
    assert!(sent.contains("My name is Ada") && !sent.contains("FORK it"), "{sent}");
    session.close().await.unwrap();
}

async fn a_session_is_taken_up_at_an_earlier_point(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("One.").says("Two.").says("Rewound.")).await;
    let claude = claude(&stage);
    let session = claude.start().await.unwrap();
    let mut first = session.send("the FIRST");
    let at = messages(&mut first).await.into_iter().find_map(|message| match message {
        FromCli::Assistant(assistant) => assistant.uuid().cloned(),
        _ => None,
    });
    let id = session.send("the SECOND").await.unwrap().session_id.unwrap();
    session.close().await.unwrap();

    let session = claude.resume(id.as_str()).resume_at(at.unwrap().as_str()).start().await.unwrap();
    assert_eq!(session.send("the THIRD").await.unwrap().text, "Rewound.");
    let sent = last_sent(&stage);
    assert!(sent.contains("the FIRST") && sent.contains("One.") && !sent.contains("the SECOND"), "{sent}");
    session.close().await.unwrap();
}

async fn a_session_outlives_the_kill_of_its_cli(cli: CliVersion) {
    let long = (0..60).map(|word| format!("word{word} ")).collect::<String>();
    let script = Script::new().says("Hello Ada.").says(long).pausing_after(5, "never").says("Back again.");
    let stage = stage(cli, script).await;
    let claude = claude(&stage);
    let session = claude.start().await.unwrap();
    let id = session.send("My name is Ada").await.unwrap().session_id.unwrap();
    let mut turn = session.send("Talk for long");
    let waiting = session.send("And then?");
    read_up_to(&mut turn, "word4").await;
    // Some versions keep the transcript back for a moment; what is not on disk is lost with the process.
    soon("the transcript", written(&stage, id.as_str(), "My name is Ada")).await;
    let pid = Pid::from_raw(session.pid().unwrap().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    // Everyone who waits is told, and how it ended.
    for outcome in [turn.await, waiting.await] {
        let Err(Error::Exited(exit)) = outcome else { panic!("{outcome:?}") };
        assert_eq!((exit.status.and_then(|status| status.signal()), exit.ending), (Some(9), Ending::ByItself));
        assert!(!exit.is_clean());
    }
    soon("the end of the session", session.exited()).await;

    let session = claude.resume(id.as_str()).start().await.unwrap();
    let answer = session.send("Who am I?").await.unwrap();
    assert_eq!((&*answer.text, answer.session_id), ("Back again.", Some(id)));
    assert!(last_sent(&stage).contains("My name is Ada"));
    session.close().await.unwrap();
}

/// Waits until the transcript of a session says this.
async fn written(stage: &Stage, id: &str, words: &str) {
    let path = stage.place.transcripts().join(format!("{id}.jsonl"));
    while !std::fs::read_to_string(&path).is_ok_and(|text| text.contains(words)) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn a_session_that_is_not_there_is_an_error_with_words(cli: CliVersion) {
    let stage = stage(cli, Script::new().says("Never.")).await;
    let nobody = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    let started = soon("the start", claude(&stage).resume(nobody).start()).await;
    let error = started.unwrap_err();
    assert!(matches!(error, Error::Exited(_)), "{error:?}");
    // 2.1.29 and 2.1.38 say it in a result, others on stderr.
    assert!(error.to_string().contains(nobody), "{error}");
}
