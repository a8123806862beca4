//! A line of JSON that was cut off in, the same line made whole out: what was cut in the middle ends there, what had only
//! begun is left out. Pure.

/// What stands open at the cut.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// An object.
    Object,
    /// A list.
    List,
}

/// Makes a cut line whole: strings and brackets that are open are closed, and a member without a value goes. For a line that
/// is whole, or no JSON object at all, nothing comes of it that is any better.
pub(super) fn mend(cut: &str) -> String {
    let mut open = Vec::new();
    // Up to where the text is good, and how many brackets are open there.
    let (mut good, mut depth) = (0, 0);
    let mut is_name = false;
    let mut bytes = cut.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                open.push(if byte == b'{' { Open::Object } else { Open::List });
                is_name = byte == b'{';
                (good, depth) = (at + 1, open.len());
            }
            b'}' | b']' => {
                open.pop();
                is_name = false;
                (good, depth) = (at + 1, open.len());
            }
            // What stands before a comma is a value, also if it is a number.
            b',' => {
                is_name = open.last() == Some(&Open::Object);
                (good, depth) = (at, open.len());
            }
            b':' => is_name = false,
            b'"' => match string(&mut bytes) {
                Ok(end) if !is_name => (good, depth) = (end, open.len()),
                Ok(_) => {}
                Err(end) if !is_name => {
                    let end = end.unwrap_or(cut.len());
                    return closed(&cut[..end], "\"", &open);
                }
                Err(_) => break,
            },
            _ => {}
        }
    }
    open.truncate(depth);
    closed(&cut[..good], "", &open)
}

/// Goes to the end of a string. Without one: where it has to be cut so that no escape is left in halves, if there is one.
fn string(bytes: &mut impl Iterator<Item = (usize, u8)>) -> Result<usize, Option<usize>> {
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Ok(at + 1),
            b'\\' => {
                let Some((_, escaped)) = bytes.next() else { return Err(Some(at)) };
                let digits = if escaped == b'u' { 4 } else { 0 };
                for _ in 0..digits {
                    bytes.next().ok_or(Some(at))?;
                }
            }
            _ => {}
        }
    }
    Err(None)
}

fn closed(text: &str, quote: &str, open: &[Open]) -> String {
    let brackets = open.iter().rev().map(|open| if *open == Open::Object { '}' } else { ']' });
    text.chars().chain(quote.chars()).chain(brackets).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str =
        r#"{"a":"x\"y\u00e9\n","b":[1,{"c":null},"d"],"e":{},"f":12.5,"g":{"h":"i","j":[[],"k\\"]},"l":true}"#;

    #[test]
    fn wherever_a_line_is_cut_it_is_json_again() {
        for cut in 1..=WHOLE.len() {
            let Some(cut) = WHOLE.get(..cut) else { continue };
            let mended = mend(cut);
            let value: Result<serde_json::Value, _> = serde_json::from_str(&mended);
            assert!(value.is_ok_and(|value| value.is_object()), "{cut} became {mended}");
        }
        assert_eq!(mend(WHOLE), WHOLE);
    }

    #[test]
    fn what_was_there_is_kept() {
        assert_eq!(mend(r#"{"a":{"text":"hel"#), r#"{"a":{"text":"hel"}}"#);
        assert_eq!(mend(r#"{"a":["x","y\u00"#), r#"{"a":["x","y"]}"#);
        assert_eq!(mend(r#"{"a":1,"b":tru"#), r#"{"a":1}"#);
        assert_eq!(mend(r#"{"a":{"b":"c"},"d"#), r#"{"a":{"b":"c"}}"#);
    }

    #[test]
    fn what_is_no_json_does_no_harm() {
        for text in ["", "no", "]]}", "\"", "\\", "{\"", "{{{[", "\u{e9}{\"a\":\"\u{e9}"] {
            mend(text);
        }
    }
}
