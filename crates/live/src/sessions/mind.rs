//! One task for each session that is open: it keeps the row in the list, feeds the index, delivers what waits, starts an agent
//! again that died, and lets go of a session that nobody looks at.

use std::sync::Arc;
use std::time::Duration;

use insights::HostFact;
use insights::event::text::NoticeLevel;
use insights::state::header::AgentProcess;
use journal::SessionRow;
use tokio::time::{Instant, sleep};

use super::{Sessions, TakeOver};
use crate::error::Error;
use crate::list::Row;
use crate::pipeline::Moment;
use crate::session::Session;

/// How long a session is held whose agent does not run and that nobody looks at.
const LET_GO: Duration = Duration::from_secs(60);

impl Sessions {
    /// Keeps the session's row in the list, delivers prompts that wait, and starts its agent again when it dies.
    pub(super) fn mind(&self, session: &Session) {
        let (sessions, session) = (self.clone(), session.clone());
        // Whoever has started it looks for it in the list at once.
        let mut row = session.with_state(|state| Row::new(session.id(), state));
        sessions.put_row(&session, row.clone());
        tokio::spawn(async move {
            let mut progress = session.progress();
            let mut agent = session.shared.agent_changes();
            let mut seen_ends = 0;
            // A desk that cannot be read is told of when somebody wants something of it.
            let _ = sessions.load_held(&session).await;
            while !session.is_removed() {
                let (running, ends) = session.shared.agents(&mut agent);
                // Only an end that we saw: a session that was found dead waits for its user.
                let has_ended = std::mem::replace(&mut seen_ends, ends) != ends && !running;
                progress.borrow_and_update();
                row = session.with_state(|state| row.next(state));
                // Before the list: whoever learns of it there looks for it in the index.
                if let Some(batch) = session.batch() {
                    sessions.inner.indexing.write(batch, session.folder());
                }
                sessions.put_row(&session, row.clone());
                let moment = if has_ended { Moment::Ended } else { Moment::Amid };
                if let Some(due) = session.checkpoint(moment) {
                    sessions.inner.indexing.checkpoint(due, session.folder());
                }
                let died = session.with_state(|state| state.status.agent == AgentProcess::Died);
                if has_ended && died && sessions.inner.host.restarts {
                    sessions.after_crash(&session).await;
                }
                // What cannot be delivered now is tried again with the next change.
                let _ = sessions.tend(&session).await;
                tokio::select! {
                    _ = progress.changed() => {}
                    _ = agent.changed() => {}
                    () = sleep(LET_GO), if !running => {
                        if sessions.let_go(&session) {
                            return;
                        }
                    }
                }
            }
        });
    }

    /// A session as the index will have it, if it is open: for whoever finds that the index does not have it yet.
    pub fn row_for_index(&self, id: &str) -> Option<SessionRow> {
        let place = self.opened().get(id).cloned()?;
        place.get().map(Session::row)
    }

    /// Forgets a session that nobody has but whoever minds it. The log has all of it.
    fn let_go(&self, session: &Session) -> bool {
        let mut open = self.opened();
        let Some(place) = open.get(session.id()) else { return true };
        // Who is about to get it has the place already, and who has got it shares it.
        let is_wanted = Arc::strong_count(place) > 1 || Arc::strong_count(&session.shared) > 2;
        if is_wanted || session.is_running() {
            return false;
        }
        open.remove(session.id());
        true
    }

    async fn after_crash(&self, session: &Session) {
        let (again, times) = {
            let mut all = self.crashes();
            let crashes = all.entry(session.id().to_owned()).or_default();
            let again = crashes.note(Instant::now());
            (again, crashes.count())
        };
        let outcome = match again {
            true => async { self.resume_session(session, &self.options(session)?, TakeOver::Never).await }.await,
            false => Err(Error::CrashBudget { times }),
        };
        if let Err(error) = outcome {
            let note = HostFact::Note { text: format!("Not started again: {error}."), level: NoticeLevel::Warning };
            // If not even that can be written, the state says that the agent died.
            let _ = session.note(&note).await;
        }
    }
}
