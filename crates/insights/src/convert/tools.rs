//! What a tool's name and input tell: its kind, its paths, its MCP server. A name and an input in, words for people out.

use claude_protocol::{McpName, Raw};
use serde::Deserialize;

use crate::event::tool::ToolKind;
use crate::json::Json;

/// What kind of work a tool does, by its name.
pub(super) fn kind(name: &str) -> ToolKind {
    match name {
        "Bash" => ToolKind::Execute,
        "Read" => ToolKind::Read,
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => ToolKind::Edit,
        "Glob" | "Grep" => ToolKind::Search,
        "WebFetch" => ToolKind::Fetch,
        "WebSearch" => ToolKind::Browse,
        "Task" | "Agent" => ToolKind::Think,
        "AskUserQuestion" => ToolKind::Ask,
        "TodoWrite" => ToolKind::Memory,
        _ if name.starts_with("mcp__") => ToolKind::Mcp,
        _ => ToolKind::Other,
    }
}

/// Does the tool start a subagent? It is called `Task` in lists and older versions, `Agent` in newer calls.
pub(super) fn is_agent(name: &str) -> bool {
    matches!(name, "Task" | "Agent")
}

/// The server and the tool there, of a tool of an MCP server.
pub(super) fn mcp_parts(name: &str) -> (Option<String>, Option<String>) {
    let name = McpName::parse(name);
    (name.map(|name| name.server.to_owned()), name.map(|name| name.tool.to_owned()))
}

/// The parts of an input that any tool may have; what is of another type is absent.
#[derive(Default, Deserialize)]
struct Common {
    #[serde(default)]
    file_path: Text,
    #[serde(default)]
    path: Text,
    #[serde(default)]
    notebook_path: Text,
    #[serde(default)]
    pattern: Text,
    #[serde(default)]
    run_in_background: Flag,
}

/// A string, or nothing if it is something else.
#[derive(Default)]
struct Text(Option<String>);

/// A boolean, or nothing if it is something else.
#[derive(Default)]
struct Flag(Option<bool>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Text(if let serde_json::Value::String(text) = value { Some(text) } else { None }))
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Flag(serde_json::Value::deserialize(deserializer)?.as_bool()))
    }
}

/// What can be said of a call by its input, whatever the tool.
#[derive(Default)]
pub(super) struct Hints {
    /// The paths that the call is about. The working directory of a command is none of them.
    pub(super) locations: Option<Vec<String>>,
    /// Is it to run in the background?
    pub(super) run_in_background: Option<bool>,
}

/// Reads them.
pub(super) fn hints(name: &str, input: &Raw) -> Hints {
    // Most inputs are commands and contents, which would be read for nothing.
    if !["path\"", "\"pattern\"", "\"run_in_background\""].iter().any(|key| input.text().contains(key)) {
        return Hints::default();
    }
    let common: Common = input.parse().unwrap_or_default();
    let pattern = if name == "Glob" { common.pattern.0 } else { None };
    let paths = [common.file_path.0, common.path.0, common.notebook_path.0, pattern];
    let locations: Vec<String> = paths.into_iter().flatten().collect();
    Hints { locations: (!locations.is_empty()).then_some(locations), run_in_background: common.run_in_background.0 }
}

/// An input as an event has it: always an object.
pub(super) fn object(input: Raw) -> Json {
    match input.is_object() {
        true => Json::trusted(input.into_text()),
        false => Json::trusted("{}"),
    }
}
