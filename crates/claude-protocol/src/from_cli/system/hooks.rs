//! `system` lines about hooks from the settings. Hooks of the host itself are control requests.

use crate::hook::HookEvent;

message! {
    /// A hook has begun. Those of `SessionStart` always show (2.1.38, 2.1.325), the others with `--include-hook-events`
    /// (2.1.325).
    pub struct HookStarted {
        /// This run of the hook.
        pub hook_id: Option<String>,
        /// The event and what it is about, for example `PreToolUse:Bash`.
        pub hook_name: Option<String>,
        /// The event.
        pub hook_event: Option<HookEvent>,
    }

    /// A hook has written something and still runs (2.1.117 to 2.1.325, only with `--include-hook-events`).
    pub struct HookProgress {
        /// This run of the hook.
        pub hook_id: Option<String>,
        /// The event and what it is about.
        pub hook_name: Option<String>,
        /// The event.
        pub hook_event: Option<HookEvent>,
        /// What it wrote to stdout so far.
        pub stdout: Option<String>,
        /// What it wrote to stderr so far.
        pub stderr: Option<String>,
        /// Both.
        pub output: Option<String>,
    }

    /// A hook has ended (2.1.38, 2.1.325).
    pub struct HookResponse {
        /// This run of the hook.
        pub hook_id: Option<String>,
        /// The event and what it is about.
        pub hook_name: Option<String>,
        /// The event.
        pub hook_event: Option<HookEvent>,
        /// What it wrote to stdout and stderr.
        pub output: Option<String>,
        /// What it wrote to stdout.
        pub stdout: Option<String>,
        /// What it wrote to stderr.
        pub stderr: Option<String>,
        /// Its exit code; 2 blocks what it was about.
        pub exit_code: Option<i64>,
        /// How it ended.
        pub outcome: Option<HookOutcome>,
    }
}

words! {
    /// How a hook ended.
    pub enum HookOutcome {
        /// Well (2.1.38, 2.1.325).
        Success = "success",
        /// With an error, or to block something (2.1.325).
        Error = "error",
        /// It was called off. Declared, not measured.
        Cancelled = "cancelled",
    }
}
