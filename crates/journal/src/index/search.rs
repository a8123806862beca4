//! Search: what a person types in; where it stands, with the words around it, out. Whatever is typed is looked for as
//! it is: nothing in it is a command of the search.

use insights::UnixMillis;
use rusqlite::{Connection, params};
use schemars::JsonSchema;
use serde::Serialize;

use super::file::Index;
use super::list::named;
use super::rows::TextKind;
use crate::error::Result;
use crate::sqlite::count;

/// The most words of a text that are looked for.
const WORDS: usize = 32;

/// How many words of a text are shown around what was found.
const AROUND: u32 = 24;

/// Stand before and after what was found; no text has them, see [`plain`].
const OPEN: char = '\u{1}';
const CLOSE: char = '\u{2}';

/// A place where something was found.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Found")]
pub struct Hit {
    /// The session.
    pub session: String,
    /// Its title, as the agent has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What kind of words they are.
    pub kind: TextKind,
    /// The item of the conversation, where they are one.
    pub item: String,
    /// The record that they stand in.
    pub seq: u64,
    /// When they were said.
    pub at: UnixMillis,
    /// Some of the words, in pieces.
    pub snippet: Vec<Piece>,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    /// The words.
    pub text: String,
    /// Are they what was looked for?
    pub found: bool,
}

impl Index {
    /// Where all of the words in `text` stand together, the best places first, at most `limit` of them. The last word
    /// may be the beginning of one: it is still being typed.
    pub fn search(&mut self, text: &str, limit: usize) -> Result<Vec<Hit>> {
        let Some(query) = query(text) else { return Ok(Vec::new()) };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.run("search", |connection| {
            // What people said and how they called it is looked for more often than what was done.
            let mut statement = connection.prepare_cached(
                "SELECT texts.key, kind, item, texts.seq, at, sessions.id, sessions.title
                FROM texts_search
                JOIN texts ON texts.key = texts_search.rowid
                JOIN sessions ON sessions.key = texts.session
                WHERE texts_search MATCH ?1
                ORDER BY
                    rank * CASE kind WHEN 'title' THEN 3.0 WHEN 'prompt' THEN 2.0 WHEN 'answer' THEN 1.5 ELSE 1.0 END,
                    at DESC, texts.key
                LIMIT ?2",
            )?;
            let found = statement.query_map(params![query, limit], |row| {
                let hit = Hit {
                    session: row.get("id")?,
                    title: row.get("title")?,
                    kind: named(row, "kind")?,
                    item: row.get("item")?,
                    seq: count(row.get("seq")?),
                    at: UnixMillis(row.get("at")?),
                    snippet: Vec::new(),
                };
                Ok((row.get::<_, i64>("key")?, hit))
            })?;
            let found = found.collect::<rusqlite::Result<Vec<_>>>()?;
            // Made only of what is shown: it is much more work than finding.
            let with_snippet = |(key, hit)| Ok(Hit { snippet: snippet(connection, &query, key)?, ..hit });
            Ok(found.into_iter().map(with_snippet).collect::<rusqlite::Result<_>>()?)
        })
    }
}

fn snippet(connection: &Connection, query: &str, key: i64) -> rusqlite::Result<Vec<Piece>> {
    let mut statement = connection.prepare_cached(
        "SELECT snippet(texts_search, 0, ?3, ?4, '…', ?5) FROM texts_search WHERE texts_search MATCH ?1 AND rowid = ?2",
    )?;
    let text: String =
        statement.query_row(params![query, key, OPEN.to_string(), CLOSE.to_string(), AROUND], |row| row.get(0))?;
    Ok(pieces(&text))
}

/// The text without the marks, cut where they stood.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in text.split_inclusive([OPEN, CLOSE]) {
        let found = part.ends_with(CLOSE);
        let words = part.trim_end_matches([OPEN, CLOSE]);
        if !words.is_empty() {
            pieces.push(Piece { text: words.to_owned(), found });
        }
    }
    pieces
}

/// A text as it is kept for the search: without what marks a place in it.
pub(super) fn plain(text: &str) -> String {
    text.replace(['\0', OPEN, CLOSE], " ")
}

/// The text in the language of the search: each word in quotes, so that none of them means anything there. `None` if
/// there is no word in it.
fn query(text: &str) -> Option<String> {
    let between = |letter: char| letter.is_whitespace() || letter.is_control();
    let words = text.split(between).filter(|word| word.contains(char::is_alphanumeric)).take(WORDS);
    let mut quoted: Vec<String> = words.map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
    let last = quoted.last_mut()?;
    if !text.ends_with(char::is_whitespace) {
        last.push('*');
    }
    Some(quoted.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_no_command() {
        assert_eq!(query("fix the bug").unwrap(), r#""fix" "the" "bug"*"#);
        assert_eq!(query(r#" say "hi" OR NOT(text:*) "#).unwrap(), r#""say" """hi""" "OR" "NOT(text:*)""#);
        assert_eq!(query("a\0b").unwrap(), r#""a" "b"*"#);
        assert_eq!(query(" \"*\" - ^ "), None);
    }

    #[test]
    fn a_snippet_is_cut_where_the_marks_stood() {
        let piece = |text: &str, found| Piece { text: text.to_owned(), found };
        let text = "a \u{1}bug\u{2}\u{1}s\u{2} here";
        assert_eq!(pieces(text), [piece("a ", false), piece("bug", true), piece("s", true), piece(" here", false)]);
    }
}
