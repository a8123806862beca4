//! What the host does when the CLI asks: the functions that a [`Claude`] carries into its sessions.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use claude_protocol::control::{Elicitation, ElicitationAnswer, UserDialog, UserDialogAnswer};
use futures_util::future::BoxFuture;

use crate::hooks::Hook;
use crate::options::Claude;
use crate::permission::{Decision, PermissionRequest};
#[cfg(feature = "tools")]
use crate::tools::{Tool, ToolServer};

type Handler<Asked, Answer> = Arc<dyn Fn(Asked) -> BoxFuture<'static, Answer> + Send + Sync>;

type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// The functions; shared by all sessions of a [`Claude`].
#[derive(Clone, Default)]
pub(crate) struct Handlers {
    pub(crate) permission: Option<Handler<PermissionRequest, Decision>>,
    pub(crate) elicitation: Option<Handler<Elicitation, ElicitationAnswer>>,
    pub(crate) dialog: Option<Handler<UserDialog, UserDialogAnswer>>,
    pub(crate) stderr: Option<Listener>,
    pub(crate) hooks: Vec<Hook>,
    #[cfg(feature = "tools")]
    pub(crate) tool_servers: Vec<ToolServer>,
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers")
            .field("permission", &self.permission.is_some())
            .field("elicitation", &self.elicitation.is_some())
            .field("dialog", &self.dialog.is_some())
            .field("hooks", &self.hooks)
            .finish_non_exhaustive()
    }
}

impl Claude {
    /// Asks `handler` whenever the CLI wants leave to run a tool, or asks the user something. Several requests may be open
    /// at once, each in a task of its own; one that the CLI takes back is dropped in mid-flight. A handler that panics
    /// denies.
    ///
    /// Without a handler the CLI denies by itself what no rule allows; nothing is ever allowed in silence.
    #[must_use]
    pub fn on_permission<F, Fut>(self, handler: F) -> Self
    where
        F: Fn(PermissionRequest) -> Fut + Send + Sync + 'static,
        Fut: Future<Output: Into<Decision>> + Send + 'static,
    {
        let handler: Handler<PermissionRequest, Decision> = Arc::new(move |request| {
            let decision = handler(request);
            Box::pin(async move { decision.await.into() })
        });
        self.handling(|handlers| handlers.permission = Some(handler))
    }

    /// Asks `handler` when an MCP server wants something from the user. Without one the server is told no.
    #[must_use]
    pub fn on_elicitation<F, Fut>(self, handler: F) -> Self
    where
        F: Fn(Elicitation) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ElicitationAnswer> + Send + 'static,
    {
        self.handling(|handlers| handlers.elicitation = Some(Arc::new(move |asked| Box::pin(handler(asked)))))
    }

    /// Shows dialogs of these kinds with `handler`: `supportedDialogKinds` of `initialize`. Since 2.1.169. The CLI asks for
    /// no others.
    #[must_use]
    pub fn on_dialog<F, Fut>(mut self, kinds: impl IntoIterator<Item = impl Into<String>>, handler: F) -> Self
    where
        F: Fn(UserDialog) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = UserDialogAnswer> + Send + 'static,
    {
        Arc::make_mut(&mut self.options).dialogs = kinds.into_iter().map(Into::into).collect();
        self.handling(|handlers| handlers.dialog = Some(Arc::new(move |asked| Box::pin(handler(asked)))))
    }

    /// Hands each line of the CLI's stderr to `handler`, which must be quick. The last of it is in every [`Exit`](crate::Exit).
    #[must_use]
    pub fn on_stderr(self, handler: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.handling(|handlers| handlers.stderr = Some(Arc::new(handler)))
    }

    /// Adds a hook.
    #[must_use]
    pub fn hook(self, hook: Hook) -> Self {
        self.handling(|handlers| handlers.hooks.push(hook))
    }

    /// Gives the model tools that run in this process: it sees them as `mcp__host__<name>`, from the start. The CLI asks for
    /// permission before it calls one, unless [`Claude::allowed_tools`] names it.
    #[cfg(feature = "tools")]
    #[must_use]
    pub fn tools(self, tools: impl IntoIterator<Item = Tool>) -> Self {
        let server = tools.into_iter().map(Tool::always_loaded).fold(ToolServer::new("host"), ToolServer::tool);
        self.tool_server(server)
    }

    /// Gives the model a server of tools that runs in this process: it sees them as `mcp__<server>__<name>`.
    #[cfg(feature = "tools")]
    #[must_use]
    pub fn tool_server(self, server: ToolServer) -> Self {
        self.handling(|handlers| handlers.tool_servers.push(server))
    }
}
