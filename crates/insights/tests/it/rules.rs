//! What the state makes of what happens: one test for each rule.

mod answers;
mod asks;
pub(crate) mod bounds;
mod session;
mod subagents;
mod tools;
mod turns;
