//! Drive the Claude Code CLI from Rust: sessions, turns, permissions, hooks and in-process tools.
mod actor;
mod answer;
pub mod attach;
mod base64;
mod costs;
mod error;
mod event;
mod handlers;
mod hooks;
mod launch;
mod lines;
mod log;
mod options;
mod permission;
mod process;
mod requests;
mod session;
mod start;
#[cfg(feature = "tools")]
mod tools;
mod transport;
mod turn;
mod turns;

pub use answer::{Answer, TurnEnd};
/// The types of the messages: the language that the CLI speaks.
pub use claude_protocol as protocol;
pub use claude_protocol::hook;
pub use claude_protocol::{Prompt, ToolInput};
pub use costs::TurnCost;
pub use error::{Ending, Error, Exit, Result};
pub use event::{Event, Message};
pub use hooks::{Hook, HookCall};
pub use launch::notice::Notice;
pub use launch::version::Version;
pub use log::Events;
pub use options::{AutoCompact, Chrome, Claude, Debug, Plugin, SettingSource, Thinking, ThinkingDisplay, Tools};
pub use permission::{Answers, Decision, PermissionRequest};
#[cfg(feature = "tools")]
pub use schemars::{self, JsonSchema};
pub use session::{Interrupt, Interrupted, Session, Switch};
#[cfg(feature = "tools")]
pub use tools::{Tool, ToolContext, ToolError, ToolOutput, ToolServer};
pub use transport::{Parts, Process, Transport};
pub use turn::{Answering, Turn};
