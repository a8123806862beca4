//! What can go wrong with a session, in words for people.

use std::path::PathBuf;

use crate::answer::Unfit;
use crate::guard::Other;

/// What a call gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with a session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no session of this name.
    #[error("there is no session `{0}`")]
    NoSession(String),
    /// No agent runs. Resume the session first.
    #[error("the agent of this session does not run")]
    NotRunning,
    /// An agent runs already.
    #[error("the agent of this session runs already")]
    Running,
    /// The session never got so far that the agent could take it up again.
    #[error("the agent has said nothing in this session yet, so there is nothing to resume")]
    NothingToResume,
    /// There is no conversation of the agent in this folder.
    #[error("the agent has said nothing in `{}` yet, so there is nothing to go on with", .0.display())]
    NothingToContinue(PathBuf),
    /// Somebody else writes to the same conversation.
    #[error("{}", others(.0))]
    TwoWriters(Vec<Other>),
    /// The agent died too often in too short a time.
    #[error("the agent ended unexpectedly {times} times within ten minutes and is not started again by itself")]
    CrashBudget {
        /// How often.
        times: usize,
    },
    /// There is no question of this name that is open.
    #[error("the agent does not ask `{0}`, or not any more")]
    NoQuestion(String),
    /// There is no message of this name.
    #[error("there is no message `{0}` in this session")]
    NoMessage(String),
    /// The agent has a message already that was to be taken back.
    #[error("the agent has taken this message already")]
    Taken,
    /// The agent is too old for messages to be taken back.
    #[error("this version of the agent does not give messages back; a newer one does")]
    NeverGivesBack,
    /// There is no prompt of this name that waits in the host.
    #[error("no prompt `{0}` waits in this session, or not any more")]
    NotHeld(String),
    /// The decision does not fit the question.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The keeper did not write the line.
    #[error("{text}")]
    Refused {
        /// Why.
        why: keeper::Refusal,
        /// The same in words.
        text: String,
    },
    /// The agent said no to a command.
    #[error("the agent refused: {0}")]
    Agent(String),
    /// The agent did not answer.
    #[error("the agent did not answer within {seconds} seconds")]
    NoAnswer {
        /// How long it was waited for.
        seconds: u64,
    },
    /// Permissions may be bypassed only if that was allowed at the start.
    #[error("permissions may not be bypassed: this was not allowed when Quarterdeck was started")]
    BypassNotAllowed,
    /// Agents may not be started like this here, or not any more.
    #[error("{0}")]
    NotAdmitted(String),
    /// An option makes no sense.
    #[error("{what}: {why}")]
    Option {
        /// Which.
        what: &'static str,
        /// Why.
        why: String,
    },
    /// A file of the session could not be read or written.
    #[error("could not {doing} `{}`", path.display())]
    File {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The CLI could not be prepared.
    #[error(transparent)]
    Driver(#[from] claude_driver::Error),
    /// The keeper could not be started or reached.
    #[error(transparent)]
    Keeper(#[from] keeper::Error),
    /// The log could not be read or written.
    #[error(transparent)]
    Journal(#[from] journal::Error),
}

fn others(others: &[Other]) -> String {
    let named: Vec<String> = others.iter().map(ToString::to_string).collect();
    format!(
        "another program works on the same conversation ({}): watch it, fork the session, or take it over",
        named.join("; ")
    )
}
