//! Fields that differ in, what about each of them differs out: new, gone, of another type, or in other places than before.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::{Comparison, Sighting, Sightings};
use super::report::{names, seen};
use super::shape::JsonType;
use super::story::Fact;

/// A kind of message and a path in it.
type Field = (String, String);

/// One entry for each field that differs. What is inside such a field is not listed as well.
pub(super) fn entries(comparison: &Comparison) -> Vec<String> {
    let (new, gone) = (by_field(&comparison.new), by_field(&comparison.gone));
    let (types_before, types_now) = (types(&comparison.old_facts), types(&comparison.new_facts));
    let none = Types::new();
    let mut entries = Vec::new();
    let mut reported: Option<&Field> = None;
    for field in new.keys().chain(gone.keys()).collect::<BTreeSet<_>>() {
        if reported.is_some_and(|outer| is_inside(field, outer)) {
            continue;
        }
        let before = types_before.get(field).unwrap_or(&none);
        let now = types_now.get(field).unwrap_or(&none);
        let (kind, path) = field;
        let what = match (new.get(field), gone.get(field)) {
            (Some(new), _) if before.is_empty() => {
                format!("new: `{path}` ({}) in `{kind}`, {}", words(now), seen(&new.1))
            }
            (_, Some(gone)) if now.is_empty() => {
                format!("gone: `{path}` ({}) in `{kind}`, {}", words(before), seen(&gone.1))
            }
            (Some(new), Some(gone)) => {
                let (is, was) = (words(&new.0), words(&gone.0));
                format!("changed: `{path}` in `{kind}` is {is}, was {was}, in {}", names(&new.1.scenarios))
            }
            (Some(new), None) if !new.0.is_subset(before) => {
                format!(
                    "changed: `{path}` in `{kind}` can be {}, was {}, {}",
                    words(&new.0),
                    words(before),
                    seen(&new.1)
                )
            }
            (Some(new), None) => format!("seen elsewhere before, now also: `{path}` in `{kind}`, {}", seen(&new.1)),
            (None, Some(gone)) => format!("no longer, but elsewhere: `{path}` in `{kind}`, {}", seen(&gone.1)),
            (None, None) => continue,
        };
        reported = Some(field);
        entries.push(what);
    }
    entries
}

type Types = BTreeSet<JsonType>;

fn types(facts: &BTreeSet<Fact>) -> BTreeMap<Field, Types> {
    let mut types = BTreeMap::<Field, Types>::new();
    for fact in facts {
        if let Fact::Field { kind, path, json } = fact {
            types.entry((kind.clone(), path.clone())).or_default().insert(*json);
        }
    }
    types
}

fn by_field(sightings: &Sightings) -> BTreeMap<Field, (Types, Sighting)> {
    let mut fields = BTreeMap::<Field, (Types, Sighting)>::new();
    for (fact, sighting) in sightings {
        if let Fact::Field { kind, path, json } = fact {
            let (types, all) = fields.entry((kind.clone(), path.clone())).or_default();
            types.insert(*json);
            all.count += sighting.count;
            all.scenarios.extend(sighting.scenarios.iter().cloned());
        }
    }
    fields
}

fn is_inside((kind, path): &Field, (outer_kind, outer): &Field) -> bool {
    kind == outer_kind && path.strip_prefix(outer.as_str()).is_some_and(|rest| rest.starts_with(['.', '[', '(']))
}

fn words(types: &Types) -> String {
    types.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}
