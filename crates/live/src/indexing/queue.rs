//! What waits for the thread that has the index: jobs in, one at a time out. It can wait for minutes, while the index is made
//! anew from long logs. So only a few batches are kept; of who has more it is noted that the log has what the index lacks.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use journal::{Batch, Folder, SessionRow, Snapshot};
use tokio::sync::oneshot;

/// So many batches wait at most. One is of about 256 KB, or of less and at the end of a turn.
pub(super) const MOST: usize = 64;

pub(super) enum Job {
    Write(Box<Batch>, Folder),
    Remove(String),
    Checkpoint(Box<Snapshot>, Folder),
    CatchUp(Box<dyn FnOnce(Vec<SessionRow>) + Send>),
    /// What the index lacks of a session, from its log.
    CatchUpOne(Folder),
    /// What came before it is done.
    Tell(oneshot::Sender<()>),
}

/// The jobs that wait.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct Waiting {
    jobs: VecDeque<Job>,
    /// How many of the jobs are batches.
    batches: usize,
    /// Sessions whose batches were too many, and the last checkpoint of each: they come when there are no jobs.
    behind: BTreeMap<String, Behind>,
    /// How often the whole index is still to be caught up.
    catching_up: usize,
    is_closed: bool,
}

struct Behind {
    folder: Folder,
    checkpoint: Option<Box<Snapshot>>,
}

impl Queue {
    pub(super) fn add(&self, job: Job) {
        self.waiting().add(job);
        self.changed.notify_one();
    }

    /// Resolves when every job so far is done. `None` while the whole index is being caught up, which can take minutes.
    pub(super) fn settled(&self) -> Option<oneshot::Receiver<()>> {
        let mut waiting = self.waiting();
        if waiting.catching_up > 0 || waiting.is_closed {
            return None;
        }
        let (tell, told) = oneshot::channel();
        waiting.add(Job::Tell(tell));
        self.changed.notify_one();
        Some(told)
    }

    /// The whole index was caught up.
    pub(super) fn caught_up(&self) {
        self.waiting().catching_up -= 1;
    }

    /// The worker has ended: drops all jobs, which wakes everything that waits for them.
    pub(super) fn end(&self) {
        let mut waiting = self.waiting();
        waiting.is_closed = true;
        waiting.jobs.clear();
    }

    /// No more will come.
    pub(super) fn close(&self) {
        self.waiting().is_closed = true;
        self.changed.notify_one();
    }

    /// Waits for the next job; none when the queue is closed and all is done.
    pub(super) fn next(&self) -> Option<Job> {
        let mut waiting = self.waiting();
        loop {
            match waiting.take() {
                None if !waiting.is_closed => {}
                job => return job,
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn add(&mut self, job: Job) {
        if let Job::Checkpoint(_, folder) = &job {
            // The newer one would be put in its place.
            self.jobs.retain(|job| !matches!(job, Job::Checkpoint(_, other) if other == folder));
        }
        match job {
            // A batch behind one that was left out could not be written: the log has both.
            Job::Write(_, folder) if self.batches >= MOST || self.behind.contains_key(&folder.id()) => {
                self.behind.entry(folder.id()).or_insert(Behind { folder, checkpoint: None });
            }
            Job::Checkpoint(snapshot, folder) if self.behind.contains_key(&folder.id()) => {
                self.behind.insert(folder.id(), Behind { folder, checkpoint: Some(snapshot) });
            }
            job => {
                self.batches += usize::from(matches!(job, Job::Write(..)));
                self.catching_up += usize::from(matches!(job, Job::CatchUp(_)));
                self.jobs.push_back(job);
            }
        }
    }

    fn take(&mut self) -> Option<Job> {
        if let Some(job) = self.jobs.pop_front() {
            self.batches -= usize::from(matches!(job, Job::Write(..)));
            return Some(job);
        }
        let (_, Behind { folder, checkpoint }) = self.behind.pop_first()?;
        // The index comes first: a checkpoint is never ahead of it.
        self.jobs.extend(checkpoint.map(|snapshot| Job::Checkpoint(snapshot, folder.clone())));
        Some(Job::CatchUpOne(folder))
    }

    /// How many batches and checkpoints are held.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        let checkpoints = self.jobs.iter().filter(|job| matches!(job, Job::Checkpoint(..))).count();
        self.batches + checkpoints + self.behind.values().filter(|behind| behind.checkpoint.is_some()).count()
    }
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (jobs, behind) = (self.jobs.len(), self.behind.len());
        formatter.debug_struct("Waiting").field("jobs", &jobs).field("behind", &behind).finish_non_exhaustive()
    }
}
