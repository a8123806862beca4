//! Free-form JSON in events: kept as the text it came in, and written into the event as what it is.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The text of one JSON value: a tool's input, a structured result. Key order and number forms are those of the agent.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Json(#[cfg_attr(feature = "ts", ts(type = "unknown"))] Box<str>);

impl Json {
    /// A text that is known to be one JSON value.
    pub(crate) fn trusted(text: impl Into<Box<str>>) -> Self {
        Json(text.into())
    }

    /// A JSON string.
    pub fn string(text: &str) -> Self {
        // Nearly all have nothing to escape: these are copied once.
        if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
            return Json(["\"", text, "\""].concat().into());
        }
        // A string can always be written.
        Json(serde_json::to_string(text).unwrap_or_default().as_str().into())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// What is in it, as far as it is of this form; the default if it is of another. Lone surrogates read as U+FFFD.
    pub(crate) fn read<T: DeserializeOwned + Default>(&self) -> T {
        claude_protocol::raw::read_text(&self.0).unwrap_or_default()
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Json(value.to_string().into())
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Self {
        Json(value.to_string().into())
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(feature = "schema")]
crate::schema::written_as!(Json, serde_json::Value);

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}
