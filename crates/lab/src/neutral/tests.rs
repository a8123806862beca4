//! Neutral lines: what is replaced, what stays, and that it is the same each time.

use super::*;
use serde_json::json;

fn neutral() -> Neutral {
    let scenario = json!({"script": [{"blocks": [{"type": "text", "text": "A long sentence that the scripted model says to us all."}]}]});
    Neutral::new(Path::new("/tmp/lab-1"), Path::new("/cache/bin"), "http://127.0.0.1:4242", &scenario)
}

fn line(text: &str) -> String {
    let mut neutral = neutral();
    neutral.learn(text);
    neutral.line(text).text
}

#[test]
fn what_is_not_replaced_stays_byte_for_byte() {
    let text = r#"{"b":1e-7, "a":"x\ud83d\/\u0041","n":[1.50,-0,true,null],"":{}}"#;
    assert_eq!(line(text), text);
}

#[test]
fn ids_are_numbered_by_first_appearance_wherever_they_stand() {
    let text = r#"{"uuid":"3f0c1a2b-0000-4000-8000-1234567890ab","path":"/x/3f0c1a2b-0000-4000-8000-1234567890ab.jsonl","agentId":"adeadbee","request_id":"k3j4h5g6","t":"agent-adeadbee.jsonl"}"#;
    let expected = r#"{"uuid":"00000000-0000-4000-8000-000000000001","path":"/x/00000000-0000-4000-8000-000000000001.jsonl","agentId":"a0000001","request_id":"request-0001","t":"agent-a0000001.jsonl"}"#;
    assert_eq!(line(text), expected);
}

#[test]
fn json_rpc_ids_keep_their_count() {
    assert_eq!(
        line(r#"{"message":{"id":"8b71d0f9:12","note":"9:30"}}"#),
        r#"{"message":{"id":"00000000:12","note":"9:30"}}"#
    );
}

#[test]
fn places_ports_times_and_durations_are_neutral() {
    let text = r#"{"cwd":"/tmp/lab-1/home/user/project","dir":"-tmp-lab-1-home-user-project","url":"http://127.0.0.1:4242","timestamp":"2026-11-15T20:02:05.123Z","duration_ms":17,"durationSeconds":0.25,"num_turns":2}"#;
    let expected = r#"{"cwd":"/home/user/project","dir":"-home-user-project","url":"http://127.0.0.1:8080","timestamp":"2026-01-01T00:00:00.000Z","duration_ms":100,"durationSeconds":0.5,"num_turns":2}"#;
    assert_eq!(line(text), expected);
}

#[test]
fn prose_goes_and_our_own_words_stay() {
    let text = r#"{"a":"A long sentence that the scripted model says to us all.","b":"This is a sentence of the tool that is far too long to keep.\nExit code 3","description":"Short"}"#;
    let expected = r#"{"a":"A long sentence that the scripted model says to us all.","b":"Neutral words.\nExit code 3","description":"Neutral words."}"#;
    assert_eq!(line(text), expected);
}

#[test]
fn a_very_long_string_is_cut_between_two_characters() {
    let text = format!(r#"{{"a":"{}"}}"#, "\\ud83d\\ude00".repeat(1000));
    let short = neutral().line(&text);
    assert!(short.shortened && short.text.len() < 600);
    assert!(json::lenient(&short.text).is_some());
}

#[test]
fn the_machine_and_the_day_are_not_told() {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let text =
        format!(r#"{{"osVersion":"Linux {}","date":"2026-11-17","protocolVersion":"2025-06-18"}}"#, release.trim());
    assert_eq!(line(&text), r#"{"osVersion":"Linux 6.0.0","date":"2026-01-01","protocolVersion":"2025-06-18"}"#);
}
