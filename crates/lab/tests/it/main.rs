//! The lab's own tests: the scripted model over real HTTP, and the scenario files.

#![expect(clippy::unwrap_used, reason = "a step that fails is a failed test")]

mod agent;
mod agent_parity;
mod http;
mod model;
mod real;
mod scenarios;
mod versions;
