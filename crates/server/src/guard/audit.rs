//! Who did what that matters: one line each in `audit.jsonl`, appended and never changed.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use insights::UnixMillis;
use journal::Data;
use serde::Serialize;

use super::Who;
use crate::error::{ApiError, ApiResult, Code};

/// The file.
#[derive(Clone, Debug)]
pub(crate) struct Audit {
    path: PathBuf,
    file: Arc<Mutex<File>>,
}

/// What was done.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "did", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub(crate) enum Deed {
    /// Somebody was let in.
    LoggedIn {
        address: String,
    },
    /// Somebody was not.
    LoginFailed {
        address: String,
    },
    /// A script was let in, by a token.
    TokenAdded {
        token: String,
        called: String,
    },
    /// A device or a script is not let in any more.
    Revoked {
        revoked: String,
    },
    /// A question was answered, and the keeper took the answer.
    Answered {
        session: String,
        ask: String,
        decision: serde_json::Value,
    },
    /// An answer came too late, or for no question.
    AnswerRefused {
        session: String,
        ask: String,
    },
    /// A session was started, resumed or forked.
    Started {
        session: String,
        cwd: Option<String>,
        bypass: bool,
    },
    /// The agent of a session was ended.
    Closed {
        session: String,
        kill: bool,
    },
    /// What an agent may do without asking was changed.
    ModeSet {
        session: String,
        mode: String,
    },
    /// A folder was opened to agents, or closed.
    RootAllowed {
        path: String,
    },
    RootForbidden {
        path: String,
    },
    /// A session was removed for good.
    Removed {
        session: String,
    },
}

/// What `quarterdeck token` does, which no server sees.
#[derive(Clone, Copy, Debug)]
pub enum TokenChange<'a> {
    /// A token was made.
    Added {
        /// Its id.
        id: &'a str,
        /// What the user calls it.
        name: &'a str,
    },
    /// A token or a device was made void.
    Revoked {
        /// Its id.
        id: &'a str,
    },
}

/// Writes down what was done with a token on this machine, beside what the server of the same data folder writes.
pub fn audit_token(data: &Data, at: UnixMillis, change: TokenChange<'_>) -> std::io::Result<()> {
    let deed = match change {
        TokenChange::Added { id, name } => Deed::TokenAdded { token: id.to_owned(), called: name.to_owned() },
        TokenChange::Revoked { id } => Deed::Revoked { revoked: id.to_owned() },
    };
    let written = Audit::open(data.path())?.write(at, Some(&Who::of_this_machine()), &deed);
    written.map_err(|error| std::io::Error::other(error.message))
}

#[derive(Serialize)]
struct Line<'a> {
    at: UnixMillis,
    device: Option<&'a str>,
    name: Option<&'a str>,
    #[serde(flatten)]
    deed: &'a Deed,
}

impl Audit {
    /// Opens the file of a data folder to append to it.
    pub(crate) fn open(data: &Path) -> std::io::Result<Audit> {
        let path = data.join("audit.jsonl");
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path)?;
        Ok(Audit { path, file: Arc::new(Mutex::new(file)) })
    }

    /// Writes down what was done. What cannot be written down was done all the same, so this comes before the deed where
    /// that is possible.
    pub(crate) fn write(&self, at: UnixMillis, who: Option<&Who>, deed: &Deed) -> ApiResult<()> {
        let line = Line { at, device: who.map(|who| &*who.device), name: who.map(|who| &*who.name), deed };
        let failed = |error: std::io::Error| {
            let text = format!("could not write down who did this in `{}`: {error}", self.path.display());
            ApiError::new(Code::Storage, text)
        };
        let mut text = serde_json::to_vec(&line).map_err(|error| failed(error.into()))?;
        text.push(b'\n');
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&text).map_err(failed)
    }
}
