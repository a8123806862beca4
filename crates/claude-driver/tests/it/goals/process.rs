//! The scripted agent as a real process, and the kernel's word on which processes live.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use claude_driver::{Claude, Result, Session};
use lab::agent::{SCRIPT_VARIABLE, Story, program};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::support::scratch;

/// A bound that only a broken test reaches.
const LONG: Duration = Duration::from_secs(60);

/// A host's settings for an agent with this story.
pub(super) async fn playing(claude: Claude, story: &Story) -> Claude {
    let file = scratch().join("story.json");
    std::fs::write(&file, serde_json::to_string(story).unwrap()).unwrap();
    claude.program(program().await.unwrap()).env(SCRIPT_VARIABLE, file)
}

/// Starts the agent.
pub(super) async fn launched(claude: Claude, story: &Story) -> Result<Session> {
    playing(claude, story).await.start().await
}

/// The kernel's handle on a process, which means this one even when its number is used again.
pub(super) struct Life(OwnedFd);

impl Life {
    pub(super) fn of(number: u32) -> Self {
        let pid = Pid::from_raw(i32::try_from(number).unwrap()).unwrap();
        Life(pidfd_open(pid, PidfdFlags::empty()).unwrap())
    }

    /// Of the process whose number is in a file.
    pub(super) fn in_file(file: &Path) -> Self {
        Life::of(std::fs::read_to_string(file).unwrap().parse().unwrap())
    }

    pub(super) fn is_over(&self) -> bool {
        self.poll(Duration::ZERO)
    }

    /// Waits for its end.
    pub(super) async fn over(self) {
        assert!(tokio::task::spawn_blocking(move || self.poll(LONG)).await.unwrap(), "the process lives on");
    }

    fn poll(&self, patience: Duration) -> bool {
        let patience = patience.try_into().unwrap();
        poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&patience)).unwrap() == 1
    }
}
