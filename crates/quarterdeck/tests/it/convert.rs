//! `quarterdeck convert`.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::binary::{quarterdeck, started};

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli").join(name).display().to_string()
}

fn lines(output: &[u8]) -> Vec<Value> {
    output
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

/// The events of these lines, with these arguments.
fn convert(arguments: &[&str], stdin: impl AsRef<[u8]>) -> Vec<Value> {
    let output = quarterdeck(&[&["convert"], arguments].concat(), stdin);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stderr, b"");
    lines(&output.stdout)
}

fn kinds(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().unwrap()).collect()
}

/// A file of this test run with this text.
fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

const PLAIN: &str = concat!(
    r#"{"type":"system","subtype":"init","session_id":"s1","model":"opus"}"#,
    "\n\n",
    r#"{"type":"assistant","message":{"id":"m1","model":"opus","content":[{"type":"text","text":"Hello."}]},"session_id":"s1","timestamp":"2026-11-15T22:58:00.123Z"}"#,
    "\n",
    r#"{"type":"news","of":"tomorrow","session_id":"s1"}"#,
    "\nnot json\n",
);

#[test]
fn plain_lines_become_events_with_their_line_number_and_time() {
    let events = convert(&["--no-raw"], PLAIN);
    assert_eq!(kinds(&events), ["session_init", "text", "unknown_message", "protocol_error"]);
    assert_eq!(
        events[1],
        json!({
            "event": "text", "text": "Hello.", "kind": "text", "model": "opus", "messageId": "m1", "blockIndex": 0,
            "id": events[1]["id"], "seq": 3, "timestamp": "2026-11-15T22:58:00.123Z", "provider": "claude", "sessionId": "s1",
            "extensions": {"claude.timestamp": "2026-11-15T22:58:00.123Z"},
        })
    );
    assert_eq!(events[0]["timestamp"], "1970-01-01T00:00:00.000Z");
    let hash = |event: &Value| event["id"].as_str().unwrap().split('-').nth(1).unwrap().to_owned();
    assert!(events.iter().all(|event| hash(event) == hash(&events[0])), "{events:#?}");
}

#[test]
fn each_event_carries_its_line_unless_it_is_not_wanted() {
    let events = convert(&["-"], PLAIN);
    let raw: Vec<&Value> = events.iter().map(|event| &event["raw"]).collect();
    assert_eq!(raw[2..], [&json!({"type": "news", "of": "tomorrow", "session_id": "s1"}), &json!("not json")]);
    let without: Vec<Value> = events
        .iter()
        .map(|event| {
            let mut event = event.clone();
            event.as_object_mut().unwrap().remove("raw");
            event
        })
        .collect();
    assert_eq!(without, convert(&["--no-raw"], PLAIN));
}

#[test]
fn the_core_profile_has_only_the_events_of_the_source_documents() {
    let events = convert(&["--profile", "core"], PLAIN);
    assert_eq!(kinds(&events), ["session_init", "text"]);
    let ids: Vec<&str> = events.iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert!(ids[0].ends_with("-0") && ids[1].ends_with("-1") && ids[0].split('-').count() == 3, "{ids:?}");
}

#[test]
fn a_recording_a_log_and_plain_lines_of_a_session_say_the_same() {
    let path = fixture("2.1.326/plain-text.jsonl");
    let trace = std::fs::read_to_string(&path).unwrap();
    let said = |line: &str| {
        let trace: Value = serde_json::from_str(line).unwrap();
        (trace["dir"] == "out").then(|| line.split_once(r#""line":"#).unwrap().1.strip_suffix('}').unwrap().to_owned())
    };
    let plain: Vec<String> = trace.lines().filter_map(said).collect();
    let log = plain
        .iter()
        .enumerate()
        .map(|(at, line)| format!(r#"{{"seq":{},"at":1000,"source":"stdout","line":{line}}}"#, at + 1));
    let log: Vec<String> = log.collect();
    let traced: Vec<String> = plain.iter().map(|line| format!(r#"{{"dir":"out","t":1,"line":{line}}}"#)).collect();
    let bare = |lines: &[String]| {
        let mut events = convert(&[], lines.join("\n"));
        events.iter_mut().for_each(|event| _ = event.as_object_mut().unwrap().remove("timestamp"));
        events
    };
    let events = bare(&plain);
    assert!(kinds(&events).contains(&"turn_complete"), "{events:#?}");
    assert_eq!(bare(&log), events);
    assert_eq!(bare(&traced), events);
}

#[test]
fn a_packed_log_and_one_with_long_records_apart_say_the_same() {
    let place = tempfile::tempdir().unwrap();
    let folder = journal::Folder::new(place.path().join("session"));
    folder.make().unwrap();
    let record = |seq: u64, words: &str| {
        let message = json!({"id": format!("m{seq}"), "content": [{"type": "text", "text": words}]});
        json!({"seq": seq, "at": 1000, "source": "stdout", "line": {"type": "assistant", "message": message}})
            .to_string()
    };
    let (short, long) = (record(1, "Hello."), record(2, "A long answer."));
    std::fs::write(folder.log(), format!("{short}\n{long}\n")).unwrap();
    let log = folder.log().display().to_string();
    let events = convert(&[&log], "");
    assert_eq!(kinds(&events), ["text", "text"]);

    std::fs::create_dir(folder.path().join("big")).unwrap();
    std::fs::write(folder.big(2), &long).unwrap();
    let points = format!("{short}\n{{\"seq\":2,\"at\":1000,\"big\":{}}}\n", long.len());
    std::fs::write(folder.log(), &points).unwrap();
    assert_eq!(convert(&[&log], ""), events);

    journal::pack(&folder).unwrap().unwrap();
    let packed = folder.packed();
    assert_eq!(convert(&[&packed.display().to_string()], ""), events);

    // Without its folder a log does not have all its records, packed or not.
    for lines in [points.into_bytes(), std::fs::read(packed).unwrap()] {
        let output = quarterdeck(&["convert"], lines);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with("error: the record of line 2 is in a file of its own"), "{error}");
        assert!(error.contains("\nhint: name the log in its folder"), "{error}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn what_the_host_did_is_in_the_events_of_a_recording() {
    let events = convert(&[&fixture("2.1.326/permission-allow.jsonl")], "");
    let wanted = ["process_start", "user_input", "permission_request", "permission_resolved", "process_exit"];
    let host: Vec<&str> = kinds(&events).into_iter().filter(|kind| wanted.contains(kind)).collect();
    assert_eq!(
        host,
        ["process_start", "user_input", "user_input", "permission_request", "permission_resolved", "process_exit"]
    );
}

#[test]
fn every_recording_is_converted_twice_to_the_same_bytes() {
    let mut files = 0;
    for version in ["2.1.1", "2.1.29", "2.1.38", "2.1.326"] {
        for file in std::fs::read_dir(fixture(version)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "jsonl") || files % 5 != 0 {
                files += 1;
                continue;
            }
            files += 1;
            let path = path.display().to_string();
            let first = quarterdeck(&["convert", &path], "");
            assert_eq!((first.status.code(), first.stderr.as_slice()), (Some(0), &b""[..]), "{path}");
            assert!(!lines(&first.stdout).is_empty(), "{path}");
            assert_eq!(first.stdout, quarterdeck(&["convert"], std::fs::read(&path).unwrap()).stdout, "{path}");
        }
    }
    assert!(files > 400, "{files}");
}

#[test]
fn the_state_is_one_object_that_says_where_the_session_stands() {
    let states = convert(&["--state", &fixture("2.1.326/permission-allow.jsonl")], "");
    let [state] = &states[..] else { panic!("{states:#?}") };
    assert_eq!(state["status"]["title"], "make it");
    assert_eq!(state["status"]["agent"], "ended");
    let items: Vec<&str> =
        state["items"].as_array().unwrap().iter().map(|item| item["body"]["kind"].as_str().unwrap()).collect();
    assert_eq!(items, ["user", "text", "tool", "text", "turn"]);
}

#[test]
fn nothing_in_is_nothing_out_and_an_empty_state() {
    assert_eq!(convert(&[], ""), [json!(null); 0]);
    assert_eq!(convert(&["--state"], "\n\n")[0]["items"], json!([]));
}

#[test]
fn bytes_that_are_not_utf8_are_converted() {
    let events = convert(&[], b"{\"type\":\"news\",\"of\":\"caf\xe9\"}\n\xff\xfe\n");
    assert_eq!(kinds(&events), ["unknown_message", "protocol_error"]);
    assert_eq!(events[0]["raw"]["of"], "caf\u{fffd}");
}

#[test]
fn events_of_a_running_session_come_while_it_runs() {
    let mut running = started(&["convert", "--no-raw"]);
    let mut stdin = running.stdin.take().unwrap();
    let mut stdout = BufReader::new(running.stdout.take().unwrap());
    for text in ["one", "two"] {
        writeln!(stdin, r#"{{"type":"news","session_id":"s","text":"{text}"}}"#).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(lines(line.as_bytes())[0]["event"], "unknown_message");
    }
    drop(stdin);
    assert!(running.wait().unwrap().success());
}

#[test]
fn a_reader_that_has_enough_is_no_failure() {
    let mut running = started(&["convert"]);
    let mut stdin = running.stdin.take().unwrap();
    let line = format!("{{\"type\":\"news\",\"session_id\":\"s\",\"text\":\"{}\"}}\n", "x".repeat(100_000));
    stdin.write_all(line.as_bytes()).unwrap();
    let mut first = [0; 10];
    let mut stdout = running.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    // It may end before all of this is written, which then fails: that is what the test is about.
    let _ = (0..100).try_for_each(|_| stdin.write_all(line.as_bytes()));
    drop(stdin);
    let mut talk = String::new();
    running.stderr.take().unwrap().read_to_string(&mut talk).unwrap();
    assert_eq!((running.wait().unwrap().code(), talk.as_str()), (Some(0), ""));
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_that_names_it() {
    let output = quarterdeck(&["convert", "no-such-file.jsonl"], "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: could not open `no-such-file.jsonl`: "), "{error}");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]));

    let folder = file("x.jsonl", "").parent().unwrap().display().to_string();
    let output = quarterdeck(&["convert", &folder], "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, format!("error: `{folder}` is a folder\nhint: name a file in it\n"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_state_has_no_profile() {
    let output = quarterdeck(&["convert", "--state", "--profile", "core"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot be used with"));
}

#[test]
fn a_transcript_becomes_the_events_of_its_session() {
    let transcript = fixture("2.1.326/transcripts/edit-structured-result/00000000-0000-4000-8000-000000000001.jsonl");
    let events = convert(&["--no-raw", &transcript], "");
    let told: Vec<&str> = kinds(&events)
        .into_iter()
        .filter(|kind| ["user_input", "text", "tool_invocation", "tool_completion"].contains(kind))
        .collect();
    assert_eq!(told.first(), Some(&"user_input"), "{told:?}");
    assert!(told.contains(&"tool_invocation") && told.contains(&"tool_completion"), "{told:?}");
    assert_eq!(told.last(), Some(&"text"), "{told:?}");
}
