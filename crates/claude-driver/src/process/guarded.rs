//! The host's side of a guarded child: a command comes in, a socket to its guardian and what the guardian tells go out.

use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream as Pair;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::io::fcntl_dupfd_cloexec;
use rustix::net::{SendFlags, send};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};

use super::{Exit, Pipes, guardian};

/// A CLI below its guardian. The guardian ends everything when `socket` is closed, by whatever way.
#[derive(Debug)]
pub(super) struct Guarded {
    socket: UnixStream,
    /// The guardian, which is the child that this process really has. Never killed: it leaves when its work is done.
    /// When it is dropped before that, tokio reaps it later.
    guardian: Child,
    cli: u32,
    said: Said,
}

/// What came over the socket after the CLI's process id.
#[derive(Debug, Default)]
struct Said {
    status: [u8; 4],
    bytes: usize,
    closed: bool,
}

impl Guarded {
    pub(super) fn spawn(mut command: Command) -> io::Result<(Self, Pipes)> {
        let (mut ours, theirs) = Pair::pair()?;
        ours.set_nonblocking(true)?;
        let theirs = above_standard(theirs.into())?;
        guardian::install(&mut command, theirs.as_raw_fd());
        let mut guardian = command.spawn()?;
        drop(theirs);
        // The guardian writes the id before it lets go of the pipe that `spawn` waits for, so it is here by now.
        let mut cli = [0; 4];
        ours.read_exact(&mut cli)?;
        let pipes = Pipes::take(&mut guardian)?;
        let socket = UnixStream::from_std(ours)?;
        Ok((Self { socket, guardian, cli: u32::from_ne_bytes(cli), said: Said::default() }, pipes))
    }

    pub(super) fn pid(&self) -> u32 {
        self.cli
    }

    pub(super) async fn exited(&mut self) -> Exit {
        while self.said.exit().is_none() {
            self.hear().await;
        }
        self.said.exit().unwrap_or(Exit::Lost)
    }

    pub(super) async fn gone(&mut self) -> Exit {
        while !self.said.closed {
            self.hear().await;
        }
        // The guardian has closed its end, so it is in its last instruction. An error means that it was reaped already.
        let _ = self.guardian.wait().await;
        self.said.exit().unwrap_or(Exit::Lost)
    }

    pub(super) fn terminate(&self) {
        self.tell(guardian::TERMINATE);
    }

    pub(super) fn kill(&mut self) {
        self.tell(guardian::KILL);
    }

    /// The process id of the guardian, as long as it was not reaped.
    #[cfg(test)]
    pub(super) fn guardian(&self) -> Option<u32> {
        self.guardian.id()
    }

    /// Goes past tokio, whose `try_write` may refuse until the runtime has seen the socket once. The byte is refused
    /// only by a guardian that is gone or has thousands of them unread, and both have no need of it.
    fn tell(&self, byte: u8) {
        let _ = send(self.socket.as_fd(), &[byte], SendFlags::DONTWAIT | SendFlags::NOSIGNAL);
    }

    /// Takes in the next bytes or the end. Cancel-safe: it waits only while nothing is taken.
    async fn hear(&mut self) {
        let said = &mut self.said;
        let room = said.status.get_mut(said.bytes..).unwrap_or_default();
        // After the status only the end is awaited; what else could come is read and dropped.
        let mut rest = [0; 4];
        let into = if room.is_empty() { &mut rest[..] } else { room };
        let heard = match self.socket.readable().await {
            Ok(()) => self.socket.try_read(into),
            Err(error) => Err(error),
        };
        match heard {
            Ok(0) => said.closed = true,
            Ok(count) => said.bytes = said.status.len().min(said.bytes + count),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => said.closed = true,
        }
    }
}

impl Said {
    fn exit(&self) -> Option<Exit> {
        if self.bytes == self.status.len() {
            return Some(Exit::Status(ExitStatus::from_raw(i32::from_ne_bytes(self.status))));
        }
        self.closed.then_some(Exit::Lost)
    }
}

/// A host without standard streams gets low numbers for new files, and the child puts its pipes there.
fn above_standard(file: OwnedFd) -> io::Result<OwnedFd> {
    if file.as_raw_fd() > 2 { Ok(file) } else { Ok(fcntl_dupfd_cloexec(&file, 3)?) }
}
