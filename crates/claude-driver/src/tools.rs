//! Tools that run in this process: typed functions in, MCP servers inside the session out.
//!
//! | module | what it is |
//! |---|---|
//! | `tool` | one tool: a function with its name, description and hints |
//! | `arguments` | the schema of its arguments, and reading them |
//! | `output`, `error` | what it gives back |
//! | `context` | what it knows of the call, progress, cancelling |
//! | `server` | tools under a name, or a whole `rmcp` server |
//! | `served` | the servers of one session at work |
//! | `wire` | the JSON-RPC between the CLI and one server |
//!
//! MCP itself is `rmcp`'s. The CLI's messages come in `mcp_message` control requests; each is answered by
//! `ServedTools::handle`, and what a server says unasked goes out as `Outgoing`.

mod arguments;
mod context;
mod error;
mod output;
mod served;
mod server;
mod tool;
mod wire;

pub use context::ToolContext;
pub use error::ToolError;
pub use output::ToolOutput;
pub(crate) use served::{Outgoing, ServedTools};
pub use server::ToolServer;
pub use tool::Tool;
