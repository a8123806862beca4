//! Strings: the text between two quotes in, characters out. Nearly all bytes of nearly all lines pass through here.

use std::borrow::Cow;

use super::{Cursor, Fault};

/// In all of these the place is at the opening quote.
impl<'a> Cursor<'a> {
    #[inline]
    pub(super) fn string_here(&mut self) -> Result<Cow<'a, str>, Fault> {
        let start = self.at + 1;
        let end = plain_until(self.text.as_bytes(), start);
        self.at = end;
        match self.byte() {
            b'"' => {
                self.at += 1;
                Ok(Cow::Borrowed(&self.text[start..end]))
            }
            b'\\' => self.escaped_string(start).map(Cow::Owned),
            _ => self.syntax(),
        }
    }

    /// The rest of a string in which an escape was met; `start` is where its content begins.
    fn escaped_string(&mut self, start: usize) -> Result<String, Fault> {
        let text = self.text;
        // A long string has many escapes: room for a good part of it at once saves most of the copying.
        let mut out = String::with_capacity((text.len() - start).min((self.at - start) * 4 + 128));
        out.push_str(&text[start..self.at]);
        loop {
            match self.byte() {
                b'\\' => self.escape(&mut out)?,
                b'"' => {
                    self.at += 1;
                    if out.capacity() - out.len() > 512 {
                        out.shrink_to_fit();
                    }
                    return Ok(out);
                }
                _ => return self.syntax(),
            }
            // What ends a plain part is a character of one byte, so it is cut between characters.
            let end = plain_until(text.as_bytes(), self.at);
            out.push_str(&text[self.at..end]);
            self.at = end;
        }
    }

    /// Takes an escape and appends what it stands for.
    #[inline]
    fn escape(&mut self, out: &mut String) -> Result<(), Fault> {
        let escaped = self.text.as_bytes().get(self.at + 1).copied().unwrap_or(0);
        match ESCAPES[usize::from(escaped)] {
            0 if escaped == b'u' => {
                out.push(self.unicode_escape()?);
                return Ok(());
            }
            0 => return self.syntax(),
            byte => out.push(char::from(byte)),
        }
        self.at += 2;
        Ok(())
    }

    /// A lone surrogate (2.1.1 writes one when it cuts output inside an emoji) has no place in a Rust string: it reads
    /// as U+FFFD, and the text of the line still has it.
    fn unicode_escape(&mut self) -> Result<char, Fault> {
        self.at += 2;
        let unit = self.hex4()?;
        if !(0xD800..0xDC00).contains(&unit) {
            return Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let after = self.at;
        if self.byte() == b'\\' && self.text.as_bytes().get(after + 1) == Some(&b'u') {
            self.at += 2;
            let low = self.hex4()?;
            if (0xDC00..0xE000).contains(&low) {
                let point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                return Ok(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = after;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = char::from(self.byte()).to_digit(16) else { return self.syntax() };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    pub(super) fn skip_string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            self.at = plain_until(self.text.as_bytes(), self.at);
            match self.byte() {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    let escaped = self.text.as_bytes().get(self.at + 1).copied().unwrap_or(0);
                    self.at += 2;
                    match ESCAPES[usize::from(escaped)] {
                        0 if escaped == b'u' => drop(self.hex4()?),
                        0 => return self.syntax(),
                        _ => {}
                    }
                }
                _ => return self.syntax(),
            }
        }
    }
}

/// What a character after a backslash stands for; 0 for none. `u` has a rule of its own.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    table[b'n' as usize] = b'\n';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b't' as usize] = b'\t';
    table[b'/' as usize] = b'/';
    table[b'r' as usize] = b'\r';
    table[b'b' as usize] = 8;
    table[b'f' as usize] = 12;
    table
};

/// The high bit of each byte at which the plain part of a string ends: a quote, a backslash or a control character.
/// Exact up to the first such byte, which is all we look at. Eight bytes at a time, since nearly all bytes of nearly
/// all lines pass through here.
#[inline]
fn stops(chunk: &[u8; 8]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let less = |word: u64, bound: u64| word.wrapping_sub(ONES * bound) & !word & HIGHS;
    let word = u64::from_le_bytes(*chunk);
    // Flipping bit 1 puts the quote (0x22) at 0x20, just above the control characters, which stay among themselves.
    less(word ^ (ONES * 0x02), 0x21) | less(word ^ (ONES * 0x5C), 1)
}

fn is_stop(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20
}

/// Where the plain part of a string that goes on at `at` ends; at the latest where the text does.
#[inline]
pub(super) fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    while let Some([a, b]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()).map(halves) {
        let (first, second) = (stops(a), stops(b));
        if first | second != 0 {
            let (stops, skipped) = if first != 0 { (first, 0) } else { (second, 8) };
            return at + skipped + (stops.trailing_zeros() / 8) as usize;
        }
        at += 16;
    }
    plain_until_end(bytes, at)
}

/// The same near the end of the text.
fn plain_until_end(bytes: &[u8], mut at: usize) -> usize {
    if let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let stops = stops(chunk);
        if stops != 0 {
            return at + (stops.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| !is_stop(*byte)) {
        at += 1;
    }
    at
}

fn halves(chunk: &[u8; 16]) -> [&[u8; 8]; 2] {
    let (halves, _) = chunk.as_chunks::<8>();
    [&halves[0], &halves[1]]
}
