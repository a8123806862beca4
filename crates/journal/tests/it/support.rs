//! Logs made of captured sessions, and what a database has in it.

use std::path::{Path, PathBuf};

use insights::convert::RawLines;
use insights::record::{Traced, Traces};
use insights::state::State;
use insights::{Converter, HostFact, Profile, Record, UnixMillis};
use journal::{Batch, Data, Folder, Head, Index, Indexer, Writer};
use tempfile::TempDir;

/// When the logs of these tests begin: noon of 2025-11-15, UTC.
pub(crate) const START: UnixMillis = UnixMillis(1_763_208_000_000);

pub(crate) fn data() -> (TempDir, Data) {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path().join("data")).unwrap();
    (place, data)
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli")
}

/// The names of all captured sessions, `<version>/<name>`.
pub(crate) fn all_fixtures() -> Vec<String> {
    let mut names = Vec::new();
    for version in std::fs::read_dir(fixtures()).unwrap() {
        let version = version.unwrap();
        for file in std::fs::read_dir(version.path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|end| end == "jsonl") {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                names.push(format!("{}/{name}", version.file_name().to_string_lossy()));
            }
        }
    }
    names.sort();
    names
}

/// The records of a captured session, `<version>/<name>`.
pub(crate) fn fixture(name: &str) -> Vec<Record> {
    let text = std::fs::read_to_string(fixtures().join(format!("{name}.jsonl"))).unwrap();
    let mut traces = Traces::default();
    let read = text.lines().filter_map(|line| match traces.read(0, line) {
        Some(Traced::Record(record)) => Some(record),
        Some(Traced::Nothing) | None => None,
    });
    read.collect()
}

/// Appends the records to a session, one each second from `START` on. What was captured tells no times.
pub(crate) fn append(data: &Data, id: &str, records: &[Record]) -> Folder {
    let folder = data.session(id).unwrap();
    let mut writer = Writer::open(folder.clone(), START).unwrap();
    for record in records {
        let at = UnixMillis(START.0 + 1000 * writer.last_seq() as i64);
        writer.append(at, record.source.clone(), record.line.clone()).unwrap();
    }
    folder
}

/// The same for a fact of ours.
pub(crate) fn append_fact(data: &Data, id: &str, fact: &HostFact) {
    Writer::open(data.session(id).unwrap(), START).unwrap().append_fact(START, fact).unwrap();
}

/// The index of these captured sessions, each named by its number.
pub(crate) fn indexed(names: &[&str]) -> (TempDir, Data, Index) {
    let (place, data) = data();
    for (number, name) in names.iter().enumerate() {
        append(&data, &number.to_string(), &fixture(name));
    }
    let mut index = Index::open(&data).unwrap();
    index.catch_up(&data, |_| {}).unwrap();
    (place, data, index)
}

/// What the pipeline of a live session does for the index.
pub(crate) struct Live {
    pub(crate) converter: Converter,
    pub(crate) state: State,
    pub(crate) indexer: Indexer,
}

impl Live {
    pub(crate) fn new(id: &str) -> Self {
        let converter = Converter::new(id, Profile::Full, RawLines::LeftOut);
        Live { converter, state: State::default(), indexer: Indexer::new(id) }
    }

    pub(crate) fn take(&mut self, record: Record) {
        let head = Head::of(&record);
        let events = self.converter.convert(record);
        let changes: Vec<_> = events.iter().flat_map(|event| self.state.apply(event)).collect();
        self.indexer.note(&head, &events, &changes, &self.state);
    }

    pub(crate) fn batch(&mut self) -> Option<Batch> {
        self.indexer.batch(&self.state)
    }
}

/// Everything in the index that means something: the rows of all tables without the numbers that join them, and what
/// the search has of each text.
pub(crate) fn dump(data: &Data) -> Vec<String> {
    let connection = rusqlite::Connection::open(data.index()).unwrap();
    let of = "JOIN sessions ON sessions.key = t.session";
    let queries = [
        "SELECT 'session', id, identity, seq, title, cwd, model, mode, version, created_at, active_at, phase, words,
            since, asks, unconfirmed, cost_usd, inherited_usd, input_tokens, output_tokens, cache_read_tokens,
            cache_creation_tokens, turns, last_turn_seq, failed, first_prompt, imported_from, forked_from
            FROM sessions ORDER BY id"
            .to_owned(),
        format!("SELECT 'agent', sessions.id, t.* FROM agent_sessions t {of} ORDER BY 2, t.number"),
        format!("SELECT 'turn', sessions.id, t.* FROM turns t {of} ORDER BY 2, t.number"),
        format!("SELECT 'model', sessions.id, t.* FROM turn_models t {of} ORDER BY 2, t.number, t.model"),
        format!("SELECT 'call', sessions.id, t.* FROM tool_calls t {of} ORDER BY 2, t.id"),
        format!("SELECT 'text', sessions.id, kind, item, t.seq, at, text FROM texts t {of} ORDER BY 2, kind, item"),
        format!(
            "SELECT 'words', sessions.id, t.kind, t.item, v.term, v.offset FROM texts_words v
            JOIN texts t ON t.key = v.doc {of} ORDER BY 2, 3, 4, v.offset"
        ),
    ];
    connection
        .execute_batch("CREATE VIRTUAL TABLE temp.texts_words USING fts5vocab('main', 'texts_search', 'instance')")
        .unwrap();
    let mut rows = Vec::new();
    for query in queries {
        let mut statement = connection.prepare(&query).unwrap();
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut found = statement.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            // The number of the session is not its name: it may differ.
            let values = names.iter().enumerate().filter(|(_, name)| *name != "session");
            let values: Vec<String> = values.map(|(at, _)| format!("{:?}", row.get_ref(at).unwrap())).collect();
            rows.push(values.join(" "));
        }
    }
    rows
}
