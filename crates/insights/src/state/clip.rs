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

/// The most bytes of an address, which one has to see to its end.
pub const ADDRESS_BYTES: usize = 4 * 1024;

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
        /// Where in the record's line, as a JSON pointer with what `place` adds to it; empty for the whole line.
        pub pointer: String,
        /// How many bytes of what is there come before the text, if any do.
        pub from: Option<u64>,
    }
}

impl Clip {
    /// The text if it fits into `limit` bytes, else as much of it as does. A text that is given away is not copied, and a
    /// pointer is only written where it is needed.
    pub fn new<'t>(text: impl Into<Cow<'t, str>>, limit: usize, seq: u64, pointer: impl Into<String>) -> Self {
        let text = text.into();
        let head = head(&text, limit);
        if head.len() < text.len() {
            let more = More { bytes: text.len() as u64, seq, pointer: pointer.into(), from: None };
            return Clip { text: head.to_owned(), more: Some(more) };
        }
        let mut text = text.into_owned();
        text.shrink_to_fit();
        Clip { text, more: None }
    }

    /// The text if it fits into `limit` bytes, else as much of it as does, and a mark: as such it stands nowhere else.
    pub(crate) fn cut(text: &str, limit: usize) -> Self {
        Clip { text: marked(text, limit).into_owned(), more: None }
    }

    /// The same text, with so many bytes before it in its place.
    #[must_use]
    pub(crate) fn behind(mut self, bytes: usize) -> Self {
        if let Some(more) = &mut self.more {
            more.from = Some(bytes as u64).filter(|bytes| *bytes > 0);
        }
        self
    }
}

impl More {
    /// The whole text, in the line of its record.
    pub fn find(&self, line: &str) -> Option<String> {
        let text = crate::place::text_at(line, &self.pointer)?;
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        let from = size(self.from.unwrap_or(0));
        let end = from.saturating_add(size(self.bytes)).min(text.len());
        text.get(from..end).map(str::to_owned)
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
        format!("/message/content/{block}/content/*")
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

/// What stands at the end of a text that is cut, where nothing leads to the rest.
const MARK: &str = "…";

/// The text if it takes at most `limit` bytes in JSON, else its head and a mark.
pub(crate) fn marked(text: &str, limit: usize) -> Cow<'_, str> {
    match head(text, limit) {
        whole if whole.len() == text.len() => Cow::Borrowed(text),
        _ if limit < MARK.len() => Cow::Borrowed(""),
        _ => Cow::Owned([head(text, limit - MARK.len()), MARK].concat()),
    }
}

/// A short text, or the head of it and a mark.
pub(crate) fn short(text: &str) -> String {
    marked(text, SHORT_BYTES).into_owned()
}

/// The same for a text that is copied often.
pub(crate) fn short_shared(text: &str) -> Arc<str> {
    marked(text, SHORT_BYTES).into()
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
        self.marked(text).into_owned()
    }

    /// The same for a text that is shared: it is only copied if it has to be cut.
    pub(crate) fn shared(&mut self, text: &Arc<str>) -> Arc<str> {
        match self.marked(text) {
            Cow::Borrowed(whole) if whole.len() == text.len() => Arc::clone(text),
            cut => cut.into(),
        }
    }

    /// A text that is of no use unless it is whole, such as an address to open; nothing if there is no room for it.
    pub(crate) fn whole(&mut self, text: &str) -> String {
        match self.0.checked_sub(bytes_in_json(text)) {
            Some(left) => {
                self.0 = left;
                text.to_owned()
            }
            None => String::new(),
        }
    }

    /// As much of a longer text as there is room for, and where the rest is.
    pub(crate) fn clip(&mut self, text: &str, limit: usize, seq: u64, pointer: String) -> Clip {
        let clip = Clip::new(text, limit.min(self.0), seq, pointer);
        let more = clip.more.as_ref().map_or(0, |more| AROUND_MORE + more.pointer.len());
        self.0 = self.0.saturating_sub(bytes_in_json(&clip.text) + more);
        clip
    }

    fn marked<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let text = marked(text, self.0.min(SHORT_BYTES));
        self.0 = self.0.saturating_sub(bytes_in_json(&text));
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

/// What it costs in JSON to say where the rest is, beside the pointer.
const AROUND_MORE: usize = 100;

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
        assert_eq!(
            clip.more,
            Some(More { bytes: 4, seq: 7, pointer: "/message/content/0/text".to_owned(), from: None })
        );
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
