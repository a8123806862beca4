//! A child alone, for systems that are not Unix: a command comes in, a handle that ends this one process goes out.
//!
//! There is no gentle signal here, so `terminate` does nothing and the close goes on to `kill`.

use std::io;

use tokio::process::{Child, Command};

use super::{Exit, Pipes};

/// A CLI that is ended when its handle is dropped.
#[derive(Debug)]
pub(super) struct Single {
    child: Child,
    pid: u32,
    exit: Option<Exit>,
}

impl Single {
    pub(super) fn spawn(mut command: Command) -> io::Result<(Self, Pipes)> {
        let mut child = command.kill_on_drop(true).spawn()?;
        let pid = child.id().ok_or_else(|| io::Error::other("the child has no process id"))?;
        let pipes = Pipes::take(&mut child)?;
        Ok((Self { child, pid, exit: None }, pipes))
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) async fn exited(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        let exit = self.child.wait().await.map_or(Exit::Lost, Exit::Status);
        self.exit = Some(exit);
        exit
    }

    pub(super) async fn gone(&mut self) -> Exit {
        self.exited().await
    }

    pub(super) fn terminate(&self) {}

    pub(super) fn kill(&mut self) {
        // A child that has ended already is what this wanted.
        let _ = self.child.start_kill();
    }
}
