//! The session's lines for whoever wants them: batches in, events out, each reader at its own pace.
//!
//! The one who appends never waits. A batch is kept as long as a reader has not come by it; when what is kept outgrows the
//! cap, the oldest goes to a temporary file, and the slow reader gets it from there. Without readers nothing is kept.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures_util::Stream;

mod batch;
mod spool;

use crate::event::Event;
use batch::Batch;
pub(crate) use batch::Entries;
use spool::{Region, Spool};

/// Where batches are appended; shared by the session and its readers.
#[derive(Debug)]
pub(crate) struct Log {
    cap: usize,
    partial: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Kept in memory, in order, without a gap.
    batches: VecDeque<Arc<Batch>>,
    /// What they take.
    bytes: usize,
    /// What had to leave memory: older than all of `batches`.
    spool: Option<Spool>,
    /// The number of the next entry.
    next: u64,
    readers: BTreeMap<u64, Reader>,
    last_reader: u64,
    closed: bool,
}

#[derive(Debug)]
struct Reader {
    /// The next entry it wants.
    at: u64,
    waker: Option<Waker>,
}

impl Log {
    pub(crate) fn new(cap: usize, partial: bool) -> Arc<Self> {
        Arc::new(Log { cap, partial, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock, and if it did, the lines would still be in order.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many read.
    #[cfg(test)]
    pub(crate) fn readers(&self) -> usize {
        self.state().readers.len()
    }

    /// The number that the next entry will have.
    pub(crate) fn next(&self) -> u64 {
        self.state().next
    }

    pub(crate) fn append(&self, entries: Entries) {
        if entries.len() == 0 {
            return;
        }
        let mut batch = Batch::new(0, entries);
        let mut state = self.state();
        batch.first = state.next;
        state.next = batch.end();
        if state.readers.is_empty() {
            return;
        }
        state.bytes += batch.bytes;
        state.batches.push_back(Arc::new(batch));
        state.forget_read();
        if state.bytes > self.cap {
            state.spool_down_to(self.cap / 2);
        }
        state.wake_all();
    }

    /// No more will come.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.wake_all();
    }

    /// A reader of all that is appended from now on.
    pub(crate) fn reader(self: &Arc<Self>) -> Events {
        let mut state = self.state();
        state.last_reader += 1;
        let (id, at) = (state.last_reader, state.next);
        state.readers.insert(id, Reader { at, waker: None });
        Events { log: Arc::clone(self), id, at, batch: None }
    }
}

impl State {
    fn wake_all(&mut self) {
        self.readers.values_mut().filter_map(|reader| reader.waker.take()).for_each(Waker::wake);
    }

    /// Lets go of what every reader has read.
    fn forget_read(&mut self) {
        let wanted = self.readers.values().map(|reader| reader.at).min().unwrap_or(self.next);
        while let Some(batch) = self.batches.front().filter(|batch| batch.end() <= wanted) {
            self.bytes -= batch.bytes;
            self.batches.pop_front();
        }
        if let Some(spool) = &mut self.spool {
            spool.forget_before(wanted);
        }
    }

    /// Moves the oldest batches into the file until the rest takes no more than `cap`. If the file cannot be written,
    /// they stay where they are: too much memory is better than a lost line.
    fn spool_down_to(&mut self, cap: usize) {
        while self.bytes > cap
            && let Some(batch) = self.batches.front()
        {
            if self.spool.is_none() {
                self.spool = Spool::new().ok();
            }
            let Some(spool) = &mut self.spool else { return };
            if spool.write(batch).is_err() {
                return;
            }
            self.bytes -= batch.bytes;
            self.batches.pop_front();
        }
    }

    /// The batch with entry `at`, if it is in memory, or else where it is.
    fn find(&self, at: u64) -> Option<Found> {
        let place = self.batches.partition_point(|batch| batch.end() <= at);
        match self.batches.get(place) {
            Some(batch) if batch.first <= at => Some(Found::Kept(Arc::clone(batch))),
            _ => self.spool.as_ref().and_then(|spool| spool.find(at)).map(Found::Spooled),
        }
    }
}

enum Found {
    Kept(Arc<Batch>),
    Spooled(Region),
}

/// Everything a session says, from the moment it was asked for: a [`Stream`] that ends with the session.
///
/// A reader that falls behind costs others nothing and misses nothing: what no longer fits in memory
/// (see [`Claude::memory_limit`](crate::Claude::memory_limit)) waits in a temporary file.
#[derive(Debug)]
pub struct Events {
    log: Arc<Log>,
    id: u64,
    /// The next entry.
    at: u64,
    batch: Option<Arc<Batch>>,
}

impl Events {
    /// The number of the next event.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The next event with its number.
    pub(crate) fn poll_numbered(&mut self, context: &mut Context<'_>) -> Poll<Option<(u64, Event)>> {
        if self.batch.as_ref().is_none_or(|batch| batch.end() <= self.at) {
            let Poll::Ready(found) = self.poll_batch(context) else { return Poll::Pending };
            let region = match found {
                None => return Poll::Ready(None),
                Some(Found::Kept(batch)) => {
                    self.batch = Some(batch);
                    return Poll::Ready(self.take());
                }
                Some(Found::Spooled(region)) => region,
            };
            // The file is read without the lock: a slow disk must not hold up the session.
            self.batch = region.read().map(Arc::new);
            if self.batch.is_none() {
                let at = std::mem::replace(&mut self.at, region.end());
                return Poll::Ready(Some((at, Event::Lost { lines: self.at - at })));
            }
        }
        Poll::Ready(self.take())
    }

    fn take(&mut self) -> Option<(u64, Event)> {
        let batch = self.batch.as_ref()?;
        let at = self.at;
        self.at += 1;
        Some((at, batch.event(at, self.log.partial)))
    }

    fn poll_batch(&mut self, context: &mut Context<'_>) -> Poll<Option<Found>> {
        // Bound before the lock, so that what was read is freed after it.
        let _read = self.batch.take();
        let mut state = self.log.state();
        let (next, closed) = (state.next, state.closed);
        let Some(reader) = state.readers.get_mut(&self.id) else { return Poll::Ready(None) };
        reader.at = self.at;
        if self.at < next {
            state.forget_read();
            return Poll::Ready(state.find(self.at));
        }
        reader.waker = Some(context.waker().clone());
        state.forget_read();
        if closed { Poll::Ready(None) } else { Poll::Pending }
    }
}

impl Stream for Events {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        self.poll_numbered(context).map(|event| event.map(|(_, event)| event))
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let mut state = self.log.state();
        state.readers.remove(&self.id);
        state.forget_read();
    }
}

#[cfg(test)]
mod tests;
