//! Orders of lines from several runs of two versions in, the pairs of lines that have changed places for certain out.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Two lines whose order is now the other way round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Swap {
    /// The line that comes first now.
    pub(super) first: String,
    /// The line that came first before.
    pub(super) second: String,
}

/// The pairs of lines that follow each other in every new run and were the other way round in every old one.
///
/// Whether two lines have a fixed order at all shows only over several runs, so a pair that was seen both ways on either side is
/// left out. Only neighbours are named: a line that moves far would else be reported once for each line that it passes.
pub(super) fn swaps(old: &[&[String]], new: &[&[String]]) -> Vec<Swap> {
    let Some((sample, others)) = new.split_first() else { return Vec::new() };
    if old.is_empty() || old.contains(sample) {
        return Vec::new();
    }
    let common: BTreeSet<Label<'_>> = old
        .iter()
        .chain(new)
        .map(|order| places(order))
        .fold(labels(sample).into_iter().collect(), |common, places| {
            common.into_iter().filter(|label| places.contains_key(label)).collect()
        });
    let (old, others): (Vec<_>, Vec<_>) =
        (old.iter().map(|order| places(order)).collect(), others.iter().map(|order| places(order)).collect());
    let sequence: Vec<Label<'_>> = labels(sample).into_iter().filter(|label| common.contains(label)).collect();
    let is_swapped = |pair: &&[Label<'_>]| {
        let before = |places: &HashMap<Label<'_>, usize>| places[&pair[0]] < places[&pair[1]];
        others.iter().all(before) && !old.iter().any(before)
    };
    let swaps = sequence.windows(2).filter(is_swapped);
    swaps.map(|pair| Swap { first: shown(pair[0]), second: shown(pair[1]) }).collect()
}

/// A line by its kind and which of this kind it is, from 1.
type Label<'a> = (&'a str, usize);

fn labels(order: &[String]) -> Vec<Label<'_>> {
    let mut counts = BTreeMap::<&str, usize>::new();
    let mut label = |kind| {
        let count = counts.entry(kind).or_default();
        *count += 1;
        (kind, *count)
    };
    order.iter().map(|kind| label(kind)).collect()
}

fn places(order: &[String]) -> HashMap<Label<'_>, usize> {
    labels(order).into_iter().enumerate().map(|(place, label)| (label, place)).collect()
}

fn shown((kind, number): Label<'_>) -> String {
    if number == 1 { format!("`{kind}`") } else { format!("`{kind}` no. {number}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(old: &[&str], new: &[&str]) -> Vec<String> {
        let orders = |texts: &[&str]| -> Vec<Vec<String>> {
            texts.iter().map(|text| text.split(' ').map(str::to_owned).collect()).collect()
        };
        let (old, new) = (orders(old), orders(new));
        let old: Vec<&[String]> = old.iter().map(Vec::as_slice).collect();
        let new: Vec<&[String]> = new.iter().map(Vec::as_slice).collect();
        swaps(&old, &new).into_iter().map(|swap| format!("{} before {}", swap.first, swap.second)).collect()
    }

    #[test]
    fn lines_that_changed_places_are_named() {
        assert_eq!(found(&["a b c"], &["b a c"]), ["`b` before `a`"]);
        assert_eq!(found(&["a b a c"], &["a b c a"]), ["`c` before `a` no. 2"]);
    }

    #[test]
    fn a_line_that_moves_far_is_named_once() {
        assert_eq!(found(&["a b c d"], &["d a b c"]), ["`d` before `a`"]);
    }

    #[test]
    fn an_order_that_was_seen_both_ways_is_chance() {
        assert_eq!(found(&["a b", "b a"], &["b a"]), [""; 0]);
        assert_eq!(found(&["a b c", "b c a"], &["b a c"]), [""; 0]);
        assert_eq!(found(&["a b"], &["b a", "a b"]), [""; 0]);
        assert_eq!(found(&["a b", "a b"], &["b a", "b a"]), ["`b` before `a`"]);
    }

    #[test]
    fn lines_that_one_side_lacks_are_not_a_matter_of_order() {
        assert_eq!(found(&["a b"], &["x a b"]), [""; 0]);
        assert_eq!(found(&["a b x"], &["b a"]), ["`b` before `a`"]);
    }
}
