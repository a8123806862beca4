//! The sessions as a whole: real keepers, real agents, and processes that are killed at any moment. The CLI's transcripts
//! become what a live session is.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod begun;
mod checkpoints;
mod clock;
mod continued;
mod crash;
mod ending;
mod feed;
mod forks;
mod held;
mod kill;
mod let_go;
mod real;
mod restart;
// Transcripts told as they are: the comparison is that of `insights`.
#[path = "../../../insights/tests/it/same_items.rs"]
mod same_items;
mod support;
mod transcripts;
