//! Reads JSON text that strict parsers refuse: the oldest CLI writes half a surrogate pair when it cuts text in an emoji.

use claude_protocol::raw::without_lone_surrogates;
use serde_json::Value;

/// The value of a JSON text, with lone surrogates read as U+FFFD; `None` when it is no JSON at all.
pub(crate) fn lenient(text: &str) -> Option<Value> {
    let parse = |text: &str| serde_json::from_str(text).ok();
    parse(text).or_else(|| parse(&without_lone_surrogates(text)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn half_a_surrogate_pair_is_read_and_a_whole_one_is_kept() {
        assert_eq!(
            lenient(r#"{"a":"x\ud83d","b":"\ud83d\ude00","c":"\\ud83d"}"#),
            Some(json!({"a": "x\u{fffd}", "b": "😀", "c": "\\ud83d"}))
        );
        assert_eq!(lenient("{"), None);
    }
}
