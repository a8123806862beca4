//! Questions of the CLI that are open. Each runs in a task of its own and is answered exactly once: by its handler, by a
//! refusal if there is none, or not at all if the CLI takes the question back.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;

#[cfg(feature = "tools")]
use claude_protocol::control::McpAnswer;
use claude_protocol::control::{Ask, CallbackRequest, ElicitationAnswer, McpMessage, ReplyTo, Response};
use claude_protocol::hook::HookCallback;
use claude_protocol::permission::{CanUseTool, PermissionAnswer};
use claude_protocol::{RequestId, ToCli};
#[cfg(feature = "tools")]
use futures_util::FutureExt;
#[cfg(feature = "tools")]
use tokio::select;
#[cfg(feature = "tools")]
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};

use crate::handlers::Handlers;
use crate::hooks::Hook;
use crate::permission::PermissionRequest;
#[cfg(feature = "tools")]
use crate::tools::{Outgoing, ServedTools};

/// What is open, and who answers it.
pub(crate) struct Asks {
    handlers: Arc<Handlers>,
    #[cfg(feature = "tools")]
    tools: Arc<ServedTools>,
    /// What the tools tell the CLI unasked.
    #[cfg(feature = "tools")]
    news: mpsc::UnboundedReceiver<Outgoing>,
    /// The tasks that end with an answer.
    answering: JoinSet<Reply>,
    /// Handlers that may go on after they have answered.
    handling: JoinSet<()>,
    open: HashMap<RequestId, Open>,
    /// Which question a task belongs to.
    names: HashMap<Id, RequestId>,
}

/// What the host has to say.
pub(super) enum Said {
    /// The answer to a question.
    Answer(Box<Reply>),
    /// A message of one of the host's MCP servers.
    #[cfg(feature = "tools")]
    News(Outgoing),
    /// Nothing after all.
    Nothing,
}

/// The answer to a question, as it is written.
pub(super) struct Reply {
    pub(super) line: ToCli,
    /// It denies a tool, and ends the turn.
    pub(super) ends_turn: bool,
}

impl From<ToCli> for Reply {
    fn from(line: ToCli) -> Self {
        Reply { line, ends_turn: false }
    }
}

struct Open {
    /// What to say if the task panics.
    fallback: ToCli,
    answering: AbortHandle,
    handling: Option<AbortHandle>,
}

impl Asks {
    pub(crate) fn new(
        handlers: Arc<Handlers>,
        #[cfg(feature = "tools")] tools: ServedTools,
        #[cfg(feature = "tools")] news: mpsc::UnboundedReceiver<Outgoing>,
    ) -> Self {
        Asks {
            handlers,
            #[cfg(feature = "tools")]
            tools: Arc::new(tools),
            #[cfg(feature = "tools")]
            news,
            answering: JoinSet::new(),
            handling: JoinSet::new(),
            open: HashMap::new(),
            names: HashMap::new(),
        }
    }

    pub(crate) fn handlers(&self) -> &Handlers {
        &self.handlers
    }

    /// The CLI asks.
    pub(super) fn open(&mut self, reply_to: ReplyTo, ask: Ask) {
        if self.open.contains_key(reply_to.id()) {
            // The same question again, as after a new `initialize`: it is being answered.
            return;
        }
        match ask {
            Ask::CanUseTool(ask) => self.ask_permission(reply_to, *ask),
            Ask::HookCallback(callback) => self.call_hook(reply_to, *callback),
            Ask::McpMessage(message) => self.call_tool(reply_to, message),
            Ask::Elicitation(asked) => {
                let id = reply_to.id().clone();
                let handler = self.handlers.elicitation.clone();
                self.answer(reply_to, "The question could not be shown.", async move {
                    let answer = match handler {
                        Some(handler) => handler(*asked).await,
                        None => ElicitationAnswer::decline(),
                    };
                    Response::success(id, &answer).into()
                });
            }
            Ask::UserDialog(asked) => {
                let id = reply_to.id().clone();
                let handler = self.handlers.dialog.clone();
                self.answer(reply_to, "The dialog could not be shown.", async move {
                    match handler {
                        Some(handler) => Response::success(id, &handler(asked).await).into(),
                        None => {
                            Response::error(id, format!("this host shows no dialogs (`{}`)", asked.dialog_kind)).into()
                        }
                    }
                });
            }
            // Unanswered, it would hold up the CLI for ever.
            Ask::Other(other) => {
                let refusal = reply_to.error(format!("this host does not know the request `{}`", other.kind));
                self.answer(reply_to, "not known here", async move { refusal });
            }
        }
    }

    /// The CLI asks in the dialect of old.
    pub(super) fn open_callback(&mut self, request: &CallbackRequest) {
        let reply_to = request.reply_to();
        match request.can_use_tool() {
            Some(ask) => self.open(reply_to, Ask::CanUseTool(Box::new(ask.clone()))),
            None => {
                let refusal = reply_to.error("this host does not know the request");
                self.answer(reply_to, "not known here", async move { refusal });
            }
        }
    }

    /// The CLI takes a question back: whoever is at it stops, and nothing is said.
    pub(super) fn withdraw(&mut self, id: &RequestId) {
        if let Some(open) = self.open.remove(id) {
            open.answering.abort();
            if let Some(handling) = open.handling {
                handling.abort();
            }
        }
    }

    /// The next thing to write. Cancel-safe: what is not taken stays. Pending while there is none.
    pub(super) async fn next(&mut self) -> Said {
        #[cfg(feature = "tools")]
        {
            // What a tool told while it ran goes out before its answer.
            select! {
                biased;
                Some(news) = self.news.recv() => Said::News(news),
                answer = next_answer(&mut self.handling, &mut self.answering) => self.said(answer),
            }
        }
        #[cfg(not(feature = "tools"))]
        {
            let answer = next_answer(&mut self.handling, &mut self.answering).await;
            self.said(answer)
        }
    }

    fn said(&mut self, joined: Joined) -> Said {
        let (task, line) = match joined {
            Ok((task, line)) => (task, Some(line)),
            Err(error) => (error.id(), None),
        };
        // The name may have been given to another question since this one was withdrawn.
        let id =
            self.names.remove(&task).filter(|id| self.open.get(id).is_some_and(|open| open.answering.id() == task));
        match id.and_then(|id| self.open.remove(&id)) {
            Some(open) => Said::Answer(Box::new(line.unwrap_or_else(|| open.fallback.into()))),
            // It was withdrawn.
            None => Said::Nothing,
        }
    }

    /// Answers with what `line` comes to, or with an error of these words if it panics.
    fn answer(&mut self, reply_to: ReplyTo, failure: &str, line: impl Future<Output = ToCli> + Send + 'static) {
        let fallback = reply_to.error(failure);
        self.answer_or(reply_to, fallback, async move { line.await.into() }, None);
    }

    fn answer_or(
        &mut self,
        reply_to: ReplyTo,
        fallback: ToCli,
        reply: impl Future<Output = Reply> + Send + 'static,
        handling: Option<AbortHandle>,
    ) {
        let answering = self.answering.spawn(reply);
        self.names.insert(answering.id(), reply_to.id().clone());
        self.open.insert(reply_to.id().clone(), Open { fallback, answering, handling });
    }

    fn ask_permission(&mut self, reply_to: ReplyTo, ask: CanUseTool) {
        let dropped = reply_to.permission(&PermissionAnswer::deny(&ask, "Nobody decided about this."));
        let Some(handler) = self.handlers.permission.clone() else {
            let denied = PermissionAnswer::deny(&ask, "Nobody is here who could allow this.");
            let line = reply_to.permission(&denied);
            return self.answer_or(reply_to, dropped, async move { line.into() }, None);
        };
        let (request, answer) = PermissionRequest::new(reply_to.id().clone(), ask);
        let handling = self.handling.spawn(async move {
            handler(request).await;
        });
        let (to, fallback) = (reply_to.clone(), dropped.clone());
        let reply = async move {
            // A request that was dropped unanswered is denied, also by a handler that panics.
            let Ok(answer) = answer.await else { return dropped.into() };
            let ends_turn = matches!(&answer, PermissionAnswer::Deny(denial) if denial.interrupt == Some(true));
            Reply { line: to.permission(&answer), ends_turn }
        };
        self.answer_or(reply_to, fallback, reply, Some(handling));
    }

    fn call_hook(&mut self, reply_to: ReplyTo, callback: HookCallback) {
        let id = reply_to.id().clone();
        let Some(hook) = Hook::called(&self.handlers.hooks, &callback).cloned() else {
            let name = callback.callback_id.clone();
            return self.answer(reply_to, "no such hook", async move {
                Response::error(id, format!("this host has no hook `{name}`")).into()
            });
        };
        let fallback = Response::success(id.clone(), &hook.failed("The hook failed.")).into();
        let reply = async move { ToCli::from(Response::success(id, &hook.run(callback).await)).into() };
        self.answer_or(reply_to, fallback, reply, None);
    }

    #[cfg(feature = "tools")]
    fn call_tool(&mut self, reply_to: ReplyTo, message: McpMessage) {
        let tools = Arc::clone(&self.tools);
        let id = reply_to.id().clone();
        let mut answering = Box::pin(async move {
            match tools.handle(&message.server_name, &message.message).await {
                Ok(answer) => {
                    let answer = McpAnswer::new(answer.unwrap_or_else(ServedTools::no_answer));
                    Response::success(id, &answer).into()
                }
                Err(unknown) => Response::error(id, unknown.to_string()).into(),
            }
        });
        // Begun here and now, since tasks may start in any order and a cancellation must not overtake its call.
        match (&mut answering).now_or_never() {
            Some(line) => self.answer(reply_to, "The tool failed.", async move { line }),
            None => self.answer(reply_to, "The tool failed.", answering),
        }
    }

    #[cfg(not(feature = "tools"))]
    fn call_tool(&mut self, reply_to: ReplyTo, message: McpMessage) {
        let refusal = reply_to.error(format!("this host has no tools (`{}`)", message.server_name));
        self.answer(reply_to, "not known here", async move { refusal });
    }
}

type Joined = Result<(Id, Reply), JoinError>;

async fn next_answer(handling: &mut JoinSet<()>, answering: &mut JoinSet<Reply>) -> Joined {
    while handling.try_join_next().is_some() {}
    match answering.join_next_with_id().await {
        Some(joined) => joined,
        None => std::future::pending().await,
    }
}

impl std::fmt::Debug for Asks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Asks").field("open", &self.open.keys()).finish_non_exhaustive()
    }
}
