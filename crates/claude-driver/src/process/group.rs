//! A child in a process group of its own, for Unix systems without a guardian: a command comes in, a handle that signals
//! the group goes out.
//!
//! What the child puts into other sessions is out of reach here, and nobody is left to act when the host is killed.

use std::io;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};

use super::{Exit, Pipes};

/// A CLI that leads its own process group.
#[derive(Debug)]
pub(super) struct Group {
    leader: Child,
    pid: u32,
    exit: Option<Exit>,
}

impl Group {
    pub(super) fn spawn(mut command: Command) -> io::Result<(Self, Pipes)> {
        let mut leader = command.process_group(0).kill_on_drop(true).spawn()?;
        let pid = leader.id().ok_or_else(|| io::Error::other("the child has no process id"))?;
        let pipes = Pipes::take(&mut leader)?;
        Ok((Self { leader, pid, exit: None }, pipes))
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) async fn exited(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        let exit = self.leader.wait().await.map_or(Exit::Lost, Exit::Status);
        self.exit = Some(exit);
        // The group's number outlives its leader as long as it has members. That somebody else is given the number
        // between the leader's end and this line is possible in principle only: numbers are handed out in turn.
        self.signal(Signal::KILL);
        exit
    }

    pub(super) async fn gone(&mut self) -> Exit {
        self.exited().await
    }

    pub(super) fn terminate(&self) {
        if self.exit.is_none() {
            self.signal(Signal::TERM);
        }
    }

    pub(super) fn kill(&mut self) {
        if self.exit.is_none() {
            self.signal(Signal::KILL);
        }
    }

    /// A group that is gone already is what the signal wanted.
    fn signal(&self, signal: Signal) {
        if let Some(group) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
