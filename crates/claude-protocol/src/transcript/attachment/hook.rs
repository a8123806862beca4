//! What hooks did and said.

use crate::hook::HookEvent;
use crate::hook::output::HookPermission;
use crate::ids::ToolUseId;

/// Declares what a hook did: [`wire!`] plus the fields that tell which hook it was.
macro_rules! hook_attachment {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($field:tt)*
        }
    )*) => { wire! { $(
        $(#[$meta])*
        pub struct $name {
            /// The hook, for example `PostToolUse:Bash`.
            pub hook_name: Option<String> = "hookName",
            /// The event.
            pub hook_event: Option<HookEvent> = "hookEvent",
            /// The call, or an id of the run of the hooks.
            pub tool_use_id: Option<String> = "toolUseID",
            $($field)*
        }
    )* } };
}

hook_attachment! {
    /// A hook that ran, failed or was cut off.
    pub struct HookRun {
        /// What it has to say; of a failure the reason.
        pub content: Option<String>,
        /// What it printed.
        pub stdout: Option<String>,
        /// What it printed to stderr.
        pub stderr: Option<String>,
        /// Its exit code.
        pub exit_code: Option<i64> = "exitCode",
        /// Its command.
        pub command: Option<String>,
        /// How long it took, in milliseconds.
        pub duration_ms: Option<f64> = "durationMs",
    }

    /// A hook objected.
    pub struct HookBlockingError {
        /// The objection.
        pub blocking_error: Option<BlockingError> = "blockingError",
    }

    /// A hook adds to the context.
    pub struct HookAdditionalContext {
        /// What it adds.
        pub content: Option<Vec<String>>,
    }

    /// A hook has a word for the user.
    pub struct HookSystemMessage {
        /// The word.
        pub content: Option<String>,
    }

    /// A hook ended the work.
    pub struct HookStoppedContinuation {
        /// Why.
        pub message: Option<String>,
    }
}

wire! {
    /// What a hook objected to.
    pub struct BlockingError {
        /// The objection.
        pub blocking_error: Option<String> = "blockingError",
        /// The hook's command.
        pub command: Option<String>,
    }

    /// A hook decided about a call.
    pub struct HookPermissionDecision {
        /// The verdict.
        pub decision: Option<HookPermission>,
        /// The event.
        pub hook_event: Option<HookEvent> = "hookEvent",
        /// The call.
        pub tool_use_id: Option<ToolUseId> = "toolUseID",
    }
}
