//! Numbers: their text, and the plain ones as they are counted.

use super::{Cursor, Fault};

impl<'a> Cursor<'a> {
    /// The text of a number.
    pub(crate) fn number(&mut self) -> Result<&'a str, Fault> {
        if !matches!(self.peek(), b'-' | b'0'..=b'9') {
            return Err(Fault::Misfit("a number"));
        }
        let start = self.at;
        self.skip_number()?;
        Ok(&self.text[start..self.at])
    }

    /// A plain whole number, if that is what comes next: one without sign, fraction or exponent, well within 64 bits.
    #[inline]
    pub(crate) fn counted(&mut self) -> Option<u64> {
        self.space();
        let digits = self.text.as_bytes()[self.at..].iter().take(17).take_while(|byte| byte.is_ascii_digit());
        let (length, number) =
            digits.fold((0, 0), |(length, number), digit| (length + 1, number * 10 + u64::from(digit - b'0')));
        let plain = match length {
            0 | 17 => false,
            1 => true,
            _ => self.byte() != b'0',
        };
        let after = self.text.as_bytes().get(self.at + length).copied().unwrap_or(0);
        if !plain || matches!(after, b'.' | b'e' | b'E') {
            return None;
        }
        self.at += length;
        Some(number)
    }

    pub(super) fn skip_number(&mut self) -> Result<(), Fault> {
        if self.byte() == b'-' {
            self.at += 1;
        }
        match self.byte() {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits(),
            _ => return self.syntax(),
        }
        if self.byte() == b'.' {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.byte(), b'+' | b'-') {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) {
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), Fault> {
        if !self.byte().is_ascii_digit() {
            return self.syntax();
        }
        self.digits();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Listen;
    use super::*;

    #[test]
    fn only_plain_whole_numbers_are_counted() {
        let counted = |text: &str| Cursor::new(text, Listen::Notes).counted();
        assert_eq!(["0", "7,", " 42}", "9007199254740992"].map(counted), [0, 7, 42, 9_007_199_254_740_992].map(Some));
        assert_eq!(["", "-1", "01", "1.0", "1e3", "2E1", "12345678901234567", "x"].map(counted), [None; 8]);
    }
}
