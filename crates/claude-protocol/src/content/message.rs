//! Whole messages of the Messages API: what the model answered, and what was said to it.

use crate::content::Content;
use crate::cursor::{Cursor, Fault};
use crate::ids::MessageId;
use crate::usage::Usage;
use crate::wire::Wire;

wire! {
    /// A message of the model as the API has it. On an `assistant` line its content is one block.
    pub struct ApiMessage {
        /// Shared by all lines of one answer.
        pub id: Option<MessageId>,
        /// Always `message`.
        pub r#type: Option<String> = "type",
        /// Always `assistant`.
        pub role: Option<String>,
        /// The model, or `<synthetic>` for words of the CLI itself.
        pub model: Option<String>,
        /// The blocks.
        pub content: Content,
        /// Why the model stopped. On `assistant` lines it is null, except on synthetic ones and in 2.1.1.
        pub stop_reason: Option<StopReason>,
        /// The stop sequence that was met; empty on synthetic messages.
        pub stop_sequence: Option<String>,
        /// More about a refusal (2.1.325; null on every line seen).
        pub stop_details: Option<StopDetails>,
        /// Token counts as of the message's beginning; in 2.1.1 and after a retry without streaming, the final ones.
        pub usage: Option<Usage>,
        /// The container that code ran in; null on every line seen.
        pub container: Option<Container>,
        /// What the API left out of the context; null on every line seen.
        pub context_management: Option<ContextManagement>,
        /// Why the cache did not help (2.1.325; null on every line seen).
        pub diagnostics: Option<Diagnostics>,
        /// What the API changed in the request. Declared, not measured.
        pub input_transformations: Option<Vec<InputTransformation>>,
    }

    /// A message to the model: on `user` lines of both directions and in transcripts.
    pub struct UserMessage {
        /// Always `user`, and always written.
        pub role: UserRole,
        /// Blocks, or a string: a prompt that was sent as one, the output of a local command, a summary.
        pub content: Content,
    }

    /// More about why the model stopped. Declared, not measured.
    pub struct StopDetails {
        /// Always `refusal` so far.
        pub r#type: Option<String> = "type",
        /// The policy that the refusal is about, for example `cyber`.
        pub category: Option<String>,
        /// Why, in words. Not to be parsed.
        pub explanation: Option<String>,
        /// A token that pays for a second try on another model.
        pub fallback_credit_token: Option<String>,
        /// Does that token cover the text that was already written?
        pub fallback_has_prefill_claim: Option<bool>,
        /// The model to try instead.
        pub recommended_model: Option<String>,
    }

    /// The container that code ran in. Declared, not measured.
    pub struct Container {
        /// Its id.
        pub id: Option<String>,
        /// When it ends, as ISO 8601.
        pub expires_at: Option<String>,
        /// The skills that are loaded in it.
        pub skills: Option<Vec<ContainerSkill>>,
    }

    /// A skill in a container. Declared, not measured.
    pub struct ContainerSkill {
        /// Its id.
        pub skill_id: Option<String>,
        /// `anthropic` or `custom`.
        pub r#type: Option<String> = "type",
        /// Its version.
        pub version: Option<String>,
    }

    /// What the API left out of the context to make room. Declared, not measured.
    pub struct ContextManagement {
        /// The edits that were made.
        pub applied_edits: Option<Vec<AppliedEdit>>,
    }

    /// One edit of the context. Declared, not measured.
    pub struct AppliedEdit {
        /// The kind, for example `clear_tool_uses_20250919`.
        pub r#type: Option<String> = "type",
        /// Tokens that went.
        pub cleared_input_tokens: Option<u64>,
        /// Tool calls that went.
        pub cleared_tool_uses: Option<u64>,
        /// Turns whose thinking went.
        pub cleared_thinking_turns: Option<u64>,
    }

    /// What the API says about how it worked. Declared, not measured.
    pub struct Diagnostics {
        /// Why the cache did not help.
        pub cache_miss_reason: Option<CacheMiss>,
    }

    /// Why the cache did not help. Declared, not measured.
    pub struct CacheMiss {
        /// For example `model_changed` or `tools_changed`.
        pub r#type: Option<String> = "type",
        /// Tokens that had to be read again.
        pub cache_missed_input_tokens: Option<u64>,
    }

    /// Something in the request that the API changed. Declared, not measured.
    pub struct InputTransformation {
        /// For example `thinking_dropped`.
        pub r#type: Option<String> = "type",
        /// Where in the request.
        pub path: Option<String>,
        /// Why.
        pub reason: Option<String>,
    }
}

words! {
    /// Why the model stopped.
    pub enum StopReason {
        /// It was done.
        EndTurn = "end_turn",
        /// It ran into the limit of output tokens.
        MaxTokens = "max_tokens",
        /// It wrote a stop sequence; also on synthetic messages.
        StopSequence = "stop_sequence",
        /// It called a tool.
        ToolUse = "tool_use",
        /// The API paused a long turn.
        PauseTurn = "pause_turn",
        /// The API stopped to sum up.
        Compaction = "compaction",
        /// It refused.
        Refusal = "refusal",
        /// The context is full.
        ModelContextWindowExceeded = "model_context_window_exceeded",
    }
}

/// The role of a [`UserMessage`]. There is only one: a prompt of another role, or of none, ends the process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UserRole;

impl Wire for UserRole {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        if cursor.string()? == "user" { Ok(UserRole) } else { Err(Fault::Misfit("the role `user`")) }
    }

    fn write(&self, out: &mut String) {
        out.push_str("\"user\"");
    }

    fn missing() -> Self {
        UserRole
    }
}

impl ApiMessage {
    /// The model's name on messages that the CLI wrote itself: API errors and the output of local commands.
    pub const SYNTHETIC: &str = "<synthetic>";

    /// Did the CLI write this itself, instead of the model?
    pub fn is_synthetic(&self) -> bool {
        self.model.as_deref() == Some(ApiMessage::SYNTHETIC)
    }
}

impl UserMessage {
    /// A message of the user.
    pub fn new(content: impl Into<Content>) -> Self {
        UserMessage { role: UserRole, content: content.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::to_json;

    #[test]
    fn a_message_to_the_model_always_says_its_role() {
        assert_eq!(to_json(&UserMessage::default()), r#"{"role":"user","content":[]}"#);
        assert_eq!(to_json(&UserMessage::new("hi")), r#"{"role":"user","content":"hi"}"#);
    }
}
