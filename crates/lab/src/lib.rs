//! The lab: the real Claude Code CLI, run offline against a model that says what a script tells it to.
//!
//! | module | what it is |
//! |---|---|
//! | [`script`] | what the model will say, told like a story or read from JSON |
//! | [`model`] | a Messages API on loopback that answers from a script and keeps every request |
//! | [`real`] | CLI versions from npm, in a cache, and the private place they run in |
//! | [`previous`] | the previous version of Quarterdeck, built from the history, in a cache |
//! | [`stage`] | a model, a place and an installed CLI: what sessions are started on |
//! | [`session`] | a running CLI: send lines, wait for lines, answer requests, see the end |
//! | [`scenario`] | stories in JSON files (`scenarios/*.json`), played step by step |
//! | [`remote`] | a stage for tests that are not written in Rust: `lab-stage` |
//! | [`neutral`] | captured lines made neutral and stable, token by token |
//! | [`capture`] | scenarios recorded as fixtures: `cargo xtask capture` |
//! | [`agent`] | a scripted agent that speaks like the CLI, with faults on demand: `scripted-agent` |
//! | [`on_every_version!`] | a test of each story on each pinned version |
//! | [`corpus`] | a bench corpus, made in code |
//!
//! A test with the real CLI:
//!
//! ```no_run
//! # async fn story() -> Result<(), lab::LabError> {
//! use lab::{Launch, Script, Stage};
//! use serde_json::json;
//!
//! let script = Script::new().calls("Bash", json!({"command": "touch a.txt", "description": "Make a file"})).says("Made.");
//! let stage = Stage::new("2.1.38".parse()?, script).await?;
//! let mut session = stage.start(Launch::new()).await?;
//! session.user("make it").await?;
//! let ask = session.wait_for("the question", |line| line["request"]["subtype"] == "can_use_tool").await?;
//! session.answer(&ask, json!({"behavior": "allow", "updatedInput": ask["request"]["input"]})).await?;
//! let result = session.wait_for("the result", |line| line["type"] == "result").await?;
//! assert_eq!(result["result"], "Made.");
//! assert_eq!(session.finish().await?.code, Some(0));
//! # Ok(()) }
//! ```
//!
//! Without the feature `stage`, which is on by default, there is the scripted agent alone: that is what the product has, for
//! `quarterdeck demo`.
//!
//! Nothing here looks for credentials: the CLI gets a clean environment, a private home, a dummy key and the address of
//! the scripted model. What is started is ended when its handle is dropped, with everything that came from it.

pub mod agent;
#[cfg(feature = "stage")]
mod cache;
#[cfg(feature = "stage")]
pub mod capture;
#[cfg(feature = "stage")]
pub mod corpus;
mod error;
#[cfg(feature = "stage")]
mod every_version;
mod json;
#[cfg(feature = "stage")]
pub mod log;
pub mod model;
#[cfg(feature = "stage")]
pub mod neutral;
#[cfg(feature = "stage")]
pub mod previous;
mod process;
mod project;
#[cfg(feature = "stage")]
pub mod real;
#[cfg(feature = "stage")]
pub mod remote;
#[cfg(feature = "stage")]
pub mod scenario;
pub mod script;
#[cfg(feature = "stage")]
pub mod session;
#[cfg(feature = "stage")]
pub mod stage;

pub use error::LabError;
#[cfg(feature = "stage")]
pub use log::{Direction, Record};
#[cfg(feature = "stage")]
pub use model::Model;
#[cfg(feature = "stage")]
pub use real::CliVersion;
#[cfg(feature = "stage")]
pub use scenario::Scenario;
pub use script::{Reply, Script};
#[cfg(feature = "stage")]
pub use session::{End, Session};
#[cfg(feature = "stage")]
pub use stage::{Launch, Stage};
