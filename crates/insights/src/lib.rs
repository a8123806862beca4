//! What a coding agent did: records in; events, changes and a state out. Pure: no files, no processes, no clock.
//!
//! ```text
//! Record ── convert ──▶ InsightsEvent ── decide ──▶ Change ── patch ──▶ State
//! ```
//!
//! * [`record`]: what the log keeps, one line of text each, with its time and where it came from.
//! * [`event`]: what happened, in words that name no particular agent; JSON with an `event` discriminator.
//! * [`convert`]: lines of Claude Code to events. Total and deterministic: the same records give the same bytes.
//! * [`state`]: what is so now: all that a screen draws, changed by small typed changes only.
//!
//! With feature `driver`, `live` gives the events of a running session. It is the one part that is not pure.
//! With feature `schema`, all that is written as JSON has a schema (`schemars::JsonSchema`).

mod shape;

pub mod convert;
pub mod event;
pub mod json;
#[cfg(feature = "driver")]
pub mod live;
pub mod place;
pub mod record;
#[cfg(feature = "schema")]
mod schema;
pub mod state;
pub mod time;
#[cfg(feature = "ts")]
pub mod typescript;

pub use convert::{Converter, Profile};
pub use event::{Body, InsightsEvent};
pub use json::Json;
#[cfg(feature = "driver")]
pub use live::events;
pub use record::{HostFact, Line, Record, Source};
pub use state::{Change, State};
pub use time::UnixMillis;
