//! Pieces of an answer while it is made. For display only: the whole block follows and counts.

use std::sync::Arc;

use crate::shape::event;
use crate::shape::names;

event! {
    /// A piece of an answer.
    pub struct StreamDelta {
        /// What the piece is.
        pub kind: StreamDeltaKind,
        /// Text to append.
        pub text_delta: Option<String>,
        /// JSON text to append.
        pub json_delta: Option<String>,
        /// The number of the block in its message.
        pub block_index: Option<u32>,
        /// The call, of a tool's block.
        pub call_id: Option<Arc<str>>,
        /// The call whose subagent speaks.
        pub parent_call_id: Option<Arc<str>>,
        /// The message.
        pub message_id: Option<Arc<str>>,
        /// What a block that begins is: `text`, `thinking`, `tool_use`, …
        pub block_type: Option<BlockType>,
        /// The tool, of a tool's block that begins.
        pub tool_name: Option<String>,
        /// Blocks from this one on were given up: a new message will come in their place.
        pub abandoned_from: Option<u32>,
        /// How long until the first token.
        pub ttft_ms: Option<f64>,
    }
}

names! {
    /// What a piece is.
    pub enum StreamDeltaKind {
        /// More text.
        Text,
        /// More thinking.
        Thinking,
        /// More of a tool's input.
        ToolInput,
        /// A message begins.
        MessageStart,
        /// A message ends. Of the two that come, the one without a stop reason closes it.
        MessageStop,
        /// A block begins.
        BlockStart,
        /// A block ends.
        BlockStop,
        /// The signature of a thought. Only in profile `full`, like the two below.
        Signature,
        /// A source.
        Citations,
        ;
        /// Something else.
        Other(String)
    }

    /// What a block is.
    pub enum BlockType {
        /// Text.
        Text,
        /// Thinking.
        Thinking,
        /// A call of a tool.
        #[serde(rename = "tool_use")]
        ToolUse,
        ;
        /// Something else.
        Other(String)
    }
}
