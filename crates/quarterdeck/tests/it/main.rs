//! The binary as a user runs it: arguments and files in, text and exit codes out.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod binary;
mod client;
mod convert;
mod deck;
mod demo;
mod door;
mod errors;
mod guard;
mod home;
mod inspect;
mod list;
mod pty;
mod read_only;
mod restart;
mod run;
mod sessions;
mod slow;
mod watcher;
