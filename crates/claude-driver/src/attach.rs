//! Files that go with a prompt: a path in, a block for [`Prompt::with`](claude_protocol::Prompt::with) out.
//!
//! ```no_run
//! # async fn example(session: claude_driver::Session) -> claude_driver::Result<()> {
//! use claude_driver::{Prompt, attach};
//!
//! let prompt = Prompt::text("What is wrong in this picture?").with(attach::image("screen.png").await?);
//! println!("{}", session.send(prompt).await?);
//! # Ok(())
//! # }
//! ```

use std::io;
use std::path::Path;
use std::sync::Arc;

use claude_protocol::content::{Block, Document, Image, Source};

use crate::base64::base64;
use crate::error::{Error, Result};

/// A picture from a file: PNG, JPEG, GIF or WebP, told by its first bytes.
pub async fn image(path: impl AsRef<Path>) -> Result<Block> {
    let path = path.as_ref();
    let bytes = read(path).await?;
    match picture_type(&bytes) {
        Some(media_type) => Ok(Image::base64(media_type, base64(&bytes)).into()),
        None => Err(unusable(path, "it is no PNG, JPEG, GIF or WebP")),
    }
}

/// A document from a file: a PDF, or text.
pub async fn document(path: impl AsRef<Path>) -> Result<Block> {
    let path = path.as_ref();
    let bytes = read(path).await?;
    if bytes.starts_with(b"%PDF-") {
        return Ok(Document::new(Source::base64("application/pdf", base64(&bytes))).into());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Document::new(Source::text(text)).into()),
        Err(_) => Err(unusable(path, "it is neither a PDF nor text")),
    }
}

async fn read(path: &Path) -> Result<Vec<u8>> {
    let owned = path.to_owned();
    // The runtime has threads for what may block.
    let read = tokio::task::spawn_blocking(move || std::fs::read(owned)).await;
    let read = read.unwrap_or_else(|error| Err(io::Error::other(error)));
    read.map_err(|source| Error::File { path: path.to_owned(), source: Arc::new(source) })
}

fn unusable(path: &Path, why: &str) -> Error {
    Error::File { path: path.to_owned(), source: Arc::new(io::Error::new(io::ErrorKind::InvalidData, why)) }
}

fn picture_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        file
    }

    #[tokio::test]
    async fn a_picture_is_told_by_its_bytes() {
        let png = file(b"\x89PNG\r\n").await;
        assert_eq!(image(png.path()).await.unwrap(), Image::base64("image/png", "iVBORw0K").into());
        let text = file(b"words").await;
        let refused = image(text.path()).await;
        assert!(matches!(refused, Err(Error::File { .. })), "{refused:?}");
    }

    #[tokio::test]
    async fn a_document_is_a_pdf_or_text_and_a_missing_file_says_so() {
        let text = file("wörds".as_bytes()).await;
        assert_eq!(document(text.path()).await.unwrap(), Document::new(Source::text("wörds")).into());
        let pdf = file(b"%PDF-1.7").await;
        let expected = Document::new(Source::base64("application/pdf", "JVBERi0xLjc="));
        assert_eq!(document(pdf.path()).await.unwrap(), expected.into());
        assert!(document("/nowhere/at all").await.is_err());
        assert!(document(file(&[0xff, 0xfe, 0x00]).await.path()).await.is_err());
    }
}
