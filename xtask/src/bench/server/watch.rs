//! Watchers: WebSockets in; how late each tick was, and how many agents came to their end, out.

use std::collections::HashMap;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use lab::agent::moment_us;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

pub(super) type Socket = WebSocketStream<TcpStream>;

/// Connects to a WebSocket on this machine.
pub(super) async fn connect(address: &str, path: &str) -> Result<Socket> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (socket, _) = tokio_tungstenite::client_async(format!("ws://{address}{path}"), stream).await?;
    Ok(socket)
}

/// What a watcher saw.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// How late each tick was, in microseconds.
    pub(super) delays: Vec<u64>,
    /// Agents that came to their end.
    pub(super) complete: usize,
    pub(super) frames: u64,
}

impl Watched {
    /// Ticks of a text that has just come.
    fn ticks(&mut self, text: &str, now: u64) {
        let ticks = text.split_ascii_whitespace().filter_map(|tick| tick.parse::<u64>().ok());
        self.delays.extend(ticks.map(|tick| now.saturating_sub(tick)));
    }
}

/// Follows a relay until so many agents are done.
pub(super) async fn follow_relay(mut socket: Socket, agents: usize) -> Result<Watched> {
    let mut watched = Watched::default();
    while watched.complete < agents {
        let message = socket.next().await.context("the relay went away")??;
        let Message::Text(text) = message else { continue };
        let now = moment_us();
        watched.frames += 1;
        let line: Value = serde_json::from_str(&text)?;
        if line["type"] == "result" {
            watched.complete += 1;
        }
        if let Some(text) = line["event"]["delta"]["text"].as_str() {
            watched.ticks(text, now);
        }
    }
    Ok(watched)
}

/// What a watcher holds of the texts of a session: nothing but what it was told.
#[derive(Debug, Default)]
struct Held {
    texts: HashMap<String, String>,
    /// Did a text turn out to be another one than what came piece by piece? What is put together while a watcher is busy comes
    /// as the whole text, so that may be longer; but what was held is its beginning, or a piece was lost or came twice.
    is_torn: bool,
    is_over: bool,
}

impl Held {
    /// An item as a whole. What of its text was not there before comes out.
    fn put<'i>(&mut self, item: &'i Value) -> &'i str {
        let body = &item["body"];
        self.is_over |= body["kind"] == "turn";
        if body["kind"] != "text" {
            return "";
        }
        let (id, whole) = (word(&item["id"]), word(&body["text"]["text"]));
        let before = self.texts.insert(id.to_owned(), whole.to_owned()).unwrap_or_default();
        let new = whole.strip_prefix(before.as_str());
        self.is_torn |= new.is_none();
        new.unwrap_or_default()
    }

    /// More of an item.
    fn append(&mut self, id: &str, text: &str) {
        self.texts.entry(id.to_owned()).or_default().push_str(text);
    }

    /// Did all come, with so many ticks if there are any?
    fn is_complete(&self, ticks: Option<u64>) -> bool {
        let most = self.texts.values().map(|text| text.split_ascii_whitespace().count() as u64).max();
        self.is_over && !self.is_torn && (ticks.is_none() || most == ticks)
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Says which sessions are to be told of.
pub(super) async fn watch(socket: &mut Socket, sessions: &[String]) -> Result<()> {
    for session in sessions {
        socket.send(Message::text(json!({"kind": "watch", "session": session}).to_string())).await?;
    }
    Ok(())
}

/// Watches sessions of a server until the turn of each is over. Ticks that were there when it came are not counted: nobody
/// knows how late they were.
pub(super) async fn follow_server(mut socket: Socket, sessions: Vec<String>, ticks: Option<u64>) -> Result<Watched> {
    let mut watched = Watched::default();
    watch(&mut socket, &sessions).await?;
    let mut held: HashMap<String, Held> = sessions.into_iter().map(|id| (id, Held::default())).collect();
    while held.values().any(|session| !session.is_over) {
        let message = socket.next().await.context("the server went away")??;
        let Message::Text(text) = message else { continue };
        let now = moment_us();
        watched.frames += 1;
        let frame: Value = serde_json::from_str(&text)?;
        if frame["kind"] == "error" {
            bail!("the server complains: {text}");
        }
        let Some(session) = held.get_mut(word(&frame["session"])).filter(|_| frame["kind"] == "session") else {
            continue;
        };
        let answer = &frame["answer"];
        answer["state"]["items"].as_array().into_iter().flatten().for_each(|item| _ = session.put(item));
        for change in answer["changes"].as_array().into_iter().flatten() {
            match word(&change["change"]) {
                "append" => {
                    watched.ticks(word(&change["text"]), now);
                    session.append(word(&change["id"]), word(&change["text"]));
                }
                _ => watched.ticks(session.put(&change["item"]), now),
            }
        }
    }
    watched.complete = held.values().filter(|session| session.is_complete(ticks)).count();
    Ok(watched)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: &str, text: &str) -> Value {
        json!({"id": kind, "body": {"kind": kind, "text": {"text": text}}})
    }

    /// What a watcher holds that hears these pieces and then the whole.
    fn heard(pieces: &[&str], whole: &str) -> Held {
        let mut held = Held::default();
        held.put(&item("text", ""));
        pieces.iter().for_each(|piece| held.append("text", piece));
        held.put(&item("text", whole));
        held.put(&item("turn", ""));
        held
    }

    #[test]
    fn a_piece_that_is_lost_or_comes_twice_is_noticed_although_the_whole_comes_at_the_end() {
        let whole = "1 2 3 4 ";
        assert!(heard(&["1 ", "2 ", "3 ", "4 "], whole).is_complete(Some(4)));
        assert!(heard(&["1 ", "2 "], whole).is_complete(Some(4)), "the rest came together");
        assert!(!heard(&["1 ", "3 ", "4 "], whole).is_complete(Some(4)));
        assert!(!heard(&["1 ", "2 ", "2 ", "3 ", "4 "], whole).is_complete(Some(4)));
        assert!(!heard(&["1 ", "2 "], "1 2 ").is_complete(Some(4)), "the end is missing");
    }
}
