//! A consumer in a process of its own: a command in, what it saw and how much memory it took out.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;

use super::super::peers::answer;
use crate::process;

/// A process that is being measured; it does not outlive us.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing to save in it either way.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a process takes, as the kernel counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) peak_bytes: u64,
    pub(super) resident_bytes: u64,
}

impl Memory {
    /// The memory of a process, by its number or as `self`.
    pub(super) fn of(process: &str) -> Result<Self> {
        let path = format!("/proc/{process}/status");
        let status = fs::read_to_string(&path).with_context(|| format!("could not read `{path}`"))?;
        Self::read(&status).with_context(|| format!("`{path}` does not tell the memory"))
    }

    fn read(status: &str) -> Option<Self> {
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
            Some(kilobytes * 1024)
        };
        Some(Self { peak_bytes: field("VmHWM:")?, resident_bytes: field("VmRSS:")? })
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_what_the_kernel_says() {
        let status = "Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t     20 kB\nVmRSS:\t      3 kB\nRssAnon:\t 1 kB\n";
        assert_eq!(Memory::read(status), Some(Memory { peak_bytes: 20 * 1024, resident_bytes: 3 * 1024 }));
        assert_eq!(Memory::read("Name:\tx\n"), None);
    }
}
