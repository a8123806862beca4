//! JSON text in, pieces out: the one place that knows JSON's grammar.
//!
//! A [`Cursor`] walks a text once, from left to right. It is strict about the grammar (a text that JSON's rules do not
//! allow is a [`Fault::Syntax`]) and lenient about everything else: any depth, any length, repeated keys, lone
//! surrogates. It is our own because the readers at hand refuse lone surrogates, which the CLI does write, and because
//! a field that does not fit must not cost the other fields (see [`crate::wire`]).

use std::borrow::Cow;

mod numbers;
mod objects;
pub(crate) mod reader;
mod skip;
mod strings;

use crate::note::{Drift, Note, Noticed, Unknown, UnknownWord};

pub(crate) use objects::Tag;

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

    /// A word that its list lacks.
    #[cold]
    pub(crate) fn unknown_word(&mut self, word: &str) {
        if self.listen == Listen::Everything {
            self.notice(|| Noticed::Word(UnknownWord { path: String::new(), word: word.to_owned() }));
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

    /// Takes a list if it is this one, written like this.
    pub(crate) fn take_list(&mut self, list: &str) -> bool {
        let here = self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(list.as_bytes()));
        if here {
            self.at += list.len();
        }
        here
    }

    /// What has been read since `start`.
    pub(crate) fn text_since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_unescaped_and_lone_surrogates_replaced() {
        let read = |text: &str| Cursor::new(text, Listen::Notes).string().map(Cow::into_owned);
        assert_eq!(read(r#""plain""#), Ok("plain".to_owned()));
        assert_eq!(read(r#""a\tb\\c\"d\/\u00e9\ud83d\ude00""#), Ok("a\tb\\c\"d/é😀".to_owned()));
        assert_eq!(read(r#""cut \ud83d here""#), Ok("cut \u{fffd} here".to_owned()));
        assert_eq!(read(r#""\ud83d\u0041\ude00""#), Ok("\u{fffd}A\u{fffd}".to_owned()));
    }
}
