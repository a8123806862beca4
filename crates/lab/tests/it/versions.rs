//! Every pinned version of the real CLI, played through the same stories offline, in typed messages both ways.

mod host;
mod questions;
mod session;
mod strange;
mod talk;
mod text;
mod tools;
