//! Lines made by hand to be nasty: whatever a pipe may bring, `decode` gives a value and keeps the text.

use claude_protocol::content::{Block, Content};
use claude_protocol::{Decoded, FromCli, Line, decode, drift, unmodelled};

fn text_of(decoded: &Decoded) -> &str {
    let FromCli::Assistant(assistant) = &decoded.body else { panic!("not an assistant line: {:?}", decoded.body) };
    let Content::Blocks(blocks) = &assistant.message.content else { panic!("not blocks") };
    let [Block::Text(block)] = blocks.as_slice() else { panic!("not one text block") };
    &block.text
}

fn assistant(text: &str) -> String {
    format!(r#"{{"type":"assistant","message":{{"id":"msg_1","content":[{{"type":"text","text":"{text}"}}]}}}}"#)
}

#[test]
fn a_lone_surrogate_reads_as_a_replacement_and_stays_in_the_text() {
    let line = assistant(r"cut \ud83d here and \ude00 there, whole \ud83d\ude00");
    let decoded = decode(line.as_str());
    assert_eq!(text_of(&decoded), "cut \u{fffd} here and \u{fffd} there, whole 😀");
    assert_eq!(decoded.notes, []);
    assert_eq!(decoded.line, Line::Text(line));
}

#[test]
fn of_repeated_keys_the_last_one_counts() {
    let decoded = decode(r#"{"type":"prompt_suggestion","suggestion":"first","suggestion":"second"}"#);
    let FromCli::PromptSuggestion(suggestion) = decoded.body else { panic!("{:?}", decoded.body) };
    assert_eq!(suggestion.suggestion.as_deref(), Some("second"));
}

#[test]
fn of_both_spellings_the_present_one_counts_in_any_order() {
    for models in [r#"{"costUSD":1.5,"costUsd":9}"#, r#"{"costUsd":9,"costUSD":1.5}"#] {
        let line = format!(r#"{{"type":"result","subtype":"success","modelUsage":{{"m":{models}}}}}"#);
        let decoded = decode(line.as_str());
        let FromCli::Result(result) = &decoded.body else { panic!("{:?}", decoded.body) };
        let usage = &result.model_usage.as_ref().unwrap()["m"];
        assert_eq!(usage.cost_usd, Some(1.5));
        assert_eq!(unmodelled(line), ["modelUsage.*.costUsd"]);
    }
}

#[test]
fn of_a_repeated_tag_the_first_counts() {
    assert_eq!(decode(r#"{"type":"system","type":"result","subtype":"status"}"#).body.full_kind(), "system/status");
    assert_eq!(decode(r#"{"subtype":"init","type":"system","subtype":"status"}"#).body.full_kind(), "system/init");
}

#[test]
fn a_null_in_the_present_spelling_does_not_hide_the_older_one() {
    for models in [r#"{"costUSD":null,"costUsd":9}"#, r#"{"costUsd":9,"costUSD":null}"#, r#"{"costUsd":8,"costUsd":9}"#]
    {
        let line = format!(r#"{{"type":"result","subtype":"success","modelUsage":{{"m":{models}}}}}"#);
        let FromCli::Result(result) = decode(line.as_str()).body else { panic!("{line}") };
        assert_eq!(result.model_usage.as_ref().unwrap()["m"].cost_usd, Some(9.0), "{line}");
        assert_eq!(unmodelled(line), [""; 0]);
    }
}

#[test]
fn a_line_of_a_million_misfits_is_noted_a_thousand_times() {
    let line = format!(r#"{{"type":"assistant","message":{{"content":[{}1]}}}}"#, "1,".repeat(1_000_000));
    let decoded = decode(line);
    assert_eq!(decoded.body.kind(), "assistant");
    assert_eq!(decoded.notes.len(), 1000);
}

#[test]
fn depth_is_no_danger_in_free_and_in_typed_parts() {
    let deep = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    for depth in [100, 1_000, 100_000] {
        let line = format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"n","input":{{"a":{}}}}}]}}}}"#,
            deep(depth)
        );
        let decoded = decode(line);
        let FromCli::Assistant(assistant) = decoded.body else { panic!("{:?}", decoded.body) };
        let Content::Blocks(blocks) = assistant.message.content else { panic!("not blocks") };
        let Block::ToolUse(call) = &blocks[0] else { panic!("not a call") };
        assert_eq!(call.input.text().len(), 2 * depth + r#"{"a":1}"#.len());
        assert_eq!(call.input.parse::<serde_json::Value>().is_ok(), depth <= 100);
    }
    // Blocks inside blocks, deeper than any stack: the outer ones are typed, the rest is carried.
    let (opening, closing) = (r#"[{"type":"tool_result","tool_use_id":"t","content":"#, "}]");
    let nested = format!(r#"{}"x"{}"#, opening.repeat(100_000), closing.repeat(100_000));
    let decoded = decode(format!(r#"{{"type":"user","message":{{"role":"user","content":{nested}}}}}"#));
    assert_eq!(decoded.body.kind(), "user");
    assert_eq!(decoded.notes, []);
}

#[test]
fn numbers_past_all_bounds_cost_their_field_only() {
    let decoded = decode(
        r#"{"type":"result","subtype":"success","num_turns":99999999999999999999999,"duration_ms":1e999,"total_cost_usd":0.1,"is_error":false}"#,
    );
    let FromCli::Result(result) = &decoded.body else { panic!("{:?}", decoded.body) };
    assert_eq!((result.num_turns, result.duration_ms, result.total_cost_usd), (None, None, Some(0.1)));
    let paths: Vec<_> = decoded.notes.iter().map(|note| note.path.as_str()).collect();
    assert_eq!(paths, ["num_turns", "duration_ms"]);
}

#[test]
fn floats_come_back_as_they_came() {
    for cost in ["0.008990999999999999", "0.1", "1e-7", "123456789.12345679", "5e-324"] {
        let decoded = decode(format!(r#"{{"type":"result","subtype":"success","total_cost_usd":{cost}}}"#));
        let FromCli::Result(result) = decoded.body else { panic!("not a result") };
        assert_eq!(result.total_cost_usd, cost.parse().ok());
    }
}

#[test]
fn twenty_megabytes_in_one_line_are_a_line() {
    let text = r"line of code\n".repeat(20 * 1024 * 1024 / 13);
    let decoded = decode(assistant(&text));
    assert_eq!(text_of(&decoded).len(), text.len() / 14 * 13);
}

#[test]
fn bytes_that_are_not_utf8_keep_the_kind_and_are_noted() {
    let mut bytes = assistant("caf").into_bytes();
    let at = bytes.windows(3).position(|window| window == b"caf").unwrap() + 3;
    bytes.insert(at, 0xE9);
    let decoded = decode(bytes.clone());
    assert_eq!(text_of(&decoded), "caf\u{fffd}");
    assert_eq!(decoded.line.bytes(), bytes);
    assert_eq!(decoded.notes.len(), 1);
}

#[test]
fn what_is_no_json_object_is_kept_and_said() {
    let cases = [
        "",
        " ",
        "npm warn something",
        "[1]",
        "\"x\"",
        "null",
        "17",
        "{",
        r#"{"type":"assistant""#,
        r#"{"type":"system","subtype":"init"} trailing"#,
        r#"{"type":"assistant","message":{"content":[}]}"#,
        "{\"type\":\"a\nb\"}",
        r#"["keep_alive"]"#,
        "\u{feff}{}",
        "\0",
    ];
    for text in cases {
        let decoded = decode(text);
        assert!(matches!(decoded.body, FromCli::NotJson(_)), "{text:?} gave {:?}", decoded.body);
        assert_eq!(decoded.line.text(), text);
    }
}

#[test]
fn an_object_without_a_known_type_is_carried_whole() {
    for text in ["{}", r#"{"type":null}"#, r#"{"type":["x"]}"#, r#"{"type":"news","a":[1,{"b":2}]}"#] {
        let decoded = decode(text);
        let FromCli::Other(other) = decoded.body else { panic!("{text} gave {:?}", decoded.body) };
        assert_eq!(other.raw.text(), text);
        assert_eq!(drift::<FromCli>(text).unknown.len(), 1);
    }
}

#[test]
fn an_unknown_subtype_or_block_leaves_the_rest_typed() {
    let decoded = decode(r#"{"type":"system","subtype":"tomorrow","x":1}"#);
    assert_eq!(decoded.body.full_kind(), "system/tomorrow");
    let line = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"hologram","x":1},{"type":"text","text":"ok"}]}}"#;
    let FromCli::Assistant(assistant) = decode(line).body else { panic!("not an assistant line") };
    let Content::Blocks(blocks) = &assistant.message.content else { panic!("not blocks") };
    assert_eq!(blocks.iter().map(Block::kind).collect::<Vec<_>>(), ["hologram", "text"]);
    let unknown = drift::<FromCli>(line).unknown;
    assert_eq!(unknown.len(), 1);
    assert_eq!((unknown[0].path.as_str(), unknown[0].kind.as_str()), ("message.content[]", "hologram"));
}

#[test]
fn the_tag_may_come_last() {
    let line = r#"{"a":{"type":"x"},"session_id":"s","suggestion":"go on","type":"prompt_suggestion"}"#;
    assert_eq!(decode(line).body.kind(), "prompt_suggestion");
    assert_eq!(unmodelled(line), ["a"]);
    let line = r#"{"cwd":"/","subtype":"init","session_id":"s","type":"system"}"#;
    assert_eq!(decode(line).body.full_kind(), "system/init");
    assert_eq!(unmodelled(line), [""; 0]);
}
