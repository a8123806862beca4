//! Screens that do not read cost the others nothing, and the server no memory.

use insights::state::State;
use lab::agent::{Story, Turn};
use serde_json::json;
use tokio::sync::watch;

use crate::client::Client;
use crate::deck::Deck;
use crate::watcher::{Screen, Seen, Watcher};

/// So many messages, each of so many bytes: more than the system keeps for a connection.
const MESSAGES: usize = 200;
const BYTES: usize = 40 * 1024;

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_stops_reading_costs_the_others_nothing() {
    let turn = (0..MESSAGES).fold(Turn::new(), |turn, number| turn.says(format!("{number} ").repeat(BYTES / 4)));
    let deck = Deck::new(&Story::new().turn(turn)).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let session = session.as_str().unwrap();
    let is_over = |state: &State| state.meters.turns == 1;

    // One that asks, and then does not read.
    let mut stuck = client.socket().await.unwrap();
    let (tell, _) = watch::channel(Seen::default());
    let mut screen = Screen::new(session, tell);
    assert!(screen.ask(&mut stuck).await);

    let servers = watch::Sender::new(1);
    let quick = Watcher::start(client.clone(), session, servers.subscribe(), is_over);
    let message = json!({"id": "00000000-0000-4000-8000-000000000001", "text": "Tell me everything"});
    client.post(&format!("/api/v1/sessions/{session}/messages"), &message).await.unwrap().good();
    let quick = quick.ended().await;
    let stuck_frames = figure(&client, "frames_total").await - quick.frames;
    assert!(quick.bytes > MESSAGES * BYTES, "everything came: {} bytes", quick.bytes);
    // What the system has taken, and one more that waits for it to take more.
    assert!(stuck_frames < quick.frames / 2, "{stuck_frames} frames for one who does not read");

    // When it reads again it gets what it missed as it is now, not as it came to be.
    screen.read(&mut stuck, is_over).await;
    assert!(stuck.bytes < quick.bytes, "{} bytes of {}", stuck.bytes, quick.bytes);
    assert!(stuck.frames < stuck_frames + 20, "{} frames, after {stuck_frames}", stuck.frames);
    assert_eq!(screen.seen().state.items.iter().last(), quick.seen.last().unwrap().state.items.iter().last());
    serving.stop().await;
}

/// A figure of the server's own.
async fn figure(client: &Client, name: &str) -> usize {
    let text = client.get("/metrics").await.unwrap().text();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("quarterdeck_{name} ")));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in {text}"))
}
