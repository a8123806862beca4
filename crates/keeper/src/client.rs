//! A client of a keeper: a socket in; records out as they are made, and lines in with a word on what became of them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use insights::Record;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot};

use crate::error::Error;
use crate::frame::{FromKeeper, PROTOCOL, Refusal, Stop, ToKeeper};

/// How many records may wait for whoever reads them. More stay with the keeper.
const AHEAD: usize = 256;

/// A handle on a keeper; cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    to: AsyncMutex<OwnedWriteHalf>,
    tickets: AtomicU64,
    /// Who waits for an answer; none is taken any more when the keeper has gone.
    waiting: Mutex<Option<HashMap<u64, oneshot::Sender<FromKeeper>>>>,
}

/// The records of a session, as they are made. They end when the keeper has gone.
#[derive(Debug)]
pub struct Records {
    inbox: mpsc::Receiver<Record>,
}

/// What the keeper said first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The keeper's process.
    pub pid: u32,
    /// The agent's process.
    pub agent_pid: Option<u32>,
    /// The last record there was.
    pub last_seq: u64,
    /// The keeper's build.
    pub build: String,
}

/// What became of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// It went to the agent, as this record.
    Now {
        /// The record.
        seq: u64,
    },
    /// It had gone to the agent before, as this record.
    Before {
        /// The record.
        seq: u64,
    },
    /// It did not go to the agent.
    Refused {
        /// Why.
        why: Refusal,
        /// The same in words.
        text: String,
    },
}

impl Client {
    /// Attaches to the keeper at `socket`: the records after `after` follow, and new ones as they are made.
    pub async fn attach(socket: &Path, after: u64) -> Result<(Client, Greeting, Records), Error> {
        let failed = |doing| move |source| Error::Socket { doing, path: socket.to_owned(), source };
        let stream = UnixStream::connect(socket).await.map_err(failed("reach"))?;
        let (from, to) = stream.into_split();
        let shared =
            Shared { to: AsyncMutex::new(to), tickets: AtomicU64::new(1), waiting: Mutex::new(Some(HashMap::new())) };
        let client = Client { shared: Arc::new(shared) };
        let build = env!("CARGO_PKG_VERSION").to_owned();
        client.send(&ToKeeper::Attach { protocol: PROTOCOL, after, build }).await?;
        let mut from = BufReader::new(from);
        let greeting = match next_frame(&mut from).await.map_err(failed("read"))? {
            Some(Received::Frame(FromKeeper::Hello { protocol, build, pid, agent_pid, last_seq })) => {
                if protocol > PROTOCOL {
                    return Err(Error::Protocol { theirs: protocol, ours: PROTOCOL });
                }
                Greeting { pid, agent_pid, last_seq, build }
            }
            _ => return Err(Error::Gone),
        };
        let (outbox, inbox) = mpsc::channel(AHEAD);
        tokio::spawn(receive(from, outbox, Arc::downgrade(&client.shared)));
        Ok((client, greeting, Records { inbox }))
    }

    /// Writes a line to the agent. One with an `id` that was written before is not written again.
    pub async fn write(&self, id: Option<&str>, by: Option<&str>, line: &str) -> Result<Written, Error> {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let (id, by, line) = (owned(id), owned(by), line.to_owned());
        match self.ask(|ticket| ToKeeper::Write { ticket, id, by, line }).await? {
            FromKeeper::Wrote { seq, again: false, .. } => Ok(Written::Now { seq }),
            FromKeeper::Wrote { seq, again: true, .. } => Ok(Written::Before { seq }),
            FromKeeper::Refused { why, text, .. } => Ok(Written::Refused { why, text }),
            _ => Err(Error::Gone),
        }
    }

    /// Keeps a fact, as JSON of a host record.
    pub async fn note(&self, fact: &insights::HostFact) -> Result<(), Error> {
        let fact = fact.to_json();
        self.ask(|ticket| ToKeeper::Note { ticket, fact }).await.map(|_| ())
    }

    /// How does it go?
    pub async fn status(&self) -> Result<FromKeeper, Error> {
        self.ask(|ticket| ToKeeper::Status { ticket }).await
    }

    /// Ends the agent. Returns at once; the records tell its end.
    pub async fn stop(&self, how: Stop) -> Result<(), Error> {
        self.send(&ToKeeper::Stop { how }).await
    }

    async fn ask(&self, frame: impl FnOnce(u64) -> ToKeeper) -> Result<FromKeeper, Error> {
        let ticket = self.shared.tickets.fetch_add(1, Ordering::Relaxed);
        let (reply, answer) = oneshot::channel();
        self.shared.with_waiting(|waiting| _ = waiting.insert(ticket, reply)).ok_or(Error::Gone)?;
        self.send(&frame(ticket)).await?;
        answer.await.map_err(|_| Error::Gone)
    }

    /// Sends a frame: whole, even if nobody waits for it any more. Half of one would spoil all that come after it.
    async fn send(&self, frame: &ToKeeper) -> Result<(), Error> {
        let mut text = frame.to_json().map_err(Error::NotJson)?;
        text.push('\n');
        let shared = self.shared.clone();
        let sent = tokio::spawn(async move { shared.to.lock().await.write_all(text.as_bytes()).await });
        sent.await.map_err(|_| Error::Gone)?.map_err(|_| Error::Gone)
    }
}

impl Shared {
    fn with_waiting<T>(&self, work: impl FnOnce(&mut HashMap<u64, oneshot::Sender<FromKeeper>>) -> T) -> Option<T> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(work)
    }
}

impl Records {
    /// The next record; `None` when the keeper has gone.
    pub async fn next(&mut self) -> Option<Record> {
        self.inbox.recv().await
    }
}

enum Received {
    Record(Record),
    Frame(FromKeeper),
}

/// Hands out what the keeper says until it has gone, or nobody listens any more.
async fn receive(mut from: BufReader<OwnedReadHalf>, outbox: mpsc::Sender<Record>, client: std::sync::Weak<Shared>) {
    while let Ok(Some(received)) = next_frame(&mut from).await {
        match received {
            Received::Record(record) => {
                // Without a reader answers are still wanted, so records are passed over.
                let _ = outbox.send(record).await;
            }
            Received::Frame(FromKeeper::Unknown) => {}
            Received::Frame(frame) => {
                let Some(client) = client.upgrade() else { return };
                let ticket = match &frame {
                    FromKeeper::Wrote { ticket, .. }
                    | FromKeeper::Refused { ticket, .. }
                    | FromKeeper::Status { ticket, .. } => *ticket,
                    FromKeeper::Hello { .. } | FromKeeper::Unknown => continue,
                };
                if let Some(Some(waiting)) = client.with_waiting(|waiting| waiting.remove(&ticket)) {
                    let _ = waiting.send(frame);
                }
            }
        }
    }
    if let Some(client) = client.upgrade() {
        *client.waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

async fn next_frame(from: &mut BufReader<OwnedReadHalf>) -> std::io::Result<Option<Received>> {
    let mut line = String::new();
    if from.read_line(&mut line).await? == 0 || !line.ends_with('\n') {
        return Ok(None);
    }
    if let Some(record) = Record::from_json(&line) {
        return Ok(Some(Received::Record(record)));
    }
    serde_json::from_str(&line).map(|frame| Some(Received::Frame(frame))).map_err(std::io::Error::other)
}
