//! A line of text to a typed message, and back. `decode` cannot fail and loses nothing; `encode` writes one line.

use std::borrow::Cow;

use crate::cursor::{Cursor, Fault, Listen};
use crate::from_cli::FromCli;
use crate::note::{Drift, Note};
use crate::wire::{Wire, to_json};

/// The text of a line, kept as it came: nearly always UTF-8, but nobody can promise that of a pipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Proper text.
    Text(String),
    /// Bytes that are not UTF-8.
    Bytes(Vec<u8>),
}

impl Line {
    /// The line as text; what is not UTF-8 shows as U+FFFD.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Line::Text(text) => Cow::Borrowed(text),
            Line::Bytes(bytes) => String::from_utf8_lossy(bytes),
        }
    }

    /// The line byte for byte.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Line::Text(text) => text.as_bytes(),
            Line::Bytes(bytes) => bytes,
        }
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Line::Text(text)
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Line::Text(text.to_owned())
    }
}

impl From<Vec<u8>> for Line {
    fn from(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| Line::Bytes(error.into_bytes()), Line::Text)
    }
}

impl From<&[u8]> for Line {
    fn from(bytes: &[u8]) -> Self {
        bytes.to_vec().into()
    }
}

/// A line that has been read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decoded<M = FromCli> {
    /// The line itself: the truth, whatever the types make of it.
    pub line: Line,
    /// What it says.
    pub body: M,
    /// Fields of a known message that did not fit; nearly always empty.
    pub notes: Vec<Note>,
}

/// A text that is no JSON object: a stray print, a line cut off by a crash, an empty line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotJson {
    /// Where it stops to be one, in bytes.
    pub at: usize,
}

/// Something that is a whole line: [`FromCli`], [`ToCli`](crate::ToCli) or [`Entry`](crate::transcript::Entry).
pub trait Message: Wire {
    /// The value for a text that is no JSON object.
    fn not_json(not_json: NotJson) -> Self;

    /// Is this that value?
    fn is_not_json(&self) -> bool;
}

/// Reads a line from the CLI's stdout. Total: every text gives a value, and the text stays with it.
///
/// ```
/// use claude_protocol::{FromCli, System, decode};
///
/// let decoded = decode(r#"{"type":"system","subtype":"status","status":"compacting"}"#);
/// let FromCli::System(System::Status(status)) = decoded.body else { panic!("not a status") };
/// assert_eq!(status.status.map(|word| word.to_string()).as_deref(), Some("compacting"));
///
/// assert!(matches!(decode("npm warn …").body, FromCli::NotJson(_)));
/// assert_eq!(decode(r#"{"type":"news","of":"tomorrow"}"#).body.kind(), "news");
/// ```
pub fn decode(line: impl Into<Line>) -> Decoded<FromCli> {
    decode_as(line)
}

/// Reads a line of another direction or place: `decode_as::<ToCli>`, `decode_as::<Entry>`.
pub fn decode_as<M: Message>(line: impl Into<Line>) -> Decoded<M> {
    let line = line.into();
    let (body, noticed) = read(&line, Listen::Notes);
    Decoded { body, notes: noticed.notes, line }
}

/// Names what [`decode_as`] would only carry along: the same reader, listening to everything.
pub fn drift<M: Message>(line: impl Into<Line>) -> Drift {
    read::<M>(&line.into(), Listen::Everything).1
}

/// The paths of the fields of a stdout line that no type has. Typed value → JSON is the line without these.
pub fn unmodelled(line: impl Into<Line>) -> Vec<String> {
    drift::<FromCli>(line).unmodelled
}

fn read<M: Message>(line: &Line, listen: Listen) -> (M, Drift) {
    let text = line.text();
    let mut cursor = Cursor::new(&text, listen);
    let body = match M::read(&mut cursor) {
        Ok(body) if cursor.end().is_ok() => body,
        read => {
            let fault = read.err().or(cursor.end().err());
            // What was noticed in half a message is of no use.
            cursor = Cursor::new("", listen);
            let at = if let Some(Fault::Syntax { at }) = fault { at } else { 0 };
            M::not_json(NotJson { at })
        }
    };
    if matches!(line, Line::Bytes(_)) {
        cursor.note("", "UTF-8", "other bytes");
    }
    (body, cursor.into_drift())
}

/// Writes a message as one line, without the line end: no raw newline inside, and no U+2028 or U+2029, which some
/// readers take for one. What was no JSON has no typed form and becomes `null`: its text is in [`Decoded::line`].
pub fn encode(message: &impl Message) -> String {
    let text = to_json(message);
    // Our own writer makes none of these; raw JSON of others may have newlines between tokens, and the two separators
    // inside strings.
    if !text.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
        return text;
    }
    text.replace(['\n', '\r'], " ").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
