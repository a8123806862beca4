//! What changes between two texts, as parts of a diff: before a file is changed nobody else has computed it.

use similar::{Algorithm, ChangeTag, DiffOp, capture_diff_slices, group_diff_ops};

use super::clip::{bytes_in_json, head};
use super::lines::Lines;
use super::tool::Hunk;

/// Lines around a change that are shown with it.
const CONTEXT: usize = 3;

/// With more lines than these, old and new are shown one after the other: comparing them would take long.
const COMPARABLE_LINES: usize = 4000;

/// The most bytes of one line of a diff.
const LINE_BYTES: usize = 2000;

/// What a line costs in JSON beside its text.
const AROUND_LINE: usize = 3;

/// What a part costs in JSON beside its lines.
const AROUND_HUNK: usize = 100;

/// The parts in which `new` differs from `old`. Where in a file they are is not known, so they begin at line 0.
pub fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let operations = if old.len() + new.len() > COMPARABLE_LINES {
        vec![DiffOp::Replace { old_index: 0, old_len: old.len(), new_index: 0, new_len: new.len() }]
    } else {
        capture_diff_slices(Algorithm::Myers, &old, &new)
    };
    let groups = group_diff_ops(operations, CONTEXT);
    groups.iter().map(|group| hunk(group, &old, &new)).filter(|hunk| !hunk.lines.is_empty()).collect()
}

fn hunk(group: &[DiffOp], old: &[&str], new: &[&str]) -> Hunk {
    let mut hunk = Hunk { old_start: 0, old_lines: 0, new_start: 0, new_lines: 0, lines: Lines::default() };
    for change in group.iter().flat_map(|operation| operation.iter_changes(old, new)) {
        let sign = match change.tag() {
            ChangeTag::Equal => " ",
            ChangeTag::Delete => "-",
            ChangeTag::Insert => "+",
        };
        hunk.old_lines += u32::from(sign != "+");
        hunk.new_lines += u32::from(sign != "-");
        hunk.lines.push(&[sign, change.value()]);
    }
    hunk
}

/// How many lines come and go.
pub(crate) fn count(hunks: &[Hunk]) -> (u32, u32) {
    let lines = |sign: char| {
        let count = hunks.iter().flat_map(|hunk| hunk.lines.iter()).filter(|line| line.starts_with(sign)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    (lines('+'), lines('-'))
}

/// What a line takes at least when it is shown, so that a reader knows without measuring when there is no room for more.
pub(crate) fn least_bytes(line: &str) -> usize {
    // A line that is cut is not cut in the middle of a character or of its escape.
    line.len().min(LINE_BYTES - 8) + AROUND_LINE
}

/// As many of the parts as fit into `limit` bytes of JSON, and whether that is all.
pub(crate) fn fit(hunks: Vec<Hunk>, limit: usize) -> (Vec<Hunk>, bool) {
    let (mut room, mut whole) = (limit, true);
    let mut kept = Vec::new();
    for mut hunk in hunks {
        let Some(left) = room.checked_sub(AROUND_HUNK) else { return (kept, false) };
        room = left;
        let (mut fitting, mut same) = (0, true);
        for line in hunk.lines.iter() {
            let shown = head(line, LINE_BYTES);
            let Some(left) = room.checked_sub(bytes_in_json(shown) + AROUND_LINE) else { break };
            room = left;
            same &= shown.len() == line.len();
            fitting += 1;
        }
        let cut = fitting < hunk.lines.len();
        whole &= same;
        if cut || !same {
            hunk.lines = hunk.lines.iter().take(fitting).map(|line| head(line, LINE_BYTES)).collect();
        }
        hunk.lines.shrink_to_fit();
        kept.push(hunk);
        if cut {
            return (kept, false);
        }
    }
    (kept, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_line_is_shown_between_its_neighbours() {
        let old = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine";
        let new = "one\ntwo\nthree\nfour\nFIVE\nsix\nseven\neight\nnine";
        let lines = [" two", " three", " four", "-five", "+FIVE", " six", " seven", " eight"];
        let lines = lines.into_iter().collect();
        assert_eq!(hunks(old, new), [Hunk { old_start: 0, old_lines: 7, new_start: 0, new_lines: 7, lines }]);
    }

    #[test]
    fn a_new_text_is_all_added_and_equal_texts_have_no_parts() {
        let lines = ["+a", "+b"].into_iter().collect();
        assert_eq!(hunks("", "a\nb\n"), [Hunk { old_start: 0, old_lines: 0, new_start: 0, new_lines: 2, lines }]);
        assert_eq!(hunks("a\n", "a\n"), []);
    }

    #[test]
    fn texts_too_long_to_compare_are_shown_one_after_the_other() {
        let old = "x\n".repeat(COMPARABLE_LINES);
        let parts = hunks(&old, "x\n");
        assert_eq!(count(&parts), (1, COMPARABLE_LINES as u32));
        let (kept, whole) = fit(parts, 1000);
        assert_eq!((kept.len(), whole), (1, false));
        assert!(serde_json::to_string(&kept).unwrap().len() <= 1000);
    }

    #[test]
    fn a_long_line_is_cut_and_said_to_be() {
        let (kept, whole) = fit(hunks("", &"\"".repeat(1_000_000)), 24_000);
        assert!(!whole);
        assert_eq!(kept.iter().map(|hunk| hunk.lines.len()).sum::<usize>(), 1);
        assert!(serde_json::to_string(&kept).unwrap().len() <= 24_000);
    }
}
