//! Requests of the host that wait for an answer of the CLI, without any I/O.

use std::collections::HashMap;

use claude_protocol::RequestId;
use claude_protocol::control::Response;

/// Who waits for what.
#[derive(Debug)]
pub(crate) struct Requests<T> {
    waiting: HashMap<RequestId, T>,
}

impl<T> Requests<T> {
    pub(crate) fn new() -> Self {
        Requests { waiting: HashMap::new() }
    }

    /// A request goes out.
    pub(crate) fn sent(&mut self, id: RequestId, waiter: T) {
        self.waiting.insert(id, waiter);
    }

    /// Nobody waits for it any more.
    pub(crate) fn forget(&mut self, id: &RequestId) {
        self.waiting.remove(id);
    }

    /// Who waits for this answer. Nobody, for a second answer (old CLIs give one to `set_permission_mode`), for one that
    /// came too late, and for one that names no request.
    pub(crate) fn answered(&mut self, response: &Response) -> Option<T> {
        self.waiting.remove(response.response.request_id.as_ref()?)
    }

    /// How many wait.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.waiting.len()
    }

    /// The session is over.
    pub(crate) fn abandon(&mut self) {
        self.waiting.clear();
    }
}
