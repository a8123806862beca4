//! A field of a command that says one of three things: leave it, reset it, set it.

use crate::cursor::{Cursor, Fault};
use crate::wire::Wire;

/// A value that can be left as it is, put back to its default, or changed: no field, `null`, or a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Change<T> {
    /// As it is; not written.
    #[default]
    Keep,
    /// The default; written as `null`.
    Reset,
    /// This.
    To(T),
}

impl<T: Wire> Wire for Change<T> {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        Option::read(cursor).map(|value| value.map_or(Change::Reset, Change::To))
    }

    fn write(&self, out: &mut String) {
        match self {
            Change::To(value) => value.write(out),
            Change::Keep | Change::Reset => out.push_str("null"),
        }
    }

    fn absent() -> Option<Self> {
        Some(Change::Keep)
    }

    fn missing() -> Self {
        Change::Keep
    }

    fn is_absent(&self) -> bool {
        matches!(self, Change::Keep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::request::SetMaxThinkingTokens;
    use crate::raw::Raw;
    use crate::wire::to_json;

    #[test]
    fn no_field_null_and_a_value_are_three_things() {
        let read = |text: &str| Raw::from_text(text).unwrap().read::<SetMaxThinkingTokens>().unwrap().value;
        for (text, change) in [
            ("{}", Change::Keep),
            (r#"{"max_thinking_tokens":null}"#, Change::Reset),
            (r#"{"max_thinking_tokens":2048}"#, Change::To(2048)),
        ] {
            let request = SetMaxThinkingTokens::new(change);
            assert_eq!(read(text), request);
            assert_eq!(to_json(&request), text);
        }
    }
}
