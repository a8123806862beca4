//! Lines that the CLI's engine writes for a screen of its own that runs elsewhere. Their fields are known from the
//! CLI's code (2.1.325), and none was measured: an ordinary host does not get them.

use std::collections::BTreeMap;

use crate::ids::ToolUseId;
use crate::raw::Raw;
use crate::transcript::Attachment;

message! {
    /// What the model is told besides the conversation, as in the transcript. In the CLI's code (2.1.325), not
    /// measured.
    pub struct AttachmentLine {
        /// What it is.
        pub attachment: Option<Attachment>,
        /// When, as ISO 8601.
        pub timestamp: Option<String>,
    }

    /// A message is to be taken back. In the CLI's code (2.1.325), not measured.
    pub struct Tombstone {
        /// The message.
        pub message: Option<Raw>,
    }

    /// How a call of the API goes. In the CLI's code (2.1.325), not measured.
    pub struct ApiMetrics {
        /// What has happened.
        pub event: Option<ApiMetricsEvent>,
    }

    /// The user is to be told by the system's own means. In the CLI's code (2.1.325), not measured.
    pub struct OsNotification {
        /// The text.
        pub message: Option<String>,
        /// What it is about.
        pub notification_type: Option<String>,
    }

    /// Settings for this session only. In the CLI's code (2.1.325), not measured.
    pub struct FlagSettings {
        /// The settings.
        pub settings: Option<Raw>,
    }

    /// A list is to be opened at the side. In the CLI's code (2.1.325), not measured.
    pub struct SetExpandedView {
        /// `none`, `tasks` or `teammates`.
        pub expanded_view: Option<String>,
    }

    /// When the conversation will be summed up. In the CLI's code (2.1.325), not measured.
    pub struct AutocompactState {
        /// The state; null when nothing is known.
        pub value: Option<Autocompact>,
    }

    /// The tool calls that run. In the CLI's code (2.1.325), not measured.
    pub struct SetInProgressToolUseIds {
        /// What is new about them.
        pub op: Option<ToolUseIdsChange>,
    }

    /// Hints are to be taken away. In the CLI's code (2.1.325), not measured.
    pub struct HintClears {
        /// The hints.
        pub ids: Option<Vec<String>>,
        /// Their texts.
        pub content_by_id: Option<BTreeMap<String, String>>,
    }

    /// The user is to choose a message to go back to. In the CLI's code (2.1.325), not measured.
    pub struct OpenMessageSelector {}

    /// How a compaction goes. In the CLI's code (2.1.325), not measured.
    pub struct CompactProgress {
        /// What has happened.
        pub event: Option<CompactProgressEvent>,
    }

    /// What the spinner is to say. In the CLI's code (2.1.325), not measured.
    pub struct StreamMode {
        /// `requesting`, `thinking`, `responding`, `tool-input` or `tool-use`.
        pub mode: Option<String>,
    }
}

wire! {
    /// What has happened in a call of the API, told apart by `type`.
    pub struct ApiMetricsEvent {
        /// `start`, `content_block_start`, `thinking_progress`, `thinking_signature` or `end`.
        pub r#type: Option<String> = "type",
        /// The call.
        pub id: Option<String>,
        /// The API's id of the message, of `start`.
        pub message_id: Option<String>,
        /// Milliseconds until the first token, of `start`.
        pub ttft_ms: Option<f64>,
        /// Tokens of thinking that are new, of `thinking_progress`.
        pub estimated_tokens_delta: Option<i64>,
        /// Characters, of `thinking_signature`.
        pub chars: Option<u64>,
        /// Tokens of the answer, of `end`.
        pub output_tokens: Option<u64>,
    }

    /// When the conversation will be summed up.
    pub struct Autocompact {
        /// Will it be?
        pub enabled: Option<bool>,
        /// The context that counts, in tokens.
        pub effective_window: Option<u64>,
        /// At how many tokens.
        pub threshold: Option<u64>,
        /// Can it not be turned off?
        pub enforced: Option<bool>,
        /// What says so, for example `env`.
        pub source: Option<String>,
    }

    /// A change of the tool calls that run.
    pub struct ToolUseIdsChange {
        /// `add` or `remove`.
        pub action: Option<String>,
        /// The calls.
        pub ids: Option<Vec<ToolUseId>>,
    }

    /// What has happened in a compaction, told apart by `type`.
    pub struct CompactProgressEvent {
        /// `hooks_start`, `compact_start` or `compact_end`.
        pub r#type: Option<String> = "type",
        /// The hooks, of `hooks_start`, for example `pre_compact`.
        pub hook_type: Option<String>,
        /// A hint for the user, of `compact_start`.
        pub hint_text: Option<String>,
    }
}
