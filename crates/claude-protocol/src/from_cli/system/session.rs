//! `system` lines about the session itself: what it is, what it does, what it is called.

use crate::control::catalog::SlashCommand;
use crate::from_cli::system::hosted::UiInstance;
use crate::ids::{ToolUseId, Uuid};
use crate::permission::PermissionMode;

message! {
    /// What the CLI is busy with, if it is not simply working. Before each call of the model (2.1.325, only with
    /// partial messages), around a compaction (2.1.38, 2.1.325), and after a change of the permission mode (2.1.325).
    pub struct Status {
        /// The work; null when there is none.
        pub status: Option<StatusWord>,
        /// The permission mode, when that is the news.
        pub permission_mode: Option<PermissionMode> = "permissionMode",
        /// How a compaction ended (2.1.325).
        pub compact_result: Option<CompactResult>,
        /// Why a compaction failed (2.1.325).
        pub compact_error: Option<String>,
        /// How much of the summary is written so far (2.1.325).
        pub compact_output_chars: Option<u64>,
        /// Does the session wait for a plan before it goes on? In the CLI's code, not measured.
        pub resume_held_for_plan: Option<bool>,
        /// The prompts that the model was asked about, if the host gave them uuids (2.1.325).
        pub user_message_uuids: Option<Vec<Uuid>>,
        /// A text that one of the older documents shows; never measured.
        pub message: Option<String>,
        /// The tool call whose subagent this is about, in one of the older documents; never measured.
        pub parent_tool_use_id: Option<ToolUseId>,
    }

    /// The session begins to work, to wait for an answer, or to idle (2.1.325, only with
    /// `CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1`).
    pub struct SessionStateChanged {
        /// What it does now.
        pub state: Option<SessionState>,
        /// Does it wait for the user? In the CLI's code, not measured.
        pub waiting_on_user: Option<bool>,
    }

    /// The session has a new name, after the control request `rename_session` (2.1.325, undeclared).
    pub struct SessionTitleChanged {
        /// The name.
        pub title: Option<String>,
    }

    /// The slash commands are others now: an MCP server has brought prompts, a skill was found (2.1.325).
    pub struct CommandsChanged {
        /// All of them: replace the list.
        pub commands: Option<Vec<SlashCommand>>,
    }

    /// Something in the CLI's own screen has to be drawn again (2.1.325 with `--bare`, undeclared). Nothing to a host.
    pub struct UiInvalidate {
        /// What.
        pub event: Option<String>,
        /// Were prompts looked through first? In the CLI's code, not measured.
        pub prompts_screened: Option<bool>,
        /// The parts to draw; all when absent. In the CLI's code, not measured.
        pub instances: Option<Vec<UiInstance>>,
    }

    /// The process of a remote session ends. Declared, not measured. True only while nothing comes after it.
    pub struct WorkerShuttingDown {
        /// Why, for example `host_exit`.
        pub reason: Option<String>,
    }
}

words! {
    /// What the CLI is busy with.
    pub enum StatusWord {
        /// The conversation is being summed up (2.1.38, 2.1.325).
        Compacting = "compacting",
        /// The model has been asked (2.1.325).
        Requesting = "requesting",
        /// It works. Only in one of the older documents; never measured.
        Processing = "processing",
    }

    /// How a compaction ended (2.1.325).
    pub enum CompactResult {
        /// Well.
        Success = "success",
        /// Not at all: `compact_error` says why.
        Failed = "failed",
    }

    /// What a session does (2.1.325).
    pub enum SessionState {
        /// Nothing.
        Idle = "idle",
        /// It works.
        Running = "running",
        /// It waits for an answer of the host.
        RequiresAction = "requires_action",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromCli, System, decode};

    #[test]
    fn the_status_of_an_older_document_is_read() {
        let decoded =
            decode(r#"{"type":"system","subtype":"status","status":"processing","message":"Running tests..."}"#);
        let status = Status {
            status: Some(StatusWord::Processing),
            message: Some("Running tests...".to_owned()),
            ..Status::default()
        };
        assert_eq!(decoded.body, FromCli::System(System::Status(Box::new(status))));
    }
}
