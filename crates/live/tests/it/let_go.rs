//! Sessions that nobody looks at do not stay in memory, and those that are removed are gone for everybody.

use std::time::Duration;

use claude_driver::Claude;
use claude_protocol::Prompt;
use insights::event::text::NoticeLevel;
use insights::{HostFact, Source};
use journal::{Data, Writer};
use keeper::KeeperCommand;
use live::{Admission, Begun, Epoch, Error, Host, Options, Sessions, TakeOver};
use tempfile::TempDir;

const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// A data folder with a session in which no agent runs any more.
async fn sessions() -> (TempDir, Sessions) {
    sessions_with(Admission::default()).await
}

async fn sessions_with(admission: Admission) -> (TempDir, Sessions) {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path()).unwrap();
    let mut writer = Writer::open(data.session(SESSION).unwrap(), keeper::now()).unwrap();
    let note = HostFact::Note { text: "It begins.".to_owned(), level: NoticeLevel::Info };
    writer.append_fact(keeper::now(), &note).unwrap();
    let spoken = format!(r#"{{"type":"system","subtype":"init","session_id":"{SESSION}"}}"#);
    writer.append(keeper::now(), Source::Stdout, spoken).unwrap();
    drop(writer);
    let host = Host {
        claude: Claude::new().program("/nowhere"),
        keeper: KeeperCommand::of_this_program().unwrap(),
        allows_bypass: false,
        settings_may_bypass: false,
        restarts: false,
        admission,
        clock: keeper::now,
    };
    (place, Sessions::open(data, host).await.unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_session_that_nobody_looks_at_is_let_go() {
    let (_place, sessions) = sessions().await;
    assert_eq!(sessions.in_memory(), 0, "nobody has asked for it");
    let session = sessions.get(SESSION).await.unwrap();
    let items = session.with_state(|state| state.items.iter().count());
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!(sessions.in_memory(), 1, "somebody looks at it");
    drop(session);
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(sessions.in_memory(), 0);
    assert_eq!(sessions.list_since(&Epoch::default(), 0).rows.len(), 1, "it is in the list all the same");
    let session = sessions.get(SESSION).await.unwrap();
    assert_eq!((session.with_state(|state| state.items.iter().count()), items), (1, 1));
}

#[tokio::test]
async fn to_start_a_session_that_is_packed_does_it_no_harm() {
    let (_place, sessions) = sessions().await;
    let folder = sessions.data().session(SESSION).unwrap();
    journal::pack(&folder).unwrap();
    assert!(!folder.log().exists());
    // No agent could be started like this. None has to: the session was started before.
    let options = Options { mode: Some("nonsense".to_owned()), ..Options::default() };
    let (session, begun) = sessions.start_once(SESSION, options).await.unwrap();
    assert_eq!(begun, Begun::Before);
    assert_eq!(session.with_state(|state| state.items.len()), 1);
    assert!(folder.has_log());
}

#[tokio::test]
async fn an_agent_that_may_not_be_started_is_not_resumed_either() {
    let refusal = "not in this folder, not any more";
    let (_place, sessions) = sessions_with(Admission::new(|_| Err(Error::NotAdmitted(refusal.to_owned())))).await;
    let resumed = sessions.resume(SESSION, TakeOver::Never).await;
    assert_eq!(resumed.unwrap_err().to_string(), refusal);
    let sent = sessions.send(SESSION, Prompt::text("Go on."), "m1", None).await;
    assert_eq!(sent.unwrap_err().to_string(), refusal);
}

#[tokio::test]
async fn who_watches_a_session_is_told_that_it_is_removed() {
    let (_place, sessions) = sessions().await;
    let session = sessions.get(SESSION).await.unwrap();
    let mut progress = session.progress();
    progress.borrow_and_update();
    sessions.remove(SESSION).await.unwrap();
    progress.changed().await.unwrap();
    assert!(session.is_removed());
    assert_eq!(sessions.list_since(&Epoch::default(), 0).rows, []);
    assert!(matches!(sessions.get(SESSION).await, Err(Error::NoSession(_))));
}
