//! The CLI's own prose becomes neutral words; short phrases and the scenario's own texts stay.

use super::tokens::Part;
use crate::json;

/// What stands for the CLI's prose.
const WORDS: &str = "Neutral words.";
/// A phrase of so many words and characters is no prose yet.
const PHRASE_WORDS: usize = 8;
const PHRASE_LENGTH: usize = 64;
/// Fields that hold the CLI's words however short they are.
const ALWAYS: &[&str] = &[
    "description",
    "argumentHint",
    "argument_hint",
    "displayName",
    "whenToUse",
    "when_to_use",
    "tip",
    "hint",
    "helpText",
    "label",
    "defaultDescription",
];

/// What is below these fields is the CLI's own through and through: its prompts, its requests, its catalogue.
const STRICT: &[&str] = &["systemPrompt", "shape", "rendered", "eventCatalog", "systemPromptSections"];

/// The texts that are the project's own.
#[derive(Debug, Default)]
pub(super) struct Prose {
    own: String,
}

impl Prose {
    pub(super) fn own(&mut self, text: &str) {
        self.own.push_str(text);
        self.own.push('\u{0}');
    }

    /// The escaped string with the CLI's prose replaced, line by line.
    pub(super) fn neutral(&self, path: &[Part], raw: &str) -> String {
        let key = path.iter().rev().find_map(|part| if let Part::Key(key) = part { Some(key.as_str()) } else { None });
        let decoded = decode(raw);
        if self.is_own(&decoded) {
            return raw.to_owned();
        }
        if key.is_some_and(|key| ALWAYS.contains(&key)) {
            return if raw.is_empty() { String::new() } else { WORDS.to_owned() };
        }
        let strict = path.iter().any(|part| matches!(part, Part::Key(key) if STRICT.contains(&key.as_str())));
        if strict && decoded.contains(char::is_whitespace) {
            return WORDS.to_owned();
        }
        self.neutral_lines(raw)
    }

    fn neutral_lines(&self, raw: &str) -> String {
        let mut kept: Vec<String> = Vec::new();
        let mut inside_reminder = false;
        for line in lines(raw) {
            let text = decode(line);
            let opens = text.contains("<system-reminder>");
            let closes = text.contains("</system-reminder>");
            let new = match inside_reminder && !closes {
                true => WORDS.to_owned(),
                false if self.keeps(&text) => figures(line),
                false => in_tags(&text),
            };
            inside_reminder = (inside_reminder || opens) && !closes;
            if new != WORDS || kept.last().is_none_or(|last| last != WORDS) {
                kept.push(new);
            }
        }
        kept.join("\\n")
    }

    fn keeps(&self, line: &str) -> bool {
        let words = line.split_whitespace().count();
        let length = line.chars().count();
        if words <= PHRASE_WORDS && (length <= PHRASE_LENGTH || words < 4) {
            return true;
        }
        // What the API said comes back behind the CLI's prefix.
        if line.starts_with("API Error: ") && line.contains('{') {
            return true;
        }
        self.is_own(line)
    }

    /// Whether a text is part of the scenario, also with the marks that tools put before a line.
    fn is_own(&self, text: &str) -> bool {
        let bare = text.trim();
        let unmarked =
            bare.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['→', '\t', '+', '-', ' ', ':']);
        [bare, unmarked].iter().any(|part| part.len() > 2 && self.own.contains(*part))
    }
}

/// Neutral words between the tags that the line begins and ends with, so that readers who strip them still can.
fn in_tags(line: &str) -> String {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let line = line.trim();
    let open =
        line.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(name, _)| name).filter(|name| is_name(name));
    let close = line
        .strip_suffix('>')
        .and_then(|rest| rest.rsplit_once("</"))
        .map(|(_, name)| name)
        .filter(|name| is_name(name));
    let open = open.map_or_else(String::new, |name| format!("<{name}>"));
    let close = close.map_or_else(String::new, |name| format!("</{name}>"));
    format!("{open}{WORDS}{close}")
}

/// A kept line with durations and estimates in its text replaced: those of `/cost`, `/context` and a subagent's result.
fn figures(line: &str) -> String {
    let replaced = |from: &str| {
        let digits = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
        let mut out = String::new();
        let mut inside = false;
        for c in from.chars() {
            if digits(c) && (inside || c.is_ascii_digit()) {
                if !inside {
                    out.push('1');
                }
                inside = true;
            } else {
                inside = false;
                out.push(c);
            }
        }
        out
    };
    for start in ["duration_ms: ", "<usage><", "Total duration", "**Tokens:**", "| "] {
        if let Some(rest) = line.strip_prefix(start) {
            return format!("{start}{}", replaced(rest));
        }
    }
    line.to_owned()
}

/// The characters of an escaped string: each with its place, an escape being one.
pub(super) fn characters(raw: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = raw.get(at..)?;
        let first = rest.chars().next()?;
        let length = match (first, rest.as_bytes().get(1)) {
            ('\\', Some(b'u')) => 6,
            ('\\', _) => 2,
            _ => first.len_utf8(),
        };
        let begin = at;
        at += length.min(rest.len());
        raw.get(begin..at).map(|piece| (begin, piece))
    })
}

/// The lines of an escaped string, still escaped.
fn lines(raw: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut begin = 0;
    for (at, piece) in characters(raw) {
        if piece == "\\n" {
            lines.push(&raw[begin..at]);
            begin = at + piece.len();
        }
    }
    lines.push(&raw[begin..]);
    lines
}

fn decode(raw: &str) -> String {
    json::lenient(&format!("\"{raw}\""))
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_else(|| raw.to_owned())
}
