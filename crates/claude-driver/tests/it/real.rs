//! Every pinned version of the real CLI, offline, started and driven as a user of this crate would. Where the versions
//! differ, the story says so.

mod costs;
mod host;
mod interrupt;
mod permissions;
mod process;
mod requests;
mod resume;
mod staged;
mod turns;
mod typed;
