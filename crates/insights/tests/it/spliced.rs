//! The law that no input makes anything fail, with lines that look like the real ones: they have the types, the words and the
//! fields of captured lines of all versions, taken apart and put together at random. What no agent says goes far into the
//! converter and the state this way, where random bytes end at the first brace.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use insights::convert::{Converter, Profile, RawLines, wire_time};
use insights::record::{Record, Source};
use insights::state::{Change, State, coalesce};
use insights::{InsightsEvent, UnixMillis};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use serde_json::{Map, Value, json};

use crate::fixtures::{VERSIONS, scenarios};

/// Stands before a key that is in its object already. No value can hold it twice; the text of one can.
const AGAIN: &str = "\u{1}";

/// Becomes half of a character in the text of a string, which no value can hold either.
const HALF: &str = "\u{2}";

/// What was captured, taken apart.
struct Parts {
    /// The sessions, line by line.
    sessions: Vec<Vec<(Source, Value)>>,
    /// The same lines by what they are, so that what is said seldom is met as often as what is said all the time.
    kinds: Vec<Vec<(Source, Value)>>,
    /// The names of all fields.
    keys: Vec<String>,
    /// The words that fields have: kinds, states, ids.
    words: Vec<String>,
}

fn parts() -> &'static Parts {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    PARTS.get_or_init(|| {
        let sessions: Vec<_> = captured().chain(transcripts()).collect();
        let mut kinds = BTreeMap::<String, Vec<_>>::new();
        let (mut keys, mut words) = (BTreeSet::new(), BTreeSet::new());
        for (source, line) in sessions.iter().flatten() {
            let request = ["request", "response", "event", "attachment"].map(|part| &line[part]);
            let inner = request.map(|part| format!("{}{}", part["subtype"], part["type"])).concat();
            let kind = format!("{source:?}{}{}{}{inner}", line["type"], line["subtype"], line["fact"]);
            kinds.entry(kind).or_default().push((source.clone(), line.clone()));
            collect(line, &mut keys, &mut words);
        }
        let kinds: Vec<_> = kinds.into_values().collect();
        assert!(kinds.len() > 100, "only {} kinds of lines", kinds.len());
        Parts { sessions, kinds, keys: keys.into_iter().collect(), words: words.into_iter().collect() }
    })
}

/// The lines of every scenario.
fn captured() -> impl Iterator<Item = Vec<(Source, Value)>> {
    let lines = |records: Vec<Record>| {
        let value = |record: Record| Some((record.source, serde_json::from_str(&record.line.text()).ok()?));
        records.into_iter().filter_map(value).collect()
    };
    scenarios().into_iter().map(move |scenario| lines(scenario.records()))
}

/// The main files of every transcript.
fn transcripts() -> impl Iterator<Item = Vec<(Source, Value)>> {
    let folder =
        |version| Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fixtures/cli/{version}/transcripts"));
    let sessions = VERSIONS.into_iter().flat_map(move |version| fs::read_dir(folder(version)).unwrap());
    let files = sessions.flat_map(|session| fs::read_dir(session.unwrap().path()).unwrap());
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    paths.sort();
    paths.into_iter().map(|path| {
        let text = fs::read_to_string(path).unwrap();
        text.lines().filter_map(|line| Some((Source::Transcript, serde_json::from_str(line).ok()?))).collect()
    })
}

fn collect(value: &Value, keys: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|item| collect(item, keys, words)),
        Value::Object(fields) => fields.iter().for_each(|(key, field)| {
            keys.insert(key.clone());
            collect(field, keys, words);
        }),
        Value::String(word) if word.len() < 60 => _ = words.insert(word.clone()),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Records; what a failed law prints of them can be played again.
#[derive(Clone)]
struct Spliced(Vec<Record>);

impl fmt::Debug for Spliced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|record| write!(f, "\n{:?} {}", record.source, record.line.text()))
    }
}

/// What is done to a line: how, where, and with what.
type Edit = (u8, Index, Index, Index);

/// Where lines come from: which way, from which session or kind, from which of its lines on, and how many.
type Cut = (bool, Index, Index, usize);

/// Lines of different sessions and versions, some of them changed, as records of their own sources or of others.
fn spliced() -> impl Strategy<Value = Spliced> {
    let edits = prop::collection::vec(any::<(u8, Index, Index, Index)>(), 0..5);
    let piece = (any::<(bool, Index, Index)>(), 1..6_usize, edits, prop::option::weighted(0.1, source()));
    prop::collection::vec(piece, 1..12).prop_map(|pieces| {
        let mut records = Vec::new();
        for ((whole, which, start), length, edits, elsewhere) in pieces {
            let mut lines = cut((whole, which, start, length));
            for (number, edit) in edits.into_iter().enumerate() {
                let place = number % lines.len();
                change(&mut lines[place].1, edit);
            }
            for (own, value) in lines {
                let seq = records.len() as u64 + 1;
                let (source, line) = (elsewhere.clone().unwrap_or(own), text(&value).into());
                records.push(Record { seq, at: UnixMillis(seq as i64 * 1000), source, line });
            }
        }
        Spliced(records)
    })
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        Just(Source::Stdout),
        Just(Source::Stdin { by: Some("phone".to_owned()), id: None }),
        Just(Source::Stderr),
        Just(Source::Host),
        Just(Source::Transcript),
    ]
}

/// Lines that followed one another, or lines of one kind.
fn cut((whole, which, start, length): Cut) -> Vec<(Source, Value)> {
    let lines = if whole { which.get(&parts().sessions) } else { which.get(&parts().kinds) };
    let start = start.index(lines.len());
    lines[start..].iter().take(length).cloned().collect()
}

/// Changes one thing in a line.
fn change(line: &mut Value, (how, place, other, with): Edit) {
    let place = place.index(size(line));
    let Some(value) = node(line, &mut { place }) else { return };
    match (how % 8, value) {
        // Something of another kind.
        (0, value) => *value = stand_in(&with),
        // Something of another line.
        (1 | 2, value) => *value = taken(&other, &with),
        // A word that means something elsewhere.
        (3, value) => *value = json!(with.get(&parts().words)),
        // Something is missing.
        (4, Value::Object(fields)) => {
            fields.retain(|key, _| key != other.get(&parts().keys) && key.len() % 3 != place % 3)
        }
        (4, Value::Array(list)) => list.truncate(with.index(list.len() + 1)),
        (4, value) => *value = Value::Null,
        // Something is there twice.
        (5, Value::Object(fields)) => {
            let key = fields.keys().nth(with.index(fields.len() + 1)).cloned();
            fields.extend(key.map(|key| (format!("{AGAIN}{key}"), taken(&other, &with))));
        }
        (5, Value::Array(list)) => list.extend(list.clone()),
        (5, value) => *value = json!([value.clone(), value.clone()]),
        // Something has the name of something else.
        (6, Value::Object(fields)) => fields.extend([(other.get(&parts().keys).clone(), taken(&with, &other))]),
        (6, Value::Array(list)) => list.push(taken(&with, &other)),
        (6, value) => *value = json!(other.get(&parts().keys)),
        // All of it is that of another line, but for its name.
        (_, _) => {
            let mut whole = some_line(&with, &other);
            let names = ["type", "subtype", "fact"].map(|name| (name.to_owned(), line[name].clone()));
            whole.as_object_mut().into_iter().for_each(|fields| fields.extend(names.clone()));
            *line = whole;
        }
    }
}

/// How many values are in a value.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(size).sum(),
        Value::Object(fields) => fields.values().map(size).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The value with a number, counted in their order.
fn node<'a>(value: &'a mut Value, place: &mut usize) -> Option<&'a mut Value> {
    if *place == 0 {
        return Some(value);
    }
    *place -= 1;
    match value {
        Value::Array(list) => list.iter_mut().find_map(|item| node(item, place)),
        Value::Object(fields) => fields.values_mut().find_map(|field| node(field, place)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Some line of some kind.
fn some_line(kind: &Index, which: &Index) -> Value {
    let lines: &Vec<_> = kind.get(&parts().kinds[..]);
    which.get(&lines[..]).1.clone()
}

/// A value of some line.
fn taken(which: &Index, place: &Index) -> Value {
    let mut line = some_line(which, place);
    let place = place.index(size(&line));
    node(&mut line, &mut { place }).map(std::mem::take).unwrap_or_default()
}

/// A value that is odd in the place of nearly any other.
fn stand_in(which: &Index) -> Value {
    let odd = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(""),
        json!("/"),
        json!(HALF),
        json!("9999-12-31T23:59:60+9223372036854775807:59"),
        json!("é\u{1F600}".repeat(700)),
        json!("line\n".repeat(9_000)),
        json!([]),
        json!({}),
        json!([[], {}, null, "x", 7]),
        json!([{"type": "tool_result"}, {"type": "tool_use"}, {"type": "text"}, {}]),
        json!({"": {"": {"": []}}}),
    ];
    which.get(&odd).clone()
}

/// A line as it is written, with what only its text can have.
fn text(line: &Value) -> String {
    line.to_string().replace("\"\\u0001", "\"").replace("\\u0002", "\\ud83d")
}

/// Plays records to a host and to a screen that gets only the changes: the events, and the state that both have.
fn played(records: &[Record], profile: Profile) -> Result<(Vec<u8>, State), TestCaseError> {
    let mut converter = Converter::new("s", profile, RawLines::Kept);
    let (mut host, mut screen) = (State::default(), State::default());
    let mut told: Vec<InsightsEvent> = Vec::new();
    for record in records {
        wire_time(&record.line);
        let mut changes: Vec<Change> = Vec::new();
        for event in converter.convert(record.clone()) {
            let decided = host.decide(&event);
            prop_assert_eq!(&host.apply(&event), &decided);
            changes.extend(decided);
            told.push(event);
        }
        coalesce(changes).iter().for_each(|change| screen.patch(change));
    }
    prop_assert!(screen == host, "the screen shows something else");
    // Both can be written down.
    serde_json::to_vec(&converter).unwrap();
    serde_json::to_vec(&host).unwrap();
    Ok((serde_json::to_vec(&told).unwrap(), host))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn lines_of_any_sessions_put_together_at_random_give_the_same_twice(records in spliced()) {
        for profile in [Profile::Core, Profile::Full] {
            let (events, state) = played(&records.0, profile)?;
            let again = played(&records.0, profile)?;
            prop_assert_eq!(events, again.0);
            prop_assert!(state == again.1, "another state");
        }
    }
}

/// The law is about what it says: lines of nearly all kinds are met, and most of them are changed in a way that can be read.
#[test]
fn what_is_put_together_at_random_is_still_said_in_real_words() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let known: BTreeSet<String> = parts().sessions.iter().flatten().map(|(_, line)| line.to_string()).collect();
    let (mut lines, mut changed, mut twice) = (0, 0, 0);
    let mut kinds = BTreeSet::new();
    for _ in 0..40 {
        let records = spliced().new_tree(&mut runner).unwrap().current();
        for record in &records.0 {
            let text = record.line.text();
            lines += 1;
            changed += usize::from(!known.contains(&*text));
            // Half of a character cannot be read here.
            let Ok(object) = serde_json::from_str::<Map<String, Value>>(&text) else { continue };
            twice += usize::from(serde_json::to_string(&object).unwrap().len() < text.len());
            kinds.extend(object.get("type").map(ToString::to_string));
        }
    }
    assert!(changed * 5 > lines, "{changed} of {lines} lines were changed");
    assert!(twice > 3 && kinds.len() > 30, "{twice} lines have something twice; {kinds:?}");
}
