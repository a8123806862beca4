//! What can go wrong with a keeper.

use std::io;
use std::path::PathBuf;

/// What can go wrong with a keeper.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The log could not be written.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// The agent could not be started.
    #[error("could not start `{program}`")]
    Spawn {
        /// The agent's program.
        program: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The keeper's socket could not be made or reached.
    #[error("could not {doing} the keeper's socket `{}`", path.display())]
    Socket {
        /// What was tried.
        doing: &'static str,
        /// The socket.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The keeper itself could not be started.
    #[error("could not start the keeper `{}`", program.display())]
    Start {
        /// Its program.
        program: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The keeper was started and could not keep the session.
    #[error("{reason}")]
    Refused {
        /// Why.
        reason: String,
    },
    /// What was handed to the keeper is no launch.
    #[error("what was handed to the keeper could not be read")]
    Launch(#[source] serde_json::Error),
    /// The keeper has gone, and its session is over or can be taken up by another one.
    #[error("the keeper has gone")]
    Gone,
    /// A line for the agent is no JSON, and would end it.
    #[error("a line for the agent is no JSON")]
    NotJson(#[source] serde_json::Error),
    /// The keeper is of a build that does not understand this one.
    #[error("the keeper speaks version {theirs} of its protocol, and this program version {ours}")]
    Protocol {
        /// The keeper's.
        theirs: u32,
        /// This program's.
        ours: u32,
    },
}
