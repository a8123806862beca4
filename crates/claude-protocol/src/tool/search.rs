//! Tools that look for files, text, pages and other tools.

use crate::cursor::{Cursor, Fault};
use crate::raw::Raw;
use crate::wire::Wire;

wire! {
    /// Files to find by name (2.1.1 to 2.1.325; only when asked for with `--tools` in 2.1.325).
    pub struct GlobInput {
        /// The pattern, for example `**/*.rs`.
        pub pattern: String,
        /// Where to look; the working directory when absent.
        pub path: Option<String>,
    }

    /// The files that were found.
    pub struct GlobResult {
        /// The files; relative in 2.1.325, absolute up to 2.1.38.
        pub filenames: Option<Vec<String>>,
        /// How long it took, in milliseconds.
        pub duration_ms: Option<f64> = "durationMs",
        /// How many files are listed.
        pub num_files: Option<u64> = "numFiles",
        /// Are there more than are listed?
        pub truncated: Option<bool>,
        /// How many there are in all (2.1.325).
        pub total_matches: Option<u64> = "totalMatches",
        /// Is that number exact (2.1.325)?
        pub count_is_complete: Option<bool> = "countIsComplete",
        /// Did the search stop early (declared, not measured)?
        pub timed_out: Option<bool> = "timedOut",
    }

    /// Text to find in files (2.1.1 to 2.1.325; only when asked for with `--tools` in 2.1.325).
    pub struct GrepInput {
        /// The regular expression.
        pub pattern: String,
        /// Where to look; the working directory when absent.
        pub path: Option<String>,
        /// Only files whose names match.
        pub glob: Option<String>,
        /// What to show; the files when absent.
        pub output_mode: Option<GrepMode>,
        /// How many lines before a match come with it.
        pub before: Option<f64> = "-B",
        /// How many lines after a match come with it.
        pub after: Option<f64> = "-A",
        /// Lines to show around each match.
        pub around: Option<f64> = "-C" | "context",
        /// Show line numbers?
        pub line_numbers: Option<bool> = "-n",
        /// Ignore case?
        pub ignore_case: Option<bool> = "-i",
        /// Show only the matching part (declared, not measured)?
        pub only_matching: Option<bool> = "-o",
        /// Only files of a language, as ripgrep names them.
        pub r#type: Option<String> = "type",
        /// How many lines or files to show.
        pub head_limit: Option<f64>,
        /// How many to pass over first.
        pub offset: Option<f64>,
        /// May a match span lines?
        pub multiline: Option<bool>,
    }

    /// What was found.
    pub struct GrepResult {
        /// What is shown.
        pub mode: Option<GrepMode>,
        /// How many files; 0 in mode `content`, whatever was found.
        pub num_files: Option<u64> = "numFiles",
        /// The files, in mode `files_with_matches`.
        pub filenames: Option<Vec<String>>,
        /// The lines, or the count per file.
        pub content: Option<String>,
        /// How many lines are shown.
        pub num_lines: Option<u64> = "numLines",
        /// How many matches there are, in mode `count`.
        pub num_matches: Option<u64> = "numMatches",
        /// How many files match in all (2.1.325).
        pub total_files: Option<u64> = "totalFiles",
        /// How many lines there are in all (2.1.325).
        pub total_lines: Option<u64> = "totalLines",
        /// The limit, when it cut something off.
        pub applied_limit: Option<u64> = "appliedLimit",
        /// How many were passed over first.
        pub applied_offset: Option<u64> = "appliedOffset",
        /// Did the search stop early (declared, not measured)?
        pub timed_out: Option<bool> = "timedOut",
    }

    /// A directory to list. Gone before 2.1.1 (not measured).
    pub struct LsInput {
        /// The directory.
        pub path: String,
        /// Patterns to leave out.
        pub ignore: Option<Vec<String>>,
    }

    /// A page to fetch and a question about it (2.1.1 to 2.1.325).
    pub struct WebFetchInput {
        /// The page.
        pub url: String,
        /// The question.
        pub prompt: Option<String>,
        /// Where in the page to begin (declared, not measured).
        pub offset: Option<f64>,
    }

    /// The answer about a page (declared, not measured).
    pub struct WebFetchResult {
        /// The size of the page.
        pub bytes: Option<u64>,
        /// The HTTP status.
        pub code: Option<u64>,
        /// The HTTP status in words.
        pub code_text: Option<String> = "codeText",
        /// The answer.
        pub result: Option<String>,
        /// How long it took, in milliseconds.
        pub duration_ms: Option<f64> = "durationMs",
        /// The page.
        pub url: Option<String>,
        /// The artifact that was read.
        pub artifact_read: Option<Raw> = "artifactRead",
    }

    /// A search of the web (2.1.1 to 2.1.325).
    pub struct WebSearchInput {
        /// What to look for.
        pub query: String,
        /// Only these domains.
        pub allowed_domains: Option<Vec<String>>,
        /// Not these domains.
        pub blocked_domains: Option<Vec<String>>,
    }

    /// What the web has.
    pub struct WebSearchResult {
        /// What was looked for.
        pub query: Option<String>,
        /// Lists of pages and the searching model's words, in the order in which they came.
        pub results: Option<Vec<WebSearchItem>>,
        /// How long it took, in seconds with a fraction.
        pub duration_seconds: Option<f64> = "durationSeconds",
        /// How many searches were made (2.1.325).
        pub search_count: Option<u64> = "searchCount",
    }

    /// The pages of one search.
    pub struct WebSearchHits {
        /// The API's own tool call (`srvtoolu_…`).
        pub tool_use_id: Option<String>,
        /// The pages.
        pub content: Option<Vec<WebSearchHit>>,
    }

    /// A page that was found.
    pub struct WebSearchHit {
        /// Its title.
        pub title: Option<String>,
        /// Its address.
        pub url: Option<String>,
        /// A few words of it (declared, not measured).
        pub snippet: Option<String>,
    }

    /// A search among the tools that are not loaded yet (2.1.325).
    pub struct ToolSearchInput {
        /// Words, or `select:` and names.
        pub query: String,
        /// How many tools at most.
        pub max_results: Option<f64>,
    }

    /// The tools that were found and can be called from now on.
    pub struct ToolSearchResult {
        /// Their names.
        pub matches: Option<Vec<String>>,
        /// What was looked for.
        pub query: Option<String>,
        /// How many tools are not loaded.
        pub total_deferred_tools: Option<u64>,
        /// MCP servers that are still connecting (not measured).
        pub pending_mcp_servers: Option<Vec<String>>,
    }
}

words! {
    /// What a search shows.
    pub enum GrepMode {
        /// The lines that match.
        Content = "content",
        /// The names of the files that match.
        FilesWithMatches = "files_with_matches",
        /// The number of matches in each file.
        Count = "count",
    }
}

/// A part of a web search's result.
#[derive(Clone, Debug, PartialEq)]
pub enum WebSearchItem {
    /// Pages.
    Hits(WebSearchHits),
    /// Words of the model that searched, or an error.
    Text(String),
}

impl Wire for WebSearchItem {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        match cursor.peek() {
            b'"' => Wire::read(cursor).map(WebSearchItem::Text),
            b'{' => Wire::read(cursor).map(WebSearchItem::Hits),
            _ => Err(Fault::Misfit("a string or an object")),
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            WebSearchItem::Hits(hits) => hits.write(out),
            WebSearchItem::Text(text) => text.write(out),
        }
    }

    fn missing() -> Self {
        WebSearchItem::Text(String::new())
    }
}
