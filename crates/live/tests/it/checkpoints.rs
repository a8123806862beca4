//! A long session is opened from its checkpoint, and nobody sees a difference.

use std::fs;
use std::os::unix::fs::FileExt;

use claude_driver::Claude;
use insights::state::State;
use insights::{HostFact, Source, UnixMillis};
use journal::{Data, Folder, Writer};
use keeper::KeeperCommand;
use live::pipeline::Moment;
use live::{Answer, Epoch, Host, Pipeline, Session, Sessions, replay};
use tempfile::TempDir;

const MEGABYTE: usize = 1024 * 1024;

fn clock() -> UnixMillis {
    UnixMillis(1_763_208_000_000)
}

fn host() -> Host {
    Host {
        claude: Claude::new(),
        keeper: KeeperCommand::of_this_program().unwrap(),
        allows_bypass: false,
        settings_may_bypass: false,
        restarts: false,
        admission: live::Admission::default(),
        clock,
    }
}

/// The lines of one turn, the last of which is so long.
fn turn(number: usize, bytes: usize) -> [String; 3] {
    let text = "x".repeat(bytes);
    let content = format!(r#"[{{"type":"text","text":"{number} {text}"}}]"#);
    [
        format!(r#"{{"type":"system","subtype":"init","session_id":"s","model":"m-{number}"}}"#),
        format!(r#"{{"type":"assistant","message":{{"id":"msg_{number}","content":{content}}},"session_id":"s"}}"#),
        format!(r#"{{"type":"result","subtype":"success","session_id":"s","total_cost_usd":{number}.5}}"#),
    ]
}

fn append(folder: &Folder, numbers: std::ops::Range<usize>, bytes: usize) {
    let mut writer = Writer::open(folder.clone(), clock()).unwrap();
    for number in numbers {
        for line in turn(number, bytes) {
            writer.append(clock(), Source::Stdout, line).unwrap();
        }
    }
}

/// A session of nine megabytes that was opened once, and has its checkpoint now.
async fn opened_once() -> (TempDir, Data, Folder, State) {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path()).unwrap();
    let folder = data.session("s").unwrap();
    append(&folder, 0..9, MEGABYTE);
    let state = replay(&folder).unwrap();
    let sessions = Sessions::open(data.clone(), host()).await.unwrap();
    sessions.get("s").await.unwrap();
    // It is written beside everything else, and is there when it has its name.
    while !folder.checkpoint().exists() {
        tokio::task::yield_now().await;
    }
    (place, data, folder, state)
}

#[tokio::test]
async fn a_long_session_is_opened_without_reading_what_the_checkpoint_has() {
    let (_place, _data, folder, state) = opened_once().await;
    // Whoever reads this now fails.
    let log = fs::OpenOptions::new().write(true).open(folder.log()).unwrap();
    log.write_all_at(b"nothing that could be read", 2 * MEGABYTE as u64).unwrap();
    let text = fs::read_to_string(folder.log()).unwrap();
    let second = text.find('\n').unwrap() as u64 + 1;
    log.write_all_at(b"nothing", second).unwrap();
    let session = Session::open(folder.clone(), clock).await.unwrap();
    session.with_state(|opened| assert_eq!(*opened, state));
    assert_eq!(replay(&folder).unwrap(), state);
    fs::remove_file(folder.checkpoint()).unwrap();
    assert!(replay(&folder).is_err(), "it is the checkpoint that spares the reading");
}

#[tokio::test]
async fn what_comes_after_a_checkpoint_is_read_and_screens_catch_up_as_before() {
    let (_place, _data, folder, before) = opened_once().await;
    let known = Session::open(folder.clone(), clock).await.unwrap();
    let seq = *known.progress().borrow();
    append(&folder, 9..12, 10);
    let session = Session::open(folder.clone(), clock).await.unwrap();
    let now = *session.progress().borrow();
    assert_eq!(now, seq + 9);
    let mut straight = Pipeline::new("s");
    let mut reader = journal::Reader::after(folder.clone(), 0).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        straight.take(record);
    }
    session.with_state(|state| assert_eq!(state, straight.feed().state()));
    // A screen that was there when the checkpoint was made gets changes; an older one gets everything.
    let Answer::Snapshot { epoch, .. } = known.since(&Epoch::default(), 0) else { panic!("no snapshot") };
    let Answer::Changes { seq: to, changes } = session.since(&epoch, seq) else { panic!("not changes") };
    let mut screen = before;
    changes.iter().for_each(|change| screen.patch(change));
    assert_eq!((to, &screen), (now, straight.feed().state()));
    assert!(matches!(session.since(&epoch, seq - 1), Answer::Snapshot { .. }));
    assert!(matches!(session.since(&epoch, now + 1), Answer::Snapshot { .. }));
}

#[tokio::test]
async fn a_checkpoint_that_is_not_sound_is_passed_over_and_made_again() {
    let (_place, data, folder, state) = opened_once().await;
    fs::write(folder.checkpoint(), "not a checkpoint").unwrap();
    let sessions = Sessions::open(data, host()).await.unwrap();
    let session = sessions.get("s").await.unwrap();
    session.with_state(|opened| assert_eq!(*opened, state));
    while fs::read(folder.checkpoint()).unwrap() == b"not a checkpoint" {
        tokio::task::yield_now().await;
    }
    assert!(journal::Checkpoint::<serde_json::Value>::load(&folder).is_some());
}

#[test]
fn checkpoints_are_made_every_few_megabytes_and_at_the_end_of_a_long_session() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path().join("s"));
    let mut pipeline = Pipeline::new("s");
    let take = |pipeline: &mut Pipeline, bytes: usize| {
        let mut writer = Writer::open(folder.clone(), clock()).unwrap();
        let fact = HostFact::Note { text: "x".repeat(bytes), level: insights::event::text::NoticeLevel::Info };
        pipeline.take(writer.append_fact(clock(), &fact).unwrap());
    };
    take(&mut pipeline, 7 * MEGABYTE);
    assert!(pipeline.checkpoint(Moment::Amid).is_none());
    assert!(pipeline.checkpoint(Moment::Ended).is_none(), "it is short");
    take(&mut pipeline, MEGABYTE);
    assert!(pipeline.checkpoint(Moment::Amid).is_some());
    assert!(pipeline.checkpoint(Moment::Amid).is_none(), "there is one");
    assert!(pipeline.checkpoint(Moment::Ended).is_none(), "which has everything");
    take(&mut pipeline, 10);
    assert!(pipeline.checkpoint(Moment::Amid).is_none());
    assert!(pipeline.checkpoint(Moment::Ended).is_some());
}
