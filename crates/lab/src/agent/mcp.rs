//! MCP servers inside the host: the handshake, the list of tools, and calls.

use serde_json::{Value, json};

use super::Ending;
use super::actor::{Actor, Answered};
use super::tools::{Call, Outcome};

/// The servers that `initialize` named.
#[derive(Clone, Debug, Default)]
pub(super) struct Servers {
    servers: Vec<Server>,
    /// The number of the next JSON-RPC request.
    next: u64,
}

#[derive(Clone, Debug)]
struct Server {
    name: String,
    tools: Vec<String>,
    /// The request that opened the connection, until it was answered.
    hello: Option<String>,
}

impl Servers {
    pub(super) fn names(&self) -> Vec<String> {
        self.servers.iter().map(|server| server.name.clone()).collect()
    }

    /// The tools of all servers, under the names that the model uses.
    pub(super) fn tools(&self) -> Vec<String> {
        let of_server = |server: &Server| {
            let name = server.name.clone();
            server.tools.clone().into_iter().map(move |tool| format!("mcp__{name}__{tool}"))
        };
        self.servers.iter().flat_map(of_server).collect()
    }

    /// The body of the answer to `mcp_status`.
    pub(super) fn status(&self) -> Value {
        let status = |server: &Server| {
            let tools: Vec<Value> = server.tools.iter().map(|tool| json!({"name": tool})).collect();
            let status = if server.hello.is_some() { "pending" } else { "connected" };
            json!({"name": server.name, "status": status, "scope": "dynamic", "source": "sdk", "tools": tools})
        };
        json!({"mcpServers": self.servers.iter().map(status).collect::<Vec<_>>()})
    }
}

impl Actor {
    /// Opens connections to the servers that the host has; the first turn waits for them.
    pub(super) fn greet_servers(&mut self, names: &Value) {
        for name in names.as_array().into_iter().flatten().filter_map(Value::as_str) {
            let client = json!({"name": "claude-code", "title": "Claude Code", "version": self.session.version});
            let parameters = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
            let hello = self.send_rpc(name, "initialize", Some(parameters));
            self.servers.servers.push(Server { name: name.to_owned(), tools: Vec::new(), hello: Some(hello) });
        }
    }

    /// Completes the handshakes.
    pub(super) async fn shake_hands(&mut self) -> Result<(), Ending> {
        for place in 0..self.servers.servers.len() {
            let Some(hello) = self.servers.servers[place].hello.take() else { continue };
            let name = self.servers.servers[place].name.clone();
            self.answer_to(&[hello]).await?;
            let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            let request = json!({"subtype": "mcp_message", "server_name": name, "message": notification});
            self.request(request).await?;
            let list = self.send_rpc(&name, "tools/list", None);
            if let Answered::Answer(_, response) = self.answer_to(&[list]).await? {
                let tools =
                    response["response"]["mcp_response"]["result"]["tools"].as_array().cloned().unwrap_or_default();
                self.servers.servers[place].tools =
                    tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
            }
        }
        Ok(())
    }

    /// Calls a tool of a server; `None` when the turn was interrupted meanwhile.
    pub(super) async fn call_server(&mut self, call: &Call, meta: Value) -> Result<Option<Outcome>, Ending> {
        let (server, tool) = call.name.trim_start_matches("mcp__").split_once("__").unwrap_or_default();
        let number = self.servers.next;
        let marks = json!({"claudecode/toolUseId": call.id, "progressToken": number});
        let parameters = json!({"name": tool, "arguments": call.input, "_meta": marks});
        let id = self.send_rpc(server, "tools/call", Some(parameters));
        let result = match self.answer_to(&[id]).await? {
            Answered::Interrupted => return Ok(None),
            Answered::Closed => return Ok(Some(Outcome::error("MCP server closed the connection", meta))),
            Answered::Answer(_, response) => response["response"]["mcp_response"]["result"].clone(),
        };
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        if result["isError"] == true || result.is_null() {
            return Ok(Some(Outcome::error(text, meta)));
        }
        let outcome = match result.get("structuredContent") {
            Some(structured) => {
                let content = structured.to_string();
                let value = json!({"content": content, "structuredContent": structured});
                Outcome { content: json!(content), value, is_error: false, meta }
            }
            None => {
                Outcome { content: result["content"].clone(), value: result["content"].clone(), is_error: false, meta }
            }
        };
        Ok(Some(outcome))
    }

    fn send_rpc(&mut self, server: &str, method: &str, parameters: Option<Value>) -> String {
        let number = self.servers.next;
        self.servers.next += 1;
        let mut message = json!({"method": method});
        if let Some(parameters) = parameters {
            message["params"] = parameters;
        }
        super::lines::extend(&mut message, json!({"jsonrpc": "2.0", "id": number}));
        self.send_request(json!({"subtype": "mcp_message", "server_name": server, "message": message}))
    }
}
