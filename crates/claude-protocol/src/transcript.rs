//! The CLI's transcript files: one JSON object per line, appended while a session runs.
//!
//! `~/.claude/projects/<directory>/<session>.jsonl` holds the session, `<session>/subagents/agent-<id>.jsonl` a
//! subagent. The entries with a `uuid` form a tree by `parentUuid`, not a list: results of parallel tools are siblings,
//! a rewind leaves a dead branch, and a compaction starts a new root whose `logicalParentUuid` points back. The `uuid`
//! of a message is the one of its line on stdout, so the two can be joined; a fork copies entries with their uuids, so
//! the key is the session and the uuid together. Names are camelCase here.

pub mod attachment;
pub mod journal;
pub mod message;
pub mod progress;
pub mod record;
pub mod system;
mod told;

pub use attachment::{Attachment, AttachmentEntry};
pub use journal::JournalEntry;
pub use message::{AssistantEntry, UserEntry};
pub use progress::ProgressEntry;
pub use system::SystemEntry;
pub use told::Told;

use crate::ids::{AgentId, SessionId, Uuid};

wire! {
    /// Where an entry belongs.
    pub struct Place {
        /// The entry's id; only those that form the tree have one.
        pub uuid: Option<Uuid>,
        /// The entry before it; null at a root.
        pub parent_uuid: Option<Uuid> = "parentUuid",
        /// After a compaction, the entry before it in the user's eyes.
        pub logical_parent_uuid: Option<Uuid> = "logicalParentUuid",
        /// The session; on a fork the new one, though the uuid is the old one.
        pub session_id: Option<SessionId> = "sessionId",
        /// The subagent whose file this is.
        pub agent_id: Option<AgentId> = "agentId",
        /// Is it a subagent's?
        pub is_sidechain: Option<bool> = "isSidechain",
        /// When it was written: RFC 3339 with milliseconds, UTC.
        pub timestamp: Option<String>,
    }

    /// What a copied entry was copied from (not measured).
    pub struct ForkedFrom {
        /// The session.
        pub session_id: Option<SessionId> = "sessionId",
        /// The entry there.
        pub message_uuid: Option<Uuid> = "messageUuid",
    }
}

/// Something with a place among the entries.
pub(crate) trait Placed {
    fn place(&self) -> Place;
}

impl<T: Placed> Placed for Box<T> {
    fn place(&self) -> Place {
        (**self).place()
    }
}

/// Declares entries that form the tree: [`wire!`] plus the fields that all of them have.
macro_rules! entry {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($field:tt)*
        }
    )*) => { $(
        wire! {
            $(#[$meta])*
            pub struct $name {
                $($field)*
                /// The entry's id, equal to that of its line on stdout.
                pub uuid: Option<$crate::ids::Uuid>,
                /// The entry before it; null at a root.
                pub parent_uuid: Option<$crate::ids::Uuid> = "parentUuid",
                /// After a compaction, the entry before it in the user's eyes.
                pub logical_parent_uuid: Option<$crate::ids::Uuid> = "logicalParentUuid",
                /// Is it a subagent's?
                pub is_sidechain: Option<bool> = "isSidechain",
                /// The session.
                pub session_id: Option<$crate::ids::SessionId> = "sessionId",
                /// The subagent whose file this is.
                pub agent_id: Option<$crate::ids::AgentId> = "agentId",
                /// When it was written: RFC 3339 with milliseconds, UTC.
                pub timestamp: Option<String>,
                /// The working directory at that time.
                pub cwd: Option<String>,
                /// The CLI's version.
                pub version: Option<String>,
                /// The branch that was checked out; empty outside a git repository.
                pub git_branch: Option<String> = "gitBranch",
                /// Always `external`.
                pub user_type: Option<String> = "userType",
                /// How the CLI was started, for example `sdk-cli` (2.1.325).
                pub entrypoint: Option<String>,
                /// The session's name for its plan file, once it has one.
                pub slug: Option<String>,
                /// Whether the session has a user in front of it (not measured).
                pub session_kind: Option<String> = "sessionKind",
                /// The team that the session works in (not measured).
                pub team_name: Option<String> = "teamName",
                /// What the entry was copied from (not measured).
                pub forked_from: Option<$crate::transcript::ForkedFrom> = "forkedFrom",
            }
        }

        impl $crate::transcript::Placed for $name {
            fn place(&self) -> $crate::transcript::Place {
                $crate::transcript::Place {
                    uuid: self.uuid.clone(),
                    parent_uuid: self.parent_uuid.clone(),
                    logical_parent_uuid: self.logical_parent_uuid.clone(),
                    session_id: self.session_id.clone(),
                    agent_id: self.agent_id.clone(),
                    is_sidechain: self.is_sidechain,
                    timestamp: self.timestamp.clone(),
                }
            }
        }
    )* };
}
use entry;

/// Declares entries beside the tree: [`wire!`] plus session and time.
macro_rules! record_entry {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($field:tt)*
        }
    )*) => { $(
        wire! {
            $(#[$meta])*
            pub struct $name {
                $($field)*
                /// The session.
                pub session_id: Option<$crate::ids::SessionId> = "sessionId",
                /// The subagent whose file this is.
                pub agent_id: Option<$crate::ids::AgentId> = "agentId",
                /// When it was written, where the kind has a time at all.
                pub timestamp: Option<String>,
            }
        }

        impl $crate::transcript::Placed for $name {
            fn place(&self) -> $crate::transcript::Place {
                $crate::transcript::Place {
                    session_id: self.session_id.clone(),
                    agent_id: self.agent_id.clone(),
                    timestamp: self.timestamp.clone(),
                    ..Default::default()
                }
            }
        }
    )* };
}
use record_entry;

/// Declares an enum of entries: [`tagged!`] whose every value has a place.
macro_rules! entries {
    (
        $(#[$meta:meta])*
        pub enum $name:ident by $tag:literal after [$($outer:literal),*] {
            $( $(#[$variant_meta:meta])* $kind:literal => $variant:ident($type:ty) ),* $(,)?
            $(; $(#[$line_meta:meta])* $not_json:ident)?
        }
    ) => {
        tagged! {
            $(#[$meta])*
            pub enum $name by $tag after [$($outer),*] {
                $( $(#[$variant_meta])* $kind => $variant($type), )*
                $(; $(#[$line_meta])* $not_json)?
            }
        }

        impl $crate::transcript::Placed for $name {
            fn place(&self) -> $crate::transcript::Place {
                match self {
                    $( $name::$variant(entry) => $crate::transcript::Placed::place(entry), )*
                    // An unknown kind may still be a link of the chain.
                    $name::Other(other) => other.raw.read().map(|reading| reading.value).unwrap_or_default(),
                    $( $name::$not_json(_) => $crate::transcript::Place::default(), )?
                }
            }
        }
    };
}
use entries;

entries! {
    /// A line of a transcript file. Read it with `decode_as::<Entry>`.
    pub enum Entry by "type" after [] {
        /// A prompt, the result of a tool, or words that the CLI puts in the user's mouth (2.1.1 to 2.1.325).
        "user" => User(Box<UserEntry>),
        /// One block of an answer (2.1.1 to 2.1.325).
        "assistant" => Assistant(Box<AssistantEntry>),
        /// News that the user sees in the conversation (2.1.1 to 2.1.325).
        "system" => System(SystemEntry),
        /// What the model is told besides the conversation; a link of the chain (2.1.325).
        "attachment" => Attachment(Box<AttachmentEntry>),
        /// A tool or a hook at work; a link of the chain (2.1.29 and 2.1.38).
        "progress" => Progress(Box<ProgressEntry>),
        /// What hooks added to the context (versions before 2.1.29; not measured).
        "saved_hook_context" => SavedHookContext(Box<progress::SavedHookContext>),
        /// A prompt went into the queue or out of it (2.1.1 to 2.1.325).
        "queue-operation" => QueueOperation(Box<record::QueueOperation>),
        /// The last prompt and the live end of the tree (2.1.325).
        "last-prompt" => LastPrompt(record::LastPrompt),
        /// The session's mode (2.1.325).
        "mode" => Mode(record::Mode),
        /// The permission mode (not measured).
        "permission-mode" => PermissionMode(record::PermissionModeEntry),
        /// Running totals, written when the CLI exits; how a resumed session goes on counting (2.1.325).
        "cost-state" => CostState(Box<record::CostState>),
        /// The tools that a turn has used (2.1.325).
        "tools-used" => ToolsUsed(record::ToolsUsed),
        /// Internal (2.1.325).
        "atis-latch" => AtisLatch(record::AtisLatch),
        /// A request to the API: what is new since the last one (2.1.325).
        "api-request" => ApiRequest(Box<record::ApiRequest>),
        /// System prompt and tools of requests; large (2.1.325).
        "api-request-shape" => ApiRequestShape(record::ApiRequestShape),
        /// A message of requests; large (2.1.325).
        "api-request-blob" => ApiRequestBlob(record::ApiRequestBlob),
        /// The files as they were at a prompt, for a rewind (2.1.325; with checkpointing).
        "file-history-snapshot" => FileHistorySnapshot(Box<record::FileHistorySnapshot>),
        /// A file as it was before its first change after a prompt (2.1.325; with checkpointing).
        "file-history-delta" => FileHistoryDelta(Box<record::FileHistoryDelta>),
        /// A title that the CLI made for a conversation (older versions; not measured).
        "summary" => Summary(record::Summary),
        /// A title that the user gave (2.1.325).
        "custom-title" => CustomTitle(record::CustomTitle),
        /// A title that a model made (not measured).
        "ai-title" => AiTitle(record::AiTitle),
        /// The name under which other sessions write to this one (2.1.325).
        "agent-name" => AgentName(record::AgentName),
        /// The colour of the session (not measured).
        "agent-color" => AgentColor(record::AgentColor),
        /// The agent that the session runs as (not measured).
        "agent-setting" => AgentSetting(record::AgentSetting),
        /// A tag that the user gave (not measured).
        "tag" => Tag(record::Tag),
        /// A pull request that belongs to the session (not measured).
        "pr-link" => PrLink(record::PrLink),
        /// The session works in a worktree, or no longer does (2.1.325).
        "worktree-state" => WorktreeState(Box<record::WorktreeState>),
        /// The session has moved to another directory (2.1.325).
        "relocated" => Relocated(record::Relocated),
        /// Tool results that were replaced to save context (not measured).
        "content-replacement" => ContentReplacement(record::ContentReplacement),
        /// The sessions that this one was branched from (not measured).
        "derived-from" => DerivedFrom(record::DerivedFrom),
        ;
        /// A text that is no JSON object: nearly always the last line of a file whose writer was killed.
        NotJson
    }
}

impl Entry {
    /// The kind with its subtype, where it has one: `system/compact_boundary`.
    pub fn full_kind(&self) -> String {
        match self {
            Entry::System(system) => format!("{}/{}", self.kind(), system.kind()),
            _ => self.kind().to_owned(),
        }
    }

    /// Where the entry belongs; also of kinds that this crate does not know.
    pub fn place(&self) -> Place {
        Placed::place(self)
    }

    /// The entry's id; `None` for entries beside the tree.
    pub fn uuid(&self) -> Option<Uuid> {
        self.place().uuid
    }

    /// The entry before it.
    pub fn parent_uuid(&self) -> Option<Uuid> {
        self.place().parent_uuid
    }

    /// The session.
    pub fn session_id(&self) -> Option<SessionId> {
        self.place().session_id
    }

    /// When it was written.
    pub fn timestamp(&self) -> Option<String> {
        self.place().timestamp
    }
}

#[cfg(test)]
mod tests;
