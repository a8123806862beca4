//! One prompt and what comes of it: a stream of events, or a future of the answer.

use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use claude_protocol::Uuid;
use futures_util::Stream;
use tokio::sync::oneshot;

use crate::answer::Answer;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::log::Events;
use crate::session::Session;

/// A prompt on its way. As a [`Stream`] it gives what the CLI says from the moment it takes the prompt up to the result;
/// awaited, it gives the [`Answer`]. One can stream first and await then. Dropping it does not take the prompt back.
///
/// Prompts that the CLI merges into one turn share a result. A turn that the CLI starts by itself belongs to no prompt:
/// see [`Session::events`].
#[derive(Debug)]
#[must_use = "a turn is awaited or streamed; `drop` it to let the CLI go on unheard"]
pub struct Turn {
    session: Session,
    uuid: Uuid,
    range: Arc<Range>,
    outcome: Outcome,
    /// None once all was read: a turn that is kept must not keep the lines that come after it.
    events: Option<Events>,
}

/// Which lines of the session belong to a turn.
#[derive(Debug)]
pub(crate) struct Range {
    begin: AtomicU64,
    /// The number of the last line.
    end: AtomicU64,
}

/// The answer, once it is there.
#[derive(Debug)]
enum Outcome {
    Open(oneshot::Receiver<Result<Answer>>),
    Known(Result<Answer>),
}

/// The actor's end of a turn. Dropped unsettled, it tells the turn that the session is over.
#[derive(Debug)]
pub(crate) struct Settler {
    range: Arc<Range>,
    outcome: oneshot::Sender<Result<Answer>>,
}

const NOT_YET: u64 = u64::MAX;

impl Turn {
    /// A turn and what settles it. `events` must have been made before the prompt goes out.
    pub(crate) fn new(session: Session, uuid: Uuid, events: Events) -> (Self, Settler) {
        let range = Arc::new(Range { begin: AtomicU64::new(NOT_YET), end: AtomicU64::new(NOT_YET) });
        let (sender, receiver) = oneshot::channel();
        let settler = Settler { range: Arc::clone(&range), outcome: sender };
        (Turn { session, uuid, range, outcome: Outcome::Open(receiver), events: Some(events) }, settler)
    }

    /// The prompt's id, under which the CLI keeps it: for [`Session::take_back`] and [`Session::rewind_files`].
    pub fn uuid(&self) -> &Uuid {
        &self.uuid
    }

    /// The session it belongs to.
    pub fn session(&self) -> &Session {
        &self.session
    }

    fn poll_outcome(&mut self, context: &mut Context<'_>) -> Poll<&Result<Answer>> {
        if let Outcome::Open(receiver) = &mut self.outcome {
            let outcome = ready!(Pin::new(receiver).poll(context));
            self.outcome = Outcome::Known(outcome.unwrap_or_else(|_| Err(self.session.ended())));
        }
        match &self.outcome {
            Outcome::Known(outcome) => Poll::Ready(outcome),
            Outcome::Open(_) => Poll::Pending,
        }
    }
}

impl Stream for Turn {
    /// An error is the end of the session or a prompt that was taken back; a turn that failed says so in its result.
    type Item = Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Event>>> {
        let turn = &mut *self;
        while let Some(events) = &mut turn.events {
            if events.at() > turn.range.end.load(Ordering::Acquire) {
                turn.events = None;
                break;
            }
            match events.poll_numbered(context) {
                Poll::Ready(Some((number, event))) => {
                    let begin = turn.range.begin.load(Ordering::Acquire);
                    if begin <= number && number <= turn.range.end.load(Ordering::Acquire) {
                        return Poll::Ready(Some(Ok(event)));
                    }
                }
                // The session is over, or the prompt was taken back: the outcome knows.
                Poll::Ready(None) => {
                    let outcome = ready!(turn.poll_outcome(context)).as_ref().err().cloned();
                    turn.events = None;
                    return Poll::Ready(outcome.filter(|error| !matches!(error, Error::Failed(_))).map(Err));
                }
                Poll::Pending => {
                    return match turn.poll_outcome(context) {
                        Poll::Ready(Err(error @ Error::Cancelled)) => {
                            let error = error.clone();
                            turn.events = None;
                            Poll::Ready(Some(Err(error)))
                        }
                        _ => Poll::Pending,
                    };
                }
            }
        }
        Poll::Ready(None)
    }
}

impl IntoFuture for Turn {
    type Output = Result<Answer>;
    type IntoFuture = Answering;

    fn into_future(self) -> Answering {
        // What is said meanwhile is not wanted, so it need not be kept.
        Answering { outcome: self.outcome, session: self.session }
    }
}

/// The future of a [`Turn`].
#[derive(Debug)]
pub struct Answering {
    outcome: Outcome,
    session: Session,
}

impl Future for Answering {
    type Output = Result<Answer>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<Answer>> {
        match &mut self.outcome {
            Outcome::Known(outcome) => Poll::Ready(outcome.clone()),
            Outcome::Open(receiver) => {
                let outcome = ready!(Pin::new(receiver).poll(context));
                Poll::Ready(outcome.unwrap_or_else(|_| Err(self.session.ended())))
            }
        }
    }
}

impl Settler {
    /// The CLI took the prompt with line `number`.
    pub(crate) fn begin(&self, number: u64) {
        self.range.begin.fetch_min(number, Ordering::AcqRel);
    }

    /// The turn ended with line `number`.
    pub(crate) fn settle(self, number: u64, outcome: Result<Answer>) {
        // A turn that nothing announced has only its result to show.
        self.range.begin.fetch_min(number, Ordering::AcqRel);
        self.range.end.store(number, Ordering::Release);
        // Nobody may be listening any more.
        let _ = self.outcome.send(outcome);
    }

    /// The prompt will not run.
    pub(crate) fn fail(self, error: Error) {
        let _ = self.outcome.send(Err(error));
    }
}
