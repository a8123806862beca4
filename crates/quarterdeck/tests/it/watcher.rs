//! A screen that watches a session: it holds nothing but what frames told it, and comes back when the server was away.

use std::sync::Arc;

use insights::state::{Change, ItemBody, State};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::client::{Client, Socket};

/// What a screen has: where it is, and what is so there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) seq: u64,
    pub(crate) state: Arc<State>,
}

/// What a session frame says.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum Answer {
    Changes { seq: u64, changes: Vec<Change> },
    Snapshot { epoch: String, seq: u64, state: Box<State> },
}

/// How a watching went.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    /// What was seen after each frame, in order.
    pub(crate) seen: Vec<Seen>,
    /// How often everything was sent.
    pub(crate) snapshots: usize,
    /// How often it was connected.
    pub(crate) connections: usize,
    /// How many frames there were in all.
    pub(crate) frames: usize,
    /// How many bytes they had.
    pub(crate) bytes: usize,
}

/// A screen.
pub(crate) struct Watcher {
    now: watch::Receiver<Seen>,
    task: JoinHandle<Watched>,
}

impl Watcher {
    /// Watches a session until the state is `wished`. `servers` changes when there is a new server to connect to.
    pub(crate) fn start(
        client: Client,
        session: &str,
        servers: watch::Receiver<u32>,
        wished: fn(&State) -> bool,
    ) -> Watcher {
        let (tell, now) = watch::channel(Seen::default());
        let screen = Screen::new(session, tell);
        Watcher { now, task: tokio::spawn(screen.run(client, servers, wished)) }
    }

    /// Waits until the state is so.
    pub(crate) async fn until(&mut self, wished: impl Fn(&State) -> bool) -> Arc<State> {
        let seen = self.now.wait_for(|seen| wished(&seen.state)).await;
        seen.map(|seen| seen.state.clone()).unwrap_or_else(|_| panic!("the watcher ended"))
    }

    /// How it went, when it has ended.
    pub(crate) async fn ended(self) -> Watched {
        self.task.await.unwrap()
    }
}

/// What was said, by whom, and which turns have ended.
pub(crate) fn said(state: &State) -> Vec<String> {
    let words = |item: &ItemBody| match item {
        ItemBody::User(user) => Some(format!("user: {}", user.text.text)),
        ItemBody::Text(text) => Some(format!("agent: {}", text.text.text)),
        ItemBody::Tool(tool) => Some(format!("tool: {}", tool.name)),
        ItemBody::Turn(_) => Some("turn".to_owned()),
        _ => None,
    };
    state.items.iter().filter_map(|item| words(&item.body)).collect()
}

/// What a screen keeps.
pub(crate) struct Screen {
    session: String,
    tell: watch::Sender<Seen>,
    epoch: String,
    watched: Watched,
}

impl Screen {
    /// One that shows nothing yet.
    pub(crate) fn new(session: &str, tell: watch::Sender<Seen>) -> Screen {
        Screen { session: session.to_owned(), tell, epoch: String::new(), watched: Watched::default() }
    }

    async fn run(mut self, client: Client, mut servers: watch::Receiver<u32>, wished: fn(&State) -> bool) -> Watched {
        loop {
            servers.borrow_and_update();
            if let Ok(socket) = client.socket().await {
                self.watch(&mut { socket }, wished).await;
            }
            if wished(&self.tell.borrow().state) {
                return self.watched;
            }
            // The server that was there is gone, and perhaps there will be no other.
            if servers.changed().await.is_err() {
                return self.watched;
            }
        }
    }

    /// Says what it wants to watch, from where it is.
    pub(crate) async fn ask(&self, socket: &mut Socket) -> bool {
        let seq = self.tell.borrow().seq;
        let watch = json!({"kind": "watch", "session": self.session, "epoch": self.epoch, "seq": seq});
        socket.say(&watch).await.is_ok()
    }

    /// What it shows.
    pub(crate) fn seen(&self) -> Seen {
        self.tell.borrow().clone()
    }

    async fn watch(&mut self, socket: &mut Socket, wished: fn(&State) -> bool) {
        self.watched.connections += 1;
        if self.ask(socket).await {
            self.read(socket, wished).await;
        }
        self.watched.frames += socket.frames;
        self.watched.bytes += socket.bytes;
    }

    /// Reads until the state is as wished, or nothing more comes.
    pub(crate) async fn read(&mut self, socket: &mut Socket, wished: fn(&State) -> bool) {
        while let Some(frame) = socket.hear().await {
            assert_ne!(frame["kind"], "error", "{frame}");
            if frame["kind"] == "session" {
                self.take(&frame);
                if wished(&self.tell.borrow().state) {
                    return;
                }
            }
        }
    }

    /// Reads no more than the next frame of the session.
    pub(crate) async fn read_one(&mut self, socket: &mut Socket) {
        while let Some(frame) = socket.hear().await {
            if frame["kind"] == "session" {
                return self.take(&frame);
            }
        }
    }

    fn take(&mut self, frame: &Value) {
        assert_eq!(frame["session"], *self.session);
        let before = self.tell.borrow().clone();
        let seen = match serde_json::from_value(frame["answer"].clone()).unwrap() {
            Answer::Changes { seq, changes } => {
                assert!(seq > before.seq, "a frame came twice: {seq} after {}", before.seq);
                let mut state = State::clone(&before.state);
                for change in &changes {
                    state.patch(change);
                }
                Seen { seq, state: state.into() }
            }
            Answer::Snapshot { epoch, seq, state } => {
                assert!(seq >= before.seq, "a snapshot of the past: {seq} after {}", before.seq);
                self.epoch = epoch;
                self.watched.snapshots += 1;
                Seen { seq, state: Arc::from(state) }
            }
        };
        self.watched.seen.push(seen.clone());
        self.tell.send_replace(seen);
    }
}
