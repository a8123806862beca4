//! Where a text stands in its line: a pointer in, the text out; and the other way round. The state holds the heads of long
//! texts, and this is how the whole of one is found again.
//!
//! Pointers are those of JSON (RFC 6901), with three additions. The empty one is the line itself. `*` as the last part
//! means all texts of a list, each on a line of its own: words, or the words of blocks; where one text stands instead of a
//! list, it is that. Pointers with a space between them are the texts of several places, one below the other.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::Json;

/// Where a text stands in its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where in the line.
    pub pointer: String,
    /// How many bytes of what is there come before it.
    pub from: usize,
}

/// So deep in a line a text is looked for.
const DEPTH: usize = 8;

/// All texts of a list.
const ALL: &str = "*";

/// The text at `pointer`; of what is no text, its JSON as it stands there.
pub(crate) fn text_at(line: &str, pointer: &str) -> Option<String> {
    let mut places = pointer.split(' ').map(|pointer| match pointer.strip_prefix('/') {
        Some(names) => follow(line, &names.split('/').collect::<Vec<_>>()),
        None => pointer.is_empty().then(|| line.to_owned()),
    });
    let first = places.next()??;
    places.try_fold(first, |above, below| Some(on_lines(above, &below?)))
}

/// Two texts, one below the other.
pub(crate) fn on_lines(mut above: String, below: &str) -> String {
    if !above.is_empty() && !above.ends_with('\n') && !below.is_empty() {
        above.push('\n');
    }
    above.push_str(below);
    above
}

fn follow(value: &str, names: &[&str]) -> Option<String> {
    match names {
        [] if is_text(value) => Some(words(value)),
        [] => Some(value.to_owned()),
        [ALL] => texts(value),
        // A message that is words alone has them in place of its one block.
        ["0", "text"] if is_text(value) => Some(words(value)),
        [name, rest @ ..] if value.starts_with('[') => {
            follow(elements(value).get(name.parse::<usize>().ok()?)?.get(), rest)
        }
        [name, rest @ ..] => follow(members(value).get(&name.replace("~1", "/").replace("~0", "~"))?.get(), rest),
    }
}

/// Where in the line the text stands, be it a part of a longer one.
pub(crate) fn of(text: &str, line: &str) -> Option<Place> {
    let mut pointer = String::new();
    let from = look(text, line, &mut pointer, DEPTH)?;
    Some(Place { pointer, from })
}

/// Looks for the text at `pointer` and below, and leaves the pointer where it was found.
fn look(text: &str, value: &str, pointer: &mut String, depth: usize) -> Option<usize> {
    // JSON is never shorter than what it says.
    if value.len() < text.len() || depth == 0 {
        return None;
    }
    if is_text(value) {
        return words(value).find(text);
    }
    if let Some(from) = texts(value).and_then(|all| all.find(text)) {
        pointer.extend(["/", ALL]);
        return Some(from);
    }
    let mut below = |name: &str, value: &RawValue| {
        let end = pointer.len();
        pointer.extend(["/", name]);
        let found = look(text, value.get(), pointer, depth - 1);
        if found.is_none() {
            pointer.truncate(end);
        }
        found
    };
    let plain = |name: &str| !name.contains(['/', '~', ' ', '*']);
    let mut members = members(value).into_iter().filter(|(name, _)| plain(name));
    let mut elements = elements(value).into_iter().enumerate();
    members
        .find_map(|(name, value)| below(&name, value))
        .or_else(|| elements.find_map(|(number, value)| below(&number.to_string(), value)))
}

fn is_text(value: &str) -> bool {
    value.starts_with('"')
}

/// What a JSON string says.
fn words(value: &str) -> String {
    Json::trusted(value).read()
}

fn members(value: &str) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(value).unwrap_or_default()
}

fn elements(value: &str) -> Vec<&RawValue> {
    serde_json::from_str(value).unwrap_or_default()
}

/// A block of a message, as far as it is words.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Block {
    r#type: Option<String>,
    text: Option<String>,
}

/// All texts of a list, or the one text in its place.
fn texts(value: &str) -> Option<String> {
    if is_text(value) {
        return Some(words(value));
    }
    let texts: Vec<String> = elements(value)
        .into_iter()
        .filter_map(|element| match element.get() {
            text if is_text(text) => Some(words(text)),
            block => {
                let block: Block = Json::trusted(block).read();
                block.text.filter(|_| block.r#type.as_deref() == Some("text"))
            }
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"a": {"b": [1.0, {"c": "deep"}], "b~/c": "odd"}, "two": "second\n",
        "content": [{"type": "text", "text": "one"}, {"type": "image", "text": "no"}, "two"], "said": "w\ud800\u00e9"}"#;

    #[test]
    fn a_pointer_leads_to_the_text_or_to_the_json_as_it_stands() {
        let at = |pointer| text_at(LINE, pointer);
        assert_eq!(at("/a/b/1/c").as_deref(), Some("deep"));
        assert_eq!(at("/a/b").as_deref(), Some(r#"[1.0, {"c": "deep"}]"#));
        assert_eq!(at("/a/b~0~1c").as_deref(), Some("odd"));
        assert_eq!(at("/said").as_deref(), Some("w\u{fffd}é"));
        assert_eq!(at("").as_deref(), Some(LINE));
        for nowhere in ["/x", "/a/b/2", "/a/b/*", "/two/0", "two", "/two /x"] {
            assert_eq!(at(nowhere), None, "{nowhere}");
        }
    }

    #[test]
    fn texts_of_a_list_and_of_several_places_are_put_together() {
        assert_eq!(text_at(LINE, "/content/*").as_deref(), Some("one\ntwo"));
        assert_eq!(text_at(LINE, "/two/*").as_deref(), Some("second\n"));
        assert_eq!(text_at(LINE, "/two/0/text").as_deref(), Some("second\n"));
        assert_eq!(text_at(LINE, "/two /a/b/1/c /two").as_deref(), Some("second\ndeep\nsecond\n"));
    }

    #[test]
    fn what_is_looked_for_is_where_it_is_said_to_be() {
        for text in ["deep", "cond", "ne\ntw", "é"] {
            let Place { pointer, from } = of(text, LINE).unwrap();
            assert!(text_at(LINE, &pointer).unwrap()[from..].starts_with(text), "{text}: {pointer}");
        }
        assert_eq!(of("nowhere", LINE), None);
        assert_eq!(of("no JSON", "this is no JSON"), None);
    }
}
