//! The agent at work: takes what comes in, keeps what it has to remember, and runs one turn after the other.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;

use serde_json::{Map, Value, json};

use super::Ending;
use super::flags::Flags;
use super::hooks::Hooks;
use super::lines;
use super::mcp::Servers;
use super::pace::Pace;
use super::session::{Session, Usage};
use super::story::{Dialect, Ignored, Kind, Story, Turn};
use super::tasks::Task;
use super::wire::{Arrivals, Inbound, Wire};
use crate::model::Mind;

/// How a part of a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// The turn goes on.
    On,
    /// It was interrupted, or the API failed for good.
    Over(Over),
}

/// Why a turn is over before its end, as `terminal_reason` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Streaming,
    Tools,
    ApiError,
}

/// How a request to the host came back.
#[derive(Debug)]
pub(super) enum Answered {
    /// The `response` of the control response, and which request it answers.
    Answer(String, Value),
    Interrupted,
    /// The input ended, so no answer can come.
    Closed,
}

/// What the running turn gathers for its result.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) running: bool,
    pub(super) prompts: Vec<Value>,
    pub(super) text: String,
    pub(super) stop_reason: Value,
    pub(super) usage: Usage,
    pub(super) user_messages: u64,
    pub(super) denials: Vec<Value>,
    pub(super) changes: Map<String, Value>,
    pub(super) origin: Option<Value>,
    pub(super) subagents: u64,
    /// The lines that came since the last wait, for waits that look back.
    pub(super) seen: Vec<Value>,
}

pub(super) struct Actor {
    pub(super) story: Story,
    pub(super) flags: Flags,
    pub(super) session: Session,
    pub(super) wire: Wire,
    pub(super) mind: Mind,
    pub(super) stderr: Box<dyn Write + Send>,
    pub(super) turns: VecDeque<Turn>,
    pub(super) queue: VecDeque<Value>,
    pub(super) turn: Progress,
    pub(super) tasks: Vec<Task>,
    pub(super) hooks: Hooks,
    pub(super) servers: Servers,
    /// Requests to the host without an answer, by id.
    pub(super) open: BTreeMap<String, Value>,
    /// The ids of requests that steps opened, by name.
    pub(super) named: BTreeMap<String, String>,
    /// Answers that wait for a later line.
    pub(super) held: Vec<(Kind, Vec<Value>)>,
    pub(super) interrupted: bool,
    pub(super) deaf: bool,
    pub(super) first_message: Value,
    pub(super) last_message: Value,
    pub(super) messages_told: usize,
    /// The last text of the subagent that just spoke.
    pub(super) last_words: String,
    answers: BTreeMap<String, Value>,
    pub(super) pace: Pace,
    /// What takes the place of the rest of the turn, since the host decided so.
    pub(super) instead: Option<Turn>,
    pub(super) inbound: Arrivals,
    eof: bool,
    quits: bool,
    pub(super) last_was_error: bool,
}

impl Actor {
    pub(super) fn new(
        mut story: Story,
        flags: Flags,
        session: Session,
        wire: Wire,
        mind: Mind,
        inbound: Arrivals,
        stderr: Box<dyn Write + Send>,
    ) -> Actor {
        Actor {
            turns: std::mem::take(&mut story.turns).into(),
            story,
            flags,
            session,
            wire,
            mind,
            stderr,
            queue: VecDeque::new(),
            turn: Progress::default(),
            tasks: Vec::new(),
            hooks: Hooks::default(),
            servers: Servers::default(),
            open: BTreeMap::new(),
            named: BTreeMap::new(),
            held: Vec::new(),
            interrupted: false,
            deaf: false,
            first_message: Value::Null,
            last_message: Value::Null,
            messages_told: 0,
            last_words: String::new(),
            answers: BTreeMap::new(),
            pace: Pace::default(),
            instead: None,
            inbound,
            eof: false,
            quits: false,
            last_was_error: false,
        }
    }

    /// Lives to the end.
    pub(super) async fn perform(mut self) -> Ending {
        let ending = self.live().await.unwrap_or_else(|ending| ending);
        // What was said before a death has left the process; a reader that stands still is waited for, as the CLI does.
        let _ = self.wire.flush().await;
        ending
    }

    async fn live(&mut self) -> Result<Ending, Ending> {
        for step in std::mem::take(&mut self.story.start) {
            self.step(step).await?;
        }
        loop {
            self.drain().await?;
            if self.quits {
                return Ok(Ending::Exited(0));
            }
            if !self.queue.is_empty() {
                self.prompted_turn().await?;
            } else if let Some(task) = self.next_finished_task() {
                self.task_turn(task).await?;
            } else if self.eof && !self.story.ignores.contains(&Ignored::Eof) {
                match self.tasks.first_mut() {
                    // Nothing can come that would end it, and the CLI waits for its tasks.
                    Some(task) => task.finished = true,
                    None => return Ok(Ending::Exited(i32::from(self.last_was_error))),
                }
            } else {
                self.receive().await?;
            }
        }
    }

    pub(super) fn is_current(&self) -> bool {
        self.story.dialect == Dialect::Current
    }

    /// Writes a line.
    pub(super) fn write(&mut self, line: &Value) {
        self.wire.line(line);
    }

    /// Writes a `system` line.
    pub(super) fn write_system(&mut self, subtype: &str, fields: Value) {
        let line = lines::system(&mut self.session, subtype, fields);
        self.write(&line);
    }

    /// Writes where a prompt is on its way, if the host named it.
    pub(super) fn write_lifecycle(&mut self, prompt: &Value, state: &str) {
        if let Some(uuid) = prompt["uuid"].as_str().filter(|_| self.is_current()) {
            let fields = json!({"command_uuid": uuid, "state": state});
            let line = lines::line(&mut self.session, "command_lifecycle", fields);
            self.write(&line);
        }
    }

    /// Says something on the standard error.
    pub(super) fn complain(&mut self, text: &str) {
        // Nobody may be listening there.
        let _ = writeln!(self.stderr, "{text}").and_then(|()| self.stderr.flush());
    }

    /// Sends a request to the host and gives its id.
    pub(super) fn send_request(&mut self, request: Value) -> String {
        let id = self.session.next_uuid();
        self.write(&lines::control_request(&id, &request));
        self.open.insert(id.clone(), request);
        id
    }

    /// Sends a request to the host and waits for the answer.
    pub(super) async fn request(&mut self, request: Value) -> Result<Answered, Ending> {
        let id = self.send_request(request);
        self.answer_to(&[id]).await
    }

    /// Waits for the answer to one of several requests.
    pub(super) async fn answer_to(&mut self, ids: &[String]) -> Result<Answered, Ending> {
        loop {
            for id in ids {
                if let Some(answer) = self.answers.remove(id) {
                    return Ok(Answered::Answer(id.clone(), answer));
                }
            }
            if self.interrupted {
                return Ok(Answered::Interrupted);
            }
            if self.eof {
                ids.iter().for_each(|id| _ = self.open.remove(id));
                return Ok(Answered::Closed);
            }
            self.receive().await?;
        }
    }

    /// Withdraws a request of the agent.
    pub(super) fn withdraw(&mut self, id: &str) {
        if self.open.remove(id).is_some() {
            self.write(&json!({"type": "control_cancel_request", "request_id": id}));
        }
    }

    /// Waits for something while what comes in is attended to; `None` when the turn was interrupted first.
    pub(super) async fn hold<T>(&mut self, until: impl Future<Output = T>) -> Result<Option<T>, Ending> {
        let mut until = std::pin::pin!(until);
        self.wire.flush().await?;
        loop {
            if self.interrupted {
                return Ok(None);
            }
            let inbound = tokio::select! {
                // What was told to happen comes before what may come.
                biased;
                value = &mut until => return Ok(Some(value)),
                inbound = self.inbound.receiver.recv(), if !self.eof => inbound,
            };
            self.take(inbound)?;
            self.wire.flush().await?;
        }
    }

    /// Waits until a line came that satisfies the test, or nothing can come; `false` when the turn was interrupted.
    pub(super) async fn wait_for(&mut self, kind: &Kind) -> Result<bool, Ending> {
        loop {
            if let Some(place) = self.turn.seen.iter().position(|line| kind.fits(line)) {
                self.turn.seen.drain(..=place);
                return Ok(true);
            }
            if self.interrupted {
                return Ok(false);
            }
            if self.eof {
                return Ok(true);
            }
            self.receive().await?;
        }
    }

    /// Attends to what is there already.
    pub(super) async fn drain(&mut self) -> Result<(), Ending> {
        self.wire.relieve().await?;
        // The reader gets its turn, so that what the host sent is seen.
        tokio::task::yield_now().await;
        while !self.eof
            && let Ok(inbound) = self.inbound.receiver.try_recv()
        {
            self.take(Some(inbound))?;
        }
        Ok(())
    }

    /// Waits for the next thing that comes in.
    pub(super) async fn receive(&mut self) -> Result<(), Ending> {
        self.wire.flush().await?;
        if self.eof {
            std::future::pending::<()>().await;
        }
        let inbound = self.inbound.receiver.recv().await;
        self.take(inbound)
    }

    fn take(&mut self, inbound: Option<Inbound>) -> Result<(), Ending> {
        match inbound {
            Some(Inbound::Line(line)) => self.read(&line),
            Some(Inbound::Eof) | None => {
                self.eof = true;
                Ok(())
            }
            Some(Inbound::TaskDone(id)) => {
                self.tasks.iter_mut().filter(|task| task.id == id).for_each(|task| task.finished = true);
                Ok(())
            }
            Some(Inbound::Sigint) if self.turn.running && self.is_current() => {
                self.quits = true;
                self.interrupt();
                Ok(())
            }
            Some(Inbound::Sigint) => Err(Ending::Exited(0)),
        }
    }

    fn read(&mut self, line: &[u8]) -> Result<(), Ending> {
        if self.deaf || line.trim_ascii().is_empty() {
            return Ok(());
        }
        let Some(line) = std::str::from_utf8(line).ok().and_then(crate::json::lenient) else {
            self.complain("Error parsing streaming input line: it is not valid JSON");
            return Err(Ending::Exited(1));
        };
        self.release_held(&line);
        match line["type"].as_str() {
            Some("user") if line["message"]["role"] == "user" => {
                self.write_lifecycle(&line, "queued");
                self.queue.push_back(line.clone());
            }
            Some("user") => {
                self.complain("Error: Expected message role 'user'");
                return Err(Ending::Exited(1));
            }
            Some("control_request") => self.respond(&line)?,
            Some("control_response") => {
                let response = &line["response"];
                let id = response["request_id"].as_str().unwrap_or_default();
                // A second answer, or one to a request that was withdrawn, is passed over.
                if self.open.remove(id).is_some() {
                    self.answers.insert(id.to_owned(), response.clone());
                }
            }
            _ => {}
        }
        self.tasks.iter_mut().for_each(|task| task.hear(&line));
        if self.turn.running {
            self.turn.seen.push(line);
        }
        Ok(())
    }

    /// Writes the answers that waited for a line like this.
    fn release_held(&mut self, line: &Value) {
        let (due, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.held).into_iter().partition(|(kind, _)| kind.fits(line));
        self.held = later;
        due.iter().flat_map(|(_, answers)| answers).for_each(|answer| self.write(answer));
    }

    /// Marks the turn as interrupted and withdraws what the host was asked.
    pub(super) fn interrupt(&mut self) {
        if !self.turn.running {
            return;
        }
        self.interrupted = true;
        for id in self.open.keys().cloned().collect::<Vec<_>>() {
            if self.is_current() && self.open[&id]["subtype"] == "can_use_tool" {
                self.withdraw(&id);
            } else {
                self.open.remove(&id);
            }
        }
    }
}
