//! One session in this process: its records go through the pipeline into its feed, and lines for its agent go to the keeper.
//!
//! It holds nothing that is not in the log. Whether an agent runs is whether a keeper is attached; when that goes, what is
//! left is read from the log itself.

mod orders;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use claude_protocol::control::Response;
use claude_protocol::{FromCli, RequestId, decode};
use insights::state::{Phase, State};
use insights::{HostFact, Record, Source, UnixMillis};
use journal::{Batch, Folder, Lock, Reader, SessionRow, Writer};
use keeper::{Client, Records, Stop, Written};
use tokio::sync::{Mutex as AsyncMutex, oneshot, watch};
use tokio::time::{sleep, timeout};

use crate::error::{Error, Result};
use crate::feed::{Answer, Epoch};
use crate::held::Held;
use crate::pipeline::{Due, Moment, Pipeline};

pub use orders::COMMAND;

/// How long somebody may have the log whom nobody can speak to …
const PATIENCE: Duration = Duration::from_secs(5);

/// … and how often it is looked whether that is so.
const LOOK: Duration = Duration::from_millis(10);

/// A session; cheap to clone.
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    folder: Folder,
    id: String,
    pipeline: Mutex<Pipeline>,
    /// The last record that is in the feed.
    seq: watch::Sender<u64>,
    /// The way to the agent, while it runs.
    agent: watch::Sender<Option<Client>>,
    /// How many agents went while we were attached to them. Changes with `agent`, under its lock.
    ends: AtomicU64,
    /// Which agent was last asked to stop, counted from 1. Greater than `ends` while that agent is still exiting.
    stopping: AtomicU64,
    /// Who waits for the agent's answer to a command.
    waiting: Mutex<HashMap<RequestId, oneshot::Sender<Response>>>,
    /// Makes the names of our commands differ from those of every other process that was attached.
    nonce: String,
    commands: AtomicU64,
    /// The prompts that wait in the host, as they were last read from the desk.
    pub(crate) held: watch::Sender<Held>,
    /// Up to this record the user wants them to be delivered, whatever went wrong.
    pub(crate) go_on_seq: AtomicU64,
    /// Held by whoever delivers or changes them.
    pub(crate) delivering: AsyncMutex<()>,
    clock: fn() -> UnixMillis,
    /// Held by whoever starts an agent: there is one at a time.
    pub(crate) starting: AsyncMutex<()>,
    is_removed: AtomicBool,
}

/// A keeper that was attached to.
struct Reached {
    client: Client,
    /// The last record that it had written by then.
    last_seq: u64,
    records: Records,
}

/// What became of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The record that holds it.
    pub seq: u64,
    /// Had it been sent before? Then it was not sent a second time.
    pub again: bool,
}

impl Session {
    /// Reads the session in `folder` and attaches to its keeper, if there is one.
    pub async fn open(folder: Folder, clock: fn() -> UnixMillis) -> Result<Session> {
        let session = Session::new(folder, clock);
        let reading = session.clone();
        let read = tokio::task::spawn_blocking(move || reading.shared.open_log());
        read.await.map_err(|_| Error::NotRunning)??;
        session.attach().await?;
        Ok(session)
    }

    /// A session of which nothing is read yet.
    pub(crate) fn new(folder: Folder, clock: fn() -> UnixMillis) -> Session {
        let id = folder.id();
        let shared = Shared {
            pipeline: Mutex::new(Pipeline::new(&id)),
            folder,
            id,
            seq: watch::Sender::new(0),
            agent: watch::Sender::new(None),
            ends: AtomicU64::default(),
            stopping: AtomicU64::default(),
            waiting: Mutex::default(),
            nonce: uuid::Uuid::new_v4().simple().to_string()[..8].to_owned(),
            commands: AtomicU64::new(1),
            held: watch::Sender::default(),
            go_on_seq: AtomicU64::default(),
            delivering: AsyncMutex::default(),
            clock,
            starting: AsyncMutex::default(),
            is_removed: AtomicBool::new(false),
        };
        Session { shared: Arc::new(shared) }
    }

    /// The name of the session: that of its folder.
    pub fn id(&self) -> &str {
        &self.shared.id
    }

    /// Its folder.
    pub fn folder(&self) -> &Folder {
        &self.shared.folder
    }

    /// Looks at the state as it is.
    pub fn with_state<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(self.shared.pipeline().feed().state())
    }

    /// What a screen lacks that has the state up to `seq` of that epoch.
    pub fn since(&self, epoch: &Epoch, seq: u64) -> Answer {
        self.shared.pipeline().feed().since(epoch, seq)
    }

    /// How far the feed is; changes with each record.
    pub fn progress(&self) -> watch::Receiver<u64> {
        self.shared.seq.subscribe()
    }

    /// What the index lacks of this session, if that is worth writing: at a pause, or when much has come together.
    pub(crate) fn batch(&self) -> Option<Batch> {
        const MUCH: usize = 256 * 1024;
        let mut pipeline = self.shared.pipeline();
        let busy = matches!(pipeline.feed().state().status.phase, Phase::Running | Phase::Compacting | Phase::Retrying);
        if busy && pipeline.waiting_for_index() < MUCH {
            return None;
        }
        pipeline.batch()
    }

    /// This session as the index will have it.
    pub(crate) fn row(&self) -> SessionRow {
        self.shared.pipeline().row()
    }

    /// A checkpoint of this session, if it is time for one.
    pub(crate) fn checkpoint(&self, moment: Moment) -> Option<Due> {
        self.shared.pipeline().checkpoint(moment)
    }

    /// Does an agent run?
    pub fn is_running(&self) -> bool {
        self.shared.agent.borrow().is_some()
    }

    /// Does an agent run, and how many went before? One may come and go before anybody looks.
    pub fn agents(&self) -> (bool, u64) {
        (self.is_running(), self.shared.ends.load(Ordering::Relaxed))
    }

    /// Was it removed for good?
    pub fn is_removed(&self) -> bool {
        self.shared.is_removed.load(Ordering::Relaxed)
    }

    /// Waits until no agent runs.
    pub async fn ended(&self) {
        // The sender is in `self`, so this can end only one way.
        let _ = self.shared.agent.subscribe().wait_for(Option::is_none).await;
    }

    /// Waits until the state is as wished; false if the agent ended before.
    pub async fn until(&self, wished: impl Fn(&State) -> bool) -> bool {
        let mut progress = self.progress();
        let mut agent = self.shared.agent.subscribe();
        loop {
            progress.borrow_and_update();
            let running = agent.borrow_and_update().is_some();
            if self.with_state(&wished) {
                return true;
            }
            if !running {
                return false;
            }
            tokio::select! {
                _ = progress.changed() => {}
                _ = agent.changed() => {}
            }
        }
    }

    /// Waits until the state has a record, or no agent runs: then it has all.
    pub(crate) async fn reached(&self, seq: u64) {
        let mut progress = self.progress();
        let mut agent = self.shared.agent.subscribe();
        loop {
            let running = agent.borrow_and_update().is_some();
            if *progress.borrow_and_update() >= seq || !running {
                return;
            }
            tokio::select! {
                _ = progress.changed() => {}
                _ = agent.changed() => {}
            }
        }
    }

    /// Ends the agent.
    pub async fn stop(&self, how: Stop) -> Result<()> {
        let agent = self.agent()?;
        self.shared.stopping.store(self.shared.ends.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        Ok(agent.stop(how).await?)
    }

    /// Waits for an agent that was asked to stop, at most [`PATIENCE`]: it may still finish its turn. A caller that needs an agent
    /// must not mistake it for one that keeps running.
    pub(crate) async fn wait_while_stopping(&self) {
        let is_stopping = self.shared.stopping.load(Ordering::Relaxed) > self.shared.ends.load(Ordering::Relaxed);
        if is_stopping {
            let _ = timeout(PATIENCE, self.ended()).await;
        }
    }

    /// Keeps a fact: through the keeper if there is one, else as the one writer.
    pub async fn note(&self, fact: &HostFact) -> Result<()> {
        let agent = self.shared.agent.borrow().clone();
        match agent {
            Some(agent) => Ok(agent.note(fact).await?),
            None => {
                let mut writer = writer(&self.shared.folder, self.shared.clock).await?;
                writer.append_fact((self.shared.clock)(), fact)?;
                writer.sync()?;
                drop(writer);
                self.shared.read_log()
            }
        }
    }

    /// Takes what the log has and the feed lacks, beside everything else: it may be long.
    pub(crate) async fn catch_up(&self) -> Result<()> {
        let shared = self.shared.clone();
        tokio::task::spawn_blocking(move || shared.read_log()).await.map_err(|_| Error::NotRunning)?
    }

    /// A record of the log.
    pub fn record(&self, seq: u64) -> Result<Record> {
        let mut reader = Reader::after(self.shared.folder.clone(), seq.saturating_sub(1))?;
        reader.next_record()?.filter(|record| record.seq == seq).ok_or_else(|| Error::NoQuestion(seq.to_string()))
    }

    pub(crate) fn now(&self) -> UnixMillis {
        (self.shared.clock)()
    }

    pub(crate) async fn write(&self, id: Option<&str>, by: Option<&str>, line: &str) -> Result<Sent> {
        match self.agent()?.write(id, by, line).await? {
            Written::Now { seq } => Ok(Sent { seq, again: false }),
            Written::Before { seq } => Ok(Sent { seq, again: true }),
            Written::Refused { why, text } => Err(Error::Refused { why, text }),
        }
    }

    fn agent(&self) -> Result<Client> {
        self.shared.agent.borrow().clone().ok_or(Error::NotRunning)
    }

    /// Attaches to the keeper of this session. False if there is none; a log that was left open is closed then.
    pub(crate) async fn attach(&self) -> Result<bool> {
        let Some(Reached { client, last_seq, records }) = self.reach().await? else { return Ok(false) };
        self.shared.agent.send_replace(Some(client.clone()));
        tokio::spawn(follow(self.clone(), client, records));
        // Whoever has started it looks at once when that was, and where.
        self.reached(last_seq).await;
        Ok(true)
    }

    /// The keeper of this session. If there is none, the log is read to its end, and closed if it was left open.
    async fn reach(&self) -> Result<Option<Reached>> {
        for _ in 0..PATIENCE.as_millis() / LOOK.as_millis() {
            let after = *self.shared.seq.borrow();
            if let Some(socket) = keeper::find(&self.shared.folder)
                && Lock::is_held(&self.shared.folder)
                && let Ok((client, greeting, records)) = Client::attach(&socket, after).await
            {
                return Ok(Some(Reached { client, last_seq: greeting.last_seq, records }));
            }
            if self.shared.close_log() {
                break;
            }
            sleep(LOOK).await;
        }
        self.catch_up().await?;
        Ok(None)
    }
}

/// The one writer of a log, as soon as another one has let go of it: whoever looks at a lock holds it for a moment.
pub(crate) async fn writer(folder: &Folder, clock: fn() -> UnixMillis) -> Result<Writer> {
    for _ in 0..PATIENCE.as_millis() / LOOK.as_millis() {
        match Writer::open(folder.clone(), clock()) {
            Err(journal::Error::InUse { .. }) => sleep(LOOK).await,
            opened => return Ok(opened?),
        }
    }
    Err(Error::Running)
}

/// Takes records until the keeper has gone and nobody has come in its place, then what it left in the log.
async fn follow(session: Session, mut client: Client, mut records: Records) {
    let shared = &session.shared;
    loop {
        // What was open when the one before us died is ours to refuse, too.
        let refusals = shared.pipeline().refusals();
        for refusal in refusals {
            let client = client.clone();
            // Not waited for here: the answer stands behind the records that are read here.
            tokio::spawn(async move { _ = client.write(None, None, &refusal).await });
        }
        match records.next().await {
            Some(record) => shared.take(record),
            None => {
                shared.waiting().clear();
                let Ok(Some(next)) = session.reach().await else { break };
                (client, records) = (next.client, next.records);
                shared.agent.send_replace(Some(client.clone()));
            }
        }
    }
    shared.waiting().clear();
    shared.agent.send_modify(|agent| {
        shared.ends.fetch_add(1, Ordering::Relaxed);
        *agent = None;
    });
}

impl Shared {
    /// The process of the agent that was started last. It may live on for a moment after its keeper was killed.
    pub(crate) fn last_agent(&self) -> u32 {
        self.pipeline().last_agent()
    }

    pub(crate) fn agent_changes(&self) -> watch::Receiver<Option<Client>> {
        self.agent.subscribe()
    }

    /// Does an agent run, and how many went before? One may come and go before anybody looks.
    pub(crate) fn agents(&self, changes: &mut watch::Receiver<Option<Client>>) -> (bool, u64) {
        let agent = changes.borrow_and_update();
        (agent.is_some(), self.ends.load(Ordering::Relaxed))
    }

    /// The session is gone. Whoever follows it looks once more, and sees it.
    pub(crate) fn remove(&self) {
        self.is_removed.store(true, Ordering::Relaxed);
        self.seq.send_modify(|_| {});
    }

    fn pipeline(&self) -> MutexGuard<'_, Pipeline> {
        self.pipeline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<RequestId, oneshot::Sender<Response>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next record; one that is known is passed over. Several may read the log at a time, so it is looked and done under
    /// one lock.
    fn take(&self, record: Record) {
        let mut pipeline = self.pipeline();
        let seq = record.seq;
        if seq <= pipeline.feed().seq() {
            return;
        }
        self.settle(&record);
        pipeline.take(record);
        self.seq.send_replace(seq);
    }

    /// Hands an answer of the agent to whoever waits for it.
    fn settle(&self, record: &Record) {
        let may_answer = record.source == Source::Stdout && !self.waiting().is_empty();
        if !may_answer || memchr::memmem::find(record.line.bytes(), b"control_response").is_none() {
            return;
        }
        if let FromCli::ControlResponse(response) = decode(record.line.clone()).body
            && let Some(id) = &response.response.request_id
            && let Some(waiting) = self.waiting().remove(id)
        {
            let _ = waiting.send(*response);
        }
    }

    /// Takes all records that are in the log, those of a checkpoint at once.
    fn open_log(&self) -> Result<()> {
        let (pipeline, reader) = match Pipeline::open(&self.folder) {
            Ok(opened) => opened,
            Err(journal::Error::NoLog { .. }) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let seq = pipeline.feed().seq();
        *self.pipeline() = pipeline;
        self.seq.send_replace(seq);
        self.read(reader)
    }

    /// Takes all records that are in the log and not in the feed.
    pub(crate) fn read_log(&self) -> Result<()> {
        // Not borrowed any longer: each record changes it.
        let after = *self.seq.borrow();
        match Reader::after(self.folder.clone(), after) {
            Ok(reader) => self.read(reader),
            Err(journal::Error::NoLog { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn read(&self, mut reader: Reader) -> Result<()> {
        while let Some(record) = reader.next_record()? {
            self.take(record);
        }
        Ok(())
    }

    /// Nobody keeps the session: if the one who did died, that is written down. False if somebody has the log still: the lock
    /// of a program that was killed can outlive its socket for a moment, and who looks at a lock holds it as long.
    fn close_log(&self) -> bool {
        if !self.folder.log().exists() {
            return true;
        }
        // If nothing can be written at all, the session can still be looked at.
        !matches!(Writer::open(self.folder.clone(), (self.clock)()), Err(journal::Error::InUse { .. }))
    }
}

#[cfg(test)]
mod tests;
