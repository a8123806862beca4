//! How much a run of the tests covers: what every change has to pass, or everything.

use std::process::Command;

/// Tells tests that are not written in Rust that everything is wanted.
const VARIABLE: &str = "QUARTERDECK_TEST_ALL";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// What every change has to pass, in a quarter of an hour.
    Change,
    /// That, and what moved out of it: docs/testing.md lists it.
    All,
}

impl Scope {
    pub(crate) fn new(all: bool) -> Self {
        if all { Self::All } else { Self::Change }
    }

    /// Passes the scope on to a command.
    pub(crate) fn tell(self, command: &mut Command) {
        match self {
            Self::Change => command.env_remove(VARIABLE),
            Self::All => command.env(VARIABLE, "1"),
        };
    }
}
