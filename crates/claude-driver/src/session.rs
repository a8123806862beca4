//! A running session: the handle that everything is asked through.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

#[cfg(feature = "tools")]
use claude_protocol::Raw;
use claude_protocol::content::Content;
#[cfg(feature = "tools")]
use claude_protocol::control::McpMessage;
use claude_protocol::control::{Command, InitializeAnswer, RequestToCli};
use claude_protocol::from_cli::system::init::Init;
use claude_protocol::to_cli::Priority;
use claude_protocol::{Prompt, RequestId, SessionId, ToCli, Uuid, encode};
use tokio::sync::{mpsc, oneshot, watch};

mod control;
mod interrupt;

pub use control::Switch;
pub use interrupt::{Interrupt, Interrupted};

use crate::actor::{Actor, Asks, Order, Outgoing, Patience};
use crate::error::{Ending, Error, Exit, Result};
use crate::launch::files::Files;
use crate::launch::notice::Notice;
use crate::launch::version::Version;
use crate::log::{Events, Log};
use crate::transport::Parts;
use crate::turn::Turn;

/// A running Claude Code. A handle: cheap to clone, to be shared between tasks; the session ends when the last one (and the
/// last [`Turn`]) is dropped, or by [`Session::close`].
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) shared: Arc<Shared>,
    orders: mpsc::UnboundedSender<Order>,
}

/// What all handles and the actor know.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) log: Arc<Log>,
    /// How the session ended, as soon as that is known.
    pub(crate) exit: watch::Sender<Option<Arc<Exit>>>,
    /// Nothing of the CLI is left.
    pub(crate) gone: watch::Sender<bool>,
    facts: Facts,
    last_request: AtomicU64,
    init: Mutex<Option<Arc<Init>>>,
    initialized: OnceLock<InitializeAnswer>,
}

/// What is known of a session before it says anything.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) pid: Option<u32>,
    pub(crate) version: Option<Version>,
    pub(crate) notices: Vec<Notice>,
    /// How long the CLI may take to answer a request.
    pub(crate) request_limit: Duration,
    /// Tells our requests from those of others who talk to the same CLI.
    pub(crate) nonce: String,
    /// Files that the CLI reads, deleted when the session is over.
    #[expect(dead_code, reason = "held, so that they are deleted with the session")]
    pub(crate) files: Option<Files>,
}

/// What becomes of a prompt while another one is being answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// It waits here until the others are answered.
    InTurn,
    /// It goes to the CLI at once.
    AtOnce,
}

/// How a session runs.
pub(crate) struct Running {
    pub(crate) line_limit: usize,
    pub(crate) memory_limit: usize,
    pub(crate) partial: bool,
    pub(crate) patience: Patience,
}

impl Session {
    /// Starts the actor over these pipes.
    pub(crate) fn open(parts: Parts, running: &Running, facts: Facts, asks: Asks) -> Self {
        let (session, receiver) = Session::unheard(running, facts);
        let shared = Arc::clone(&session.shared);
        tokio::spawn(Actor::new(parts, running.line_limit, receiver, asks, shared, running.patience).run());
        session
    }

    /// A session, and what is asked of it.
    pub(crate) fn unheard(running: &Running, facts: Facts) -> (Self, mpsc::UnboundedReceiver<Order>) {
        let (orders, receiver) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            log: Log::new(running.memory_limit, running.partial),
            exit: watch::Sender::new(None),
            gone: watch::Sender::new(false),
            facts,
            last_request: AtomicU64::new(0),
            init: Mutex::default(),
            initialized: OnceLock::new(),
        });
        (Session { shared, orders }, receiver)
    }

    /// Sends a prompt, to be answered in a turn of its own: while another prompt is being answered it waits.
    ///
    /// Never blocks. To reach a turn that is running, see [`Session::steer`] and [`Session::send_now`].
    pub fn send(&self, prompt: impl Into<Prompt>) -> Turn {
        self.prompt(prompt.into(), When::InTurn)
    }

    /// Sends a prompt at once. If a turn is running, the CLI folds it in after the next tool, or runs it next; several that
    /// wait may become one turn, and then share its result.
    pub fn steer(&self, prompt: impl Into<Prompt>) -> Turn {
        self.prompt(prompt.into(), When::AtOnce)
    }

    /// Sends a prompt that cuts off the answer that is being made (2.1.325; older versions run it next).
    pub fn send_now(&self, prompt: impl Into<Prompt>) -> Turn {
        let mut prompt = prompt.into();
        prompt.priority = Some(Priority::Now);
        self.prompt(prompt, When::AtOnce)
    }

    fn prompt(&self, mut prompt: Prompt, when: When) -> Turn {
        let uuid = prompt.uuid.get_or_insert_with(|| Uuid::from(uuid::Uuid::new_v4().to_string())).clone();
        let is_command = match &prompt.message.content {
            Content::Text(text) => text.starts_with('/'),
            Content::Blocks(blocks) => {
                blocks.first().and_then(|block| block.as_text()).is_some_and(|text| text.starts_with('/'))
            }
        };
        // The reader first: what the prompt causes must not pass it by.
        let (turn, settler) = Turn::new(self.clone(), uuid.clone(), self.shared.log.reader());
        let line = encode(&ToCli::from(prompt));
        self.order(Order::Prompt(Box::new(Outgoing { line, uuid, is_command, when, turn: settler })));
        turn
    }

    /// Everything the session says from now on, also between turns and in turns that the CLI starts by itself.
    pub fn events(&self) -> Events {
        self.shared.log.reader()
    }

    /// Waits until every prompt is answered. Background work of the CLI may still go on.
    pub async fn idle(&self) -> Result<()> {
        let (reply, idle) = oneshot::channel();
        self.order(Order::WhenIdle(reply));
        idle.await.map_err(|_| self.ended())
    }

    /// Ends the session: no more input, time to finish (see [`Claude::grace`](crate::Claude::grace)), then the signal, then
    /// the kill. Whatever the CLI has started ends with it. An answer that is being made may still be finished.
    pub async fn close(&self) -> Result<Arc<Exit>> {
        self.order(Order::End(Ending::Closed));
        Ok(self.exited().await)
    }

    /// Asks the CLI by signal to end now, and kills it if it does not.
    pub async fn terminate(&self) -> Arc<Exit> {
        self.order(Order::End(Ending::Terminated));
        self.exited().await
    }

    /// Ends the CLI and all it has started, at once.
    pub async fn kill(&self) -> Arc<Exit> {
        self.order(Order::End(Ending::Killed));
        self.exited().await
    }

    /// Waits for the end of the session, whatever ends it, and until nothing of the CLI is left.
    pub async fn exited(&self) -> Arc<Exit> {
        // The sender is in `shared`, which we hold, so it cannot be gone.
        let _ = self.shared.gone.subscribe().wait_for(|gone| *gone).await;
        self.shared.exit.borrow().clone().unwrap_or_else(|| Arc::new(Exit::unknown()))
    }

    /// The CLI's session id, once it is known: with the first turn, unless it was chosen. It changes with `/clear`.
    pub fn id(&self) -> Option<SessionId> {
        self.init().and_then(|init| init.session_id.clone())
    }

    /// What the CLI said about itself at the start of the last turn: tools, model, mode, folder.
    pub fn init(&self) -> Option<Arc<Init>> {
        self.shared.init.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the CLI answered to `initialize`: commands, models, agents, account.
    pub fn catalog(&self) -> Option<&InitializeAnswer> {
        self.shared.initialized.get()
    }

    /// The CLI's version, if it was asked.
    pub fn version(&self) -> Option<&Version> {
        self.shared.facts.version.as_ref()
    }

    /// The CLI's process id, where it is a process of ours.
    pub fn pid(&self) -> Option<u32> {
        self.shared.facts.pid
    }

    /// What one should know about how the session was started.
    pub fn notices(&self) -> &[Notice] {
        &self.shared.facts.notices
    }

    /// Why nothing can be asked of the session any more.
    pub(crate) fn ended(&self) -> Error {
        let exit = self.shared.exit.borrow().clone();
        Error::Exited(exit.unwrap_or_else(|| Arc::new(Exit::unknown())))
    }

    pub(crate) fn order(&self, order: Order) {
        // If the actor is gone, the order is dropped, and with it what would answer: whoever waits is told.
        let _ = self.orders.send(order);
    }

    pub(crate) fn initialized(&self, answer: InitializeAnswer) {
        // A second `initialize` is never sent.
        let _ = self.shared.initialized.set(answer);
    }
}

impl Shared {
    /// A name for the next request, and its line.
    pub(crate) fn request(&self, command: Command) -> (RequestId, String) {
        let number = self.last_request.fetch_add(1, Ordering::Relaxed) + 1;
        let id = RequestId::from(format!("{}-{number}", self.facts.nonce));
        let line = encode(&ToCli::ControlRequest(Box::new(RequestToCli::new(id.clone(), command))));
        (id, line)
    }

    /// A message of one of the host's MCP servers, as a line. The CLI's answer says nothing, so nobody waits for it.
    #[cfg(feature = "tools")]
    pub(crate) fn mcp_line(&self, server: String, message: Raw) -> String {
        self.request(McpMessage::new(server, message).into()).1
    }

    /// A turn begins.
    pub(crate) fn began(&self, init: &Init) {
        *self.init.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(init.clone()));
    }
}
