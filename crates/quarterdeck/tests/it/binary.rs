//! The binary, as a user would run it.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// The binary with pipes to all sides.
#[expect(clippy::disallowed_methods, reason = "the one place where these tests start the binary")]
pub(crate) fn started(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_quarterdeck"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What the binary says to this input.
pub(crate) fn quarterdeck(arguments: &[&str], stdin: impl AsRef<[u8]>) -> Output {
    let mut child = started(arguments);
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.as_ref().to_vec();
    // Beside the reading: a pipe that is full both ways would stop everyone. One who does not read all is right too.
    let writing = std::thread::spawn(move || pipe.write_all(&stdin));
    let output = child.wait_with_output().unwrap();
    let _ = writing.join().unwrap();
    output
}
