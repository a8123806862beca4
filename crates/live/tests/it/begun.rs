//! Sessions that are begun: what a start leaves that fails, and what is done beside everything else since it takes long.

use std::sync::mpsc;

use claude_driver::Claude;
use insights::event::text::NoticeLevel;
use insights::{HostFact, Source};
use journal::{Data, Writer};
use keeper::KeeperCommand;
use live::{Begun, Epoch, Error, Host, Options, Sessions};
use tempfile::TempDir;
use tokio::task::{JoinHandle, spawn_blocking, yield_now};

const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// What an agent says first.
const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"00000000-0000-4000-8000-000000000001"}"#;

/// And then.
const SAID: &str = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Aye."}]}}"#;

/// A data folder with a session that has these facts and lines, and no program of an agent.
async fn sessions(facts: &[HostFact], lines: impl Iterator<Item = &str>) -> (TempDir, Sessions) {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path()).unwrap();
    let mut writer = Writer::open(data.session(SESSION).unwrap(), keeper::now()).unwrap();
    for fact in facts {
        writer.append_fact(keeper::now(), fact).unwrap();
    }
    for line in lines {
        writer.append(keeper::now(), Source::Stdout, line).unwrap();
    }
    drop(writer);
    let host = Host {
        claude: Claude::new().program("/nowhere"),
        keeper: KeeperCommand::of_this_program().unwrap(),
        allows_bypass: false,
        settings_may_bypass: false,
        restarts: false,
        admission: live::Admission::default(),
        clock: keeper::now,
    };
    (place, Sessions::open(data, host).await.unwrap())
}

fn folders(sessions: &Sessions) -> Vec<String> {
    sessions.data().sessions().unwrap().iter().map(journal::Folder::id).collect()
}

#[tokio::test]
async fn a_fork_that_cannot_be_started_leaves_nothing_behind() {
    let (_place, sessions) = sessions(&[], [INIT, SAID].into_iter()).await;
    for _ in 0..2 {
        assert!(matches!(sessions.fork(SESSION, None).await, Err(Error::Driver(_))));
        assert_eq!(folders(&sessions), [SESSION]);
    }
    let listed = sessions.list_since(&Epoch::default(), 0).rows;
    assert_eq!(listed.iter().map(|row| &*row.id).collect::<Vec<_>>(), [SESSION]);
}

#[tokio::test]
async fn a_start_that_failed_is_no_session_that_was_started_before() {
    // As it is when the agent died before it said a word: the session says why.
    let note = HostFact::Note { text: "It could not be started.".to_owned(), level: NoticeLevel::Warning };
    let exited = HostFact::Exited { code: Some(1), signal: None, stderr_tail: vec!["no".to_owned()], expected: false };
    let (_place, sessions) = sessions(&[note, exited], [].into_iter()).await;
    let again = sessions.start_once(SESSION, Options::default()).await;
    assert!(matches!(again, Err(Error::Driver(_))), "an agent is wanted: {again:?}");
    assert_eq!(folders(&sessions), [SESSION], "what it has said stays");
}

#[tokio::test]
async fn a_session_in_which_an_agent_has_spoken_was_started_before() {
    let (_place, sessions) = sessions(&[], [INIT].into_iter()).await;
    let (session, begun) = sessions.start_once(SESSION, Options::default()).await.unwrap();
    assert_eq!((session.id(), begun), (SESSION, Begun::Before));
}

/// Holds the one thread on which things are done that take long.
struct Gate {
    _held: mpsc::Sender<()>,
}

impl Gate {
    /// Closes behind what waits for that thread now, and opens the one before. This does not give anybody else a turn.
    fn close(before: Option<Gate>) -> Gate {
        let (held, is_held) = mpsc::channel::<()>();
        let (closed, is_closed) = mpsc::channel();
        spawn_blocking(move || {
            closed.send(()).unwrap();
            let _ = is_held.recv();
        });
        drop(before);
        is_closed.recv().unwrap();
        Gate { _held: held }
    }
}

/// Does this to a session with a long log, and sees that no log grows or goes by much while the thread is held: whoever serves
/// all others does not do it himself.
fn beside_everything_else<T: Send + 'static>(work: fn(Sessions) -> JoinHandle<T>) -> (TempDir, Sessions, T) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let remark = format!(r#"{{"type":"keep_alive","remark":"{}"}}"#, "All is well. ".repeat(100));
        let (place, sessions) = sessions(&[], [INIT].into_iter().chain(std::iter::repeat_n(&*remark, 500))).await;
        sessions.get(SESSION).await.unwrap();
        let logs = || {
            let folders = sessions.data().sessions().unwrap();
            let length = |folder: &journal::Folder| std::fs::metadata(folder.log()).map_or(0, |log| log.len());
            folders.iter().map(length).sum::<u64>()
        };
        let mut gate = Gate::close(None);
        let doing = work(sessions.clone());
        loop {
            let before = logs();
            for _ in 0..100 {
                yield_now().await;
            }
            assert!(logs().abs_diff(before) < 10_000, "others wait for it: {before} and {}", logs());
            if doing.is_finished() {
                break;
            }
            gate = Gate::close(Some(gate));
        }
        drop(gate);
        let done = doing.await.unwrap();
        (place, sessions, done)
    })
}

#[test]
fn a_long_log_is_copied_beside_everything_else() {
    let fork = |sessions: Sessions| tokio::spawn(async move { sessions.fork(SESSION, None).await.is_ok() });
    let (_place, sessions, forked) = beside_everything_else(fork);
    assert_eq!((forked, folders(&sessions)), (false, vec![SESSION.to_owned()]));
}

#[test]
fn a_long_log_is_removed_beside_everything_else() {
    let remove = |sessions: Sessions| tokio::spawn(async move { sessions.remove(SESSION).await });
    let (_place, sessions, removed) = beside_everything_else(remove);
    removed.unwrap();
    assert_eq!((folders(&sessions).len(), sessions.in_memory()), (0, 0));
}
