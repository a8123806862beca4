//! The captured lines, and JSON compared the way the laws mean it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use claude_protocol::FromCli;
use claude_protocol::raw::without_lone_surrogates;
use claude_protocol::trace::{Direction, TraceRecord};
use serde_json::Value;

/// A captured line.
pub(crate) struct Captured {
    /// `2.1.326/plain-text.jsonl:3`, for messages.
    pub(crate) place: String,
    /// The CLI that took part.
    pub(crate) version: String,
    /// The file, for what spans lines.
    pub(crate) file: PathBuf,
    pub(crate) dir: Direction,
    pub(crate) text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
}

/// Files below `fixtures/cli`, as (version, path below it, path).
fn fixture_files() -> Vec<(String, String, PathBuf)> {
    let root = root();
    let mut found = Vec::new();
    files(&root, &mut found);
    let below = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let version = name.split('/').next().unwrap().to_owned();
        (version, name, path)
    };
    found.into_iter().map(below).collect()
}

/// Every recorded line of every version.
pub(crate) fn captured() -> Vec<Captured> {
    let mut all = Vec::new();
    for (version, name, file) in fixture_files().into_iter().filter(|(_, name, _)| !name.contains("/transcripts/")) {
        for (index, record) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let place = format!("{name}:{}", index + 1);
            let record = TraceRecord::from_text(record).unwrap_or_else(|| panic!("{place}: not a trace record"));
            let text = record.text().to_owned();
            all.push(Captured { place, version: version.clone(), file: file.clone(), dir: record.dir, text });
        }
    }
    assert!(all.len() > 1000, "the fixtures are missing: only {} lines", all.len());
    all
}

/// Every captured line of stdout.
pub(crate) fn stdout_lines() -> Vec<Captured> {
    captured().into_iter().filter(|line| line.dir == Direction::Out).collect()
}

/// Every captured line of the CLI's own files, as (place, text).
pub(crate) fn transcript_lines() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (_, name, file) in fixture_files().into_iter().filter(|(_, name, _)| name.contains("/transcripts/")) {
        let text = fs::read_to_string(&file).unwrap();
        all.extend(text.lines().enumerate().map(|(index, line)| (format!("{name}:{}", index + 1), line.to_owned())));
    }
    assert!(!all.is_empty(), "the fixtures have no transcripts");
    all
}

/// The kind and more: what a control request asks for, what a stream event is.
pub(crate) fn sort(message: &FromCli) -> String {
    let kind = message.full_kind();
    match message {
        FromCli::ControlRequest(request) => format!("{kind}/{}", request.request.kind()),
        FromCli::StreamEvent(stream) => format!("{kind}/{}", stream.event.kind()),
        _ => kind,
    }
}

/// JSON text as a value; what serde_json refuses (lone surrogates) as our reader has it.
pub(crate) fn value(text: &str) -> Value {
    let cleaned = without_lone_surrogates(text);
    let mut deserializer = serde_json::Deserializer::from_str(cleaned.as_deref().unwrap_or(text));
    deserializer.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut deserializer).unwrap()
}

/// The value as the laws compare it: a null member is no member, and 1.0 is 1.
pub(crate) fn normal(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            Value::Object(map.into_iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| (k, normal(v))).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(normal).collect()),
        Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        other => other,
    }
}

/// Takes the members at `path` (`message.content[].text`, `modelUsage.*.costUSD`) out of a value.
pub(crate) fn remove(value: &mut Value, path: &str) {
    let (step, rest) = match path.find(['.', '[']) {
        Some(0) => return remove_in_list(value, path),
        Some(at) => (&path[..at], path[at..].strip_prefix('.').unwrap_or(&path[at..])),
        None => (path, ""),
    };
    let Value::Object(map) = value else { return };
    match (step, rest) {
        (step, "") => {
            map.remove(step);
        }
        ("*", rest) => map.values_mut().for_each(|inner| remove(inner, rest)),
        (step, rest) => map.get_mut(step).into_iter().for_each(|inner| remove(inner, rest)),
    }
}

fn remove_in_list(value: &mut Value, path: &str) {
    let rest = path.strip_prefix("[]").unwrap();
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    if let Value::Array(list) = value {
        list.iter_mut().for_each(|inner| remove(inner, rest));
    }
}

/// Counts by name.
pub(crate) fn count(names: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_insert(0) += 1;
    }
    counts
}
