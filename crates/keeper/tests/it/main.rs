//! Keepers with real agents, real sockets and real files.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as the tests themselves do")]

mod disk;
mod faults;
mod relay;
mod support;
