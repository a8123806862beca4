//! Ids that differ from run to run become numbers in the order of their first appearance.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use super::tokens::Part;

/// The ids met so far and their stand-ins.
#[derive(Debug)]
pub(super) struct Ids {
    uuid: Regex,
    time: Regex,
    others: Vec<(Regex, &'static str)>,
    own: BTreeSet<String>,
    stand_ins: BTreeMap<String, String>,
    counts: BTreeMap<&'static str, usize>,
}

impl Default for Ids {
    fn default() -> Ids {
        let regex = |text: &str| Regex::new(text).unwrap_or_else(|error| unreachable!("a constant pattern: {error}"));
        Ids {
            uuid: regex(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
            time: regex(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)"),
            others: vec![
                (regex(r"/claude-\d+/"), "/claude-1000/"),
                (regex(r"\d{4}-\d\d-\d\d-\d{6}"), "2026-01-01-000000"),
                (regex(r"[0-9a-f]{16}@v"), "0000000000000000@v"),
                // Hashes over texts that hold paths and times.
                (regex(r"\b[0-9a-f]{64}\b"), "0000000000000000000000000000000000000000000000000000000000000000"),
                // JSON-RPC ids of 2.1.326: a mark of the process and a count.
                (regex(r"\b[0-9a-f]{8}:(\d+)\b"), "00000000:$1"),
                (regex(r"cc-socks/\d+\.sock"), "cc-socks/1000.sock"),
                (regex(r"plans/[a-z]+(-[a-z]+)+\.md"), "plans/a-plan.md"),
            ],
            own: BTreeSet::new(),
            stand_ins: BTreeMap::new(),
            counts: BTreeMap::new(),
        }
    }
}

impl Ids {
    /// Ids in the project's own texts stay.
    pub(super) fn own(&mut self, text: &str) {
        self.own.extend(self.uuid.find_iter(text).map(|found| found.as_str().to_owned()));
        self.own.insert(text.to_owned());
    }

    /// Takes the ids of one escaped string.
    pub(super) fn learn(&mut self, path: &[Part], raw: &str) {
        if let Some(kind) = kind(path)
            && raw.len() >= 5
            && raw.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
            && !raw.contains("lab")
            && !self.own.contains(raw)
            && !self.uuid.is_match(raw)
            && !raw.starts_with("req_")
        {
            self.add(raw, kind);
        }
        let found: Vec<String> = self.uuid.find_iter(raw).map(|found| found.as_str().to_owned()).collect();
        for uuid in found {
            self.add(&uuid, "uuid");
        }
    }

    /// The text with ids and times replaced.
    pub(super) fn replace(&self, raw: &str) -> String {
        let mut text = self.uuid.replace_all(raw, |found: &regex::Captures<'_>| self.stand_in(&found[0])).into_owned();
        text = self.time.replace_all(&text, "2026-01-01T00:00:00.000Z").into_owned();
        for (pattern, stand_in) in &self.others {
            text = pattern.replace_all(&text, *stand_in).into_owned();
        }
        for (id, stand_in) in self.stand_ins.iter().filter(|(id, _)| !self.uuid.is_match(id)) {
            if text.contains(id.as_str()) {
                text = text.replace(id.as_str(), stand_in);
            }
        }
        text
    }

    /// Whether all ids in a text were learned or are our own.
    pub(super) fn knows(&self, text: &str) -> bool {
        self.uuid.find_iter(text).all(|id| self.own.contains(id.as_str()) || self.stand_ins.contains_key(id.as_str()))
    }

    fn stand_in(&self, id: &str) -> String {
        self.stand_ins.get(id).cloned().unwrap_or_else(|| id.to_owned())
    }

    fn add(&mut self, id: &str, kind: &'static str) {
        if self.own.contains(id) || self.stand_ins.contains_key(id) {
            return;
        }
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        let stand_in = match kind {
            "uuid" => format!("00000000-0000-4000-8000-{count:012}"),
            "agent" => format!("a{count:0width$}", width = id.len() - 1),
            "task" => format!("b{count:0width$}", width = id.len() - 1),
            _ => format!("{kind}-{count:04}"),
        };
        self.stand_ins.insert(id.to_owned(), stand_in);
    }
}

/// What kind of id a field holds, if it holds one that is not a UUID.
fn kind(path: &[Part]) -> Option<&'static str> {
    let keys: Vec<&str> = path
        .iter()
        .rev()
        .filter_map(|part| if let Part::Key(key) = part { Some(key.as_str()) } else { None })
        .take(2)
        .collect();
    match keys.first().copied()? {
        "request_id" => Some("request"),
        "agentId" | "agent_id" => Some("agent"),
        "task_id" | "backgroundTaskId" | "shellId" | "shell_id" | "bash_id" => Some("task"),
        "run_id" => Some("run"),
        "hook_id" => Some("hook"),
        "cell_id" => Some("cell"),
        "slug" => Some("slug"),
        "harnessSectionHash" | "requestDigest" | "shapeHash" | "hash" | "blobHash" | "digests" | "messages"
        | "blobs" => Some("hash"),
        _ => None,
    }
}
