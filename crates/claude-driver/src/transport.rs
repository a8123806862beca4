//! What carries a session's lines: the pipes of a child process, any reader and writer, or something else that has both.

use std::io;
use std::pin::Pin;
use std::process::ExitStatus;

use tokio::io::{AsyncRead, AsyncWrite};

mod child;

/// Something that carries lines to and from a CLI.
pub trait Transport: Send {
    /// Hands over the two directions, and what is known of the process behind them.
    fn open(self: Box<Self>) -> Parts;
}

/// The two directions of a session.
#[non_exhaustive]
pub struct Parts {
    /// Where lines to the CLI go. Dropping it tells the CLI that no more will come.
    pub stdin: Box<dyn AsyncWrite + Send + Unpin>,
    /// Where lines of the CLI come from.
    pub stdout: Box<dyn AsyncRead + Send + Unpin>,
    /// Where it complains.
    pub stderr: Option<Box<dyn AsyncRead + Send + Unpin>>,
    /// The process, if it is ours to end.
    pub process: Option<Box<dyn Process>>,
}

/// A process that is ours to end. Dropping it ends it too, with all that it started.
pub trait Process: Send {
    /// The CLI's process id.
    fn pid(&self) -> Option<u32>;
    /// Waits for its end. Dropping the future must lose nothing.
    fn exited(&mut self) -> Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send + '_>>;
    /// Waits until it and all that it started is gone.
    fn gone(&mut self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
    /// Asks it to end.
    fn terminate(&mut self);
    /// Ends it, and all that it started.
    fn kill(&mut self);
}

impl Parts {
    /// The two directions, without a process.
    pub fn new(
        stdout: impl AsyncRead + Send + Unpin + 'static,
        stdin: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Parts { stdin: Box::new(stdin), stdout: Box::new(stdout), stderr: None, process: None }
    }
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").field("pid", &self.process.as_ref().and_then(|process| process.pid())).finish()
    }
}

/// Any reader and writer: what the reader gives is the CLI's stdout, what is written goes to its stdin.
impl<R, W> Transport for (R, W)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    fn open(self: Box<Self>) -> Parts {
        let (reader, writer) = *self;
        Parts::new(reader, writer)
    }
}

impl Transport for Parts {
    fn open(self: Box<Self>) -> Parts {
        *self
    }
}
