//! `assistant`: a piece of the model's answer, or words of the CLI in its place.

use crate::content::ApiMessage;
use crate::control::request::ThinkingDisplay;
use crate::from_cli::account::RateLimitInfo;
use crate::ids::{AgentId, MessageId, ToolUseId, Uuid};
use crate::raw::Raw;
use crate::usage::context::ContextReport;
use crate::usage::report::UsageReport;

message! {
    /// One content block of an answer, when it is complete (all lines of one answer share `message.id`), or words of
    /// the CLI in its place (`message.model` is `<synthetic>`: API errors, the output of local commands). 2.1.1 to
    /// 2.1.325.
    pub struct Assistant {
        /// The message with this one block.
        pub message: Box<ApiMessage>,
        /// The tool call whose subagent speaks (or `forked-command-…`); null for the main agent.
        pub parent_tool_use_id: Option<ToolUseId>,
        /// When the block was complete, as ISO 8601. For display only: the order is that of the lines (2.1.325).
        pub timestamp: Option<String>,
        /// What went wrong, on words that stand for a failed call of the API (2.1.1 to 2.1.325).
        pub error: Option<AssistantError>,
        /// Do these words stand for a failed call of the API? (2.1.325)
        pub is_api_error_message: Option<bool>,
        /// A narrower name of the failure, for example `connection_failed` (2.1.325).
        pub api_error: Option<String>,
        /// The HTTP status of the failure (2.1.325).
        pub api_error_status: Option<u64>,
        /// The API's own name of the failure, for example `invalid_request_error` (2.1.325).
        pub api_error_type: Option<String>,
        /// What belongs to the failure, such as the limit that was reached (2.1.292 to 2.1.325).
        pub api_error_params: Option<Box<ApiErrorParams>>,
        /// A number or word for the failure. In the CLI's code, not measured.
        pub api_error_code: Option<String>,
        /// `first_party` when the vendor's own API has failed. In the CLI's code, not measured.
        pub api_error_origin: Option<String>,
        /// More about the failure. In the CLI's code, not measured.
        pub error_details: Option<String>,
        /// The API's id of the request (2.1.325).
        pub request_id: Option<String>,
        /// The message that was refused, on the words that say so (2.1.325).
        pub refused_message_id: Option<MessageId>,
        /// The subagent that speaks; equal to the `task_id` of its task (2.1.325).
        pub agent_id: Option<AgentId>,
        /// The kind of that subagent, for example `Explore` (2.1.325).
        pub subagent_type: Option<String>,
        /// What that subagent is to do, in a few words (2.1.325).
        pub task_description: Option<String>,
        /// How to show the tool calls of this message; only for tools of MCP servers (2.1.325).
        pub tool_use_meta: Option<Vec<ToolUseMeta>>,
        /// The prompt that is answered, if the host gave it a uuid; on the first line of the turn (2.1.325).
        pub user_message_uuid: Option<Uuid>,
        /// All prompts that the turn has taken in so far (2.1.325).
        pub user_message_uuids: Option<Vec<Uuid>>,
        /// Why the turn goes on with one that a restart had cut off. Declared, not measured.
        pub resume_reason: Option<String>,
        /// Does this go on inside thinking that was cut off? Declared, not measured.
        pub resumed_from_incomplete_thinking: Option<bool>,
        /// Earlier lines that this one replaces: take them back. Declared, not measured.
        pub supersedes: Option<Vec<Uuid>>,
        /// Was the answer cut off here by an interrupt? The text may end in the middle of a word (2.1.325).
        pub aborted: Option<bool>,
        /// How long the model thought, in milliseconds, on a thinking block that was streamed (2.1.325).
        pub thinking_duration_ms: Option<f64>,
        /// How thinking is to be shown, on a thinking block that was streamed (2.1.325).
        pub thinking_display: Option<ThinkingDisplay>,
        /// The output of a local command in its old form, with `<local-command-stdout>` tags (2.1.325).
        pub local_command_source: Option<String>,
        /// The local command whose output this is (2.1.325).
        pub local_command_run: Option<LocalCommandRun>,
        /// How the local command ended, if not well (2.1.325).
        pub local_command_outcome: Option<LocalCommandOutcome>,
        /// The output of `/context` as data (2.1.325).
        pub context_usage: Option<Box<ContextReport>>,
        /// The output of `/usage` as data, for subscribers. Declared, not measured.
        pub usage_report: Option<Box<UsageReport>>,
        /// Is it from before the session was taken up again? In the CLI's code, not measured.
        pub historical: Option<bool>,
        /// Are these words of the CLI to the model? In the CLI's code, not measured.
        pub is_meta: Option<bool>,
        /// Is it for the screen only, and not for the model? In the CLI's code, not measured.
        pub is_virtual: Option<bool>,
        /// The blocks that stand for what was left out. In the CLI's code, not measured.
        pub narration_block_indexes: Option<Vec<u64>>,
        /// How to show those blocks: `hidden` or `faint`. In the CLI's code, not measured.
        pub narration_hint: Option<String>,
        /// The call that stands behind calls that were taken apart. In the CLI's code, not measured.
        pub batch_tool_uses: Option<Vec<BatchToolUse>>,
        /// The inputs of tools as the API gave them, by call. In the CLI's code, not measured.
        pub wire_tool_inputs: Option<Raw>,
        /// What the CLI changed them by. In the CLI's code, not measured.
        pub wire_ingest_context: Option<Raw>,
        /// The model that gave advice. In the CLI's code, not measured.
        pub advisor_model: Option<String>,
        /// The agent that the work is counted to. In the CLI's code, not measured.
        pub attribution_agent: Option<String>,
        /// The skill that the work is counted to. In the CLI's code, not measured.
        pub attribution_skill: Option<String>,
        /// The plugin that the work is counted to. In the CLI's code, not measured.
        pub attribution_plugin: Option<String>,
        /// The MCP server that the work is counted to. In the CLI's code, not measured.
        pub attribution_mcp_server: Option<String>,
        /// The tool of that server. In the CLI's code, not measured.
        pub attribution_mcp_tool: Option<String>,
    }
}

wire! {
    /// What belongs to a failed call of the API (2.1.325).
    pub struct ApiErrorParams {
        /// The limit that was reached (2.1.325).
        pub rate_limit_info: Option<Box<RateLimitInfo>>,
        /// The effort that the model does not have. In the CLI's code, not measured, like all below.
        pub effort: Option<String>,
        /// The cloud provider whose credentials failed, for example `bedrock`.
        pub provider: Option<String>,
        /// What would help, for example `refresh_command`.
        pub remedy: Option<String>,
        /// The kind of file that could not be used, for example `image`.
        pub media: Option<String>,
        /// Why not, for example `unprocessable`.
        pub media_reason: Option<String>,
        /// What cut the answer off, for example `output_limit`.
        pub cut: Option<String>,
    }

    /// A call that was taken apart into several. In the CLI's code (2.1.325), not measured.
    pub struct BatchToolUse {
        /// The call.
        pub id: Option<ToolUseId>,
        /// The tool.
        pub name: Option<String>,
    }

    /// How to show a tool call (2.1.325).
    pub struct ToolUseMeta {
        /// The call.
        pub id: Option<ToolUseId>,
        /// The tool's name for people.
        pub display_name: Option<String>,
        /// The MCP server's name for people.
        pub server_display_name: Option<String>,
        /// The tool's name on its server, without the `mcp__server__` prefix.
        pub tool_name: Option<String>,
        /// A picture of the server. In the CLI, not measured.
        pub icon_url: Option<String>,
        /// The server's id. In the CLI, not measured.
        pub server_id: Option<String>,
        /// A stamp on the server's id. In the CLI, not measured.
        pub server_id_stamp: Option<String>,
        /// Does the call publish an artifact? In the CLI, not measured.
        pub artifact_publish: Option<bool>,
    }

    /// A local command that ran (2.1.325).
    pub struct LocalCommandRun {
        /// Its name, without the slash; an alias shows as the command it stands for (`/cost` is `usage`).
        pub command: Option<String>,
        /// What was typed after it.
        pub args: Option<String>,
        /// The plugin that it is from. In the CLI, not measured.
        pub plugin: Option<String>,
    }

    /// How a local command ended, if not well (2.1.325).
    pub struct LocalCommandOutcome {
        /// What happened.
        pub kind: Option<LocalCommandOutcomeKind>,
        /// The command that was probably meant. In the CLI, not measured.
        pub suggestion: Option<String>,
    }
}

words! {
    /// What happened to a local command.
    pub enum LocalCommandOutcomeKind {
        /// It failed (2.1.325).
        Failed = "failed",
        /// It needs a terminal (2.1.325).
        UnavailableHeadless = "unavailable_headless",
        /// There is no such command. In the CLI, not measured.
        Unknown = "unknown",
        /// It takes effect after a restart. In the CLI, not measured.
        RestartRequired = "restart_required",
    }

    /// What went wrong with a call of the API.
    pub enum AssistantError {
        /// The credentials were refused (2.1.325).
        AuthenticationFailed = "authentication_failed",
        /// The organization may not use this login. Declared, not measured.
        OauthOrgNotAllowed = "oauth_org_not_allowed",
        /// The account is on hold. Declared, not measured.
        AccountOnHold = "account_on_hold",
        /// The account has to be verified. Declared, not measured.
        VerificationRequired = "verification_required",
        /// Something is wrong with the payment. Declared, not measured.
        BillingError = "billing_error",
        /// Too many requests (2.1.325).
        RateLimit = "rate_limit",
        /// The API is overloaded (2.1.325).
        Overloaded = "overloaded",
        /// The request was not understood (2.1.325).
        InvalidRequest = "invalid_request",
        /// There is no such model (2.1.325).
        ModelNotFound = "model_not_found",
        /// The API failed (2.1.325).
        ServerError = "server_error",
        /// Something else (2.1.1 to 2.1.325), for example no connection.
        Unknown = "unknown",
        /// The answer ran into the limit of output tokens. Declared, not measured.
        MaxOutputTokens = "max_output_tokens",
        /// The credentials of a cloud provider failed. Declared, not measured.
        CloudCredentialError = "cloud_credential_error",
    }
}

impl Assistant {
    /// Did the CLI write this itself, instead of the model?
    pub fn is_synthetic(&self) -> bool {
        self.message.is_synthetic()
    }
}
