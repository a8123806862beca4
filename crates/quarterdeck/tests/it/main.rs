//! The binary as a user runs it: arguments and files in, text and exit codes out.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod binary;
#[expect(dead_code, reason = "it can do more than the tests of today ask for")]
mod client;
mod convert;
mod demo;
mod inspect;
mod pty;
mod read_only;
mod run;
mod sessions;
