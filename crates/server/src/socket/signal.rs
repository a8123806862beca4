//! What a connection waits for beside its socket: that something it watches changes, or has been opened.

use futures_util::future::{AbortHandle, Abortable, BoxFuture};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use live::{Epoch, Held, Session, Sessions};
use tokio::sync::watch;

/// Something that is watched has changed, or is there now. `watch` is the number of the watching: what a screen watches no
/// longer has another one than what it watches again.
pub(super) enum Signal {
    Session { id: String, watch: u64, progress: watch::Receiver<u64> },
    List { watch: u64, progress: watch::Receiver<u64> },
    Presence { progress: watch::Receiver<u64> },
    Held { id: String, watch: u64, held: watch::Receiver<Held> },
    Opened { id: String, watch: u64, from: (Epoch, u64), session: live::Result<(Session, watch::Receiver<Held>)> },
}

/// Signals that are waited for. Nothing is kept of those that came.
#[derive(Default)]
pub(super) struct Signals(FuturesUnordered<Abortable<BoxFuture<'static, Option<Signal>>>>);

/// Somebody waits for a signal; dropped, nobody does.
#[derive(Debug)]
pub(super) struct Waiting(AbortHandle);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Signals {
    /// The next signal. Waits for ever if there is none to wait for.
    pub(super) async fn next(&mut self) -> Signal {
        loop {
            match self.0.next().await {
                Some(Ok(Some(signal))) => return signal,
                // What was watched is gone, or nobody waits for it any more.
                Some(Ok(None) | Err(_)) => {}
                None => std::future::pending().await,
            }
        }
    }

    /// The next signal, if it is there already.
    pub(super) fn next_now(&mut self) -> Option<Signal> {
        self.next().now_or_never()
    }

    /// Waits for a change of a session.
    pub(super) fn session(&mut self, id: String, watch: u64, mut progress: watch::Receiver<u64>) -> Waiting {
        self.wait(async move { progress.changed().await.ok().map(|()| Signal::Session { id, watch, progress }) })
    }

    /// Waits for a change of what waits in the host.
    pub(super) fn held(&mut self, id: String, watch: u64, mut held: watch::Receiver<Held>) -> Waiting {
        self.wait(async move { held.changed().await.ok().map(|()| Signal::Held { id, watch, held }) })
    }

    /// Waits for a change of the list.
    pub(super) fn list(&mut self, watch: u64, mut progress: watch::Receiver<u64>) -> Waiting {
        self.wait(async move { progress.changed().await.ok().map(|()| Signal::List { watch, progress }) })
    }

    /// Waits until somebody comes or leaves.
    pub(super) fn presence(&mut self, mut progress: watch::Receiver<u64>) -> Waiting {
        self.wait(async move { progress.changed().await.ok().map(|()| Signal::Presence { progress }) })
    }

    /// Opens a session. A long log takes a while to read, and the others are not to wait for it.
    pub(super) fn open(&mut self, sessions: Sessions, id: String, watch: u64, from: (Epoch, u64)) -> Waiting {
        self.wait(async move {
            let session = async { Ok((sessions.get(&id).await?, sessions.held(&id).await?)) }.await;
            Some(Signal::Opened { id, watch, from, session })
        })
    }

    fn wait(&mut self, signal: impl Future<Output = Option<Signal>> + Send + 'static) -> Waiting {
        let (handle, registration) = AbortHandle::new_pair();
        self.0.push(Abortable::new(signal.boxed(), registration));
        Waiting(handle)
    }
}
