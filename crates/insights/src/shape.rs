//! How our own types look in JSON: camelCase, and what is `None` is left out. Two macros say it once for all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// A field's value: does it have to be written, and how is it in an event?
pub(crate) trait Field {
    /// Only an `Option` can be left out, so that a reader knows what to expect of all others.
    fn is_absent(&self) -> bool {
        false
    }

    /// Writes it as part of an event.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>
    where
        Self: Serialize,
    {
        self.serialize(serializer)
    }
}

impl<T: Field + Serialize> Field for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => value.write(serializer),
            None => serializer.serialize_none(),
        }
    }
}

impl Field for f64 {
    /// Milliseconds and percents are whole numbers nearly always, and readers may expect that they are: so `1200`, not `1200.0`.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = (1_u64 << 53) as f64;
        match self.fract() == 0.0 && self.abs() <= EXACT {
            true => serializer.serialize_i64(*self as i64),
            false => serializer.serialize_f64(*self),
        }
    }
}

impl<T> Field for Vec<T> {}
impl<K, V> Field for BTreeMap<K, V> {}
impl<T: ?Sized> Field for Arc<T> {}
impl<T: ?Sized> Field for Box<T> {}
impl<T: ?Sized> Field for &T {}

macro_rules! plain {
    ($($type:ty),*) => { $( impl Field for $type {} )* };
}

plain!(bool, u32, u64, i32, i64, String, crate::json::Json, crate::time::UnixMillis);

/// Declares parts of events: written, never read.
macro_rules! event {
    ($( $(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* } )*) => {
        $( crate::shape::part! { [] [serde(serialize_with = "crate::shape::Field::write")] $(#[$meta])* pub struct $name { $($fields)* } } )*
    };
}

/// Declares parts of the state and of changes: written, sent, kept in checkpoints and read again.
macro_rules! state {
    ($( $(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* } )*) => {
        $( crate::shape::part! { [serde::Deserialize] [cfg(all())] $(#[$meta])* pub struct $name { $($fields)* } } )*
    };
}

/// A part of either: what it derives beside what both do, what stands at each of its fields, and the part.
macro_rules! part {
    (
        [$($derived:tt)*]
        $at_field:tt
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$field_meta:meta])* pub $field:ident: $type:ty, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, $($derived)*)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[cfg_attr(feature = "ts", ts(optional_fields))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "schema", schemars(transform = crate::schema::never_null))]
        pub struct $name {
            $(
                $(#[$field_meta])*
                #$at_field
                #[serde(skip_serializing_if = "crate::shape::Field::is_absent")]
                pub $field: $type,
            )*
        }

        impl crate::shape::Field for $name {}
    };
}

/// Declares sets of names in camelCase. One with `Other` is open: what is not known is kept as it is.
macro_rules! names {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident, )*
            $(; $(#[$other_meta:meta])* $other:ident(String) )?
        }
    )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum $name {
            $( $(#[$variant_meta])* $variant, )*
            $(
                $(#[$other_meta])*
                #[serde(untagged)]
                // Not `string` alone, or an editor could not offer the known names.
                $other(#[cfg_attr(feature = "ts", ts(type = "(string & {})"))] String),
            )?
        }

        impl crate::shape::Field for $name {}
    )* };
}

pub(crate) use {event, names, part, state};
