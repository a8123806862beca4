//! What is known of things by their names, for as long as it can be of use: a thing that is never heard of again must not be
//! remembered for ever.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Things by their names, the last `MOST` of them: each one more takes the place of the oldest.
#[derive(Debug)]
pub(super) struct Recent<V, const MOST: usize> {
    things: BTreeMap<Arc<str>, V>,
    /// The names of all of them, the oldest first.
    names: VecDeque<Arc<str>>,
}

impl<V, const MOST: usize> Default for Recent<V, MOST> {
    fn default() -> Self {
        Recent { things: BTreeMap::new(), names: VecDeque::new() }
    }
}

impl<V, const MOST: usize> Recent<V, MOST> {
    /// Remembers a thing, in place of what was known under its name.
    pub(super) fn insert(&mut self, name: Arc<str>, thing: V) {
        self.make_room(&name);
        if self.things.insert(Arc::clone(&name), thing).is_none() {
            self.names.push_back(name);
        }
    }

    /// What is known of a thing, from here on if it was not known.
    pub(super) fn entry(&mut self, name: &Arc<str>) -> &mut V
    where
        V: Default,
    {
        self.make_room(name);
        match self.things.entry(Arc::clone(name)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                self.names.push_back(Arc::clone(name));
                new.insert(V::default())
            }
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&V> {
        self.things.get(name)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        self.things.get_mut(name)
    }

    /// All of them, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &V)> {
        self.things.iter()
    }

    /// Forgets a thing.
    pub(super) fn remove(&mut self, name: &str) -> Option<V> {
        let thing = self.things.remove(name)?;
        // What ends has mostly begun lately.
        let place = self.names.iter().rposition(|known| &**known == name);
        place.and_then(|place| self.names.remove(place));
        Some(thing)
    }

    /// There will be one more, if it is a new one.
    fn make_room(&mut self, name: &str) {
        if self.names.len() >= MOST
            && !self.things.contains_key(name)
            && let Some(oldest) = self.names.pop_front()
        {
            self.things.remove(&oldest);
        }
    }
}

/// Written as a list, so that the order is kept.
impl<V: Serialize, const MOST: usize> Serialize for Recent<V, MOST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names.iter().map(|name| (name, self.things.get(name))))
    }
}

impl<'de, V: Deserialize<'de>, const MOST: usize> Deserialize<'de> for Recent<V, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut recent = Recent::default();
        for (name, thing) in Vec::<(Arc<str>, V)>::deserialize(deserializer)? {
            recent.insert(name, thing);
        }
        Ok(recent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(recent: &Recent<u32, 3>) -> String {
        serde_json::to_string(recent).unwrap()
    }

    #[test]
    fn the_oldest_makes_room_for_what_is_new() {
        let mut recent = Recent::<u32, 3>::default();
        for (name, thing) in [("d", 1), ("c", 2), ("b", 3)] {
            recent.insert(name.into(), thing);
        }
        // What is known already takes nobody's place.
        recent.insert("c".into(), 4);
        *recent.entry(&"b".into()) += 1;
        assert_eq!(known(&recent), r#"[["d",1],["c",4],["b",4]]"#);
        recent.insert("a".into(), 5);
        assert_eq!(known(&recent), r#"[["c",4],["b",4],["a",5]]"#);
        assert_eq!((recent.get("d"), recent.get("b")), (None, Some(&4)));
        assert_eq!(recent.remove("d"), None);
        // A thing that is over leaves its place.
        assert_eq!(recent.remove("b"), Some(4));
        *recent.entry(&"e".into()) += 1;
        assert_eq!(known(&recent), r#"[["c",4],["a",5],["e",1]]"#);
    }

    #[test]
    fn what_was_written_down_forgets_in_the_same_order() {
        let mut recent: Recent<u32, 3> = serde_json::from_str(r#"[["z",1],["y",2],["x",3]]"#).unwrap();
        recent.insert("a".into(), 4);
        assert_eq!(known(&recent), r#"[["y",2],["x",3],["a",4]]"#);
    }
}
