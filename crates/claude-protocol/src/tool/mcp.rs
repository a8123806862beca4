//! Tools of MCP servers, and the CLI's own tools for the resources of such servers.

use crate::content::{Block, Content};
use crate::cursor::{Cursor, Fault};
use crate::raw::Raw;
use crate::wire::Wire;

/// The name of a tool of an MCP server, `mcp__server__tool`, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McpName<'a> {
    /// The server; what is no letter, digit, `-` or `_` in its name has become `_`.
    pub server: &'a str,
    /// The tool, as the server calls it.
    pub tool: &'a str,
}

impl<'a> McpName<'a> {
    /// The parts of the name, or `None` when it is not one of an MCP tool. A server whose own name has `__` in it
    /// cannot be told from its tool; the first part is taken for the server.
    pub fn parse(name: &'a str) -> Option<Self> {
        let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
        (!server.is_empty() && !tool.is_empty()).then_some(McpName { server, tool })
    }
}

/// What a tool of an MCP server gave. An error, or more than the model may see, is a text instead.
#[derive(Clone, Debug, PartialEq)]
pub enum McpResult {
    /// With structured content or resource links beside the content.
    Structured(Box<McpStructured>),
    /// Only content.
    Content(Vec<Block>),
}

impl Wire for McpResult {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        match cursor.peek() {
            b'[' => Wire::read(cursor).map(McpResult::Content),
            b'{' => Wire::read(cursor).map(McpResult::Structured),
            _ => Err(Fault::Misfit("a list of blocks or an object")),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            McpResult::Structured(result) => result.write(out),
            McpResult::Content(blocks) => blocks.write(out),
        }
    }

    fn missing() -> Self {
        McpResult::Content(Vec::new())
    }
}

wire! {
    /// A result with more than content (2.1.29 to 2.1.325; 2.1.1 gives the structured content as a string).
    pub struct McpStructured {
        /// The content; the structured content as a string when there is some.
        pub content: Option<Content>,
        /// The structured content, as the server gave it.
        pub structured_content: Option<Raw> = "structuredContent",
        /// Remarks of the server.
        pub meta: Option<Raw> = "_meta",
        /// Resources that the content points to; in the content they are lines of text (2.1.325).
        pub resource_links: Option<Vec<McpResource>> = "resourceLinks",
    }

    /// A question for the resources of all servers, or of one (2.1.1 to 2.1.325).
    pub struct ListMcpResourcesInput {
        /// The server.
        pub server: Option<String>,
    }

    /// A resource of a server.
    pub struct McpResource {
        /// Its address.
        pub uri: Option<String>,
        /// Its name.
        pub name: Option<String>,
        /// Its name for people.
        pub title: Option<String>,
        /// What it is.
        pub description: Option<String>,
        /// Its media type.
        pub mime_type: Option<String> = "mimeType",
        /// Its size in bytes (not measured).
        pub size: Option<u64>,
        /// For whom it is (not measured).
        pub annotations: Option<Raw>,
        /// Pictures for it (not measured).
        pub icons: Option<Raw>,
        /// Remarks of the server (not measured).
        pub meta: Option<Raw> = "_meta",
        /// The server that has it.
        pub server: Option<String>,
    }

    /// A resource to read, or a directory of resources to list (2.1.1 to 2.1.325; directories 2.1.325).
    pub struct ReadMcpResourceInput {
        /// The server.
        pub server: String,
        /// The resource.
        pub uri: String,
    }

    /// What a resource holds.
    pub struct ReadMcpResourceResult {
        /// Its parts.
        pub contents: Option<Vec<McpResourceContents>>,
        /// Why it could not be read (declared, not measured).
        pub error: Option<String>,
    }

    /// A part of a resource.
    pub struct McpResourceContents {
        /// Its address.
        pub uri: Option<String>,
        /// Its media type.
        pub mime_type: Option<String> = "mimeType",
        /// The text; for other data the CLI's words on where it was saved.
        pub text: Option<String>,
        /// Data in base64, as 2.1.1 to 2.1.38 pass it on.
        pub blob: Option<String>,
        /// The file that other data was saved to (2.1.325).
        pub blob_saved_to: Option<String> = "blobSavedTo",
        /// Remarks of the server (not measured).
        pub meta: Option<Raw> = "_meta",
    }

    /// What a directory of resources holds (2.1.325).
    pub struct ReadMcpResourceDirResult {
        /// The resources.
        pub resources: Option<Vec<McpResource>>,
        /// Why they could not be listed.
        pub error: Option<String>,
    }
}
