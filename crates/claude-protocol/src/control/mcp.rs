//! Commands about MCP servers, and the CLI's answers to them.

use std::collections::BTreeMap;

use crate::raw::Raw;
use crate::tool::mcp::McpResourceContents;

wire! {
    /// How are the MCP servers?
    pub struct McpStatus {
        /// For cloud sessions: answer only to those who listen now (declared, not measured).
        pub live_reply: Option<bool> = "liveReply",
    }

    /// Connect a server again. Unknown servers are an error.
    pub struct McpReconnect {
        /// The server.
        pub server_name: String = "serverName",
    }

    /// Turn a server on or off.
    pub struct McpToggle {
        /// The server.
        pub server_name: String = "serverName",
        /// On?
        pub enabled: bool,
    }

    /// The servers to have from now on, in place of those set like this before.
    pub struct McpSetServers {
        /// Their configurations, by name.
        pub servers: BTreeMap<String, ServerConfig>,
        /// A word about why (declared, not measured).
        pub hint: Option<String>,
        /// Tools that must not be used (declared, not measured).
        pub denied_tools: Option<Vec<String>>,
    }

    /// Call a tool without the model, and without asking.
    pub struct McpCall {
        /// The tool's full name, `mcp__server__tool`.
        pub tool: String,
        /// Its input.
        pub arguments: Option<Raw>,
        /// When the call is void, as an RFC 3339 time (declared, not measured).
        pub expires_at: Option<String>,
        /// How long it may take (declared, not measured).
        pub timeout_ms: Option<f64>,
        /// True: the server's own blocks, not what a model would be given (declared, not measured).
        pub result_not_for_model: Option<bool>,
        /// True: ask as if the model had called (declared, not measured).
        pub check_permissions: Option<bool>,
        /// Files to lay out for the call; cloud sessions only (declared, not measured).
        pub input_files: Option<Vec<Raw>>,
        /// Files to collect after the call; cloud sessions only (declared, not measured).
        pub output_files: Option<Vec<Raw>>,
    }

    /// Read a page that a server offers for display (declared, not measured).
    pub struct McpReadResource {
        /// The server.
        pub server_name: String = "serverName",
        /// The page; only `ui://` addresses.
        pub uri: String,
    }

    /// The configuration of a server; which fields it has depends on `type`.
    pub struct ServerConfig {
        /// `stdio` (also when absent), `sse`, `http`, `sdk`, or, in answers, `claudeai-proxy`.
        pub r#type: Option<String> = "type",
        /// The program, for `stdio`.
        pub command: Option<String>,
        /// Its arguments.
        pub args: Option<Vec<String>>,
        /// Its environment.
        pub env: Option<BTreeMap<String, String>>,
        /// The address, for `sse` and `http`.
        pub url: Option<String>,
        /// HTTP headers.
        pub headers: Option<BTreeMap<String, String>>,
        /// OAuth settings; kept as they are.
        pub oauth: Option<Raw>,
        /// The name, for `sdk`.
        pub name: Option<String>,
        /// The connector, for `claudeai-proxy`.
        pub id: Option<String>,
        /// How long a call may take, in milliseconds; below 1000 it does not count (declared, not measured).
        pub timeout: Option<f64>,
        /// Never hide its tools behind the tool search (declared, not measured).
        pub always_load: Option<bool> = "alwaysLoad",
        /// Which of its tools may run (declared, not measured).
        pub tools: Option<Vec<ToolPolicy>>,
    }

    /// May a tool run?
    pub struct ToolPolicy {
        /// The tool.
        pub name: Option<String>,
        /// `always_allow`, `always_ask` or `always_deny`.
        pub permission_policy: Option<String>,
        /// The most that the organization grants: `allow`, `ask` or `blocked`.
        pub org_max_permission: Option<String>,
    }

    /// Settings of a server that lives in the host.
    pub struct SdkServerSettings {
        /// How long a call may take, in milliseconds; below 1000 it does not count.
        pub timeout: Option<f64>,
        /// Which of its tools may run.
        pub tools: Option<Vec<ToolPolicy>>,
        /// Do not move long calls to the background.
        pub disable_auto_background: Option<bool> = "disableAutoBackground",
        /// The connector it stands for.
        pub connector_id: Option<String> = "connectorId",
    }

    /// What a server of the host answers to its handshake.
    pub struct SdkServerManifest {
        /// The result of `initialize`.
        pub initialize_result: Option<Raw> = "initializeResult",
        /// The result of `tools/list`.
        pub tools_list_result: Option<Raw> = "toolsListResult",
    }

    /// The MCP servers.
    pub struct McpStatusAnswer {
        /// All of them.
        pub mcp_servers: Vec<McpServerStatus> = "mcpServers",
    }

    /// A server and how it is. 2.1.1 has only `name`, `status`, `serverInfo` and `error`.
    pub struct McpServerStatus {
        /// Its name.
        pub name: String,
        /// How it is. Before the first turn it is often `pending`.
        pub status: Option<McpServerState>,
        /// What it says about itself, when connected.
        pub server_info: Option<ServerInfo> = "serverInfo",
        /// Why it failed.
        pub error: Option<String>,
        /// Why it failed, for programs (declared, not measured).
        pub error_code: Option<String>,
        /// Its configuration.
        pub config: Option<ServerConfig>,
        /// How it is reached: `stdio`, `sdk`, `http`, …
        pub transport: Option<String>,
        /// Which settings it is from.
        pub scope: Option<String>,
        /// Who configured it.
        pub source: Option<String>,
        /// Its tools, when connected.
        pub tools: Option<Vec<McpTool>>,
        /// How many tools it has, where the list is left out (declared, not measured).
        pub tool_count: Option<u64> = "toolCount",
        /// What it can do (declared, not measured).
        pub capabilities: Option<Raw>,
        /// Does the session's service stand between? (declared, not measured)
        pub session_proxied: Option<bool> = "sessionProxied",
        /// Is it the cloud service's own? (declared, not measured)
        pub cloud_service_provided: Option<bool> = "cloudServiceProvided",
        /// The host part of its address (declared, not measured).
        pub url_host: Option<String> = "urlHost",
    }

    /// What a server says about itself.
    pub struct ServerInfo {
        /// Its name.
        pub name: Option<String>,
        /// Its version.
        pub version: Option<String>,
        /// Its name for people.
        pub title: Option<String>,
        /// What it is.
        pub description: Option<String>,
        /// Its page.
        pub website_url: Option<String> = "websiteUrl",
        /// Pictures of it.
        pub icons: Option<Raw>,
    }

    /// A tool of a server.
    pub struct McpTool {
        /// Its name at the server.
        pub name: String,
        /// What it does.
        pub description: Option<String>,
        /// What it may do to the world.
        pub annotations: Option<McpToolAnnotations>,
        /// Where its page for display is (declared, not measured).
        pub meta: Option<Raw> = "_meta",
    }

    /// What a tool may do to the world, by its own account. False is left out.
    pub struct McpToolAnnotations {
        /// It changes nothing.
        pub read_only: Option<bool> = "readOnly",
        /// It may destroy.
        pub destructive: Option<bool>,
        /// It reaches beyond the machine.
        pub open_world: Option<bool> = "openWorld",
    }

    /// What became of `mcp_set_servers`.
    pub struct McpSetServersAnswer {
        /// New servers.
        pub added: Option<Vec<String>>,
        /// Servers that are gone.
        pub removed: Option<Vec<String>>,
        /// Why servers could not be connected, by server.
        pub errors: Option<BTreeMap<String, String>>,
    }

    /// The result of a tool.
    pub struct McpCallAnswer {
        /// A string, or content blocks.
        pub content: Option<Raw>,
        /// The structured result.
        pub structured_content: Option<Raw> = "structuredContent",
        /// What the server says besides (declared, not measured).
        pub meta: Option<Raw> = "_meta",
        /// What became of the files (declared, not measured).
        pub staging: Option<Raw>,
    }

    /// A page for display.
    pub struct McpReadResourceAnswer {
        /// Its parts. Not to be trusted.
        pub contents: Option<Vec<McpResourceContents>>,
    }
}

words! {
    /// How a server is.
    pub enum McpServerState {
        /// Connected.
        Connected = "connected",
        /// It could not be connected.
        Failed = "failed",
        /// It wants a login.
        NeedsAuth = "needs-auth",
        /// It is being connected.
        Pending = "pending",
        /// It is turned off.
        Disabled = "disabled",
    }
}

impl ServerConfig {
    /// A server that is a program.
    pub fn stdio(command: impl Into<String>, args: Vec<String>) -> Self {
        ServerConfig {
            r#type: Some("stdio".to_owned()),
            command: Some(command.into()),
            args: Some(args),
            ..ServerConfig::default()
        }
    }

    /// A server behind an HTTP address.
    pub fn http(url: impl Into<String>) -> Self {
        ServerConfig { r#type: Some("http".to_owned()), url: Some(url.into()), ..ServerConfig::default() }
    }

    /// A server that lives in the host.
    pub fn sdk(name: impl Into<String>) -> Self {
        ServerConfig { r#type: Some("sdk".to_owned()), name: Some(name.into()), ..ServerConfig::default() }
    }
}
