//! The lines of a part of a diff, as a result has them: a list of texts in; those that a view may show out, and what all of
//! them come to. A changed file may be a megabyte of lines, of which a view has room for a few hundred.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};

use crate::state::clip::VIEW_BYTES;
use crate::state::diff;
use crate::state::lines::Lines;

/// The lines of a part of a diff.
#[derive(Default)]
pub(in crate::state::decide) struct PatchLines {
    /// The first ones: at least as many as a view has room for.
    pub(super) shown: Lines,
    /// How many come.
    pub(super) added: u32,
    /// How many go.
    pub(super) removed: u32,
    /// How long all of them are.
    pub(super) bytes: usize,
    /// What those that are shown take at least.
    taken: usize,
}

impl PatchLines {
    fn add(&mut self, line: &str) {
        self.added = self.added.saturating_add(u32::from(line.starts_with('+')));
        self.removed = self.removed.saturating_add(u32::from(line.starts_with('-')));
        self.bytes += line.len();
        if self.taken <= VIEW_BYTES {
            self.taken += diff::least_bytes(line);
            self.shown.push(&[line]);
        }
    }
}

impl<'de> Deserialize<'de> for PatchLines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(List)
    }
}

struct List;

impl<'de> Visitor<'de> for List {
    type Value = PatchLines;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of lines")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<PatchLines, A::Error> {
        let mut lines = PatchLines::default();
        while list.next_element_seed(Next(&mut lines))?.is_some() {}
        Ok(lines)
    }
}

/// The next line, which is looked at where it stands and copied only if it may be shown.
struct Next<'a>(&'a mut PatchLines);

impl<'de> DeserializeSeed<'de> for Next<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Next<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a line")
    }

    fn visit_str<E: Error>(self, line: &str) -> Result<(), E> {
        self.0.add(line);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tool::Hunk;

    fn hunk(lines: Lines) -> Hunk {
        Hunk { old_start: 0, old_lines: 0, new_start: 0, new_lines: 0, lines }
    }

    #[test]
    fn what_is_left_out_would_not_have_been_shown() {
        let plain = |line: &str, count: usize| vec![line.to_owned(); count];
        for lines in [
            plain("+a line", 3),
            plain("-", 20_000),
            plain("+\"\\\u{1}é", 9000),
            plain(&format!(" {}", "\u{1}".repeat(5000)), 100),
            plain(&"é".repeat(5000), 100),
            [plain("-a", 4000), plain(&"+b".repeat(3000), 40)].concat(),
        ] {
            let read: PatchLines = serde_json::from_str(&serde_json::to_string(&lines).unwrap()).unwrap();
            assert_eq!((read.added, read.removed), diff::count(&[hunk(lines.iter().collect())]));
            assert_eq!(read.bytes, lines.iter().map(String::len).sum::<usize>());
            let few = read.shown.len();
            let all = hunk(lines.iter().collect());
            assert_eq!(diff::fit(vec![hunk(read.shown)], VIEW_BYTES), diff::fit(vec![all], VIEW_BYTES));
            assert!(few < lines.len() || few == 3, "{few} lines");
        }
    }

    #[test]
    fn what_is_no_list_of_texts_is_not_read() {
        for text in ["[1]", "{}", "[[]]", "null"] {
            assert!(serde_json::from_str::<PatchLines>(text).is_err(), "{text}");
        }
    }
}
