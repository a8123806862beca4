//! The keeper: one small process per live session. It owns the agent's pipes, keeps every line in the log before anyone
//! acts on it, and relays to those who are attached. When a server dies, the session does not notice.
//!
//! * [`keep`]: the session from a folder and a [`Launch`] to its end. [`KeeperCommand`] starts a process that does so.
//! * [`Client`]: who attaches, gets the records and writes lines.
//! * [`frame`]: what the two say to each other. [`gate`]: that each line and each answer goes to the agent once.
//! * [`Questions`]: what the agent asks. [`table`]: which processes there are.

pub mod client;
mod error;
pub mod frame;
pub mod gate;
mod keep;
mod launch;
mod place;
mod process;
mod questions;
mod socket;
mod start;
pub mod table;
mod tail;

pub use client::{Client, Greeting, Records, Written};
pub use error::Error;
pub use frame::{FromKeeper, PROTOCOL, Refusal, Stop, ToKeeper};
pub use gate::{Gate, Verdict};
pub use launch::Launch;
pub use place::{find, socket_path};
pub use process::keep;
pub use questions::{Question, Questions, Whom};
pub use socket::bind;
pub use start::{KeeperCommand, keep_on_stdio, now};
