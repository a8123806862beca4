//! What can go wrong, by what a caller would do about it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use claude_protocol::control::ErrorCode;

use crate::answer::Answer;
use crate::launch::version::Version;

/// The result of most calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something did not work. Cheap to clone, since the end of a session is told to everyone who waits.
///
/// `Debug` shows the same words as `Display`, and the causes: it is what a `main` that returns the error prints.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no Claude Code CLI where one could be. A program that uses this crate can also name it with `Claude::program`;
    /// the words are for whoever runs that program.
    #[error(
        "Claude Code was not found; install it with `npm install -g @anthropic-ai/claude-code`, or say where it is with \
         `QUARTERDECK_CLAUDE` (looked at {})",
        places(searched)
    )]
    NotFound {
        /// Where it was looked for.
        searched: Vec<PathBuf>,
    },
    /// The CLI is older than what was asked of it.
    #[error("{what} needs Claude Code {needs} or newer; this is {has}")]
    TooOld {
        /// The option or request.
        what: String,
        /// The version that has it.
        needs: Version,
        /// The version that was found.
        has: Version,
    },
    /// Options that exclude each other, or one that needs another.
    #[error("{why}")]
    Conflict {
        /// Which, and why.
        why: String,
    },
    /// The command line is longer than the system takes.
    #[error("the command line is too long: {what} has {bytes} bytes and the system takes {limit}")]
    TooLong {
        /// The argument, or the whole.
        what: String,
        /// Its length.
        bytes: usize,
        /// The most that can be.
        limit: usize,
    },
    /// The CLI did not say which version it is.
    #[error("`{program}` did not tell its version: {reason}")]
    Version {
        /// The program.
        program: PathBuf,
        /// What it did instead.
        reason: String,
        /// What it wrote to its standard error.
        stderr: String,
    },
    /// The CLI could not be started.
    #[error("could not start `{program}`")]
    Spawn {
        /// The program.
        program: String,
        /// Why.
        #[source]
        source: Arc<io::Error>,
    },
    /// The session is over. Everyone who waits for something of it is told this.
    #[error("Claude Code {0}")]
    Exited(Arc<Exit>),
    /// The CLI said no to a request.
    #[error("Claude Code refused `{request}`: {message}")]
    Refused {
        /// The request's subtype.
        request: String,
        /// What the CLI says.
        message: String,
        /// The same for programs, where the CLI tells it.
        code: Option<ErrorCode>,
    },
    /// The CLI gave no answer in time. It may still act on the request.
    #[error("Claude Code did not answer `{request}` within {after:?}")]
    TimedOut {
        /// The request's subtype.
        request: String,
        /// How long was waited.
        after: Duration,
    },
    /// The turn ended in an error: of the API, of a limit, of a hook. Not when it was interrupted.
    #[error("the turn failed: {0}")]
    Failed(Box<Answer>),
    /// The prompt was taken back before it ran.
    #[error("the prompt was taken back before it ran")]
    Cancelled,
    /// The answer is not of the shape that was asked for.
    #[error("the answer does not fit the type that was asked for")]
    Misfit {
        /// The answer.
        answer: Box<Answer>,
        /// Why.
        #[source]
        source: Arc<serde_json::Error>,
    },
    /// A file of the host could not be used.
    #[error("could not use `{path}`")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: Arc<io::Error>,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

/// A few places by name: a search path can have dozens, and the words have to be read.
fn places(searched: &[PathBuf]) -> String {
    const NAMED: usize = 3;
    let mut places: Vec<String> = searched.iter().take(NAMED).map(|place| format!("`{}`", place.display())).collect();
    match searched.len().saturating_sub(NAMED) {
        0 if places.is_empty() => return "no place".to_owned(),
        0 => {}
        more => places.push(format!("{more} more")),
    }
    match places.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// How a session ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exit {
    /// The CLI's status; none when the session did not run as a process of ours, or when its status was lost.
    pub status: Option<ExitStatus>,
    /// The last of what the CLI wrote to stderr.
    pub stderr_tail: String,
    /// What the host did to end it.
    pub ending: Ending,
    /// Was the last result an error? Then the CLI exits with 1 although nothing broke.
    pub last_result_failed: bool,
    /// What the last result said, if it was an error: some versions tell there, and not on stderr, why they do not start.
    pub last_error: Option<String>,
    /// The pipe broke, and how.
    pub broken: Option<String>,
}

/// What the host did to end a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// Nothing: the CLI ended by itself.
    ByItself,
    /// Stdin was closed.
    Closed,
    /// It was asked to end, by signal.
    Terminated,
    /// It was killed.
    Killed,
}

impl Exit {
    /// For a session whose end nobody saw, because its runtime was shut down.
    pub(crate) fn unknown() -> Self {
        Exit {
            status: None,
            stderr_tail: String::new(),
            ending: Ending::ByItself,
            last_result_failed: false,
            last_error: None,
            broken: Some("its runtime was shut down".to_owned()),
        }
    }

    /// Did the CLI end as it should? It exits with 1 after a result that is an error: that is no crash.
    pub fn is_clean(&self) -> bool {
        let code = self.status.map(|status| status.code());
        let expected = match code {
            None => self.ending != Ending::ByItself,
            Some(code) => code == Some(0) || (code == Some(1) && self.last_result_failed),
        };
        expected && self.broken.is_none()
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.ending, self.status) {
            (Ending::ByItself, Some(status)) => write!(f, "ended with {status}")?,
            (Ending::ByItself, None) => write!(f, "hung up")?,
            (Ending::Closed, _) => write!(f, "was closed")?,
            (Ending::Terminated, _) => write!(f, "was terminated")?,
            (Ending::Killed, _) => write!(f, "was killed")?,
        }
        if let Some(broken) = &self.broken {
            write!(f, " ({broken})")?;
        }
        let tail = match (self.stderr_tail.trim(), &self.last_error) {
            ("", Some(error)) if self.ending == Ending::ByItself => error.trim(),
            (tail, _) => tail,
        };
        if tail.is_empty() { Ok(()) } else { write!(f, "; it said: {tail}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_that_returns_the_error_prints_words_and_causes() {
        let missing = Error::NotFound { searched: vec!["/usr/bin/claude".into()] };
        assert!(format!("{missing:?}").contains("install it with `npm install -g @anthropic-ai/claude-code`"));
        assert!(missing.to_string().ends_with("(looked at `/usr/bin/claude`)"));
        let searched = ["a", "b", "c", "d", "e"].map(PathBuf::from).to_vec();
        assert!(Error::NotFound { searched }.to_string().ends_with("(looked at `a`, `b`, `c` and 2 more)"));
        let source = Arc::new(io::Error::other("no such luck"));
        let file = Error::File { path: "a.png".into(), source };
        assert_eq!(format!("{file:?}"), "could not use `a.png`: no such luck");
    }
}
