//! What is derived, beside the live path: batches for the index and checkpoints in, written one after the other on a thread
//! of its own. What fails is made good later: the index is caught up, the next checkpoint comes; the logs are the truth.

mod queue;

use std::sync::Arc;

use journal::{Batch, Data, Error, Filter, Folder, Index, Progress, SessionRow, SortBy};
use tokio::sync::watch;

use crate::pipeline::Due;
use queue::{Job, Queue};

/// The thread that has the index and writes checkpoints. It ends when this is dropped and its work is done.
#[derive(Debug)]
pub(crate) struct Indexing {
    queue: Arc<Queue>,
    progress: watch::Receiver<Option<Progress>>,
}

impl Indexing {
    pub(crate) fn start(data: Data) -> Indexing {
        let queue = Arc::new(Queue::default());
        let (tell, progress) = watch::channel(None);
        let jobs = queue.clone();
        std::thread::spawn(move || {
            let jobs = Worker(jobs);
            let mut index = None;
            while let Some(job) = jobs.0.next() {
                let is_catch_up = matches!(job, Job::CatchUp(_));
                let _ = work(&mut index, &data, job, &tell);
                if is_catch_up {
                    jobs.0.caught_up();
                }
            }
        });
        Indexing { queue, progress }
    }

    /// Writes a batch, when its turn comes.
    pub(crate) fn write(&self, batch: Batch, folder: &Folder) {
        self.queue.add(Job::Write(Box::new(batch), folder.clone()));
    }

    /// Takes a session out, when its turn comes.
    pub(crate) fn remove(&self, session: &str) {
        self.queue.add(Job::Remove(session.to_owned()));
    }

    /// Writes a checkpoint when its turn comes, and before it what the index lacks.
    pub(crate) fn checkpoint(&self, due: Due, folder: &Folder) {
        if let Some(batch) = due.batch {
            self.write(batch, folder);
        }
        self.queue.add(Job::Checkpoint(Box::new(due.snapshot), folder.clone()));
    }

    /// Brings the index to where the logs are, and hands all its sessions over.
    pub(crate) fn catch_up(&self, then: impl FnOnce(Vec<SessionRow>) + Send + 'static) {
        self.queue.add(Job::CatchUp(Box::new(then)));
    }

    pub(crate) fn progress(&self) -> watch::Receiver<Option<Progress>> {
        self.progress.clone()
    }

    /// Waits until everything handed over so far is in the index. Returns at once while the whole index is being caught up.
    pub(crate) async fn settled(&self) {
        if let Some(settled) = self.queue.settled() {
            let _ = settled.await;
        }
    }
}

/// The thread that works through the jobs. When it ends, even by a panic, nothing keeps waiting for it.
struct Worker(Arc<Queue>);

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Drop for Indexing {
    fn drop(&mut self) {
        self.queue.close();
    }
}

fn work(
    index: &mut Option<Index>,
    data: &Data,
    job: Job,
    tell: &watch::Sender<Option<Progress>>,
) -> journal::Result<()> {
    match job {
        Job::Checkpoint(snapshot, folder) => snapshot.write(&folder),
        // It was removed while its last batch was on its way here.
        Job::Write(_, folder) | Job::CatchUpOne(folder) if !folder.has_log() => Ok(()),
        Job::Write(batch, folder) => {
            let index = opened(index, data)?;
            match index.write(&batch) {
                // It was damaged or deleted meanwhile, or somebody else has not come so far.
                Err(Error::Gap { .. } | Error::IndexDamaged { .. }) => index.catch_up_session(&folder).map(|_| ()),
                written => written.map(|_| ()),
            }
        }
        Job::CatchUpOne(folder) => opened(index, data)?.catch_up_session(&folder).map(|_| ()),
        Job::Remove(session) => opened(index, data)?.remove(&session),
        Job::Tell(tell) => {
            // The caller may have given up.
            let _ = tell.send(());
            Ok(())
        }
        Job::CatchUp(then) => {
            let index = opened(index, data)?;
            let caught_up = index.catch_up(data, |progress| _ = tell.send_replace(Some(*progress)));
            tell.send_replace(None);
            caught_up?;
            then(index.list(&Filter::default(), SortBy::Active, usize::MAX, None)?.rows);
            Ok(())
        }
    }
}

/// The index. One that cannot be opened now may be openable later.
fn opened<'a>(index: &'a mut Option<Index>, data: &Data) -> journal::Result<&'a mut Index> {
    match index {
        Some(index) => Ok(index),
        None => Ok(index.insert(Index::open(data)?)),
    }
}

#[cfg(test)]
mod tests;
