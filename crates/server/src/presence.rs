//! Who else watches: how many screens each session has. Kept nowhere.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// How many screens watch each session.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    watchers: Mutex<HashMap<String, usize>>,
    revision: watch::Sender<u64>,
}

impl Presence {
    pub(crate) fn come(&self, session: &str) {
        *self.lock().entry(session.to_owned()).or_default() += 1;
        self.tell();
    }

    pub(crate) fn leave(&self, session: &str) {
        let mut watchers = self.lock();
        if let Some(count) = watchers.get_mut(session) {
            *count -= 1;
            if *count == 0 {
                watchers.remove(session);
            }
        }
        drop(watchers);
        self.tell();
    }

    pub(crate) fn watchers(&self, session: &str) -> usize {
        self.lock().get(session).copied().unwrap_or_default()
    }

    /// Changes when anybody comes or leaves.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }

    fn tell(&self) {
        self.revision.send_modify(|revision| *revision += 1);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
