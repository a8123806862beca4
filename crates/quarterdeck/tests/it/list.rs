//! The list of sessions: page by page over HTTP, and what a screen hears of one that goes.

use std::collections::BTreeSet;

use lab::agent::{Story, Turn};
use serde_json::{Value, json};

use crate::deck::Deck;

#[tokio::test(flavor = "multi_thread")]
async fn every_session_is_on_a_page_from_its_first_moment_on() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let mut started = BTreeSet::new();
    for _ in 0..4 {
        let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
        started.insert(session.as_str().unwrap().to_owned());
        let (mut listed, mut after) = (BTreeSet::new(), String::new());
        loop {
            let page = client.get(&format!("/api/v1/sessions?limit=1{after}")).await.unwrap().good();
            let rows = page["sessions"].as_array().unwrap();
            listed.extend(rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()));
            let Some(next) = page["next"].as_str() else { break };
            let escaped: String = next.bytes().map(|byte| format!("%{byte:02x}")).collect();
            after = format!("&after={escaped}");
        }
        assert_eq!(listed, started);
    }
    for session in started {
        client.post(&format!("/api/v1/sessions/{session}/close"), &json!({})).await.unwrap().good();
    }
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_watches_a_session_hears_that_it_was_removed() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
    let mut socket = client.socket().await.unwrap();
    socket.say(&json!({"kind": "watch", "session": session})).await.unwrap();
    while socket.hear().await.unwrap()["kind"] != "session" {}
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    client.change("DELETE", &path, &json!({})).await.unwrap().good();
    let told = loop {
        let frame = socket.hear().await.unwrap();
        if frame["kind"] == "error" {
            break frame;
        }
    };
    assert_eq!((&told["code"], &told["session"]), (&json!("no_session"), &session));
    // The socket is as good as before.
    socket.say(&json!({"kind": "ping", "nonce": 7})).await.unwrap();
    assert_eq!(socket.hear().await.unwrap(), json!({"kind": "pong", "nonce": 7}));
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_found_by_the_title_that_the_user_gave_it() {
    let deck = Deck::new(&Story::new().turn(Turn::new().says("A heron."))).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
    let prompt = json!({"id": "00000000-0000-4000-8000-000000000001", "text": "which bird?"});
    client.post(&format!("{path}/messages"), &prompt).await.unwrap().good();
    let mut socket = client.socket().await.unwrap();
    socket.say(&json!({"kind": "list"})).await.unwrap();
    while socket.hear().await.unwrap()["kind"] != "list" {}
    client.change("PATCH", &path, &json!({"title": "Birds of the Marsh", "seenSeq": 3})).await.unwrap().good();
    // Other screens hear of it.
    let is_told = |row: &Value| row["title"] == "Birds of the Marsh" && row["seenSeq"] == 3;
    while !socket.hear().await.unwrap()["answer"]["rows"].as_array().is_some_and(|rows| rows.iter().any(is_told)) {}
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    // The index follows behind.
    let hits = loop {
        let hits = client.get("/api/v1/search?text=heron").await.unwrap().good();
        if hits.as_array().is_some_and(|hits| !hits.is_empty()) {
            break hits;
        }
    };
    assert_eq!(hits[0]["title"], "Birds of the Marsh");
    for (title, found) in [("marsh", 1), ("bird", 1), ("which", 0)] {
        let page = client.get(&format!("/api/v1/sessions?title={title}")).await.unwrap().good();
        assert_eq!(page["sessions"].as_array().unwrap().len(), found, "{title}");
    }
    serving.stop().await;
}
