//! The guard, put to the test as an attacker would: the twenty rules that the server promises to keep, against the binary
//! itself. `SECURITY.md` lists them; `cargo xtask guards` shows that each test fails when its rule is broken.

mod agents;
mod answers;
mod browser;
mod bundle;
mod bypass;
mod files;
mod hosts;
mod limits;
mod login;
mod nonsense;
mod pages;
mod processes;
mod reach;
mod sockets;
mod text;
mod tls;
mod values;

use lab::agent::{Story, Turn};
use serde_json::{Value, json};

use crate::client::{Client, Reply};
use crate::deck::Deck;

/// An id that no session has.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// An answer as its status and its code, in which refusals are compared.
fn refusal(reply: &Reply) -> (u16, String) {
    (reply.status, reply.code().unwrap_or_default())
}

/// What a refusal looks like.
fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

/// A message with a name of its own.
fn message(text: &str) -> Value {
    json!({"id": uuid::Uuid::new_v4().to_string(), "text": text})
}

/// Starts a session with a message, and waits until an event of this kind has come.
async fn session_until(deck: &Deck, client: &Client, event: &str) -> String {
    let mut start = deck.start();
    start["message"] = message("go on");
    let session = client.post("/api/v1/sessions", &start).await.unwrap().good()["session"].as_str().unwrap().to_owned();
    events_until(client, &session, event).await;
    session
}

/// Waits until an event of this kind has come.
async fn events_until(client: &Client, session: &str, event: &str) -> Value {
    let mut lines = client.lines(&format!("/api/v1/sessions/{session}/events?follow=true")).await.unwrap();
    loop {
        let line = lines.next().await.unwrap_or_else(|| panic!("`{event}` did not come"));
        if line["event"] == event {
            return line;
        }
    }
}

/// The questions that are open in a session.
async fn asks(client: &Client, session: &str) -> Vec<Value> {
    let state = client.get(&format!("/api/v1/sessions/{session}/state")).await.unwrap().good();
    state["state"]["asks"].as_array().unwrap_or_else(|| panic!("{state}")).clone()
}

/// An agent that wants to run a command, which needs a permission.
fn asking() -> Story {
    Story::new().turn(Turn::new().calls("Bash", json!({"command": "make mischief"})).giving("done").says("Done."))
}
