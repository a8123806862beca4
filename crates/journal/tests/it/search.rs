//! Searching: what was said, done and named is found by what people type, whatever that is.

use insights::{Change, Record, UnixMillis};
use journal::{Head, Hit, Index, TextKind};
use proptest::prelude::*;

use crate::support::{Live, data, fixture, indexed};

fn found(index: &mut Index, text: &str) -> Vec<(String, TextKind, u64)> {
    let hits: Vec<Hit> = index.search(text, 50).unwrap();
    hits.into_iter().map(|hit| (hit.session, hit.kind, hit.seq)).collect()
}

fn hit(session: &str, kind: TextKind, seq: u64) -> (String, TextKind, u64) {
    (session.to_owned(), kind, seq)
}

#[test]
fn prompts_answers_commands_paths_and_titles_are_found() {
    let names = ["2.1.326/resume", "2.1.326/permission-deny", "2.1.326/edit-structured-result", "2.1.326/rename"];
    let (_place, _data, mut index) = indexed(&names);
    assert_eq!(found(&mut index, "what is my name"), [hit("0", TextKind::Prompt, 11)]);
    assert_eq!(found(&mut index, "I REMEMBER"), [hit("0", TextKind::Answer, 13)]);
    assert_eq!(found(&mut index, "touch made.txt"), [hit("1", TextKind::Command, 5)]);
    assert_eq!(found(&mut index, "project/hello.txt"), [hit("2", TextKind::Path, 7)]);
    assert_eq!(found(&mut index, "My tit"), [hit("3", TextKind::Title, 8)], "a word that is still typed");
    assert_eq!(found(&mut index, "My tit "), [], "a word that is whole");
    assert_eq!(found(&mut index, "name Ada"), [hit("0", TextKind::Title, 4), hit("0", TextKind::Prompt, 3)]);
    assert_eq!(found(&mut index, "nowhere to be found"), []);
    assert_eq!(found(&mut index, ""), []);
}

#[test]
fn a_hit_shows_the_words_around_it() {
    let (_place, _data, mut index) = indexed(&["2.1.326/permission-deny"]);
    let hits = index.search("made", 1).unwrap();
    let pieces: Vec<(&str, bool)> = hits[0].snippet.iter().map(|piece| (piece.text.as_str(), piece.found)).collect();
    assert_eq!(pieces, [("touch ", false), ("made", true), (".txt && ls", false)]);
    assert_eq!((hits[0].title.as_deref(), hits[0].item.as_str()), (Some("make it"), "toolu_lab000100"));
}

#[test]
fn what_was_taken_back_is_not_found() {
    let (_place, data) = data();
    let mut live = Live::new("0");
    (1..).zip(fixture("2.1.326/resume")).for_each(|(seq, record)| live.take(Record { seq, ..record }));
    let mut index = Index::open(&data).unwrap();
    index.write(&live.batch().unwrap()).unwrap();
    assert_eq!(found(&mut index, "I remember").len(), 1);
    assert_eq!(index.tool_calls("0").unwrap().len(), 1);
    let gone = ["msg_lab0003/0", "toolu_lab000100"].map(|id| Change::Drop { id: id.into() });
    let head = Head::of(&Record::stdout(15, UnixMillis(0), "{}"));
    live.indexer.note(&head, &[], &gone, &live.state);
    index.write(&live.batch().unwrap()).unwrap();
    assert_eq!(found(&mut index, "I remember"), []);
    assert_eq!(found(&mut index, "echo hi"), []);
    assert_eq!(index.tool_calls("0").unwrap(), []);
    // It comes back, in one record with a piece of something else.
    let item = live.state.items.get("msg_lab0003/0").unwrap().clone().into();
    let piece = Change::Append { id: "x".into(), text: "piece".to_owned() };
    let head = Head::of(&Record::stdout(16, UnixMillis(0), "{}"));
    live.indexer.note(&head, &[], &[piece, Change::Put { item }], &live.state);
    index.write(&live.batch().unwrap()).unwrap();
    assert_eq!(found(&mut index, "I remember").len(), 1);
}

#[test]
fn no_more_is_given_than_asked_for() {
    let (_place, _data, mut index) = indexed(&["2.1.326/multi-turn"]);
    assert_eq!(index.search("answer", 50).unwrap().len(), 3);
    assert_eq!(index.search("answer", 2).unwrap().len(), 2);
}

#[test]
fn nothing_that_is_typed_is_an_error() {
    let (_place, _data, mut index) = indexed(&["2.1.326/multi-turn"]);
    for text in
        ["\"", "'", "*", "a*", "NEAR(a b)", "a AND", "text:a", "^a", "a\"b", "-a", "(", "a\0\"", "{a} : b", "+a"]
    {
        index.search(text, 5).unwrap();
    }
    let index = std::cell::RefCell::new(index);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(300));
    runner
        .run(&any::<String>(), |text| {
            prop_assert!(index.borrow_mut().search(&text, 5).is_ok(), "{text:?}");
            Ok(())
        })
        .unwrap();
}
