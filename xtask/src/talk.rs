//! Where texts go: data to stdout, talk to stderr.

use std::io::{self, Write};

/// Says something to the person at the terminal, on stderr.
pub(crate) fn say(text: &str) {
    // Nobody is left to tell when stderr is closed.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes what the command was asked for, on stdout.
pub(crate) fn data(text: &str) {
    // A reader such as `head` may have gone: that is its right, and no failure of ours.
    let _ = writeln!(io::stdout(), "{text}");
}
