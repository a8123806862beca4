//! Watching transcripts while terminals write them: folders in; what changes out, as it happens.
//!
//! Files are looked at again and again. A look costs a call of the system for each file and reads nothing that it has seen,
//! works on every file system, and has no limit of folders that can be watched.

use std::time::Duration;

use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::files::Transcript;
use super::known::Known;
use super::list::{Changed, Projects};
use super::read::{Dated, Entries};
use crate::error::Result;

/// How often the list is looked at; terminals begin sessions rarely.
pub const LIST_PAUSE: Duration = Duration::from_secs(2);

/// How often a session is looked at that somebody watches.
pub const SESSION_PAUSE: Duration = Duration::from_millis(250);

/// How much may wait for whoever reads.
const WAITING: usize = 256;

/// Tells what changes among the sessions of a CLI: first all that are there. Ends when nobody listens.
pub fn watch(mut projects: Projects, pause: Duration) -> Receiver<Changed> {
    let (tell, told) = channel(WAITING);
    tokio::spawn(async move {
        loop {
            let look = spawn_blocking(move || {
                let changes = projects.changes();
                (projects, changes)
            });
            let Ok((back, changes)) = look.await else { return };
            projects = back;
            for change in changes {
                if tell.send(change).await.is_err() {
                    return;
                }
            }
            if !rest(&tell, pause).await {
                return;
            }
        }
    });
    told
}

/// Tells the entries of a session that are not `known`, and goes on while they are written. Ends when nobody listens, or with
/// an error when a file cannot be read.
pub fn follow(transcript: &Transcript, known: Known, pause: Duration) -> Receiver<Result<Dated>> {
    let (tell, told) = channel(WAITING);
    let mut entries = Entries::following(transcript, known);
    tokio::spawn(async move {
        loop {
            let handed = tell.clone();
            let look = spawn_blocking(move || {
                let goes_on = hand_on(&mut entries, &handed);
                (entries, goes_on)
            });
            let Ok((back, true)) = look.await else { return };
            entries = back;
            if !rest(&tell, pause).await {
                return;
            }
        }
    });
    told
}

/// Hands on all that is there. False if there is nobody to hand it to, or nothing more to come.
fn hand_on(entries: &mut Entries, tell: &Sender<Result<Dated>>) -> bool {
    while let Some(entry) = entries.next_entry().transpose() {
        let is_end = entry.is_err();
        if tell.blocking_send(entry).is_err() || is_end {
            return false;
        }
    }
    true
}

/// Waits; false if nobody listens any more.
async fn rest<T>(tell: &Sender<T>, pause: Duration) -> bool {
    tokio::select! {
        () = sleep(pause) => true,
        () = tell.closed() => false,
    }
}
