//! How much memory a process takes: a process in, what the kernel counts out. Linux only.

use std::fs;
use std::process::Child;

use anyhow::{Context, Result};

/// A process that is being measured; it does not outlive us.
pub(super) struct Running(pub(super) Child);

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
