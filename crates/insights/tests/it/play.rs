//! Fixtures played: the recorded lines of a scenario in; its records, its events and its states out.

use std::fs;
use std::path::{Path, PathBuf};

use claude_protocol::trace::{Direction, TraceRecord};
use insights::convert::RawLines;
use insights::state::State;
use insights::{Converter, HostFact, InsightsEvent, Profile, Record, UnixMillis};
use serde_json::Value;

/// A recorded scenario.
pub(crate) struct Scenario {
    /// The CLI that took part.
    pub(crate) version: String,
    pub(crate) name: String,
    path: PathBuf,
}

/// All scenarios of all versions.
pub(crate) fn scenarios() -> Vec<Scenario> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli");
    let mut all = Vec::new();
    for version in sorted(&root) {
        for path in sorted(&version).into_iter().filter(|path| path.extension().is_some_and(|end| end == "jsonl")) {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let version = version.file_name().unwrap().to_string_lossy().into_owned();
            all.push(Scenario { version, name, path });
        }
    }
    assert!(all.len() > 300, "the fixtures are missing: only {} scenarios", all.len());
    all
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

impl Scenario {
    /// Its lines as a log would have them, a second apart.
    pub(crate) fn records(&self) -> Vec<Record> {
        let text = fs::read_to_string(&self.path).unwrap();
        let mut told_to_end = false;
        let mut stderr_tail = Vec::new();
        let mut records = Vec::new();
        for line in text.lines() {
            let trace = TraceRecord::from_text(line).unwrap();
            let seq = records.len() as u64 + 1;
            let at = UnixMillis(seq as i64 * 1000);
            let text = trace.text().to_owned();
            records.push(match trace.dir {
                Direction::Out => Record::stdout(seq, at, text),
                Direction::In => Record::stdin(seq, at, text),
                Direction::Err => {
                    stderr_tail.push(text.clone());
                    Record::stderr(seq, at, text)
                }
                _ => {
                    let meta: Value = serde_json::from_str(&text).unwrap();
                    told_to_end |= meta["event"] == "stdin_closed";
                    match fact(&meta, &self.version, told_to_end, &stderr_tail) {
                        Some(fact) => Record::host(seq, at, &fact),
                        None => continue,
                    }
                }
            });
        }
        records
    }

    /// What happened.
    pub(crate) fn events(&self) -> Vec<InsightsEvent> {
        events(self.records())
    }

    /// What is so in the end.
    pub(crate) fn state(&self) -> State {
        state(&self.events())
    }
}

fn fact(meta: &Value, version: &str, expected: bool, stderr_tail: &[String]) -> Option<HostFact> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match meta["event"].as_str()? {
        "spawn" => Some(HostFact::Spawned {
            program: "claude".to_owned(),
            argv: meta["argv"].as_array()?.iter().map(text).collect(),
            cwd: text(&meta["cwd"]),
            version: Some(version.to_owned()),
            pid: None,
        }),
        "exit" => Some(HostFact::Exited {
            code: meta["code"].as_i64().map(|code| code as i32),
            signal: (meta["signal"] == "SIGKILL").then_some(9),
            stderr_tail: stderr_tail.to_vec(),
            expected,
        }),
        _ => None,
    }
}

/// The events of records.
pub(crate) fn events(records: Vec<Record>) -> Vec<InsightsEvent> {
    let mut converter = Converter::new("session", Profile::Full, RawLines::LeftOut);
    records.into_iter().flat_map(|record| converter.convert(record)).collect()
}

/// The state after events.
pub(crate) fn state<'a>(events: impl IntoIterator<Item = &'a InsightsEvent>) -> State {
    let mut state = State::default();
    for event in events {
        state.apply(event);
    }
    state
}

/// Lines of stdout as records.
pub(crate) fn records_of(lines: &[&str]) -> Vec<Record> {
    let record = |(number, line): (usize, &&str)| {
        let seq = number as u64 + 1;
        Record::stdout(seq, UnixMillis(seq as i64 * 1000), *line)
    };
    lines.iter().enumerate().map(record).collect()
}
