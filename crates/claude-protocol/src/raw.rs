//! Free-form JSON, kept as the text it came in until someone asks what is in it.

use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::cursor::{Cursor, Fault, Listen};
use crate::note::{Drift, Note};
use crate::wire::{Wire, write_string};

/// The text of one JSON value: a tool's input, a structured result, a schema. Key order, number forms and escapes are
/// those of the CLI.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Raw(Box<str>);

/// A typed reading of a [`Raw`] value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reading<T> {
    /// The value; fields that did not fit are absent.
    pub value: T,
    /// The fields that did not fit.
    pub notes: Vec<Note>,
}

impl<T: Wire> Reading<T> {
    /// The value of a whole text; `None` when it is no JSON, or of another kind altogether. Copies nothing but what the
    /// type keeps.
    pub fn of(text: &str) -> Option<Self> {
        let mut cursor = Cursor::new(text, Listen::Notes);
        let value = T::read(&mut cursor).ok()?;
        cursor.end().ok()?;
        Some(Reading { value, notes: cursor.into_drift().notes })
    }
}

impl Raw {
    /// Text that the cursor has just passed over, so it is known to be one JSON value.
    pub(crate) fn trusted(text: &str) -> Self {
        Raw(text.into())
    }

    /// The value if `text` is one JSON value; white space around it is dropped.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut cursor = Cursor::new(text, Listen::Notes);
        let raw = cursor.raw().ok()?;
        cursor.end().ok()?;
        Some(Raw::trusted(raw))
    }

    /// The value as serde writes it.
    pub fn from_value(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        serde_json::to_string(value).map(|text| Raw(text.into()))
    }

    /// A value of this crate's types.
    pub fn from_wire(value: &impl Wire) -> Self {
        // Copied to its size: to give back what was too much takes longer.
        Raw(crate::wire::to_json(value).as_str().into())
    }

    /// The JSON text, as it came.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The JSON text, as it came, for a new owner.
    pub fn into_text(self) -> Box<str> {
        self.0
    }

    /// The value as a type of this crate; `None` when it is of another JSON kind altogether (a string where the type
    /// is an object, as tool results are after an error).
    pub fn read<T: Wire>(&self) -> Option<Reading<T>> {
        let mut cursor = Cursor::new(&self.0, Listen::Notes);
        let value = T::read(&mut cursor).ok()?;
        Some(Reading { value, notes: cursor.into_drift().notes })
    }

    /// What the value holds that the type does not name; `None` as for [`Raw::read`].
    pub fn drift<T: Wire>(&self) -> Option<Drift> {
        let mut cursor = Cursor::new(&self.0, Listen::Everything);
        T::read(&mut cursor).ok()?;
        Some(cursor.into_drift())
    }

    /// The object with one member set, the others as they are; `None` if the value is no object.
    pub fn with_member(&self, name: &str, value: &impl Wire) -> Option<Raw> {
        let mut cursor = Cursor::new(&self.0, Listen::Notes);
        cursor.open(b'{', "an object").ok()?;
        let mut out = String::from("{");
        let mut first = true;
        while let Some(key) = cursor.key(&mut first).ok()? {
            let member = cursor.raw().ok()?;
            if key != name {
                write_string(&key, &mut out);
                out.extend([":", member, ","]);
            }
        }
        write_string(name, &mut out);
        out.push(':');
        value.write(&mut out);
        out.push('}');
        Some(Raw(out.into()))
    }

    /// The string, if the value is one.
    pub fn as_str(&self) -> Option<std::borrow::Cow<'_, str>> {
        Cursor::new(&self.0, Listen::Notes).string().ok()
    }

    /// Is the value an object?
    pub fn is_object(&self) -> bool {
        self.0.starts_with('{')
    }

    /// The value as any type that serde can read. Lone surrogates, which serde_json refuses, read as U+FFFD; values
    /// nested deeper than 127 levels are an error, as always with serde_json.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0).or_else(|error| match without_lone_surrogates(&self.0) {
            Some(text) => serde_json::from_str(&text),
            None => Err(error),
        })
    }
}

impl From<serde_json::Value> for Raw {
    fn from(value: serde_json::Value) -> Self {
        Raw(value.to_string().into())
    }
}

impl Default for Raw {
    fn default() -> Self {
        Raw("null".into())
    }
}

impl std::fmt::Debug for Raw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &serde_json::value::RawValue = serde_json::from_str(&self.0).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl Wire for Raw {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.raw().map(Raw::trusted)
    }

    fn write(&self, out: &mut String) {
        out.push_str(&self.0);
    }

    fn missing() -> Self {
        Raw::default()
    }

    fn is_absent(&self) -> bool {
        &*self.0 == "null"
    }
}

/// What a text says that is one JSON value, as a type that serde reads; `None` if it does not fit, or is no JSON. Made for
/// structs that name a few of many fields: the others are passed over quickly, however long they are. Lone surrogates read as
/// U+FFFD. Of enums it knows those that are told by a string alone, and untagged ones.
pub fn read_text<T: DeserializeOwned>(text: &str) -> Option<T> {
    crate::cursor::reader::read(text)
}

/// JSON text with every lone surrogate escape made `\ufffd`; `None` when it has none.
pub fn without_lone_surrogates(text: &str) -> Option<String> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    let mut out = String::new();
    let (mut run, mut at) = (0, 0);
    while let Some(step) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += step;
        match unit(at) {
            Some(0xD800..=0xDBFF) if matches!(unit(at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(0xD800..=0xDFFF) => {
                out.push_str(&text[run..at]);
                out.push_str("\\ufffd");
                at += 6;
                run = at;
            }
            // The next character is part of the escape, even if it is a backslash itself.
            _ => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    (run > 0).then(|| out + &text[run..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_are_replaced_and_nothing_else() {
        assert_eq!(without_lone_surrogates(r#"{"b":"\ud83d\ude00"}"#), None);
        assert_eq!(
            without_lone_surrogates(r#"["x\ud83d","\ud83d\ude00","\\ud83d","\ude00é"]"#).as_deref(),
            Some(r#"["x\ufffd","\ud83d\ude00","\\ud83d","\ufffdé"]"#)
        );
        // Not JSON, but nobody is kept from asking.
        for text in ["abc\\", "\\é", "\\u12", "\\"] {
            assert_eq!(without_lone_surrogates(text), None, "{text}");
        }
    }

    #[test]
    fn a_value_with_lone_surrogates_is_parsed() {
        let raw = Raw::from_text(r#"{"a":"x\ud83d"}"#).unwrap();
        assert_eq!(raw.parse::<serde_json::Value>().unwrap(), serde_json::json!({ "a": "x\u{fffd}" }));
    }
}
