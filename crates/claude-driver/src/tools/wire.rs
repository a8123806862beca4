//! The wire between the CLI and one server: JSON-RPC messages of the CLI in, answers and the server's own messages out.
//!
//! `rmcp` reads and writes a [`Transport`]; here it is a queue on one side and a table of waiting requests on the other,
//! since each message of the CLI comes in a control request that wants its own answer.

use std::borrow::Cow;
use std::collections::HashMap;
use std::convert::Infallible;
use std::future::ready;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use claude_protocol::Raw;
use futures_util::FutureExt;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification, ClientRequest,
    JsonRpcMessage, JsonRpcRequest, ProtocolVersion, RequestId, ServerConfig, ServerJsonRpcMessage, ServerResult,
};
use rmcp::service::{DynService, NotificationContext, RequestContext, RunningService, Service};
use rmcp::transport::Transport;
use rmcp::{ErrorData, RoleServer};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::served::Outgoing;

/// One server at work. Dropping it cancels its calls and ends its tasks.
pub(super) struct Line {
    to_server: mpsc::UnboundedSender<ClientJsonRpcMessage>,
    waiting: Waiting,
    _running: RunningService<RoleServer, Guarded>,
}

impl Line {
    /// Starts a server; what it says of its own accord goes to `notify`.
    pub(super) fn start(
        server: &str,
        service: Arc<dyn DynService<RoleServer>>,
        notify: mpsc::UnboundedSender<Outgoing>,
    ) -> Line {
        let (to_server, messages) = mpsc::unbounded_channel();
        let waiting = Waiting::default();
        let wire = Wire { server: server.to_owned(), messages, waiting: waiting.clone(), notify };
        let ended = CancellationToken::new();
        let guarded = Guarded { service, ended: ended.clone() };
        // The handshake is a request like any other: a CLI that connects again may make it twice.
        let running = rmcp::service::serve_directly_with_ct(guarded, wire, None, ended);
        Line { to_server, waiting, _running: running }
    }

    /// The answer to a message of the CLI; `None` for one that has no answer.
    pub(super) async fn handle(&self, message: &Raw) -> Option<Raw> {
        match message.parse::<ClientJsonRpcMessage>() {
            Ok(JsonRpcMessage::Request(request)) => self.request(request).await,
            Ok(message) => {
                self.tell(message);
                None
            }
            Err(error) => {
                let refusal = ErrorData::invalid_request(format!("no JSON-RPC message: {error}"), None);
                raw(&ServerJsonRpcMessage::error(refusal, None))
            }
        }
    }

    async fn request(&self, mut request: JsonRpcRequest<ClientRequest>) -> Option<Raw> {
        let id = request.id.clone();
        let (ticket, answer) = self.waiting.enter(&id);
        request.id = ticket.request_id();
        let withdraw = Withdraw { line: self, ticket };
        let answer = match self.to_server.send(JsonRpcMessage::Request(request)) {
            Ok(()) => answer.await.ok(),
            Err(_ended) => None,
        };
        drop(withdraw);
        raw(&answer.unwrap_or_else(|| refusal(&id, "the server has ended")))
    }

    /// Hands over a notification, or the answer to a request of the server.
    fn tell(&self, mut message: ClientJsonRpcMessage) {
        if let JsonRpcMessage::Notification(notification) = &mut message
            && let ClientNotification::CancelledNotification(cancelled) = &mut notification.notification
        {
            let Some(id) = cancelled.params.request_id.clone() else { return };
            let Some(ticket) = self.waiting.newest(&id) else { return };
            cancelled.params.request_id = Some(ticket.request_id());
            // The server says nothing more about a cancelled request, so whoever waits for it is told here.
            self.waiting.settle(ticket, refusal(&id, "the request was cancelled"));
        }
        // A server that has ended needs to know nothing.
        let _ = self.to_server.send(message);
    }
}

#[cfg(test)]
impl Line {
    /// Ends the server while the line stays, as a fault in it would.
    pub(super) fn end(&self) {
        self._running.cancellation_token().cancel();
    }
}

/// Cancels a request whose answer nobody waits for any more; without effect when it is answered.
struct Withdraw<'a> {
    line: &'a Line,
    ticket: Ticket,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        if self.line.waiting.leave(self.ticket) {
            let cancelled = CancelledNotificationParam::new(Some(self.ticket.request_id()), None);
            let cancelled = ClientNotification::CancelledNotification(CancelledNotification::new(cancelled));
            let _ = self.line.to_server.send(JsonRpcMessage::notification(cancelled));
        }
    }
}

/// Our own id of a request. A CLI that connects again counts its ids from the start, while calls from before may still
/// run: the server gets ids that never come twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Ticket(i64);

impl Ticket {
    fn request_id(self) -> RequestId {
        RequestId::Number(self.0)
    }
}

/// The requests that wait for an answer.
#[derive(Clone, Default)]
struct Waiting(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    calls: HashMap<Ticket, Call>,
    last: i64,
}

struct Call {
    /// The id that the CLI gave.
    id: RequestId,
    answer: oneshot::Sender<ServerJsonRpcMessage>,
}

impl Waiting {
    fn enter(&self, id: &RequestId) -> (Ticket, oneshot::Receiver<ServerJsonRpcMessage>) {
        let (sender, answer) = oneshot::channel();
        let mut table = self.lock();
        table.last += 1;
        let ticket = Ticket(table.last);
        table.calls.insert(ticket, Call { id: id.clone(), answer: sender });
        (ticket, answer)
    }

    /// The newest request with this id of the CLI.
    fn newest(&self, id: &RequestId) -> Option<Ticket> {
        self.lock().calls.iter().filter(|(_, call)| call.id == *id).map(|(ticket, _)| *ticket).max()
    }

    /// Gives the answer to whoever waits for it, under the id that the CLI gave.
    fn settle(&self, ticket: Ticket, mut answer: ServerJsonRpcMessage) {
        let Some(call) = self.lock().calls.remove(&ticket) else { return };
        match &mut answer {
            JsonRpcMessage::Response(response) => response.id = call.id,
            JsonRpcMessage::Error(error) => error.id = Some(call.id),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => {}
        }
        let _ = call.answer.send(answer);
    }

    /// Takes out a request that was not answered; was it still there?
    fn leave(&self, ticket: Ticket) -> bool {
        self.lock().calls.remove(&ticket).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of the wire that `rmcp` holds.
struct Wire {
    server: String,
    messages: mpsc::UnboundedReceiver<ClientJsonRpcMessage>,
    waiting: Waiting,
    notify: mpsc::UnboundedSender<Outgoing>,
}

impl Transport<RoleServer> for Wire {
    type Error = Infallible;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        let answers = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        match answers {
            Some(RequestId::Number(ticket)) => self.waiting.settle(Ticket(ticket), message),
            // All requests that the server knows have numbers.
            Some(RequestId::String(_)) => {}
            None => {
                // Nobody listens when the session is ending.
                let _ =
                    raw(&message).map(|message| self.notify.send(Outgoing { server: self.server.clone(), message }));
            }
        }
        ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Drop for Wire {
    /// Whatever ends the server, nobody waits for it for ever.
    fn drop(&mut self) {
        self.messages.close();
        self.waiting.lock().calls.clear();
    }
}

/// A server whose panics are error answers, and whose work ends with the session.
struct Guarded {
    service: Arc<dyn DynService<RoleServer>>,
    ended: CancellationToken,
}

impl Service<RoleServer> for Guarded {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        self.guard(self.service.handle_request(request, context)).await
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.guard(self.service.handle_notification(notification, context)).await
    }

    fn get_info(&self) -> ServerConfig {
        self.service.get_info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.service.supported_protocol_versions()
    }
}

impl Guarded {
    async fn guard<T>(&self, work: impl Future<Output = Result<T, ErrorData>>) -> Result<T, ErrorData> {
        tokio::select! {
            biased;
            () = self.ended.cancelled() => Err(ErrorData::internal_error("the session has ended", None)),
            ended = AssertUnwindSafe(work).catch_unwind() => {
                ended.unwrap_or_else(|_panic| Err(ErrorData::internal_error("the server panicked", None)))
            }
        }
    }
}

fn refusal(id: &RequestId, text: &'static str) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(ErrorData::internal_error(text, None), Some(id.clone()))
}

/// The message as text. What `rmcp` made of its own types is JSON without fail.
fn raw(message: &ServerJsonRpcMessage) -> Option<Raw> {
    Raw::from_value(message).ok()
}
