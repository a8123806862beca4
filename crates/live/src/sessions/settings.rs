//! What an agent is started with, and what is set while it runs: its next process goes on with that.

use std::path::PathBuf;
use std::sync::PoisonError;

use claude_protocol::control::request::{SetModel, SetPermissionMode};
use claude_protocol::permission::PermissionMode;

use super::Sessions;
use crate::bypass::is_bypass;
use crate::error::{Error, Result};
use crate::options::Options;
use crate::session::Session;

impl Sessions {
    /// What a session is started with when it is started again: where it was, if nobody said where it should be.
    pub fn options(&self, session: &Session) -> Result<Options> {
        let mut options = Options::load(session.folder())?;
        let (cwd, mode) = session.with_state(|state| (state.status.cwd.clone(), state.status.mode.clone()));
        options.cwd = options.cwd.or_else(|| cwd.as_deref().map(PathBuf::from));
        // Whatever has made its last agent plan, or ask again, the next one is allowed no more than that.
        let is_told = options.mode.is_some() || options.bypass_permissions;
        if let Some(mode) = mode.filter(|mode| &**mode == "plan" || (&**mode == "default" && is_told)) {
            options.mode = Some(mode.to_string());
            options.bypass_permissions = false;
        }
        Ok(options)
    }

    /// Changes the permission mode of a running agent. To ask for no permission must have been allowed at the start.
    pub async fn set_mode(&self, session: &Session, mode: PermissionMode, by: Option<&str>) -> Result<()> {
        if is_bypass(mode.as_str()) && !self.inner.host.allows_bypass {
            return Err(Error::BypassNotAllowed);
        }
        // What every version takes, and never that nothing is asked.
        let kept = Some(mode.to_string()).filter(|mode| ["default", "plan", "acceptEdits"].contains(&mode.as_str()));
        session.command(SetPermissionMode::new(mode), by).await?;
        match kept {
            Some(mode) => self.keep(session, |options| {
                options.mode = Some(mode);
                options.bypass_permissions = false;
            }),
            None => Ok(()),
        }
    }

    /// Changes the model of a running agent.
    pub async fn set_model(&self, session: &Session, model: &str, by: Option<&str>) -> Result<()> {
        session.command(SetModel::new(model), by).await?;
        // The agent's word for having none of one's own.
        self.keep(session, |options| options.model = Some(model.to_owned()).filter(|model| model != "default"))
    }

    /// Changes what a session is started with, so that its next agent goes on as this one was set. Who has an agent plan must
    /// not find that it was let go meanwhile, and that the next one does more than plan. What none could be started with is not
    /// kept.
    pub fn keep(&self, session: &Session, change: impl FnOnce(&mut Options)) -> Result<()> {
        let _one_at_a_time = self.inner.keeping.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = Options::load(session.folder())?;
        let mut options = kept.clone();
        change(&mut options);
        if options == kept || options.claude(&self.inner.host.claude).is_err() {
            return Ok(());
        }
        options.save(session.folder())
    }
}
