//! Readers in other processes: a corpus file in, seconds for a row of the table out.
//!
//! A peer reads the whole corpus into memory first and then measures its own loop, once for each row that is named on
//! its stdin. So all readers take turns, start-up and pipes cost nobody anything, and only one process works at a time.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::packages::{self, Need};
use crate::{process, talk};

/// The official Python SDK, by exact version: a figure without one says little.
const PYTHON_SDK: &str = "claude-agent-sdk";
const PYTHON_SDK_VERSION: &str = "0.2.182";

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
        packages::provide(&[Need {
            probe: &["python3", "-c", "import venv, ensurepip"],
            package: "python3-venv",
            purpose: "the official Python SDK",
        }])?;
        let environment = folder.join("python");
        let python = environment.join("bin").join("python");
        if installed(&python).as_deref() != Some(PYTHON_SDK_VERSION) {
            talk::say(&format!("installing {PYTHON_SDK} {PYTHON_SDK_VERSION}"));
            run(process::command("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
            let wanted = format!("{PYTHON_SDK}=={PYTHON_SDK_VERSION}");
            run(process::command(&python).args(["-m", "pip", "install", "--quiet", &wanted]))?;
        }
        let script = written(folder, "decode.py", PYTHON_LOOP)?;
        Self::start(process::command(python).arg(script), corpus)
    }

    /// Starts the loop over `JSON.parse`.
    pub(super) fn node(folder: &Path, corpus: &CorpusFiles) -> Result<Self> {
        packages::provide(&[Need { probe: &["node", "--version"], package: "nodejs", purpose: "`JSON.parse`" }])?;
        let script = written(folder, "decode.mjs", NODE_LOOP)?;
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

fn answer<T: serde::de::DeserializeOwned>(stdout: &mut impl BufRead) -> Result<T> {
    let mut line = String::new();
    stdout.read_line(&mut line).context("could not read from the peer")?;
    if line.is_empty() {
        bail!("the peer ended before it answered; its own message is above");
    }
    serde_json::from_str(&line).with_context(|| format!("the peer said `{}`", line.trim()))
}

fn installed(python: &Path) -> Option<String> {
    if !python.exists() {
        return None;
    }
    let ask = format!(
        "import importlib.util, importlib.metadata as m\nif importlib.util.find_spec('claude_agent_sdk'): print(m.version('{PYTHON_SDK}'))"
    );
    process::output(process::command(python).args(["-c", &ask])).ok().map(|version| version.trim().to_owned())
}

fn run(command: &mut Command) -> Result<()> {
    command.stdout(std::io::stderr());
    if !process::succeeds(command)? {
        bail!("{} failed", process::shown(command));
    }
    Ok(())
}

fn written(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    std::fs::write(&path, text).with_context(|| format!("could not write `{}`", path.display()))?;
    Ok(path)
}
