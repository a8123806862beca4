//! Captured sessions: the files of `fixtures/cli` in, their records out, as a log would have them.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use claude_protocol::trace::{Direction, TraceRecord};
use insights::state::State;
use insights::{HostFact, InsightsEvent, Record, UnixMillis};
use serde_json::Value;

use crate::play;

/// The CLI versions that were captured.
pub(crate) const VERSIONS: [&str; 4] = ["2.1.1", "2.1.29", "2.1.38", "2.1.326"];

/// A recorded scenario.
pub(crate) struct Scenario {
    /// The CLI that took part.
    pub(crate) version: &'static str,
    pub(crate) name: String,
    path: PathBuf,
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.version, self.name)
    }
}

/// All scenarios of all versions.
pub(crate) fn scenarios() -> Vec<Scenario> {
    let all: Vec<Scenario> = VERSIONS.into_iter().flat_map(scenarios_of).collect();
    assert!(all.len() > 300, "the fixtures are missing: only {} scenarios", all.len());
    all
}

/// The scenarios of a version, by name.
pub(crate) fn scenarios_of(version: &'static str) -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli").join(version);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    let scenario = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        Scenario { version, name, path }
    };
    paths.into_iter().map(scenario).collect()
}

/// One of them.
pub(crate) fn scenario(version: &'static str, name: &str) -> Scenario {
    let found = scenarios_of(version).into_iter().find(|scenario| scenario.name == name);
    found.unwrap_or_else(|| panic!("nobody captured {version}/{name}"))
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
                    match fact(&meta, self.version, told_to_end, &stderr_tail) {
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
        play::events(self.records())
    }

    /// What is so in the end.
    pub(crate) fn state(&self) -> State {
        play::state(&self.events())
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
