//! The lines of a part of a diff, as a result has them: a list of texts in; those that a view may show out, and what all of
//! them come to. A changed file may be a megabyte of lines, of which a view has room for a few hundred.

use std::borrow::Cow;

use serde::de::SeqAccess;

use crate::state::clip::VIEW_BYTES;
use crate::state::diff;
use crate::state::lines::Lines;

use super::fit::{Fill, Fit};

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

impl Fit for PatchLines {
    fn list<'de, A: SeqAccess<'de>>(&mut self, mut list: A) -> Result<bool, A::Error> {
        while list.next_element_seed(Fill(&mut Next(self)))?.is_some() {}
        Ok(true)
    }
}

/// The next line, which is looked at where it stands and copied only if it may be shown.
struct Next<'a>(&'a mut PatchLines);

impl Fit for Next<'_> {
    fn text(&mut self, line: Cow<'_, str>) -> bool {
        self.0.add(&line);
        true
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeSeed;

    use super::*;
    use crate::state::tool::Hunk;

    fn hunk(lines: Lines) -> Hunk {
        Hunk { old_start: 0, old_lines: 0, new_start: 0, new_lines: 0, lines }
    }

    /// The lines of a text, if it is a list.
    fn read(text: &str) -> Option<PatchLines> {
        let mut lines = PatchLines::default();
        let is_list = Fill(&mut lines).deserialize(&mut serde_json::Deserializer::from_str(text)).unwrap();
        is_list.then_some(lines)
    }

    #[test]
    fn omitted_lines_would_not_have_been_shown() {
        let plain = |line: &str, count: usize| vec![line.to_owned(); count];
        for lines in [
            plain("+a line", 3),
            plain("-", 20_000),
            plain("+\"\\\u{1}é", 9000),
            plain(&format!(" {}", "\u{1}".repeat(5000)), 100),
            plain(&"é".repeat(5000), 100),
            [plain("-a", 4000), plain(&"+b".repeat(3000), 40)].concat(),
        ] {
            let read = read(&serde_json::to_string(&lines).unwrap()).unwrap();
            assert_eq!((read.added, read.removed), diff::count(&[hunk(lines.iter().collect())]));
            assert_eq!(read.bytes, lines.iter().map(String::len).sum::<usize>());
            let few = read.shown.len();
            let all = hunk(lines.iter().collect());
            assert_eq!(diff::fit(vec![hunk(read.shown)], VIEW_BYTES), diff::fit(vec![all], VIEW_BYTES));
            assert!(few < lines.len() || few == 3, "{few} lines");
        }
    }

    #[test]
    fn what_is_no_line_is_passed_over() {
        for text in ["1", "{}", "\"+a\"", "null"] {
            assert!(read(text).is_none(), "{text}");
        }
        let lines = read(r#"[1, "+a", [[]], {"b": []}, null, "-c"]"#).unwrap();
        assert_eq!((lines.added, lines.removed, lines.bytes, lines.shown.len()), (1, 1, 4, 2));
    }
}
