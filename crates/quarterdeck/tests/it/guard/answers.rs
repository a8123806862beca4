//! Answers to the agents' questions: rule 18.

use insights::Source;
use serde_json::{Value, json};

use super::browser::Browser;
use super::{NOBODY, asking, asks, events_until, refusal, refused, session_until};
use crate::client::Client;
use crate::deck::Deck;

#[tokio::test]
async fn rule_18_a_question_is_answered_once_and_it_is_written_down_by_whom() {
    let deck = Deck::new(&asking()).await;
    let server = deck.serve().await;
    let client = deck.client();
    let browser = Browser::open(client.port, &server.url).await;
    let session = session_until(&deck, &client, "permission_request").await;
    let ask = asks(&client, &session).await[0]["id"].as_str().unwrap().to_owned();
    let yes = json!({"decision": {"kind": "allow"}});
    let no = json!({"decision": {"kind": "deny", "why": "too late"}});
    // Two at once: one of them counts.
    let place = path(&session, &ask);
    let (first, second) = tokio::join!(browser.change("POST", &place, &yes), client.post(&place, &no));
    let statuses = [first.status, second.unwrap().status];
    assert!(matches!(statuses, [200, 409] | [409, 200]), "{statuses:?}");
    events_until(&client, &session, "turn_complete").await;
    assert_eq!(refusal(&client.post(&place, &yes).await.unwrap()), refused(409, "not_asked"));
    let [answered] = &audited(&deck, &session, "answered")[..] else { panic!("who answered is not written down once") };
    let by_browser = statuses[0] == 200;
    assert_eq!(answered["ask"], *ask);
    assert_eq!(answered["name"] == "a test", !by_browser, "{answered}");
    assert_eq!(answered["decision"]["kind"], if by_browser { "allow" } else { "deny" });
    assert!(answered["device"].is_string() && answered["at"].is_number(), "{answered}");
    let refusals = audited(&deck, &session, "answer_refused");
    assert_eq!(refusals.len(), 2, "{refusals:?}");
    assert!(refusals.iter().all(|line| line["device"].is_string()), "{refusals:?}");
    // What the agent heard is what was written down.
    let heard: Vec<Value> =
        deck_lines(&deck, &session).into_iter().filter(|line| line["type"] == "control_response").collect();
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert_eq!(heard[0]["response"]["response"]["behavior"], answered["decision"]["kind"]);
}

#[tokio::test]
async fn rule_18_what_is_not_asked_is_not_answered() {
    let deck = Deck::new(&asking()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let session = session_until(&deck, &client, "permission_request").await;
    let other = session_until(&deck, &client, "permission_request").await;
    let ask = asks(&client, &session).await[0]["id"].as_str().unwrap().to_owned();
    let yes = json!({"decision": {"kind": "allow"}});
    // Nobody, a question that was never asked, one of another session, and a session that is not there.
    let anonymous = Client { token: None, ..deck.client() };
    assert_eq!(anonymous.post(&path(&session, &ask), &yes).await.unwrap().status, 401);
    assert_eq!(refusal(&client.post(&path(&session, "never-asked"), &yes).await.unwrap()), refused(409, "not_asked"));
    assert_eq!(refusal(&client.post(&path(&other, &ask), &yes).await.unwrap()), refused(409, "not_asked"));
    assert_eq!(refusal(&client.post(&path(NOBODY, &ask), &yes).await.unwrap()), refused(404, "no_session"));
    assert_eq!(asks(&client, &session).await.len(), 1, "it is still open");
    for session in [&session, &other] {
        let refusals = audited(&deck, session, "answer_refused");
        assert_eq!(refusals.len(), 1, "{refusals:?}");
        assert!(refusals[0]["device"].is_string() && refusals[0]["at"].is_number(), "{refusals:?}");
    }
}

#[tokio::test]
async fn an_answer_that_was_heard_is_no_error_because_it_could_not_be_written_down() {
    let deck = Deck::new(&asking()).await;
    let server = deck.serve().await;
    let client = deck.client();
    let session = session_until(&deck, &client, "permission_request").await;
    let ask = asks(&client, &session).await[0]["id"].as_str().unwrap().to_owned();
    server.stop().await;
    // From now on the disk of that file is full.
    let audit = deck.path().join("data/audit.jsonl");
    std::fs::remove_file(&audit).unwrap();
    std::os::unix::fs::symlink("/dev/full", &audit).unwrap();
    let _server = deck.serve().await;
    let unwritten = async || {
        let figures = client.get("/metrics").await.unwrap().text();
        let figure = figures.lines().find_map(|line| line.strip_prefix("quarterdeck_audits_failed_total "));
        figure.unwrap_or_else(|| panic!("{figures}")).to_owned()
    };
    assert_eq!(unwritten().await, "0");
    let yes = json!({"decision": {"kind": "allow"}});
    client.post(&path(&session, &ask), &yes).await.unwrap().good();
    assert_eq!(unwritten().await, "1", "it is not passed over in silence");
    let answers = deck.log(&session).into_iter().filter(|record| record.line.text().contains("control_response"));
    let by = answers.filter_map(|record| match record.source {
        Source::Stdin { by, .. } => Some(by),
        _ => None,
    });
    assert_eq!(by.collect::<Vec<_>>(), [Some("a test".to_owned())], "the log of the session has it");
    assert_eq!(refusal(&client.post(&path(&session, &ask), &yes).await.unwrap()), refused(409, "not_asked"));
    assert_eq!(unwritten().await, "2");
}

/// Where a question is answered.
fn path(session: &str, ask: &str) -> String {
    format!("/api/v1/sessions/{session}/asks/{ask}")
}

/// What is written down that was done in a session.
fn audited(deck: &Deck, session: &str, did: &str) -> Vec<Value> {
    let audit = std::fs::read_to_string(deck.path().join("data/audit.jsonl")).unwrap();
    let lines = audit.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["did"] == did && line["session"] == session).collect()
}

/// What was written to the agent of a session.
fn deck_lines(deck: &Deck, session: &str) -> Vec<Value> {
    let log = std::fs::read_to_string(deck.path().join("data/sessions").join(session).join("log.jsonl")).unwrap();
    let records = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.filter(|record| record["source"] == "stdin").map(|record| record["line"].clone()).collect()
}
