//! The plain way: the CLI as a child process, with its three pipes.

use std::io;
use std::pin::Pin;
use std::process::ExitStatus;

use super::{Parts, Process};
use crate::process::{Exit, Program, Started};

impl Program {
    /// Starts the program. Whatever it starts in turn ends with it, and with the host. Must be called inside a tokio
    /// runtime with I/O enabled; blocks for the moment that starting takes.
    pub fn spawn(&self) -> io::Result<Parts> {
        let Started { process, stdin, stdout, stderr } = crate::process::Process::spawn(self)?;
        Ok(Parts {
            stdin: Box::new(stdin),
            stdout: Box::new(stdout),
            stderr: Some(Box::new(stderr)),
            process: Some(Box::new(process)),
        })
    }
}

impl Process for crate::process::Process {
    fn pid(&self) -> Option<u32> {
        Some(crate::process::Process::pid(self))
    }

    fn exited(&mut self) -> Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send + '_>> {
        Box::pin(async { status(crate::process::Process::exited(self).await) })
    }

    fn gone(&mut self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async { _ = crate::process::Process::gone(self).await })
    }

    fn terminate(&mut self) {
        crate::process::Process::terminate(self);
    }

    fn kill(&mut self) {
        crate::process::Process::kill(self);
    }
}

fn status(exit: Exit) -> io::Result<ExitStatus> {
    match exit {
        Exit::Status(status) => Ok(status),
        Exit::Lost => Err(io::Error::other("nobody was left to tell it")),
    }
}
