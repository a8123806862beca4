//! Many changes in, fewer out that do the same: of each part of the header and of each item only what it is in the end.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use super::{Change, ItemId};

/// What a change is about. Changes of two subjects do not touch each other, so their order does not matter.
#[derive(PartialEq, Eq, Hash)]
enum Subject {
    Header(Discriminant<Change>),
    Item(ItemId),
}

/// Changes that leave any state as the given ones do.
pub fn coalesce(changes: Vec<Change>) -> Vec<Change> {
    let mut kept: Vec<Change> = Vec::with_capacity(changes.len());
    let mut place_of: HashMap<Subject, usize> = HashMap::new();
    for change in changes {
        let place = *place_of.entry(subject(&change)).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(earlier) => merge(earlier, change),
            None => kept.push(change),
        }
    }
    kept
}

fn subject(change: &Change) -> Subject {
    match change {
        Change::Put { item } => Subject::Item(item.id.clone()),
        Change::Append { id, .. } | Change::Drop { id } => Subject::Item(id.clone()),
        Change::Status { .. }
        | Change::Meters { .. }
        | Change::Catalog { .. }
        | Change::Tasks { .. }
        | Change::Jobs { .. }
        | Change::Mcp { .. }
        | Change::Queue { .. }
        | Change::Asks { .. } => Subject::Header(discriminant(change)),
    }
}

/// Makes `earlier` do what it and then `later` do. All changes but one replace what was there.
fn merge(earlier: &mut Change, later: Change) {
    let Change::Append { text, .. } = &later else {
        *earlier = later;
        return;
    };
    match earlier {
        Change::Put { item } => {
            if let Some(growing) = Arc::make_mut(item).body.growing() {
                growing.push_str(text);
            }
        }
        Change::Append { text: before, .. } => before.push_str(text),
        // What is gone cannot grow.
        _ => {}
    }
}
