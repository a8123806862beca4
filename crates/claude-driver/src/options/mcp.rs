//! MCP servers outside of this process.

use std::path::PathBuf;

use claude_protocol::control::mcp::ServerConfig;

use super::Claude;

impl Claude {
    /// An MCP server: `--mcp-config`, through a file that only the user can read, since configurations hold secrets. Every
    /// version.
    pub fn mcp_server(self, name: impl Into<String>, config: ServerConfig) -> Claude {
        self.with(|options| _ = options.mcp_servers.insert(name.into(), config))
    }

    /// A file with MCP servers: `--mcp-config`. Every version.
    pub fn mcp_config_file(self, file: impl Into<PathBuf>) -> Claude {
        self.with(|options| options.mcp_files.push(file.into()))
    }

    /// No MCP servers but those given here: `--strict-mcp-config`. Every version.
    pub fn strict_mcp_config(self) -> Claude {
        self.with(|options| options.strict_mcp = true)
    }
}
