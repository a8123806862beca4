//! What a running tool knows of its call, and how it says how far it is.

use std::fmt;

use claude_protocol::ToolUseId;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;

/// Where the CLI puts the id of the tool use in a call's `_meta`.
const TOOL_USE_ID: &str = "claudecode/toolUseId";

/// The call that a tool answers. Cheap to clone, for work that a tool spawns or does on a blocking thread.
#[derive(Clone)]
pub struct ToolContext {
    request: RequestContext<RoleServer>,
}

impl ToolContext {
    pub(super) fn new(request: RequestContext<RoleServer>) -> Self {
        ToolContext { request }
    }

    /// The tool use of the model that led to this call; it is the id in the messages of the session.
    pub fn tool_use_id(&self) -> Option<ToolUseId> {
        self.request.meta.0.0.get(TOOL_USE_ID)?.as_str().map(ToolUseId::from)
    }

    /// Tells the CLI how far the work is, if it asked to be told; the message is left out when it is empty. `current`
    /// grows from call to call; `total` is a number, or `None` when nobody knows.
    pub async fn progress(&self, current: f64, total: impl Into<Option<f64>>, message: &str) {
        let Some(token) = self.request.meta.get_progress_token() else { return };
        let mut progress = ProgressNotificationParam::new(token, current);
        progress.total = total.into();
        progress.message = (!message.is_empty()).then(|| message.to_owned());
        // It fails when the session is over, and then this call is cancelled as well.
        let _ = self.request.peer.notify_progress(progress).await;
    }

    /// Does nobody wait for the answer any more? So it is when the CLI cancelled the call, when the tool has answered or
    /// its time is up, and when the session has ended.
    ///
    /// The tool's own future is dropped then; this is for what a tool started elsewhere, such as a blocking thread.
    pub fn is_cancelled(&self) -> bool {
        self.request.ct.is_cancelled()
    }

    /// Ends when [`is_cancelled`](Self::is_cancelled) becomes true.
    pub async fn cancelled(&self) {
        self.request.ct.cancelled().await;
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("ToolContext");
        debug.field("tool_use_id", &self.tool_use_id()).field("is_cancelled", &self.is_cancelled());
        debug.finish_non_exhaustive()
    }
}
