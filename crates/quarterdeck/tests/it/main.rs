//! The binary as a user runs it: arguments and files in, text and exit codes out.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod binary;
mod client;
mod convert;
mod deck;
mod door;
mod errors;
mod inspect;
mod list;
mod pty;
mod restart;
mod run;
mod sessions;
mod slow;
mod watcher;
