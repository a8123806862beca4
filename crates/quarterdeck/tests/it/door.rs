//! The real CLI through the door: everything that a person does with a session, over HTTP and a WebSocket, offline.

use std::sync::Arc;

use insights::state::header::AgentProcess;
use insights::state::{Ask, AskBody, ItemBody, Phase, State};
use lab::{CliVersion, Script};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::client::Client;
use crate::deck::Deck;
use crate::patience::until;
use crate::watcher::Watcher;

#[tokio::test(flavor = "multi_thread")]
async fn a_day_with_2_1_38() {
    a_day(CliVersion::new(2, 1, 38)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_with_2_1_326() {
    a_day(CliVersion::new(2, 1, 326)).await;
}

/// Somebody who talks to a session and watches it.
struct Person {
    client: Client,
    session: String,
    screen: Watcher,
    /// How many messages were sent.
    sent: u32,
    /// There is one server, and it stays.
    _servers: watch::Sender<u32>,
}

impl Person {
    /// Who has sent so many messages before.
    fn at(client: &Client, session: &Value, sent: u32) -> Person {
        let session = session.as_str().unwrap().to_owned();
        let servers = watch::Sender::new(1);
        let screen = Watcher::start(client.clone(), &session, servers.subscribe(), |_| false);
        Person { client: client.clone(), session, screen, sent, _servers: servers }
    }

    async fn change(&self, method: &str, path: &str, body: Value) -> Value {
        let path = format!("/api/v1/sessions/{}{path}", self.session);
        self.client.change(method, &path, &body).await.unwrap().good()
    }

    async fn says(&mut self, text: &str) {
        self.sent += 1;
        let sent = self.change("POST", "/messages", json!({"id": message_id(self.sent), "text": text})).await;
        assert_eq!(sent["again"], false);
    }

    async fn decides(&self, ask: &Ask, decision: Value) {
        self.change("POST", &format!("/asks/{}", ask.id), json!({"decision": decision})).await;
    }

    /// What is asked next.
    async fn is_asked(&mut self) -> Ask {
        self.screen.until(|state| !state.asks.is_empty()).await.asks[0].as_ref().clone()
    }

    /// Waits until the agent has said this, and has nothing more to say.
    async fn hears(&mut self, words: &str) -> Arc<State> {
        let said = |state: &State| {
            let mut texts = state.items.iter().rev().filter_map(|item| match &item.body {
                ItemBody::Text(text) => Some(&text.text.text),
                _ => None,
            });
            texts.next().is_some_and(|text| text == words) && state.status.phase == Phase::Idle
        };
        self.screen.until(said).await
    }
}

fn message_id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

fn bash(command: &str) -> Value {
    json!({"command": command, "description": "Do it"})
}

async fn a_day(cli: CliVersion) {
    let option = |label: &str| json!({"label": label, "description": format!("The {label} one")});
    let question = json!({"question": "Which colour?", "header": "Colour", "multiSelect": false,
        "options": [option("Red"), option("Blue")]});
    let script = Script::new()
        .calls("Bash", bash("touch allowed.txt"))
        .says("It is made.")
        .calls("Bash", bash("touch denied.txt"))
        .says("Then not.")
        .calls("Bash", bash("exit 2"))
        .says("Once.")
        .calls("Bash", bash("exit 2"))
        .says("Twice.")
        .calls("AskUserQuestion", json!({"questions": [question]}))
        .says("As you wish.")
        .calls("Bash", bash("touch started; tail -f started"))
        .says("Still here.")
        .says("The fork speaks.")
        .says("Up again.");
    let deck = Deck::real(cli, script).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let made = |name: &str| deck.work().join(name).exists();

    // Start, with the first message; every event comes to a script, too.
    let mut start = deck.start();
    start["message"] = json!({"id": message_id(0), "text": "Make a file"});
    let started = client.post("/api/v1/sessions", &start).await.unwrap().good();
    let mut person = Person::at(&client, &started["session"], 0);
    let events = format!("/api/v1/sessions/{}/events?follow=true", person.session);
    let mut events = client.lines(&events).await.unwrap();

    // A permission is granted, and one is not.
    let ask = person.is_asked().await;
    assert!(!made("allowed.txt"));
    person.decides(&ask, json!({"kind": "allow"})).await;
    person.hears("It is made.").await;
    assert!(made("allowed.txt"));
    person.says("Another").await;
    let ask = person.is_asked().await;
    person.decides(&ask, json!({"kind": "deny", "why": "not that one"})).await;
    let state = person.hears("Then not.").await;
    assert!(!made("denied.txt"));
    assert_eq!(state.asks, []);

    // One is granted for good.
    person.says("And one more").await;
    let ask = person.is_asked().await;
    let AskBody::Permission(permission) = &ask.body else { panic!("{ask:?}") };
    let suggestion = permission.suggestions.iter().position(|suggestion| suggestion.kind == "addRules").unwrap();
    let remember = json!([{"suggestion": suggestion, "destination": "session"}]);
    person.decides(&ask, json!({"kind": "allow", "remember": remember})).await;
    person.hears("Once.").await;
    person.says("Again").await;
    person.hears("Twice.").await;

    // A question.
    person.says("Paint it").await;
    let ask = person.is_asked().await;
    assert!(matches!(&ask.body, AskBody::Question(_)), "{ask:?}");
    person.decides(&ask, json!({"kind": "answer", "answers": {"Which colour?": "Blue"}})).await;
    person.hears("As you wish.").await;
    assert!(deck.last_asked().contains("Blue"), "the answer came to the model");

    // A turn is stopped.
    person.says("Wait").await;
    let ask = person.is_asked().await;
    person.decides(&ask, json!({"kind": "allow"})).await;
    until("the file", async || made("started").then_some(())).await;
    person.screen.until(|state| state.status.phase == Phase::Running).await;
    person.change("POST", "/interrupt", json!({})).await;
    person.screen.until(|state| state.status.phase == Phase::Idle).await;

    // Another model and another mode.
    person.change("PATCH", "/settings", json!({"model": "claude-haiku-4-5", "mode": "acceptEdits"})).await;
    person.says("Are you there?").await;
    let state = person.hears("Still here.").await;
    let status = (state.status.model.as_deref(), state.status.mode.as_deref());
    assert_eq!(status, (Some("claude-haiku-4-5"), Some("acceptEdits")));

    // A fork knows what was said, and goes its own way.
    let forked = person.change("POST", "/fork", json!({})).await;
    let mut fork = Person::at(&client, &forked["session"], person.sent);
    assert_ne!(fork.session, person.session);
    fork.says("And you?").await;
    let forked = fork.hears("The fork speaks.").await;
    assert!(forked.items.iter().count() > state.items.iter().count());
    let asked = deck.last_asked();
    assert!(["Paint it", "Still here.", "And you?"].iter().all(|words| asked.contains(words)), "{asked}");
    fork.change("POST", "/close", json!({})).await;

    // Closed, resumed, and closed.
    person.change("POST", "/close", json!({})).await;
    person.screen.until(|state| state.status.agent == AgentProcess::Ended).await;
    let mut seen = Vec::new();
    while let Some(event) = events.next().await {
        seen.push(event["event"].as_str().unwrap().to_owned());
    }
    for kind in ["session_init", "stream_delta", "permission_request", "tool_completion", "text", "turn_complete"] {
        assert!(seen.iter().any(|seen| seen == kind), "{kind} is not among {seen:?}");
    }
    person.change("POST", "/resume", json!({})).await;
    person.says("Once more").await;
    let state = person.hears("Up again.").await;
    let asked = deck.last_asked();
    assert!(["Paint it", "Still here.", "Once more"].iter().all(|words| asked.contains(words)), "{asked}");
    assert!(!asked.contains("And you?"), "what was said to the fork was said to the fork");
    assert!(state.items.iter().any(|item| matches!(&item.body, ItemBody::Text(text) if text.text.text == "Twice.")));
    person.change("POST", "/close", json!({"kill": true})).await;
    let one = client.get(&format!("/api/v1/sessions/{}", person.session)).await.unwrap().good();
    assert_eq!((one["running"].as_bool(), one["asks"].as_u64()), (Some(false), Some(0)));
    serving.stop().await;
}
