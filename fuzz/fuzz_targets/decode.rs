//! Any bytes through `decode`: no panic, nothing lost, and the same verdict as serde_json on what is JSON.
//!
//! `cargo +nightly fuzz run decode` (cargo-fuzz from crates.io); start it on a corpus made from `fixtures/`.
#![no_main]

use claude_protocol::transcript::Entry;
use claude_protocol::{FromCli, ToCli, decode, decode_as, encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let decoded = decode(bytes);
    assert_eq!(decoded.line.bytes(), bytes);
    let _ = decode_as::<ToCli>(bytes);
    let _ = decode_as::<Entry>(bytes);
    let text = String::from_utf8_lossy(bytes);
    let object = is_object(&text);
    assert_eq!(!matches!(decoded.body, FromCli::NotJson(_)), object);
    if object {
        let again = encode(&decoded.body);
        assert!(is_object(&again));
        assert_eq!(encode(&decode(again.as_str()).body), again);
    }
});

fn is_object(text: &str) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let skipped: Result<serde::de::IgnoredAny, _> = serde::Deserialize::deserialize(&mut deserializer);
    skipped.is_ok() && deserializer.end().is_ok() && text.trim_start().starts_with('{')
}
