//! Messages of the Messages API and the blocks they are made of: what the model, the user and the tools say.

use std::borrow::Cow;

use crate::cursor::{Cursor, Fault};
use crate::wire::Wire;

pub mod media;
pub mod message;
pub mod text;
pub mod tools;

pub use media::{
    Base64Source, CacheControl, ContentSource, Document, FileSource, Image, SearchResult, Source, TextSource, UrlSource,
};
pub use message::{ApiMessage, StopReason, UserMessage, UserRole};
pub use text::{Citation, Compaction, Fallback, RedactedThinking, TextBlock, Thinking};
pub use tools::{
    ContainerUpload, McpToolListing, McpToolResult, McpToolUse, ServerToolResult, ServerToolUse, ToolReference,
    ToolResultBlock, ToolUse,
};

tagged! {
    /// A block of a message. Text, thinking, tool calls, tool results, images and tool references were measured (2.1.1
    /// to 2.1.325); the others are declared by the Messages API.
    pub enum Block by "type" after [] {
        /// Text of the model or of the user (2.1.1 to 2.1.325).
        "text" => Text(TextBlock),
        /// The model thinks (2.1.1 to 2.1.325). The text is often empty, with only a signature.
        "thinking" => Thinking(Thinking),
        /// Thinking that only the API can read (2.1.325).
        "redacted_thinking" => RedactedThinking(RedactedThinking),
        /// A call of a tool that the CLI runs (2.1.1 to 2.1.325).
        "tool_use" => ToolUse(ToolUse),
        /// What a tool gave back, on `user` lines (2.1.1 to 2.1.325).
        "tool_result" => ToolResult(ToolResultBlock),
        /// A picture: in a prompt that is replayed or in a tool's result (2.1.325).
        "image" => Image(Image),
        /// A document in a prompt or a tool's result. Declared, not measured on stdout.
        "document" => Document(Box<Document>),
        /// A result of a search that the client made. Declared, not measured.
        "search_result" => SearchResult(Box<SearchResult>),
        /// The name of a tool that `ToolSearch` found, inside its result (2.1.325).
        "tool_reference" => ToolReference(ToolReference),
        /// A call of a tool that the API runs itself. Declared, not measured.
        "server_tool_use" => ServerToolUse(ServerToolUse),
        /// What the API's search of the web found. Declared, not measured.
        "web_search_tool_result" => WebSearchToolResult(ServerToolResult),
        /// A page that the API fetched. Declared, not measured.
        "web_fetch_tool_result" => WebFetchToolResult(ServerToolResult),
        /// What code that the API ran gave. Declared, not measured.
        "code_execution_tool_result" => CodeExecutionToolResult(ServerToolResult),
        /// What a shell command that the API ran gave. Declared, not measured.
        "bash_code_execution_tool_result" => BashCodeExecutionToolResult(ServerToolResult),
        /// What an edit of a file in the API's container gave. Declared, not measured.
        "text_editor_code_execution_tool_result" => TextEditorCodeExecutionToolResult(ServerToolResult),
        /// Tools that the API's search over tools found. Declared, not measured.
        "tool_search_tool_result" => ToolSearchToolResult(ServerToolResult),
        /// What the advisor model said. Declared, not measured.
        "advisor_tool_result" => AdvisorToolResult(ServerToolResult),
        /// A call of a tool on an MCP server that the API itself is connected to. Declared, not measured.
        "mcp_tool_use" => McpToolUse(McpToolUse),
        /// What such a tool gave back. Declared, not measured.
        "mcp_tool_result" => McpToolResult(McpToolResult),
        /// The tools of an MCP server that the API is connected to. Declared, not measured.
        "mcp_tool_listing" => McpToolListing(McpToolListing),
        /// A file for the API's container. Declared, not measured.
        "container_upload" => ContainerUpload(ContainerUpload),
        /// A summary that the API itself made of what came before. Declared, not measured.
        "compaction" => Compaction(Box<Compaction>),
        /// From here on another model answers. Declared, not measured.
        "fallback" => Fallback(Fallback),
    }
}

impl Block {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Block::Text(TextBlock::new(text))
    }

    /// The text, if this is a text block.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Block::Text(block) => Some(&block.text),
            _ => None,
        }
    }
}

impl From<Image> for Block {
    fn from(image: Image) -> Self {
        Block::Image(image)
    }
}

impl From<Document> for Block {
    fn from(document: Document) -> Self {
        Block::Document(Box::new(document))
    }
}

/// The content of a message or of a tool's result: blocks, or one plain string, which means one block of text.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// One text, written as a string.
    Text(String),
    /// Blocks.
    Blocks(Vec<Block>),
}

impl Content {
    /// The string, if the content is written as one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(text),
            Content::Blocks(_) => None,
        }
    }

    /// The blocks; none when the content is a string.
    pub fn blocks(&self) -> &[Block] {
        match self {
            Content::Text(_) => &[],
            Content::Blocks(blocks) => blocks,
        }
    }

    /// The blocks, a string being one of text.
    pub fn into_blocks(self) -> Vec<Block> {
        match self {
            Content::Text(text) => vec![Block::text(text)],
            Content::Blocks(blocks) => blocks,
        }
    }

    /// The string, or the text of each text block.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.as_text().into_iter().chain(self.blocks().iter().filter_map(Block::as_text))
    }

    /// All text, the blocks on lines of their own; what is no text is left out.
    pub fn text(&self) -> Cow<'_, str> {
        let mut texts = self.texts();
        let Some(first) = texts.next() else { return Cow::Borrowed("") };
        texts.fold(Cow::Borrowed(first), |all, text| Cow::Owned(format!("{all}\n{text}")))
    }

    /// The tool calls among the blocks.
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.blocks().iter().filter_map(|block| match block {
            Block::ToolUse(call) => Some(call),
            _ => None,
        })
    }

    /// The tool results among the blocks.
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResultBlock> {
        self.blocks().iter().filter_map(|block| match block {
            Block::ToolResult(result) => Some(result),
            _ => None,
        })
    }
}

impl Default for Content {
    fn default() -> Self {
        Content::Blocks(Vec::new())
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Content::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Content::Text(text)
    }
}

impl From<Vec<Block>> for Content {
    fn from(blocks: Vec<Block>) -> Self {
        Content::Blocks(blocks)
    }
}

impl Wire for Content {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        match cursor.peek() {
            b'"' => Wire::read(cursor).map(Content::Text),
            b'[' => Wire::read(cursor).map(Content::Blocks),
            _ => Err(Fault::Misfit("a string or a list of blocks")),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Content::Text(text) => text.write(out),
            Content::Blocks(blocks) => blocks.write(out),
        }
    }

    fn missing() -> Self {
        Content::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::Raw;
    use crate::wire::to_json;

    fn read(text: &str) -> Content {
        let reading = Raw::from_text(text).unwrap().read().unwrap();
        assert_eq!(reading.notes, []);
        reading.value
    }

    #[test]
    fn content_is_a_string_or_blocks_and_is_written_as_it_came() {
        for text in [r#""plain""#, "[]", r#"[{"type":"text","text":"a"}]"#] {
            assert_eq!(to_json(&read(text)), text);
        }
        assert_eq!(read(r#""plain""#), Content::from("plain"));
        assert_eq!(read(r#"[{"type":"text","text":"a"}]"#), Content::from(vec![Block::text("a")]));
    }

    #[test]
    fn the_text_of_content_is_that_of_all_its_text_blocks() {
        assert_eq!(read(r#""plain""#).text(), "plain");
        assert_eq!(read("[]").text(), "");
        let mixed = read(r#"[{"type":"text","text":"a"},{"type":"hologram"},{"type":"text","text":"b"}]"#);
        assert_eq!(mixed.text(), "a\nb");
        assert_eq!(mixed.blocks().len(), 3);
    }

    #[test]
    fn a_tool_result_holds_a_string_or_blocks() {
        let text = concat!(
            r#"[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"image","source":"#,
            r#"{"type":"base64","media_type":"image/png","data":"iVBO"}}],"is_error":false},"#,
            r#"{"type":"tool_result","tool_use_id":"toolu_2","content":"Exit code 3","is_error":true},"#,
            r#"{"type":"tool_result","tool_use_id":"toolu_3"}]"#
        );
        let content = read(text);
        assert_eq!(to_json(&content), text);
        let results: Vec<_> = content.tool_results().collect();
        let picture = Content::from(vec![Block::Image(Image::base64("image/png", "iVBO"))]);
        assert_eq!(results[0].content.as_ref(), Some(&picture));
        assert_eq!(results[1].content.as_ref().map(|content| content.text()), Some("Exit code 3".into()));
        assert_eq!(results[2].content, None);
    }
}
