//! The bench corpus: a size and a seed in, CLI output lines in a fixed mix out.
//!
//! Made in code, so that it is never committed and is as large as a bench asks for. The shapes (keys, their order, which
//! parts are long) are those that CLI 2.1.325 writes; the words in them are invented. The lines tell a session: a turn
//! begins and ends, a message is streamed and then told whole, a call has one result. The same size and seed give the same
//! bytes on every machine, so figures of two builds can be compared.

mod blocks;
mod shapes;
mod story;
mod text;

use story::Story;

/// The smallest size of a [`Kind::Big`] line.
pub const BIG_LINE_BYTES: usize = 1024 * 1024;

/// What a corpus line is, and by that which share of the corpus it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A `stream_event`: nearly always one `content_block_delta`, about 300 bytes.
    Delta,
    /// A `user` line with a `tool_result` and its `tool_use_result`, 1 to 64 KB.
    ToolResult,
    /// An `assistant` line with one text, thinking or tool_use block.
    Assistant,
    /// A `system`/`init`, a `can_use_tool` request or a `control_response`.
    InitControl,
    /// A `result` line, which ends a turn.
    Result,
    /// A Write or Edit result that carries the whole file: a megabyte and more.
    Big,
}

impl Kind {
    /// Every kind, in the order of the enum.
    pub const ALL: [Self; 6] =
        [Self::Delta, Self::ToolResult, Self::Assistant, Self::InitControl, Self::Result, Self::Big];

    /// The share of the corpus' bytes that lines of this kind have, in percent.
    #[must_use]
    pub const fn percent(self) -> usize {
        match self {
            Self::Delta => 45,
            Self::ToolResult => 20,
            Self::Assistant => 15,
            Self::InitControl => 10,
            Self::Result | Self::Big => 5,
        }
    }

    /// The name of the kind in tables and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Delta => "delta",
            Self::ToolResult => "tool_result",
            Self::Assistant => "assistant",
            Self::InitControl => "init_control",
            Self::Result => "result",
            Self::Big => "big",
        }
    }
}

/// One line of the corpus, without the line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Which part of the mix it belongs to.
    pub kind: Kind,
    /// The JSON text, as the CLI would write it.
    pub text: String,
}

/// Makes about `bytes` bytes of CLI output in the fixed mix, kinds interleaved.
///
/// [`Kind::Big`] lines cannot be smaller than [`BIG_LINE_BYTES`]: a corpus of less than 10 MB has none, and one of less
/// than 20 MB has a different share of them.
#[must_use]
pub fn generate(bytes: usize, seed: u64) -> Vec<Line> {
    Story::new(bytes, seed).tell()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_mix_has_its_shares_by_bytes() {
        let bytes = 24_000_000;
        let lines = generate(bytes, 7);
        let mut used: BTreeMap<Kind, usize> = BTreeMap::new();
        for line in &lines {
            *used.entry(line.kind).or_default() += line.text.len();
        }
        let total: usize = used.values().sum();
        for kind in Kind::ALL {
            let percent = used[&kind] as f64 * 100.0 / total as f64;
            assert!((percent - kind.percent() as f64).abs() < 0.5, "{kind:?} has {percent:.2} % of the bytes");
        }
        assert!(total.abs_diff(bytes) < bytes / 100, "{total} bytes");
    }

    #[test]
    fn every_line_is_one_json_object_of_the_size_of_its_kind() {
        for line in generate(12_000_000, 3) {
            assert!(!line.text.contains('\n'), "{:?} has a line end", line.kind);
            let value: serde_json::Value = serde_json::from_str(&line.text).unwrap();
            assert!(value["type"].is_string());
            let bytes = line.text.len();
            match line.kind {
                Kind::Delta => assert!((200..1200).contains(&bytes), "{bytes}: {}", line.text),
                Kind::ToolResult => assert!((1024..=64 * 1024).contains(&bytes), "{bytes}"),
                Kind::Big => assert!((BIG_LINE_BYTES..4 * BIG_LINE_BYTES).contains(&bytes), "{bytes}"),
                Kind::Assistant | Kind::InitControl | Kind::Result => assert!(bytes < 64 * 1024, "{bytes}"),
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
        let lines = generate(300_000, 1);
        assert_eq!(lines, generate(300_000, 1));
        assert_ne!(lines, generate(300_000, 2));
    }
}
