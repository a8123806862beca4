//! Sessions against the scripted agent and the real CLI.

#![expect(clippy::unwrap_used, reason = "a step that fails is a failed test")]

mod conformance;
mod examples;
mod goals;
mod real;
mod support;
