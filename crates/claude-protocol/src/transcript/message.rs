//! `user` and `assistant`: the conversation itself.

use super::entry;
use crate::content::{ApiMessage, UserMessage};
use crate::control::catalog::EffortLevel;
use crate::control::request::ThinkingDisplay;
use crate::from_cli::account::RateLimitInfo;
use crate::from_cli::assistant::ApiErrorParams;
use crate::from_cli::user::{Decision, DecisionSource, NonExecutionKind};
use crate::from_cli::{AssistantError, Origin};
use crate::ids::{MessageId, SessionId, ToolUseId, Uuid};
use crate::permission::{DecisionReasonType, PermissionMode};
use crate::raw::Raw;
use crate::tool::mcp::McpResource;
use crate::tool::todo::Todo;

entry! {
    /// A prompt, the result of a tool, a local command, or a word of the CLI to the model (`isMeta`).
    pub struct UserEntry {
        /// The message.
        pub message: UserMessage,
        /// The structured result of the tool, or a string after an error; see [`crate::tool::ToolResult::read`]. Called
        /// `tool_use_result` on the stream.
        pub tool_use_result: Option<Raw> = "toolUseResult",
        /// The assistant entry whose call this answers.
        pub source_tool_assistant_uuid: Option<Uuid> = "sourceToolAssistantUUID",
        /// The call that brought these words into the conversation, for example that of a skill.
        pub source_tool_use_id: Option<ToolUseId> = "sourceToolUseID",
        /// Words of the CLI to the model: not to be shown as the user's.
        pub is_meta: Option<bool> = "isMeta",
        /// The summary that a compaction left.
        pub is_compact_summary: Option<bool> = "isCompactSummary",
        /// Is it kept for the transcript only, and not shown in the conversation?
        pub is_visible_in_transcript_only: Option<bool> = "isVisibleInTranscriptOnly",
        /// The permission mode at the prompt (2.1.29 and later).
        pub permission_mode: Option<PermissionMode> = "permissionMode",
        /// How the call was allowed or refused (2.1.325).
        pub permission_decision: Option<RecordedDecision> = "permissionDecision",
        /// Why the call was not made (2.1.325).
        pub tool_denial_kind: Option<NonExecutionKind> = "toolDenialKind",
        /// Does the tool end the turn (2.1.325)?
        pub tool_ends_turn: Option<bool> = "toolEndsTurn",
        /// Did the command run in the sandbox (2.1.325)?
        pub sandboxed: Option<bool>,
        /// The prompt that this belongs to (2.1.325).
        pub prompt_id: Option<String> = "promptId",
        /// Who wrote the prompt: `sdk`, `system`, … (2.1.325).
        pub prompt_source: Option<String> = "promptSource",
        /// What started the turn: `sdk`, `task_notification`, … (2.1.325).
        pub turn_origin: Option<String> = "turnOrigin",
        /// The number of the prompt and of the turn (2.1.325).
        pub turn_position: Option<TurnPosition> = "turnPosition",
        /// Where a prompt that no user wrote comes from (2.1.325).
        pub origin: Option<Origin>,
        /// The prompt to which the turn is counted (2.1.325).
        pub turn_attribution_key: Option<String> = "turnAttributionKey",
        /// Prompts that were sent one after the other and became this one (2.1.325).
        pub merged_send_uuids: Option<Vec<Uuid>> = "mergedSendUuids",
        /// Does it come along with a turn that something else started (2.1.325)?
        pub turn_companion: Option<bool> = "turnCompanion",
        /// Does it hold words of a person (2.1.325)?
        pub holds_persons_words: Option<bool> = "holdsPersonsWords",
        /// Was it taken from the queue without attachments (2.1.325)?
        pub queue_skip_attachments: Option<bool> = "queueSkipAttachments",
        /// The prompts of the running turn that the summary stands for (2.1.325).
        pub summarized_turn_prompt_uuids: Option<Vec<Uuid>> = "summarizedTurnPromptUuids",
        /// Does it repeat what the summary says (2.1.325)?
        pub repeats_compact_summary: Option<bool> = "repeatsCompactSummary",
        /// What was summarised, when the user chose a part (not measured).
        pub summarize_metadata: Option<Raw> = "summarizeMetadata",
        /// What an MCP server gave besides content (2.1.29 and later).
        pub mcp_meta: Option<McpMeta> = "mcpMeta",
        /// Why an MCP tool is not taken for one that only reads (2.1.325).
        pub mcp_call_not_read_only: Option<String> = "mcpCallNotReadOnly",
        /// The answer that the model refused to go on with (2.1.325).
        pub refused_message_id: Option<MessageId> = "refusedMessageId",
        /// Numbers of the images in the prompt (2.1.325).
        pub image_paste_ids: Option<Vec<u64>> = "imagePasteIds",
        /// How much thinking was asked for (older versions; not measured).
        pub thinking_metadata: Option<ThinkingMetadata> = "thinkingMetadata",
        /// The list of things to do at that time (older versions; not measured).
        pub todos: Option<Vec<Todo>>,
        /// The plan that the prompt is to carry out (not measured).
        pub plan_content: Option<String> = "planContent",
    }

    /// One content block of an answer (all entries of one answer share `message.id`), or words of the CLI in its place
    /// (`message.model` is `<synthetic>`). A local command's output is no such entry, see
    /// [`SystemEntry::LocalCommand`](super::SystemEntry::LocalCommand).
    pub struct AssistantEntry {
        /// The message with this one block.
        pub message: Box<ApiMessage>,
        /// The API's id of the request.
        pub request_id: Option<String> = "requestId",
        /// The session that asked the model, on an entry that a fork has copied (2.1.326).
        pub request_session_id: Option<SessionId> = "requestSessionId",
        /// The `api-request` entry of the request (2.1.325).
        pub request_ref: Option<String> = "requestRef",
        /// The model that was asked for (2.1.325).
        pub requested_model: Option<String> = "requestedModel",
        /// The effort that was asked for (2.1.325).
        pub effort: Option<EffortLevel>,
        /// The effort of this turn alone (2.1.325).
        pub per_turn_effort: Option<EffortLevel> = "perTurnEffort",
        /// How long the cache was asked to keep the prompt, for example `5m` (2.1.325).
        pub prompt_cache_requested: Option<String> = "promptCacheRequested",
        /// The place of the block in the API's message (2.1.325).
        pub api_block_index: Option<u64> = "apiBlockIndex",
        /// Who made it: `model` or `other` (2.1.325).
        pub made_by: Option<String> = "madeBy",
        /// How long the tool's input took to arrive, in milliseconds (2.1.325).
        pub tool_input_stream_ms: Option<f64> = "toolInputStreamMs",
        /// How long the model thought, in milliseconds (2.1.325).
        pub thinking_duration_ms: Option<f64> = "thinkingDurationMs",
        /// How thinking is to be shown (2.1.325).
        pub thinking_display: Option<ThinkingDisplay> = "thinkingDisplay",
        /// Are these words of the CLI about a failed call of the API?
        pub is_api_error_message: Option<bool> = "isApiErrorMessage",
        /// What went wrong, as on the `assistant` line.
        pub error: Option<AssistantError>,
        /// More about the failure (2.1.325).
        pub error_details: Option<String> = "errorDetails",
        /// A narrower name of the failure, for example `usage_limit_reached` (2.1.325).
        pub api_error: Option<String> = "apiError",
        /// The HTTP status of the failure (2.1.325).
        pub api_error_status: Option<u64> = "apiErrorStatus",
        /// The API's name for the failure (2.1.325).
        pub api_error_type: Option<String> = "apiErrorType",
        /// What belongs to the failure, such as the limit that was reached (2.1.292 to 2.1.325).
        pub api_error_params: Option<Box<ApiErrorParams>> = "apiErrorParams",
        /// The limit that was reached (2.1.266 to 2.1.325).
        pub quota_limits: Option<Box<RateLimitInfo>> = "quotaLimits",
        /// Had the failed answer no call of a tool (2.1.325)?
        pub failed_response_had_no_tool_call: Option<bool> = "failedResponseHadNoToolCall",
        /// Is the failure one that may pass (2.1.325)?
        pub api_error_is_transient: Option<bool> = "apiErrorIsTransient",
        /// The answer that was refused, which these words stand for (2.1.325).
        pub refused_message_id: Option<MessageId> = "refusedMessageId",
        /// The model that refused (2.1.325).
        pub refusing_model: Option<String> = "refusingModel",
        /// The request that the API's classifier stopped (2.1.325).
        pub server_classifier_request: Option<Raw> = "serverClassifierRequest",
        /// Was the answer cut off by an interrupt (2.1.325)?
        pub is_aborted_mid_stream: Option<bool> = "isAbortedMidStream",
        /// Words of the CLI to the model (not measured on answers).
        pub is_meta: Option<bool> = "isMeta",
        /// The skill that the work is counted to (2.1.325).
        pub attribution_skill: Option<String> = "attributionSkill",
        /// The kind of subagent that the work is counted to (2.1.325).
        pub attribution_agent: Option<String> = "attributionAgent",
        /// The plugin that the work is counted to (not measured).
        pub attribution_plugin: Option<String> = "attributionPlugin",
        /// The MCP server that the work is counted to (2.1.325).
        pub attribution_mcp_server: Option<String> = "attributionMcpServer",
        /// The MCP tool that the work is counted to (2.1.325).
        pub attribution_mcp_tool: Option<String> = "attributionMcpTool",
    }
}

wire! {
    /// How a call of a tool was decided (2.1.325). The stream's
    /// [`PermissionDecision`](crate::from_cli::user::PermissionDecision) says less, in another spelling.
    pub struct RecordedDecision {
        /// How.
        pub decision: Option<Decision>,
        /// By whom.
        pub source: Option<DecisionSource>,
        /// What it rests on.
        pub reason_type: Option<DecisionReasonType> = "reasonType",
        /// Why, more exactly.
        pub reason_code: Option<String> = "reasonCode",
        /// For how long: `once`, …
        pub grant_scope: Option<String> = "grantScope",
        /// The settings that the rule is from.
        pub rule_source: Option<String> = "ruleSource",
        /// Why asking was given up, after too many refusals.
        pub circuit_breaker: Option<Raw> = "circuitBreaker",
    }

    /// Numbers of the prompt and the turn (2.1.325).
    pub struct TurnPosition {
        /// The prompt among those that started the turn, from 0.
        pub prompt_index: Option<u64> = "promptIndex",
        /// The turn in the session, from 1.
        pub turn_index: Option<u64> = "turnIndex",
    }

    /// What an MCP server gave besides content.
    pub struct McpMeta {
        /// Remarks of the server.
        pub meta: Option<Raw> = "_meta",
        /// The structured content.
        pub structured_content: Option<Raw> = "structuredContent",
        /// Resources that the content points to.
        pub resource_links: Option<Vec<McpResource>> = "resourceLinks",
    }

    /// How much thinking was asked for (not measured).
    pub struct ThinkingMetadata {
        /// `none`, `low`, `high`, …
        pub level: Option<String>,
        /// Was it switched off?
        pub disabled: Option<bool>,
        /// The words in the prompt that asked for it.
        pub triggers: Option<Vec<Raw>>,
        /// The limit in tokens.
        pub max_thinking_tokens: Option<u64> = "maxThinkingTokens",
    }
}
