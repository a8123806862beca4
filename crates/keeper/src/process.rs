//! A keeper from its start to its end: a folder and a launch in; the session runs, and nothing of it is left.

use claude_driver::Parts;
use insights::{HostFact, UnixMillis};
use journal::{Folder, Writer};
use tokio::net::UnixListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, oneshot, watch};

use crate::error::Error;
use crate::keep::{Keep, Progress};
use crate::launch::Launch;
use crate::{place, socket};

/// Runs the session in `folder` until its agent and all that came from it is gone, and clients have read what there is.
/// `ready` is told when clients can attach.
pub async fn keep(
    folder: Folder,
    launch: &Launch,
    clock: fn() -> UnixMillis,
    ready: oneshot::Sender<()>,
) -> Result<(), Error> {
    // With this, a log that may not grow any more is an error that passes, and not a signal that ends us.
    let _limit = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
    let writer = Writer::open(folder.clone(), clock())?;
    let path = &launch.socket;
    let failed = |doing| move |source| Error::Socket { doing, path: path.clone(), source };
    let listener = socket::bind(path).map_err(failed("make"))?;
    place::note(&folder, path).map_err(failed("note"))?;
    let kept = run(&folder, launch, clock, ready, writer, listener).await;
    // If it came to nothing, they are still there.
    remove_files(launch);
    kept
}

/// Removes the files that the arguments named.
fn remove_files(launch: &Launch) {
    if let Some(files) = &launch.files {
        let _ = std::fs::remove_dir_all(files);
    }
}

async fn run(
    folder: &Folder,
    launch: &Launch,
    clock: fn() -> UnixMillis,
    ready: oneshot::Sender<()>,
    mut writer: Writer,
    listener: UnixListener,
) -> Result<(), Error> {
    let parts = match launch.program().spawn() {
        Ok(parts) => parts,
        Err(source) => {
            // The log shall say why nothing came of it. The error itself goes to whoever wanted the session.
            let told = vec![format!("could not start {}: {source}", launch.program)];
            let fact = HostFact::Exited { code: None, signal: None, stderr_tail: told, expected: false };
            writer.append_fact(clock(), &launch.fact(None))?;
            writer.append_fact(clock(), &fact)?;
            place::forget(folder);
            let _ = std::fs::remove_file(&launch.socket);
            return Err(Error::Spawn { program: launch.program.clone(), source });
        }
    };
    writer.append_fact(clock(), &launch.fact(pid(&parts)))?;
    let (orders, inbox) = mpsc::channel(64);
    let (progress, watching) = watch::channel(Progress::default());
    let Some(mut keep) = Keep::new(writer, parts, clock, inbox, progress)? else { return Ok(()) };
    let serving = tokio::spawn(socket::serve(listener, folder.clone(), orders, watching));
    let _ = ready.send(());
    let kept = match keep.greet(&launch.first) {
        Ok(()) => keep.run().await,
        Err(error) => Err(error),
    };
    // While the lock is held, so that it cannot be the next keeper's socket that goes.
    place::forget(folder);
    let _ = std::fs::remove_file(&launch.socket);
    remove_files(launch);
    // With the loop its `progress` is gone, so the clients' tasks come to their end, too.
    drop(keep);
    let _ = serving.await;
    Ok(kept?)
}

fn pid(parts: &Parts) -> Option<u32> {
    parts.process.as_ref().and_then(|process| process.pid())
}
