//! An upgrade while an agent works: the server of the previous version is replaced by this one, its keeper goes on.

use std::path::PathBuf;

use insights::state::header::AgentProcess;
use insights::state::{AskBody, Phase};
use insights::{HostFact, Source};
use lab::agent::{Story, Turn};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::client::Client;
use crate::deck::Deck;
use crate::patience::{ended, until};
use crate::restart::check;
use crate::watcher::{Watcher, said};

/// A request that has to succeed.
async fn post(client: &Client, path: &str, body: Value) -> Value {
    client.post(path, &body).await.unwrap().good()
}

fn message(number: u32, text: &str, delivery: &str) -> Value {
    json!({"id": format!("00000000-0000-4000-8000-{number:012}"), "text": text, "delivery": delivery})
}

/// The programs of the processes that have the session's folder on their command line: its keeper and whatever comes from it.
fn keepers(deck: &Deck, session: &str) -> Vec<PathBuf> {
    let folder = deck.folder(session).path().as_os_str().as_encoded_bytes().to_owned();
    let keeps = |entry: &std::fs::DirEntry| {
        let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|word| word == folder)
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten().filter(keeps);
    processes.filter_map(|entry| std::fs::read_link(entry.path().join("exe")).ok()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keeper_of_the_previous_version_is_taken_over_amid_a_turn() {
    // This may take minutes, and what comes after it may not.
    let previous = lab::previous::binary().await.unwrap_or_else(|error| panic!("{error}"));
    ended(take_over(previous)).await.unwrap_or_else(|| panic!("it does not come to an end"));
}

async fn take_over(previous: PathBuf) {
    let asks = Turn::new().says("Let me look.").calls("Bash", json!({"command": "make"})).asking().giving("made");
    let story = Story::new().says("Aye.").turn(asks.says("It is made.")).says("And tidied up.").says("Goodbye.");
    let mut deck = Deck::of(previous.clone(), &story).await;

    // The API of the pinned commit: these requests stay as they are when today's change.
    let mut serving = deck.serve().await;
    let client = deck.client();
    let start = json!({"options": {"cwd": deck.work()}, "message": message(1, "Are you there?", "steer")});
    let session = post(&client, "/api/v1/sessions", start).await["session"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/sessions/{session}");
    let mut events = client.lines(&format!("{path}/events?follow=true")).await.unwrap();
    while events.next().await.unwrap()["event"] != "turn_complete" {}
    post(&client, &format!("{path}/messages"), message(2, "Make it", "steer")).await;
    while events.next().await.unwrap()["event"] != "permission_request" {}
    post(&client, &format!("{path}/messages"), message(3, "Then tidy up", "afterTurn")).await;
    serving.kill().await;
    let running = keepers(&deck, &session);
    assert!(!running.is_empty() && running.iter().all(|program| *program == previous), "{running:?}");

    // Today's server, and today's API.
    deck.upgrade();
    let serving = deck.serve().await;
    let servers = watch::Sender::new(1);
    let mut screen = Watcher::start(client.clone(), &session, servers.subscribe(), |_| false);
    let state = screen.until(|state| !state.asks.is_empty()).await;
    let so_far = ["user: Are you there?", "agent: Aye.", "turn", "user: Make it", "agent: Let me look.", "tool: Bash"];
    assert_eq!(said(&state), so_far);
    assert_eq!((state.status.phase, state.status.agent), (Phase::NeedsYou, AgentProcess::Running));
    let [ask] = &state.asks[..] else { panic!("{:?}", state.asks) };
    assert!(matches!(&ask.body, AskBody::Permission(permission) if permission.tool == "Bash"), "{ask:?}");
    let decision = json!({"decision": {"kind": "allow"}});
    post(&client, &format!("{path}/asks/{}", ask.id), decision.clone()).await;
    screen.until(|state| state.meters.turns == 3 && state.status.phase == Phase::Idle).await;
    let again = client.post(&format!("{path}/asks/{}", ask.id), &decision).await.unwrap();
    assert_eq!(again.code().as_deref(), Some("not_asked"), "it is answered");
    post(&client, &format!("{path}/messages"), message(4, "Farewell", "steer")).await;
    let state = screen.until(|state| state.meters.turns == 4 && state.status.phase == Phase::Idle).await;
    let rest = [
        "agent: It is made.",
        "turn",
        "user: Then tidy up",
        "agent: And tidied up.",
        "turn",
        "user: Farewell",
        "agent: Goodbye.",
        "turn",
    ];
    assert_eq!(said(&state), [&so_far[..], &rest].concat());

    // The keeper was the same one all the time, and ends as one of today's does.
    assert_eq!(keepers(&deck, &session), running);
    post(&client, &format!("{path}/close"), json!({})).await;
    screen.until(|state| state.status.agent == AgentProcess::Ended).await;
    until("the end of the keeper", async || keepers(&deck, &session).is_empty().then_some(())).await;
    let log = deck.log(&session);
    check(&deck, &log, 4);
    let facts = log.iter().filter(|record| record.source == Source::Host);
    let facts: Vec<HostFact> = facts.filter_map(|record| HostFact::from_json(&record.line.text())).collect();
    assert!(matches!(facts.last(), Some(HostFact::Exited { expected: true, .. })), "{facts:?}");
    assert_eq!(facts.iter().filter(|fact| matches!(fact, HostFact::Spawned { .. })).count(), 1, "{facts:?}");
    serving.stop().await;
}
