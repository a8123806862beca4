//! Several at once on one session.

use insights::event::text::NoticeLevel;
use insights::state::ItemBody;

use super::*;

fn now() -> UnixMillis {
    UnixMillis(7)
}

/// A session in which one text has streamed, of so many letters in as many records.
fn streamed(place: &tempfile::TempDir, letters: usize) -> Session {
    let folder = Folder::new(place.path().join("s"));
    let mut writer = Writer::open(folder.clone(), now()).unwrap();
    let mut says = |event: &str| {
        let line = format!(r#"{{"type":"stream_event","session_id":"s","event":{event}}}"#);
        writer.append(now(), Source::Stdout, line).unwrap();
    };
    says(r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}"#);
    says(r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#);
    for _ in 0..letters {
        says(r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}"#);
    }
    drop(writer);
    Session::new(folder, now)
}

#[test]
fn a_record_that_two_read_at_once_is_taken_once() {
    const LETTERS: usize = 3000;
    let place = tempfile::tempdir().unwrap();
    let session = streamed(&place, LETTERS);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| session.shared.read_log().unwrap());
        }
    });
    let text = |state: &State| -> Vec<usize> {
        let texts = state.items.iter().filter_map(|item| match &item.body {
            ItemBody::Text(text) => Some(text.text.text.len()),
            _ => None,
        });
        texts.collect()
    };
    assert_eq!(session.with_state(text), [LETTERS]);
    assert_eq!(*session.progress().borrow(), LETTERS as u64 + 3);
}

#[tokio::test]
async fn a_fact_waits_for_another_writer_of_the_log() {
    let place = tempfile::tempdir().unwrap();
    let session = streamed(&place, 1);
    let other = Writer::open(session.folder().clone(), now()).unwrap();
    let note = HostFact::Note { text: "Later.".to_owned(), level: NoticeLevel::Info };
    let (noted, ()) = tokio::join!(session.note(&note), async { drop(other) });
    noted.unwrap();
    assert_eq!(session.record(5).unwrap().line.text(), note.to_json());
}
