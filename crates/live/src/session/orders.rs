//! What is said to the agent of a session: prompts, answers to its questions, and commands with the answers to them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use claude_protocol::control::request::CancelAsyncMessage;
use claude_protocol::control::{Answered, Command, Response};
use claude_protocol::{Prompt, RequestId, ToCli, Uuid, encode};
use insights::HostFact;
use insights::state::Queued;
use insights::state::header::QueuedState;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{Sent, Session};
use crate::answer::{self, Decision};
use crate::error::{Error, Result};

/// How long a command to the agent may take. It answers in between lines, so this is long enough for a busy one.
pub const COMMAND: Duration = Duration::from_secs(60);

/// How long a question may take that nothing hangs on. Older agents never answer what they do not know.
const QUESTION: Duration = Duration::from_secs(6);

/// How long a command of this kind may take.
fn limit(kind: &str) -> Duration {
    let is_question = kind.starts_with("get_")
        || kind.starts_with("list_")
        || ["apply_flag_settings", "cancel_async_message"].contains(&kind);
    if is_question { QUESTION } else { COMMAND }
}

impl Session {
    /// Sends a prompt to the agent that runs. `id` is the sender's own: a second one with it is not sent. If it is a uuid, it
    /// is the agent's name for the prompt, too.
    pub async fn send(&self, mut prompt: Prompt, id: &str, by: Option<&str>) -> Result<Sent> {
        let uuid = uuid::Uuid::try_parse(id).unwrap_or_else(|_| uuid::Uuid::new_v4());
        prompt.uuid = Some(Uuid::from(uuid.to_string()));
        self.write(Some(id), by, &encode(&ToCli::from(prompt))).await
    }

    /// Sends a prompt again of which nobody knows whether the agent took it: the very line of that record.
    pub async fn send_again(&self, seq: u64, id: &str, by: Option<&str>) -> Result<Sent> {
        let record = self.record(seq)?;
        self.write(Some(id), by, &record.line.text()).await
    }

    /// Gives a prompt up of which nobody knows whether the agent took it: it is offered no more, now and after a restart.
    pub async fn dismiss(&self, prompt: &str) -> Result<()> {
        let is_it = |queued: &Queued| &*queued.id == prompt && queued.state == QueuedState::Unconfirmed;
        if !self.with_state(|state| state.queue.iter().any(is_it)) {
            return Err(Error::NoMessage(prompt.to_owned()));
        }
        self.note(&HostFact::Dismissed { prompt: prompt.to_owned() }).await
    }

    /// Takes a prompt back that the agent has not taken yet. One of which nobody knows whether it took it is given up.
    pub async fn take_back(&self, prompt: &str, by: Option<&str>) -> Result<()> {
        let is_it = |queued: &&Queued| &*queued.id == prompt;
        match self.with_state(|state| state.queue.iter().find(is_it).map(|queued| queued.state.clone())) {
            None => return Err(Error::NoMessage(prompt.to_owned())),
            Some(QueuedState::Unconfirmed) => return self.dismiss(prompt).await,
            Some(QueuedState::Sent | QueuedState::Queued) => {}
        }
        match self.command(CancelAsyncMessage::new(Uuid::from(prompt)), by).await {
            Ok(answer) if answer.cancelled == Some(true) => Ok(()),
            Ok(_) => Err(Error::Taken),
            // Measured: 2.1.38 and older do not know the command, and are silent.
            Err(Error::NoAnswer { .. }) => Err(Error::NeverGivesBack),
            Err(error) => Err(error),
        }
    }

    /// Answers a question of the agent. One answer counts; whoever comes second is told so.
    pub async fn answer(&self, question: &str, decision: &Decision, by: Option<&str>) -> Result<Sent> {
        self.write(None, by, &self.answer_line(question, decision)?).await
    }

    /// The line that answers a question that is open.
    pub(crate) fn answer_line(&self, question: &str, decision: &Decision) -> Result<String> {
        let seq = self.with_state(|state| state.asks.iter().find(|ask| &*ask.id == question).map(|ask| ask.seq));
        let seq = seq.ok_or_else(|| Error::NoQuestion(question.to_owned()))?;
        Ok(answer::answer(&self.record(seq)?.line, decision)?)
    }

    /// Asks the agent for something, and gives its answer.
    pub async fn command<R: Answered>(&self, command: R, by: Option<&str>) -> Result<R::Answer>
    where
        Command: From<R>,
    {
        let response = self.respond(Command::from(command), by).await?;
        Ok(response.answer_to::<R>().map(|reading| reading.value).unwrap_or_default())
    }

    /// The same with the answer as the agent wrote it: JSON, `{}` if it said no more than yes.
    pub async fn command_json(&self, command: impl Into<Command>, by: Option<&str>) -> Result<String> {
        let response = self.respond(command.into(), by).await?;
        Ok(response.answer().map_or_else(|| "{}".to_owned(), |answer| answer.text().to_owned()))
    }

    async fn respond(&self, command: Command, by: Option<&str>) -> Result<Response> {
        let number = self.shared.commands.fetch_add(1, Ordering::Relaxed);
        let id = RequestId::from(format!("{}-{number}", self.shared.nonce));
        let (reply, answer) = oneshot::channel();
        self.shared.waiting().insert(id.clone(), reply);
        let limit = limit(command.kind());
        let line = encode(&ToCli::request(id.clone(), command));
        let written = self.write(None, by, &line).await;
        let answered = match written {
            Ok(_) => timeout(limit, answer).await,
            Err(error) => {
                self.shared.waiting().remove(&id);
                return Err(error);
            }
        };
        self.shared.waiting().remove(&id);
        let response = match answered {
            Ok(Ok(response)) => response,
            // Its sender went with the agent.
            Ok(Err(_)) => return Err(Error::NotRunning),
            Err(_) => return Err(Error::NoAnswer { seconds: limit.as_secs() }),
        };
        match response.failure() {
            Some(why) => Err(Error::Agent(why.to_owned())),
            None => Ok(response),
        }
    }
}
