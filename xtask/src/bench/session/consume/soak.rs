//! A long session of ours: a gigabyte of deltas, a line of 32 MiB, a line over the limit, and a word after it.

use std::path::Path;

use anyhow::Result;
use claude_driver::{Claude, Event, Session};
use futures_util::StreamExt;

use super::super::super::memory::Memory;
use super::super::{HUGE_LINE, LAST_WORDS, LINE_LIMIT};
use super::Soak;
use crate::clock;

/// Plays the four turns of the story.
pub(super) async fn measure(agent: &Path) -> Result<Soak> {
    let session = Claude::new().program(agent).line_limit(LINE_LIMIT).start().await?;
    let before = Memory::of("self")?;
    let start = clock::now();
    let flood = Turned::read(&session).await?;
    let seconds = start.elapsed().as_secs_f64();
    let after = Memory::of("self")?;
    let huge = Turned::read(&session).await?;
    let overlong = Turned::read(&session).await?;
    let last = session.send("and now?").await?;
    Ok(Soak {
        bytes: flood.bytes,
        seconds,
        growth_bytes: after.peak_bytes.saturating_sub(before.resident_bytes),
        growth_with_huge_line_bytes: Memory::of("self")?.peak_bytes.saturating_sub(before.resident_bytes),
        huge_line_passes: huge.longest > HUGE_LINE as u64 && huge.too_long == 0,
        overlong_line_is_skipped: overlong.longest < LINE_LIMIT as u64 && overlong.too_long > LINE_LIMIT as u64,
        goes_on: last.text == LAST_WORDS,
    })
}

/// What a turn was made of.
#[derive(Default)]
struct Turned {
    bytes: u64,
    longest: u64,
    /// The bytes of lines that were passed over.
    too_long: u64,
}

impl Turned {
    async fn read(session: &Session) -> Result<Self> {
        let mut turned = Self::default();
        let mut turn = session.send("go");
        while let Some(event) = turn.next().await {
            match event? {
                Event::Message(message) => {
                    let length = message.line.bytes().len() as u64;
                    turned.bytes += length + 1;
                    turned.longest = turned.longest.max(length);
                }
                Event::TooLong { bytes } => turned.too_long += bytes,
                _ => {}
            }
        }
        Ok(turned)
    }
}
