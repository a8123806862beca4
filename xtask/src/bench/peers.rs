//! Readers in other processes: a corpus file in, seconds for a row of the table out.
//!
//! A peer reads the whole corpus into memory first and then measures its own loop, once for each row that is named on
//! its stdin. So all readers take turns, start-up and pipes cost nobody anything, and only one process works at a time.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::install;
use crate::process;

const PYTHON_LOOP: &str = include_str!("peers/decode.py");
const NODE_LOOP: &str = include_str!("peers/decode.mjs");

/// The corpus on disk: the lines, and beside it the name of each line's kind.
pub(super) struct CorpusFiles {
    pub(super) lines: PathBuf,
    pub(super) kinds: PathBuf,
}

/// A running peer.
pub(super) struct Peer {
    pub(super) version: String,
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

/// The first line of a peer, once the corpus is in its memory.
#[derive(Deserialize)]
struct Ready {
    version: String,
}

/// How a peer read the lines of one row.
#[derive(Deserialize)]
pub(super) struct Reading {
    pub(super) seconds: f64,
    /// How many of the lines it refused.
    pub(super) refused: usize,
}

impl Peer {
    /// Installs the official Python SDK, if it is not there, and starts its loop.
    pub(super) fn python(folder: &Path, corpus: &CorpusFiles) -> Result<Self> {
        let python = install::python(folder)?;
        let script = install::written(folder, "decode.py", PYTHON_LOOP)?;
        Self::start(process::command(python).arg(script), corpus)
    }

    /// Starts the loop over `JSON.parse`.
    pub(super) fn node(folder: &Path, corpus: &CorpusFiles) -> Result<Self> {
        install::node()?;
        let script = install::written(folder, "decode.mjs", NODE_LOOP)?;
        Self::start(process::command("node").arg(script), corpus)
    }

    fn start(command: &mut Command, corpus: &CorpusFiles) -> Result<Self> {
        let command = command.arg(&corpus.lines).arg(&corpus.kinds).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("could not start {}", process::shown(command)))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the peer has no pipes");
        };
        let mut stdout = BufReader::new(stdout);
        let Ready { version } = answer(&mut stdout)?;
        Ok(Self { version, child, stdin, stdout })
    }

    /// Has the peer read the lines of a row once more.
    pub(super) fn read(&mut self, row: &str) -> Result<Reading> {
        writeln!(self.stdin, "{row}").and_then(|()| self.stdin.flush()).context("the peer has gone")?;
        answer(&mut self.stdout)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing to save in it either way.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next line of a peer.
pub(super) fn answer<T: serde::de::DeserializeOwned>(stdout: &mut impl BufRead) -> Result<T> {
    let mut line = String::new();
    stdout.read_line(&mut line).context("could not read from the peer")?;
    if line.is_empty() {
        bail!("the peer ended before it answered; its own message is above");
    }
    serde_json::from_str(&line).with_context(|| format!("the peer said `{}`", line.trim()))
}
