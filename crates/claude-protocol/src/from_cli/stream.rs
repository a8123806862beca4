//! `stream_event`: an answer of the model while it is being made, in the pieces of the Messages API.

mod delta;

use crate::content::message::{Container, ContextManagement, InputTransformation, StopDetails};
use crate::content::{ApiMessage, Block, Citation, StopReason};
use crate::control::request::ThinkingDisplay;
use crate::from_cli::turn::ErrorDetails;
use crate::ids::{Envelope, MessageId, SessionId, ToolUseId, Uuid};
use crate::usage::Usage;

wire! {
    /// One event of the Messages API's stream, passed on by the CLI. Only with `--include-partial-messages`, and only
    /// for the main agent (2.1.1 to 2.1.325).
    pub struct StreamEvent in order, at once by delta::at_once {
        /// The event itself.
        pub event: Event,
        /// The CLI's session.
        pub session_id: Option<SessionId>,
        /// The tool call whose subagent streams; null on every line seen so far.
        pub parent_tool_use_id: Option<ToolUseId>,
        /// The id of this line.
        pub uuid: Option<Uuid>,
        /// Milliseconds until the first token, on the first event of a message (2.1.325).
        pub ttft_ms: Option<f64>,
        /// How thinking is to be shown (2.1.325).
        pub thinking_display: Option<ThinkingDisplay>,
        /// The message that is being made (2.1.325).
        pub api_message_id: Option<MessageId>,
        /// On the last event of a message that was cut off: the blocks that are void and must be taken back (2.1.325).
        pub abandoned_blocks: Option<AbandonedBlocks>,
        /// The prompt that is answered, if the host gave it a uuid; on the first event of the turn (2.1.325).
        pub user_message_uuid: Option<Uuid>,
        /// All prompts that the turn has taken in so far (2.1.325).
        pub user_message_uuids: Option<Vec<Uuid>>,
        /// Entries of the transcript that the turn wrote before it asked the model, about a claude.ai project; empty on
        /// every line seen (2.1.325, undeclared).
        pub owed_rows: Option<Vec<Uuid>>,
        /// Is text that follows on text given as one `assistant` line? In the CLI's code, not measured.
        pub text_runs_joined: Option<bool>,
        /// Why the turn goes on with one that a restart had cut off. Declared, not measured.
        pub resume_reason: Option<String>,
        /// A copy of `event.type` that one of the older documents shows; never measured.
        pub event_type: Option<String>,
    }
}

impl Envelope for StreamEvent {
    fn uuid(&self) -> Option<&Uuid> {
        self.uuid.as_ref()
    }

    fn session_id(&self) -> Option<&SessionId> {
        self.session_id.as_ref()
    }
}

wire! {
    /// Which blocks of a cut-off message are void.
    pub struct AbandonedBlocks {
        /// The message that was cut off.
        pub api_message_id: Option<MessageId>,
        /// The first void block.
        pub from_block_index: Option<u64>,
    }

    /// A message begins.
    pub struct MessageStart {
        /// The message so far: no content yet, usage as of now.
        pub message: Box<ApiMessage>,
    }

    /// A block begins; a tool's name is known from here on.
    pub struct BlockStart {
        /// The place of the block in the message.
        pub index: u64,
        /// The block, still empty.
        pub content_block: Block,
    }

    /// A block grows.
    pub struct BlockDelta in order {
        /// The place of the block in the message.
        pub index: u64,
        /// What is added.
        pub delta: Delta,
    }

    /// A block is complete.
    pub struct BlockStop {
        /// The place of the block in the message.
        pub index: u64,
    }

    /// The message as a whole changes, mostly once, at its end.
    pub struct MessageDelta {
        /// What is new.
        pub delta: MessageChange,
        /// The final token counts.
        pub usage: Option<Usage>,
        /// What the API left out of the context; null on every line seen.
        pub context_management: Option<ContextManagement>,
        /// What the API changed in the request. Declared, not measured.
        pub input_transformations: Option<Vec<InputTransformation>>,
    }

    /// What a message's end tells.
    pub struct MessageChange {
        /// Why the model stopped; null when it was interrupted.
        pub stop_reason: Option<StopReason>,
        /// The stop sequence that was met.
        pub stop_sequence: Option<String>,
        /// More about the stop, for example a refusal.
        pub stop_details: Option<StopDetails>,
        /// The container that code ran in.
        pub container: Option<Container>,
    }

    /// A message is complete.
    pub struct MessageStop {}

    /// A sign of life. The CLI does not pass it on.
    pub struct Ping {}

    /// The API failed in the middle of a stream.
    pub struct StreamError {
        /// What went wrong.
        pub error: Option<ErrorDetails>,
    }

    /// More text.
    pub struct TextDelta in order {
        /// The text to append.
        pub text: String,
    }

    /// More thinking.
    pub struct ThinkingDelta in order {
        /// The text to append; empty when thinking is not shown.
        pub thinking: String,
        /// A guess at the tokens thought so far (2.1.325).
        pub estimated_tokens: Option<u64>,
    }

    /// The signature of a thinking block.
    pub struct SignatureDelta {
        /// To be kept, not shown.
        pub signature: String,
    }

    /// More of a tool's input.
    pub struct InputJsonDelta in order {
        /// JSON text to append; it is complete, and can be read, when the block ends.
        pub partial_json: String,
    }

    /// A source that the text refers to.
    pub struct CitationsDelta {
        /// The source.
        pub citation: Option<Citation>,
    }

    /// More of a summary that the API makes while it compacts.
    pub struct CompactionDelta {
        /// The text to append.
        pub content: Option<String>,
        /// The same in a form that only the API can read.
        pub encrypted_content: Option<String>,
    }
}

tagged! {
    /// An event of the Messages API's stream.
    pub enum Event by "type" after [] {
        /// A block grows.
        "content_block_delta" => BlockDelta(BlockDelta),
        /// A block begins.
        "content_block_start" => BlockStart(Box<BlockStart>),
        /// A block is complete. The `assistant` line of the block has come before.
        "content_block_stop" => BlockStop(BlockStop),
        /// A message begins.
        "message_start" => MessageStart(MessageStart),
        /// Stop reason and final usage.
        "message_delta" => MessageDelta(Box<MessageDelta>),
        /// A message is complete.
        "message_stop" => MessageStop(MessageStop),
        /// A sign of life.
        "ping" => Ping(Ping),
        /// The API failed.
        "error" => Error(StreamError),
    }
}

tagged! {
    /// What is added to a block.
    pub enum Delta by "type" after [] {
        /// More text.
        "text_delta" => Text(TextDelta),
        /// More of a tool's input.
        "input_json_delta" => InputJson(InputJsonDelta),
        /// More thinking.
        "thinking_delta" => Thinking(ThinkingDelta),
        /// The signature of the thinking.
        "signature_delta" => Signature(SignatureDelta),
        /// A source.
        "citations_delta" => Citations(Box<CitationsDelta>),
        /// More of a compaction's summary.
        "compaction_delta" => Compaction(CompactionDelta),
    }
}
