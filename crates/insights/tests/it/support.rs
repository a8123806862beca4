//! Captured sessions as records, and events in one line each.

use std::fs;
use std::path::{Path, PathBuf};

use claude_protocol::Line;
use claude_protocol::trace::{Direction, TraceRecord};
use insights::convert::quiet::Quiet;
use insights::convert::{Converter, Profile, RawLines};
use insights::event::InsightsEvent;
use insights::record::{HostFact, Record, Source};
use insights::time::UnixMillis;

/// The CLI versions that were captured.
pub(crate) const VERSIONS: [&str; 4] = ["2.1.1", "2.1.29", "2.1.38", "2.1.325"];

fn folder(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli").join(version)
}

/// The captured scenarios of a version, by name.
pub(crate) fn scenarios(version: &str) -> Vec<String> {
    let files = fs::read_dir(folder(version)).unwrap().map(|file| file.unwrap().path());
    let captured = files.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    let mut names: Vec<String> = captured.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// All of them.
pub(crate) fn all_scenarios() -> impl Iterator<Item = (&'static str, String)> {
    VERSIONS.into_iter().flat_map(|version| scenarios(version).into_iter().map(move |scenario| (version, scenario)))
}

/// A captured session as a log would have it.
pub(crate) fn records(version: &str, scenario: &str) -> Vec<Record> {
    let path = folder(version).join(format!("{scenario}.jsonl"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut records = Vec::new();
    for line in text.lines() {
        let trace = TraceRecord::from_text(line).unwrap();
        let source = match trace.dir {
            Direction::Out => Source::Stdout,
            Direction::In => Source::Stdin { by: None, id: None },
            Direction::Err => Source::Stderr,
            Direction::Meta => Source::Host,
            Direction::Other(word) => panic!("{word}"),
        };
        let text = match source {
            Source::Host => match fact(version, trace.text()) {
                Some(fact) => fact.to_json(),
                None => continue,
            },
            _ => trace.text().to_owned(),
        };
        let seq = records.len() as u64 + 1;
        records.push(Record { seq, at: UnixMillis(seq as i64 * 1000), source, line: Line::Text(text) });
    }
    records
}

/// What the recorder did, as a fact.
fn fact(version: &str, meta: &str) -> Option<HostFact> {
    let meta: serde_json::Value = serde_json::from_str(meta).unwrap();
    let number = |name: &str| meta[name].as_i64().map(|number| number as i32);
    match meta["event"].as_str()? {
        "spawn" => Some(HostFact::Spawned {
            program: "claude".to_owned(),
            argv: meta["argv"].as_array()?.iter().filter_map(|word| word.as_str()).map(str::to_owned).collect(),
            cwd: meta["cwd"].as_str()?.to_owned(),
            version: Some(version.to_owned()),
            pid: None,
        }),
        "exit" => Some(HostFact::Exited {
            code: number("code"),
            signal: number("signal"),
            stderr_tail: Vec::new(),
            expected: true,
        }),
        _ => None,
    }
}

/// The events of records.
pub(crate) fn events(records: Vec<Record>, profile: Profile) -> Vec<InsightsEvent> {
    accounted(records, profile).into_iter().flat_map(|(events, _)| events).collect()
}

/// The events of each record, or the reason why there are none.
pub(crate) fn accounted(records: Vec<Record>, profile: Profile) -> Vec<(Vec<InsightsEvent>, Option<Quiet>)> {
    let mut converter = Converter::new("fixture", profile, RawLines::Kept);
    let mut all = Vec::new();
    for record in records {
        let mut events = Vec::new();
        let quiet = converter.convert_into(record, &mut events);
        all.push((events, quiet));
    }
    all
}

/// The events of plain lines of stdout, as JSON without what all events have; that is checked here.
pub(crate) fn told(lines: &[&str], profile: Profile) -> Vec<serde_json::Value> {
    let records = (1..).zip(lines).map(|(seq, line)| Record::stdout(seq, UnixMillis(0), *line)).collect();
    shown(&events(records, profile), lines, profile)
}

/// The events of records of any source, in profile `full`.
pub(crate) fn told_of(records: Vec<Record>) -> Vec<serde_json::Value> {
    let lines: Vec<String> = records.iter().map(|record| record.line.text().into_owned()).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    shown(&events(records, Profile::Full), &lines, Profile::Full)
}

/// Events as JSON without what all have.
pub(crate) fn shown(events: &[InsightsEvent], lines: &[&str], profile: Profile) -> Vec<serde_json::Value> {
    let mut shown = Vec::new();
    for (n, event) in events.iter().enumerate() {
        let mut value = serde_json::to_value(event).unwrap();
        let fields = value.as_object_mut().unwrap();
        let take = |fields: &mut serde_json::Map<String, serde_json::Value>, name: &str| fields.remove(name);
        assert_eq!(take(fields, "provider"), Some("claude".into()));
        assert!(take(fields, "timestamp").is_some());
        let id = take(fields, "id").unwrap();
        let raw = take(fields, "raw").unwrap();
        let seq = take(fields, "seq");
        match profile {
            Profile::Core => {
                assert_eq!(seq, None);
                assert_eq!(id, format!("evt-{:08x}-{n}", event.id.hash));
                assert!(
                    lines
                        .iter()
                        .any(|line| serde_json::from_str::<serde_json::Value>(line).ok().as_ref() == Some(&raw))
                );
            }
            Profile::Full => {
                let seq = seq.unwrap().as_u64().unwrap();
                assert_eq!(id, format!("evt-{:08x}-{seq}-{}", event.id.hash, event.id.n));
                let line = lines[seq as usize - 1];
                let object =
                    Some(line).filter(|line| line.starts_with('{')).and_then(|line| serde_json::from_str(line).ok());
                assert_eq!(object.unwrap_or_else(|| serde_json::Value::from(line)), raw);
            }
        }
        shown.push(value);
    }
    shown
}
