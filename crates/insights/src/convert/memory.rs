//! How the CLI's own values are written down with the converter that remembers them: as their JSON text, in a string. So they
//! come back as they were: key order, number forms, lone surrogates.

use claude_protocol::Reading;
use claude_protocol::wire::{Wire, to_json};
use serde::de::{Deserialize, Deserializer, Error};
use serde::{Serialize, Serializer};

/// A value.
pub(super) mod value {
    use super::*;

    pub(in crate::convert) fn serialize<S: Serializer>(value: &impl Wire, serializer: S) -> Result<S::Ok, S::Error> {
        to_json(value).serialize(serializer)
    }

    pub(in crate::convert) fn deserialize<'de, D: Deserializer<'de>, T: Wire>(from: D) -> Result<T, D::Error> {
        read(&String::deserialize(from)?)
    }
}

/// A value that may not be there.
pub(super) mod optional {
    use super::*;

    pub(in crate::convert) fn serialize<S: Serializer>(
        value: &Option<impl Wire>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(to_json).serialize(serializer)
    }

    pub(in crate::convert) fn deserialize<'de, D: Deserializer<'de>, T: Wire>(from: D) -> Result<Option<T>, D::Error> {
        Option::<String>::deserialize(from)?.map(|text| read(&text)).transpose()
    }
}

fn read<T: Wire, E: Error>(text: &str) -> Result<T, E> {
    Reading::of(text).map(|reading| reading.value).ok_or_else(|| E::custom("not what was written down"))
}
