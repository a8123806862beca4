//! What the agent wrote last on its stderr, for whoever asks why it died: lines in, the last of them out. The log has all.

use std::collections::VecDeque;

/// So many lines are kept …
const LINES: usize = 200;

/// … and so many bytes: the fact is a line of the log, which is read whenever the session is.
const BYTES: usize = 16 * 1024;

#[derive(Debug, Default)]
pub(crate) struct Tail {
    lines: VecDeque<String>,
    bytes: usize,
}

impl Tail {
    pub(crate) fn push(&mut self, line: &str) {
        // Of one that is too long for itself, how it begins.
        let fits = (0..=line.len().min(BYTES)).rev().find(|end| line.is_char_boundary(*end)).unwrap_or_default();
        let line = &line[..fits];
        self.bytes += line.len();
        self.lines.push_back(line.to_owned());
        while (self.bytes > BYTES || self.lines.len() > LINES)
            && let Some(oldest) = self.lines.pop_front()
        {
            self.bytes -= oldest.len();
        }
    }

    /// The lines, of which none is kept any longer.
    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(self).lines.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_as_far_as_there_is_room() {
        let mut tail = Tail::default();
        (0..300).for_each(|number| tail.push(&number.to_string()));
        let expected: Vec<String> = (100..300).map(|number| number.to_string()).collect();
        assert_eq!(tail.take(), expected);
        (0..10).for_each(|number| tail.push(&number.to_string().repeat(BYTES / 4)));
        let expected: Vec<String> = (6..10).map(|number| number.to_string().repeat(BYTES / 4)).collect();
        assert_eq!(tail.take(), expected);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut() {
        let mut tail = Tail::default();
        tail.push("before");
        tail.push(&"é".repeat(BYTES));
        assert_eq!(tail.take(), ["é".repeat(BYTES / 2)]);
        assert_eq!(tail.take(), Vec::<String>::new());
    }
}
