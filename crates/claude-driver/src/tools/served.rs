//! All servers of one session: messages of the CLI in, answers out, and what the servers say of their own accord.

use std::fmt;

use claude_protocol::Raw;
use tokio::sync::mpsc;

use super::server::ToolServer;
use super::wire::Line;

/// The servers of one session at work. Dropping it cancels what runs and ends all their tasks.
pub(crate) struct ServedTools {
    lines: Vec<(String, Line)>,
}

/// What a server tells the CLI without being asked: progress, a changed list, or a request of its own. It goes out as a
/// control request `mcp_message` of the host, and must go out before the answer to a call that is given later.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outgoing {
    /// The server.
    pub(crate) server: String,
    /// The JSON-RPC message.
    pub(crate) message: Raw,
}

/// The CLI means a server that this session does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnknownServer(pub(crate) String);

impl ServedTools {
    /// Starts the servers; of two with one name the later is served. Needs a runtime.
    pub(crate) fn start(servers: &[ToolServer], notify: mpsc::UnboundedSender<Outgoing>) -> Self {
        let mut lines: Vec<(String, Line)> = Vec::new();
        for server in servers {
            let line = Line::start(server.name(), server.service(), notify.clone());
            lines.retain(|(name, _)| name != server.name());
            lines.push((server.name().to_owned(), line));
        }
        ServedTools { lines }
    }

    /// The names, as `initialize.sdkMcpServers` wants them.
    pub(crate) fn names(&self) -> Vec<String> {
        self.lines.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The answer to a JSON-RPC message of the CLI; `None` for a message that has none. Any number may be under way at
    /// once. Dropping the future cancels the call. The messages of one server keep the order in which their futures were
    /// first polled.
    pub(crate) async fn handle(&self, server: &str, message: &Raw) -> Result<Option<Raw>, UnknownServer> {
        match self.lines.iter().find(|(name, _)| name == server) {
            Some((_, line)) => Ok(line.handle(message).await),
            None => Err(UnknownServer(server.to_owned())),
        }
    }

    /// What stands for the answer where a message has none: the CLI waits for an `mcp_response` to notifications too.
    /// It does not look at what is in it (2.1.1 to 2.1.325); this is what the fixtures have.
    pub(crate) fn no_answer() -> Raw {
        Raw::from_text(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#).unwrap_or_default()
    }
}

impl fmt::Debug for ServedTools {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ServedTools").field("names", &self.names()).finish_non_exhaustive()
    }
}

impl fmt::Display for UnknownServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "there is no server `{}` in this process", self.0)
    }
}

impl std::error::Error for UnknownServer {}

#[cfg(test)]
mod tests;
