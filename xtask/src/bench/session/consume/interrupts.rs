//! Interrupts under load: each turn is a flood without an end, and each is interrupted while it is being read.

use std::path::Path;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use claude_driver::{Claude, TurnEnd};
use futures_util::StreamExt;
use memchr::memmem;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::oneshot;

use super::super::INTERRUPTS;
use super::{FLAGS, Interrupts};
use crate::{clock, process};

/// So many deltas are read before an interrupt, so that the pipes are full.
const BEFORE: u64 = 20_000;

/// When a mark last passed.
#[derive(Clone, Debug, Default)]
struct Passed(Arc<Mutex<Option<Instant>>>);

impl Passed {
    fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(clock::now());
    }

    fn take(&self) -> Result<Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().context("a line that had to pass was not seen")
    }
}

/// A pipe that notes when the mark passes through it.
struct Watched<T> {
    inner: T,
    mark: &'static [u8],
    /// The end of what passed, where a mark may have begun.
    tail: Vec<u8>,
    passed: Passed,
}

impl<T> Watched<T> {
    fn new(inner: T, mark: &'static str) -> (Self, Passed) {
        let passed = Passed::default();
        (Self { inner, mark: mark.as_bytes(), tail: Vec::new(), passed: passed.clone() }, passed)
    }

    fn look(&mut self, bytes: &[u8]) {
        let beginning = self.mark.len() - 1;
        self.tail.extend_from_slice(&bytes[..beginning.min(bytes.len())]);
        if memmem::find(&self.tail, self.mark).is_some() || memmem::find(bytes, self.mark).is_some() {
            self.passed.note();
            self.tail.clear();
            return;
        }
        if bytes.len() >= beginning {
            self.tail.clear();
            self.tail.extend_from_slice(&bytes[bytes.len() - beginning..]);
        } else {
            self.tail.drain(..self.tail.len().saturating_sub(beginning));
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Watched<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        if read.is_ready() {
            self.look(&buffer.filled()[before..]);
        }
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Watched<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        let wrote = Pin::new(&mut self.inner).poll_write(context, bytes);
        if let Poll::Ready(Ok(length)) = wrote {
            self.look(&bytes[..length]);
        }
        wrote
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

/// Interrupts turn after turn.
pub(super) async fn measure(agent: &Path) -> Result<Interrupts> {
    let mut command = process::command(agent);
    command.args(FLAGS).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child =
        tokio::process::Command::from(command).kill_on_drop(true).spawn().context("could not start the agent")?;
    let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("the agent has no pipes");
    };
    let (stdin, asked) = Watched::new(stdin, r#""interrupt""#);
    let (stdout, replied) = Watched::new(stdout, r#""control_response""#);
    let session = Claude::new().start_over((stdout, stdin)).await?;
    let mut found = Interrupts { deltas: 0, to_stdin: Vec::new(), to_future: Vec::new(), whole: Vec::new() };
    for _ in 0..INTERRUPTS {
        let mut turn = session.send("go");
        let (pouring, poured) = oneshot::channel();
        let reading = tokio::spawn(async move {
            let (mut deltas, mut pouring) = (0, Some(pouring));
            while let Some(event) = turn.next().await {
                deltas += u64::from(event?.text().is_some());
                if deltas == BEFORE
                    && let Some(pouring) = pouring.take()
                {
                    // Whoever waits for it has to be there, or nothing is measured.
                    let _ = pouring.send(());
                }
            }
            anyhow::Ok((deltas, turn.await?.end))
        });
        poured.await.context("the turn ended before it could be interrupted")?;
        // The handshake and the turn before have left their marks.
        let _ = replied.take();
        let start = clock::now();
        session.interrupt().await?;
        let end = clock::now();
        found.to_stdin.push((asked.take()? - start).as_secs_f64());
        found.to_future.push((end - replied.take()?).as_secs_f64());
        found.whole.push((end - start).as_secs_f64());
        let (deltas, how) = reading.await??;
        if how != TurnEnd::Interrupted {
            bail!("an interrupted turn ended as {how:?}");
        }
        found.deltas += deltas;
    }
    session.close().await?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_seen_however_it_is_cut() {
        for cut in 0..=8 {
            let (mut pipe, passed) = Watched::new((), "mark");
            let text = b"..mark..";
            pipe.look(&text[..cut]);
            pipe.look(&text[cut..]);
            assert!(passed.take().is_ok(), "cut at {cut}");
        }
        let (mut pipe, passed) = Watched::new((), "mark");
        b"m.a.r.k.mar.k".iter().for_each(|byte| pipe.look(&[*byte]));
        assert!(passed.take().is_err());
        b"mark".iter().for_each(|byte| pipe.look(&[*byte]));
        assert!(passed.take().is_ok());
    }
}
