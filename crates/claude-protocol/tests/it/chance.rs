//! `decode` on what chance makes: any bytes, any JSON, and real lines with bytes changed. The oracle is serde_json.
//!
//! `PROPTEST_CASES=1000000 cargo test --release -p claude-protocol chance` is the long run; `docs/testing.md` has its
//! figure.

use claude_protocol::transcript::Entry;
use claude_protocol::{FromCli, ToCli, decode, decode_as, encode};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::Config;

use crate::support::stdout_lines;

fn config() -> Config {
    // Set in the environment for the long run.
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2_000);
    Config { cases, failure_persistence: None, ..Config::default() }
}

/// Does the text hold a JSON object, in the eyes of serde_json?
fn is_object(text: &str) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let skipped: Result<serde::de::IgnoredAny, _> = serde::Deserialize::deserialize(&mut deserializer);
    skipped.is_ok() && deserializer.end().is_ok() && text.trim_start().starts_with('{')
}

/// What holds for every line, good or bad.
fn holds(bytes: &[u8]) {
    let decoded = decode(bytes);
    assert_eq!(decoded.line.bytes(), bytes);
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(!matches!(decoded.body, FromCli::NotJson(_)), is_object(&text), "{text}");
    decode_as::<ToCli>(bytes);
    decode_as::<Entry>(bytes);
    if is_object(&text) {
        let again = encode(&decoded.body);
        assert!(is_object(&again), "{again}");
        assert_eq!(encode(&decode(again.as_str()).body), again);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        holds(&bytes);
    }

    #[test]
    fn anything_made_of_json_tokens_is_read(tokens in proptest::collection::vec(0..TOKENS.len(), 0..60)) {
        let text: String = tokens.into_iter().map(|token| TOKENS[token]).collect();
        holds(text.as_bytes());
        holds(format!("{{{text}}}").as_bytes());
    }

    #[test]
    fn real_lines_with_changed_bytes_are_read(
        line in any::<Index>(),
        changes in proptest::collection::vec((any::<Index>(), any::<u8>(), 0..4_u8), 1..6),
    ) {
        let lines = real_lines();
        let mut bytes = line.get(lines).clone();
        for (place, byte, how) in changes {
            let at = place.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match how {
                _ if bytes.is_empty() => bytes.push(byte),
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => { bytes.remove(at); }
                _ => bytes.truncate(at),
            }
        }
        holds(&bytes);
    }
}

const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\"type\":",
    "\"assistant\"",
    "\"system\"",
    "\"subtype\":",
    "\"init\"",
    "\"message\":",
    "\"content\":",
    "\"tool_use\"",
    "\"text\":",
    "null",
    "true",
    "1",
    "-0.5e3",
    "\"x\"",
    "\\u",
    "\\ud83d",
    "\\n",
    " ",
    "\n",
    "\u{2028}",
    "\"result\"",
    "\"user\"",
    "\"uuid\":\"u\",",
    "{\"type\":\"system\",\"subtype\":",
    "{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"index\":0,\"delta\":",
];

/// One captured line per kind, short enough that a change is likely to matter.
fn real_lines() -> &'static [Vec<u8>] {
    static LINES: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();
    LINES.get_or_init(|| {
        let mut seen = std::collections::BTreeSet::new();
        let mut lines = stdout_lines();
        lines.retain(|line| line.text.len() < 6_000 && seen.insert(decode(line.text.as_str()).body.full_kind()));
        lines.into_iter().map(|line| line.text.into_bytes()).collect()
    })
}
