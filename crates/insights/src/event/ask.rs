//! Questions: permissions, hooks, MCP servers and dialogs that want an answer, and requests of the host to the agent.

use std::sync::Arc;

use super::tool::ToolKind;
use crate::json::Json;
use crate::shape::event;

/// How the words for a grant end that is kept only as long as the agent's process runs.
pub(crate) const FOR_THIS_SESSION: &str = "for this session";

event! {
    /// The agent asks for leave to use a tool. Data only: it is answered elsewhere, by `requestId`.
    pub struct PermissionRequest {
        /// The name of the question.
        pub request_id: Arc<str>,
        /// The tool.
        pub tool_name: String,
        /// What kind of work it does.
        pub tool_kind: ToolKind,
        /// The input.
        pub tool_input: Json,
        /// The call.
        pub tool_use_id: Option<Arc<str>>,
        /// Why it asks, for people.
        pub reason: Option<String>,
        /// The path that made it ask.
        pub blocked_path: Option<String>,
        /// What could be remembered.
        pub suggestions: Option<Vec<PermissionSuggestion>>,
        /// Why it asks, for programs.
        pub reason_type: Option<String>,
        /// A heading.
        pub title: Option<String>,
        /// The tool's name for people.
        pub display_name: Option<String>,
        /// The call in a few words.
        pub description: Option<String>,
        /// The MCP server of the tool.
        pub mcp_server: Option<McpProvenance>,
        /// May a classifier clear it?
        pub classifier_approvable: Option<bool>,
        /// Is nothing to be remembered?
        pub suppress_always_allow: Option<bool>,
        /// Is "no" to be preselected?
        pub default_to_no: Option<bool>,
        /// Is the answer given on the card itself, as for questions and plans?
        pub requires_user_interaction: Option<bool>,
        /// The rule that forces the question.
        pub matched_ask_rule: Option<String>,
        /// Is it a question of the agent to the user?
        pub is_question: bool,
    }

    /// Something that could be remembered.
    pub struct PermissionSuggestion {
        /// `addRules`, `addDirectories`, `setMode`, …
        #[serde(rename = "type")]
        pub kind: String,
        /// In words, made from the rest.
        pub description: String,
        /// The tool, of the first rule.
        pub tool_name: Option<String>,
        /// The first directory.
        pub directory: Option<String>,
        /// The mode.
        pub mode: Option<String>,
        /// The rules.
        pub rules: Option<Vec<PermissionRule>>,
        /// The directories.
        pub directories: Option<Vec<String>>,
        /// `allow`, `deny` or `ask`.
        pub behavior: Option<String>,
        /// Where it is kept: `session`, `localSettings`, …
        pub destination: Option<String>,
        /// The suggestion as the agent wrote it, for sending it back.
        pub raw: Json,
    }

    /// A rule.
    pub struct PermissionRule {
        /// The tool.
        pub tool_name: String,
        /// What of its input is meant.
        pub rule_content: Option<String>,
    }

    /// Where an MCP tool comes from.
    pub struct McpProvenance {
        /// The server.
        pub name: String,
        /// Who configured it.
        pub source: Option<String>,
    }

    /// A question was withdrawn by whoever asked.
    pub struct PermissionCancelled {
        /// The question.
        pub request_id: Arc<str>,
    }

    /// A question was answered, or nobody is left to answer; or a hook of the host has let a call run, which nobody asked about.
    pub struct PermissionResolved {
        /// The question.
        pub request_id: Arc<str>,
        /// The call that a hook has let run.
        pub tool_use_id: Option<Arc<str>>,
        /// The hook's event, if a hook has.
        pub hook_event: Option<String>,
        /// Was it allowed (or, of an elicitation, accepted)?
        pub allowed: bool,
        /// Who answered.
        pub by: Option<String>,
        /// What was said with a refusal, or by a hook.
        pub message: Option<String>,
        /// Does a refusal end the turn?
        pub interrupt: Option<bool>,
        /// The input to run with, if the answer changed it.
        pub updated_input: Option<Json>,
        /// What is to be remembered, in words.
        pub remembered: Vec<String>,
        /// The answer, where it is no permission.
        pub response: Option<Json>,
    }

    /// A tool was refused without asking.
    pub struct PermissionDenied {
        /// The tool.
        pub tool_name: Option<String>,
        /// The call.
        pub tool_use_id: Option<Arc<str>>,
        /// Why, for programs.
        pub reason_type: Option<String>,
        /// Why, for people.
        pub reason: Option<String>,
        /// What the model was told.
        pub message: Option<String>,
    }

    /// An MCP server asks the user for something.
    pub struct Elicitation {
        /// The name of the question.
        pub request_id: Arc<str>,
        /// The server.
        pub mcp_server: Option<String>,
        /// What it says.
        pub message: String,
        /// `form` or `url`.
        pub mode: Option<String>,
        /// The page to go to.
        pub url: Option<String>,
        /// The server's own id of it.
        pub elicitation_id: Option<String>,
        /// The JSON schema of the form.
        pub requested_schema: Option<Json>,
        /// The fields of the form, in the server's order.
        pub property_order: Option<Vec<String>>,
        /// A heading.
        pub title: Option<String>,
        /// A name for the server, or for its tool.
        pub display_name: Option<String>,
        /// A second heading.
        pub description: Option<String>,
    }

    /// What the user had to do elsewhere is done.
    pub struct ElicitationComplete {
        /// The server.
        pub mcp_server: Option<String>,
        /// The server's own id of it.
        pub elicitation_id: Option<String>,
    }

    /// The agent wants a dialog shown.
    pub struct UserDialog {
        /// The name of the question.
        pub request_id: Arc<str>,
        /// Which dialog.
        pub dialog_kind: Option<String>,
        /// What it is about.
        pub payload: Option<Json>,
        /// The call that it is about.
        pub tool_use_id: Option<Arc<str>>,
    }

    /// The agent calls a hook of the host.
    pub struct HookCallback {
        /// The name of the question.
        pub request_id: Arc<str>,
        /// The hook.
        pub callback_id: Option<String>,
        /// What it is called for.
        pub hook_event: Option<String>,
        /// The call that it is about.
        pub tool_use_id: Option<Arc<str>>,
        /// What it is told.
        pub input: Option<Json>,
    }

    /// The host asked something of the agent.
    pub struct ControlSent {
        /// The name of the request.
        pub request_id: Option<Arc<str>>,
        /// What is asked: `interrupt`, `set_model`, …
        pub subtype: String,
        /// Which person or device asked.
        pub by: Option<String>,
    }

    /// A request of the host was answered.
    pub struct ControlResult {
        /// The request.
        pub request_id: Option<Arc<str>>,
        /// What was asked, where the request was seen.
        pub subtype: Option<String>,
        /// Was it done?
        pub ok: bool,
        /// What went wrong.
        pub error: Option<String>,
        /// What was answered.
        pub response: Option<Json>,
        /// The model in force from now on.
        pub model: Option<String>,
        /// The permission mode in force from now on.
        pub permission_mode: Option<String>,
        /// What else is different from now on.
        pub changed: Option<SettingsChanged>,
        /// What fills the context, where that was asked.
        pub context_usage: Option<super::text::ContextUsage>,
        /// The MCP servers, where they were asked for.
        pub mcp_servers: Option<Vec<super::session::McpServerStatus>>,
        /// Files that were put back.
        pub files_restored: Option<FilesRestored>,
        /// What there is to choose from, where the agent was greeted.
        pub offered: Option<super::session::Offered>,
    }

    /// Files as they were before a prompt.
    pub struct FilesRestored {
        /// The prompt, by its uuid.
        pub before: Arc<str>,
        /// Which ones, as the agent named them when it was asked before; the answer to the deed itself names none.
        pub files: Vec<String>,
        /// Which person or device wanted it.
        pub by: Option<String>,
    }

    /// Settings that a request of the host has changed, as it asked for them.
    #[derive(serde::Deserialize)]
    pub struct SettingsChanged {
        /// How hard the model is to think.
        pub effort: Option<String>,
        /// Fast mode: `off` or `on`.
        pub fast_mode: Option<String>,
        /// Thinking: `off`, `on`, or the most tokens of it.
        pub thinking: Option<String>,
        /// The MCP server that was switched on or off …
        pub mcp_server: Option<String>,
        /// … and which of them.
        pub mcp_enabled: Option<bool>,
    }

    /// A request of the host is being worked on.
    pub struct ControlProgress {
        /// The request.
        pub request_id: Option<Arc<str>>,
        /// How it goes.
        pub status: Option<String>,
        /// Which try will be next.
        pub attempt: Option<u64>,
        /// How many there may be.
        pub max_retries: Option<u64>,
        /// How long until it is made.
        pub retry_delay_ms: Option<f64>,
        /// The HTTP status of the last one.
        pub error_status: Option<u64>,
    }
}
