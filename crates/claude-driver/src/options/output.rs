//! What the CLI tells beside the messages, and what the host says it can show.

use super::Claude;

impl Claude {
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
