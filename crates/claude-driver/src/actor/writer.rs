//! The one task that writes to the CLI: whole lines, in the order in which they were given.

use std::io;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};

/// Where lines go. The queue is unbounded, since it holds only what the host itself has said.
#[derive(Debug)]
pub(super) struct Writer {
    lines: Option<mpsc::UnboundedSender<String>>,
    failed: Option<oneshot::Receiver<io::Error>>,
}

impl Writer {
    pub(super) fn start(stdin: Box<dyn AsyncWrite + Send + Unpin>) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        let (failed, failure) = oneshot::channel();
        tokio::spawn(async move {
            if let Err(error) = write_all(stdin, receiver).await {
                // A session that is over does not listen.
                let _ = failed.send(error);
            }
        });
        Writer { lines: Some(sender), failed: Some(failure) }
    }

    /// Queues a line, given without its newline. After the close it goes nowhere.
    pub(super) fn write(&mut self, line: String) {
        if let Some(lines) = &self.lines {
            // If the writer has failed, that has been or will be told.
            let _ = lines.send(line);
        }
    }

    /// Closes the pipe once everything is written.
    pub(super) fn close(&mut self) {
        self.lines = None;
    }

    /// Waits for the writer to fail, which it mostly does not.
    pub(super) async fn failed(&mut self) -> io::Error {
        if let Some(failure) = &mut self.failed {
            let failure = failure.await;
            self.failed = None;
            if let Ok(error) = failure {
                return error;
            }
        }
        std::future::pending().await
    }
}

async fn write_all(
    mut stdin: Box<dyn AsyncWrite + Send + Unpin>,
    mut lines: mpsc::UnboundedReceiver<String>,
) -> io::Result<()> {
    while let Some(mut text) = lines.recv().await {
        text.push('\n');
        while let Ok(line) = lines.try_recv() {
            text.push_str(&line);
            text.push('\n');
        }
        stdin.write_all(text.as_bytes()).await?;
        stdin.flush().await?;
    }
    stdin.shutdown().await
}
