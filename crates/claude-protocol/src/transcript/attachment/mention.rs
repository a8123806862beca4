//! Files and other things that a prompt mentions, or that the editor shows.

use crate::raw::Raw;
use crate::tool::read::ReadResult;

wire! {
    /// A file that the prompt mentions.
    pub struct FileAttachment {
        /// The file.
        pub filename: Option<String>,
        /// Its content, as the `Read` tool gives it.
        pub content: Option<ReadResult>,
        /// Its name, relative to the working directory.
        pub display_path: Option<String> = "displayPath",
        /// Was it cut off (not measured)?
        pub truncated: Option<bool>,
        /// How the saved copy is framed.
        pub saved_copy_framing: Option<Raw> = "savedCopyFraming",
    }

    /// A directory that the prompt mentions (2.1.117 to 2.1.325).
    pub struct DirectoryAttachment {
        /// The directory.
        pub path: Option<String>,
        /// What is in it.
        pub content: Option<String>,
        /// Its name, relative to the working directory.
        pub display_path: Option<String> = "displayPath",
    }

    /// A large PDF that the prompt mentions (not measured).
    pub struct PdfReference {
        /// The file.
        pub filename: Option<String>,
        /// How many pages it has.
        pub page_count: Option<u64> = "pageCount",
        /// Its size in bytes.
        pub file_size: Option<u64> = "fileSize",
        /// Its name, relative to the working directory.
        pub display_path: Option<String> = "displayPath",
    }

    /// A file that was too large to keep over a compaction (not measured).
    pub struct CompactFileReference {
        /// The file.
        pub filename: Option<String>,
        /// Its name, relative to the working directory.
        pub display_path: Option<String> = "displayPath",
    }

    /// A file has been changed by someone else (2.1.233 to 2.1.325).
    pub struct EditedTextFile {
        /// The file.
        pub filename: Option<String>,
        /// The lines that changed.
        pub snippet: Option<String>,
    }

    /// A resource of an MCP server that the prompt mentions (not measured).
    pub struct McpResourceAttachment {
        /// The server.
        pub server: Option<String>,
        /// The resource.
        pub uri: Option<String>,
        /// Its name.
        pub name: Option<String>,
        /// What it is.
        pub description: Option<String>,
        /// Its content.
        pub content: Option<Raw>,
    }

    /// An agent that the prompt mentions (not measured).
    pub struct AgentMention {
        /// The kind of agent.
        pub agent_type: Option<String> = "agentType",
    }

    /// The file that is open in the editor (not measured).
    pub struct OpenedFileInIde {
        /// The file.
        pub filename: Option<String>,
    }

    /// The lines that are selected in the editor (not measured).
    pub struct SelectedLinesInIde {
        /// The editor.
        pub ide_name: Option<String> = "ideName",
        /// The first line.
        pub line_start: Option<u64> = "lineStart",
        /// The last line.
        pub line_end: Option<u64> = "lineEnd",
        /// The file.
        pub filename: Option<String>,
        /// The lines.
        pub content: Option<String>,
        /// Its name, relative to the working directory.
        pub display_path: Option<String> = "displayPath",
    }
}
