//! The source documents' cases over a session (R346): a double at the other end of the pipe says the lines of each case, and
//! the session's events are those of the plain lines.

use claude_driver::Claude;
use insights::{Profile, events};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex, split};
use tokio::sync::oneshot;

use super::all;
use crate::documents::CASES;
use crate::support::shown;

/// Answers `initialize` with nothing, says these lines once it is told to, and ends.
async fn double(pipe: tokio::io::DuplexStream, lines: &[&str], go: oneshot::Receiver<()>) {
    let (input, mut output) = split(pipe);
    let mut input = BufReader::new(input).lines();
    let request: Value = serde_json::from_str(&input.next_line().await.unwrap().unwrap()).unwrap();
    assert_eq!(request["request"]["subtype"], "initialize");
    let id = request["request_id"].as_str().unwrap();
    let answer = format!(
        r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{id}","response":{{}}}}}}"#
    );
    output.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
    go.await.unwrap();
    for line in lines {
        output.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
    output.shutdown().await.unwrap();
}

#[tokio::test]
async fn r346_the_cases_hold_over_a_session_too() {
    for case in CASES {
        let (ours, theirs) = duplex(64 * 1024);
        let (go, told_to_go) = oneshot::channel();
        let lines = case.lines;
        let double = tokio::spawn(double(theirs, lines, told_to_go));
        let session = Claude::new().start_over(split(ours)).await.unwrap();
        let (first, second) = (events(&session, Profile::Core), events(&session, Profile::Core));
        go.send(()).unwrap();
        let (first, second) = (all(first).await, all(second).await);
        double.await.unwrap();
        assert_eq!(first, second, "{}", case.name);
        // Here nobody names the session but its lines, and the answer to `initialize` was line 1.
        let expected = (case.events)().to_string().replace(r#""fixture""#, r#""""#).replace("call-1-", "call-2-");
        let expected: Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(Value::from(shown(&first, lines, Profile::Core)), expected, "{}", case.name);
    }
    assert!(CASES.len() >= 18, "{}", CASES.len());
}
