//! Walks the tokens of a JSON text and replaces some of them, leaving every other byte alone.

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A field, by its escaped name.
    Key(String),
    /// An item of a list.
    Item,
}

/// A token that can be replaced.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    /// The name of a field, escaped, without quotes.
    Key(&'a str),
    /// A string, escaped, without quotes.
    Text(&'a str),
    /// A number.
    Number(&'a str),
}

/// Decides about a token: the new escaped content, or `None` to keep it.
pub(super) type Decide<'a> = dyn FnMut(&[Part], Token<'_>) -> Option<String> + 'a;

/// The text with its tokens replaced, or `None` when it is not one JSON object or list.
pub(super) fn rewrite(text: &str, decide: &mut Decide<'_>) -> Option<String> {
    let mut walk = Walk { text, at: 0, out: String::with_capacity(text.len()), path: Vec::new(), decide };
    walk.space();
    if !matches!(walk.peek(), Some(b'{' | b'[')) {
        return None;
    }
    walk.value()?;
    walk.space();
    (walk.at == text.len()).then_some(walk.out)
}

struct Walk<'a, 'b> {
    text: &'a str,
    at: usize,
    out: String,
    path: Vec<Part>,
    decide: &'a mut Decide<'b>,
}

impl<'a> Walk<'a, '_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn copy_one(&mut self, wanted: u8) -> Option<()> {
        if self.peek() != Some(wanted) {
            return None;
        }
        self.out.push(char::from(wanted));
        self.at += 1;
        Some(())
    }

    fn space(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\n' | b'\r')) = self.peek() {
            self.out.push(char::from(byte));
            self.at += 1;
        }
    }

    fn value(&mut self) -> Option<()> {
        match self.peek()? {
            b'{' => self.members(b'{', b'}'),
            b'[' => self.members(b'[', b']'),
            b'"' => {
                let raw = self.string()?;
                let new = (self.decide)(&self.path, Token::Text(raw));
                self.quote(new.as_deref().unwrap_or(raw));
                Some(())
            }
            _ => self.scalar(),
        }
    }

    fn members(&mut self, open: u8, close: u8) -> Option<()> {
        self.copy_one(open)?;
        self.space();
        if self.peek()? == close {
            return self.copy_one(close);
        }
        loop {
            self.space();
            if open == b'{' {
                self.key()?;
            } else {
                self.path.push(Part::Item);
            }
            self.space();
            self.value()?;
            self.path.pop();
            self.space();
            if self.peek()? == close {
                return self.copy_one(close);
            }
            self.copy_one(b',')?;
        }
    }

    fn key(&mut self) -> Option<()> {
        let raw = self.string()?;
        let new = (self.decide)(&self.path, Token::Key(raw));
        self.quote(new.as_deref().unwrap_or(raw));
        self.path.push(Part::Key(raw.to_owned()));
        self.space();
        self.copy_one(b':')
    }

    fn quote(&mut self, raw: &str) {
        self.out.push('"');
        self.out.push_str(raw);
        self.out.push('"');
    }

    /// Passes a string and gives what is between its quotes.
    fn string(&mut self) -> Option<&'a str> {
        if self.peek()? != b'"' {
            return None;
        }
        let begin = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut at = begin;
        loop {
            match bytes.get(at)? {
                b'\\' => at += 2,
                b'"' => break,
                _ => at += 1,
            }
        }
        self.at = at + 1;
        self.text.get(begin..at)
    }

    /// A number or one of the three literals.
    fn scalar(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let length = rest.find([',', '}', ']', ' ', '\t', '\n', '\r']).unwrap_or(rest.len());
        let raw = &rest[..length];
        self.at += length;
        if matches!(raw, "true" | "false" | "null") {
            self.out.push_str(raw);
            return Some(());
        }
        if !raw.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return None;
        }
        let new = (self.decide)(&self.path, Token::Number(raw));
        self.out.push_str(new.as_deref().unwrap_or(raw));
        Some(())
    }
}
