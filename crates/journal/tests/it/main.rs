//! The log and the databases on a real disk: what is written is found again, whatever happens in between.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod checkpoints;
mod data;
mod desk;
mod laws;
mod log;
mod packing;
mod read_only;
mod rebuild;
mod rows;
mod search;
mod support;
mod together;
