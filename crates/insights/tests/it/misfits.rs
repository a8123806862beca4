//! Known lines of which next to nothing fits: each gives an event that names what did not.

use claude_protocol::line::{Message, decode_as};
use claude_protocol::transcript::{Entry, SystemEntry};
use claude_protocol::{FromCli, System, ToCli};
use insights::record::Record;
use insights::{Profile, UnixMillis};
use serde_json::{Value, json};

use crate::support::{accounted, told};

/// A line whose fields are of a type that they never have, as far as fields are shared by kinds.
fn misfit(kind: &str, subtype: &str) -> String {
    let mut line = json!({ "type": kind, "subtype": subtype });
    for field in
        ["uuid", "session_id", "sessionId", "message", "request", "response", "event", "timestamp", "variables"]
    {
        line[field] = json!(7);
    }
    line["request_id"] = json!([]);
    line.to_string()
}

/// The paths that the line's events name, in profile `full`, and those that its reader noted.
fn named<M: Message>(line: &str, record: fn(u64, UnixMillis, String) -> Record) -> (Vec<Value>, Value) {
    let records = vec![record(1, UnixMillis(0), line.to_owned())];
    let (events, _) = accounted(records, Profile::Full).pop().unwrap();
    let named = events.iter().map(|event| serde_json::to_value(event).unwrap()["extensions"]["claude.lenient"].clone());
    let noted: Vec<String> = decode_as::<M>(line).notes.into_iter().map(|note| note.path).collect();
    (named.collect(), json!(noted))
}

fn assert_named<M: Message>(line: &str, record: fn(u64, UnixMillis, String) -> Record) {
    let (named, noted) = named::<M>(line, record);
    assert_ne!(noted, json!([]), "everything fits in {line}");
    assert!(!named.is_empty(), "no event tells of {line}");
    assert!(named.iter().all(|named| *named == noted), "{named:?} of {noted} are named, of {line}");
}

#[test]
fn every_known_line_of_the_agent_that_does_not_fit_gives_an_event_that_says_so() {
    for kind in FromCli::KINDS.iter().filter(|kind| **kind != "system") {
        assert_named::<FromCli>(&misfit(kind, "success"), Record::stdout);
    }
    for subtype in System::KINDS {
        assert_named::<FromCli>(&misfit("system", subtype), Record::stdout);
    }
}

#[test]
fn so_does_every_line_to_the_agent_and_every_entry_of_a_transcript() {
    for kind in ToCli::KINDS {
        assert_named::<ToCli>(&misfit(kind, ""), Record::stdin);
    }
    for kind in Entry::KINDS.iter().filter(|kind| **kind != "system") {
        assert_named::<Entry>(&misfit(kind, ""), Record::transcript);
    }
    for subtype in SystemEntry::KINDS {
        assert_named::<Entry>(&misfit("system", subtype), Record::transcript);
    }
}

#[test]
fn a_message_that_is_a_number_is_a_remark_that_names_it() {
    let line = r#"{"type":"assistant","message":7}"#;
    let remark = json!({
        "event": "notice",
        "sessionId": "fixture",
        "source": "assistant",
        "level": "warning",
        "text": "A line says nothing that could be read: `message`: expected an object, found a number",
        "extensions": { "claude.lenient": ["message"] },
    });
    assert_eq!(told(&[line], Profile::Full), [remark]);
    assert_eq!(told(&[line], Profile::Core), Vec::<Value>::new());
}

#[test]
fn of_many_misfits_some_are_told_to_people_and_all_are_named() {
    let blocks = vec![json!(7); 9];
    let line = json!({ "type": "assistant", "message": { "content": blocks } }).to_string();
    let told = told(&[&line], Profile::Full);
    let [remark] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(remark["text"].as_str().unwrap().matches("expected").count(), 4);
    assert_eq!(remark["extensions"]["claude.lenient"].as_array().unwrap().len(), 9);
}
