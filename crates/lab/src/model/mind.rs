//! The script behind a model, with its gates and what it was asked: what the scripted agent takes its replies from.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::watch;

use super::choose::{Choice, Chooser, RequestKind};
use crate::error::LabError;
use crate::script::Script;

/// The gate that is always the last one: it opens when the model is dropped.
pub(super) const END: &str = "*";

/// A request as the model saw it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The path with its query.
    pub path: String,
    /// The JSON body, or null when there was none.
    pub body: Value,
    /// What kind of call it was.
    pub kind: RequestKind,
}

/// The script behind a model, without its port.
#[derive(Clone, Debug)]
pub(crate) struct Mind {
    pub(super) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) chooser: Mutex<Chooser>,
    pub(super) requests: watch::Sender<Vec<Request>>,
    gates: watch::Sender<BTreeSet<String>>,
}

impl Mind {
    pub(crate) fn new(script: Script) -> Result<Mind, LabError> {
        let shared = Shared {
            chooser: Mutex::new(Chooser::new(script)?),
            requests: watch::Sender::new(Vec::new()),
            gates: watch::Sender::new(BTreeSet::new()),
        };
        Ok(Mind { shared: Arc::new(shared) })
    }

    /// The reply to a request of the story, which is kept like one that came over HTTP.
    pub(crate) fn think(&self, request: Value) -> Choice {
        let choice = lock(&self.shared.chooser).choose(&request, RequestKind::Story);
        let request = Request { path: "/v1/messages".to_owned(), body: request, kind: RequestKind::Story };
        self.shared.requests.send_modify(|requests| requests.push(request));
        choice
    }

    /// Opens a gate for good.
    pub(crate) fn release(&self, gate: &str) {
        self.shared.release(gate);
    }

    /// Waits at a gate; a gate that nobody opens holds forever.
    pub(crate) async fn pass(&self, gate: &str) {
        if !self.shared.pass(gate).await {
            std::future::pending::<()>().await;
        }
    }
}

impl Shared {
    pub(super) fn release(&self, gate: &str) {
        self.gates.send_modify(|open| {
            open.insert(gate.to_owned());
        });
    }

    /// Waits at a gate; `false` when the model ended first.
    pub(super) async fn pass(&self, gate: &str) -> bool {
        let mut gates = self.gates.subscribe();
        match gates.wait_for(|open| open.contains(gate) || open.contains(END)).await {
            Ok(open) => open.contains(gate),
            Err(_) => false,
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
