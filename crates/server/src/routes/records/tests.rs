//! Answers of lines that end too early, and those that take long.

use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use insights::event::text::NoticeLevel;
use insights::{HostFact, UnixMillis};
use journal::{Device, Folder, Writer};
use live::Session;
use tokio::time::timeout;

use super::*;
use crate::app::tests::app;
use crate::guard::KnownBy;

const NOW: UnixMillis = UnixMillis(7);

/// A log of so many remarks.
fn log(place: &tempfile::TempDir, remarks: usize) -> Folder {
    let folder = Folder::new(place.path().join("s"));
    let mut writer = Writer::open(folder.clone(), NOW).unwrap();
    for _ in 0..remarks {
        let note = HostFact::Note { text: "A remark.".to_owned(), level: NoticeLevel::Info };
        writer.append_fact(NOW, &note).unwrap();
    }
    folder
}

fn event_writer() -> EventWriter {
    EventWriter { converter: Converter::new("s", Profile::Full, RawLines::LeftOut), after: 0, events: Vec::new() }
}

fn channel() -> (Lines, mpsc::Receiver<io::Result<Vec<u8>>>) {
    let (sender, receiver) = mpsc::channel(1024);
    (Lines(sender), receiver)
}

#[tokio::test]
async fn a_log_that_cannot_be_read_to_its_end_does_not_look_whole() {
    let place = tempfile::tempdir().unwrap();
    let folder = log(&place, 20);
    let session = Session::open(folder.clone(), || NOW).await.unwrap();
    let tail = Tail::after(&session, 0).unwrap();
    let text = std::fs::read_to_string(folder.log()).unwrap();
    let middle = text.match_indices('\n').nth(10).unwrap().0 + 1;
    std::fs::write(folder.log(), format!("{}no record\n{}", &text[..middle], &text[middle..])).unwrap();
    let (lines, mut receiver) = channel();
    follow(tail, event_writer(), lines).await;
    let text = String::from_utf8(receiver.recv().await.unwrap().unwrap()).unwrap();
    assert_eq!(text.lines().count(), 10, "{text}");
    assert!(receiver.recv().await.unwrap().is_err());
    assert!(receiver.recv().await.is_none());
}

#[tokio::test]
async fn a_long_log_is_read_beside_everything_else() {
    let place = tempfile::tempdir().unwrap();
    let session = Session::open(log(&place, 20_000), || NOW).await.unwrap();
    let (lines, mut receiver) = channel();
    // None of it is wanted, so nothing is sent, which would give others their turn.
    let writer = EventWriter { after: u64::MAX, ..event_writer() };
    let mut following = std::pin::pin!(follow(Tail::after(&session, 0).unwrap(), writer, lines));
    assert!(following.as_mut().now_or_never().is_none(), "others wait for all of it");
    following.await;
    assert!(receiver.recv().await.is_none());
}

#[test]
fn whoever_does_not_read_keeps_no_thread() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let place = tempfile::tempdir().unwrap();
        let session = Session::open(log(&place, 20_000), || NOW).await.unwrap();
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(follow(Tail::after(&session, 0).unwrap(), event_writer(), Lines(sender)));
        while receiver.is_empty() {
            tokio::task::yield_now().await;
        }
        // There is more than fits. Others have their turn all the same, again and again.
        for _ in 0..10 {
            let other = tokio::task::spawn_blocking(|| ());
            timeout(Duration::from_secs(60), other).await.expect("the thread waits for whoever does not read").unwrap();
        }
        assert_eq!(receiver.len(), 1);
    });
}

#[tokio::test(start_paused = true)]
async fn a_device_that_was_shown_the_door_reads_no_further() {
    let place = tempfile::tempdir().unwrap();
    let app = app(&place).await;
    let device = Device { id: "d".to_owned(), name: "a script".to_owned(), added_at: NOW, seen_at: None };
    app.desk(move |desk| desk.add_device(&device, &[1; 32])).await.unwrap();
    let who = Who { device: "d".to_owned(), name: "a script".to_owned(), by: KnownBy::Bearer };
    let (lines, response) = lines(app.clone(), who);
    let mut body = response.into_body().into_data_stream();
    lines.0.send(Ok(b"one\n".to_vec())).await.unwrap();
    assert_eq!(body.next().await.unwrap().unwrap(), "one\n");
    app.desk(|desk| desk.remove_device("d")).await.unwrap();
    // There would be more, if it waited.
    assert!(body.next().await.unwrap().is_err());
    assert!(body.next().await.is_none());
}
