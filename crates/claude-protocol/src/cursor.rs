//! JSON text in, pieces out: the one place that knows JSON's grammar.
//!
//! A [`Cursor`] walks a text once, from left to right. It is strict about the grammar (a text that JSON's rules do not
//! allow is a [`Fault::Syntax`]) and lenient about everything else: any depth, any length, repeated keys, lone
//! surrogates. It is our own because the readers at hand refuse lone surrogates, which the CLI does write, and because
//! a field that does not fit must not cost the other fields (see [`crate::wire`]).

use std::borrow::Cow;

mod numbers;
pub(crate) mod reader;
mod strings;

use crate::note::{Drift, Note, Noticed, Unknown};

/// Why a value could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text is JSON, but the value is of another kind than expected: only this field is lost.
    Misfit(&'static str),
    /// The text is not JSON: the whole line is lost to the types (and kept as text).
    Syntax {
        /// Where in the text, in bytes.
        at: usize,
    },
}

/// What a reader wants to hear besides the value itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listen {
    /// Only what did not fit.
    Notes,
    /// Also the fields and kinds that no type of ours names.
    Everything,
}

/// A key that tells kinds apart, also as it stands in the text when it is the first or a later member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    pub(crate) name: &'static str,
    /// `{"type":"`
    pub(crate) first: &'static str,
    /// `,"type":"`
    pub(crate) inside: &'static str,
}

/// A place in a JSON text, and what was noticed on the way to it.
#[derive(Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// Reading has gone inside an object whose fields are still to be read: see [`Cursor::tag`].
    inside: bool,
    /// Where that object begins.
    object: usize,
    /// How many typed values are open around this place.
    depth: usize,
    /// Brackets open while a value is skipped; kept here so that skipping allocates once per line.
    brackets: Vec<u8>,
    listen: Listen,
    pub(crate) noticed: Vec<Noticed>,
}

/// Typed values nested deeper than this are carried as raw text: no real line comes near, and a hostile one must not
/// exhaust the stack.
const DEEPEST: usize = 16;

/// A line of a million misfits is as strange as one of a thousand, and must not cost a thousand times the memory.
const MOST_NOTICED: usize = 1000;

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, listen: Listen) -> Self {
        Cursor { text, at: 0, inside: false, object: 0, depth: 0, brackets: Vec::new(), listen, noticed: Vec::new() }
    }

    pub(crate) fn place(&self) -> usize {
        self.at
    }

    /// Goes back to a place taken before.
    pub(crate) fn rewind(&mut self, place: usize) {
        self.at = place;
        self.inside = false;
    }

    /// A field of a known value did not fit, or was not there.
    pub(crate) fn note(&mut self, path: &str, expected: &'static str, found: &'static str) {
        self.notice(|| Noticed::Note(Note { path: path.to_owned(), expected, found }));
    }

    /// A field that no type has.
    pub(crate) fn unmodelled(&mut self, path: &str) {
        if self.listen == Listen::Everything {
            self.notice(|| Noticed::Unmodelled(path.to_owned()));
        }
    }

    /// A kind that no variant names.
    pub(crate) fn unknown(&mut self, tag: &'static str, kind: &str) {
        if self.listen == Listen::Everything {
            self.notice(|| Noticed::Unknown(Unknown { path: String::new(), tag, kind: kind.to_owned() }));
        }
    }

    fn notice(&mut self, thing: impl FnOnce() -> Noticed) {
        if self.noticed.len() < MOST_NOTICED {
            self.noticed.push(thing());
        }
    }

    pub(crate) fn into_drift(self) -> Drift {
        Drift::from(self.noticed)
    }

    /// Opens one more level of typed values; false when there are too many already.
    pub(crate) fn descend(&mut self) -> bool {
        self.depth += 1;
        self.depth <= DEEPEST
    }

    pub(crate) fn ascend(&mut self) {
        self.depth -= 1;
    }

    fn syntax<T>(&self) -> Result<T, Fault> {
        Err(Fault::Syntax { at: self.at })
    }

    fn byte(&self) -> u8 {
        // JSON text holds no NUL outside strings, so it can stand for the end.
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    fn space(&mut self) {
        // The CLI writes no white space between tokens, so this is nearly always one comparison.
        if self.byte() <= b' ' {
            self.pass_space();
        }
    }

    #[cold]
    fn pass_space(&mut self) {
        while matches!(self.byte(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    /// The first byte of the next value, which tells its kind; 0 at the end of the text.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        self.space();
        self.byte()
    }

    /// What kind of value comes next, in words for a note.
    pub(crate) fn kind(&mut self) -> &'static str {
        match self.peek() {
            b'{' => "an object",
            b'[' => "a list",
            b'"' => "a string",
            b't' | b'f' => "a boolean",
            b'n' => "null",
            0 => "nothing",
            _ => "a number",
        }
    }

    /// Nothing but white space is left.
    pub(crate) fn end(&mut self) -> Result<(), Fault> {
        self.space();
        if self.at == self.text.len() { Ok(()) } else { self.syntax() }
    }

    // Objects and lists.

    pub(crate) fn open(&mut self, bracket: u8, expected: &'static str) -> Result<(), Fault> {
        if self.peek() != bracket {
            return Err(Fault::Misfit(expected));
        }
        self.at += 1;
        Ok(())
    }

    /// The next key of an open object, with its colon; `None` after the last one.
    pub(crate) fn key(&mut self, first: &mut bool) -> Result<Option<Cow<'a, str>>, Fault> {
        // As the CLI writes it: a comma, a plain key and a colon with nothing between them.
        let bytes = self.text.as_bytes();
        if self.byte() == b'}' {
            self.at += 1;
            return Ok(None);
        }
        let quote = if *first { self.at } else { self.at + 1 };
        if bytes.get(quote) == Some(&b'"') && (*first || self.byte() == b',') {
            let end = strings::plain_until(bytes, quote + 1);
            if bytes.get(end) == Some(&b'"') && bytes.get(end + 1) == Some(&b':') {
                *first = false;
                self.at = end + 2;
                return Ok(Some(Cow::Borrowed(&self.text[quote + 1..end])));
            }
        }
        self.key_with_space(first)
    }

    /// Takes a key if it comes next: as the first member (`"uuid":`), or as a later one (`,"uuid":`). Two texts that are
    /// known when this is compiled are compared faster than one that is cut to fit.
    #[inline(always)]
    pub(crate) fn take_key(&mut self, first: &mut bool, opening: &'static str, inside: &'static str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let length = match *first {
            true if rest.starts_with(opening.as_bytes()) => opening.len(),
            false if rest.starts_with(inside.as_bytes()) => inside.len(),
            _ => return false,
        };
        self.at += length;
        *first = false;
        true
    }

    /// Reads on inside the object whose tag has just been taken; if `read` cannot, the place stays.
    #[inline(always)]
    pub(crate) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let place = self.at;
        if !std::mem::take(&mut self.inside) {
            return None;
        }
        let value = read(self);
        if value.is_none() {
            self.at = place;
            self.inside = true;
        }
        value
    }

    /// Takes this very text if it comes next.
    #[inline(always)] // So that it is compared as a constant.
    pub(crate) fn take(&mut self, text: &'static str) -> Option<()> {
        let rest = self.text.as_bytes().get(self.at..)?;
        if !rest.starts_with(text.as_bytes()) {
            return None;
        }
        self.at += text.len();
        Some(())
    }

    fn key_with_space(&mut self, first: &mut bool) -> Result<Option<Cow<'a, str>>, Fault> {
        if !self.more(b'}', first)? {
            return Ok(None);
        }
        if self.peek() != b'"' {
            return self.syntax();
        }
        let key = self.string_here()?;
        self.colon()?;
        Ok(Some(key))
    }

    /// Is there a next element in an open list or object?
    #[inline]
    pub(crate) fn more(&mut self, closing: u8, first: &mut bool) -> Result<bool, Fault> {
        let byte = self.peek();
        if byte == closing {
            self.at += 1;
            return Ok(false);
        }
        if std::mem::replace(first, false) {
            return Ok(true);
        }
        if byte != b',' {
            return self.syntax();
        }
        self.at += 1;
        if self.peek() == closing { self.syntax() } else { Ok(true) }
    }

    #[inline]
    fn colon(&mut self) -> Result<(), Fault> {
        if self.peek() != b':' {
            return self.syntax();
        }
        self.at += 1;
        Ok(())
    }

    /// Goes into the object at the cursor; true when no member of it has been read.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<bool, Fault> {
        if std::mem::take(&mut self.inside) {
            return Ok(false);
        }
        self.space();
        self.object = self.at;
        self.open(b'{', "an object")?;
        Ok(true)
    }

    /// The string under `tag` in the object at the cursor. As the next key (`type` mostly is) it is taken, and reading
    /// goes on inside the object; further on it is only looked up, past values that are skipped, and the place stays.
    #[inline(always)] // So that the tag is compared as a constant.
    pub(crate) fn tag(&mut self, tag: Tag) -> Result<Option<Cow<'a, str>>, Fault> {
        match self.next_tag(tag) {
            Some(kind) => Ok(Some(Cow::Borrowed(kind))),
            None => self.look_up(tag),
        }
    }

    fn look_up(&mut self, tag: Tag) -> Result<Option<Cow<'a, str>>, Fault> {
        let mut first = self.enter()?;
        let (start, untouched) = (self.at, first);
        let mut skipped = false;
        let mut found = None;
        while let Some(key) = self.key(&mut first)? {
            if key == tag.name {
                if self.peek() == b'"' {
                    found = Some(self.string_here()?);
                }
                break;
            }
            skipped = true;
            self.skip()?;
        }
        if skipped || found.is_none() {
            self.at = if untouched { self.object } else { start };
            self.inside = !untouched;
        } else {
            self.inside = true;
        }
        Ok(found)
    }

    /// Takes the tag if it is the next member, written as the CLI writes it: without spaces or escapes.
    #[inline(always)]
    fn next_tag(&mut self, tag: Tag) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let rest = bytes.get(self.at..)?;
        let opening = match self.inside {
            true if rest.starts_with(tag.inside.as_bytes()) => tag.inside.len(),
            false if rest.starts_with(tag.first.as_bytes()) => tag.first.len(),
            _ => return None,
        };
        let start = self.at + opening;
        let end = strings::plain_until(bytes, start);
        if bytes.get(end) != Some(&b'"') {
            return None;
        }
        if !self.inside {
            self.object = self.at;
        }
        self.inside = true;
        self.at = end + 1;
        Some(&self.text[start..end])
    }

    /// The text of the object at the cursor, whole even if reading has gone inside it.
    pub(crate) fn whole_object(&mut self) -> Result<&'a str, Fault> {
        if std::mem::take(&mut self.inside) {
            self.at = self.object;
        }
        self.raw()
    }

    // Scalars.

    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        if self.peek() != b'"' {
            return Err(Fault::Misfit("a string"));
        }
        self.string_here()
    }

    /// Takes a string if it is this one, whose text must be plain: without anything that JSON escapes.
    #[inline]
    pub(crate) fn take_plain(&mut self, text: &str) -> bool {
        let (end, bytes) = (self.at + 1 + text.len(), self.text.as_bytes());
        let here = self.byte() == b'"' && bytes.get(end) == Some(&b'"') && bytes[self.at + 1..end] == *text.as_bytes();
        if here {
            self.at = end + 1;
        }
        here
    }

    pub(crate) fn boolean(&mut self) -> Result<bool, Fault> {
        match self.peek() {
            b't' => self.word("true").map(|()| true),
            b'f' => self.word("false").map(|()| false),
            _ => Err(Fault::Misfit("a boolean")),
        }
    }

    /// Takes a null, if there is one.
    pub(crate) fn null(&mut self) -> Result<bool, Fault> {
        if self.peek() != b'n' {
            return Ok(false);
        }
        self.word("null").map(|()| true)
    }

    /// The text of the next value, whatever it is.
    pub(crate) fn raw(&mut self) -> Result<&'a str, Fault> {
        self.space();
        let start = self.at;
        self.skip()?;
        Ok(&self.text[start..self.at])
    }

    fn word(&mut self, word: &str) -> Result<(), Fault> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return self.syntax();
        }
        self.at += word.len();
        Ok(())
    }

    /// Passes over the next value. A loop and not a recursion, so that depth costs memory and not stack.
    pub(crate) fn skip(&mut self) -> Result<(), Fault> {
        self.brackets.clear();
        loop {
            match self.peek() {
                b'"' => self.skip_string()?,
                opening @ (b'{' | b'[') => {
                    self.at += 1;
                    // '{' and '}' as well as '[' and ']' are two apart.
                    if self.peek() == opening + 2 {
                        self.at += 1;
                    } else {
                        self.brackets.push(opening);
                        if opening == b'{' {
                            self.skip_key()?;
                        }
                        continue;
                    }
                }
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                _ => self.skip_number()?,
            }
            if self.close_brackets()? {
                return Ok(());
            }
        }
    }

    /// After a value: closes what ends here and steps to the next element; true when the whole value is over.
    fn close_brackets(&mut self) -> Result<bool, Fault> {
        while let Some(&opening) = self.brackets.last() {
            let byte = self.peek();
            if byte == b',' {
                self.at += 1;
                if opening == b'{' {
                    self.skip_key()?;
                }
                return Ok(false);
            }
            if byte != opening + 2 {
                return self.syntax();
            }
            self.at += 1;
            self.brackets.pop();
        }
        Ok(true)
    }

    fn skip_key(&mut self) -> Result<(), Fault> {
        if self.peek() != b'"' {
            return self.syntax();
        }
        self.skip_string()?;
        self.colon()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(text: &str) -> Result<(), Fault> {
        let mut cursor = Cursor::new(text, Listen::Notes);
        cursor.skip()?;
        cursor.end()
    }

    #[test]
    fn skipping_accepts_exactly_what_json_allows() {
        let good = [
            "{}",
            "[]",
            "0",
            "-0",
            "1.5e+3",
            "\"a\\u00e9\\n\"",
            "null",
            " [1, {\"a\" : [ ] } , \"x\"] ",
            "{\"a\":{}}",
            "\"\\ud83d\"",
        ];
        let bad = [
            "",
            "{",
            "[1,]",
            "{,}",
            "{\"a\"}",
            "{\"a\":1,}",
            "01",
            "1.",
            "1e",
            "-",
            "tru",
            "\"a",
            "\"\u{1}\"",
            "\"\\x\"",
            "[1 2]",
            "{\"a\":1]",
            "nulll",
            "\"\\u12\"",
            "+1",
            "[}",
            "{\"a\" 1}",
        ];
        for text in good {
            assert_eq!(skipped(text), Ok(()), "{text}");
        }
        for text in bad {
            assert!(matches!(skipped(text), Err(Fault::Syntax { .. })), "{text}");
        }
    }

    #[test]
    fn strings_are_unescaped_and_lone_surrogates_replaced() {
        let read = |text: &str| Cursor::new(text, Listen::Notes).string().map(Cow::into_owned);
        assert_eq!(read(r#""plain""#), Ok("plain".to_owned()));
        assert_eq!(read(r#""a\tb\\c\"d\/\u00e9\ud83d\ude00""#), Ok("a\tb\\c\"d/é😀".to_owned()));
        assert_eq!(read(r#""cut \ud83d here""#), Ok("cut \u{fffd} here".to_owned()));
        assert_eq!(read(r#""\ud83d\u0041\ude00""#), Ok("\u{fffd}A\u{fffd}".to_owned()));
    }

    #[test]
    fn the_tag_is_found_at_its_own_depth() {
        let text = r#"{"request":{"type":"inner"},"list":[{"type":"x"}],"type":"outer"}"#;
        let mut cursor = Cursor::new(text, Listen::Notes);
        let tag = Tag { name: "type", first: "{\"type\":\"", inside: ",\"type\":\"" };
        assert_eq!(cursor.tag(tag), Ok(Some(Cow::Borrowed("outer"))));
        assert_eq!(cursor.whole_object(), Ok(text));
    }

    #[test]
    fn depth_costs_no_stack() {
        let depth = 1_000_000;
        let text = "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(skipped(&text), Ok(()));
    }
}
