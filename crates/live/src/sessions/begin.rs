//! New sessions: options in, or another session; one whose agent runs out. Of a start that failed nothing is left that nobody
//! wants.

use insights::HostFact;
use journal::Folder;

use super::{Begun, Sessions, TakeOver, agent_session};
use crate::error::{Error, Result};
use crate::fork;
use crate::options::Options;
use crate::session::{Session, writer};
use crate::start::Conversation;

impl Sessions {
    /// Starts a new session.
    pub async fn start(&self, options: Options) -> Result<Session> {
        self.start_once(&uuid::Uuid::new_v4().to_string(), options).await.map(|(session, _)| session)
    }

    /// Starts a session with this id, a uuid. If there is one already in which an agent runs or has spoken, it was started
    /// before, and that is it.
    pub async fn start_once(&self, id: &str, options: Options) -> Result<(Session, Begun)> {
        let session = match self.get(id).await {
            Err(Error::NoSession(_)) => {
                return self.begin(id.to_owned(), options, Conversation::New(id.to_owned()), &[]).await;
            }
            found => found?,
        };
        if session.is_running() || agent_session(&session).is_some() {
            return Ok((session, Begun::Before));
        }
        // All that is there is how a start has failed. Who tries again wants an agent, and may have changed the options.
        match self.resume_session(&session, &options, TakeOver::Never).await {
            Ok(()) => {}
            // Somebody else was faster.
            Err(Error::Running) => return Ok((session, Begun::Before)),
            Err(error) => return Err(error),
        }
        options.save(session.folder())?;
        self.crashes().remove(id);
        Ok((session, Begun::Now))
    }

    /// A new session that begins with what is said in another one, up to the message `at` or whole.
    pub async fn fork(&self, id: &str, at: Option<&str>) -> Result<Session> {
        let parent = self.get(id).await?;
        let (sessions, at) = (self.clone(), at.map(str::to_owned));
        // Whoever asked may go away meanwhile. It comes to an end all the same, a good one or none that leaves anything.
        let forking = tokio::spawn(async move { sessions.fork_of(&parent, at).await });
        forking.await.map_err(|_| Error::NotRunning)?
    }

    async fn fork_of(&self, parent: &Session, at: Option<String>) -> Result<Session> {
        let from = agent_session(parent).ok_or(Error::NothingToResume)?;
        let to = uuid::Uuid::new_v4().to_string();
        let options = self.options(parent)?;
        let _starting = parent.shared.starting.lock().await;
        if !parent.is_running() {
            // The agent copies the turns that were made in a terminal, too.
            self.join(parent, &from).await?;
            parent.catch_up().await?;
        }
        let session = Some(parent.id().to_owned());
        let forked = HostFact::Forked { session, from: Some(from.clone()), to: Some(to.clone()) };
        let (mother, child, clock) = (parent.folder().clone(), self.folder(&to)?, self.inner.host.clock);
        let (copy, cut) = (child.clone(), at.clone());
        let copied = tokio::task::spawn_blocking(move || fork::copy(&mother, &copy, cut.as_deref(), clock)).await;
        let begun = match copied.unwrap_or(Err(Error::NotRunning)) {
            Ok(()) => self.begin(to.clone(), options, Conversation::Forked { from, at, to }, &[forked]).await,
            Err(error) => Err(error),
        };
        if begun.is_err() {
            // Nothing was said in it but what its parent has.
            self.discard(&child).await;
        }
        begun.map(|(session, _)| session)
    }

    async fn begin(
        &self,
        id: String,
        options: Options,
        conversation: Conversation,
        facts: &[HostFact],
    ) -> Result<(Session, Begun)> {
        let place = self.opened().entry(id.clone()).or_default().clone();
        // Of those who come at the same time one starts it.
        let mut begun = Begun::Before;
        let launch = || {
            begun = Begun::Now;
            self.launch(&id, options, conversation, facts)
        };
        match place.get_or_try_init(launch).await.cloned() {
            Ok(session) => Ok((session, begun)),
            Err(error) => {
                self.opened().remove(&id);
                Err(error)
            }
        }
    }

    async fn launch(
        &self,
        id: &str,
        options: Options,
        conversation: Conversation,
        facts: &[HostFact],
    ) -> Result<Session> {
        let folder = self.folder(id)?;
        folder.make()?;
        options.save(&folder)?;
        if !facts.is_empty() {
            self.inner.host.note(&folder, facts).await?;
        }
        let session = Session::new(folder, self.inner.host.clock);
        let launched = self.inner.host.launch(&session, &options, &conversation).await;
        if let Err(error) = launched {
            if session.with_state(|state| state.items.is_empty()) {
                // Nothing was said, so there is nothing to keep.
                self.discard(session.folder()).await;
            }
            return Err(error);
        }
        self.mind(&session);
        Ok(session)
    }

    /// Removes the folder of a session that could not be started, unless somebody writes there.
    async fn discard(&self, folder: &Folder) {
        let Ok(writer) = writer(folder, self.inner.host.clock).await else { return };
        let path = folder.path().to_owned();
        let removed = tokio::task::spawn_blocking(move || {
            let removed = std::fs::remove_dir_all(path);
            drop(writer);
            removed
        });
        if matches!(removed.await, Ok(Ok(()))) {
            // The index may have looked at it meanwhile.
            self.forget(&folder.id());
        }
    }
}
