//! The one task that owns a session's pipes. In come lines of the CLI and orders of the handles; out go lines to the CLI,
//! answers to those who wait, and batches to the log.
//!
//! It awaits nothing but its inputs: no consumer, no handler and no full pipe can hold it up. What handlers do runs in tasks
//! of their own ([`asks`]), what is written goes through a task of its own ([`writer`]).

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use claude_protocol::control::Response;
use claude_protocol::{Line, RequestId, Uuid, decode, encode};
use tokio::io::AsyncRead;
use tokio::select;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

mod affairs;
mod asks;
mod tail;
mod writer;

use crate::error::{Ending, Error, Exit, Result};
use crate::lines::{Lines, Piece};
use crate::log::{Entries, Log};
use crate::session::{Shared, When};
use crate::transport::{Parts, Process};
use crate::turn::Settler;

use affairs::Affairs;
pub(crate) use asks::Asks;
use asks::Said;
use tail::Tail;
use writer::Writer;

/// What a handle wants.
#[derive(Debug)]
pub(crate) enum Order {
    /// Send a prompt.
    Prompt(Box<Outgoing>),
    /// Take a prompt back that waits here; tells whether it did.
    TakeBack { uuid: Uuid, reply: oneshot::Sender<bool> },
    /// Take all prompts back that wait here.
    DropHeld,
    /// Send a request and tell its answer.
    Request { id: RequestId, line: String, is_interrupt: bool, reply: oneshot::Sender<Response> },
    /// Nobody waits for this answer any more.
    Forget(RequestId),
    /// Tell when no prompt is open or waiting.
    WhenIdle(oneshot::Sender<()>),
    /// Tell when the next result is there, or at once if no prompt is open.
    WhenStopped(oneshot::Sender<()>),
    /// End the session, with at most this much patience.
    End(Ending),
}

/// A prompt on its way out.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) line: String,
    pub(crate) uuid: Uuid,
    pub(crate) is_command: bool,
    pub(crate) when: When,
    pub(crate) turn: Settler,
}

/// How patient the end is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// From the closing of stdin to the signal.
    pub(crate) grace: Duration,
    /// From the signal to the kill.
    pub(crate) after_signal: Duration,
}

/// Something that happened.
enum Happening {
    Stdout(io::Result<bool>),
    Stderr(io::Result<bool>),
    Order(Option<Order>),
    Said(Said),
    Exited(io::Result<ExitStatus>),
    WriteFailed(io::Error),
    Overdue,
}

pub(crate) struct Actor {
    stdout: Lines<Box<dyn AsyncRead + Send + Unpin>>,
    stderr: Option<Lines<Box<dyn AsyncRead + Send + Unpin>>>,
    process: Option<Box<dyn Process>>,
    orders: mpsc::UnboundedReceiver<Order>,
    writer: Writer,
    affairs: Affairs,
    log: Arc<Log>,
    shared: Arc<Shared>,
    /// Prompts that wait for those before them.
    held: VecDeque<Outgoing>,
    waiting_for_idle: Vec<oneshot::Sender<()>>,
    tail: Tail,
    patience: Patience,
    /// When patience runs out, and with what is ended then.
    deadline: Option<(Instant, Ending)>,
    /// How hard the CLI is being ended.
    pressed: Ending,
    /// What is told about that: nothing, if it was ending by itself.
    ending: Ending,
    stdout_ended: bool,
    status: Option<ExitStatus>,
    process_ended: bool,
    broken: Option<String>,
    /// Dropped last.
    over: Over,
}

/// The end of the actor, whatever ends it: also a panic, or the shutdown of its runtime. Nobody waits for it in vain.
struct Over(Arc<Shared>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.log.close();
        self.0.gone.send_replace(true);
    }
}

/// How a line begins that says nothing to the session itself, only to its readers: it is left to them.
const STREAMED: &[u8] = br#"{"type":"stream_event""#;

/// How long lines may be on stderr before they are cut.
const STDERR_LINE: usize = 64 * 1024;

/// How long the pipe may stay open after the process is gone: something it started may hold it.
const DRAIN: Duration = Duration::from_secs(2);

impl Actor {
    pub(crate) fn new(
        parts: Parts,
        line_limit: usize,
        orders: mpsc::UnboundedReceiver<Order>,
        asks: Asks,
        shared: Arc<Shared>,
        patience: Patience,
    ) -> Self {
        let process_ended = parts.process.is_none();
        Actor {
            stdout: Lines::new(parts.stdout, line_limit),
            stderr: parts.stderr.map(|stderr| Lines::new(stderr, STDERR_LINE)),
            process: parts.process,
            orders,
            writer: Writer::start(parts.stdin),
            affairs: Affairs::new(asks, Arc::clone(&shared)),
            log: Arc::clone(&shared.log),
            over: Over(Arc::clone(&shared)),
            shared,
            held: VecDeque::new(),
            waiting_for_idle: Vec::new(),
            tail: Tail::default(),
            patience,
            deadline: None,
            pressed: Ending::ByItself,
            ending: Ending::ByItself,
            stdout_ended: false,
            status: None,
            process_ended,
            broken: None,
        }
    }

    /// Runs the session to its end, and tells everyone.
    pub(crate) async fn run(mut self) {
        let mut orders_open = true;
        while !(self.stdout_ended && self.process_ended) {
            let overdue = self.deadline.map(|(when, _)| when);
            let happening = select! {
                read = self.stdout.fill(), if !self.stdout_ended => Happening::Stdout(read),
                read = fill(&mut self.stderr) => Happening::Stderr(read),
                order = self.orders.recv(), if orders_open => Happening::Order(order),
                said = self.affairs.asks.next() => Happening::Said(said),
                status = exited(&mut self.process), if !self.process_ended => Happening::Exited(status),
                error = self.writer.failed() => Happening::WriteFailed(error),
                () = overdue_at(overdue) => Happening::Overdue,
            };
            match happening {
                Happening::Stdout(read) => self.take_stdout(read),
                Happening::Stderr(read) => self.take_stderr(read),
                Happening::Order(Some(order)) => self.obey(order),
                // The last handle is gone.
                Happening::Order(None) => {
                    orders_open = false;
                    self.end(Ending::Closed);
                }
                Happening::Said(said) => self.say(said),
                Happening::Exited(status) => self.take_exit(status),
                Happening::WriteFailed(error) => {
                    // A process that is gone tells more by its status.
                    if self.process.is_none() {
                        self.broken = Some(format!("its stdin: {error}"));
                    }
                    self.hang_up();
                }
                Happening::Overdue => self.lose_patience(),
            }
        }
        self.finish().await;
    }

    fn take_stdout(&mut self, read: io::Result<bool>) {
        let more = read.unwrap_or_else(|error| {
            self.broken = Some(format!("its stdout: {error}"));
            false
        });
        let mut entries = Entries::with_room(self.stdout.ready());
        let first = self.log.next();
        while let (held, Some(piece)) = (self.stdout.held(), self.stdout.next_line()) {
            match piece {
                Piece::Line([]) => {}
                Piece::Line(line) if line.starts_with(STREAMED) => entries.push_unread(line, held),
                Piece::Line(line) => {
                    let decoded = decode(Line::from(line));
                    self.affairs.see(&decoded.body, first + entries.len() as u64);
                    entries.push(decoded);
                }
                Piece::TooLong { bytes } => entries.push_too_long(bytes),
            }
        }
        self.log.append(entries);
        self.go_on();
        if !more {
            self.stdout_ended = true;
            self.hang_up();
        }
    }

    fn take_stderr(&mut self, read: io::Result<bool>) {
        let Some(stderr) = &mut self.stderr else { return };
        while let Some(piece) = stderr.next_line() {
            let Piece::Line(line) = piece else { continue };
            let line = String::from_utf8_lossy(line);
            if let Some(handler) = &self.affairs.asks.handlers().stderr {
                // What the host does with it must not end the session; the panic itself was told already.
                let _ = catch_unwind(AssertUnwindSafe(|| handler(&line)));
            }
            self.tail.push(&line);
        }
        if !matches!(read, Ok(true)) {
            self.stderr = None;
        }
    }

    fn say(&mut self, said: Said) {
        match said {
            Said::Answer(reply) => {
                if reply.ends_turn {
                    self.affairs.turns.interrupting();
                }
                self.writer.write(encode(&reply.line));
            }
            #[cfg(feature = "tools")]
            Said::News(news) => self.writer.write(self.shared.mcp_line(news.server, news.message)),
            Said::Nothing => {}
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Prompt(prompt) => {
                if prompt.when == When::InTurn && !(self.affairs.turns.is_idle() && self.held.is_empty()) {
                    self.held.push_back(*prompt);
                } else {
                    self.send(*prompt);
                }
            }
            Order::TakeBack { uuid, reply } => {
                let place = self.held.iter().position(|prompt| prompt.uuid == uuid);
                let prompt = place.and_then(|place| self.held.remove(place));
                let _ = reply.send(prompt.is_some());
                prompt.into_iter().for_each(|prompt| prompt.turn.fail(Error::Cancelled));
            }
            Order::DropHeld => self.held.drain(..).for_each(|prompt| prompt.turn.fail(Error::Cancelled)),
            Order::Request { id, line, is_interrupt, reply } => {
                if is_interrupt {
                    self.affairs.turns.interrupting();
                }
                self.affairs.requests.sent(id, reply);
                self.writer.write(line);
            }
            Order::Forget(id) => self.affairs.requests.forget(&id),
            Order::WhenIdle(reply) => {
                self.waiting_for_idle.retain(|waiting| !waiting.is_closed());
                self.waiting_for_idle.push(reply);
                self.go_on();
            }
            // Without a prompt there is nothing to stop; the one who waits is told as the sender is dropped.
            Order::WhenStopped(reply) => {
                self.affairs.waiting_for_stop.retain(|waiting| !waiting.is_closed());
                if !self.affairs.turns.is_idle() {
                    self.affairs.waiting_for_stop.push(reply);
                }
            }
            Order::End(ending) => self.end(ending),
        }
    }

    fn send(&mut self, prompt: Outgoing) {
        self.affairs.sent(prompt.uuid, prompt.is_command, prompt.turn);
        self.writer.write(prompt.line);
    }

    /// Sends the next prompt when the ones before it are answered, and tells those who wait for the last one.
    fn go_on(&mut self) {
        if !self.affairs.turns.is_idle() {
            return;
        }
        match self.held.pop_front() {
            Some(prompt) => self.send(prompt),
            // Whoever does not listen any more has lost interest.
            None => self.waiting_for_idle.drain(..).for_each(|reply| _ = reply.send(())),
        }
    }

    /// The CLI is ending by itself: nothing more is said to it, and it has as long as after a close.
    fn hang_up(&mut self) {
        self.writer.close();
        self.deadline.get_or_insert((Instant::now() + self.patience.grace, Ending::Terminated));
    }

    /// Ends the session in this way, unless it is being ended harder already.
    fn end(&mut self, ending: Ending) {
        self.writer.close();
        if ending <= self.pressed {
            return;
        }
        self.pressed = ending;
        // What the CLI ends by itself it ends by itself, even if we then hang up.
        let has_exited = self.process.is_some() && self.process_ended;
        if ending > Ending::Closed || !(self.stdout_ended || has_exited || self.broken.is_some()) {
            self.ending = ending;
        }
        let now = Instant::now();
        self.deadline = match ending {
            Ending::ByItself => None,
            Ending::Closed => Some((now + self.patience.grace, Ending::Terminated)),
            Ending::Terminated => Some((now + self.patience.after_signal, Ending::Killed)),
            Ending::Killed => Some((now + DRAIN, Ending::Killed)),
        };
        match (&mut self.process, ending) {
            (Some(process), Ending::Terminated) => process.terminate(),
            (Some(process), Ending::Killed) => process.kill(),
            // Without a process there is nobody to wait for.
            (None, Ending::Terminated | Ending::Killed) => self.stdout_ended = true,
            _ => {}
        }
    }

    fn lose_patience(&mut self) {
        let Some((_, ending)) = self.deadline.take() else { return };
        if self.process_ended || self.pressed == Ending::Killed {
            // The process is gone and something else holds its pipe, or it cannot even be killed.
            self.stdout_ended = true;
            self.process_ended = true;
        } else {
            self.end(ending);
        }
    }

    fn take_exit(&mut self, status: io::Result<ExitStatus>) {
        self.process_ended = true;
        match status {
            Ok(status) => self.status = Some(status),
            Err(error) => self.broken = Some(format!("its status: {error}")),
        }
        self.deadline = Some((Instant::now() + DRAIN, Ending::Killed));
    }

    /// Tells everyone, in this order: who asks finds the reason. Those who wait for the end itself are told when nothing of
    /// the CLI is left.
    async fn finish(mut self) {
        self.drain_stderr().await;
        let exit = Exit {
            status: self.status,
            stderr_tail: self.tail.text(),
            ending: self.ending,
            last_result_failed: self.affairs.last_error.is_some(),
            last_error: self.affairs.last_error.take(),
            broken: self.broken,
        };
        self.shared.exit.send_replace(Some(Arc::new(exit)));
        self.affairs.abandon();
        self.held.clear();
        self.waiting_for_idle.clear();
        self.log.close();
        // What is still asked of us gets no answer, and nobody need answer the CLI.
        drop((self.orders, self.affairs));
        if let Some(process) = &mut self.process {
            process.gone().await;
        }
        drop(self.over);
    }

    /// What was said last on stderr tells most. The pipe may be held open, so not for ever.
    async fn drain_stderr(&mut self) {
        let end = Instant::now() + DRAIN;
        while self.stderr.is_some() {
            match tokio::time::timeout_at(end, fill(&mut self.stderr)).await {
                Ok(read) => self.take_stderr(read),
                Err(_) => return,
            }
        }
    }
}

/// Reads stderr, or waits for ever if there is none.
async fn fill(stderr: &mut Option<Lines<Box<dyn AsyncRead + Send + Unpin>>>) -> io::Result<bool> {
    match stderr {
        Some(stderr) => stderr.fill().await,
        None => std::future::pending().await,
    }
}

async fn exited(process: &mut Option<Box<dyn Process>>) -> io::Result<ExitStatus> {
    match process {
        Some(process) => process.exited().await,
        None => std::future::pending().await,
    }
}

async fn overdue_at(when: Option<Instant>) {
    match when {
        Some(when) => sleep_until(when).await,
        None => std::future::pending().await,
    }
}

/// An answer of the CLI to a request, or why there is none.
pub(crate) fn refused(request: &str, response: &Response) -> Result<()> {
    match response.failure() {
        None => Ok(()),
        Some(message) => Err(Error::Refused {
            request: request.to_owned(),
            message: message.to_owned(),
            code: response.response.error_code.clone(),
        }),
    }
}

#[cfg(test)]
mod tests;
