//! Values on the wire: how each Rust type is read from JSON text and written to it.
//!
//! [`Wire`] is implemented by the macros in `wire/macros.rs` for every message, and here for the plain types. Reading
//! is one lenient pass: a field that does not fit becomes a [`Note`](crate::Note) and is skipped, the others are read as if
//! nothing had happened. There is no second, slower reader that could disagree with the first.

use crate::cursor::{Cursor, Fault};
use crate::raw::Raw;

#[macro_use]
mod macros;
mod plain;

pub(crate) use plain::write_list;

/// A value of the protocol. Implemented by this crate's types only; use [`Raw::read`] to read one from raw JSON and
/// [`to_json`] to write one.
pub trait Wire: Sized {
    /// Reads the value at the cursor.
    #[doc(hidden)]
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault>;

    /// Appends the value as JSON.
    #[doc(hidden)]
    fn write(&self, out: &mut String);

    /// The value of a field that is not there, where the type has one.
    #[doc(hidden)]
    fn absent() -> Option<Self> {
        None
    }

    /// The value of a field that had to be there and is not, or did not fit.
    #[doc(hidden)]
    fn missing() -> Self;

    /// Is this a field to leave out when writing?
    #[doc(hidden)]
    fn is_absent(&self) -> bool {
        false
    }
}

/// A value that is a JSON object. Tagged enums and the structs inside them share one object, therefore the tags.
pub trait Fields: Sized {
    /// Reads the object at the cursor; `tags` are keys that an enum around this value has read already.
    #[doc(hidden)]
    fn read_fields(cursor: &mut Cursor<'_>, tags: &[&str]) -> Result<Self, Fault>;

    /// Appends the members of the object.
    #[doc(hidden)]
    fn write_fields(&self, out: &mut ObjectWriter<'_>);
}

/// Room for most values, so that few have to grow while they are written.
const USUAL_BYTES: usize = 512;

/// The value as compact JSON text. Lines to the CLI are made by [`crate::encode`], which also sees to line ends.
pub fn to_json(value: &impl Wire) -> String {
    let mut out = String::with_capacity(USUAL_BYTES);
    value.write(&mut out);
    out
}

/// Writes the members of one JSON object.
#[derive(Debug)]
pub struct ObjectWriter<'a> {
    out: &'a mut String,
    start: usize,
    state: Written,
}

#[derive(Debug, PartialEq)]
enum Written {
    Nothing,
    Members,
    Whole,
}

impl<'a> ObjectWriter<'a> {
    pub(crate) fn write(out: &'a mut String, members: impl FnOnce(&mut ObjectWriter<'_>)) {
        let mut writer = ObjectWriter { start: out.len(), state: Written::Nothing, out };
        members(&mut writer);
        match writer.state {
            Written::Nothing => writer.out.push_str("{}"),
            Written::Members => writer.out.push('}'),
            Written::Whole => {}
        }
    }

    pub(crate) fn field(&mut self, name: &str, value: &impl Wire) {
        if value.is_absent() {
            return;
        }
        self.name(name);
        value.write(self.out);
    }

    pub(crate) fn tag(&mut self, name: &str, kind: &str) {
        self.name(name);
        write_string(kind, self.out);
    }

    fn name(&mut self, name: &str) {
        self.out.push(if self.state == Written::Nothing { '{' } else { ',' });
        self.state = Written::Members;
        // The names are our own, and none has anything to escape.
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
    }

    /// The whole object as it came, in place of what has been written of it.
    pub(crate) fn whole(&mut self, raw: &Raw) {
        self.out.truncate(self.start);
        self.out.push_str(raw.text());
        self.state = Written::Whole;
    }
}

/// A tagged value of a kind that this crate does not know: carried whole.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Other {
    /// What the tag said; empty when it was absent or no string.
    pub kind: String,
    /// The whole object.
    pub raw: Raw,
}

impl Other {
    pub(crate) fn read(cursor: &mut Cursor<'_>, tag: &'static str, kind: &str) -> Result<Self, Fault> {
        let raw = cursor.whole_object()?;
        cursor.unknown(tag, kind);
        Ok(Other { kind: kind.to_owned(), raw: Raw::trusted(raw) })
    }
}

/// A field while its object is being read.
pub(crate) struct Slot<T> {
    value: Option<T>,
    /// The old spelling that filled the slot, if one did.
    alias: Option<&'static str>,
    /// The key was there and its value did not fit: a note says so already.
    noted: bool,
}

impl<T: Wire> Slot<T> {
    pub(crate) fn new() -> Self {
        Slot { value: None, alias: None, noted: false }
    }

    /// Reads the field under its own name. Of repeated keys the last one counts, as in JavaScript.
    #[inline(never)] // One copy for each type and not for each field: there are a thousand fields.
    pub(crate) fn fill(&mut self, cursor: &mut Cursor<'_>, name: &'static str) -> Result<(), Fault> {
        let value = part(cursor, name)?;
        if self.alias.is_some() && value.as_ref().is_none_or(T::is_absent) {
            // A null says nothing, so what the older spelling says stands.
            return Ok(());
        }
        if let Some(alias) = self.alias.take() {
            cursor.unmodelled(alias);
        }
        self.noted = value.is_none();
        self.value = value;
        Ok(())
    }

    /// The same for a slot that is sure to be empty.
    #[inline(always)]
    pub(crate) fn fill_first(&mut self, cursor: &mut Cursor<'_>, name: &'static str) -> Result<(), Fault> {
        self.value = part(cursor, name)?;
        self.noted = self.value.is_none();
        Ok(())
    }

    /// Reads the field under an older spelling, which gives way to the present one.
    pub(crate) fn fill_alias(&mut self, cursor: &mut Cursor<'_>, alias: &'static str) -> Result<(), Fault> {
        if self.alias.is_none() && self.value.as_ref().is_some_and(|value| !value.is_absent()) {
            return cursor.pass_over(alias, &[]);
        }
        if let Some(value) = part(cursor, alias)? {
            self.value = Some(value);
            self.alias = Some(alias);
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn take(self, cursor: &mut Cursor<'_>, name: &'static str) -> T {
        match self.value {
            Some(value) => value,
            None => T::absent().unwrap_or_else(|| nothing(cursor, name, self.noted)),
        }
    }
}

/// The value of a field that had to be there.
#[cold]
fn nothing<T: Wire>(cursor: &mut Cursor<'_>, name: &'static str, noted: bool) -> T {
    if !noted {
        cursor.note(name, "a value", "nothing");
    }
    T::missing()
}

/// Reads a part of something larger. A misfit is noted and passed over; what the part noticed gets `name` in front.
#[inline]
pub(crate) fn part<T: Wire>(cursor: &mut Cursor<'_>, name: &str) -> Result<Option<T>, Fault> {
    let start = cursor.place();
    let before = cursor.noticed.len();
    let value = match T::read(cursor) {
        Ok(value) => Some(value),
        Err(Fault::Misfit(expected)) => {
            cursor.misfit(start, before, expected)?;
            None
        }
        Err(syntax) => return Err(syntax),
    };
    if cursor.noticed.len() > before {
        cursor.name_noticed(before, name);
    }
    Ok(value)
}

impl Cursor<'_> {
    /// Notes that the value at `start` is of another kind, in place of what was noticed inside it, and passes over it.
    #[cold]
    fn misfit(&mut self, start: usize, before: usize, expected: &'static str) -> Result<(), Fault> {
        self.noticed.truncate(before);
        self.rewind(start);
        let found = self.kind();
        self.skip()?;
        self.note("", expected, found);
        Ok(())
    }

    #[cold]
    fn name_noticed(&mut self, before: usize, name: &str) {
        self.noticed.iter_mut().skip(before).for_each(|thing| thing.prefix(name));
    }
}

impl Cursor<'_> {
    /// Passes over a field that no type has; `tags` are those that an enum around the type has read.
    pub(crate) fn pass_over(&mut self, key: &str, tags: &[&str]) -> Result<(), Fault> {
        self.skip()?;
        if !tags.contains(&key) {
            self.unmodelled(key);
        }
        Ok(())
    }
}

/// A field that is written as `null` when it has no value: on some lines the CLI wants to see the key.
#[derive(Clone, Debug, PartialEq)]
pub struct OrNull<T>(
    /// The value, if there is one.
    pub Option<T>,
);

impl<T> Default for OrNull<T> {
    fn default() -> Self {
        OrNull(None)
    }
}

impl<T: Wire> Wire for OrNull<T> {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        Option::read(cursor).map(OrNull)
    }

    fn write(&self, out: &mut String) {
        self.0.write(out);
    }

    fn absent() -> Option<Self> {
        Some(OrNull(None))
    }

    fn missing() -> Self {
        OrNull(None)
    }
}

/// Appends a JSON string. U+2028 and U+2029 are escaped, since some readers of lines take them for line ends.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut run = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape: &str = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..0x20 => {
                out.push_str(&text[run..at]);
                out.push_str(&format!("\\u{byte:04x}"));
                run = at + 1;
                continue;
            }
            0xE2 if text[at..].starts_with('\u{2028}') => "\\u2028",
            0xE2 if text[at..].starts_with('\u{2029}') => "\\u2029",
            _ => continue,
        };
        out.push_str(&text[run..at]);
        out.push_str(escape);
        run = at + if byte == 0xE2 { '\u{2028}'.len_utf8() } else { 1 };
    }
    out.push_str(&text[run..]);
    out.push('"');
}
