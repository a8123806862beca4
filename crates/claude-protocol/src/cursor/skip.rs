//! Values that nobody reads: passed over, and found to be JSON or not.

use super::{Cursor, Fault};

impl Cursor<'_> {
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
    use super::super::Listen;
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
    fn depth_costs_no_stack() {
        let depth = 1_000_000;
        let text = "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(skipped(&text), Ok(()));
    }
}
