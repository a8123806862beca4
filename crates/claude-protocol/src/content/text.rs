//! Blocks in which the model speaks: text with its sources, thinking, and the marks of a summary or another model.

use crate::content::media::CacheControl;
use crate::raw::Raw;

wire! {
    /// Text.
    pub struct TextBlock {
        /// The text.
        pub text: String,
        /// Its sources; absent or null on every line seen.
        pub citations: Option<Vec<Citation>>,
        /// A mark for the cache, on text that is sent.
        pub cache_control: Option<CacheControl>,
    }

    /// What the model thinks.
    pub struct Thinking {
        /// The text; empty when thinking is not shown, which is the usual case.
        pub thinking: String,
        /// To be kept, not shown. Empty at the beginning of a stream.
        pub signature: Option<String>,
    }

    /// Thinking that only the API can read.
    pub struct RedactedThinking {
        /// To be kept, not shown.
        pub data: String,
    }

    /// A summary that the API made of what came before. Declared, not measured.
    pub struct Compaction {
        /// The summary.
        pub content: Option<String>,
        /// The summary in a form that only the API can read.
        pub encrypted_content: Option<String>,
        /// To be kept, not shown.
        pub signature: Option<String>,
        /// Tools that came or went since.
        pub tool_changes: Option<Vec<Raw>>,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// From here on another model answers. Declared, not measured.
    pub struct Fallback {
        /// The model so far.
        pub from: Option<FallbackModel>,
        /// The model from here on.
        pub to: Option<FallbackModel>,
        /// Why.
        pub trigger: Option<FallbackTrigger>,
    }

    /// A model before or after a fallback. Declared, not measured.
    pub struct FallbackModel {
        /// Its id.
        pub model: Option<String>,
    }

    /// Why another model answers. Declared, not measured.
    pub struct FallbackTrigger {
        /// Always `refusal` so far.
        pub r#type: Option<String> = "type",
        /// The policy that the refusal is about.
        pub category: Option<String>,
    }

    /// Characters of a document. Declared, not measured.
    pub struct CharLocation {
        /// The words that are quoted.
        pub cited_text: Option<String>,
        /// Which document of the request.
        pub document_index: Option<u64>,
        /// Its title.
        pub document_title: Option<String>,
        /// Its file.
        pub file_id: Option<String>,
        /// The first character.
        pub start_char_index: Option<u64>,
        /// One past the last character.
        pub end_char_index: Option<u64>,
    }

    /// Pages of a document. Declared, not measured.
    pub struct PageLocation {
        /// The words that are quoted.
        pub cited_text: Option<String>,
        /// Which document of the request.
        pub document_index: Option<u64>,
        /// Its title.
        pub document_title: Option<String>,
        /// Its file.
        pub file_id: Option<String>,
        /// The first page, from 1.
        pub start_page_number: Option<u64>,
        /// One past the last page.
        pub end_page_number: Option<u64>,
    }

    /// Blocks of a document that was sent as blocks. Declared, not measured.
    pub struct ContentBlockLocation {
        /// The words that are quoted.
        pub cited_text: Option<String>,
        /// Which document of the request.
        pub document_index: Option<u64>,
        /// Its title.
        pub document_title: Option<String>,
        /// Its file.
        pub file_id: Option<String>,
        /// The first block.
        pub start_block_index: Option<u64>,
        /// One past the last block.
        pub end_block_index: Option<u64>,
    }

    /// Blocks of a search result. Declared, not measured.
    pub struct SearchResultLocation {
        /// The words that are quoted.
        pub cited_text: Option<String>,
        /// Which search result of the request.
        pub search_result_index: Option<u64>,
        /// Where it is from.
        pub source: Option<String>,
        /// Its title.
        pub title: Option<String>,
        /// The first block.
        pub start_block_index: Option<u64>,
        /// One past the last block.
        pub end_block_index: Option<u64>,
    }

    /// A page of the web. Declared, not measured.
    pub struct WebSearchResultLocation {
        /// The words that are quoted.
        pub cited_text: Option<String>,
        /// The page.
        pub url: Option<String>,
        /// Its title.
        pub title: Option<String>,
        /// Where in the page, for the API only.
        pub encrypted_index: Option<String>,
    }
}

tagged! {
    /// A source that a text refers to. Declared by the Messages API, not measured.
    pub enum Citation by "type" after [] {
        /// Characters of a document.
        "char_location" => Char(CharLocation),
        /// Pages of a document.
        "page_location" => Page(PageLocation),
        /// Blocks of a document.
        "content_block_location" => ContentBlock(ContentBlockLocation),
        /// Blocks of a search result.
        "search_result_location" => SearchResult(SearchResultLocation),
        /// A page of the web.
        "web_search_result_location" => WebSearchResult(WebSearchResultLocation),
    }
}

impl TextBlock {
    /// A text without sources.
    pub fn new(text: impl Into<String>) -> Self {
        TextBlock { text: text.into(), ..TextBlock::default() }
    }
}
