//! Questions of the CLI besides permissions and hooks, and the host's answers to them.

use crate::ids::ToolUseId;
use crate::raw::Raw;

wire! {
    /// A JSON-RPC message to an MCP server that lives in the other process. From the CLI: for the servers that
    /// `initialize` named, already before `initialize` is answered (2.1.1: after
    /// the first prompt); the answer is an [`McpAnswer`], also for
    /// notifications. From the host: a notification of such a server (2.1.325).
    pub struct McpMessage {
        /// The server.
        pub server_name: String,
        /// The message. A `tools/call` has the tool use under `params._meta["claudecode/toolUseId"]`.
        pub message: Raw,
    }

    /// What an MCP server of the host answers.
    pub struct McpAnswer {
        /// The JSON-RPC answer.
        pub mcp_response: Option<Raw>,
    }

    /// An MCP server wants something from the user (2.1.325).
    pub struct Elicitation {
        /// The server.
        pub mcp_server_name: String,
        /// What it says.
        pub message: String,
        /// A form to fill, or a page to visit.
        pub mode: Option<ElicitationMode>,
        /// The page.
        pub url: Option<String>,
        /// The server's name for the question; `system/elicitation_complete` repeats it.
        pub elicitation_id: Option<String>,
        /// The JSON schema of the form.
        pub requested_schema: Option<Raw>,
        /// The fields of the form in the server's order.
        pub property_order: Option<Vec<String>>,
        /// A heading (declared, not measured).
        pub title: Option<String>,
        /// A name for the server or its tool (declared, not measured).
        pub display_name: Option<String>,
        /// A second heading (declared, not measured).
        pub description: Option<String>,
    }

    /// The user's answer to an MCP server.
    pub struct ElicitationAnswer {
        /// Yes, no, or neither.
        pub action: ElicitationAction,
        /// The filled form, after a yes.
        pub content: Option<Raw>,
    }

    /// A dialog that the host is to show (declared, not measured). Only of kinds that `initialize` named; one of
    /// another kind must not be answered.
    pub struct UserDialog {
        /// Which dialog.
        pub dialog_kind: String,
        /// What it is to show; its shape depends on the kind.
        pub payload: Option<Raw>,
        /// The tool use it belongs to.
        pub tool_use_id: Option<ToolUseId>,
    }

    /// The user's answer to a dialog.
    pub struct UserDialogAnswer {
        /// Completed or cancelled.
        pub behavior: DialogBehavior,
        /// The choice, when completed; its shape depends on the kind.
        pub result: Option<Raw>,
    }
}

words! {
    /// How an MCP server wants its answer.
    pub enum ElicitationMode {
        /// By a form.
        Form = "form",
        /// By a visit to a page.
        Url = "url",
    }

    /// What the user does with a question of an MCP server.
    pub enum ElicitationAction {
        /// Answers it.
        Accept = "accept",
        /// Says no.
        Decline = "decline",
        /// Closes it.
        Cancel = "cancel",
    }

    /// What the user did with a dialog.
    pub enum DialogBehavior {
        /// Made a choice.
        Completed = "completed",
        /// Closed it.
        Cancelled = "cancelled",
    }
}

impl McpMessage {
    /// A message of one of the host's servers.
    pub fn new(server_name: impl Into<String>, message: Raw) -> Self {
        McpMessage { server_name: server_name.into(), message }
    }
}

impl McpAnswer {
    /// The server's JSON-RPC answer.
    pub fn new(message: Raw) -> Self {
        McpAnswer { mcp_response: Some(message) }
    }
}

impl ElicitationAnswer {
    /// Yes, with the filled form.
    pub fn accept(content: Raw) -> Self {
        ElicitationAnswer { action: ElicitationAction::Accept, content: Some(content) }
    }

    /// Yes, the page has been visited.
    pub fn visited() -> Self {
        ElicitationAnswer { action: ElicitationAction::Accept, content: None }
    }

    /// No.
    pub fn decline() -> Self {
        ElicitationAnswer { action: ElicitationAction::Decline, content: None }
    }

    /// The question was closed.
    pub fn cancel() -> Self {
        ElicitationAnswer { action: ElicitationAction::Cancel, content: None }
    }
}

impl UserDialogAnswer {
    /// The user's choice.
    pub fn completed(result: Raw) -> Self {
        UserDialogAnswer { behavior: DialogBehavior::Completed, result: Some(result) }
    }

    /// The user closed the dialog.
    pub fn cancelled() -> Self {
        UserDialogAnswer { behavior: DialogBehavior::Cancelled, result: None }
    }
}
