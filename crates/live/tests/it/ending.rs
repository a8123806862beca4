//! A session whose agent was asked to stop and is still exiting: it can be resumed, sent a prompt and removed.

use claude_protocol::Prompt;
use keeper::Stop;
use lab::agent::{Story, Turn};
use live::{Options, Session, Sessions, TakeOver};

use crate::support::Stage;

/// A session whose agent has finished one turn and is exiting.
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
async fn resuming_starts_the_next_agent() {
    let stage = stage().await;
    let (sessions, session) = ending(&stage).await;
    sessions.resume(session.id(), TakeOver::Never).await.unwrap();
    assert_eq!(session.agents(), (true, 1));
    sessions.end(session.id(), Stop::Close).await.unwrap();
}

#[tokio::test]
async fn a_prompt_goes_to_the_next_agent() {
    let stage = stage().await;
    let (sessions, session) = ending(&stage).await;
    sessions.send(session.id(), Prompt::text("Speak again"), "second", None).await.unwrap();
    assert!(session.until(|state| state.meters.turns == 2).await);
    assert_eq!(session.agents(), (true, 1));
    sessions.end(session.id(), Stop::Close).await.unwrap();
}

#[tokio::test]
async fn the_session_can_be_removed() {
    let stage = stage().await;
    let (sessions, session) = ending(&stage).await;
    sessions.remove(session.id()).await.unwrap();
    assert!(!stage.folder(session.id()).path().exists());
}
