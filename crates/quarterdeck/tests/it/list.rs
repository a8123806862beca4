//! The list of sessions: page by page over HTTP, and what a screen hears of one that goes.

use std::collections::BTreeSet;

use lab::agent::{Story, Turn};
use serde_json::{Value, json};

use crate::deck::Deck;
use crate::patience::until;

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
            let page = client.get(&format!("/api/v1/sessions?sort=created&limit=1{after}")).await.unwrap().good();
            let rows = page["sessions"].as_array().unwrap();
            assert!(rows.len() <= 1, "{rows:?}");
            let is_new = |row: &Value| listed.insert(row["id"].as_str().unwrap().to_owned());
            assert!(rows.iter().all(is_new), "{rows:?} was listed before");
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
async fn a_row_says_what_is_asked_and_why_a_turn_failed() {
    let failed = json!({"subtype": "error_during_execution", "is_error": true, "errors": ["the tide went out"]});
    let story = Story::new()
        .turn(Turn::new().calls("Bash", json!({"command": "ls"})).asking().says("Done."))
        .turn(Turn::new().says("I try.").results_in(failed));
    let deck = Deck::new(&story).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
    let row = async |wanted: &dyn Fn(&Value) -> bool| {
        until("the row", async || Some(client.get(&path).await.unwrap().good()).filter(wanted)).await
    };
    let say = async |number: u32| {
        let prompt = json!({"id": format!("00000000-0000-4000-8000-00000000000{number}"), "text": "go on"});
        client.post(&format!("{path}/messages"), &prompt).await.unwrap().good();
    };
    say(1).await;
    let asking = row(&|row| row["asks"] == 1).await;
    assert_eq!((&asking["asking"], &asking["failed"]), (&json!("permission"), &json!(null)));
    let state = client.get(&format!("{path}/state")).await.unwrap().good();
    let ask = state["state"]["asks"][0]["id"].as_str().unwrap().to_owned();
    let allow = json!({"decision": {"kind": "allow"}});
    client.post(&format!("{path}/asks/{ask}"), &allow).await.unwrap().good();
    let done = row(&|row| row["turns"] == 1).await;
    assert_eq!((&done["asking"], &done["failed"]), (&json!(null), &json!(null)));
    say(2).await;
    let failed = row(&|row| row["turns"] == 2).await;
    assert_eq!(failed["failed"], "the tide went out");
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    serving.stop().await;

    // The index knows it, too.
    let serving = deck.serve().await;
    let first = async || client.get("/api/v1/sessions").await.unwrap().good()["sessions"][0].clone();
    let listed = until("the session", async || Some(first().await).filter(|row| row["turns"] == 2)).await;
    assert_eq!(listed["failed"], "the tide went out");
    let spent = client.get("/api/v1/usage/turns").await.unwrap().good();
    let told: Vec<&Value> = spent["turns"].as_array().unwrap().iter().map(|turn| &turn["outcome"]).collect();
    assert_eq!((told, &spent["more"]), (vec![&json!("failed"), &json!("completed")], &json!(false)));
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_found_by_the_title_that_the_user_gave_it() {
    let deck = Deck::new(&Story::new().turn(Turn::new().says("A heron."))).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let mut start = deck.start();
    start["options"]["title"] = json!("A walk");
    let session = client.post("/api/v1/sessions", &start).await.unwrap().good()["session"].clone();
    let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
    let prompt = json!({"id": "00000000-0000-4000-8000-000000000001", "text": "which bird?"});
    client.post(&format!("{path}/messages"), &prompt).await.unwrap().good();
    let mut socket = client.socket().await.unwrap();
    socket.say(&json!({"kind": "list"})).await.unwrap();
    let first = loop {
        let heard = socket.hear().await.unwrap();
        if heard["kind"] == "list" {
            break heard;
        }
    };
    assert_eq!(first["answer"]["rows"][0]["title"], "A walk");
    client.change("PATCH", &path, &json!({"title": "Birds of the Marsh", "seenSeq": 3})).await.unwrap().good();
    // Other screens hear of it.
    let is_told = |row: &Value| row["title"] == "Birds of the Marsh" && row["seenSeq"] == 3;
    while !socket.hear().await.unwrap()["answer"]["rows"].as_array().is_some_and(|rows| rows.iter().any(is_told)) {}
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    // The index follows behind.
    let found = async || client.get("/api/v1/search?text=heron").await.unwrap().good();
    let hits = until("the heron", async || Some(found().await).filter(|hits| hits[0].is_object())).await;
    assert_eq!(hits[0]["title"], "Birds of the Marsh");
    for (title, found) in [("marsh", 1), ("bird", 1), ("which", 0)] {
        let page = client.get(&format!("/api/v1/sessions?title={title}")).await.unwrap().good();
        assert_eq!(page["sessions"].as_array().unwrap().len(), found, "{title}");
    }
    serving.stop().await;
}
