//! Prompts that wait in the host until the agent's turn has ended: submitted, changed, moved, taken away, and delivered one
//! by one, each with a turn of its own.
//!
//! They are the user's own and in no log yet, so the desk keeps them, and a server that comes later goes on. A prompt goes out
//! under its sender's id, which the keeper takes once: if the server dies after it was delivered and before it was taken from
//! the desk, the next one delivers it again, and nothing is said twice.
//!
//! After an interrupt, a turn that failed or the death of the agent they stay: what was to come next may make no sense any
//! more. They go on when the user says so, or after a later turn that ends well. A prompt that is submitted after the interrupt
//! does not wait for the user's word: it is the user's word.

use std::sync::{Arc, Mutex, PoisonError};

use claude_protocol::content::Block;
use claude_protocol::{Prompt, ToCli, Uuid, decode_as, encode};
use insights::UnixMillis;
use insights::state::header::QueuedState;
use insights::state::item::{ItemBody, TurnOutcome};
use insights::state::{Phase, State};
use journal::{Data, Desk, HeldRow};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::watch;

use crate::error::{Error, Result};
use crate::session::{Sent, Session};
use crate::sessions::{Sessions, TakeOver};

/// When a prompt goes to the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// At once. In a turn that runs the agent takes it in as soon as it can.
    #[default]
    Steer,
    /// When the turn that runs has ended, and those before it have had theirs.
    AfterTurn,
}

/// What became of a prompt that was submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// It went to the agent.
    Sent(Sent),
    /// It waits.
    Held,
}

/// The prompts of a session that wait in the host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HeldMessages")]
pub struct Held {
    /// In the order in which they will be delivered.
    pub prompts: Vec<HeldPrompt>,
    /// Why they are not delivered until the user says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<Pause>,
}

/// A prompt that waits in the host.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldPrompt {
    /// The sender's own id of it.
    pub id: String,
    /// The name that it will have in the conversation.
    pub uuid: String,
    /// The words.
    pub text: String,
    /// How many pictures and documents go with them.
    pub attachments: usize,
    /// Which person or device sent it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When.
    pub at: UnixMillis,
}

/// Why prompts wait for the user's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Pause {
    /// The user cut the last turn off.
    Interrupted,
    /// The last turn failed.
    Failed,
    /// The agent died.
    Died,
}

/// The desk of all sessions, opened when it is needed.
#[derive(Clone, Debug)]
pub(crate) struct SharedDesk {
    data: Data,
    desk: Arc<Mutex<Option<Desk>>>,
}

impl SharedDesk {
    pub(crate) fn new(data: Data) -> Self {
        SharedDesk { data, desk: Arc::default() }
    }

    /// Does work with the desk, beside everything else.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Desk) -> journal::Result<T> + Send + 'static,
    ) -> Result<T> {
        let shared = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let mut desk = shared.desk.lock().unwrap_or_else(PoisonError::into_inner);
            let desk = match &mut *desk {
                Some(desk) => desk,
                None => desk.insert(Desk::open(&shared.data)?),
            };
            work(desk)
        });
        Ok(done.await.map_err(|_| Error::NotRunning)??)
    }
}

impl Sessions {
    /// Submits a prompt. `message` is the sender's own id: a second prompt with it is not taken. The agent is started first
    /// if it does not run, unless prompts from before already wait for the user's word.
    pub async fn submit(
        &self,
        id: &str,
        mut prompt: Prompt,
        message: &str,
        by: Option<&str>,
        delivery: Delivery,
    ) -> Result<Submitted> {
        if delivery == Delivery::Steer {
            return self.send(id, prompt, message, by).await.map(Submitted::Sent);
        }
        let session = self.get(id).await?;
        let uuid = uuid::Uuid::try_parse(message).unwrap_or_else(|_| uuid::Uuid::new_v4());
        prompt.uuid = Some(Uuid::from(uuid.to_string()));
        let line = encode(&ToCli::from(prompt));
        let row = HeldRow { id: message.to_owned(), line, by: by.map(str::to_owned), at: session.now() };
        let knows_of_stop = session.is_stopped_or_stopping();
        let seq = *session.progress().borrow();
        let hold = move |desk: &mut Desk, session: &str| {
            if knows_of_stop && desk.held(session)?.is_empty() {
                desk.set_go_on_seq(session, seq)?;
            }
            desk.hold(session, &row)
        };
        self.at_desk(&session, hold).await?;
        self.start_for_held(&session).await?;
        let delivered = self.tend(&session).await?;
        let sent = delivered.into_iter().find(|(known, _)| known == message);
        Ok(sent.map_or(Submitted::Held, |(_, sent)| Submitted::Sent(sent)))
    }

    /// The prompts that wait in a session, and how that changes.
    pub async fn held(&self, id: &str) -> Result<watch::Receiver<Held>> {
        let session = self.get(id).await?;
        self.load_held(&session).await?;
        Ok(session.shared.held.subscribe())
    }

    /// Puts another prompt in the place of one that waits.
    pub async fn change_held(&self, id: &str, message: &str, mut prompt: Prompt) -> Result<()> {
        let session = self.get(id).await?;
        let work = move |desk: &mut Desk, session: &str, message: &str| {
            let Some(row) = desk.held(session)?.into_iter().find(|row| row.id == message) else { return Ok(false) };
            // It keeps its name.
            prompt.uuid = Some(Uuid::from(HeldPrompt::from(row).uuid));
            desk.change_held(session, message, &encode(&ToCli::from(prompt)))
        };
        self.at_held(&session, message, work).await
    }

    /// Takes a prompt away that waits.
    pub async fn remove_held(&self, id: &str, message: &str) -> Result<()> {
        let session = self.get(id).await?;
        self.at_held(&session, message, |desk, session, message| desk.let_go(session, message)).await
    }

    /// Moves a prompt that waits before another one, or behind all.
    pub async fn move_held(&self, id: &str, message: &str, before: Option<&str>) -> Result<()> {
        let session = self.get(id).await?;
        let before = before.map(str::to_owned);
        let work =
            move |desk: &mut Desk, session: &str, message: &str| desk.move_held(session, message, before.as_deref());
        self.at_held(&session, message, work).await
    }

    /// The user's word: what waits is delivered, whatever went wrong so far. The agent is started if it does not run.
    pub async fn go_on(&self, id: &str) -> Result<()> {
        let session = self.get(id).await?;
        let seq = *session.progress().borrow();
        self.at_desk(&session, move |desk, session| desk.set_go_on_seq(session, seq).map(|()| true)).await?;
        self.start_for_held(&session).await?;
        self.tend(&session).await.map(drop)
    }

    /// Looks which prompts of a session wait. Where there is no desk none does, and none is made.
    pub(crate) async fn load_held(&self, session: &Session) -> Result<()> {
        match self.data().desk().exists() {
            true => self.at_desk(session, |_, _| Ok(true)).await.map(drop),
            false => Ok(()),
        }
    }

    /// Delivers what waits, as far as it is time, and gives what was delivered. Called whenever the session has changed.
    pub(crate) async fn tend(&self, session: &Session) -> Result<Vec<(String, Sent)>> {
        let mut delivered = Vec::new();
        loop {
            if session.shared.held.borrow().prompts.is_empty() {
                return Ok(delivered);
            }
            // Whoever changes what waits comes before or after, never amid.
            let _delivering = session.shared.delivering.lock().await;
            self.drop_known(session).await?;
            let Some(next) = next(session) else { return Ok(delivered) };
            let id = next.id.clone();
            // What the desk has counts: another process may have changed it.
            let row = move |desk: &mut Desk, session: &str| desk.held(session);
            let rows = self.run_desk(session, row).await?;
            let Some(row) = rows.into_iter().find(|row| row.id == id) else {
                self.refresh(session).await?;
                continue;
            };
            let sent = session.write(Some(&row.id), row.by.as_deref(), &row.line).await?;
            // Until the state has it, it would look as if the agent had nothing to do.
            session.reached(sent.seq).await;
            let id = row.id.clone();
            self.run_desk(session, move |desk, session| desk.let_go(session, &id)).await?;
            self.refresh(session).await?;
            delivered.push((row.id, sent));
        }
    }

    /// Forgets prompts that are in the conversation: who delivered them could not say so any more.
    async fn drop_known(&self, session: &Session) -> Result<()> {
        let held = session.shared.held.borrow().clone();
        let known = |state: &State| {
            let known = held.prompts.iter().filter(|prompt| is_known(state, &prompt.uuid));
            known.map(|prompt| prompt.id.clone()).collect::<Vec<String>>()
        };
        let known = session.with_state(known);
        if known.is_empty() {
            return Ok(());
        }
        let drop_all =
            move |desk: &mut Desk, session: &str| known.iter().try_for_each(|id| desk.let_go(session, id).map(drop));
        self.run_desk(session, drop_all).await?;
        self.refresh(session).await
    }

    /// Starts the agent if there is something to deliver and none runs.
    async fn start_for_held(&self, session: &Session) -> Result<()> {
        let held = session.shared.held.borrow().clone();
        if session.is_running() || held.prompts.is_empty() || held.paused.is_some() {
            return Ok(());
        }
        match self.resume(session.id(), TakeOver::Never).await {
            Ok(_) | Err(Error::Running) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Changes one prompt that waits; an error if it does not.
    async fn at_held(
        &self,
        session: &Session,
        message: &str,
        work: impl FnOnce(&mut Desk, &str, &str) -> journal::Result<bool> + Send + 'static,
    ) -> Result<()> {
        let id = message.to_owned();
        match self.at_desk(session, move |desk, session| work(desk, session, &id)).await? {
            true => Ok(()),
            false => Err(Error::NotHeld(message.to_owned())),
        }
    }

    /// Does something about the prompts that wait, while none is being delivered, and shows what is so then.
    async fn at_desk(
        &self,
        session: &Session,
        work: impl FnOnce(&mut Desk, &str) -> journal::Result<bool> + Send + 'static,
    ) -> Result<bool> {
        let _delivering = session.shared.delivering.lock().await;
        let done = self.run_desk(session, work).await?;
        self.refresh(session).await?;
        Ok(done)
    }

    async fn run_desk<T: Send + 'static>(
        &self,
        session: &Session,
        work: impl FnOnce(&mut Desk, &str) -> journal::Result<T> + Send + 'static,
    ) -> Result<T> {
        let id = session.id().to_owned();
        self.desk().run(move |desk| work(desk, &id)).await
    }

    /// Shows what waits as it is on the desk.
    async fn refresh(&self, session: &Session) -> Result<()> {
        let read = |desk: &mut Desk, session: &str| Ok((desk.held(session)?, desk.go_on_seq(session)?));
        let (rows, go_on_seq) = self.run_desk(session, read).await?;
        let prompts: Vec<HeldPrompt> = rows.into_iter().map(HeldPrompt::from).collect();
        session.shared.go_on_seq.store(go_on_seq, std::sync::atomic::Ordering::Relaxed);
        let paused = session.pause();
        session.shared.held.send_if_modified(|held| {
            let now = Held { paused: paused.filter(|_| !prompts.is_empty()), prompts };
            std::mem::replace(held, now) != *held
        });
        Ok(())
    }
}

impl Session {
    /// Why prompts of this session wait for the user's word, if they do.
    fn pause(&self) -> Option<Pause> {
        let go_on_seq = self.shared.go_on_seq.load(std::sync::atomic::Ordering::Relaxed);
        self.with_state(|state| pause(state, go_on_seq))
    }

    /// Has the last turn gone wrong, or is the current one being interrupted? A prompt submitted now is sent knowing that.
    fn is_stopped_or_stopping(&self) -> bool {
        let is_stopping = |state: &State| state.status.turn.as_ref().is_some_and(|turn| turn.interrupting);
        self.pause().is_some() || self.with_state(is_stopping)
    }

    /// Shows whether what waits is paused, which changes with the state.
    fn show_pause(&self) -> Option<Pause> {
        let paused = self.pause();
        self.shared.held.send_if_modified(|held| {
            let shown = paused.filter(|_| !held.prompts.is_empty());
            std::mem::replace(&mut held.paused, shown) != shown
        });
        paused
    }
}

/// The prompt that is to be delivered now.
fn next(session: &Session) -> Option<HeldPrompt> {
    let paused = session.show_pause().is_some();
    let may = !paused && session.is_running() && session.with_state(waits_for_a_prompt);
    session.shared.held.borrow().prompts.first().filter(|_| may).cloned()
}

/// Has the agent nothing to do, and asks nothing, and is nothing on its way to it?
fn waits_for_a_prompt(state: &State) -> bool {
    let on_its_way = |state: &State| state.queue.iter().any(|queued| queued.state != QueuedState::Unconfirmed);
    state.status.phase == Phase::Idle && state.asks.is_empty() && !on_its_way(state)
}

/// What went wrong last, if nothing has gone well since. The user's word was given at the record `after`: it covers what had
/// ended by then and the turn that was running.
fn pause(state: &State, after: u64) -> Option<Pause> {
    let last = state.items.iter().rev().find_map(|item| match &item.body {
        ItemBody::Turn(turn) => Some((
            turn.prompts.first().and_then(|id| state.items.get(id)).unwrap_or(item).order.0,
            match turn.outcome {
                TurnOutcome::Completed | TurnOutcome::Command => None,
                TurnOutcome::Interrupted => Some(Pause::Interrupted),
                TurnOutcome::Failed | TurnOutcome::MaxTurns | TurnOutcome::MaxBudget => Some(Pause::Failed),
            },
        )),
        ItemBody::Error(error) if error.category.as_deref() == Some("exit") => Some((item.order.0, Some(Pause::Died))),
        _ => None,
    });
    last.filter(|(seq, _)| *seq > after).and_then(|(_, pause)| pause)
}

/// Is the prompt in the conversation, or on its way into it?
fn is_known(state: &State, uuid: &str) -> bool {
    state.items.get(uuid).is_some() || state.queue.iter().any(|queued| &*queued.id == uuid)
}

impl From<HeldRow> for HeldPrompt {
    fn from(row: HeldRow) -> Self {
        let prompt = match decode_as::<ToCli>(row.line.as_str()).body {
            ToCli::Prompt(prompt) => *prompt,
            // Only prompts are held.
            _ => Prompt::default(),
        };
        let content = &prompt.message.content;
        let is_text = |block: &&Block| matches!(block, Block::Text(_));
        HeldPrompt {
            uuid: prompt.uuid.as_ref().map(ToString::to_string).unwrap_or_default(),
            text: content.text().into_owned(),
            attachments: content.blocks().iter().filter(|block| !is_text(block)).count(),
            id: row.id,
            by: row.by,
            at: row.at,
        }
    }
}
