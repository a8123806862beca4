//! Stories of two versions in, what differs between them for certain out.
//!
//! Timing is not drift: a fact counts as new only if every run of the new version has it and no run of the old one does. A
//! difference that few scenarios show is worth a second look ([`Comparison::suspects`]); one that many show is not chance.

use std::collections::{BTreeMap, BTreeSet};

use super::order::{Swap, swaps};
use super::story::{Fact, Story};

/// How one attempt at a scenario ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Run {
    Played(Story),
    /// It could not be played to the end, and why.
    Failed(String),
}

/// All runs of one version, by scenario.
pub(super) type Runs = BTreeMap<String, Vec<Run>>;

/// What differs between two versions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Comparison {
    /// How many scenarios were compared.
    pub(super) scenarios: usize,
    /// Facts that the new version adds, with the scenarios that show them.
    pub(super) new: Sightings,
    /// Facts that it lacks.
    pub(super) gone: Sightings,
    /// Lines that changed places.
    pub(super) swaps: BTreeMap<Swap, BTreeSet<String>>,
    /// Scenarios that only one version plays to the end, or neither.
    pub(super) failures: Vec<Failure>,
    /// All facts of all runs of the old version.
    pub(super) old_facts: BTreeSet<Fact>,
    /// All facts of all runs of the new version.
    pub(super) new_facts: BTreeSet<Fact>,
}

/// Facts with the scenarios that show them.
pub(super) type Sightings = BTreeMap<Fact, Sighting>;

/// Where a fact was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sighting {
    /// How often, in one run of each scenario.
    pub(super) count: usize,
    pub(super) scenarios: BTreeSet<String>,
}

/// A scenario that could not be played to the end in any run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) scenario: String,
    pub(super) version: Side,
    pub(super) reason: String,
}

/// Which of the two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Old,
    New,
}

/// So many scenarios show by themselves that a difference is not chance.
const ENOUGH: usize = 3;

impl Comparison {
    /// Compares the runs of two versions. Scenarios that one of them cannot do are left out.
    pub(super) fn of(old: &Runs, new: &Runs) -> Self {
        let mut comparison = Comparison::default();
        for (scenario, new) in new {
            if let Some(old) = old.get(scenario) {
                comparison.scenarios += 1;
                comparison.scenario(scenario, old, new);
            }
        }
        comparison
    }

    /// The scenarios that should be played again before anything is said about them.
    pub(super) fn suspects(&self) -> BTreeSet<String> {
        let facts = self.new.values().chain(self.gone.values()).map(|sighting| &sighting.scenarios);
        let rare = facts.chain(self.swaps.values()).filter(|scenarios| scenarios.len() < ENOUGH);
        let failed = self.failures.iter().map(|failure| &failure.scenario);
        rare.flatten().chain(failed).cloned().collect()
    }

    fn scenario(&mut self, scenario: &str, old: &[Run], new: &[Run]) {
        let (old_stories, new_stories) = (stories(old), stories(new));
        for (version, runs, stories) in [(Side::Old, old, &old_stories), (Side::New, new, &new_stories)] {
            if let (true, Some(Run::Failed(reason))) = (stories.is_empty(), runs.first()) {
                self.failures.push(Failure { scenario: scenario.to_owned(), version, reason: reason.clone() });
            }
        }
        if old_stories.is_empty() || new_stories.is_empty() {
            return;
        }
        let all = |stories: &[&Story]| -> BTreeSet<Fact> {
            stories.iter().flat_map(|story| story.facts.keys().cloned()).collect()
        };
        self.old_facts.extend(all(&old_stories));
        self.new_facts.extend(all(&new_stories));
        self.swaps_of(scenario, &old_stories, &new_stories);
        add(&mut self.new, scenario, &old_stories, &new_stories);
        add(&mut self.gone, scenario, &new_stories, &old_stories);
    }

    fn swaps_of<'a>(&mut self, scenario: &str, old: &[&'a Story], new: &[&'a Story]) {
        let orders = |stories: &[&'a Story]| stories.iter().map(|story| story.order.as_slice()).collect::<Vec<_>>();
        for swap in swaps(&orders(old), &orders(new)) {
            self.swaps.entry(swap).or_default().insert(scenario.to_owned());
        }
    }
}

fn stories(runs: &[Run]) -> Vec<&Story> {
    runs.iter().filter_map(|run| if let Run::Played(story) = run { Some(story) } else { None }).collect()
}

/// Adds the facts that all of these stories have and none of the others. Where messages of a kind come at all or not, that says
/// everything about their fields and their number.
fn add(sightings: &mut Sightings, scenario: &str, without: &[&Story], with: &[&Story]) {
    let Some((sample, others)) = with.split_first() else { return };
    let is_certain = |fact: &Fact| {
        others.iter().all(|story| story.facts.contains_key(fact))
            && !without.iter().any(|story| story.facts.contains_key(fact))
    };
    let has_kind = |kind: &str| {
        let kind = Fact::Kind(kind.to_owned());
        without.iter().any(|story| story.facts.contains_key(&kind))
    };
    for (fact, count) in &sample.facts {
        let is_implied = match fact {
            Fact::Count(kind, _) | Fact::Field { kind, .. } => !has_kind(kind),
            _ => false,
        };
        if !is_implied && is_certain(fact) {
            let sighting = sightings.entry(fact.clone()).or_default();
            sighting.count += count;
            sighting.scenarios.insert(scenario.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Fact {
        Fact::Kind(name.to_owned())
    }

    fn count(name: &str, count: usize) -> Fact {
        Fact::Count(name.to_owned(), count)
    }

    fn played(facts: &[Fact]) -> Run {
        Run::Played(Story { facts: facts.iter().map(|fact| (fact.clone(), 1)).collect(), ..Story::default() })
    }

    fn runs(of: &[(&str, Vec<Run>)]) -> Runs {
        of.iter().map(|(name, runs)| ((*name).to_owned(), runs.clone())).collect()
    }

    #[test]
    fn only_what_every_run_shows_is_new_or_gone() {
        let old = runs(&[("s", vec![played(&[kind("a"), kind("sometimes"), kind("rare")]), played(&[kind("a")])])]);
        let new = runs(&[("s", vec![played(&[kind("b"), kind("sometimes"), kind("once")]), played(&[kind("b")])])]);
        let comparison = Comparison::of(&old, &new);
        assert_eq!(comparison.new.keys().collect::<Vec<_>>(), [&kind("b")]);
        assert_eq!(comparison.gone.keys().collect::<Vec<_>>(), [&kind("a")]);
    }

    #[test]
    fn the_same_runs_differ_in_nothing() {
        let same = runs(&[("s", vec![played(&[kind("a"), count("a", 2)])])]);
        let comparison = Comparison::of(&same, &same);
        assert!(comparison.new.is_empty() && comparison.gone.is_empty() && comparison.suspects().is_empty());
    }

    #[test]
    fn how_often_a_message_comes_says_nothing_where_it_is_new() {
        let old = runs(&[("s", vec![played(&[kind("a"), count("a", 1)])])]);
        let new = runs(&[("s", vec![played(&[kind("a"), count("a", 2), kind("b"), count("b", 1)])])]);
        let comparison = Comparison::of(&old, &new);
        assert_eq!(comparison.new.keys().collect::<Vec<_>>(), [&kind("b"), &count("a", 2)]);
        assert_eq!(comparison.gone.keys().collect::<Vec<_>>(), [&count("a", 1)]);
    }

    #[test]
    fn a_difference_that_few_scenarios_show_is_looked_at_again() {
        let side = |fact: &Fact, names: &[&str]| -> Runs {
            names.iter().map(|name| ((*name).to_owned(), vec![played(std::slice::from_ref(fact))])).collect()
        };
        let suspects = |names: &[&str]| Comparison::of(&side(&kind("a"), names), &side(&kind("b"), names)).suspects();
        assert_eq!(suspects(&["1", "2"]), ["1".to_owned(), "2".to_owned()].into());
        assert_eq!(suspects(&["1", "2", "3"]), BTreeSet::new());
    }

    #[test]
    fn a_failure_counts_only_if_the_scenario_fails_every_time() {
        let failed = || Run::Failed("waited".to_owned());
        let old = runs(&[("a", vec![played(&[])]), ("b", vec![played(&[])])]);
        let new = runs(&[("a", vec![failed(), failed()]), ("b", vec![failed(), played(&[])])]);
        let comparison = Comparison::of(&old, &new);
        let failure = Failure { scenario: "a".to_owned(), version: Side::New, reason: "waited".to_owned() };
        assert_eq!(comparison.failures, [failure]);
        assert_eq!(comparison.suspects(), ["a".to_owned()].into());
    }

    #[test]
    fn a_scenario_of_one_version_alone_is_not_compared() {
        let new = runs(&[("s", vec![played(&[kind("a")])])]);
        assert_eq!(Comparison::of(&Runs::new(), &new), Comparison::default());
    }
}
