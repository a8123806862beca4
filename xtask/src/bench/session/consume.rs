//! `cargo xtask consume`, hidden: our own consumers, each in a process of its own, so that its memory is its own. A
//! consumer and the agent's program in; what it saw as one line of JSON out, and then it waits for the end of its stdin.
//!
//! What the agent does is in the file that the environment names, as for the peers.

mod interrupts;
mod soak;

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Stdio};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use claude_driver::Claude;
use futures_util::StreamExt;
use serde::Serialize;

use super::{Interrupts, Seen, Soak};
use crate::{Outcome, clock, process, talk};

#[derive(Args)]
pub(crate) struct ConsumeArgs {
    #[arg(value_enum)]
    consumer: Consumer,
    agent: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Consumer {
    /// A turn through the driver
    Ours,
    /// A turn through a loop that only counts lines
    Bare,
    /// Interrupts while deltas pour in
    Interrupts,
    /// A gigabyte, and lines that are hard to take
    Soak,
}

/// The flags of the agent that the driver gives too, where they change what it says.
const FLAGS: &[&str] = &["--include-partial-messages", "--replay-user-messages", "--permission-prompt-tool", "stdio"];

/// Does what one consumer does.
pub(crate) fn consume(args: &ConsumeArgs) -> Result<Outcome> {
    let agent = args.agent.as_path();
    if args.consumer == Consumer::Bare {
        say_and_wait(&bare(agent)?)?;
        return Ok(Outcome::Passed);
    }
    let runtime = tokio::runtime::Runtime::new().context("could not start a runtime")?;
    runtime.block_on(async {
        match args.consumer {
            Consumer::Ours => ours(agent).await,
            Consumer::Interrupts => say_and_wait(&interrupts::measure(agent).await?),
            Consumer::Soak => say_and_wait(&soak::measure(agent).await?),
            Consumer::Bare => Ok(()),
        }
    })?;
    Ok(Outcome::Passed)
}

/// Says what was seen. Whoever started us looks at our memory then, and closes our stdin.
fn say_and_wait(seen: &impl Serialize) -> Result<()> {
    talk::data(&serde_json::to_string(seen)?);
    io::copy(&mut io::stdin(), &mut io::sink()).context("could not wait")?;
    Ok(())
}

/// The turn as a user of the driver would read it.
async fn ours(agent: &Path) -> Result<()> {
    let session = Claude::new().program(agent).start().await?;
    let start = clock::now();
    let mut turn = session.send("go");
    let (mut deltas, mut text_bytes) = (0, 0);
    while let Some(event) = turn.next().await {
        if let Some(text) = event?.text() {
            deltas += 1;
            text_bytes += text.len() as u64;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    say_and_wait(&Seen { version: None, lines: None, deltas, text_bytes, seconds })
}

/// How much the pipe of the driver holds. The bare loop has the same, or its ceiling would be that of another pipe.
#[cfg(target_os = "linux")]
const STDOUT_PIPE: usize = 256 * 1024;

#[cfg(target_os = "linux")]
fn widen(stdout: &ChildStdout) -> Result<()> {
    rustix::pipe::fcntl_setpipe_size(stdout, STDOUT_PIPE).context("could not widen the agent's pipe")?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn widen(_: &ChildStdout) -> Result<()> {
    Ok(())
}

/// The turn through a loop that does nothing with a line but ask whether it is the last one.
fn bare(agent: &Path) -> Result<Seen> {
    let mut command = process::command(agent);
    command.args(FLAGS).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("could not start {}", process::shown(&command)))?;
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("the agent has no pipes");
    };
    widen(&stdout)?;
    let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
    let mut line = Vec::new();
    writeln!(stdin, r#"{{"type":"control_request","request_id":"1","request":{{"subtype":"initialize"}}}}"#)?;
    stdout.read_until(b'\n', &mut line)?;
    let start = clock::now();
    writeln!(stdin, r#"{{"type":"user","message":{{"role":"user","content":"go"}},"parent_tool_use_id":null}}"#)?;
    let mut lines = 0;
    while !line.starts_with(br#"{"type":"result""#) {
        line.clear();
        if stdout.read_until(b'\n', &mut line)? == 0 {
            bail!("the agent ended before its turn did");
        }
        lines += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    drop(stdin);
    child.wait()?;
    Ok(Seen { version: None, lines: Some(lines), deltas: 0, text_bytes: 0, seconds })
}
