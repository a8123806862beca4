//! The loop of a keeper: lines of the agent and frames of clients in; records, lines to the agent and answers out.
//!
//! A line is in the log before anyone acts on it: before a client sees it, and before the agent gets it. Clients read the
//! log themselves and are only told how far it goes, so a slow one costs nobody anything.

use std::process::ExitStatus;
use std::time::Duration;

use claude_driver::{Parts, Process};
use claude_protocol::Line;
use insights::event::text::NoticeLevel;
use insights::{HostFact, Record, Source, UnixMillis};
use journal::{Error, Reader, Writer};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::frame::{FromKeeper, Refusal, Stop};
use crate::gate::{Gate, Verdict};
use crate::tail::Tail;

/// How long after a line it is made safe from a power cut, at the latest.
const SYNC: Duration = Duration::from_secs(1);

/// How often a full disk is tried again.
const FULL: Duration = Duration::from_millis(500);

/// How long the agent may take to leave after the end of its input, and again after SIGTERM.
const GRACE: Duration = Duration::from_secs(5);

/// What clients ask of the loop.
#[derive(Debug)]
pub(crate) enum Order {
    /// Write a line to the agent.
    Write { ticket: u64, source: Source, line: Line, reply: oneshot::Sender<FromKeeper> },
    /// Keep a fact.
    Note { ticket: u64, fact: Line, reply: oneshot::Sender<FromKeeper> },
    /// End the agent.
    Stop(Stop),
}

/// What everyone may look at.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Progress {
    pub(crate) last_seq: u64,
    pub(crate) agent_pid: Option<u32>,
    pub(crate) disk_full: bool,
    /// Nothing will be appended any more.
    pub(crate) over: bool,
}

/// What the loop waits for.
enum Event {
    Stdout(std::io::Result<Option<Line>>),
    Stderr(std::io::Result<Option<Line>>),
    Order(Option<Order>),
    Exited(std::io::Result<ExitStatus>),
    Sync,
    Room,
    Patience,
}

/// The loop.
pub(crate) struct Keep {
    writer: Writer,
    gate: Gate,
    clock: fn() -> UnixMillis,
    progress: watch::Sender<Progress>,
    orders: mpsc::Receiver<Order>,
    /// None once it is closed.
    stdin: Option<mpsc::UnboundedSender<Line>>,
    stdout: Option<Lines>,
    stderr: Option<Lines>,
    process: Box<dyn Process>,
    status: Option<std::io::Result<ExitStatus>>,
    stderr_tail: Tail,
    /// A line that found no room.
    waiting: Option<(Source, Line)>,
    sync_at: Option<Instant>,
    /// When the agent is pressed harder, and how.
    patience: Option<(Instant, Stop)>,
    stop_asked: bool,
}

/// The lines of a pipe.
struct Lines {
    pipe: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    /// What came of the next line so far. Kept here, so that nothing is lost when waiting for it is given up.
    begun: Vec<u8>,
}

impl Keep {
    /// Takes over a session whose agent was just started. `None` if the parts have no process to look after.
    pub(crate) fn new(
        writer: Writer,
        parts: Parts,
        clock: fn() -> UnixMillis,
        orders: mpsc::Receiver<Order>,
        progress: watch::Sender<Progress>,
    ) -> Result<Option<Self>, Error> {
        let mut gate = Gate::default();
        let mut past = Reader::after(writer.folder().clone(), 0)?;
        while let Some(record) = past.next_record()? {
            gate.note(&record);
        }
        let Some(process) = parts.process else { return Ok(None) };
        let (lines, to_write) = mpsc::unbounded_channel();
        tokio::spawn(write_lines(parts.stdin, to_write));
        progress.send_modify(|progress| {
            progress.last_seq = writer.last_seq();
            progress.agent_pid = process.pid();
        });
        Ok(Some(Keep {
            writer,
            gate,
            clock,
            progress,
            orders,
            stdin: Some(lines),
            stdout: Some(Lines::new(parts.stdout)),
            stderr: parts.stderr.map(Lines::new),
            process,
            status: None,
            stderr_tail: Tail::default(),
            waiting: None,
            sync_at: None,
            patience: None,
            stop_asked: false,
        }))
    }

    /// Gives the agent its first lines.
    pub(crate) fn greet(&mut self, lines: &[String]) -> Result<(), Error> {
        for line in lines {
            let source = Source::Stdin { by: None, id: None };
            self.write(0, source, Line::from(line.clone()))?;
        }
        Ok(())
    }

    /// Runs until the agent and everything that came from it is gone, and all of it is kept.
    pub(crate) async fn run(&mut self) -> Result<(), Error> {
        while !self.is_done() {
            let event = self.event().await;
            self.handle(event)?;
        }
        self.process.gone().await;
        self.finish().await
    }

    fn is_done(&self) -> bool {
        self.status.is_some() && self.stdout.is_none() && self.stderr.is_none() && self.waiting.is_none()
    }

    async fn event(&mut self) -> Event {
        // While a line waits for room, no other is read: the agent's pipe fills, and the agent waits too.
        let reads = self.waiting.is_none();
        tokio::select! {
            biased;
            order = self.orders.recv() => Event::Order(order),
            line = next_line(&mut self.stdout), if reads && self.stdout.is_some() => Event::Stdout(line),
            line = next_line(&mut self.stderr), if reads && self.stderr.is_some() => Event::Stderr(line),
            status = self.process.exited(), if self.status.is_none() => Event::Exited(status),
            () = until(self.sync_at) => Event::Sync,
            () = tokio::time::sleep(FULL), if !reads => Event::Room,
            () = until(self.patience.map(|(at, _)| at)) => Event::Patience,
        }
    }

    fn handle(&mut self, event: Event) -> Result<(), Error> {
        match event {
            Event::Stdout(Ok(Some(line))) => self.keep(Source::Stdout, line)?,
            Event::Stdout(_) => self.stdout = None,
            Event::Stderr(Ok(Some(line))) => {
                self.stderr_tail.push(&line.text());
                self.keep(Source::Stderr, line)?;
            }
            Event::Stderr(_) => self.stderr = None,
            Event::Exited(status) => {
                self.status = Some(status);
                self.stdin = None;
                self.patience = None;
            }
            Event::Order(Some(order)) => self.obey(order)?,
            // The listener holds a sender as long as this runs.
            Event::Order(None) => {}
            Event::Sync => {
                self.writer.sync()?;
                self.sync_at = None;
            }
            Event::Room => {
                if let Some((source, line)) = self.waiting.take() {
                    self.keep(source, line)?;
                }
                if self.waiting.is_none() {
                    self.tell_of_full_disk()?;
                }
            }
            Event::Patience => self.press(),
        }
        Ok(())
    }

    /// Keeps a line of the agent; if there is no room, until there is.
    fn keep(&mut self, source: Source, line: Line) -> Result<(), Error> {
        match self.append(source.clone(), line.clone()) {
            Ok(_) => Ok(()),
            Err(Error::Full { .. }) => {
                self.waiting = Some((source, line));
                self.progress.send_if_modified(|progress| !std::mem::replace(&mut progress.disk_full, true));
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// There is room again: the log shall say why it stood still.
    fn tell_of_full_disk(&mut self) -> Result<(), Error> {
        let text = "The disk was full. The agent waited until there was room again; nothing was lost.".to_owned();
        let note = HostFact::Note { text, level: NoticeLevel::Warning };
        match self.append(Source::Host, note.to_json().into()) {
            // It is about to be full again, and then this is told again.
            Ok(_) | Err(Error::Full { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn append(&mut self, source: Source, line: Line) -> Result<Record, Error> {
        let ends_turn = source == Source::Stdout && is_result(&line);
        let record = self.writer.append((self.clock)(), source, line)?;
        self.gate.note(&record);
        if ends_turn {
            self.writer.sync()?;
            self.sync_at = None;
        } else {
            self.sync_at.get_or_insert_with(|| Instant::now() + SYNC);
        }
        self.progress.send_modify(|progress| {
            progress.last_seq = record.seq;
            progress.disk_full = false;
        });
        Ok(record)
    }

    fn obey(&mut self, order: Order) -> Result<(), Error> {
        match order {
            Order::Write { ticket, source, line, reply } => {
                let answer = self.write(ticket, source, line)?;
                let _ = reply.send(answer);
            }
            Order::Note { ticket, fact, reply } => {
                let answer = match self.append(Source::Host, fact) {
                    Ok(record) => FromKeeper::Wrote { ticket, seq: record.seq, again: false },
                    Err(Error::Full { .. }) => refused(ticket, Refusal::DiskFull),
                    Err(error) => return Err(error),
                };
                let _ = reply.send(answer);
            }
            Order::Stop(how) => self.stop(how),
        }
        Ok(())
    }

    fn write(&mut self, ticket: u64, source: Source, line: Line) -> Result<FromKeeper, Error> {
        let id = match &source {
            Source::Stdin { id, .. } => id.as_deref(),
            _ => None,
        };
        Ok(match self.gate.judge(id, &line) {
            Verdict::Again { seq } => FromKeeper::Wrote { ticket, seq, again: true },
            Verdict::Answered { .. } => refused(ticket, Refusal::Answered),
            Verdict::Withdrawn => refused(ticket, Refusal::Withdrawn),
            Verdict::NotAsked => refused(ticket, Refusal::NotAsked),
            Verdict::Write => {
                let Some(stdin) = self.stdin.clone() else { return Ok(refused(ticket, Refusal::Ended)) };
                // A short line might still fit, before a longer one that came earlier.
                if self.waiting.is_some() {
                    return Ok(refused(ticket, Refusal::DiskFull));
                }
                match self.append(source, line.clone()) {
                    Ok(record) => {
                        let _ = stdin.send(line);
                        FromKeeper::Wrote { ticket, seq: record.seq, again: false }
                    }
                    Err(Error::Full { .. }) => refused(ticket, Refusal::DiskFull),
                    Err(error) => return Err(error),
                }
            }
        })
    }

    fn stop(&mut self, how: Stop) {
        self.stop_asked = true;
        self.stdin = None;
        match how {
            Stop::Close => self.patience = Some((Instant::now() + GRACE, Stop::Terminate)),
            Stop::Terminate => {
                self.process.terminate();
                self.patience = Some((Instant::now() + GRACE, Stop::Kill));
            }
            Stop::Kill => {
                self.process.kill();
                self.patience = None;
            }
        }
    }

    /// The agent was given time to leave, and is still there.
    fn press(&mut self) {
        if let Some((_, how)) = self.patience.take() {
            self.stop(how);
        }
    }

    /// Writes down how the agent ended. A full disk is waited for: without this, the next one could not tell.
    async fn finish(&mut self) -> Result<(), Error> {
        use std::os::unix::process::ExitStatusExt;
        let status = self.status.take().and_then(Result::ok);
        let fact = HostFact::Exited {
            code: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
            stderr_tail: self.stderr_tail.take(),
            expected: self.stop_asked,
        };
        while let Err(error) = self.append(Source::Host, fact.to_json().into()) {
            if !matches!(error, Error::Full { .. }) {
                return Err(error);
            }
            tokio::time::sleep(FULL).await;
        }
        self.writer.sync()?;
        self.progress.send_modify(|progress| {
            progress.agent_pid = None;
            progress.over = true;
        });
        Ok(())
    }
}

/// Is this the end of a turn? Then it shall survive a power cut.
fn is_result(line: &Line) -> bool {
    memchr::memmem::find(line.bytes(), br#""type":"result""#).is_some()
}

fn refused(ticket: u64, why: Refusal) -> FromKeeper {
    let text = match why {
        Refusal::Answered => "somebody has answered this question before",
        Refusal::Withdrawn => "the agent wants no answer to this question any more",
        Refusal::NotAsked => "the agent has not asked this question",
        Refusal::Ended => "the agent has ended",
        Refusal::NotJson => "this is no JSON object, and would end the agent",
        Refusal::DiskFull => "the disk is full, so the line could not be kept",
        Refusal::Other => "the keeper has refused it",
    };
    FromKeeper::Refused { ticket, why, text: text.to_owned() }
}

async fn next_line(lines: &mut Option<Lines>) -> std::io::Result<Option<Line>> {
    match lines {
        Some(lines) => lines.next().await,
        None => std::future::pending().await,
    }
}

impl Lines {
    fn new(pipe: Box<dyn AsyncRead + Send + Unpin>) -> Self {
        Lines { pipe: BufReader::with_capacity(256 * 1024, pipe), begun: Vec::new() }
    }

    /// The next line without its end; `None` at the end of the pipe. What comes before that without a line end is a line
    /// too. Cancel-safe.
    async fn next(&mut self) -> std::io::Result<Option<Line>> {
        self.pipe.read_until(b'\n', &mut self.begun).await?;
        if self.begun.is_empty() {
            return Ok(None);
        }
        let mut line = std::mem::take(&mut self.begun);
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        Ok(Some(Line::from(line)))
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Hands lines to the agent, in their order; ends its input when no more can come.
async fn write_lines(mut stdin: Box<dyn AsyncWrite + Send + Unpin>, mut lines: mpsc::UnboundedReceiver<Line>) {
    while let Some(line) = lines.recv().await {
        let mut bytes = line.bytes().to_vec();
        bytes.push(b'\n');
        // An agent that does not read any more has ended, or will: its exit is what counts.
        if stdin.write_all(&bytes).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}
