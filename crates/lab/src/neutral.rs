//! Makes captured lines neutral and stable: the same story gives the same bytes on every machine and in every run.
//!
//! Texts are edited token by token in the JSON text itself, so key order, number forms and escapes such as lone
//! surrogates stay as the CLI wrote them. Replaced are: paths, ports, the kernel, ids (numbered by first appearance), times and
//! durations, and the CLI's own prose. Kept are all keys, types and shapes, short phrases, and every text that comes from
//! the scenario.

mod ids;
mod numbers;
mod prose;
mod tokens;

use std::path::Path;

use serde_json::Value;

use crate::json;
use crate::project::encoded;
use ids::Ids;
use prose::Prose;
use tokens::{Part, Token, rewrite};

/// Strings longer than this, in bytes of JSON, are shortened.
const LONGEST: usize = 4096;
/// What is kept of a shortened string.
const HEAD: usize = 512;

/// What stands for the release of the machine's kernel.
const KERNEL: &str = "6.0.0";
/// What stands for the day of the capture.
const DAY: &str = "2026-01-01";

/// Rewrites the lines of one run. Lines are first shown with [`Neutral::learn`], in order, then rewritten with
/// [`Neutral::line`]; ids that are learned late may occur early.
#[derive(Debug)]
pub struct Neutral {
    places: Vec<(String, String)>,
    ids: Ids,
    prose: Prose,
}

/// A rewritten line.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text.
    pub text: String,
    /// Whether long strings were shortened.
    pub shortened: bool,
}

impl Neutral {
    /// Knows the root of the private place, the model's address, and all texts of the scenario.
    pub fn new(root: &Path, program_folder: &Path, model_address: &str, scenario: &Value) -> Neutral {
        let address = model_address.trim_start_matches("http://").to_owned();
        let mut places = vec![
            (root.display().to_string(), String::new()),
            (encoded(root), String::new()),
            (program_folder.display().to_string(), "/home/user/.local/bin".to_owned()),
            (address, "127.0.0.1:8080".to_owned()),
        ];
        // Newer versions write down on which kernel they run.
        if let Ok(release) = std::fs::read_to_string("/proc/sys/kernel/osrelease") {
            places.push((release.trim().to_owned(), KERNEL.to_owned()));
        }
        let mut neutral = Neutral { places, ids: Ids::default(), prose: Prose::default() };
        neutral.own(scenario);
        neutral
    }

    /// Takes all texts of a value as the project's own, to be kept.
    pub fn own(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                let text = self.without_places(text);
                self.ids.own(&text);
                self.prose.own(&text);
            }
            Value::Array(items) => items.iter().for_each(|item| self.own(item)),
            Value::Object(fields) => fields.iter().for_each(|(key, field)| {
                self.prose.own(key);
                self.own(field);
            }),
            _ => {}
        }
    }

    /// Looks for ids in a line.
    pub fn learn(&mut self, text: &str) {
        let text = self.without_places(text);
        let ids = &mut self.ids;
        let _ = rewrite(&text, &mut |path, token| {
            if let Token::Text(raw) | Token::Key(raw) = token {
                ids.learn(path, raw);
            }
            None
        });
    }

    /// The neutral form of a JSON line; a text that is no JSON is treated as one string.
    pub fn line(&self, text: &str) -> Line {
        let text = self.without_places(text);
        let mut shortened = false;
        let rewritten = rewrite(&text, &mut |path, token| match token {
            Token::Key(raw) => Some(self.ids.replace(raw)),
            Token::Number(raw) => numbers::neutral(path, raw),
            Token::Text(_) if matches!(path.last(), Some(Part::Key(key)) if key == "date") => Some(DAY.to_owned()),
            Token::Text(raw) => {
                let text = self.prose.neutral(path, &self.ids.replace(raw));
                let short = (text.len() > LONGEST).then(|| shorten(&text));
                shortened |= short.is_some();
                Some(short.unwrap_or(text))
            }
        });
        match rewritten {
            Some(text) => Line { text, shortened },
            None => Line { text: self.raw(&text), shortened: false },
        }
    }

    /// The neutral form of a name or of a text that is not JSON.
    pub fn raw(&self, text: &str) -> String {
        let quoted = Value::String(self.ids.replace(&self.without_places(text))).to_string();
        let neutral = self.prose.neutral(&[], &quoted[1..quoted.len() - 1]);
        match json::lenient(&format!("\"{neutral}\"")) {
            Some(Value::String(text)) => text,
            _ => neutral,
        }
    }

    /// A file's name with its ids replaced.
    pub fn name(&self, name: &str) -> String {
        self.ids.replace(&self.without_places(name))
    }

    /// Whether all ids in a file's name occur in the lines.
    pub fn knows(&self, name: &str) -> bool {
        self.ids.knows(name)
    }

    fn without_places(&self, text: &str) -> String {
        self.places.iter().fold(text.to_owned(), |text, (place, neutral)| text.replace(place, neutral))
    }
}

/// The first part of an escaped string, cut between two escapes.
fn shorten(raw: &str) -> String {
    let mut end = 0;
    for (at, piece) in prose::characters(raw) {
        if at + piece.len() > HEAD {
            break;
        }
        end = at + piece.len();
    }
    format!("{}...(shortened)", &raw[..end])
}

#[cfg(test)]
mod tests;
