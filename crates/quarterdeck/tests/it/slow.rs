//! Screens that do not read cost the others nothing, and the server no memory.

use std::cell::Cell;

use insights::state::{Item, State};
use lab::agent::{Story, Turn};
use serde_json::json;
use tokio::sync::watch;

use crate::client::Client;
use crate::deck::Deck;
use crate::patience::until;
use crate::watcher::{Screen, Seen, Watcher};

/// So many messages of so many bytes: more than the system keeps for a connection.
const MESSAGES: usize = 200;
const BYTES: usize = 40 * 1024;

/// Then so many turns, of which the server keeps nothing for one who does not read.
const MORE: u32 = 20;

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_stops_reading_costs_the_others_nothing() {
    let flood = (0..MESSAGES).fold(Turn::new(), |turn, _| turn.says("word ".repeat(BYTES / 5)));
    let deck = Deck::new(&Story::new().turn(flood)).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let session = session.as_str().unwrap();
    let servers = watch::Sender::new(1);
    let prompt = async |number: u32| {
        let message = json!({"id": format!("00000000-0000-4000-8000-{number:012}"), "text": "Tell me everything"});
        client.post(&format!("/api/v1/sessions/{session}/messages"), &message).await.unwrap().good();
    };

    // One that reads a frame now and then.
    let mut behind = client.socket().await.unwrap();
    let (tell, _) = watch::channel(Seen::default());
    let mut slow = Screen::new(session, tell);
    assert!(slow.ask(&mut behind).await);

    // One that asks, and then does not read.
    let mut stuck = client.socket().await.unwrap();
    let (tell, _) = watch::channel(Seen::default());
    let mut screen = Screen::new(session, tell);
    assert!(screen.ask(&mut stuck).await);

    let first = Watcher::start(client.clone(), session, servers.subscribe(), |state| state.meters.turns == 1);
    prompt(1).await;
    let first = first.ended().await;
    let is_over = |state: &State| state.meters.turns == 1 + MORE;
    assert!(first.bytes > MESSAGES * BYTES, "everything came: {} bytes", first.bytes);
    let before = figure(&client, "frames_total").await - first.frames;

    let mut second = Watcher::start(client.clone(), session, servers.subscribe(), is_over);
    for number in 1..=MORE {
        // Who reads is told of each of them.
        second.until(|state| state.meters.turns == number).await;
        slow.read_one(&mut behind).await;
        prompt(1 + number).await;
    }
    let second = second.ended().await;
    let after = figure(&client, "frames_total").await - first.frames - second.frames;
    // The system takes no more; a few may have been on their way to the first one when it left. Who reads a frame a turn is sent
    // about that many.
    let most = before + 5 + 2 * MORE as usize;
    assert!(second.frames > MORE as usize, "{} frames for one who reads", second.frames);
    assert!(after <= most, "{} frames for those who do not read, or slowly", after - before);
    slow.read(&mut behind, is_over).await;
    assert_eq!(slow.seen().state.items.iter().last(), second.seen.last().unwrap().state.items.iter().last());

    // When it reads again it gets what it missed as it is now, not as it came to be.
    screen.read(&mut stuck, is_over).await;
    assert!(stuck.frames <= after + 5 + behind.frames, "{} frames, {after} of them before", stuck.frames);
    assert_eq!(screen.seen().state.items.iter().last(), second.seen.last().unwrap().state.items.iter().last());
    serving.stop().await;
}

/// So many screens stop reading at once. What they have not read is far more than the state, which the server has once.
const STUCK: usize = 16;

/// So many floods come when none of them takes any more.
const FLOODS: usize = 2;

#[tokio::test(flavor = "multi_thread")]
async fn what_screens_have_not_read_takes_no_memory_of_the_server() {
    let flood = || (0..MESSAGES).fold(Turn::new(), |turn, _| turn.says("word ".repeat(BYTES / 5)));
    let deck = Deck::new(&(0..=FLOODS).fold(Story::new().says("Aye."), |story, _| story.turn(flood()))).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let session = session.as_str().unwrap();
    let path = format!("/api/v1/sessions/{session}");
    let turn = async |number: u32| {
        let message = json!({"id": format!("00000000-0000-4000-8000-{number:012}"), "text": "Tell me"});
        client.post(&format!("{path}/messages"), &message).await.unwrap().good();
    };
    let ended = async |number: u32| {
        let turns = async || client.get(&path).await.unwrap().good()["turns"].as_u64();
        until("the end of the turn", async || turns().await.filter(|turns| *turns == u64::from(number))).await;
        // Each screen that does not read has one frame on its way then, and waits for it.
        let frames = Cell::new(0);
        until("quiet", async || {
            let now = figure(&client, "frames_total").await;
            (frames.replace(now) == now).then_some(())
        })
        .await;
    };
    turn(1).await;
    // All have what is there; then one reads on, slowly, and the others do not.
    let mut screens = Vec::new();
    for _ in 0..=STUCK {
        let mut socket = client.socket().await.unwrap();
        let (tell, _) = watch::channel(Seen::default());
        let mut screen = Screen::new(session, tell);
        assert!(screen.ask(&mut socket).await);
        screen.read(&mut socket, |state| state.meters.turns == 1).await;
        screens.push((screen, socket));
    }
    let (mut slow, mut behind) = screens.pop().unwrap();
    turn(2).await;
    ended(2).await;
    let before = memory(serving.pid());
    for number in 3..3 + FLOODS as u32 {
        turn(number).await;
        for _ in 0..5 {
            slow.read_one(&mut behind).await;
        }
        ended(number).await;
    }
    let grown = memory(serving.pid()).saturating_sub(before);
    let streamed = STUCK * FLOODS * MESSAGES * BYTES;
    assert!(grown < streamed / 4, "{grown} bytes more, while {streamed} were streamed to screens that do not read");
    slow.read(&mut behind, |state| state.meters.turns == 2 + FLOODS as u32).await;
    let now = client.get(&format!("{path}/state")).await.unwrap().good()["state"].clone();
    must_agree(&slow.seen().state, &serde_json::from_value(now).unwrap());
    serving.stop().await;
}

/// Two screens show the same, as far back as both of them have it.
fn must_agree(one: &State, other: &State) {
    let floor = one.floor.max(other.floor);
    let items =
        |state: &State| -> Vec<Item> { state.items.iter().filter(|item| item.order >= floor).cloned().collect() };
    assert_eq!((&one.status, &one.meters), (&other.status, &other.meters));
    // Without the items in the message: they are long.
    assert!(items(one).len() > 1 && items(one) == items(other), "the items differ");
}

/// How many bytes of memory are a process's own.
fn memory(pid: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    1024 * line.trim().trim_end_matches(" kB").parse::<usize>().unwrap()
}

/// A figure of the server's own.
async fn figure(client: &Client, name: &str) -> usize {
    let text = client.get("/metrics").await.unwrap().text();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("quarterdeck_{name} ")));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in {text}"))
}
