//! An agent that was told to end is not one that runs: whoever wants an agent meanwhile gets the next one, and who removes the
//! session is not told that it runs.

use claude_protocol::Prompt;
use keeper::Stop;
use lab::agent::{Story, Turn};
use live::{Options, Session, Sessions, TakeOver};

use crate::support::Stage;

/// A session whose agent has said something and is ending.
async fn ending(stage: &Stage) -> (Sessions, Session) {
    let sessions = stage.sessions(keeper::now).await;
    let session = sessions.start(Options { cwd: Some(stage.work()), ..Options::default() }).await.unwrap();
    sessions.send(session.id(), Prompt::text("Speak"), "first", None).await.unwrap();
    assert!(session.until(|state| state.meters.turns == 1).await);
    session.stop(Stop::Close).await.unwrap();
    (sessions, session)
}

async fn stage() -> Stage {
    Stage::new(&Story::new().turn(Turn::new().says("Aye."))).await
}

#[tokio::test]
async fn who_starts_it_again_gets_another_agent() {
    let stage = stage().await;
    let (sessions, session) = ending(&stage).await;
    sessions.resume(session.id(), TakeOver::Never).await.unwrap();
    assert_eq!(session.agents(), (true, 1));
    sessions.end(session.id(), Stop::Close).await.unwrap();
}

#[tokio::test]
async fn what_is_sent_to_it_goes_to_another_agent() {
    let stage = stage().await;
    let (sessions, session) = ending(&stage).await;
    sessions.send(session.id(), Prompt::text("Speak again"), "second", None).await.unwrap();
    assert!(session.until(|state| state.meters.turns == 2).await);
    assert_eq!(session.agents(), (true, 1));
    sessions.end(session.id(), Stop::Close).await.unwrap();
}

#[tokio::test]
async fn it_can_be_removed() {
    let stage = stage().await;
    let (sessions, session) = ending(&stage).await;
    sessions.remove(session.id()).await.unwrap();
    assert!(!stage.folder(session.id()).path().exists());
}
