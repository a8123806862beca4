//! What the CLI tells beside the messages, and what the host says it can show.

use super::{Claude, Options};
use crate::launch::since;
use crate::launch::version::Version;

impl Claude {
    /// Tells all that a screen can show, as far as the installed version knows it: hooks, the words of subagents, the
    /// login, and that single tasks can be stopped. Unlike the single options this is never an error.
    pub fn tell_all(self) -> Claude {
        self.with(|options| options.tell_all = true)
    }

    /// Only whole messages; without this the CLI streams them, too (`--include-partial-messages`, every version).
    pub fn without_partial_messages(self) -> Claude {
        self.with(|options| options.no_partial_messages = true)
    }

    /// Tells when hooks start and end: `--include-hook-events`. Since 2.1.88.
    pub fn hook_events(self) -> Claude {
        self.with(|options| options.hook_events = true)
    }

    /// Tells what subagents say and think, not only what they do: `--forward-subagent-text`. Since 2.1.211.
    pub fn subagent_text(self) -> Claude {
        self.with(|options| options.subagent_text = true)
    }

    /// Suggests the next prompt after each turn: `promptSuggestions` of `initialize`. Since 2.1.48.
    pub fn prompt_suggestions(self) -> Claude {
        self.with(|options| options.prompt_suggestions = true)
    }

    /// Sums up now and then what subagents do: `agentProgressSummaries` of `initialize`. Since 2.1.72.
    pub fn progress_summaries(self) -> Claude {
        self.with(|options| options.progress_summaries = true)
    }

    /// Sums up calls of tools: `CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES=1`. Since 2.1.19.
    pub fn tool_use_summaries(self) -> Claude {
        self.with(|options| options.tool_summaries = true)
    }

    /// Does not tell whether the session is busy or idle; without this it does, since 2.1.83
    /// (`CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1`).
    pub fn without_session_state(self) -> Claude {
        self.with(|options| options.no_session_state = true)
    }

    /// Tells about the login: `--enable-auth-status`. Every version, though hidden.
    pub fn auth_status(self) -> Claude {
        self.with(|options| options.auth_status = true)
    }

    /// Sends the entries of the transcript, too: `--session-mirror`. Since 2.1.97, hidden from the help.
    pub fn transcript_mirror(self) -> Claude {
        self.with(|options| options.mirror = true)
    }

    /// Says that the host can stop single tasks, so that an interrupt spares those in the background:
    /// `perTaskStopAffordance` of `initialize`. Since 2.1.246; older versions know no difference.
    pub fn per_task_stop(self) -> Claude {
        self.with(|options| options.per_task_stop = true)
    }
}

impl Options {
    /// The options for a CLI of this version: what is to be told "as far as it knows" becomes what it knows.
    pub(crate) fn for_version(mut self, version: &Version) -> Options {
        if self.tell_all {
            let knows = |feature: since::Feature| feature.check(version).is_ok();
            self.hook_events |= knows(since::INCLUDE_HOOK_EVENTS);
            self.subagent_text |= knows(since::FORWARD_SUBAGENT_TEXT);
            self.per_task_stop |= knows(since::PER_TASK_STOP);
            self.auth_status = true;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_told_that_the_version_knows() {
        let told = |version: Version| {
            let options = (*Claude::new().tell_all().options).clone().for_version(&version);
            (options.hook_events, options.subagent_text, options.per_task_stop)
        };
        assert_eq!(told(Version::new(2, 1, 1)), (false, false, false));
        assert_eq!(told(Version::new(2, 1, 100)), (true, false, false));
        assert_eq!(told(Version::new(2, 1, 325)), (true, true, true));
    }
}
