//! Interrupts: the turn ends, and the session goes on.

use claude_driver::{Decision, TurnEnd};
use lab::{CliVersion, Script};

use super::staged::{asked, asking, bash, claude, read_up_to, soon, stage};

lab::on_every_version! {
    an_interrupt_in_mid_stream_ends_the_turn_and_not_the_session,
    an_interrupt_withdraws_an_open_permission_request,
    prompts_that_wait_go_on_after_an_interrupt,
    an_interrupt_can_take_back_what_waits,
}

/// A model that stands still after a few words, until the CLI gives up on it.
fn stuck() -> Script {
    let long = (0..60).map(|word| format!("word{word} ")).collect::<String>();
    Script::new().says(long).pausing_after(5, "never")
}

async fn an_interrupt_in_mid_stream_ends_the_turn_and_not_the_session(cli: CliVersion) {
    let stage = stage(cli, stuck().says("Again, then.")).await;
    let session = claude(&stage).start().await.unwrap();
    let mut turn = session.send("Talk for long");
    read_up_to(&mut turn, "word4").await;
    let interrupted = session.interrupt().await.unwrap();
    assert!(interrupted.still_queued.is_empty() && interrupted.cancelled.is_empty());
    let answer = soon("the end of the turn", turn.into_future()).await.unwrap();
    assert_eq!(answer.end, TurnEnd::Interrupted);
    let answer = session.send("Again").await.unwrap();
    assert_eq!((&*answer.text, answer.end), ("Again, then.", TurnEnd::Completed));
    assert!(session.close().await.unwrap().is_clean());
}

async fn an_interrupt_withdraws_an_open_permission_request(cli: CliVersion) {
    let stage = stage(cli, Script::new().calls("Bash", bash("touch made.txt")).says("After.")).await;
    let (claude, mut requests) = asking(claude(&stage));
    let session = claude.start().await.unwrap();
    let turn = session.send("Make it");
    let mut request = asked(&mut requests).await;
    assert!(!request.is_withdrawn());
    session.interrupt().await.unwrap();
    soon("the withdrawal", request.withdrawn()).await;
    assert_eq!(turn.await.unwrap().end, TurnEnd::Interrupted);
    // Too late: nothing comes of it.
    assert_eq!(request.allow(), Decision::Allowed);
    assert_eq!(session.send("Go on").await.unwrap().text, "After.");
    session.close().await.unwrap();
    assert!(!stage.place.project().join("made.txt").exists());
}

async fn prompts_that_wait_go_on_after_an_interrupt(cli: CliVersion) {
    let stage = stage(cli, stuck().says("Second.")).await;
    let session = claude(&stage).start().await.unwrap();
    let mut first = session.send("Talk for long");
    let second = session.send("And then?");
    read_up_to(&mut first, "word4").await;
    session.interrupt().await.unwrap();
    assert_eq!(first.await.unwrap().end, TurnEnd::Interrupted);
    let answer = second.await.unwrap();
    assert_eq!((&*answer.text, answer.end), ("Second.", TurnEnd::Completed));
    session.close().await.unwrap();
}

async fn an_interrupt_can_take_back_what_waits(cli: CliVersion) {
    let stage = stage(cli, stuck().says("Next.")).await;
    let session = claude(&stage).start().await.unwrap();
    let mut first = session.send("Talk for long");
    let held = session.send("FORGET one");
    read_up_to(&mut first, "word4").await;
    // One that the CLI has already can be taken back only where the version can.
    let queued = cli.is_present().then(|| session.steer("FORGET two"));
    session.interrupt().cancel_queued().await.unwrap();
    assert_eq!(first.await.unwrap().end, TurnEnd::Interrupted);
    assert!(matches!(held.await, Err(claude_driver::Error::Cancelled)));
    if let Some(queued) = queued {
        let outcome = soon("the prompt that was taken back", queued.into_future()).await;
        assert!(matches!(outcome, Err(claude_driver::Error::Cancelled)), "{outcome:?}");
    }
    assert_eq!(session.send("Next").await.unwrap().text, "Next.");
    session.close().await.unwrap();
    assert!(!super::staged::last_sent(&stage).contains("FORGET"));
}
