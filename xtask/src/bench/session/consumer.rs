//! A consumer in a process of its own: a command in, what it saw and how much memory it took out.

use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;

use super::super::memory::{Memory, Running};
use super::super::peers::answer;
use crate::process;

/// One of our own consumers as a command.
pub(super) fn own(consumer: &str, agent: &Path) -> Result<Command> {
    let mut command = process::command(std::env::current_exe().context("could not find this program")?);
    command.arg("consume").arg(consumer).arg(agent);
    Ok(command)
}

/// Runs a consumer once, over an agent that plays the story of this file.
pub(super) fn run<T: DeserializeOwned>(command: &mut Command, story: &Path) -> Result<(T, Memory)> {
    command.env(lab::agent::SCRIPT_VARIABLE, story).stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = command.spawn().with_context(|| format!("could not start {}", process::shown(command)))?;
    let mut running = Running(child);
    let Some(stdout) = running.0.stdout.take() else { bail!("the consumer has no stdout") };
    let seen = answer(&mut BufReader::new(stdout))?;
    // It waits for the end of its stdin now, so its memory is still there to be looked at.
    let memory = Memory::of(&running.0.id().to_string())?;
    drop(running.0.stdin.take());
    let status = running.0.wait().context("could not wait for the consumer")?;
    if !status.success() {
        bail!("{} failed: {status}", process::shown(command));
    }
    Ok((seen, memory))
}
