//! The binary as a user runs it: arguments and files in, text and exit codes out.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod binary;
mod client;
mod convert;
mod deck;
mod guard;
mod inspect;
mod pty;
mod read_only;
mod run;
mod sessions;
