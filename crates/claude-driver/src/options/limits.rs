//! How much a session may do and spend.

use std::time::Duration;

use super::Claude;
use crate::actor::Patience;

/// What the driver itself puts up with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) line_bytes: usize,
    pub(crate) memory_bytes: usize,
    pub(crate) start_time: Duration,
    pub(crate) request_time: Duration,
    pub(crate) patience: Patience,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            line_bytes: 64 << 20,
            memory_bytes: 32 << 20,
            start_time: Duration::from_secs(60),
            request_time: Duration::from_secs(60),
            patience: Patience { grace: Duration::from_secs(10), after_signal: Duration::from_secs(5) },
        }
    }
}

/// When the CLI compacts the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoCompact {
    /// When the CLI finds it right.
    Auto,
    /// At so many tokens; the CLI takes 100,000 to 1,000,000.
    Tokens(u64),
}

impl Claude {
    /// The most rounds of a turn: `--max-turns`. Every version, though hidden from its help.
    pub fn max_turns(self, turns: u32) -> Claude {
        self.with(|options| options.max_turns = Some(turns))
    }

    /// The most that the session may cost, in US dollars: `--max-budget-usd`. Every version.
    pub fn max_budget_usd(self, dollars: f64) -> Claude {
        self.with(|options| options.max_budget_usd = Some(dollars))
    }

    /// How many tokens the model is told to have for its task: `--task-budget`. Since 2.1.84, hidden from the help.
    pub fn task_budget(self, tokens: u64) -> Claude {
        self.with(|options| options.task_budget = Some(tokens))
    }

    /// When the conversation is compacted: `--autocompact`. Since 2.1.221.
    pub fn auto_compact(self, window: AutoCompact) -> Claude {
        self.with(|options| options.auto_compact = Some(window))
    }

    /// How often the CLI tries a failed request to the model again: `CLAUDE_CODE_MAX_RETRIES`.
    pub fn max_retries(self, retries: u32) -> Claude {
        self.with(|options| options.max_retries = Some(retries))
    }

    /// The longest line of the CLI that is read; a longer one becomes [`Event::TooLong`](crate::Event::TooLong). 64 MiB
    /// if nothing is said.
    pub fn line_limit(self, bytes: usize) -> Claude {
        self.with(|options| options.limits.line_bytes = bytes)
    }

    /// How much memory lines may take that a slow reader has not read; the rest waits in a temporary file. About 32 MiB
    /// if nothing is said.
    pub fn memory_limit(self, bytes: usize) -> Claude {
        self.with(|options| options.limits.memory_bytes = bytes)
    }

    /// How long the CLI may take to start and to answer `initialize`. A minute if nothing is said.
    pub fn start_time_limit(self, limit: Duration) -> Claude {
        self.with(|options| options.limits.start_time = limit)
    }

    /// How long the CLI may take to answer a request. A minute if nothing is said.
    pub fn request_time_limit(self, limit: Duration) -> Claude {
        self.with(|options| options.limits.request_time = limit)
    }

    /// How long a CLI that is closed may take to finish before it is asked to end by signal. Ten seconds if nothing is
    /// said; less may cost it its last message.
    pub fn grace(self, grace: Duration) -> Claude {
        self.with(|options| options.limits.patience.grace = grace)
    }
}
