//! Over HTTP and the WebSocket: prompts that wait for the end of a turn, prompts of which nobody knows whether they were taken,
//! drafts, and who else is looking.

use insights::HostFact;
use lab::agent::{Ignored, Story, Turn};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::client::{Client, Socket};
use crate::deck::Deck;

/// A session that is spoken to, and a screen that watches it.
struct Talk {
    client: Client,
    path: String,
    session: String,
    socket: Socket,
}

impl Talk {
    async fn start(deck: &Deck) -> Talk {
        let client = deck.client();
        let started = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good();
        let session = started["session"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/sessions/{session}");
        let socket = watching(&client, &session).await;
        Talk { client, path, session, socket }
    }

    async fn change(&self, method: &str, rest: &str, body: Value) -> Value {
        self.client.change(method, &format!("{}/{rest}", self.path), &body).await.unwrap().good()
    }

    async fn says(&self, number: u32, text: &str, delivery: &str) -> Value {
        self.change("POST", "messages", json!({"id": id(number), "text": text, "delivery": delivery})).await
    }

    async fn get(&self, rest: &str) -> Value {
        self.client.get(&format!("{}/{rest}", self.path)).await.unwrap().good()
    }

    /// The next frame of this kind that is as wished.
    async fn hears(&mut self, kind: &str, wished: impl Fn(&Value) -> bool) -> Value {
        loop {
            let frame = self.socket.hear().await.unwrap_or_else(|| panic!("the socket was closed"));
            if frame["kind"] == kind && wished(&frame) {
                return frame;
            }
        }
    }

    /// Waits until an event of this kind has come.
    async fn until(&self, event: &str) {
        self.until_one(event, |_| true).await;
    }

    /// Waits until such an event of this kind has come.
    async fn until_one(&self, event: &str, wished: impl Fn(&Value) -> bool) {
        let mut lines = self.client.lines(&format!("{}/events?follow=true", self.path)).await.unwrap();
        loop {
            let line = lines.next().await.unwrap_or_else(|| panic!("`{event}` did not come"));
            if line["event"] == event && wished(&line) {
                return;
            }
        }
    }
}

async fn watching(client: &Client, session: &str) -> Socket {
    let mut socket = client.socket().await.unwrap();
    socket.say(&json!({"kind": "watch", "session": session})).await.unwrap();
    socket
}

fn id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// The ids and texts of prompts that wait.
fn texts(held: &Value) -> Vec<(String, String)> {
    let word = |prompt: &Value, name: &str| prompt[name].as_str().unwrap().to_owned();
    held["prompts"].as_array().unwrap().iter().map(|prompt| (word(prompt, "id"), word(prompt, "text"))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_that_wait_are_changed_moved_taken_away_and_sent() {
    let story = Story::new().turn(Turn::new().calls("Bash", json!({"command": "make"})).asking().says("Made."));
    let deck = Deck::new(&story).await;
    let serving = deck.serve().await;
    let mut talk = Talk::start(&deck).await;
    talk.says(1, "Make it", "steer").await;
    talk.until("permission_request").await;
    for (number, text) in [(2, "second"), (3, "third"), (4, "fourth")] {
        assert_eq!(talk.says(number, text, "afterTurn").await["seq"], Value::Null, "it waits");
    }
    let waiting = |numbers: &[(u32, &str)]| -> Vec<(String, String)> {
        numbers.iter().map(|(number, text)| (id(*number), (*text).to_owned())).collect()
    };
    let all = waiting(&[(2, "second"), (3, "third"), (4, "fourth")]);
    let session = json!(talk.session);
    talk.hears("held", |frame| frame["session"] == session && texts(&frame["held"]) == all).await;
    talk.change("PUT", &format!("held/{}", id(2)), json!({"text": "second, in other words"})).await;
    talk.change("POST", &format!("held/{}/move", id(3)), json!({"before": id(2)})).await;
    talk.change("DELETE", &format!("held/{}", id(4)), json!({})).await;
    let left = waiting(&[(3, "third"), (2, "second, in other words")]);
    assert_eq!(texts(&talk.get("held").await), left);
    talk.hears("held", |frame| texts(&frame["held"]) == left).await;
    for (method, rest) in [("PUT", ""), ("DELETE", ""), ("POST", "/move")] {
        let body = if method == "PUT" { json!({"text": "x"}) } else { json!({}) };
        let gone = talk.client.change(method, &format!("{}/held/{}{rest}", talk.path, id(4)), &body).await.unwrap();
        assert_eq!(gone.code().as_deref(), Some("not_found"), "{method}");
    }
    // What was to come next may make no sense any more, so somebody has to say so.
    talk.change("POST", "interrupt", json!({})).await;
    talk.hears("held", |frame| frame["held"]["paused"] == "interrupted").await;
    talk.change("POST", "held/go-on", json!({})).await;
    talk.hears("held", |frame| texts(&frame["held"]).is_empty()).await;
    talk.until_one("user_input", |input| input.to_string().contains("in other words")).await;
    let said =
        deck.log(&talk.session).into_iter().filter(|record| matches!(record.source, insights::Source::Stdin { .. }));
    let said: Vec<String> = said.map(|record| record.line.text().into_owned()).collect();
    let place = |text: &str| said.iter().position(|line| line.contains(text));
    assert!(place("third").is_some() && place("third") < place("in other words"), "{said:#?}");
    assert_eq!(place("fourth"), None);
    talk.change("POST", "close", json!({"kill": true})).await;
    serving.stop().await;
}

/// Whoever has pressed Stop often writes on before the agent has stopped.
#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_sent_while_the_agent_is_stopping_follows_the_interrupted_turn() {
    let story = Story::new().turn(Turn::new().says("One.").waits_for("keep_alive")).says("Two.").says("Three.");
    let deck = Deck::new(&story).await;
    let serving = deck.serve().await;
    let talk = Talk::start(&deck).await;
    talk.says(1, "first", "steer").await;
    talk.until("text").await;
    // A stopped process is an agent that takes its time.
    let agent = deck.log(&talk.session).iter().find_map(|record| match HostFact::from_json(&record.line.text()) {
        Some(HostFact::Spawned { pid, .. }) => pid,
        _ => None,
    });
    let agent = Pid::from_raw(i32::try_from(agent.unwrap()).unwrap()).unwrap();
    kill_process(agent, Signal::STOP).unwrap();
    let interrupt = talk.change("POST", "interrupt", json!({}));
    let write_on = async {
        talk.until_one("control_sent", |sent| sent["subtype"] == "interrupt").await;
        let waits = talk.says(2, "second", "afterTurn").await;
        kill_process(agent, Signal::CONT).unwrap();
        waits
    };
    let (_, waits) = tokio::join!(interrupt, write_on);
    assert_eq!(waits["seq"], Value::Null, "it waits for the end of the turn");
    talk.until_one("text", |text| text.to_string().contains("Two.")).await;
    talk.change("POST", "close", json!({"kill": true})).await;
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_that_may_be_lost_are_dismissed_or_sent_again() {
    let deaf = Story::new().turn(Turn::new().says("I hear no more.").goes_deaf());
    let deck = Deck::new(&deaf.ignoring(Ignored::Eof)).await;
    let serving = deck.serve().await;
    let talk = Talk::start(&deck).await;
    talk.says(1, "first", "steer").await;
    talk.until("text").await;
    talk.says(2, "second", "steer").await;
    let third = talk.says(3, "third", "steer").await["seq"].as_u64().unwrap();
    talk.change("POST", "close", json!({"kill": true})).await;
    let queue = async || -> Vec<(String, String)> {
        let state = talk.get("state").await["state"].clone();
        let word = |queued: &Value, name: &str| queued[name].as_str().unwrap_or_default().to_owned();
        let queue = state["queue"].as_array().unwrap_or_else(|| panic!("{state}"));
        queue.iter().map(|queued| (word(queued, "id"), word(queued, "state"))).collect()
    };
    assert_eq!(queue().await, [(id(2), "unconfirmed".to_owned()), (id(3), "unconfirmed".to_owned())]);
    talk.change("DELETE", &format!("queue/{}", id(2)), json!({})).await;
    assert_eq!(queue().await, [(id(3), "unconfirmed".to_owned())]);
    talk.change("POST", "resume", json!({})).await;
    let again = talk.change("POST", &format!("messages/{third}/again"), json!({"id": id(4)})).await;
    assert!(again["seq"].as_u64().unwrap() > third, "{again}");
    assert!(!queue().await.contains(&(id(3), "unconfirmed".to_owned())), "it is another message now");
    talk.change("POST", "close", json!({"kill": true})).await;
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_is_told_how_many_others_look() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let mut talk = Talk::start(&deck).await;
    let watchers = |count: u32| move |frame: &Value| frame["watchers"] == count;
    talk.hears("presence", watchers(1)).await;
    let other = watching(&talk.client, &talk.session).await;
    talk.hears("presence", watchers(2)).await;
    drop(other);
    talk.hears("presence", watchers(1)).await;
    talk.change("POST", "close", json!({})).await;
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_takes_away_the_draft_that_it_was_and_no_other() {
    let deck = Deck::new(&Story::new().says("Aye.").says("Aye.").says("Aye.")).await;
    let serving = deck.serve().await;
    let talk = Talk::start(&deck).await;
    let kept = async || talk.get("draft").await["text"].clone();
    talk.change("PUT", "draft", json!({"text": "go through the list"})).await;
    // From a telephone, or from a script.
    talk.says(1, "go", "steer").await;
    assert_eq!(kept().await, "go through the list");
    let longer = json!({"id": id(2), "text": "go through the list twice", "draft": "go through the list"});
    talk.change("POST", "messages", longer).await;
    assert_eq!(kept().await, "", "it was a draft of this");
    talk.change("PUT", "draft", json!({"text": "and again"})).await;
    talk.says(3, "and again", "steer").await;
    assert_eq!(kept().await, "");
    talk.change("POST", "close", json!({})).await;
    serving.stop().await;
}
