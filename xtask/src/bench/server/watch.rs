//! Watchers: WebSockets in; how late each tick was, and how many agents came to their end, out.

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

/// Watches sessions of a server until the turn of each is over. Ticks that were there when it came are not counted: nobody
/// knows how late they were.
pub(super) async fn follow_server(mut socket: Socket, sessions: Vec<String>, ticks: u64) -> Result<Watched> {
    let mut watched = Watched::default();
    for session in &sessions {
        socket.send(Message::text(json!({"kind": "watch", "session": session}).to_string())).await?;
    }
    let mut over = std::collections::HashSet::new();
    let mut seen: std::collections::HashMap<String, u64> = std::collections::HashMap::new();
    while over.len() < sessions.len() {
        let message = socket.next().await.context("the server went away")??;
        let Message::Text(text) = message else { continue };
        let now = moment_us();
        watched.frames += 1;
        let frame: Value = serde_json::from_str(&text)?;
        if frame["kind"] == "error" {
            bail!("the server complains: {text}");
        }
        let Some(session) = frame["session"].as_str().filter(|_| frame["kind"] == "session") else { continue };
        let answer = &frame["answer"];
        let items = answer["state"]["items"].as_array().into_iter().flatten();
        let put = answer["changes"].as_array().into_iter().flatten();
        for item in items.chain(put.clone().map(|change| &change["item"])) {
            let body = &item["body"];
            if body["kind"] == "turn" {
                over.insert(session.to_owned());
            }
            if body["kind"] == "text" {
                let whole = body["text"]["text"].as_str().unwrap_or_default();
                let count = seen.entry(session.to_owned()).or_default();
                *count = (*count).max(whole.split_ascii_whitespace().count() as u64);
            }
        }
        for change in put.filter(|change| change["change"] == "append") {
            let text = change["text"].as_str().unwrap_or_default();
            watched.ticks(text, now);
            *seen.entry(session.to_owned()).or_default() += text.split_ascii_whitespace().count() as u64;
        }
    }
    // A long text is cut in the state, so at most as many as there were.
    let whole = |count: &u64| *count == ticks || ticks > LONG_TICKS;
    watched.complete = over.iter().filter(|id| seen.get(*id).is_some_and(whole)).count();
    Ok(watched)
}

/// From so many ticks on the state holds only the head of them.
const LONG_TICKS: u64 = 2_000;
