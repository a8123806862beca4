//! The language of the Claude Code CLI: each line of its stream-json protocol as a typed message, in both directions,
//! and the entries of its transcript files.
//!
//! * [`decode`] reads any line and never fails. The text stays beside the typed body; what does not fit is a [`Note`];
//!   what is unknown is carried whole as `Other`; what no type names is listed by [`unmodelled`].
//! * [`encode`] writes one line, in the form that every supported version of the CLI takes.
//!
//! The crate is pure: it knows no files, no processes and no clock.
//!
//! Where to look, in the order of the data: [`mod@line`] (decode, encode), [`from_cli`] (what the CLI writes),
//! [`to_cli`] (what a host writes), [`control`] (requests both ways), [`permission`], [`hook`], [`content`] (blocks of a
//! message), [`usage`] (tokens, costs, what fills the context), [`tool`] (inputs and results of the tools), [`transcript`] (the CLI's
//! files), [`trace`], [`form`] and [`inspect`] (recorded lines).

mod cursor;
#[macro_use]
pub mod wire;
pub mod content;
pub mod control;
pub mod form;
pub mod from_cli;
pub mod hook;
pub mod ids;
pub mod inspect;
pub mod line;
pub mod names;
pub mod note;
pub mod permission;
pub mod raw;
pub mod to_cli;
pub mod tool;
pub mod trace;
pub mod transcript;
pub mod usage;

pub use from_cli::{FromCli, System};
pub use ids::{AgentId, CallbackId, Envelope, MessageId, RequestId, SessionId, TaskId, ToolUseId, Uuid};
pub use line::{Decoded, Line, NotJson, decode, decode_as, drift, encode, unmodelled};
pub use names::Names;
pub use note::{Drift, Note, Unknown, UnknownWord};
pub use raw::{Raw, Reading};
pub use to_cli::{Prompt, ToCli};
pub use tool::{McpName, ToolInput, ToolResult};
pub use transcript::Entry;

/// The page that people see first must compile too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub mod readme {}
