//! JSON values into what has a place for them: whatever comes is taken as far as it fits. What does not costs itself alone, and
//! nothing that stands beside it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A place for a value. Each of these takes what is told into it and says whether it fits; what does not is passed over, and the
/// place stays as it was.
pub(super) trait Fit {
    fn text(&mut self, _: Cow<'_, str>) -> bool {
        false
    }

    fn flag(&mut self, _: bool) -> bool {
        false
    }

    fn number(&mut self, _: f64) -> bool {
        false
    }

    fn list<'de, A: SeqAccess<'de>>(&mut self, list: A) -> Result<bool, A::Error> {
        IgnoredAny.visit_seq(list).map(|_| false)
    }

    fn object<'de, A: MapAccess<'de>>(&mut self, object: A) -> Result<bool, A::Error> {
        IgnoredAny.visit_map(object).map(|_| false)
    }
}

/// Takes the next value into a place, whatever it is.
pub(super) struct Fill<'a, T>(pub(super) &'a mut T);

/// The next key of an object, as what it stands for.
pub(super) struct Key<M>(pub(super) fn(&str) -> M);

/// A place has a value now: it fits.
fn set<T>(place: &mut T, value: T) -> bool {
    *place = value;
    true
}

impl Fit for String {
    fn text(&mut self, text: Cow<'_, str>) -> bool {
        set(self, text.into_owned())
    }
}

impl Fit for bool {
    fn flag(&mut self, flag: bool) -> bool {
        set(self, flag)
    }
}

impl Fit for f64 {
    fn number(&mut self, number: f64) -> bool {
        set(self, number)
    }
}

impl<T: Fit + Default> Fit for Option<T> {
    fn text(&mut self, text: Cow<'_, str>) -> bool {
        let mut value = T::default();
        value.text(text) && set(self, Some(value))
    }

    fn flag(&mut self, flag: bool) -> bool {
        let mut value = T::default();
        value.flag(flag) && set(self, Some(value))
    }

    fn number(&mut self, number: f64) -> bool {
        let mut value = T::default();
        value.number(number) && set(self, Some(value))
    }

    fn list<'de, A: SeqAccess<'de>>(&mut self, list: A) -> Result<bool, A::Error> {
        let mut value = T::default();
        Ok(value.list(list)? && set(self, Some(value)))
    }

    fn object<'de, A: MapAccess<'de>>(&mut self, object: A) -> Result<bool, A::Error> {
        let mut value = T::default();
        Ok(value.object(object)? && set(self, Some(value)))
    }
}

impl<T: Fit + Default> Fit for Vec<T> {
    fn list<'de, A: SeqAccess<'de>>(&mut self, mut list: A) -> Result<bool, A::Error> {
        self.clear();
        let mut value = T::default();
        while let Some(fits) = list.next_element_seed(Fill(&mut value))? {
            if fits {
                self.push(std::mem::take(&mut value));
            }
        }
        Ok(true)
    }
}

impl<T: Fit + Default> Fit for BTreeMap<String, T> {
    fn object<'de, A: MapAccess<'de>>(&mut self, mut object: A) -> Result<bool, A::Error> {
        self.clear();
        while let Some(key) = object.next_key()? {
            let mut value = T::default();
            if object.next_value_seed(Fill(&mut value))? {
                self.insert(key, value);
            }
        }
        Ok(true)
    }
}

impl<'de, T: Fit> DeserializeSeed<'de> for Fill<'_, T> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Fit> Visitor<'de> for Fill<'_, T> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<bool, E> {
        Ok(self.0.text(text.into()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<bool, E> {
        Ok(self.0.text(text.into()))
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<bool, E> {
        Ok(self.0.flag(flag))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<bool, E> {
        Ok(self.0.number(number as f64))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<bool, E> {
        Ok(self.0.number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<bool, E> {
        Ok(self.0.number(number))
    }

    fn visit_unit<E: Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<bool, A::Error> {
        self.0.list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<bool, A::Error> {
        self.0.object(object)
    }
}

impl<'de, M> DeserializeSeed<'de> for Key<M> {
    type Value = M;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<M, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<M> Visitor<'_> for Key<M> {
    type Value = M;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<M, E> {
        Ok((self.0)(key))
    }
}
