//! Blocks that hold files: pictures, documents, search results, and where their bytes are.

use crate::content::Content;

wire! {
    /// A picture.
    pub struct Image {
        /// Where its bytes are.
        pub source: Source,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
        /// What to do when it is too large. Declared, not measured.
        pub transformations: Option<ImageTransformations>,
    }

    /// What to do with a picture that is too large. Declared, not measured.
    pub struct ImageTransformations {
        /// `downsize` or `error`.
        pub oversized_image: Option<String>,
    }

    /// A document: a PDF, plain text or blocks.
    pub struct Document {
        /// Where its bytes are.
        pub source: Source,
        /// Its title.
        pub title: Option<String>,
        /// Words about it for the model, which are not quoted.
        pub context: Option<String>,
        /// May the model quote from it?
        pub citations: Option<CitationsConfig>,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// A result of a search that the client made. Declared, not measured.
    pub struct SearchResult {
        /// Where it is from.
        pub source: Option<String>,
        /// Its title.
        pub title: Option<String>,
        /// What it says; each of them is a `text` block.
        pub content: Option<Content>,
        /// May the model quote from it?
        pub citations: Option<CitationsConfig>,
        /// A mark for the cache.
        pub cache_control: Option<CacheControl>,
    }

    /// Whether the model may quote.
    pub struct CitationsConfig {
        /// Yes or no.
        pub enabled: Option<bool>,
    }

    /// A mark that what comes before it is to be kept in the cache.
    pub struct CacheControl {
        /// Always `ephemeral`.
        pub r#type: Option<String> = "type",
        /// How long: `5m` or `1h`.
        pub ttl: Option<String>,
    }

    /// A file in the message itself.
    pub struct Base64Source {
        /// The type of the file, for example `image/png`.
        pub media_type: Option<String>,
        /// The bytes in base64.
        pub data: String,
    }

    /// Plain text in the message itself.
    pub struct TextSource {
        /// Always `text/plain`.
        pub media_type: Option<String>,
        /// The text.
        pub data: String,
    }

    /// A file on the web.
    pub struct UrlSource {
        /// Its address.
        pub url: String,
    }

    /// A file that was uploaded before.
    pub struct FileSource {
        /// Its id.
        pub file_id: String,
    }

    /// Blocks in place of a file.
    pub struct ContentSource {
        /// The blocks, or one text.
        pub content: Content,
    }
}

tagged! {
    /// Where the bytes of a picture or a document are. `base64` was measured (2.1.325), the others are declared by the
    /// Messages API.
    pub enum Source by "type" after [] {
        /// In the message, as base64.
        "base64" => Base64(Base64Source),
        /// In the message, as plain text. Documents only.
        "text" => Text(TextSource),
        /// On the web.
        "url" => Url(UrlSource),
        /// Uploaded before.
        "file" => File(FileSource),
        /// Blocks in place of a file. Documents only.
        "content" => Content(ContentSource),
    }
}

impl Source {
    /// A file in the message itself; `data` is base64.
    pub fn base64(media_type: impl Into<String>, data: impl Into<String>) -> Self {
        Source::Base64(Base64Source { media_type: Some(media_type.into()), data: data.into() })
    }

    /// Plain text, for a document.
    pub fn text(text: impl Into<String>) -> Self {
        Source::Text(TextSource { media_type: Some("text/plain".to_owned()), data: text.into() })
    }
}

impl Image {
    /// A picture in the message itself; `data` is base64.
    pub fn base64(media_type: impl Into<String>, data: impl Into<String>) -> Self {
        Image { source: Source::base64(media_type, data), ..Image::default() }
    }
}

impl Document {
    /// A document from `source`.
    pub fn new(source: Source) -> Self {
        Document { source, ..Document::default() }
    }
}
