//! Texts in the state are bounded: a long one is its head, and where the whole of it is.
//!
//! Sizes are counted as JSON writes them, so that an item of control characters is as small on the wire as one of prose.

use std::borrow::Cow;
use std::sync::Arc;

use crate::shape::state;

/// The most bytes that an item or an ask takes in all.
pub const WHOLE_BYTES: usize = 64 * 1024;

/// The most bytes that the text of an answer, a thought or a prompt keeps.
pub const TEXT_BYTES: usize = 48 * 1024;

/// The most bytes that the view of a tool call keeps: what it does, and what came of it.
pub const VIEW_BYTES: usize = 24 * 1024;

/// The most bytes that the input of a tool call keeps.
pub const PART_BYTES: usize = 12 * 1024;

/// The most bytes of what went wrong with a tool call.
pub const ERROR_BYTES: usize = 8 * 1024;

/// The most bytes of a list of small things: paths, suggestions, files.
pub const LIST_BYTES: usize = 4 * 1024;

/// The most bytes of short texts: a reason, a description, a path.
pub const SHORT_BYTES: usize = 1024;

state! {
    /// A text, or the head of a long one.
    #[derive(Default)]
    pub struct Clip {
        /// The text, or its head.
        pub text: String,
        /// Where the whole text is, if this is only the head.
        pub more: Option<More>,
    }

    /// Where the whole of a text is.
    pub struct More {
        /// How long it is, in bytes.
        pub bytes: u64,
        /// The record that holds it.
        pub seq: u64,
        /// Where in the record's line, as a JSON pointer; empty for the whole line.
        pub pointer: String,
    }
}

impl Clip {
    /// The text if it fits into `limit` bytes, else as much of it as does. A text that is given away is not copied, and a
    /// pointer is only written where it is needed.
    pub fn new<'t>(text: impl Into<Cow<'t, str>>, limit: usize, seq: u64, pointer: impl Into<String>) -> Self {
        let text = text.into();
        let head = head(&text, limit);
        if head.len() < text.len() {
            let more = More { bytes: text.len() as u64, seq, pointer: pointer.into() };
            return Clip { text: head.to_owned(), more: Some(more) };
        }
        let mut text = text.into_owned();
        text.shrink_to_fit();
        Clip { text, more: None }
    }
}

/// A pointer of two parts.
pub(crate) struct Below<'a>(pub(crate) &'a str, pub(crate) &'a str);

impl From<Below<'_>> for String {
    fn from(Below(place, below): Below<'_>) -> Self {
        [place, below].concat()
    }
}

/// The pointer to a field of a block of the message; without a number, of its first one.
pub(crate) struct InBlock(pub(crate) Option<u32>, pub(crate) &'static str);

impl From<InBlock> for String {
    fn from(InBlock(block, field): InBlock) -> Self {
        format!("/message/content/{}/{field}", block.unwrap_or(0))
    }
}

/// The pointer to what the model reads of a tool's result: the content of this block of the message.
pub(crate) struct ResultContent(pub(crate) u32);

impl From<ResultContent> for String {
    fn from(ResultContent(block): ResultContent) -> Self {
        format!("/message/content/{block}/content")
    }
}

/// The longest beginning of `text` that takes at most `limit` bytes in JSON and ends between two characters.
pub fn head(text: &str, limit: usize) -> &str {
    if text.len() <= limit / LONGEST_ESCAPE {
        return text;
    }
    let (mut used, mut end) = (0, 0);
    for piece in text.as_bytes().chunks(PIECE_BYTES) {
        let size = size_in_json(piece);
        if used + size > limit {
            let mut fits = |byte: &u8| {
                used += size_in_json(std::slice::from_ref(byte));
                used <= limit
            };
            end += piece.iter().take_while(|byte| fits(byte)).count();
            break;
        }
        used += size;
        end += piece.len();
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A short text, or the head of it.
pub(crate) fn short(text: &str) -> String {
    head(text, SHORT_BYTES).to_owned()
}

/// The same for a text that is copied often.
pub(crate) fn short_shared(text: &str) -> Arc<str> {
    head(text, SHORT_BYTES).into()
}

/// How many bytes `text` takes in JSON, without its quotes.
pub(crate) fn bytes_in_json(text: &str) -> usize {
    text.as_bytes().chunks(PIECE_BYTES).map(size_in_json).sum()
}

/// Room for several texts that share one limit.
pub(crate) struct Room(pub(crate) usize);

impl Room {
    /// As much of a short text as there is room for.
    pub(crate) fn text(&mut self, text: &str) -> String {
        self.head(text).to_owned()
    }

    /// The same for a text that is shared: it is only copied if it has to be cut.
    pub(crate) fn shared(&mut self, text: &Arc<str>) -> Arc<str> {
        let head = self.head(text);
        if head.len() == text.len() { Arc::clone(text) } else { head.into() }
    }

    fn head<'t>(&mut self, text: &'t str) -> &'t str {
        let text = head(text, self.0.min(SHORT_BYTES));
        self.0 = self.0.saturating_sub(bytes_in_json(text));
        text
    }

    /// As many of `things` as there is room for; each takes `around` bytes beside the texts that it takes itself.
    pub(crate) fn list<T, U>(
        &mut self,
        things: impl IntoIterator<Item = T>,
        around: usize,
        mut make: impl FnMut(T, &mut Room) -> U,
    ) -> Vec<U> {
        let mut made = Vec::new();
        for thing in things {
            let Some(left) = self.0.checked_sub(around) else { break };
            self.0 = left;
            made.push(make(thing, self));
        }
        made
    }
}

const LONGEST_ESCAPE: usize = "\\u0000".len();

/// Texts are measured in pieces of this size, each without a branch: most of a state's time would go into this else.
const PIECE_BYTES: usize = 256;

/// How many bytes a piece of at most [`PIECE_BYTES`] takes in JSON.
fn size_in_json(piece: &[u8]) -> usize {
    let extra: u16 = piece.iter().map(|byte| extra(*byte)).sum();
    piece.len() + usize::from(extra)
}

/// How many bytes more than one a byte takes: `\n` and the like two, other control characters six.
fn extra(byte: u8) -> u16 {
    let is = |other: u8| u16::from(byte == other);
    let short = is(0x08) + is(b'\t') + is(b'\n') + is(0x0c) + is(b'\r');
    is(b'"') + is(b'\\') + 5 * u16::from(byte < 0x20) - 4 * short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_its_head_and_where_the_rest_is() {
        let clip = Clip::new("añb", 2, 7, "/message/content/0/text");
        assert_eq!(clip.text, "a");
        assert_eq!(clip.more, Some(More { bytes: 4, seq: 7, pointer: "/message/content/0/text".to_owned() }));
        assert_eq!(Clip::new("añb", 4, 7, ""), Clip { text: "añb".to_owned(), more: None });
    }

    #[test]
    fn a_text_is_measured_as_json_writes_it() {
        for text in ["plain", "two\nlines\t", "\u{1}\u{7f}\u{1f}", "\"quoted\" \\ é \u{8}\u{c}\r"] {
            let written = serde_json::to_string(text).unwrap();
            assert_eq!(bytes_in_json(text) + 2, written.len(), "{text:?}");
            assert_eq!(head(text, written.len() - 2), text);
            assert!(head(text, written.len() - 3).len() < text.len(), "{text:?}");
        }
    }

    #[test]
    fn long_texts_are_measured_like_short_ones() {
        let text: String = (0..5000_u32).filter_map(|number| char::from_u32(number % 700)).collect();
        let written = serde_json::to_string(&text).unwrap();
        assert_eq!(bytes_in_json(&text) + 2, written.len());
        for limit in [0, 1, 255, 256, 257, 1000, 4999, 9000, written.len() - 3, written.len() - 2] {
            let head = head(&text, limit);
            let next: String = text.chars().take(head.chars().count() + 1).collect();
            assert!(bytes_in_json(head) <= limit, "{limit}");
            assert!(next == text || bytes_in_json(&next) > limit, "{limit}: one more would fit");
        }
    }
}
