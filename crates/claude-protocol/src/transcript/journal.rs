//! The journal of a workflow: `<session>/subagents/workflows/<run>/journal.jsonl`, one object per line, so that a run
//! can be taken up again. It lies among the transcripts but has no sessions, uuids or times.

use crate::ids::AgentId;
use crate::raw::Raw;

tagged! {
    /// A line of a workflow's journal.
    pub enum JournalEntry by "type" after [] {
        /// The workflow was started (2.1.207 to 2.1.325).
        "launched" => Launched(Launched),
        /// A subagent was started (2.1.207 to 2.1.325).
        "started" => Started(Box<AgentStarted>),
        /// A subagent has ended (2.1.207 to 2.1.325).
        "result" => Result(Box<AgentEnded>),
        /// A subagent has failed. In the CLI's code (2.1.325), not measured.
        "failed" => Failed(AgentFailed),
        /// The workflow is taken up again. In the CLI's code (2.1.325), not measured.
        "resumed" => Resumed(JournalMark),
        /// The journal is being brought back. In the CLI's code (2.1.325), not measured.
        "restoring" => Restoring(JournalMark),
        /// The journal is back. In the CLI's code (2.1.325), not measured.
        "restored" => Restored(JournalMark),
        ;
        /// A text that is no JSON object.
        NotJson
    }
}

wire! {
    /// A workflow was started (2.1.207 to 2.1.325).
    pub struct Launched {
        /// A hash of its script, if that is hidden. In the CLI's code, not measured.
        pub hidden_script_sha256: Option<String> = "hiddenScriptSha256",
    }

    /// A subagent was started (2.1.207 to 2.1.325).
    pub struct AgentStarted {
        /// A hash of what it was asked.
        pub key: Option<String>,
        /// The subagent.
        pub agent_id: Option<AgentId> = "agentId",
        /// Its name.
        pub label: Option<String>,
        /// Its phase.
        pub phase: Option<String>,
        /// Its session, if it runs elsewhere. In the CLI's code, not measured.
        pub remote_session_id: Option<String> = "remoteSessionId",
    }

    /// A subagent has ended (2.1.207 to 2.1.325).
    pub struct AgentEnded {
        /// A hash of what it was asked.
        pub key: Option<String>,
        /// The subagent.
        pub agent_id: Option<AgentId> = "agentId",
        /// Its answer: a text, or what its schema asks for.
        pub result: Option<Raw>,
        /// Does it hold words of another device (2.1.325)?
        pub remote_control_device_report: Option<bool> = "remoteControlDeviceReport",
        /// Does it hold words of other people? In the CLI's code, not measured.
        pub foreign_artifact_content: Option<bool> = "foreignArtifactContent",
        /// The tools that it called. In the CLI's code, not measured.
        pub tools_used: Option<Vec<String>> = "toolsUsed",
    }

    /// A subagent has failed. In the CLI's code (2.1.325), not measured.
    pub struct AgentFailed {
        /// A hash of what it was asked.
        pub key: Option<String>,
        /// The subagent.
        pub agent_id: Option<AgentId> = "agentId",
    }

    /// A mark in a journal of which no more is said. In the CLI's code (2.1.325), not measured.
    pub struct JournalMark {}
}
