//! `quarterdeck inspect`.

use std::path::Path;

use serde_json::{Value, json};

use crate::binary::quarterdeck;

fn inspect_json(stdin: &str) -> Value {
    let output = quarterdeck(&["inspect", "--json", "-"], stdin);
    assert_eq!(output.status.code(), Some(0));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn fixtures() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli").display().to_string()
}

#[test]
fn every_captured_line_passes_strictly() {
    let output = quarterdeck(&["inspect", "--strict", &fixtures()], "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("system/init"), "{text}");
}

#[test]
fn no_line_goes_uncounted() {
    let output = quarterdeck(&["inspect", "--json", &fixtures()], "");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kinds: u64 = report["kinds"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(report["lines"].as_u64().unwrap(), kinds + report["notJson"].as_u64().unwrap());
    assert!(report["files"].as_u64().unwrap() > 100);
}

#[test]
fn plain_lines_traces_and_transcripts_are_told_apart_line_by_line() {
    let report = inspect_json(concat!(
        r#"{"type":"system","subtype":"init","session_id":"s"}"#,
        "\n\n   \r\n",
        r#"{"dir":"out","t":0.1,"line":{"type":"system","subtype":"init","session_id":"s"}}"#,
        "\n",
        r#"{"dir":"in","t":0,"line":{"type":"user","message":{"role":"user","content":"hi"}}}"#,
        "\n",
        r#"{"dir":"in","t":0,"raw":"not json"}"#,
        "\n",
        r#"{"dir":"err","t":0,"raw":"a warning"}"#,
        "\n",
        r#"{"dir":"meta","t":0,"line":{"event":"exit","code":0}}"#,
        "\n",
        r#"{"type":"user","parentUuid":null,"sessionId":"s","uuid":"u","message":{"role":"user","content":"hi"}}"#,
        "\n",
        r#"{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}"#,
        "\n",
        r#"{"type":"keep_alive"}"#,
        "\nplain words\n",
    ));
    assert_eq!(
        report,
        json!({
            "files": 1,
            "lines": 10,
            "kinds": {
                "keep_alive": 1,
                "meta": 1,
                "stderr": 1,
                "stdin control_request": 1,
                "stdin user": 1,
                "system/init": 2,
                "transcript user": 1,
            },
            "notJson": 2,
            "unknown": [],
            "unmodelled": [],
            "notes": [],
            "host": { "unknown": [], "unmodelled": [], "notes": [] },
        })
    );
}

#[test]
fn news_is_named_with_its_place_and_fails_strictly() {
    let lines = concat!(
        r#"{"type":"news","a":1}"#,
        "\n",
        r#"{"type":"news","a":2}"#,
        "\n",
        r#"{"type":"assistant","message":{"content":[{"type":"hologram"}],"mood":"good"},"uuid":7}"#,
        "\n",
        r#"{"type":"system","subtype":"status","permissionMode":"reckless"}"#,
        "\n",
    );
    let report = inspect_json(lines);
    assert_eq!(
        (&report["unknown"], &report["unmodelled"], &report["notes"]),
        (
            &json!([
                { "kind": "assistant", "path": "message.content[]", "what": "type `hologram`", "count": 1, "first": "stdin:3" },
                { "kind": "news", "path": "", "what": "type `news`", "count": 2, "first": "stdin:1" },
                { "kind": "system/status", "path": "permissionMode", "what": "word `reckless`", "count": 1, "first": "stdin:4" },
            ]),
            &json!([{ "kind": "assistant", "path": "message.mood", "count": 1, "first": "stdin:3" }]),
            &json!([
                { "kind": "assistant", "path": "uuid", "what": "expected a string, found a number", "count": 1, "first": "stdin:3" },
            ]),
        )
    );
    for line in lines.lines() {
        let output = quarterdeck(&["inspect", "--strict", "-"], line);
        assert_eq!(output.status.code(), Some(1), "{line}");
    }
}

#[test]
fn drift_in_payloads_is_found_through_the_line_that_explains_them() {
    let report = inspect_json(concat!(
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}"#,
        "\n",
        r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]},"tool_use_result":{"stdout":"x","stderr":"","interrupted":false,"smell":"odd"}}"#,
        "\n",
        r#"{"dir":"in","t":0,"line":{"type":"control_request","request_id":"r1","request":{"subtype":"interrupt"}}}"#,
        "\n",
        r#"{"dir":"out","t":0,"line":{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"still_queued":[],"sorry":true}}}}"#,
        "\n",
    ));
    assert_eq!(
        report["unmodelled"],
        json!([
            { "kind": "control_response to interrupt", "path": "sorry", "count": 1, "first": "stdin:4" },
            { "kind": "tool result of Bash", "path": "smell", "count": 1, "first": "stdin:2" },
        ])
    );
}

#[test]
fn what_a_host_sends_is_shown_and_is_no_news_of_the_cli() {
    let line = r#"{"dir":"in","t":0,"line":{"type":"rubbish"}}"#;
    let report = inspect_json(line);
    assert_eq!(report["host"]["unknown"][0]["what"], json!("type `rubbish`"));
    assert_eq!(quarterdeck(&["inspect", "--strict", "-"], line).status.code(), Some(0));
}

#[test]
fn a_file_that_is_not_there_is_an_error_that_names_it() {
    let output = quarterdeck(&["inspect", "no-such-file.jsonl"], "");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: could not open `no-such-file.jsonl`: "), "{error}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_file_that_cannot_be_read_does_not_cost_the_report_on_the_others() {
    let output = quarterdeck(&["inspect", "--json", "no-such-file.jsonl", "-"], r#"{"type":"keep_alive"}"#);
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["kinds"], json!({ "keep_alive": 1 }));
}

#[test]
fn what_a_recording_says_does_not_reach_the_terminal_raw() {
    let output = quarterdeck(&["inspect", "-"], r#"{"type":"\u001b[31mred\nx","\u0007":1}"#);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(r"\u{1b}[31mred\nx"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn bytes_that_are_not_utf8_are_noted_in_plain_lines_and_in_records() {
    for line in [
        &b"{\"type\":\"keep_alive\",\"uuid\":\"caf\xe9\"}"[..],
        b"{\"dir\":\"out\",\"t\":0,\"line\":{\"type\":\"keep_alive\",\"uuid\":\"caf\xe9\"}}",
    ] {
        assert_eq!(quarterdeck(&["inspect", "--strict", "-"], line).status.code(), Some(1));
    }
}
