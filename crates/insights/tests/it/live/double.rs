//! The source documents' cases over a session (R346): a double at the other end of the pipe says the lines of each case and notes
//! what is written to it, and the session's events are those of the plain lines. `documents::over_a_session` has the tests.

use claude_driver::Claude;
use insights::convert::{Nameless, RawLines};
use insights::{InsightsEvent, Profile, Record, Source, events};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex, split};
use tokio::sync::oneshot;

use super::{all, wire_time};
use crate::documents::Case;
use crate::fixtures::scenarios;
use crate::support::shown;

/// Answers `initialize`, says these lines once it is told to, and ends. What was written to it comes out.
async fn double(
    pipe: tokio::io::DuplexStream,
    answer: Value,
    lines: Vec<String>,
    go: oneshot::Receiver<()>,
) -> Vec<Value> {
    let (input, mut output) = split(pipe);
    let mut input = BufReader::new(input).lines();
    let request: Value = serde_json::from_str(&input.next_line().await.unwrap().unwrap()).unwrap();
    let response = json!({"subtype": "success", "request_id": request["request_id"], "response": answer});
    let answer = json!({"type": "control_response", "response": response});
    output.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
    go.await.unwrap();
    for line in lines {
        output.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
    output.shutdown().await.unwrap();
    let mut written = vec![request];
    while let Ok(Some(line)) = input.next_line().await {
        written.push(serde_json::from_str(&line).unwrap());
    }
    written
}

/// Does the case hold over a session?
pub(crate) async fn holds(case: &'static Case) {
    // What the case has as the answer to `initialize` is the answer to ours.
    let (answer, lines) = match case.lines {
        [first, rest @ ..] if first.contains("control_response") => {
            let told: Value = serde_json::from_str(first).unwrap();
            (told["response"]["response"].clone(), rest)
        }
        lines => (json!({}), lines),
    };
    let (ours, theirs) = duplex(64 * 1024);
    let (go, told_to_go) = oneshot::channel();
    let said = lines.iter().map(|line| (*line).to_owned()).collect();
    let double = tokio::spawn(double(theirs, answer, said, told_to_go));
    let session = Claude::new().start_over(split(ours)).await.unwrap();
    let (first, second) = (events(&session, Profile::Core), events(&session, Profile::Core));
    go.send(()).unwrap();
    let (first, second) = (all(first).await, all(second).await);
    drop(session);
    let written = double.await.unwrap();
    assert_eq!(written[0]["request"]["subtype"], "initialize");
    let asked: Vec<&str> = lines.iter().copied().filter(|line| line.contains("control_request\"")).collect();
    assert!(written.len() <= 1 + asked.len(), "nobody wrote but to answer: {written:?}");
    assert_eq!(first, second);
    // Here nobody names the session but its lines, and the answer to `initialize` was line 1.
    let expected = (case.events)().to_string().replace(r#""fixture""#, r#""""#).replace("call-1-", "call-2-");
    let expected: Value = serde_json::from_str(&expected).unwrap();
    assert_eq!(Value::from(shown(&first, lines, Profile::Core)), expected);
}

/// Replay is live: what a running session tells is what the same lines tell later, for every session that was captured.
#[tokio::test]
async fn every_captured_session_is_told_live_as_it_is_told_later() {
    for scenario in scenarios() {
        let records = scenario.records().into_iter().filter(|record| record.source == Source::Stdout);
        let lines: Vec<String> = records.map(|record| record.line.text().into_owned()).collect();
        let (ours, theirs) = duplex(64 * 1024);
        let (go, told_to_go) = oneshot::channel();
        let double = tokio::spawn(double(theirs, json!({}), lines.clone(), told_to_go));
        let session = Claude::new().start_over(split(ours)).await.unwrap();
        let live = tokio::spawn(all(events(&session, Profile::Full)));
        go.send(()).unwrap();
        let live = live.await.unwrap();
        drop(session);
        double.await.unwrap();

        // The answer to `initialize` was line 1.
        let answered = r#"{"type":"control_response","response":{"subtype":"success","request_id":"r","response":{}}}"#;
        let mut later = Vec::new();
        let mut converter = Nameless::new(Profile::Full, RawLines::Kept);
        for (seq, line) in (1..).zip([answered.to_owned()].into_iter().chain(lines)) {
            converter.convert_into(Record::stdout(seq, wire_time(&line), line), &mut later);
        }
        let said = |events: Vec<InsightsEvent>| -> Vec<InsightsEvent> {
            events.into_iter().filter(|event| event.seq.is_some_and(|seq| seq > 1)).collect()
        };
        let (live, later) = (said(live), said(later));
        let differing = live.iter().zip(&later).find(|(live, later)| live != later);
        assert_eq!(differing, None, "{} {}", scenario.version, scenario.name);
        assert_eq!(live.len(), later.len(), "{} {}", scenario.version, scenario.name);
    }
}
