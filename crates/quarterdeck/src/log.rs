//! What a server does, for whoever looks for a fault: one line on stderr each, if `QUARTERDECK_LOG` asks for it.

use std::fmt::{Debug, Write as _};
use std::io::Write as _;

use anyhow::{Context, Result};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Metadata, Subscriber, span};

/// Writes what is at least as important as `QUARTERDECK_LOG` says: `error`, `warn`, `info`, `debug`, `trace`.
pub(crate) fn start() -> Result<()> {
    let level = match std::env::var("QUARTERDECK_LOG") {
        Ok(level) => level.parse().with_context(|| format!("`{level}` in QUARTERDECK_LOG is no level: try `debug`"))?,
        Err(_) => LevelFilter::WARN,
    };
    // A second one in the same process is not worth an error.
    let _ = tracing::subscriber::set_global_default(Lines(level));
    Ok(())
}

/// Writes events as lines. Spans are not told apart: nothing here has any.
struct Lines(LevelFilter);

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.0
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.0)
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut words = Words::default();
        event.record(&mut words);
        let at = keeper::now();
        let metadata = event.metadata();
        // In one piece, so that lines of two threads do not mix. If stderr is gone there is nobody to tell.
        let line = format!("{at} {:<5} {}:{}{}\n", metadata.level(), metadata.target(), words.message, words.fields);
        let _ = std::io::stderr().write_all(line.as_bytes());
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[derive(Default)]
struct Words {
    message: String,
    fields: String,
}

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // A text cannot fail to be written to.
        let _ = match field.name() {
            "message" => write!(self.message, " {value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
