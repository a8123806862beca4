//! What differs between two versions in, a report for a person out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::compare::{Comparison, Side, Sighting, Sightings};
use super::fields;
use super::help::{self, Change, Listed};
use super::story::Fact;

/// All that is to be reported.
pub(super) struct Findings {
    /// The version that was compared with.
    pub(super) old: String,
    /// The version that is looked at.
    pub(super) new: String,
    pub(super) comparison: Comparison,
    pub(super) help: Vec<Change>,
    /// What the types do not name in the lines of the new version, in words.
    pub(super) strange: BTreeMap<String, Sighting>,
}

impl Findings {
    /// Is there anything in the new version that a person has to look at before we can say that we support it?
    pub(super) fn is_understood(&self) -> bool {
        let is_new = |failure: &super::compare::Failure| failure.version == Side::New;
        self.strange.is_empty() && !self.comparison.failures.iter().any(is_new)
    }

    /// The report, in groups; a group without entries is left out.
    pub(super) fn text(&self) -> String {
        let Findings { old, new, comparison, .. } = self;
        let scenarios = counted(comparison.scenarios, "scenario");
        let mut text = format!("Claude Code {new} compared with {old}, {scenarios}\n");
        let mut differences = 0;
        for (heading, entries) in [
            ("Messages", self.messages()),
            ("Fields", fields::entries(comparison)),
            ("Control requests", self.answers()),
            ("Offered in `system/init`", self.offers()),
            ("Options and commands of `--help`", self.options()),
            ("Number of lines", self.counts()),
            ("Order of lines", self.order()),
            ("Exit codes", self.exits()),
        ] {
            differences += entries.len();
            group(&mut text, heading, &entries);
        }
        if differences == 0 {
            text.push_str("\nNothing is new, gone or changed.\n");
        }
        group(&mut text, "Not played to the end", &self.failures());
        group(&mut text, "Not understood (`quarterdeck inspect --strict` fails on these)", &self.not_understood());
        let (differences, strange) = (counted(differences, "difference"), counted(self.strange.len(), "thing"));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n{differences}, {strange} not understood.");
        text
    }

    fn messages(&self) -> Vec<String> {
        let Comparison { new, gone, old_facts, new_facts, .. } = &self.comparison;
        let listed = |sightings: &Sightings, others: &BTreeSet<Fact>, [first, also]: [&str; 2], fields: bool| {
            let entry = |(fact, sighting): (&Fact, &Sighting)| {
                let Fact::Kind(kind) = fact else { return None };
                let word = if others.contains(fact) { also } else { first };
                let fields = if fields && !others.contains(fact) { self.fields_of(kind) } else { String::new() };
                Some(format!("{word} `{kind}`, {}{fields}", seen(sighting)))
            };
            sightings.iter().filter_map(entry).collect::<Vec<_>>()
        };
        let mut entries = listed(new, old_facts, ["new:", "seen elsewhere before, now also:"], true);
        entries.extend(listed(gone, new_facts, ["gone:", "no longer, but elsewhere:"], false));
        entries
    }

    /// The fields of a new kind of message.
    fn fields_of(&self, of: &str) -> String {
        let fields = self.comparison.new_facts.iter().filter_map(|fact| match fact {
            Fact::Field { kind, path, json } if kind == of && !path.contains(['.', '[']) => {
                Some(format!("`{path}` ({json})"))
            }
            _ => None,
        });
        let fields: Vec<String> = fields.collect();
        if fields.is_empty() { String::new() } else { format!("; fields: {}", fields.join(", ")) }
    }

    fn answers(&self) -> Vec<String> {
        let pick = |fact: &Fact| match fact {
            Fact::Answer { request, how } => Some((request.clone(), how.clone())),
            _ => None,
        };
        self.turned(pick, |request| format!("`{request}`"))
    }

    fn exits(&self) -> Vec<String> {
        let pick = |fact: &Fact| match fact {
            Fact::Exit { process, how } => Some((*process, how.clone())),
            _ => None,
        };
        self.turned(pick, |process| format!("process {process}"))
    }

    fn counts(&self) -> Vec<String> {
        let pick = |fact: &Fact| match fact {
            Fact::Count(kind, count) => Some((kind.clone(), format!("{count} ×"))),
            _ => None,
        };
        self.turned(pick, |kind| format!("`{kind}`"))
    }

    /// Facts that were one way and are another, scenario by scenario; those that changed alike are one entry.
    fn turned<K: Ord + Clone>(
        &self,
        pick: impl Fn(&Fact) -> Option<(K, String)>,
        shown: impl Fn(&K) -> String,
    ) -> Vec<String> {
        let by_scenario = |sightings: &Sightings| {
            let mut all = BTreeMap::<(K, String), Vec<String>>::new();
            for (fact, sighting) in sightings {
                let Some((key, how)) = pick(fact) else { continue };
                for scenario in &sighting.scenarios {
                    all.entry((key.clone(), scenario.clone())).or_default().push(how.clone());
                }
            }
            all
        };
        let (before, now) = (by_scenario(&self.comparison.gone), by_scenario(&self.comparison.new));
        let mut alike = BTreeMap::<(K, String, String), BTreeSet<String>>::new();
        for place in before.keys().chain(now.keys()).collect::<BTreeSet<_>>() {
            let how =
                |side: &BTreeMap<_, Vec<String>>| side.get(place).map_or("not so".to_owned(), |how| how.join(", "));
            let (key, scenario) = place.clone();
            alike.entry((key, how(&before), how(&now))).or_default().insert(scenario);
        }
        let entry = |((key, before, now), scenarios): (&(K, String, String), &BTreeSet<String>)| {
            format!("{}: {now}, was {before}, in {}", shown(key), names(scenarios))
        };
        alike.iter().map(entry).collect()
    }

    fn offers(&self) -> Vec<String> {
        let entries = |sightings: &Sightings, others: &BTreeSet<Fact>, word: &str| {
            let entry = |(fact, sighting): (&Fact, &Sighting)| match fact {
                Fact::Offer { list, name } => {
                    let where_else = if others.contains(fact) { ", elsewhere as before" } else { "" };
                    Some(format!("{word} in `{list}`: `{name}`, in {}{where_else}", names(&sighting.scenarios)))
                }
                _ => None,
            };
            sightings.iter().filter_map(entry).collect::<Vec<_>>()
        };
        let Comparison { new, gone, old_facts, new_facts, .. } = &self.comparison;
        [entries(new, old_facts, "new"), entries(gone, new_facts, "gone")].concat()
    }

    fn options(&self) -> Vec<String> {
        let taking = |listed: &Listed| match help::choices(&listed.about) {
            Some(choices) => format!("`{}` ({choices})", listed.form),
            None => format!("`{}`", listed.form),
        };
        let entry = |change: &Change| match change {
            Change::New(listed) => Some(format!("new: {}: {}", taking(listed), listed.about)),
            Change::Gone(listed) => Some(format!("gone: {}", taking(listed))),
            Change::Changed(old, new) => Some(format!("changed: {}, was {}", taking(new), taking(old))),
            Change::Reworded(_) => None,
        };
        let mut entries: Vec<String> = self.help.iter().filter_map(entry).collect();
        // Other words seldom mean another option, so they share one entry.
        let reworded = self.help.iter().filter_map(|change| match change {
            Change::Reworded(listed) => Some(format!("`{}`", listed.form)),
            _ => None,
        });
        let reworded: Vec<String> = reworded.collect();
        if !reworded.is_empty() {
            entries.push(format!("reworded: {}", reworded.join(", ")));
        }
        entries
    }

    fn order(&self) -> Vec<String> {
        let swaps = self.comparison.swaps.iter();
        swaps
            .map(|(swap, scenarios)| format!("{} now before {}, in {}", swap.first, swap.second, names(scenarios)))
            .collect()
    }

    fn failures(&self) -> Vec<String> {
        let version = |side| if side == Side::New { &self.new } else { &self.old };
        let failures = self.comparison.failures.iter();
        failures
            .map(|failure| format!("{} with {}: {}", failure.scenario, version(failure.version), failure.reason))
            .collect()
    }

    fn not_understood(&self) -> Vec<String> {
        self.strange.iter().map(|(what, sighting)| format!("{what}, {}", seen(sighting))).collect()
    }
}

fn group(text: &mut String, heading: &str, entries: &[String]) {
    if !entries.is_empty() {
        let _ = writeln!(text, "\n{heading}");
        entries.iter().for_each(|entry| _ = writeln!(text, "  {entry}"));
    }
}

/// A number of things, in words.
pub(super) fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// How often something was seen, and where.
pub(super) fn seen(Sighting { count, scenarios }: &Sighting) -> String {
    format!("{count} × in {}", names(scenarios))
}

/// The first scenarios by name, and how many more there are.
pub(super) fn names(scenarios: &BTreeSet<String>) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<&str> = scenarios.iter().take(SHOWN).map(String::as_str).collect();
    let more = scenarios.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests;
