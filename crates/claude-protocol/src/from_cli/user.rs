//! `user`: what is said to the model: results of tools, prompts of subagents, and words of the CLI in the user's name.

use crate::content::{Content, UserMessage};
use crate::from_cli::origin::Origin;
use crate::ids::{AgentId, MessageId, ToolUseId, Uuid};
use crate::permission::{DecisionReasonType, PermissionMode};
use crate::raw::Raw;
use crate::to_cli::Priority;
use crate::tool::mcp::McpResource;

message! {
    /// A message to the model that the CLI added to the conversation: the result of a tool (one per line, in the order
    /// in which they end), the prompt of a subagent, a summary, `[Request interrupted by user]`; with
    /// `--replay-user-messages` also each prompt of the host. 2.1.1 to 2.1.325.
    pub struct User {
        /// The message. Its content is a string on some replays and summaries.
        pub message: UserMessage,
        /// The tool call whose subagent this belongs to (or `forked-command-…`); null for the main agent.
        pub parent_tool_use_id: Option<ToolUseId>,
        /// When it was made, as ISO 8601 (2.1.325).
        pub timestamp: Option<String>,
        /// Words of the CLI in the user's name: a summary after compaction, the feedback of a hook, a request to go on
        /// (2.1.325; 2.1.38 does not mark its summaries).
        pub is_synthetic: Option<bool> = "isSynthetic",
        /// A prompt of the host that comes back, or the output of a local command in `<local-command-stdout>` tags. Not
        /// a sign of a resume: no history is replayed (2.1.38, 2.1.325).
        pub is_replay: Option<bool> = "isReplay",
        /// The tool's whole result, in the tool's own form: an object, a list, or after an error a string. See
        /// [`crate::tool::ToolResult`] for the typed forms. Of a subagent's
        /// results, only 2.1.1 tells it.
        pub tool_use_result: Option<Raw>,
        /// How the permission for each tool result of this line came about (2.1.325).
        pub tool_result_meta: Option<Vec<ToolResultMeta>>,
        /// The subagent that this belongs to; equal to the `task_id` of its task (2.1.325).
        pub agent_id: Option<AgentId>,
        /// The kind of that subagent (2.1.325).
        pub subagent_type: Option<String>,
        /// What that subagent is to do, in a few words (2.1.325).
        pub task_description: Option<String>,
        /// The answer that was refused, on the words that ask the model to go on (2.1.325).
        pub refused_message_id: Option<MessageId>,
        /// When the prompt is to run. Declared, not measured on stdout.
        pub priority: Option<Priority>,
        /// Where the message is from. Declared, not measured on `user` lines.
        pub origin: Option<Origin>,
        /// False when the message is to be kept without asking the model. Declared, not measured on stdout.
        pub should_query: Option<bool> = "shouldQuery",
        /// Did a program write this, so that no mention or command in it counts? Declared, not measured.
        pub client_composed: Option<bool>,
        /// What was pasted, apart from what was typed. Declared, not measured.
        pub pasted_content: Option<Vec<Content>>,
        /// What was pasted and stands in the message. Declared, not measured.
        pub inline_pastes: Option<Vec<String>>,
        /// Files that came with the prompt. Declared without a form, not measured.
        pub file_attachments: Option<Vec<Raw>>,
        /// The state of tools that came with the prompt. In the CLI's code, not measured.
        pub tool_states: Option<Vec<Raw>>,
        /// Did the user type the word for the hardest thinking? In the CLI's code, not measured.
        pub ultrathink_typed: Option<bool>,
        /// Is it from before the session was taken up again? In the CLI's code, not measured.
        pub historical: Option<bool>,
        /// Are these words of the CLI to the model? In the CLI's code, not measured.
        pub is_meta: Option<bool>,
        /// Is it for the screen only, and not for the model? In the CLI's code, not measured.
        pub is_virtual: Option<bool>,
        /// Is it the summary that a compaction left? In the CLI's code, not measured.
        pub is_compact_summary: Option<bool>,
        /// Is it kept for the transcript only? In the CLI's code, not measured.
        pub is_visible_in_transcript_only: Option<bool>,
        /// What was summed up, when the user chose a part. In the CLI's code, not measured.
        pub summarize_metadata: Option<SummarizeMetadata>,
        /// What an MCP server gave besides content. In the CLI's code, not measured.
        pub mcp_meta: Option<McpResultMeta>,
        /// The call that brought these words into the conversation. In the CLI's code, not measured.
        pub source_tool_use_id: Option<ToolUseId>,
        /// The answer whose call this answers. In the CLI's code, not measured.
        pub source_tool_assistant_uuid: Option<Uuid>,
        /// Numbers of the pictures in the prompt. In the CLI's code, not measured.
        pub image_paste_ids: Option<Vec<u64>>,
        /// The plan that the prompt is to carry out. In the CLI's code, not measured.
        pub plan_content: Option<String>,
        /// The permission mode at the prompt. In the CLI's code, not measured.
        pub permission_mode: Option<PermissionMode>,
        /// The answer that was cut off. In the CLI's code, not measured.
        pub interrupted_message_id: Option<MessageId>,
        /// Lines to take back. In the CLI's code, not measured.
        pub retracted_message_uuids: Option<Vec<Uuid>>,
        /// What a plugin said, to be shown under its name. In the CLI's code, not measured.
        pub plugin_prompt: Option<PluginPrompt>,
        /// Wait again if the turn is cut off within so many milliseconds. In the CLI's code, not measured.
        pub requeue_if_interrupted_within_ms: Option<f64>,
        /// What the user sits at. In the CLI's code, not measured.
        pub client_platform: Option<String>,
        /// The way it came. In the CLI's code, not measured.
        pub inbound_origin: Option<String>,
        /// What began the turn, in the host's words. In the CLI's code, not measured.
        pub initiator: Option<String>,
        /// When the vendor's server got it, in milliseconds since 1970. In the CLI's code, not measured.
        pub server_received_wall_ms: Option<f64>,
        /// Did the desktop app begin it? In the CLI's code, not measured.
        pub seeded_summon: Option<bool>,
        /// Did nobody type it? In the CLI's code, not measured.
        pub text_not_typed: Option<bool>,
    }
}

wire! {
    /// What was summed up, when the user chose a part. In the CLI's code (2.1.325), not measured.
    pub struct SummarizeMetadata {
        /// How many messages.
        pub messages_summarized: Option<u64>,
        /// What the user asked the summary to keep.
        pub user_context: Option<String>,
        /// Which part, for example `from`.
        pub direction: Option<String>,
    }

    /// What an MCP server gave besides content. In the CLI's code (2.1.325), not measured.
    pub struct McpResultMeta {
        /// The server's own remarks.
        pub meta: Option<Raw> = "_meta",
        /// The result as data.
        pub structured_content: Option<Raw>,
        /// Files.
        pub resource_links: Option<Vec<McpResource>>,
    }

    /// What a plugin said. In the CLI's code (2.1.325), not measured.
    pub struct PluginPrompt {
        /// The plugin.
        pub name: Option<String>,
        /// What it said.
        pub text: Option<String>,
    }

    /// How the permission for a tool call came about (2.1.325).
    pub struct ToolResultMeta {
        /// The call.
        pub id: Option<ToolUseId>,
        /// Why the tool did not run, if it did not.
        pub non_execution_kind: Option<NonExecutionKind>,
        /// Who decided.
        pub permission_decision: Option<PermissionDecision>,
        /// What the user said with a refusal. In the CLI, not measured.
        pub user_feedback: Option<String>,
        /// What would help, for example a login. In the CLI, not measured.
        pub remedy: Option<Raw>,
        /// The built-in tool that ran. In the CLI, not measured.
        pub built_in_tool: Option<String>,
        /// The input that it ran with. In the CLI, not measured.
        pub run_input: Option<String>,
    }

    /// Who decided about a tool call, and how (2.1.325).
    pub struct PermissionDecision {
        /// How.
        pub decision: Option<Decision>,
        /// Who.
        pub source: Option<DecisionSource>,
        /// What the decision rests on.
        pub reason_type: Option<DecisionReasonType>,
        /// The rule of the `auto` mode that decided. In the CLI, not measured.
        pub auto_mode_rule: Option<AutoModeRule>,
    }

    /// A rule of the `auto` mode. In the CLI, not measured.
    pub struct AutoModeRule {
        /// `allow` or `soft_deny`.
        pub list: Option<String>,
        /// The rule.
        pub name: Option<String>,
    }
}

words! {
    /// Why a tool did not run.
    pub enum NonExecutionKind {
        /// The user said no (2.1.325).
        UserRejected = "user-rejected",
        /// A rule or a mode said no (2.1.325).
        PermissionRule = "permission-rule",
        /// The classifier of the `auto` mode said no. In the CLI, not measured.
        AutomodeBlocked = "automode-blocked",
        /// The classifier could not be asked. In the CLI, not measured.
        AutomodeUnavailable = "automode-unavailable",
        /// The classifier was not understood. In the CLI, not measured.
        AutomodeParsingError = "automode-parsing-error",
        /// An interrupt came first (2.1.325, in transcripts).
        Interrupted = "interrupted",
        /// It was called off. In the CLI, not measured.
        Cancelled = "cancelled",
    }

    /// How a decision about a tool call came out.
    pub enum Decision {
        /// The tool may run (2.1.325).
        Accept = "accept",
        /// The tool may not run (2.1.325).
        Reject = "reject",
        /// Nobody decided. In the CLI, not measured.
        Cancelled = "cancelled",
    }

    /// Who decided about a tool call.
    pub enum DecisionSource {
        /// Rules, the mode, or the tool needs no permission (2.1.325).
        Config = "config",
        /// The host, this once (2.1.325).
        UserTemporary = "user_temporary",
        /// The host, with a rule for later. Declared, not measured.
        UserPermanent = "user_permanent",
        /// The host said no (2.1.325).
        UserReject = "user_reject",
        /// A hook (2.1.325).
        Hook = "hook",
    }
}
