//! Laws of the converter under random input: nothing makes it fail, and the same records give the same bytes.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use claude_protocol::Line;
use insights::convert::quiet::Quiet;
use insights::convert::{Converter, Profile, RawLines};
use insights::record::{HostFact, Record, Source};
use insights::time::UnixMillis;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::fixtures::{scenario, scenarios_of};
use crate::resumed::goes_on_from_anywhere;

/// Sessions that have a bit of everything.
const RICH: [(&str, &str); 6] = [
    ("2.1.326", "hooks-observe-all"),
    ("2.1.326", "background-subagent-stop-task"),
    ("2.1.38", "parallel-tools-streaming"),
    ("2.1.1", "task-tools"),
    ("2.1.326", "interrupt-queued"),
    ("2.1.326", "mcp-elicitation"),
];

fn bytes(records: Vec<Record>, profile: Profile) -> Vec<u8> {
    let mut converter = Converter::new("s", profile, RawLines::Kept);
    let events: Vec<_> = records.into_iter().flat_map(|record| converter.convert(record)).collect();
    serde_json::to_vec(&events).unwrap()
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        4 => Just(Source::Stdout),
        2 => Just(Source::Stdin { by: Some("phone".to_owned()), id: None }),
        1 => Just(Source::Stderr),
        1 => Just(Source::Host),
        1 => Just(Source::Transcript),
    ]
}

/// All lines of these sessions, as they were captured.
fn was_written() -> &'static BTreeSet<String> {
    static LINES: OnceLock<BTreeSet<String>> = OnceLock::new();
    LINES.get_or_init(|| {
        let records = RICH.iter().flat_map(|(version, name)| scenario(version, name).records());
        records.map(|record| record.line.text().into_owned()).collect()
    })
}

/// A value in the place of another.
fn stand_in() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        Just(serde_json::Value::Null),
        Just(true.into()),
        Just(1.into()),
        Just((-1).into()),
        Just(1e300.into()),
        Just(u64::MAX.into()),
        Just("".into()),
        Just("x".into()),
        Just(serde_json::json!([])),
        Just(serde_json::json!({})),
        Just(serde_json::json!([{ "type": "text", "text": "/x" }, 7, { "type": "tool_result" }])),
    ]
}

/// Replaces the `place`th value of a tree, counted in its order.
fn replace(value: &mut serde_json::Value, place: &mut usize, with: &serde_json::Value) {
    if *place == 0 {
        *value = with.clone();
    }
    *place = place.wrapping_sub(1);
    match value {
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| replace(item, place, with)),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, place, with)),
        _ => {}
    }
}

fn size(value: &serde_json::Value) -> usize {
    1 + match value {
        serde_json::Value::Array(items) => items.iter().map(size).sum(),
        serde_json::Value::Object(fields) => fields.values().map(size).sum(),
        _ => 0,
    }
}

/// A captured session in which lines were changed, lost, doubled, swapped or handed to another source.
fn disturbed() -> impl Strategy<Value = Vec<Record>> {
    let changes = prop::collection::vec((any::<Index>(), any::<Index>(), stand_in(), 0..6u8, source()), 0..12);
    (prop::sample::select(&RICH), changes).prop_map(|((version, name), changes)| {
        let mut lines = scenario(version, name).records();
        for (line, place, with, how, source) in changes {
            let at = line.index(lines.len());
            match how {
                0 => drop(lines.remove(at)),
                1 => {
                    let copy = lines[at].clone();
                    lines.insert(at, copy);
                }
                2 => {
                    let other = place.index(lines.len());
                    lines.swap(at, other);
                }
                3 => lines[at].source = source,
                _ => {
                    let text = lines[at].line.text().into_owned();
                    let Ok(mut value) = serde_json::from_str(&text) else { continue };
                    let mut place = place.index(size(&value));
                    replace(&mut value, &mut place, &with);
                    lines[at].line = Line::Text(value.to_string());
                }
            }
            if lines.is_empty() {
                lines.push(Record::host(1, UnixMillis(0), &HostFact::Lost));
            }
        }
        lines
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_events_and_the_same_ones_twice(
        lines in prop::collection::vec((source(), prop::collection::vec(any::<u8>(), 0..64)), 0..20)
    ) {
        let records: Vec<Record> = (1..).zip(lines).map(|(seq, (source, line))| {
            Record { seq, at: UnixMillis(0), source, line: line.into() }
        }).collect();
        prop_assert_eq!(bytes(records.clone(), Profile::Full), bytes(records, Profile::Full));
    }

    #[test]
    fn disturbed_sessions_give_events_and_the_same_ones_twice(records in disturbed()) {
        for profile in [Profile::Core, Profile::Full] {
            prop_assert_eq!(bytes(records.clone(), profile), bytes(records.clone(), profile));
        }
    }

    #[test]
    fn disturbed_sessions_go_on_from_anywhere(records in disturbed()) {
        goes_on_from_anywhere(&records, Profile::Full, "disturbed");
    }

    #[test]
    fn disturbed_lines_are_accounted_for(records in disturbed()) {
        let mut converter = Converter::new("s", Profile::Full, RawLines::LeftOut);
        for record in records {
            let mut events = Vec::new();
            let line = record.line.text().into_owned();
            let quiet = converter.convert_into(record, &mut events);
            prop_assert_eq!(events.is_empty(), quiet.is_some());
            // The profile has an event for everything; and a line that came as the agent wrote it says something, wherever it
            // stands.
            prop_assert!(quiet != Some(Quiet::Profile), "{line}");
            prop_assert!(quiet != Some(Quiet::Empty) || !was_written().contains(&line), "{line}");
            prop_assert!(events.iter().all(|event| event.raw.is_none()));
        }
    }
}

#[test]
fn events_do_not_depend_on_whether_lines_are_kept() {
    for scenario in scenarios_of("2.1.326") {
        let told = |raw: RawLines| {
            let mut converter = Converter::new("s", Profile::Full, raw);
            let mut events = Vec::new();
            for record in scenario.records() {
                converter.convert_into(record, &mut events);
            }
            for event in &mut events {
                event.raw = None;
            }
            events
        };
        assert_eq!(told(RawLines::Kept), told(RawLines::LeftOut), "{scenario}");
    }
}
