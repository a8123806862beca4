//! Deltas are read in one go if they have the form that the CLI gives them. Whatever is done to such a line, it is read as
//! the general reader reads it: a blank behind the type makes a line its own.

use claude_protocol::from_cli::stream::{Delta, Event};
use claude_protocol::{Decoded, Drift, FromCli, decode, drift};

use crate::support::stdout_lines;

const TYPE: &str = r#"{"type":"stream_event""#;

/// What a line says, its notes, and what no type names.
fn read(text: &str) -> (FromCli, Drift) {
    let Decoded { body, notes, .. } = decode(text);
    let drift = drift::<FromCli>(text);
    assert_eq!(notes, drift.notes, "{text}");
    (body, drift)
}

/// The same by the general reader, with places as they are without the blank.
fn read_in_general(text: &str) -> (FromCli, Drift) {
    let Some(rest) = text.strip_prefix(TYPE) else { return read(text) };
    let (mut body, drift) = read(&format!("{TYPE} {rest}"));
    if let FromCli::NotJson(not_json) = &mut body {
        not_json.at -= 1;
    }
    (body, drift)
}

/// A captured delta of each kind, with the id of its message and without.
fn deltas() -> Vec<String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in stdout_lines() {
        let FromCli::StreamEvent(event) = decode(line.text.as_str()).body else { continue };
        let Event::BlockDelta(block) = event.event else { continue };
        let kind = format!("{} {}", block.delta.kind(), event.api_message_id.is_some());
        if !found.iter().any(|(seen, _)| *seen == kind) {
            found.push((kind, line.text));
        }
    }
    found.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn a_delta_reads_the_same_whatever_is_put_in_its_place() {
    let deltas = deltas();
    assert!(deltas.len() >= 6, "{deltas:?}");
    for text in deltas {
        assert_eq!(read(&text), read_in_general(&text), "{text}");
        for (at, _) in text.char_indices() {
            let (before, after) = text.split_at(at);
            let shorter: String = after.chars().skip(1).collect();
            let mut changed = vec![before.to_owned(), format!("{before}{shorter}")];
            for put in ["\"", "\\", " ", "}", ",", "0", "é", r#","uuid":"again""#] {
                changed.extend([format!("{before}{put}{after}"), format!("{before}{put}{shorter}")]);
            }
            for text in changed {
                assert_eq!(read(&text), read_in_general(&text), "{text}");
            }
        }
    }
}

#[test]
fn a_delta_with_escapes_says_what_they_stand_for() {
    let text = concat!(
        r#"{"type":"stream_event","event":{"type":"content_block_delta","index":12,"delta":{"type":"text_delta","#,
        r#""text":"a\n\"b\" \ud83d\ude00"}},"session_id":"s1","parent_tool_use_id":null,"uuid":"u1"}"#
    );
    let FromCli::StreamEvent(event) = decode(text).body else { panic!("no stream event") };
    assert_eq!((event.session_id, event.uuid, event.api_message_id), (Some("s1".into()), Some("u1".into()), None));
    let Event::BlockDelta(block) = event.event else { panic!("no delta") };
    let Delta::Text(delta) = block.delta else { panic!("no text") };
    assert_eq!((block.index, delta.text.as_str()), (12, "a\n\"b\" 😀"));
}

#[test]
fn an_id_is_that_of_its_own_line_however_like_the_one_before() {
    let session = |id: &str| {
        let body = decode(format!(r#"{{"type":"keep_alive","session_id":"{id}"}}"#)).body;
        body.session_id().map(ToString::to_string).ok_or(body.kind().to_owned())
    };
    let not_json = Err("not JSON".to_owned());
    let said = ["s1", "s12", "s1", "s", "", r#"a\"b"#, r#"a"b"#, r#"a\"b"#, r"a\u0041", "aA", r"a\u0041", r"a\", "s1"];
    let ids = ["s1", "s12", "s1", "s", "", "a\"b", "", "a\"b", "aA", "aA", "aA", "", "s1"];
    for (said, id) in said.into_iter().zip(ids) {
        let expected = if [r#"a"b"#, r"a\"].contains(&said) { not_json.clone() } else { Ok(id.to_owned()) };
        assert_eq!(session(said), expected, "{said}");
    }
}
