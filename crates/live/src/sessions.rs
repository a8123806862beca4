//! All sessions of a data folder: those whose agents run are attached and minded, the others are opened when they are asked
//! for. Options in, sessions out; a crash is followed by a resume, as long as the budget lasts.

mod adopt;
mod begin;
mod mind;
mod recent;
mod settings;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use claude_protocol::Prompt;
use insights::HostFact;
use journal::{Data, DeskSession, Folder, Lock, Progress, SessionRow};
use keeper::Stop;
use tokio::sync::{OnceCell, watch};
use tokio::task::JoinSet;

use crate::answer::Decision;
use crate::bypass::grants_bypass;
use crate::crash::Crashes;
use crate::error::{Error, Result};
use crate::feed::Epoch;
use crate::guard;
use crate::held::SharedDesk;
use crate::indexing::Indexing;
use crate::list::{List, ListAnswer, Row};
use crate::options::Options;
use crate::session::{Sent, Session, writer};
use crate::start::{Conversation, Host, Planned};
use crate::transcripts::{Projects, Transcript};
use adopt::{adopt, append_lacking};

/// How many sessions are attached to at the same time when a data folder is opened.
const ATTACHING: usize = 16;
/// All sessions; cheap to clone.
#[derive(Clone, Debug)]
pub struct Sessions {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    data: Data,
    host: Arc<Host>,
    /// Those that are open, and those that are being opened: each of them waits for itself alone.
    open: Mutex<HashMap<String, Arc<OnceCell<Session>>>>,
    list: Mutex<List>,
    revision: watch::Sender<u64>,
    crashes: Mutex<HashMap<String, Crashes>>,
    /// Whose options are being changed: anybody's, since it takes no time.
    keeping: Mutex<()>,
    indexing: Indexing,
    desk: SharedDesk,
}

/// What to do when another program works on the conversation that is to be resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TakeOver {
    /// Say so, and resume nothing.
    #[default]
    Never,
    /// Ask it to end (SIGTERM), then resume.
    End,
    /// Resume beside it: its turns and ours will not know of each other.
    Beside,
}

/// Whether somebody has started an agent, or found what was started before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It is started now.
    Now,
    /// It was started before.
    Before,
}

impl Sessions {
    /// The sessions of a data folder. Each is attached to when somebody asks for it, or all by [`Sessions::attach_all`].
    pub async fn open(data: Data, host: Host) -> Result<Sessions> {
        let inner = Inner {
            indexing: Indexing::start(data.clone()),
            desk: SharedDesk::new(data.clone()),
            data,
            host: Arc::new(host),
            open: Mutex::default(),
            list: Mutex::new(List::new(&uuid::Uuid::new_v4().to_string())),
            revision: watch::Sender::new(0),
            crashes: Mutex::default(),
            keeping: Mutex::default(),
        };
        let sessions = Sessions { inner: Arc::new(inner) };
        // A desk that cannot be read is told of when somebody wants something of it.
        for (id, own) in sessions.desk().run(|desk| desk.sessions()).await.unwrap_or_default() {
            sessions.set_own(&id, own);
        }
        Ok(sessions)
    }

    /// Attaches to the sessions whose agents run. Whoever does not wait for it has each of them in the list as soon as it is
    /// there: with thousands of sessions it takes a while to see which ones run.
    pub async fn attach_all(&self) -> Result<()> {
        let data = self.data().clone();
        let held = move || -> Result<Vec<Folder>> { Ok(data.sessions()?.into_iter().filter(Lock::is_held).collect()) };
        let held = tokio::task::spawn_blocking(held).await.map_err(|_| Error::NotRunning)??;
        let mut opening = JoinSet::new();
        for folder in held {
            // Not all at once: each of them may have a long log.
            if opening.len() >= ATTACHING {
                opening.join_next().await;
            }
            let sessions = self.clone();
            // One that cannot be opened is no reason to open none: whoever asks for it is told why.
            opening.spawn(async move { sessions.get(&folder.id()).await.is_ok() });
        }
        opening.join_all().await;
        Ok(())
    }

    /// The data folder.
    pub fn data(&self) -> &Data {
        &self.inner.data
    }

    pub(crate) fn desk(&self) -> &SharedDesk {
        &self.inner.desk
    }

    /// A session, opened if it is not.
    pub async fn get(&self, id: &str) -> Result<Session> {
        let known = self.opened().get(id).cloned();
        let place = match known {
            Some(place) => place,
            None => {
                if !self.folder(id)?.has_log() {
                    return Err(Error::NoSession(id.to_owned()));
                }
                self.opened().entry(id.to_owned()).or_default().clone()
            }
        };
        let open = async || {
            let folder = self.folder(id)?;
            if !folder.has_log() {
                // Whoever was starting it could not, and has left nothing.
                return Err(Error::NoSession(id.to_owned()));
            }
            let session = Session::open(folder, self.inner.host.clock).await?;
            self.mind(&session);
            Ok(session)
        };
        place.get_or_try_init(open).await.cloned()
    }

    /// Starts the agent of a session again, on the same conversation.
    pub async fn resume(&self, id: &str, take_over: TakeOver) -> Result<Session> {
        self.resume_with(id, Options::default(), take_over).await
    }

    /// The same, with what these options say instead of what was kept; from then on that is kept.
    pub async fn resume_with(&self, id: &str, wished: Options, take_over: TakeOver) -> Result<Session> {
        let session = self.get(id).await?;
        let kept = self.options(&session)?;
        let options = wished.over(&kept)?;
        self.resume_session(&session, &options, take_over).await?;
        // Only now: what an agent cannot be started with would keep the session from ever being started again.
        if options != kept {
            options.save(session.folder())?;
        }
        // Only now: who comes while it is being started again by itself has decided nothing.
        self.crashes().remove(id);
        Ok(session)
    }

    /// Sends a prompt; the agent is started first if it does not run.
    pub async fn send(&self, id: &str, prompt: Prompt, message: &str, by: Option<&str>) -> Result<Sent> {
        let session = self.get(id).await?;
        session.wait_while_stopping().await;
        if !session.is_running() {
            match self.resume(id, TakeOver::Never).await {
                // Somebody else was faster.
                Ok(_) | Err(Error::Running) => {}
                Err(error) => return Err(error),
            }
        }
        session.send(prompt, message, by).await
    }

    /// Ends the agent of a session, and waits until nothing of it is left.
    pub async fn end(&self, id: &str, how: Stop) -> Result<()> {
        let session = self.get(id).await?;
        session.stop(how).await?;
        session.ended().await;
        Ok(())
    }

    /// Ends all agents, and waits until nothing of them is left. One that cannot be ended keeps no other from it.
    pub async fn end_all(&self, how: Stop) -> Result<()> {
        let mut ending = tokio::task::JoinSet::new();
        for folder in self.data().sessions()?.into_iter().filter(Lock::is_held) {
            let sessions = self.clone();
            ending.spawn(async move { sessions.end(&folder.id(), how).await });
        }
        let mut outcome = Ok(());
        while let Some(ended) = ending.join_next().await {
            match ended.unwrap_or(Err(Error::NotRunning)) {
                // It ended by itself meanwhile.
                Ok(()) | Err(Error::NotRunning) => {}
                Err(error) => outcome = Err(error),
            }
        }
        outcome
    }

    /// Answers a question of the agent, see [`Session::answer`]. An answer can change the permission mode, too.
    pub async fn answer(&self, session: &Session, ask: &str, decision: &Decision, by: Option<&str>) -> Result<Sent> {
        let line = session.answer_line(ask, decision)?;
        if !self.inner.host.allows_bypass && grants_bypass(&line) {
            return Err(Error::BypassNotAllowed);
        }
        session.write(None, by, &line).await
    }

    /// How many agents run.
    pub fn running(&self) -> usize {
        self.opened().values().filter_map(|place| place.get()).filter(|session| session.is_running()).count()
    }

    /// Does the agent of this session run?
    pub fn is_running(&self, id: &str) -> bool {
        self.opened().get(id).and_then(|place| place.get()).is_some_and(Session::is_running)
    }

    /// How many sessions are held in memory. One whose agent does not run and that nobody looks at is let go after a while.
    pub fn in_memory(&self) -> usize {
        self.opened().len()
    }

    /// What a session would be started with. Nothing is started; an error says why it could not be.
    pub async fn plan(&self, options: &Options) -> Result<Planned> {
        self.inner.host.plan(options).await
    }

    /// May a session be started that asks for no permission?
    pub fn allows_bypass(&self) -> bool {
        self.inner.host.allows_bypass
    }

    /// The folder in which the CLI keeps its own transcripts, among others.
    pub fn config_folder(&self) -> Option<PathBuf> {
        self.inner.host.claude.config_folder()
    }

    /// Removes a session for good, if no agent runs in it. The CLI's own transcript stays.
    pub async fn remove(&self, id: &str) -> Result<()> {
        let session = self.get(id).await?;
        let _starting = session.shared.starting.lock().await;
        session.wait_while_stopping().await;
        if session.is_running() {
            return Err(Error::Running);
        }
        // Whoever holds the lock writes there, or will.
        let lock = Lock::take(session.folder())?;
        let (sessions, removed) = (self.clone(), session.clone());
        // A long log has many files beside it. All in one go: whoever asked may go away meanwhile.
        let removing = tokio::task::spawn_blocking(move || {
            let path = removed.folder().path().to_owned();
            std::fs::remove_dir_all(&path).map_err(|source| Error::File { doing: "remove", path, source })?;
            sessions.opened().remove(removed.id());
            drop(lock);
            removed.shared.remove();
            sessions.forget(removed.id());
            Ok(())
        });
        removing.await.map_err(|_| Error::NotRunning)?
    }

    /// A session is gone: it is not in the list any more, and will not be in the index.
    fn forget(&self, id: &str) {
        self.inner.indexing.remove(id);
        let mut list = self.list();
        if list.remove(id) {
            let revision = list.revision();
            drop(list);
            self.inner.revision.send_replace(revision);
        }
    }

    /// The index of all sessions is brought to where the logs are, beside everything else; then the sessions that are not
    /// open are in the list, too.
    pub fn index_all(&self) {
        let sessions = self.clone();
        self.inner.indexing.catch_up(move |rows| {
            for row in rows {
                sessions.put_old_row(row);
            }
        });
    }

    /// Waits until the index has what the list has, so that whoever learns of a turn from the list finds it in the index.
    pub async fn indexed(&self) {
        self.inner.indexing.settled().await;
    }

    /// How far the index is, as far as it is at work.
    pub fn indexing(&self) -> watch::Receiver<Option<Progress>> {
        self.inner.indexing.progress()
    }

    /// Takes a session of a terminal in: from its transcript, into a session of its own or into the one that it is a part of.
    /// Gives that session's id, and how many entries were new.
    pub async fn adopt(&self, transcript: Transcript) -> Result<(String, u64)> {
        let id = transcript.session();
        if self.is_running(&id) {
            return Err(Error::Running);
        }
        let clock = self.inner.host.clock;
        let writer = writer(&self.folder(&id)?, clock).await?;
        let added = tokio::task::spawn_blocking(move || adopt(writer, &transcript, clock())).await;
        let added = added.map_err(|_| Error::NotRunning)??;
        let open = self.opened().get(&id).and_then(|place| place.get().cloned());
        if let Some(session) = open {
            session.catch_up().await?;
        }
        Ok((id, added))
    }

    /// What somebody lacks who has the list of that epoch up to `revision`.
    pub fn list_since(&self, epoch: &Epoch, revision: u64) -> ListAnswer {
        self.list().since(epoch, revision)
    }

    /// The user has said something about a session, and the desk has it: the list says so too.
    pub fn set_own(&self, id: &str, own: DeskSession) {
        let mut list = self.list();
        if list.set_own(id, own) {
            let revision = list.revision();
            drop(list);
            self.inner.revision.send_replace(revision);
        }
    }

    /// Where the list is; changes when it does.
    pub fn list_progress(&self) -> watch::Receiver<u64> {
        self.inner.revision.subscribe()
    }

    async fn resume_session(&self, session: &Session, options: &Options, take_over: TakeOver) -> Result<()> {
        // Whoever waited here finds it running, or gone.
        let _starting = session.shared.starting.lock().await;
        session.wait_while_stopping().await;
        if session.is_running() {
            return Err(Error::Running);
        }
        if session.is_removed() {
            return Err(Error::NoSession(session.id().to_owned()));
        }
        // Without a word of the agent there is no conversation yet, and the id is still free.
        let Some(agent) = agent_session(session) else {
            let conversation = Conversation::New(session.id().to_owned());
            return self.inner.host.launch(session, options, &conversation).await;
        };
        let others = guard::others(self.config_folder().as_deref(), &agent, &[std::process::id()]).await;
        let last = session.shared.last_agent();
        let (dying, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|other| other.pid == last);
        // Our own of before: its keeper was killed, and it is being ended.
        guard::gone(&dying).await?;
        if !others.is_empty() {
            match take_over {
                TakeOver::Never => return Err(Error::TwoWriters(others)),
                TakeOver::End => guard::end(&others).await?,
                TakeOver::Beside => {}
            }
        }
        self.join(session, &agent).await?;
        self.inner.host.note(session.folder(), &[HostFact::Resumed { from: Some(agent.clone()), to: None }]).await?;
        self.inner.host.launch(session, options, &Conversation::Resumed(agent)).await
    }

    /// Takes in what the agent's own file has and the log lacks: lines that a crash lost, turns that were made in a terminal.
    async fn join(&self, session: &Session, agent: &str) -> Result<()> {
        let Some(projects) = self.inner.host.claude.config_folder().map(Projects::new) else { return Ok(()) };
        let agent = agent.to_owned();
        let found = tokio::task::spawn_blocking(move || projects.find(&agent)).await;
        let Some(transcript) = found.map_err(|_| Error::NotRunning)? else { return Ok(()) };
        let clock = self.inner.host.clock;
        let writer = writer(session.folder(), clock).await?;
        let joined = tokio::task::spawn_blocking(move || append_lacking(writer, &transcript, clock()));
        joined.await.map_err(|_| Error::NotRunning)?.map(|_| ())
    }

    fn put_row(&self, session: &Session, row: Row) {
        let mut list = self.list();
        if !session.is_removed() && list.put(row) {
            let revision = list.revision();
            drop(list);
            self.inner.revision.send_replace(revision);
        }
    }

    /// A row of the index, of a session that is not open. It may have been removed since the index was read, and who removes
    /// one takes it out of the list when its log is gone: so it is looked at the log while nobody else has the list.
    fn put_old_row(&self, row: SessionRow) {
        let mut list = self.list();
        let is_there = |row: &SessionRow| self.folder(&row.id).is_ok_and(|folder| folder.has_log());
        if !list.has(&row.id) && is_there(&row) && list.put(row.into()) {
            let revision = list.revision();
            drop(list);
            self.inner.revision.send_replace(revision);
        }
    }

    fn folder(&self, id: &str) -> Result<Folder> {
        self.inner.data.session(id).ok_or_else(|| Error::NoSession(id.to_owned()))
    }

    fn opened(&self) -> MutexGuard<'_, HashMap<String, Arc<OnceCell<Session>>>> {
        self.inner.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.inner.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn crashes(&self) -> MutexGuard<'_, HashMap<String, Crashes>> {
        self.inner.crashes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The agent's own id of the conversation.
fn agent_session(session: &Session) -> Option<String> {
    session.with_state(|state| state.status.session_id.as_deref().map(str::to_owned))
}

#[cfg(test)]
mod tests;
