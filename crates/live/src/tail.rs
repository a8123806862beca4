//! The records of a session one after the other, as they come to be: those of the log first, then new ones.

use insights::Record;
use journal::Reader;
use tokio::sync::watch;

use crate::error::Result;
use crate::session::Session;

/// Reads along with a session. A record is given when the session's state contains it, never before.
#[derive(Debug)]
pub struct Tail {
    session: Session,
    reader: Reader,
    progress: watch::Receiver<u64>,
    /// Read from the log before the state contained it.
    early: Option<Record>,
}

impl Tail {
    /// The records after `seq`.
    pub fn after(session: &Session, seq: u64) -> Result<Tail> {
        let reader = Reader::after(session.folder().clone(), seq)?;
        Ok(Tail { session: session.clone(), reader, progress: session.progress(), early: None })
    }

    /// The next record, if it is there already. With a long log this may take a while, and is for a thread that may wait.
    pub fn next_now(&mut self) -> Result<Option<Record>> {
        let known = *self.progress.borrow_and_update();
        if self.early.is_none() {
            self.early = self.reader.next_record()?;
        }
        Ok(self.early.take_if(|record| record.seq <= known))
    }

    /// The next record; `None` when no agent runs and all of them were given. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Result<Option<Record>> {
        let mut agent = self.session.shared.agent_changes();
        loop {
            let running = agent.borrow_and_update().is_some();
            if let Some(record) = self.next_now()? {
                return Ok(Some(record));
            }
            if !running && self.early.is_none() {
                return Ok(None);
            }
            tokio::select! {
                _ = self.progress.changed() => {}
                _ = agent.changed() => {}
            }
        }
    }
}
