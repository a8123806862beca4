//! Which conversation the session takes up.

use super::Claude;

/// The conversation to take up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Selection {
    /// A new one.
    #[default]
    New,
    /// One by its id or name.
    Resume(String),
    /// The most recent of the working directory.
    Recent,
    /// The one of a pull request.
    PullRequest(String),
}

impl Claude {
    /// Takes up a session: `--resume`. Every version. Without [`Claude::cwd`] it goes on in the folder in which it ran, since
    /// the CLI finds it only there. The last of this, [`Claude::continue_recent`] and
    /// [`Claude::from_pull_request`] counts.
    pub fn resume(self, session: impl Into<String>) -> Claude {
        self.with(|options| options.selection = Selection::Resume(session.into()))
    }

    /// Takes up the most recent session of the working directory: `--continue`. Every version.
    pub fn continue_recent(self) -> Claude {
        self.with(|options| options.selection = Selection::Recent)
    }

    /// Takes up the session that belongs to a pull request, by number or address: `--from-pr`. Since 2.1.27.
    pub fn from_pull_request(self, request: impl Into<String>) -> Claude {
        self.with(|options| options.selection = Selection::PullRequest(request.into()))
    }

    /// Goes on under a new id and leaves the session that is taken up as it is: `--fork-session`. Every version.
    pub fn fork(self) -> Claude {
        self.with(|options| options.fork = true)
    }

    /// The id of the new session, a UUID: `--session-id`. Every version. With a session that is taken up, only if that is
    /// forked.
    pub fn session_id(self, id: impl Into<String>) -> Claude {
        self.with(|options| options.session_id = Some(id.into()))
    }

    /// Takes up the session only as far as this message: `--resume-session-at`. Every version, though hidden.
    pub fn resume_at(self, message: impl Into<String>) -> Claude {
        self.with(|options| options.resume_at = Some(message.into()))
    }

    /// The prompt whose turn [`Claude::resume_at`] means to drop; the CLI refuses if more would be lost:
    /// `--resume-drops-turn`. Since 2.1.224.
    pub fn resume_drops_turn(self, prompt: impl Into<String>) -> Claude {
        self.with(|options| options.resume_drops_turn = Some(prompt.into()))
    }

    /// A title for people: `--name`. Since 2.1.76.
    pub fn title(self, title: impl Into<String>) -> Claude {
        self.with(|options| options.title = Some(title.into()))
    }

    /// Writes no transcript, so that the session cannot be taken up again: `--no-session-persistence`. Every version.
    pub fn without_persistence(self) -> Claude {
        self.with(|options| options.unsaved = true)
    }

    /// Works in a new git worktree: `--worktree`. Since 2.1.48.
    pub fn worktree(self) -> Claude {
        self.with(|options| options.worktree = Some(None))
    }

    /// Works in a git worktree of this name: `--worktree=<name>`. Since 2.1.48.
    pub fn worktree_named(self, name: impl Into<String>) -> Claude {
        self.with(|options| options.worktree = Some(Some(name.into())))
    }
}
