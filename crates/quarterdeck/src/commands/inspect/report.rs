//! What was found, counted: the same things under the same heading, with the place of the first.

use std::collections::BTreeMap;

use claude_protocol::Drift;
use claude_protocol::inspect::{Aside, Found, Part, Speaker};

/// What is in the lines.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) files: usize,
    /// Lines that are not blank.
    pub(crate) lines: usize,
    /// Lines by kind; those that are no JSON are not among them.
    pub(crate) kinds: BTreeMap<String, usize>,
    pub(crate) not_json: usize,
    /// What the CLI said that the types do not name.
    pub(crate) cli: Findings,
    /// The same of what a host said to the CLI: worth seeing, but no news about the CLI, so `--strict` does not mind.
    pub(crate) host: Findings,
}

/// Drift by heading.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) unknown: BTreeMap<Finding, Seen>,
    pub(crate) unmodelled: BTreeMap<Finding, Seen>,
    pub(crate) notes: BTreeMap<Finding, Seen>,
}

/// A thing found: in which kind of message, where in it, and what about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) kind: String,
    pub(crate) path: String,
    pub(crate) what: String,
}

/// How often, and where first.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) count: usize,
    pub(crate) first: String,
}

/// The report, at one line.
pub(crate) struct Here<'a> {
    report: &'a mut Report,
    source: String,
    number: u64,
}

impl Report {
    /// Counts a line and gives the place to report on it.
    pub(crate) fn at(&mut self, source: String, number: u64) -> Here<'_> {
        self.lines += 1;
        Here { report: self, source, number }
    }

    /// Is there anything that `--strict` minds?
    pub(crate) fn drifts(&self) -> bool {
        let Findings { unknown, unmodelled, notes } = &self.cli;
        !(unknown.is_empty() && unmodelled.is_empty() && notes.is_empty())
    }
}

impl Here<'_> {
    /// Counts what was found in the line.
    pub(crate) fn take(&mut self, found: Found<'_>) {
        match found {
            Found::Message(Part { speaker, kind, drift, .. }) => {
                self.kind(kind);
                self.drift(speaker, kind, drift);
            }
            Found::Payload(Part { speaker, kind, drift, .. }) => self.drift(speaker, kind, drift),
            Found::Aside(Aside::Stderr, _) => self.kind("stderr"),
            Found::Aside(Aside::Meta, _) => self.kind("meta"),
            Found::NotJson => self.report.not_json += 1,
            _ => {}
        }
    }

    fn kind(&mut self, kind: &str) {
        *self.report.kinds.entry(printable(kind)).or_default() += 1;
    }

    /// Notes what drifted in a message, or in a part of one, of this kind.
    fn drift(&mut self, speaker: Speaker, kind: &str, drift: Drift) {
        let first = || format!("{}:{}", self.source, self.number);
        let findings = match speaker {
            Speaker::Cli => &mut self.report.cli,
            Speaker::Host => &mut self.report.host,
        };
        let add = |list: &mut BTreeMap<Finding, Seen>, path: String, what: String| {
            let finding = Finding { kind: printable(kind), path: printable(&path), what: printable(&what) };
            list.entry(finding).or_insert_with(|| Seen { count: 0, first: first() }).count += 1;
        };
        for unknown in drift.unknown {
            add(&mut findings.unknown, unknown.path, format!("{} `{}`", unknown.tag, unknown.kind));
        }
        for word in drift.words {
            add(&mut findings.unknown, word.path, format!("word `{}`", word.word));
        }
        for path in drift.unmodelled {
            add(&mut findings.unmodelled, path, String::new());
        }
        for note in drift.notes {
            let what = format!("expected {}, found {}", note.expected, note.found);
            add(&mut findings.notes, note.path, what);
        }
    }
}

/// Text from a recording, fit for a terminal: control characters are escaped.
fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|letter| {
            let escaped = letter.is_control().then(|| letter.escape_default());
            let plain = escaped.is_none().then_some(letter);
            escaped.into_iter().flatten().chain(plain)
        })
        .collect()
}
