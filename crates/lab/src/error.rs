//! What can go wrong in the lab, told so that a failed test explains itself.

use std::io;
use std::path::PathBuf;

/// Everything the lab can fail with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// The version is not of the form `1.2.3`.
    #[error("`{text}` is not a CLI version; write it like `2.1.38`")]
    BadVersion {
        /// What was given instead.
        text: String,
    },
    /// `npm` could not bring the CLI; there is no silent way around it.
    #[error(
        "could not install Claude Code {version}: {reason}\nhint: the lab needs `npm` on PATH and a registry it can reach, \
         or an installed copy in `$QUARTERDECK_CLI_CACHE/{version}` (made by `npm install --prefix`)"
    )]
    Install {
        /// The version that was asked for.
        version: String,
        /// What npm, or the look into its result, said.
        reason: String,
    },
    /// The history lacks the commit of the previous version.
    #[error(
        "this clone does not have commit {commit}, from which the previous version of Quarterdeck is built: {reason}\nhint: \
         get the whole history with `git fetch --unshallow`, or set `QUARTERDECK_PREVIOUS` to a binary built from that commit"
    )]
    NoHistory {
        /// The commit.
        commit: String,
        /// What git said.
        reason: String,
    },
    /// The previous version could not be built.
    #[error(
        "could not build the previous version of Quarterdeck (commit {commit}): {reason}\nhint: this needs `git`, `tar`, \
         `cargo` and the crates of its `Cargo.lock`; or set `QUARTERDECK_PREVIOUS` to a binary built from that commit"
    )]
    Previous {
        /// The commit.
        commit: String,
        /// What failed.
        reason: String,
    },
    /// A program could not be started at all.
    #[error("could not start `{program}`")]
    Spawn {
        /// The program's name or path.
        program: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A file or folder of the lab could not be read or written.
    #[error("could not use `{}`", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The scripted model could not listen on loopback.
    #[error("the scripted model could not listen on loopback")]
    Listen(#[source] io::Error),
    /// Something that was waited for did not come in time.
    #[error("waited {seconds} s for {what}, in vain; the lines so far:\n{transcript}")]
    Waited {
        /// What was waited for.
        what: String,
        /// How long.
        seconds: u64,
        /// All lines so far, shortened.
        transcript: String,
    },
    /// The CLI ended while something was still expected of it.
    #[error("the CLI ended before {what}; the lines so far:\n{transcript}")]
    Ended {
        /// What was still expected.
        what: String,
        /// All lines so far, shortened.
        transcript: String,
    },
    /// A scenario file cannot be understood.
    #[error("the scenario `{name}` cannot be read: {reason}")]
    Scenario {
        /// The scenario's name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A step of a scenario cannot be done.
    #[error("a step of the scenario cannot be done: {reason}")]
    Step {
        /// Why not.
        reason: String,
    },
}

impl LabError {
    /// A closure for `map_err` that names the file an operation failed on.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> LabError {
        let path = path.into();
        move |source| LabError::File { path, source }
    }
}
