//! Objects and lists: their members one after the other, and the tag that tells what an object is.

use std::borrow::Cow;

use super::{Cursor, Fault, strings};

/// A key that tells kinds apart, also as it stands in the text when it is the first or a later member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    pub(crate) name: &'static str,
    /// `{"type":"`
    pub(crate) first: &'static str,
    /// `,"type":"`
    pub(crate) inside: &'static str,
}

impl<'a> Cursor<'a> {
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
    pub(super) fn colon(&mut self) -> Result<(), Fault> {
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
}

#[cfg(test)]
mod tests {
    use super::super::Listen;
    use super::*;

    #[test]
    fn the_tag_is_found_at_its_own_depth() {
        let text = r#"{"request":{"type":"inner"},"list":[{"type":"x"}],"type":"outer"}"#;
        let mut cursor = Cursor::new(text, Listen::Notes);
        let tag = Tag { name: "type", first: "{\"type\":\"", inside: ",\"type\":\"" };
        assert_eq!(cursor.tag(tag), Ok(Some(Cow::Borrowed("outer"))));
        assert_eq!(cursor.whole_object(), Ok(text));
    }
}
