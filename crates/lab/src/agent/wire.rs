//! The two pipes: lines come in through a channel, lines go out through one buffer.

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::Ending;
use super::record::Side;

/// So much is gathered before it is written even if nobody waits for it.
const BUFFER_BYTES: usize = 256 * 1024;

/// Something that reached the agent.
#[derive(Debug)]
pub(super) enum Inbound {
    /// A line, without its end.
    Line(Vec<u8>),
    /// The end of the input.
    Eof,
    /// The signal that interrupts.
    Sigint,
    /// The time of a task in the background is over.
    TaskDone(String),
}

/// What reached the agent and was not taken yet, with a way to add to it.
#[derive(Debug)]
pub(super) struct Arrivals {
    pub(super) sender: UnboundedSender<Inbound>,
    pub(super) receiver: UnboundedReceiver<Inbound>,
}

/// The way out. What is written stays in the buffer until somebody could wait for it.
pub(super) struct Wire {
    out: Box<dyn AsyncWrite + Send + Unpin>,
    buffer: Vec<u8>,
    record: Side,
}

impl Wire {
    pub(super) fn new(out: impl AsyncWrite + Send + Unpin + 'static, record: Side) -> Wire {
        Wire { out: Box::new(out), buffer: Vec::new(), record }
    }

    /// Writes a value as a line.
    pub(super) fn line(&mut self, value: &Value) {
        // Writing a value into memory cannot fail.
        let _ = serde_json::to_writer(&mut self.buffer, value);
        self.buffer.push(b'\n');
    }

    /// Writes bytes as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Writes out what has gathered, if it is much.
    pub(super) async fn relieve(&mut self) -> Result<(), Ending> {
        if self.buffer.len() < BUFFER_BYTES { Ok(()) } else { self.flush().await }
    }

    /// Writes out everything. Nobody reading any more ends the agent, as it ends the CLI.
    pub(super) async fn flush(&mut self) -> Result<(), Ending> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let written = self.block(&buffer).await;
        buffer.clear();
        self.buffer = buffer;
        written
    }

    /// Writes a block of prebuilt lines past the buffer, which has to be empty.
    pub(super) async fn block(&mut self, bytes: &[u8]) -> Result<(), Ending> {
        self.record.keep(bytes);
        let written = async {
            self.out.write_all(bytes).await?;
            self.out.flush().await
        };
        written.await.map_err(|_| Ending::Exited(1))
    }
}

/// Reads lines until the input ends, keeping each before it is passed on.
pub(super) async fn read_lines(
    input: impl AsyncRead + Send + Unpin,
    mut record: Side,
    inbound: UnboundedSender<Inbound>,
) {
    let mut lines = BufReader::with_capacity(64 * 1024, input);
    loop {
        let mut line = Vec::new();
        match lines.read_until(b'\n', &mut line).await {
            Ok(length) if length > 0 => {
                record.keep(&line);
                if line.last() == Some(&b'\n') {
                    line.pop();
                }
                if inbound.send(Inbound::Line(line)).is_err() {
                    return;
                }
            }
            _ => break,
        }
    }
    // The agent may have ended before its input did.
    let _ = inbound.send(Inbound::Eof);
}
