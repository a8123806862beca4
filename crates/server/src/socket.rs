//! A WebSocket: a screen says what it watches, and gets what it lacks of it whenever the socket is free.
//!
//! Nothing is queued for a screen. While a frame is on its way, what changes meanwhile comes together in the feeds; a screen
//! that reads slowly gets fewer and larger frames, and one that stops reading holds up nobody but itself.

mod signal;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::{IntoResponse, Response};
use futures_util::SinkExt;
use live::{Answer, Epoch, Held, Session};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::app::{App, LOOK};
use crate::error::{ApiError, Code};
use crate::frame::{ClientFrame, ServerFrame};
use crate::guard::Who;
use crate::listen::Written;

use signal::{Signal, Signals, Waiting};

/// The most bytes of a frame of a screen.
const MOST_BYTES: usize = 64 * 1024;

/// The most sessions that one socket watches.
const MOST_WATCHED: usize = 512;

/// The most sockets at a time.
const MOST_SOCKETS: i64 = 512;

/// The most frames of a screen between two heartbeats.
const MOST_FRAMES: u32 = 1000;

/// How often the other side is asked whether it is there.
const HEARTBEAT: Duration = LOOK;

/// After how long it is not.
const SILENCE: Duration = Duration::from_secs(60);

/// `GET /api/v1/socket`
pub(crate) async fn open(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    Extension(written): Extension<Written>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(error) => return ApiError::bad_request(error.body_text()).into_response(),
    };
    let Some(seat) = Seat::take(&app) else {
        return ApiError::new(Code::TooMany, "too many WebSockets are open: close some pages").into_response();
    };
    let upgrade = upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES);
    upgrade.on_upgrade(move |socket| async move {
        let _seat = seat;
        let mut connection = Connection::new(app.clone(), who, socket, written);
        let end = connection.run().await;
        tracing::debug!(?end, "a WebSocket was closed");
        connection.close(end).await;
    })
}

/// A place among the WebSockets that are open, free again when it is dropped. It is taken before the upgrade, so that those
/// who come at the same time do not all get the last one.
struct Seat(App);

impl Seat {
    fn take(app: &App) -> Option<Seat> {
        let before = app.metrics().sockets.fetch_add(1, Ordering::Relaxed);
        let seat = Seat(app.clone());
        (before < MOST_SOCKETS).then_some(seat)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.metrics().sockets.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The other side closed it, or is gone.
    Left,
    /// It did not answer, or did not read.
    Silent,
    /// It said too much, or what nobody understands.
    Misbehaved(&'static str),
    /// The device is not let in any more.
    Revoked,
}

/// What a connection waits for.
enum Event {
    Heard(Option<Result<Message, axum::Error>>),
    Changed(Signal),
    Heartbeat,
}

struct Connection {
    app: App,
    who: Who,
    socket: WebSocket,
    written: Written,
    sessions: HashMap<String, Watched>,
    list: Option<WatchedList>,
    signals: Signals,
    /// For others who come or leave.
    presence: Waiting,
    /// What has changed since it was last sent.
    dirty: HashSet<String>,
    list_is_dirty: bool,
    presence_is_dirty: bool,
    /// Counts what is watched, so that an old signal is told from a new one.
    watches: u64,
    heard_at: Instant,
    frames: u32,
}

struct WatchedList {
    watch: u64,
    epoch: Epoch,
    revision: u64,
    /// For the next change.
    waiting: Waiting,
}

struct Watched {
    watch: u64,
    /// For it to be opened, then for the next change.
    waiting: Waiting,
    /// For what waits in the host to change.
    waiting_held: Option<Waiting>,
    /// None while it is being opened.
    session: Option<Session>,
    epoch: Epoch,
    seq: u64,
    /// How many others the screen was told of.
    watchers: usize,
}

impl Connection {
    fn new(app: App, who: Who, socket: WebSocket, written: Written) -> Connection {
        let mut signals = Signals::default();
        let presence = signals.presence(app.presence().subscribe());
        Connection {
            app,
            who,
            socket,
            written,
            sessions: HashMap::new(),
            list: None,
            signals,
            presence,
            dirty: HashSet::new(),
            list_is_dirty: false,
            presence_is_dirty: false,
            watches: 0,
            heard_at: Instant::now(),
            frames: 0,
        }
    }

    async fn run(&mut self) -> End {
        let instance = self.app.secrets().instance();
        let device = self.who.name.clone();
        let hello = ServerFrame::Hello { version: env!("CARGO_PKG_VERSION"), instance: &instance, device: &device };
        if let Err(end) = self.send(&hello).await {
            return end;
        }
        let mut heartbeat = interval(HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeat.reset();
        loop {
            let event = tokio::select! {
                // What was said while a frame was on its way is heard before anybody is called silent.
                biased;
                message = self.socket.recv() => Event::Heard(message),
                _ = heartbeat.tick() => Event::Heartbeat,
                signal = self.signals.next() => Event::Changed(signal),
            };
            let handled = match event {
                Event::Heard(message) => self.hear(message).await,
                Event::Changed(signal) => self.note(signal).await,
                Event::Heartbeat => self.beat().await,
            };
            let sent = match handled {
                Ok(()) => self.catch_up().await,
                Err(end) => return end,
            };
            if let Err(end) = sent {
                return end;
            }
        }
    }

    async fn hear(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<(), End> {
        self.heard_at = Instant::now();
        let text = match message {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => return Ok(()),
            Some(Ok(Message::Binary(_))) => return Err(End::Misbehaved("frames are JSON text")),
            Some(Ok(Message::Close(_))) | Some(Err(_)) | None => return Err(End::Left),
        };
        self.frames += 1;
        if self.frames > MOST_FRAMES {
            return Err(End::Misbehaved("too many frames"));
        }
        match serde_json::from_str(&text) {
            Ok(ClientFrame::Watch { session, epoch, seq }) => self.watch(session, epoch, seq).await,
            Ok(ClientFrame::Unwatch { session }) => {
                self.unwatch(&session);
                Ok(())
            }
            Ok(ClientFrame::List { epoch, revision }) => {
                self.watches += 1;
                let waiting = self.signals.list(self.watches, self.app.sessions().list_progress());
                self.list = Some(WatchedList { watch: self.watches, epoch, revision, waiting });
                self.list_is_dirty = true;
                Ok(())
            }
            Ok(ClientFrame::Unlist) => {
                self.list = None;
                Ok(())
            }
            Ok(ClientFrame::Ping { nonce }) => self.send(&ServerFrame::Pong { nonce }).await,
            Err(error) => {
                let message = format!("this frame is not understood: {error}");
                self.send(&ServerFrame::Error { code: Code::BadRequest.word(), message: &message, session: None }).await
            }
        }
    }

    async fn watch(&mut self, id: String, epoch: Epoch, seq: u64) -> Result<(), End> {
        if self.sessions.len() >= MOST_WATCHED && !self.sessions.contains_key(&id) {
            let message = "too many sessions are watched over this WebSocket";
            return self.send(&ServerFrame::Error { code: Code::TooMany.word(), message, session: Some(&id) }).await;
        }
        self.unwatch(&id);
        self.watches += 1;
        let (watch, sessions) = (self.watches, self.app.sessions().clone());
        let waiting = self.signals.open(sessions, id.clone(), watch, (epoch, seq));
        let watched =
            Watched { watch, waiting, waiting_held: None, session: None, epoch: Epoch::default(), seq: 0, watchers: 0 };
        self.sessions.insert(id, watched);
        Ok(())
    }

    fn unwatch(&mut self, id: &str) {
        if self.sessions.remove(id).is_some_and(|watched| watched.session.is_some()) {
            self.app.presence().leave(id);
        }
        self.dirty.remove(id);
    }

    async fn note(&mut self, signal: Signal) -> Result<(), End> {
        match signal {
            Signal::Session { id, watch, progress } => {
                if let Some(watched) = self.sessions.get_mut(&id).filter(|watched| watched.watch == watch) {
                    watched.waiting = self.signals.session(id.clone(), watch, progress);
                    self.dirty.insert(id);
                }
            }
            Signal::List { watch, progress } => {
                if let Some(list) = self.list.as_mut().filter(|list| list.watch == watch) {
                    list.waiting = self.signals.list(watch, progress);
                    self.list_is_dirty = true;
                }
            }
            Signal::Presence { progress } => {
                self.presence_is_dirty = true;
                self.presence = self.signals.presence(progress);
            }
            Signal::Held { id, watch, held } => {
                if let Some(watched) = self.sessions.get_mut(&id).filter(|watched| watched.watch == watch) {
                    let now = held.borrow().clone();
                    watched.waiting_held = Some(self.signals.held(id.clone(), watch, held));
                    return self.send(&ServerFrame::Held { session: &id, held: &now }).await;
                }
            }
            Signal::Opened { id, watch, from, session } => return self.opened(id, watch, from, session).await,
        }
        Ok(())
    }

    async fn opened(
        &mut self,
        id: String,
        watch: u64,
        from: (Epoch, u64),
        session: live::Result<(Session, watch::Receiver<Held>)>,
    ) -> Result<(), End> {
        let Some(watched) = self.sessions.get_mut(&id).filter(|watched| watched.watch == watch) else { return Ok(()) };
        match session {
            Ok((session, mut held)) => {
                (watched.epoch, watched.seq) = from;
                watched.waiting = self.signals.session(id.clone(), watch, session.progress());
                // Who has seen this session before may have seen prompts wait that do not wait any more.
                if watched.epoch != Epoch::default() || !held.borrow().prompts.is_empty() {
                    held.mark_changed();
                }
                watched.waiting_held = Some(self.signals.held(id.clone(), watch, held));
                watched.session = Some(session);
                self.app.presence().come(&id);
                self.dirty.insert(id);
                Ok(())
            }
            Err(error) => {
                self.sessions.remove(&id);
                let ApiError { code, message, .. } = error.into();
                self.send(&ServerFrame::Error { code: code.word(), message: &message, session: Some(&id) }).await
            }
        }
    }

    async fn beat(&mut self) -> Result<(), End> {
        self.frames = 0;
        if self.heard_at.elapsed() > SILENCE {
            return Err(End::Silent);
        }
        if !self.app.is_known(&self.who).await.unwrap_or(false) {
            return Err(End::Revoked);
        }
        self.send_message(Message::Ping(Vec::new().into())).await
    }

    /// Sends what the screen lacks of everything that has changed.
    async fn catch_up(&mut self) -> Result<(), End> {
        // Whatever else has changed by now goes along; once each, since something may change all the time.
        for _ in 0..self.sessions.len() + 2 {
            let Some(signal) = self.signals.next_now() else { break };
            self.note(signal).await?;
        }
        if std::mem::take(&mut self.list_is_dirty)
            && let Some(list) = &mut self.list
        {
            let answer = self.app.sessions().list_since(&list.epoch, list.revision);
            (list.epoch, list.revision) = (answer.epoch.clone(), answer.revision);
            if answer.whole || !answer.rows.is_empty() || !answer.gone.is_empty() {
                self.send(&ServerFrame::List { answer: &answer }).await?;
            }
        }
        for id in std::mem::take(&mut self.dirty) {
            let Some(watched) = self.sessions.get_mut(&id) else { continue };
            let Some(session) = &watched.session else { continue };
            if session.is_removed() {
                self.unwatch(&id);
                let message = "this session was removed";
                self.send(&ServerFrame::Error { code: Code::NoSession.word(), message, session: Some(&id) }).await?;
                continue;
            }
            let answer = session.since(&watched.epoch, watched.seq);
            match &answer {
                Answer::Changes { changes, .. } if changes.is_empty() => continue,
                // Not even which log it is can be said before there is one, which is at once.
                Answer::Snapshot { seq: 0, .. } => continue,
                Answer::Changes { seq, .. } => watched.seq = *seq,
                Answer::Snapshot { epoch, seq, .. } => (watched.epoch, watched.seq) = (epoch.clone(), *seq),
            }
            self.send(&ServerFrame::Session { session: &id, answer: &answer }).await?;
        }
        if std::mem::take(&mut self.presence_is_dirty) {
            let mut news = Vec::new();
            for (id, watched) in self.sessions.iter_mut().filter(|(_, watched)| watched.session.is_some()) {
                let watchers = self.app.presence().watchers(id);
                if std::mem::replace(&mut watched.watchers, watchers) != watchers {
                    news.push((id.clone(), watchers));
                }
            }
            for (session, watchers) in news {
                self.send(&ServerFrame::Presence { session: &session, watchers }).await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self, frame: &ServerFrame<'_>) -> Result<(), End> {
        // All of it can be written as JSON.
        let text = serde_json::to_string(frame).unwrap_or_default();
        self.app.metrics().frame(text.len());
        self.send_message(Message::Text(text.into())).await
    }

    async fn send_message(&mut self, message: Message) -> Result<(), End> {
        patiently(self.socket.send(message), &self.written).await
    }

    async fn close(&mut self, end: End) {
        for (id, watched) in std::mem::take(&mut self.sessions) {
            if watched.session.is_some() {
                self.app.presence().leave(&id);
            }
        }
        let (code, reason) = match end {
            End::Left | End::Silent => return,
            End::Misbehaved(why) => (close_code::POLICY, why),
            End::Revoked => (close_code::POLICY, "this device is not let in any more"),
        };
        let _ =
            timeout(SILENCE, self.socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() })))).await;
        let _ = timeout(SILENCE, self.socket.close()).await;
    }
}

/// Waits until something is sent. A slow line may take long for it; whoever takes nothing at all is silent.
async fn patiently<E>(sending: impl Future<Output = Result<(), E>>, written: &Written) -> Result<(), End> {
    let mut sending = pin!(sending);
    loop {
        let before = written.bytes();
        match timeout(SILENCE, &mut sending).await {
            Ok(sent) => return sent.map_err(|_| End::Left),
            Err(_) if written.bytes() == before => return Err(End::Silent),
            Err(_) => {}
        }
    }
}
