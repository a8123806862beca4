//! Restart without loss, through the door: the server is killed at any moment while a client gives orders and screens watch,
//! one the list and others each session.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use insights::Source;
use insights::convert::RawLines;
use insights::state::header::AgentProcess;
use insights::state::{ItemBody, State};
use insights::{Converter, Profile, Record};
use lab::agent::{IN_FILE, OUT_FILE, Story, Turn};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::client::Client;
use crate::deck::{Deck, Serving};
use crate::list_screen::{ListScreen, ListWatcher, Rows};
use crate::watcher::{Watched, Watcher};

/// So many servers are killed, while so many sessions are played after each other: each server reads the log anew, and a
/// short one is read sooner.
const KILLS: u32 = 100;
const SESSIONS: u32 = 10;

/// The first turn of each session is a text of so many words, which come one after the other: one server is killed amid them.
const DELTAS: u64 = 100;

/// Screens that watch each session.
const SCREENS: usize = 2;

/// Who gives orders until they are obeyed, and kills whoever obeys them.
struct Captain<'a> {
    deck: &'a Deck,
    client: Client,
    serving: Serving,
    /// How many servers there were.
    servers: watch::Sender<u32>,
    kills: u32,
    dice: u64,
}

impl Captain<'_> {
    /// An order that is given until it is obeyed. At most `limit` servers are killed in all.
    async fn order<T>(&mut self, limit: u32, order: impl AsyncFn(Client) -> io::Result<T>) -> T {
        loop {
            if self.kills >= limit || self.roll(3) > 0 {
                return order(self.client.clone()).await.unwrap();
            }
            let moment = Duration::from_micros(self.roll(15_000));
            // At any moment: before the order is read, while it is obeyed, or after.
            let obeyed = tokio::time::timeout(moment, order(self.client.clone())).await;
            self.replace().await;
            if let Ok(Ok(obeyed)) = obeyed {
                return obeyed;
            }
        }
    }

    /// Kills the server, and lets another one take its place.
    async fn replace(&mut self) {
        self.kills += 1;
        self.serving.kill().await;
        self.serving = self.deck.serve().await;
        self.servers.send_modify(|servers| *servers += 1);
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33) % sides
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_kills_lose_nothing_and_double_nothing() {
    let turn = |number: usize| {
        if number == 1 {
            return Turn::new().paces(DELTAS, 5);
        }
        let input = json!({"command": format!("echo {number}")});
        Turn::new().calls("Bash", input).asking().giving(number.to_string()).says(format!("Turn {number} is done."))
    };
    let story = (1..=100).fold(Story::new(), |story, number| story.turn(turn(number)));
    let deck = Deck::new(&story).await;
    let serving = deck.serve().await;
    let mut captain =
        Captain { deck: &deck, client: deck.client(), serving, servers: watch::Sender::new(1), kills: 0, dice: 7 };
    let mut list = ListWatcher::start(deck.client(), captain.servers.subscribe());
    let mut turns = BTreeMap::new();
    for number in 1..=SESSIONS {
        let (session, prompts) = play(&mut captain, KILLS * number / SESSIONS).await;
        turns.insert(session, prompts);
        list.until(|rows| turns_of(rows) == turns).await;
    }
    assert_eq!(captain.kills, KILLS);
    remove(&mut captain, &mut turns).await;
    list.until(|rows| turns_of(rows) == turns).await;
    let Captain { serving, servers, .. } = captain;
    serving.stop().await;
    drop(servers);
    let list = list.ended().await;
    assert!(list.lists > 1 && list.rests > 1, "{} lists, {} times the rest of one", list.lists, list.rests);
}

/// How many turns each session has had.
fn turns_of(rows: &Rows) -> BTreeMap<String, u32> {
    rows.iter().map(|(id, row)| (id.clone(), row["turns"].as_u64().unwrap().try_into().unwrap())).collect()
}

/// A session goes while a screen is away. It hears so when it comes back, to the same server or to the next one.
async fn remove(captain: &mut Captain<'_>, turns: &mut BTreeMap<String, u32>) {
    let mut screen = ListScreen::default();
    for comes_back_to in ["the first", "the same", "the next"] {
        let mut socket = captain.client.socket().await.unwrap();
        assert!(screen.ask(&mut socket).await);
        while turns_of(&screen.rows) != *turns {
            assert!(screen.read_one(&mut socket).await, "no more from {comes_back_to}");
        }
        drop(socket);
        let (session, _) = turns.pop_first().unwrap();
        let removed = captain.client.change("DELETE", &format!("/api/v1/sessions/{session}"), &json!({})).await;
        assert_eq!(removed.unwrap().status, 204);
        if comes_back_to == "the same" {
            captain.replace().await;
        }
    }
    assert_eq!(screen.lists, 2);
}

/// A session, until `limit` servers have been killed in all. Gives its name, and how many prompts it had.
async fn play(captain: &mut Captain<'_>, limit: u32) -> (String, u32) {
    let deck = captain.deck;
    let mut start = deck.start();
    start["id"] = json!(format!("00000000-0000-4000-9000-{limit:012}"));
    let start = async |client: Client| client.post("/api/v1/sessions", &start).await;
    let session = captain.order(limit, start).await.good()["session"].as_str().unwrap().to_owned();
    let ended = |state: &State| state.status.agent == AgentProcess::Ended;
    let screen = |_| Watcher::start(captain.client.clone(), &session, captain.servers.subscribe(), ended);
    let mut screens: Vec<Watcher> = (0..SCREENS).map(screen).collect();
    let path = format!("/api/v1/sessions/{session}");
    let mut prompts = 0;
    while captain.kills < limit {
        prompts += 1;
        let message =
            json!({"id": format!("00000000-0000-4000-8000-{prompts:012}"), "text": format!("prompt {prompts}")});
        let send = async |client: Client| client.post(&format!("{path}/messages"), &message).await;
        assert!(captain.order(limit, send).await.good()["seq"].is_u64());
        // The screens take turns in showing what is asked.
        let number = prompts as usize % SCREENS;
        if prompts == 1 && captain.kills < limit {
            // Amid a text that comes word by word.
            let words = captain.roll(DELTAS / 2) as usize;
            let seen = screens[number].until(|state| words_of(state) > words).await;
            assert_eq!(seen.meters.turns, 0);
            captain.replace().await;
        }
        loop {
            let seen = screens[number].until(|state| !state.asks.is_empty() || state.meters.turns == prompts).await;
            let Some(ask) = seen.asks.first() else { break };
            let (answer, allow) = (format!("{path}/asks/{}", ask.id), json!({"decision": {"kind": "allow"}}));
            let reply = captain.order(limit, async |client: Client| client.post(&answer, &allow).await).await;
            // An answer that was given before a server was killed is refused the second time.
            assert!(reply.status == 200 || reply.code().as_deref() == Some("not_asked"), "{}", reply.text());
            screens[number].until(|state| state.asks.iter().all(|open| open.id != ask.id)).await;
        }
    }
    captain.client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    let log = deck.log(&session);
    for screen in screens {
        check_screen(&session, &log, screen.ended().await);
    }
    check(deck, &log, prompts);
    (session, prompts)
}

/// How many words of the first text have come.
fn words_of(state: &State) -> usize {
    let text = state.items.iter().find_map(|item| match &item.body {
        ItemBody::Text(text) => Some(text.text.text.split_whitespace().count()),
        _ => None,
    });
    text.unwrap_or_default()
}

/// After each frame, a screen held what the log held up to there.
fn check_screen(session: &str, log: &[Record], watched: Watched) {
    let mut converter = Converter::new(session, Profile::Full, RawLines::LeftOut);
    let mut state = State::default();
    let mut seen = watched.seen.iter().peekable();
    // Whoever is there at once may see that there is nothing yet.
    while let Some(screen) = seen.next_if(|screen| screen.seq == 0) {
        assert_eq!(*screen.state, state);
    }
    for record in log {
        for event in converter.convert(record.clone()) {
            state.apply(&event);
        }
        while let Some(screen) = seen.next_if(|screen| screen.seq == record.seq) {
            assert_eq!(*screen.state, state, "after record {}", record.seq);
        }
    }
    assert_eq!(seen.count(), 0, "all frames are of records, and in their order");
    assert_eq!(*watched.seen.last().unwrap().state, state, "the screen has all of it");
    // Who comes back with what it has gets the rest, and not everything again.
    assert_eq!(watched.snapshots, 1, "in {} connections", watched.connections);
}

/// The log is what the agent saw, and each prompt and each answer is in it once.
pub(crate) fn check(deck: &Deck, log: &[Record], prompts: u32) {
    assert_eq!(log.iter().map(|record| record.seq).collect::<Vec<_>>(), (1..=log.len() as u64).collect::<Vec<_>>());
    let lines = |wanted: fn(&Source) -> bool| -> Vec<String> {
        log.iter().filter(|record| wanted(&record.source)).map(|record| record.line.text().into_owned()).collect()
    };
    let stdin = lines(|source| matches!(source, Source::Stdin { .. }));
    assert_eq!(stdin, deck.side(IN_FILE));
    assert_eq!(lines(|source| *source == Source::Stdout), deck.side(OUT_FILE));
    let mut count = BTreeMap::<String, u32>::new();
    for line in &stdin {
        let line: Value = serde_json::from_str(line).unwrap();
        let names = [&line["uuid"], &line["response"]["request_id"], &line["request_id"]];
        let name = names.into_iter().find_map(Value::as_str).unwrap();
        *count.entry(name.to_owned()).or_default() += 1;
    }
    assert!(count.values().all(|times| *times == 1), "{count:#?}");
    let results = deck.side(OUT_FILE).iter().filter(|line| line.contains(r#""type":"result""#)).count();
    let sent = count.keys().filter(|name| name.starts_with("00000000-")).count();
    assert_eq!((results, sent), (prompts as usize, prompts as usize));
    for file in [IN_FILE, OUT_FILE] {
        // The next session's agent notes in the same folder.
        std::fs::remove_file(deck.path().join("side").join(file)).unwrap();
    }
}
