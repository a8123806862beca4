//! The items of a conversation: found by id, walked in order.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::item::{Item, ItemId, Order};
use crate::shape::Field;

/// Each piece of an answer looks its item up, so the hash is one that is fast for short texts.
type Hashing = foldhash::fast::RandomState;

/// Items by id, and their ids in order; of two in one place the one with the smaller id stands first. In JSON a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Items {
    by_id: HashMap<ItemId, Arc<Item>, Hashing>,
    in_order: BTreeSet<(Order, ItemId)>,
    /// Those of them that the end of a turn or of the agent's process may change. Few, while a session has thousands.
    unsettled: BTreeSet<(Order, ItemId)>,
}

impl Items {
    /// The item with this id.
    pub fn get(&self, id: &str) -> Option<&Item> {
        self.by_id.get(id).map(Arc::as_ref)
    }

    /// The item, to change it. If somebody else holds it, they keep it as it is.
    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut Item> {
        self.by_id.get_mut(id).map(Arc::make_mut)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Item> {
        self.in_order.iter().filter_map(|(_, id)| self.get(id))
    }

    /// Those that stand at `from` or after it.
    pub fn since(&self, from: Order) -> impl DoubleEndedIterator<Item = &Item> {
        self.in_order.range((from, ItemId::from(""))..).filter_map(|(_, id)| self.get(id))
    }

    /// Those that stand at `from` or after it and are not settled.
    pub(crate) fn unsettled_since(&self, from: Order) -> impl Iterator<Item = &Item> {
        self.unsettled.range((from, ItemId::from(""))..).filter_map(|(_, id)| self.get(id))
    }

    /// A copy of those that stand at `from` or after it.
    pub(crate) fn at_least(&self, from: Order) -> Items {
        let since = |places: &BTreeSet<(Order, ItemId)>| places.range((from, ItemId::from(""))..).cloned().collect();
        let in_order: BTreeSet<(Order, ItemId)> = since(&self.in_order);
        let held = |(_, id): &(Order, ItemId)| self.by_id.get_key_value(id);
        let by_id = in_order.iter().filter_map(held).map(|(id, item)| (id.clone(), Arc::clone(item))).collect();
        Items { by_id, in_order, unsettled: since(&self.unsettled) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Puts an item in its place, and takes away the one that has its id.
    pub(crate) fn put(&mut self, item: Arc<Item>) {
        let (place, is_unsettled) = ((item.order, item.id.clone()), item.is_unsettled());
        let before = self.by_id.insert(item.id.clone(), item);
        if let Some(before) = &before
            && before.is_unsettled()
            && !(is_unsettled && before.order == place.0)
        {
            self.unsettled.remove(&(before.order, before.id.clone()));
        }
        if is_unsettled {
            self.unsettled.insert(place.clone());
        }
        match before {
            Some(before) if before.order == place.0 => return,
            Some(before) => _ = self.in_order.remove(&(before.order, before.id.clone())),
            None => {}
        }
        self.in_order.insert(place);
    }

    pub(crate) fn remove(&mut self, id: &str) -> Option<Arc<Item>> {
        let item = self.by_id.remove(id)?;
        let place = (item.order, item.id.clone());
        self.in_order.remove(&place);
        self.unsettled.remove(&place);
        Some(item)
    }

    /// Forgets all that stands before `floor`.
    pub(crate) fn cut(&mut self, floor: Order) {
        self.unsettled = self.unsettled.split_off(&(floor, ItemId::from("")));
        let kept = self.in_order.split_off(&(floor, ItemId::from("")));
        for (_, id) in std::mem::replace(&mut self.in_order, kept) {
            self.by_id.remove(&id);
        }
    }
}

impl Field for Items {}

#[cfg(feature = "schema")]
crate::schema::written_as!(Items, Vec<Item>);

/// A list, as in JSON.
#[cfg(feature = "ts")]
impl ts_rs::TS for Items {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(config: &ts_rs::Config) -> String {
        Vec::<Item>::name(config)
    }

    fn inline(config: &ts_rs::Config) -> String {
        Vec::<Item>::inline(config)
    }

    fn visit_dependencies(visitor: &mut impl ts_rs::TypeVisitor)
    where
        Self: 'static,
    {
        Vec::<Item>::visit_dependencies(visitor);
    }

    fn visit_generics(visitor: &mut impl ts_rs::TypeVisitor)
    where
        Self: 'static,
    {
        Vec::<Item>::visit_generics(visitor);
    }
}

impl FromIterator<Item> for Items {
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> Self {
        let mut all = Items::default();
        items.into_iter().for_each(|item| all.put(Arc::new(item)));
        all
    }
}

impl Serialize for Items {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Items {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Item>::deserialize(deserializer).map(Items::from_iter)
    }
}
