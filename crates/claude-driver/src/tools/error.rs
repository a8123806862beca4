//! What a tool gives back when it could not do its work: any error in, the text that the model reads out.

use std::error::Error;
use std::fmt;

/// Why a tool failed. The model is told, with all sources, and may try otherwise.
///
/// Any error becomes one with `?`, which is why it is itself no [`std::error::Error`].
pub struct ToolError(Box<dyn Error + Send + Sync>);

impl ToolError {
    /// A failure in words.
    pub fn new(text: impl Into<String>) -> Self {
        ToolError(text.into().into())
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        ToolError(Box::new(error))
    }
}

impl fmt::Display for ToolError {
    /// The error and its sources, in one line.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.0.to_string();
        formatter.write_str(&text)?;
        let mut source = self.0.source();
        while let Some(error) = source {
            let deeper = error.to_string();
            // Many errors already end with the text of their source.
            if !text.ends_with(&deeper) {
                write!(formatter, ": {deeper}")?;
            }
            text = deeper;
            source = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Layer>>);

    impl fmt::Display for Layer {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(self.0)
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|layer| layer as _)
        }
    }

    #[test]
    fn an_error_tells_its_sources_and_repeats_none() {
        let disk = Layer("the disk is full", None);
        let write = Layer("could not write: the disk is full", Some(Box::new(disk)));
        let error = ToolError::from(Layer("the stock was not saved", Some(Box::new(write))));
        assert_eq!(error.to_string(), "the stock was not saved: could not write: the disk is full");
        assert_eq!(ToolError::new("no such shelf").to_string(), "no such shelf");
    }
}
