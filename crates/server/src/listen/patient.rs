//! A stream whose other side takes what is written, or makes room for others: bytes in, bytes out, and an end to waiting.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long it is waited for somebody to take the next bytes. Where nothing is to be written nobody is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A stream that fails when what is written is not taken. It stands below TLS, which takes bytes long before the other side does.
pub(crate) struct Patient<S> {
    stream: S,
    /// Runs while something is to be written and nothing is taken.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    pub(crate) fn new(stream: S) -> Patient<S> {
        Patient { stream, waiting: None }
    }

    /// What became of a write: whoever took something may take his time for the next.
    fn patiently<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        waiting.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.patiently(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.patiently(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.patiently(context, shut)
    }
}
