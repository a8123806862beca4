//! A server on a copy of each folder: it lets in whom the folder let in, and every session can go on.

use insights::state::header::AgentProcess;
use insights::state::{Phase, State};
use lab::Script;
use lab::agent::Story;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::Fixture;
use crate::client::Client;
use crate::deck::Deck;
use crate::patience::ended;
use crate::watcher::{Watcher, said};

/// Where the agents of the captured sessions worked. The path is part of the data.
const FOLDERS: &[&str] = &["/tmp/quarterdeck-data/harbour", "/tmp/quarterdeck-data/lighthouse"];

#[tokio::test(flavor = "multi_thread")]
async fn the_token_and_the_browser_of_the_folder_are_let_in() {
    for fixture in Fixture::all() {
        let deck = Deck::on(|data| fixture.copy_to(data), &fixture.access("token"), &Story::new()).await;
        let serving = deck.serve().await;
        let client = deck.client();
        let list = client.get("/api/v1/sessions").await.unwrap().good();
        assert!(!list["sessions"].as_array().unwrap().is_empty());
        let devices = client.get("/api/v1/devices").await.unwrap().good();
        assert!(devices.as_array().unwrap().iter().any(|device| device["name"] == "nightly job"), "{devices}");
        let anonymous = Client { token: None, ..client.clone() };
        let refused = anonymous.get("/api/v1/sessions").await.unwrap();
        assert_eq!(refused.code().as_deref(), Some("not_logged_in"));
        let cookie = fixture.access("cookie");
        let browser = anonymous.request("GET", "/api/v1/sessions", &[("cookie", &cookie)], b"").await.unwrap();
        assert_eq!(browser.good(), list);
        let stranger = Client { token: Some(cookie.split_once('=').unwrap().1.to_owned()), ..client };
        let refused = stranger.get("/api/v1/sessions").await.unwrap();
        assert_eq!(refused.code().as_deref(), Some("not_logged_in"), "a cookie is not a bearer token");
        serving.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_session_of_the_folder_goes_on() {
    FOLDERS.iter().for_each(|folder| std::fs::create_dir_all(folder).unwrap());
    // An agent numbers its messages from the length of its model script on: none may have the id of one before.
    let model = (0..500).fold(Script::new(), |script, _| script.says(""));
    let story = Story::of_model(model).says("Here again.").says("OK.").says("OK.");
    for fixture in Fixture::all() {
        let deck = Deck::on(|data| fixture.copy_to(data), &fixture.access("token"), &story).await;
        let sessions = std::fs::read_dir(deck.data().join("sessions")).unwrap().map(|entry| entry.unwrap().path());
        // One that was held in a terminal has no options yet. It would go on in a folder that is not there.
        let started = sessions.filter(|session| session.join("options.json").exists());
        let ids: Vec<String> = started.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
        assert!(!ids.is_empty());
        let serving = deck.serve().await;
        for id in &ids {
            goes_on(&deck, id).await;
        }
        serving.stop().await;
    }
}

async fn goes_on(deck: &Deck, id: &str) {
    let (client, path) = (deck.client(), format!("/api/v1/sessions/{id}"));
    let change = async |method: &str, rest: &str, body: Value| {
        client.change(method, &format!("{path}/{rest}"), &body).await.unwrap().good()
    };
    let waiting = async || client.get(&format!("{path}/held")).await.unwrap().good()["prompts"].clone();
    let servers = watch::Sender::new(1);
    let mut screen = Watcher::start(client.clone(), id, servers.subscribe(), |_| false);
    let before = said(&*screen.until(|state| !state.items.is_empty()).await);
    let queued = waiting().await;
    // Another run of this test on this machine may have an agent with the same id.
    change("POST", "resume", json!({"takeOver": "beside"})).await;
    let message = json!({"id": "00000000-0000-4000-a000-000000009999", "text": "Are you still there?"});
    change("POST", "messages", message).await;
    let texts = queued.as_array().unwrap().iter().map(|prompt| prompt["text"].as_str().unwrap().to_owned());
    let mut after = vec!["user: Are you still there?".to_owned(), "agent: Here again.".to_owned(), "turn".to_owned()];
    // A turn that ends well lets those go that wait.
    after.extend(texts.flat_map(|text| [format!("user: {text}"), "agent: OK.".to_owned(), "turn".to_owned()]));
    let expected = [before, after].concat();
    let is_over = |state: &State| state.status.phase == Phase::Idle && said(state).len() >= expected.len();
    let Some(state) = ended(screen.until(is_over)).await else { panic!("session {id} does not come to {expected:#?}") };
    assert_eq!(said(&state), expected, "session {id}");
    assert_eq!(waiting().await, json!([]), "session {id}");
    assert!(deck.folder(id).log().exists() && !deck.folder(id).packed().exists(), "session {id} is not packed");
    change("POST", "close", json!({})).await;
    screen.until(|state| state.status.agent == AgentProcess::Ended).await;
}
