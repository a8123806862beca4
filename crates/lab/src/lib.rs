//! The lab: the real Claude Code CLI, run offline against a model that says what a script tells it to.
//!
//! | module | what it is |
//! |---|---|
//! | [`script`] | what the model will say, told like a story or read from JSON |
//! | [`model`] | a Messages API on loopback that answers from a script and keeps every request |
//! | [`real`] | CLI versions from npm, in a cache, and the private place they run in |
//! | [`stage`] | a model, a place and an installed CLI: what sessions are started on |
//! | [`session`] | a running CLI: send lines, wait for lines, answer requests, see the end |
//! | [`scenario`] | stories in JSON files (`scenarios/*.json`), played step by step |
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
//! Nothing here looks for credentials: the CLI gets a clean environment, a private home, a dummy key and the address of
//! the scripted model. What is started is ended when its handle is dropped, with everything that came from it.

pub mod agent;
pub mod capture;
pub mod corpus;
mod error;
mod every_version;
mod json;
pub mod log;
pub mod model;
pub mod neutral;
pub mod real;
pub mod scenario;
pub mod script;
pub mod session;
pub mod stage;

pub use error::LabError;
pub use log::{Direction, Record};
pub use model::Model;
pub use real::CliVersion;
pub use scenario::Scenario;
pub use script::{Reply, Script};
pub use session::{End, Session};
pub use stage::{Launch, Stage};
