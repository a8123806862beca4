//! Interrupting: a request with a deadline, a receipt, and what to do if the CLI does not stop.

use std::future::IntoFuture;
use std::time::Duration;

use claude_protocol::Uuid;
use claude_protocol::control::request;
use futures_util::future::BoxFuture;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::Session;
use crate::actor::{Order, refused};
use crate::error::{Ending, Error, Result};

/// An interrupt that is about to be sent: awaited, it is.
#[derive(Clone, Debug)]
#[must_use = "an interrupt is sent when it is awaited"]
pub struct Interrupt {
    session: Session,
    deadline: Duration,
    cancel_queued: bool,
    escalate: bool,
}

/// The CLI has taken an interrupt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interrupted {
    /// Prompts that wait in the CLI and will run next (2.1.325).
    pub still_queued: Vec<Uuid>,
    /// Prompts that will not run (2.1.325).
    pub cancelled: Vec<Uuid>,
}

impl Session {
    /// Interrupts the turn that is running: the answer is cut off, tools are stopped, open permission requests are taken
    /// back, and the turn ends as [`TurnEnd::Interrupted`](crate::TurnEnd::Interrupted). A request to the CLI, never a
    /// signal. Prompts that wait go on afterwards.
    pub fn interrupt(&self) -> Interrupt {
        Interrupt { session: self.clone(), deadline: Duration::from_secs(10), cancel_queued: false, escalate: false }
    }
}

impl Interrupt {
    /// How long the CLI may take to say that it has heard; with [`Interrupt::or_terminate`], also to stop.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Prompts that wait shall not run either.
    pub fn cancel_queued(mut self) -> Self {
        self.cancel_queued = true;
        self
    }

    /// Ends the session if the CLI does not answer, or does not stop, within the deadline.
    pub fn or_terminate(mut self) -> Self {
        self.escalate = true;
        self
    }

    async fn send(self) -> Result<Interrupted> {
        let session = &self.session;
        if self.cancel_queued {
            session.order(Order::DropHeld);
        }
        let (reply, stopped) = oneshot::channel();
        session.order(Order::WhenStopped(reply));
        let mut command = request::Interrupt::default();
        command.cancel_queued = self.cancel_queued.then_some(true);
        let mut asked = session.ask(command.into(), true);
        let response = match timeout(self.deadline, &mut asked.answer).await {
            Ok(Ok(response)) => response,
            Ok(Err(_)) => return Err(session.ended()),
            Err(_) => {
                self.escalate();
                return Err(Error::TimedOut { request: "interrupt".to_owned(), after: self.deadline });
            }
        };
        refused("interrupt", &response)?;
        let receipt = response.answer_to::<request::Interrupt>().map(|reading| reading.value).unwrap_or_default();
        if self.escalate && timeout(self.deadline, stopped).await.is_err() {
            self.escalate();
            return Err(Error::TimedOut { request: "interrupt".to_owned(), after: self.deadline });
        }
        Ok(Interrupted {
            still_queued: receipt.still_queued.unwrap_or_default(),
            cancelled: receipt.cancelled.unwrap_or_default(),
        })
    }

    fn escalate(&self) {
        if self.escalate {
            self.session.order(Order::End(Ending::Terminated));
        }
    }
}

impl IntoFuture for Interrupt {
    type Output = Result<Interrupted>;
    type IntoFuture = BoxFuture<'static, Result<Interrupted>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}
