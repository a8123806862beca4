//! Reading of entries, and their place in the tree.

use super::record::{LastPrompt, QueueVerb};
use super::*;
use crate::content::Content;
use crate::line::{decode_as, drift, encode};

#[test]
fn a_prompt_has_its_place_and_its_words() {
    let line = r#"{"type":"user","message":{"role":"user","content":"hi"},"isMeta":true,"uuid":"u2","parentUuid":"u1","isSidechain":false,"sessionId":"s","timestamp":"2026-11-15T18:48:46.660Z","cwd":"/p","version":"2.1.1","gitBranch":"main","userType":"external"}"#;
    let decoded = decode_as::<Entry>(line);
    assert_eq!(decoded.notes, []);
    assert_eq!(drift::<Entry>(line), Default::default());
    assert_eq!(encode(&decoded.body), line);
    let place = Place {
        uuid: Some("u2".into()),
        parent_uuid: Some("u1".into()),
        session_id: Some("s".into()),
        is_sidechain: Some(false),
        timestamp: Some("2026-11-15T18:48:46.660Z".to_owned()),
        ..Default::default()
    };
    assert_eq!(decoded.body.place(), place);
    let Entry::User(user) = decoded.body else { panic!("not a prompt") };
    assert_eq!(user.message.content, Content::Text("hi".to_owned()));
}

#[test]
fn unknown_entries_are_links_of_the_chain_too() {
    let news = decode_as::<Entry>(r#"{"type":"news","uuid":"b","parentUuid":"a","sessionId":"s","more":1}"#).body;
    assert_eq!((news.uuid(), news.parent_uuid()), (Some("b".into()), Some("a".into())));
    let system = decode_as::<Entry>(r#"{"type":"system","subtype":"news","uuid":"c","parentUuid":"b"}"#).body;
    assert_eq!((system.uuid(), system.parent_uuid()), (Some("c".into()), Some("b".into())));
}

#[test]
fn a_compaction_is_a_root_that_points_back() {
    let line = r#"{"type":"system","subtype":"compact_boundary","parentUuid":null,"logicalParentUuid":"a","uuid":"b","compactMetadata":{"trigger":"manual","preTokens":30}}"#;
    let place = decode_as::<Entry>(line).body.place();
    assert_eq!((place.parent_uuid, place.logical_parent_uuid), (None, Some("a".into())));
}

#[test]
fn entries_beside_the_tree_have_no_uuid() {
    let entry = decode_as::<Entry>(r#"{"type":"last-prompt","lastPrompt":"go","leafUuid":"u","sessionId":"s"}"#).body;
    let expected = LastPrompt {
        last_prompt: Some("go".to_owned()),
        leaf_uuid: Some("u".into()),
        session_id: Some("s".into()),
        ..Default::default()
    };
    assert_eq!((entry.uuid(), entry.session_id()), (None, Some("s".into())));
    assert_eq!(entry, Entry::LastPrompt(expected));
    let queue = decode_as::<Entry>(r#"{"type":"queue-operation","operation":"popAll"}"#).body;
    assert!(matches!(queue, Entry::QueueOperation(entry) if entry.operation == Some(QueueVerb::PopAll)));
}

#[test]
fn half_a_line_at_the_end_of_a_file_is_no_error() {
    let entry = decode_as::<Entry>(r#"{"type":"user","mess"#).body;
    assert!(matches!(entry, Entry::NotJson(_)));
    assert_eq!(entry.place(), Place::default());
}

#[test]
fn what_fills_the_place_of_an_answer_is_not_said() {
    let is_said = |model: &str, text: &str| {
        let message = format!(r#"{{"model":"{model}","content":[{{"type":"text","text":"{text}"}}]}}"#);
        let entry = decode_as::<Entry>(format!(r#"{{"type":"assistant","uuid":"a1","message":{message}}}"#)).body;
        let Entry::Assistant(assistant) = entry else { panic!("{entry:?}") };
        assistant.is_said()
    };
    assert!(!is_said("<synthetic>", "No response requested."));
    assert!(is_said("claude-sonnet-4-5", "No response requested."), "a model may say it");
    assert!(is_said("<synthetic>", "API Error: 400"));
}
