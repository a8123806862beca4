//! Blocks about tools: calls, results, and those of tools that the API runs itself.

use crate::content::Content;
use crate::content::media::CacheControl;
use crate::ids::ToolUseId;
use crate::raw::Raw;

wire! {
    /// A call of a tool that the CLI runs.
    pub struct ToolUse {
        /// The id that the result will name.
        pub id: ToolUseId,
        /// The tool.
        pub name: String,
        /// Its input, as the model wrote it: a change that the host made in its permission answer does not show here.
        /// Empty at the beginning of a stream. See [`crate::tool::ToolInput`] for the typed forms.
        pub input: Raw,
        /// Who called: the model itself, or code that it wrote. Declared, not measured.
        pub caller: Option<Caller>,
        /// The toolset that the tool is part of. Declared, not measured.
        pub toolset_name: Option<String>,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// What a tool gave back to the model. The structured result of the same call is `tool_use_result` on the line: see
    /// [`crate::tool::ToolResult`].
    pub struct ToolResultBlock {
        /// The call.
        pub tool_use_id: ToolUseId,
        /// What the model reads: a string or blocks.
        pub content: Option<Content>,
        /// Did the tool fail, or was it refused? Absent on most results that did not.
        pub is_error: Option<bool>,
        /// The toolset that the tool is part of. Declared, not measured.
        pub toolset_name: Option<String>,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// The name of a tool that a search over tools found (2.1.325).
    pub struct ToolReference {
        /// The tool.
        pub tool_name: String,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// A call of a tool that the API runs itself. Declared, not measured.
    pub struct ServerToolUse {
        /// The id that the result will name.
        pub id: ToolUseId,
        /// The tool, for example `web_search`.
        pub name: String,
        /// Its input.
        pub input: Raw,
        /// Who called.
        pub caller: Option<Caller>,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// What a tool that the API ran gave. Declared, not measured.
    pub struct ServerToolResult {
        /// The call.
        pub tool_use_id: ToolUseId,
        /// The result in the form of that tool, or an object with an `error_code`.
        pub content: Raw,
        /// Who called.
        pub caller: Option<Caller>,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// Who called a tool. Declared, not measured.
    pub struct Caller {
        /// `direct` for the model, or the version of the code tool, for example `code_execution_20260120`.
        pub r#type: Option<String> = "type",
        /// The call of the code tool.
        pub tool_id: Option<ToolUseId>,
    }

    /// A call of a tool on an MCP server that the API is connected to. Tools of the CLI's own MCP servers are plain
    /// `tool_use` blocks. Declared, not measured.
    pub struct McpToolUse {
        /// The id that the result will name.
        pub id: ToolUseId,
        /// The tool.
        pub name: String,
        /// The server.
        pub server_name: Option<String>,
        /// Its input.
        pub input: Raw,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// What such a tool gave back. Declared, not measured.
    pub struct McpToolResult {
        /// The call.
        pub tool_use_id: ToolUseId,
        /// The result: a string or text blocks.
        pub content: Option<Content>,
        /// Did the tool fail?
        pub is_error: Option<bool>,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// The tools of an MCP server that the API is connected to. Declared, not measured.
    pub struct McpToolListing {
        /// The server.
        pub mcp_server_name: Option<String>,
        /// Its tools.
        pub tools: Option<Vec<ListedMcpTool>>,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// A tool of such a server. Declared, not measured.
    pub struct ListedMcpTool {
        /// Its name.
        pub name: String,
        /// What it does.
        pub description: Option<String>,
        /// The JSON schema of its input.
        pub input_schema: Option<Raw>,
    }

    /// A file for the API's container. Declared, not measured.
    pub struct ContainerUpload {
        /// The file, uploaded before.
        pub file_id: String,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }
}

impl ToolResultBlock {
    /// Did the tool fail, or was it refused?
    pub fn failed(&self) -> bool {
        self.is_error == Some(true)
    }
}
