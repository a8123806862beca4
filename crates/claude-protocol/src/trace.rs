//! Recorded lines with their direction: the form of `fixtures/cli/` and of `cargo xtask capture`.

use crate::raw::{Raw, Reading};

wire! {
    /// One recorded line: `{"dir":"out","t":0.6,"line":{…}}`.
    pub struct TraceRecord {
        /// Who wrote it.
        pub dir: Direction,
        /// Seconds since the recording began.
        pub t: Option<f64>,
        /// The line, where it is JSON, byte for byte.
        pub line: Option<Raw>,
        /// The line, where it is not.
        pub raw: Option<String>,
        /// Long strings in the line were shortened by whoever recorded it.
        pub elided: Option<bool>,
        /// How long the line was before that.
        pub bytes: Option<u64>,
    }
}

words! {
    /// Which way a recorded line went.
    pub enum Direction {
        /// From the CLI's stdout.
        Out = "out",
        /// To the CLI's stdin.
        In = "in",
        /// From the CLI's stderr.
        Err = "err",
        /// What the recorder did: started the CLI, closed its stdin, saw it exit.
        Meta = "meta",
    }
}

impl TraceRecord {
    /// The record, if this text is one.
    pub fn from_text(text: &str) -> Option<Self> {
        let record = Reading::<TraceRecord>::of(text)?;
        let complete = record.value.line.is_some() || record.value.raw.is_some();
        (record.notes.is_empty() && complete).then_some(record.value)
    }

    /// The recorded text.
    pub fn text(&self) -> &str {
        match (&self.line, &self.raw) {
            (Some(line), _) => line.text(),
            (None, Some(raw)) => raw,
            (None, None) => "",
        }
    }

    /// The recorded text, without a copy.
    pub fn into_text(self) -> String {
        match (self.line, self.raw) {
            (Some(line), _) => line.into_text().into(),
            (None, raw) => raw.unwrap_or_default(),
        }
    }
}
