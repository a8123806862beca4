//! Drive the Claude Code CLI from Rust: sessions, turns, permissions, hooks and in-process tools.
//!
//! The crate starts the CLI that is installed (2.1.1 or newer), speaks its stream-json protocol with it, and ends it with all
//! that it started. Whatever the CLI says arrives, as types of [`protocol`] and as text; whatever it asks is answered exactly
//! once; whoever waits is told when it ends.
//!
//! # Quick start
//!
//! One question:
//!
//! ```no_run
//! # async fn example() -> claude_driver::Result<()> {
//! use claude_driver::Claude;
//!
//! let answer = Claude::new().model("sonnet").ask("What does src/lib.rs do?").await?;
//! println!("{answer}  (${:.4})", answer.cost_usd);
//! # Ok(()) }
//! ```
//!
//! A session, with a say in what it may do, shown as it comes:
//!
//! ```no_run
//! # async fn example() -> claude_driver::Result<()> {
//! use claude_driver::{Claude, protocol::ToolInput};
//! use futures_util::StreamExt;
//!
//! let claude = Claude::new().on_permission(|request| async move {
//!     match &request.tool {
//!         ToolInput::Bash(bash) if bash.command.starts_with("rm") => request.deny("no rm"),
//!         _ => request.allow(),
//!     }
//! });
//! let session = claude.start().await?;
//! let mut turn = session.send("Fix the failing test");
//! while let Some(event) = turn.next().await {
//!     print!("{}", event?.text().unwrap_or_default());
//! }
//! println!("{}", session.send("Now explain the fix").await?);
//! session.close().await?;
//! # Ok(()) }
//! ```
//!
//! Without a CLI, over any reader and writer, for tests and for CLIs that run elsewhere: [`Claude::start_over`].
//!
//! # Where to look
//!
//! | to | see | and the page |
//! |---|---|---|
//! | configure and start | [`Claude`], [`Tools`], [`Thinking`], [`SettingSource`], [`Notice`], [`Version`] | |
//! | talk | [`Session`], [`Turn`], [`Answer`], [`Interrupt`] | [turns](guide::turns) |
//! | listen | [`Events`], [`Event`], [`Message`] | [turns](guide::turns) |
//! | decide about tools, answer questions | [`PermissionRequest`], [`Decision`], [`Answers`] | [permissions](guide::permissions) |
#![cfg_attr(
    feature = "tools",
    doc = "| give the model tools | [`Tool`], [`ToolContext`], [`ToolOutput`], [`ToolError`], [`ToolServer`] | [tools](guide::tools) |"
)]
//! | watch and guard its work | [`Hook`], [`HookCall`], [`hook`] | [hooks](guide::hooks) |
//! | handle failure and the end | [`Error`], [`Exit`], [`Ending`] | [errors](guide::errors) |
//! | send pictures and documents | [`attach`] | |
//! | count what it cost | [`Answer::cost_usd`], [`TurnCost`], [`Session::usage`] | |
//! | ask the CLI for something else | [`Session::request`], [`Session::control`] | |
//! | carry the lines yourself | [`Transport`], [`Parts`], [`Process`] | |
//!
//! # Features
//!
//! `tools` (default): tools that run in this process and answers in the shape of a type, with `rmcp` and `schemars`. Without it
//! the crate has neither.
//!
//! # How it works
//!
//! ```text
//! CLI ── lines ──► actor ──► log ──► Events, Turn      each reader at its own pace
//!  ▲                 │  ├──► turns, requests            whoever waits is settled
//!  └──── writer ◄────┘  └──► handlers, hooks, tools     each question in a task of its own
//! ```
//!
//! One task per session, the actor, owns the pipes. It acts on a line before any consumer sees it and awaits no consumer, no
//! handler and no full pipe. It runs in the Tokio runtime in which the session was started; when that is shut down, the CLI is
//! ended.

// In the order of the data. What a session is started with:
mod handlers;
mod options;
// From options to a process:
mod launch;
mod process;
mod start;
mod transport;
// Lines in, to whom they belong, lines out:
mod actor;
mod costs;
mod lines;
mod log;
mod requests;
mod turns;
// What a program holds in its hands:
mod answer;
pub mod attach;
mod base64;
mod error;
mod event;
mod hooks;
mod permission;
mod session;
#[cfg(feature = "tools")]
mod tools;
mod turn;

pub mod guide;

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
pub use launch::transcripts::find_transcript;
pub use launch::version::Version;
pub use log::Events;
pub use options::{AutoCompact, Chrome, Claude, Debug, Plugin, SettingSource, Thinking, ThinkingDisplay, Tools};
pub use permission::{Answers, Decision, PermissionRequest};
pub use process::{Environment, Program};
#[cfg(feature = "tools")]
pub use schemars::{self, JsonSchema};
pub use session::{Interrupt, Interrupted, Session, Switch};
pub use start::Plan;
#[cfg(feature = "tools")]
pub use tools::{Tool, ToolContext, ToolError, ToolOutput, ToolServer};
pub use transport::{Parts, Process, Transport};
pub use turn::{Answering, Turn};
