//! How our own types look in JSON: camelCase, and what is `None` is left out. Two macros say it once for all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A field's value: does it have to be written?
pub(crate) trait Field {
    /// Only an `Option` can be left out, so that a reader knows what to expect of all others.
    fn is_absent(&self) -> bool {
        false
    }
}

impl<T> Field for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Field for Vec<T> {}
impl<K, V> Field for BTreeMap<K, V> {}
impl<T: ?Sized> Field for Arc<T> {}
impl<T: ?Sized> Field for Box<T> {}

macro_rules! plain {
    ($($type:ty),*) => { $( impl Field for $type {} )* };
}

plain!(bool, u32, u64, i32, i64, f64, String, crate::json::Json, crate::time::UnixMillis);

/// Declares parts of events: written, never read.
macro_rules! event {
    ($( $(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* } )*) => {
        $( crate::shape::part! { [] $(#[$meta])* pub struct $name { $($fields)* } } )*
    };
}

/// Declares parts of the state and of changes: written, sent, kept in checkpoints and read again.
macro_rules! state {
    ($( $(#[$meta:meta])* pub struct $name:ident { $($fields:tt)* } )*) => {
        $( crate::shape::part! { [serde::Deserialize] $(#[$meta])* pub struct $name { $($fields)* } } )*
    };
}

/// A part of either: what it derives beside what both do, and the part.
macro_rules! part {
    (
        [$($derived:tt)*]
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
