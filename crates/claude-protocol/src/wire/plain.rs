//! The plain types on the wire: strings, numbers, lists and maps.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Fields, ObjectWriter, Wire, part, write_string};
use crate::cursor::{Cursor, Fault};

impl Wire for String {
    #[inline]
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.string().map(std::borrow::Cow::into_owned)
    }

    fn write(&self, out: &mut String) {
        write_string(self, out);
    }

    fn missing() -> Self {
        String::new()
    }
}

impl Wire for bool {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.boolean()
    }

    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }

    fn missing() -> Self {
        false
    }
}

impl Wire for u64 {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        if let Some(number) = cursor.counted() {
            return Ok(number);
        }
        let text = cursor.number()?;
        let exact = text.parse().ok();
        exact.or_else(|| whole(text, 0.0).map(|number| number as u64)).ok_or(Fault::Misfit("a whole number from 0"))
    }

    fn write(&self, out: &mut String) {
        number(self, out);
    }

    fn missing() -> Self {
        0
    }
}

impl Wire for i64 {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let text = cursor.number()?;
        let exact = text.parse().ok();
        exact.or_else(|| whole(text, -EXACT).map(|number| number as i64)).ok_or(Fault::Misfit("a whole number"))
    }

    fn write(&self, out: &mut String) {
        number(self, out);
    }

    fn missing() -> Self {
        0
    }
}

/// Appends a number as Rust prints it. A `String` takes whatever is written to it.
fn number(number: &impl std::fmt::Display, out: &mut String) {
    let _ = write!(out, "{number}");
}

/// Up to here every whole number has a floating-point form of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A whole number that is written as a float (`5.0`, `1e3`): JavaScript makes no difference, so neither do we.
fn whole(text: &str, least: f64) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.fract() == 0.0 && (least..=EXACT).contains(number))
}

impl Wire for f64 {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let number = cursor.number()?.parse::<f64>().ok();
        number.filter(|number| number.is_finite()).ok_or(Fault::Misfit("a finite number"))
    }

    fn write(&self, out: &mut String) {
        // Rust prints the shortest text that reads back as the same number, but has no text for what JSON lacks.
        if self.is_finite() { number(self, out) } else { out.push_str("null") }
    }

    fn missing() -> Self {
        0.0
    }
}

impl<T: Wire> Wire for Option<T> {
    /// A null is the same as no field.
    #[inline]
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        if cursor.null()? { Ok(None) } else { T::read(cursor).map(Some) }
    }

    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn missing() -> Self {
        None
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: Wire> Wire for Box<T> {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        T::read(cursor).map(Box::new)
    }

    fn write(&self, out: &mut String) {
        (**self).write(out);
    }

    fn absent() -> Option<Self> {
        T::absent().map(Box::new)
    }

    fn missing() -> Self {
        Box::new(T::missing())
    }

    fn is_absent(&self) -> bool {
        (**self).is_absent()
    }
}

impl<T: Fields> Fields for Box<T> {
    fn read_fields(cursor: &mut Cursor<'_>, tags: &[&str]) -> Result<Self, Fault> {
        T::read_fields(cursor, tags).map(Box::new)
    }

    fn write_fields(&self, out: &mut ObjectWriter<'_>) {
        (**self).write_fields(out);
    }
}

impl<T: Wire> Wire for Vec<T> {
    /// An element that does not fit is noted and left out.
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.open(b'[', "a list")?;
        let mut list = Vec::new();
        let mut first = true;
        while cursor.more(b']', &mut first)? {
            list.extend(part(cursor, "[]")?);
        }
        Ok(list)
    }

    fn write(&self, out: &mut String) {
        write_list(self, out);
    }

    fn missing() -> Self {
        Vec::new()
    }
}

/// Appends a JSON list.
pub(crate) fn write_list<T: Wire>(list: &[T], out: &mut String) {
    out.push('[');
    for (index, value) in list.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        value.write(out);
    }
    out.push(']');
}

impl<T: Wire> Wire for BTreeMap<String, T> {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.open(b'{', "an object")?;
        let mut map = BTreeMap::new();
        let mut first = true;
        while let Some(key) = cursor.key(&mut first)? {
            // The key is data, so a path shows it as `*`: one new field is one path and not one per model.
            if let Some(value) = part(cursor, "*")? {
                map.insert(key.into_owned(), value);
            }
        }
        Ok(map)
    }

    fn write(&self, out: &mut String) {
        out.push('{');
        for (index, (key, value)) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            write_string(key, out);
            out.push(':');
            value.write(out);
        }
        out.push('}');
    }

    fn missing() -> Self {
        BTreeMap::new()
    }
}
