//! The agent's last conversation in a folder: options in; the session that holds it out, to be gone on with. It is found among
//! the transcripts, since it may have been held in a terminal.

use std::path::{Path, PathBuf};

use journal::Index;

use super::Sessions;
use crate::bypass::bypasses;
use crate::error::{Error, Result};
use crate::options::Options;
use crate::session::Session;
use crate::transcripts::{Projects, Transcript};

impl Sessions {
    /// The session that holds the agent's last conversation in the working directory of these options; one of a terminal is
    /// taken in. Nothing is started yet, see [`Sessions::resume_with`].
    pub async fn recent(&self, options: &Options) -> Result<Session> {
        // Before anything is taken in.
        if bypasses(options) && !self.allows_bypass() {
            return Err(Error::BypassNotAllowed);
        }
        let cwd = options.cwd.clone().unwrap_or_else(|| PathBuf::from("."));
        let config = self.config_folder();
        let find = move || {
            // The agent writes down where it really is.
            let cwd = cwd.canonicalize().unwrap_or(cwd);
            config.and_then(|config| last_in(&cwd, &config)).ok_or(Error::NothingToContinue(cwd))
        };
        let transcript = tokio::task::spawn_blocking(find).await.map_err(|_| Error::NotRunning)??;
        let own = transcript.session();
        match self.get(&own).await {
            Err(Error::NoSession(_)) => {}
            found => return found,
        }
        if let Some(holder) = self.holder(own).await
            && let Ok(session) = self.get(&holder).await
        {
            return Ok(session);
        }
        let (id, _) = self.adopt(transcript).await?;
        self.get(&id).await
    }

    /// The session that holds a conversation of another name: the agent gives it a new one when it is cleared. Without an index
    /// nobody knows.
    async fn holder(&self, conversation: String) -> Option<String> {
        let data = self.data().clone();
        let look = move || Index::reader(&data)?.sessions_of_agent();
        tokio::task::spawn_blocking(look).await.ok()?.ok()?.remove(&conversation)
    }
}

/// The transcript in this folder that was written last.
fn last_in(cwd: &Path, config: &Path) -> Option<Transcript> {
    let is_there = |listed: &str| Path::new(listed) == cwd;
    let mut listed = Projects::new(config).list().into_iter();
    listed.find(|row| row.cwd.as_deref().is_some_and(is_there)).map(|row| Transcript::new(row.path))
}
