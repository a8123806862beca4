//! A server over the API: sessions are started and spoken to, and what is waited for is looked at again and again.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use lab::agent::Story;
use serde_json::{Value, json};

use super::place::Place;
use crate::http::{Client, Served};

/// How often a look is repeated, and how long after the one before.
const LOOKS: u32 = 2_000;
const BREATH: Duration = Duration::from_millis(20);

/// A server, and a client with a token.
pub(super) struct Deck<'a> {
    pub(super) place: &'a Place,
    pub(super) client: Client,
    served: Served,
}

impl<'a> Deck<'a> {
    pub(super) async fn start(place: &'a Place) -> Result<Deck<'a>> {
        place.tell(&Story::new())?;
        let token = place.quarterdeck(&["token", "add", "nightly job"])?.trim().to_owned();
        let served = Served::start(place.command(&["serve", "--no-open", "--port", "0"])).await?;
        let client = Client { address: served.address()?, token };
        Ok(Deck { place, client, served })
    }

    /// The token of the login link.
    pub(super) fn launch_token(&self) -> Result<&str> {
        Ok(self.served.link.split_once('#').context("the link has no token")?.1.trim())
    }

    pub(super) async fn call(&self, method: &str, path: &str, body: Value) -> Result<Value> {
        self.client.call(method, &format!("/api/v1/{path}"), &body).await
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value> {
        self.call("GET", path, Value::Null).await
    }

    /// Starts a session whose agent follows a story. Its id says its number.
    pub(super) async fn session(&self, number: u32, story: &Story, options: Value) -> Result<Talk<'_>> {
        self.place.tell(story)?;
        let id = format!("00000000-0000-4000-a000-{number:012}");
        self.call("POST", "sessions", json!({"id": id, "options": options})).await?;
        Ok(Talk { deck: self, id, said: 0 })
    }

    pub(super) async fn stop(self) -> Result<()> {
        self.served.stop().await
    }
}

/// A session that is spoken to.
pub(super) struct Talk<'a> {
    pub(super) deck: &'a Deck<'a>,
    pub(super) id: String,
    /// How many messages were sent.
    pub(super) said: u32,
}

impl Talk<'_> {
    pub(super) async fn call(&self, method: &str, path: &str, body: Value) -> Result<Value> {
        self.deck.call(method, &format!("sessions/{}/{path}", self.id), body).await
    }

    /// Sends a message; gives its id.
    pub(super) async fn say(&mut self, mut message: Value) -> Result<String> {
        self.said += 1;
        // Unique among all sessions, as those of a page are.
        let id = format!("{}{:04}", &self.id[..32], 100 * self.id[32..].parse::<u32>()? + self.said);
        message["id"] = json!(id);
        self.call("POST", "messages", message).await?;
        Ok(id)
    }

    pub(super) async fn state(&self) -> Result<Value> {
        Ok(self.deck.get(&format!("sessions/{}/state", self.id)).await?["state"].take())
    }

    /// Looks at the state until it is as wished.
    pub(super) async fn until(&self, what: &str, wished: impl Fn(&Value) -> bool) -> Result<Value> {
        let mut state = Value::Null;
        for _ in 0..LOOKS {
            state = self.state().await?;
            if wished(&state) {
                return Ok(state);
            }
            tokio::time::sleep(BREATH).await;
        }
        bail!("{what} did not come in session {}: {}", self.id, state["status"])
    }

    /// Waits until so many turns have ended and the agent waits for a prompt.
    pub(super) async fn until_turns(&self, turns: u32) -> Result<Value> {
        let ended = |state: &Value| state["meters"]["turns"] == turns && state["status"]["phase"] == "idle";
        self.until(&format!("the end of turn {turns}"), ended).await
    }

    /// Says something, and waits for the end of the turn.
    pub(super) async fn turn(&mut self, text: &str) -> Result<Value> {
        let turns = self.state().await?["meters"]["turns"].as_u64().unwrap_or_default();
        self.say(json!({"text": text})).await?;
        self.until_turns(u32::try_from(turns)? + 1).await
    }

    /// The question that is open.
    pub(super) async fn asked(&self) -> Result<String> {
        let state = self.until("a question", |state| state["asks"][0].is_object()).await?;
        Ok(state["asks"][0]["id"].as_str().unwrap_or_default().to_owned())
    }

    /// Answers the question that is open; gives its id.
    pub(super) async fn answer(&self, decision: Value) -> Result<String> {
        let ask = self.asked().await?;
        self.call("POST", &format!("asks/{ask}"), json!({"decision": decision})).await?;
        Ok(ask)
    }

    /// Ends the agent.
    pub(super) async fn close(&self) -> Result<()> {
        self.call("POST", "close", json!({})).await?;
        let ended = |state: &Value| state["status"]["agent"] == "ended";
        self.until("the end of the agent", ended).await.map(|_| ())
    }
}
