//! Events: what happened, in words that name no particular agent. Made by [`convert`](crate::convert), read by
//! [`decide`](crate::state) and by whoever listens.
//!
//! In JSON an event is one flat object with an `event` discriminator in snake_case and fields in camelCase; what is empty
//! is left out. Readers skip discriminators that they do not know.
//!
//! They follow the design's `event-model.md`, which is older. Where a field has another name or place, what is here holds:
//!
//! | in the model | here | why |
//! |---|---|---|
//! | `session_init.effort` | `reasoningEffort` | the core event calls it so |
//! | `text.isSyntheticModel` | `isSynthetic` | the words are the agent's own, and no model's |
//! | `text.contextUsage` | `local_command_output.contextUsage` | in `full`, a command answers with that event |
//! | `text.usageReport` | `local_command_output.usageReport` | the same |
//! | `text.userMessageUuid` | `turn_complete.promptUuids` | a turn answers prompts, not each of its texts |
//! | `tool_completion.content`, as blocks | `content`, as text, and `images` | other blocks are in `raw` |
//! | `stream_delta.usage` | a `usage_update` at the message's end | one event for what a call of the model used |
//! | `parent_tool_use_id`, an extension | `usage_update.parentCallId` | as everywhere else |
//! | `permission_request.agentId` | the `agentId` of all events | each key stands once; so of `permission_denied` |
//! | `permission_resolved.suggestionsApplied` | `remembered` | in words, also what nobody suggested |
//! | `tool_progress.subagentRetry` | `retry` | in words: what failed, and which try is next |
//! | `api_retry.noResponse` | `noResponseMs` | of it, how long the agent waited |
//! | `task.usage` | `totalTokens`, `toolUses`, `durationMs` | flat, like all of a task |
//! | `task.reason` | `error` | an update and an end each say why under one of the two names |
//! | `task.skipTranscript` | `ambient` | both say that it is none of the user's business |
//! | `background_tasks.tasks[].ambient` | such tasks are left out | for the same reason |
//! | `goal`, null | `goal` without `condition` | an event is an object |
//! | `notice.details` | none | what a remark has beside its words has fields of its own, or is in `raw` |
//! | a `notice` beside the `text` of a line `error` | the `text` alone | one event says it, and nobody reads it twice |
//! | `rate_limit_update.planType`, `credits` | none | Claude Code tells neither; the plan is `session_init.account` |
//! | `config_options`, `session_mode` | none | only agents that speak ACP have them; a mode is a field of other events |

pub mod ask;
pub mod body;
pub mod files;
pub mod session;
pub mod stream;
pub mod task;
pub mod text;
pub mod tool;
pub mod turn;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use claude_protocol::Line;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json::Json;
use crate::time::UnixMillis;

pub use body::Body;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", ts(optional_fields))]
#[cfg_attr(feature = "schema", schemars(transform = crate::schema::never_null))]
pub struct InsightsEvent {
    /// What happened.
    #[serde(flatten)]
    pub body: Body,
    /// Unique in the session.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub id: EventId,
    /// The record that it was made from. Only in profile `full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// The record's time, as ISO 8601.
    #[serde(serialize_with = "iso")]
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub timestamp: UnixMillis,
    /// Which agent it is about.
    pub provider: Provider,
    /// The agent's session.
    pub session_id: Arc<str>,
    /// The id of the line; that of its entry in the transcript, and of the prompt where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_uuid: Option<Arc<str>>,
    /// The subagent that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<Arc<str>>,
    /// The kind of that subagent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<Arc<str>>,
    /// What that subagent is to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_description: Option<Arc<str>>,
    /// Who began it, if not a person: `task-notification`, `peer`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Arc<str>>,
    /// Was it read from the agent's transcript file, and not seen as it happened?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<bool>,
    /// What only one provider has and no screen reads; keys like `claude.stopReason`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub extensions: Option<Arc<Extensions>>,
    /// The line that it was made from, unchanged; events of one line share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(type = "unknown", optional))]
    pub raw: Option<RawLine>,
    /// Where its words stand in the line, if they are long: for who shows their head, and no part of what it says.
    #[serde(skip)]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub place: Option<Box<crate::place::Place>>,
}

/// What only one provider has, by name. Events of one line may share it.
pub type Extensions = BTreeMap<&'static str, Json>;

/// The number of an event: `evt-<hash>-<n>` in profile `core`, `evt-<hash>-<seq>-<n>` in `full`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventId {
    /// Of the session's id.
    pub hash: u32,
    /// The record, in profile `full`.
    pub seq: Option<u64>,
    /// The count: in the record for `full`, in the session for `core`.
    pub n: u64,
}

/// Which agent an event is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Provider {
    /// Claude Code.
    #[default]
    Claude,
    /// Codex.
    Codex,
    /// Gemini.
    Gemini,
    /// Any agent that speaks ACP.
    Acp,
}

/// The line that events were made from. Written as the JSON object it is, or as a string if it is none.
#[derive(Clone, Debug, PartialEq)]
pub struct RawLine(pub Arc<Line>);

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "evt-{:08x}-", self.hash)?;
        if let Some(seq) = self.seq {
            write!(f, "{seq}-")?;
        }
        write!(f, "{}", self.n)
    }
}

impl Serialize for EventId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
crate::schema::written_as!(EventId, String);

impl Serialize for RawLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.text();
        match serde_json::from_str::<&RawValue>(&text) {
            Ok(raw) if text.starts_with('{') => raw.serialize(serializer),
            _ => serializer.serialize_str(&text),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RawLine {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RawLine".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["object", "string"] })
    }
}

fn iso<S: Serializer>(at: &UnixMillis, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(at)
}
