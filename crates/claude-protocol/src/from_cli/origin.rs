//! Where a message to the model is from, if not from the keyboard.

use crate::ids::TaskId;

tagged! {
    /// Where a message to the model is from. On a `result` it says why a turn began that nobody asked for: a task in
    /// the background has ended. Only `task-notification` was measured (2.1.325); the others are declared.
    pub enum Origin by "kind" after [] {
        /// A person.
        "human" => Human(NoDetails),
        /// A channel of an MCP server.
        "channel" => Channel(ChannelOrigin),
        /// Another session or a subagent.
        "peer" => Peer(Box<PeerOrigin>),
        /// A task in the background has ended, or a schedule has come due (2.1.325).
        "task-notification" => TaskNotification(TaskNotificationOrigin),
        /// The coordinator of a team.
        "coordinator" => Coordinator(NoDetails),
        /// Nobody knows.
        "unclassified" => Unclassified(NoDetails),
        /// An agent that watches another one.
        "observer" => Observer(ObserverOrigin),
        /// The CLI goes on by itself.
        "auto-continuation" => AutoContinuation(NoDetails),
        /// What an agent that watches another one did.
        "observer-activity" => ObserverActivity(NoDetails),
        /// A call by voice. In the CLI's code (2.1.325), not measured.
        "voice-call" => VoiceCall(VoiceCallOrigin),
    }
}

wire! {
    /// An origin of which no more is said.
    pub struct NoDetails {}

    /// A channel of an MCP server. Declared, not measured.
    pub struct ChannelOrigin {
        /// The server.
        pub server: Option<String>,
    }

    /// Another session or a subagent. Declared, not measured. What it says of itself can be forged.
    pub struct PeerOrigin {
        /// Its address, for an answer.
        pub from: Option<String>,
        /// `bypass` when its tools run without asking, `prompting` otherwise.
        pub from_mode: Option<String> = "fromMode",
        /// Its name for people.
        pub name: Option<String>,
        /// Its session.
        pub from_session: Option<String> = "fromSession",
        /// Its task, if it is a subagent of this session. The CLI sets this, so it is true.
        pub sender_task_id: Option<TaskId> = "senderTaskId",
        /// The message without its wrapping.
        pub body: Option<String>,
        /// The process on the other end of the socket, as the kernel knows it.
        pub verified_peer_pid: Option<u64> = "verifiedPeerPid",
        /// The way it came. In the CLI's code, not measured.
        pub inbound_origin: Option<String>,
        /// Is it the report of a subagent? In the CLI's code, not measured.
        pub handback: Option<bool>,
        /// Was the report found doubtful? In the CLI's code, not measured.
        pub flagged: Option<bool>,
        /// A remark on the report. In the CLI's code, not measured.
        pub handback_note: Option<String> = "handbackNote",
        /// The report. In the CLI's code, not measured.
        pub handback_report_text: Option<String> = "handbackReportText",
        /// The messages, when several were joined. In the CLI's code, not measured.
        pub members: Option<Vec<PeerMessage>>,
    }

    /// One of several messages that were joined. In the CLI's code (2.1.325), not measured.
    pub struct PeerMessage {
        /// The message without its wrapping.
        pub body: Option<String>,
    }

    /// A call by voice. In the CLI's code (2.1.325), not measured.
    pub struct VoiceCallOrigin {
        /// The request.
        pub request_uuid: Option<String> = "requestUuid",
        /// What it answers.
        pub in_reply_to_uuid: Option<String> = "inReplyToUuid",
        /// When it was said.
        pub said_at: Option<String> = "saidAt",
    }

    /// A task in the background, or a schedule (2.1.325).
    pub struct TaskNotificationOrigin {
        /// What kind of notification, for example `scheduled-trigger`. Declared, not measured.
        pub subkind: Option<String>,
        /// Why a schedule came due, for example `manual`. Declared, not measured.
        pub fire_reason: Option<String> = "fireReason",
        /// `session-task` when this session began the work itself.
        pub producer: Option<String>,
        /// The run of the task, as on its `task_*` lines.
        pub run_id: Option<String> = "runId",
        /// What kind of task, for example `mcp-task`. In the CLI's code, not measured.
        pub task_kind: Option<String> = "taskKind",
    }

    /// An agent that watches another one. Declared, not measured.
    pub struct ObserverOrigin {
        /// Its name.
        pub from: Option<String>,
        /// Its task.
        pub sender_task_id: Option<TaskId> = "senderTaskId",
    }
}
