//! How far a workflow is: its phases and its subagents, on the `task_progress` lines of its task.

use crate::ids::AgentId;

tagged! {
    /// A part of a workflow (2.1.207 to 2.1.325). A later part of the same kind with the same index replaces it.
    pub enum WorkflowPart by "type" after [] {
        /// A phase has begun (2.1.207 to 2.1.325).
        "workflow_phase" => Phase(WorkflowPhase),
        /// A subagent, as it is now (2.1.207 to 2.1.325).
        "workflow_agent" => Agent(Box<WorkflowAgent>),
        /// The script has something to say. In the CLI's code (2.1.325), not measured.
        "workflow_log" => Log(WorkflowLog),
    }
}

wire! {
    /// A phase of a workflow (2.1.207 to 2.1.325).
    pub struct WorkflowPhase {
        /// Its number, from 1.
        pub index: Option<u64>,
        /// Its title.
        pub title: Option<String>,
        /// `child` for one of a workflow inside. In the CLI's code, not measured.
        pub kind: Option<String>,
    }

    /// What a script says. In the CLI's code (2.1.325), not measured.
    pub struct WorkflowLog {
        /// The words.
        pub message: Option<String>,
    }

    /// A subagent of a workflow (2.1.207 to 2.1.325).
    pub struct WorkflowAgent {
        /// Its number, from 1.
        pub index: Option<u64>,
        /// Its name; the line has it as `last_tool_name`.
        pub label: Option<String>,
        /// How it is.
        pub state: Option<WorkflowAgentState>,
        /// Its phase.
        pub phase_index: Option<u64> = "phaseIndex",
        /// The title of that phase.
        pub phase_title: Option<String> = "phaseTitle",
        /// The subagent.
        pub agent_id: Option<AgentId> = "agentId",
        /// Its kind. In the CLI's code, not measured.
        pub agent_type: Option<String> = "agentType",
        /// `worktree` or `remote`, if it works apart. In the CLI's code, not measured.
        pub isolation: Option<String>,
        /// Its session, if it runs elsewhere. In the CLI's code, not measured.
        pub remote_session_id: Option<String> = "remoteSessionId",
        /// Its model.
        pub model: Option<String>,
        /// The model that took over. In the CLI's code, not measured.
        pub fallback_model: Option<String> = "fallbackModel",
        /// When it was to begin, in milliseconds since 1970.
        pub queued_at: Option<f64> = "queuedAt",
        /// When it began, in milliseconds since 1970.
        pub started_at: Option<f64> = "startedAt",
        /// When there was last news of it, in milliseconds since 1970.
        pub last_progress_at: Option<f64> = "lastProgressAt",
        /// Which try this is, from 1.
        pub attempt: Option<u64>,
        /// Why the last one was given up, for example `stalled`. In the CLI's code, not measured.
        pub last_attempt_reason: Option<String> = "lastAttemptReason",
        /// The beginning of its prompt.
        pub prompt_preview: Option<String> = "promptPreview",
        /// Has the CLI put words around the prompt?
        pub prompt_framed: Option<bool> = "promptFramed",
        /// The beginning of its answer, once it has ended.
        pub result_preview: Option<String> = "resultPreview",
        /// Tokens, once it has ended.
        pub tokens: Option<u64>,
        /// Tool calls, once it has ended.
        pub tool_calls: Option<u64> = "toolCalls",
        /// Milliseconds, once it has ended.
        pub duration_ms: Option<f64> = "durationMs",
        /// Why it failed. In the CLI's code, not measured, like all below.
        pub error: Option<String>,
        /// Was it passed over?
        pub skipped: Option<bool>,
        /// Can it not go on?
        pub blocked: Option<bool>,
        /// How the workflow ended, if it ended with it: `completed`, `failed` or `stopped`.
        pub ended_with_run: Option<String> = "endedWithRun",
        /// Is the answer that of an earlier run?
        pub cached: Option<bool>,
        /// The tool that it called last.
        pub last_tool_name: Option<String> = "lastToolName",
        /// That call in a few words.
        pub last_tool_summary: Option<String> = "lastToolSummary",
    }
}

words! {
    /// How a subagent of a workflow is.
    pub enum WorkflowAgentState {
        /// It has begun (2.1.207 to 2.1.325).
        Start = "start",
        /// It works. In the CLI's code, not measured.
        Progress = "progress",
        /// It has ended well (2.1.207 to 2.1.325).
        Done = "done",
        /// It has failed. In the CLI's code, not measured.
        Error = "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromCli, System, decode};

    #[test]
    fn the_parts_of_a_workflow_are_read_and_unknown_ones_are_carried() {
        let line = concat!(
            r#"{"type":"system","subtype":"task_progress","task_id":"w1","workflow_progress":["#,
            r#"{"type":"workflow_phase","index":1,"title":"One"},{"type":"workflow_dream"}]}"#
        );
        let decoded = decode(line);
        assert_eq!(decoded.notes, []);
        let FromCli::System(System::TaskProgress(progress)) = decoded.body else {
            panic!("not the progress of a task")
        };
        let parts = progress.workflow_progress.unwrap_or_default();
        let phase = WorkflowPhase { index: Some(1), title: Some("One".to_owned()), kind: None };
        assert_eq!(parts[0], WorkflowPart::Phase(phase));
        assert_eq!(parts[1].kind(), "workflow_dream");
    }
}
