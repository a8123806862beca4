//! A named set of tools, or a whole MCP server of the user's, as the CLI will see it.

use std::fmt;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{DynService, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::context::ToolContext;
use super::tool::Tool;

/// An MCP server that runs in this process. Its tools are `mcp__<server>__<tool>` to the CLI.
///
/// ```
/// use claude_driver::{Tool, ToolServer};
///
/// let count = Tool::new("count", "Counts letters", |text: String, _| async move { Ok(text.len().to_string()) });
/// let server = ToolServer::new("letters").version("1.0").instructions("Counts, and nothing else.").tool(count);
/// ```
#[derive(Clone)]
pub struct ToolServer {
    name: String,
    service: Service,
}

#[derive(Clone)]
enum Service {
    Tools(Arc<Toolbox>),
    Handler(Arc<dyn DynService<RoleServer>>),
}

impl ToolServer {
    /// A server without tools.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(name.clone(), env!("CARGO_PKG_VERSION")));
        ToolServer { name, service: Service::Tools(Arc::new(Toolbox { info, tools: Vec::new() })) }
    }

    /// Any server written with `rmcp`, with its resources, prompts and all. It answers in every session that is started
    /// with it. What panics in it is an error answer; cancelling is its own business, until the session ends.
    pub fn from_handler(name: impl Into<String>, handler: impl ServerHandler) -> Self {
        ToolServer { name: name.into(), service: Service::Handler(Arc::new(handler)) }
    }

    /// The version that the server tells; of no effect for [`from_handler`](Self::from_handler).
    pub fn version(self, version: impl Into<String>) -> Self {
        self.with(|toolbox| toolbox.info.server_info.version = version.into())
    }

    /// What the model should know about the tools as a whole; of no effect for [`from_handler`](Self::from_handler).
    pub fn instructions(self, instructions: impl Into<String>) -> Self {
        self.with(|toolbox| toolbox.info.instructions = Some(instructions.into()))
    }

    /// One more tool, in the place of an earlier one with its name; of no effect for
    /// [`from_handler`](Self::from_handler).
    pub fn tool(self, tool: Tool) -> Self {
        self.with(|toolbox| {
            toolbox.tools.retain(|earlier| earlier.name() != tool.name());
            toolbox.tools.push(tool);
        })
    }

    /// More tools, each as with [`tool`](Self::tool).
    pub fn tools(self, tools: impl IntoIterator<Item = Tool>) -> Self {
        tools.into_iter().fold(self, ToolServer::tool)
    }

    /// The name that the CLI knows it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn service(&self) -> Arc<dyn DynService<RoleServer>> {
        match &self.service {
            Service::Tools(toolbox) => toolbox.clone(),
            Service::Handler(handler) => Arc::clone(handler),
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Toolbox)) -> Self {
        if let Service::Tools(toolbox) = &mut self.service {
            change(Arc::make_mut(toolbox));
        }
        self
    }
}

impl fmt::Debug for ToolServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("ToolServer");
        debug.field("name", &self.name);
        if let Service::Tools(toolbox) = &self.service {
            debug.field("tools", &toolbox.tools);
        }
        debug.finish_non_exhaustive()
    }
}

/// The MCP side of a set of tools.
#[derive(Clone)]
struct Toolbox {
    info: ServerConfig,
    tools: Vec<Tool>,
}

impl ServerHandler for Toolbox {
    fn get_info(&self) -> ServerConfig {
        self.info.clone()
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(|tool| tool.listed().clone()).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name() == request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool `{}`", request.name), None));
        };
        let given = request.arguments.unwrap_or_default();
        Ok(tool.run(given, ToolContext::new(context)).await.into())
    }
}
