//! The memory of `quarterdeck convert`: the binary over a gigabyte of lines and over single long ones.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread;

use anyhow::{Context, Result, bail};
use lab::corpus;
use serde::Serialize;
use serde_json::json;

use super::super::Check;
use super::super::memory::{Memory, Running};
use super::super::profile::Profile;
use super::super::table::{megabytes, thousands};
use crate::{clock, process, talk};

/// How much is converted, in lines of at most so many bytes, and how much memory that may take.
const STREAM_BYTES: u64 = 1_000_000_000;
const LONGEST_IN_STREAM: usize = 1_000_000;
const STREAM_LIMIT: u64 = 50_000_000;

/// A new part of the stream is made when the one before is written.
const PART_BYTES: usize = 25_000_000;

/// The long line, and how many times of it may be in memory.
const LONG_LINE_BYTES: usize = 64 << 20;
const LONG_LINE_TIMES: f64 = 3.0;

/// A line that the corpus does not have: when its event is out, all lines before it are converted.
const LAST_LINE: &str = r#"{"type":"end_of_the_bench"}"#;
const LAST_EVENT: &[u8] = b"end_of_the_bench";

/// What was measured.
#[derive(Debug, Serialize)]
pub(super) struct Flat {
    stream_bytes: u64,
    stream_seconds: f64,
    stream_peak_bytes: u64,
    long_lines: Vec<LongLine>,
}

/// One long line.
#[derive(Debug, Serialize)]
struct LongLine {
    what: &'static str,
    bytes: u64,
    peak_bytes: u64,
}

/// What one run of the binary came to.
struct Run {
    bytes: u64,
    seconds: f64,
    peak_bytes: u64,
}

/// Builds the binary and measures it.
pub(super) fn measure(profile: Profile, seed: u64) -> Result<Flat> {
    let binary = profile.build(&["quarterdeck"])?.join("quarterdeck");
    talk::say("a gigabyte through `quarterdeck convert`");
    let stream = convert(&binary, |stdin| {
        let mut written = 0;
        for part in 0.. {
            for line in corpus::generate(PART_BYTES, seed + part) {
                if line.text.len() <= LONGEST_IN_STREAM {
                    writeln!(stdin, "{}", line.text)?;
                    written += line.text.len() as u64 + 1;
                }
            }
            if written >= STREAM_BYTES {
                break;
            }
        }
        Ok(written)
    })?;
    let mut long_lines = Vec::new();
    for (what, line) in [("an answer", answer()), ("a tool's result", tool_result()), ("no JSON", no_json())] {
        talk::say(&format!("a line of 64 MiB: {what}"));
        let run = convert(&binary, |stdin| {
            writeln!(stdin, "{line}")?;
            Ok(line.len() as u64)
        })?;
        long_lines.push(LongLine { what, bytes: run.bytes, peak_bytes: run.peak_bytes });
    }
    Ok(Flat {
        stream_bytes: stream.bytes,
        stream_seconds: stream.seconds,
        stream_peak_bytes: stream.peak_bytes,
        long_lines,
    })
}

/// Runs the binary over what `feed` writes, which tells how much that was.
fn convert(binary: &Path, feed: impl FnOnce(&mut dyn Write) -> Result<u64>) -> Result<Run> {
    let mut command = process::command(binary);
    command.arg("convert").stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = command.spawn().with_context(|| format!("could not start {}", process::shown(&command)))?;
    let mut running = Running(child);
    let (Some(mut stdin), Some(mut stdout)) = (running.0.stdin.take(), running.0.stdout.take()) else {
        bail!("{} has no pipes", process::shown(&command));
    };
    let start = clock::now();
    let reader = thread::spawn(move || until_the_last(&mut stdout).map(|()| stdout));
    let bytes = feed(&mut stdin)?;
    writeln!(stdin, "{LAST_LINE}")?;
    let read = reader.join().map_err(|_| anyhow::anyhow!("the reader of the events panicked"))?;
    let stdout = read.context("the last event did not come")?;
    // It waits for more lines now, so its memory is still there to be looked at.
    let memory = Memory::of(&running.0.id().to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    drop((stdin, stdout));
    let status = running.0.wait().context("could not wait for the binary")?;
    if !status.success() {
        bail!("{} failed: {status}", process::shown(&command));
    }
    Ok(Run { bytes, seconds, peak_bytes: memory.peak_bytes })
}

/// Reads events until that of the last line.
fn until_the_last(stdout: &mut impl Read) -> Result<()> {
    let mut buffer = vec![0; 1 << 16];
    let mut kept = 0;
    loop {
        let read = stdout.read(&mut buffer[kept..])?;
        if read == 0 {
            bail!("the binary ended");
        }
        let filled = kept + read;
        if memchr::memmem::find(&buffer[..filled], LAST_EVENT).is_some() {
            return Ok(());
        }
        // The mark may stand across two reads.
        kept = filled.min(LAST_EVENT.len());
        buffer.copy_within(filled - kept..filled, 0);
    }
}

fn answer() -> String {
    let block = json!({"type": "text", "text": words(LONG_LINE_BYTES)});
    json!({"type": "assistant", "message": {"id": "m", "role": "assistant", "content": [block]}, "session_id": "s"})
        .to_string()
}

/// A result stands in its line twice: as the model reads it, and structured.
fn tool_result() -> String {
    let text = words(LONG_LINE_BYTES / 2);
    let block = json!({"type": "tool_result", "tool_use_id": "t", "content": text});
    json!({
        "type": "user", "message": {"role": "user", "content": [block]}, "session_id": "s",
        "tool_use_result": {"stdout": text, "stderr": "", "interrupted": false},
    })
    .to_string()
}

fn no_json() -> String {
    words(LONG_LINE_BYTES)
}

/// Text of so many letters, some of which JSON escapes.
fn words(letters: usize) -> String {
    "a \"line\" of words,\tcaf\u{e9} and the like ".chars().cycle().take(letters).collect()
}

impl Flat {
    pub(super) fn checks(&self) -> Vec<Check> {
        let stream = Check {
            what: format!("`quarterdeck convert` takes less than 50 MB: {} MB", megabytes(self.stream_peak_bytes)),
            passes: self.stream_bytes >= STREAM_BYTES && self.stream_peak_bytes < STREAM_LIMIT,
        };
        let long = self.long_lines.iter().map(|line| Check {
            what: format!("a long line takes at most 3 × its length ({}): {:.2} ×", line.what, line.times()),
            passes: line.times() <= LONG_LINE_TIMES,
        });
        std::iter::once(stream).chain(long).collect()
    }

    pub(super) fn shown(&self) -> String {
        format!(
            "{} MB through `quarterdeck convert` in {:.1} s, all events read: {} MB at its peak",
            thousands(self.stream_bytes as f64 / 1e6),
            self.stream_seconds,
            megabytes(self.stream_peak_bytes)
        )
    }
}

impl LongLine {
    fn times(&self) -> f64 {
        self.peak_bytes as f64 / self.bytes as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_event_is_found_across_two_reads() {
        let text = [b"x".repeat((1 << 16) - 5), LAST_EVENT.to_vec()].concat();
        until_the_last(&mut text.as_slice()).unwrap();
        assert!(until_the_last(&mut &text[..text.len() - 1]).is_err());
    }

    #[test]
    fn memory_that_grows_fails() {
        let flat = |stream_peak_bytes, peak_bytes| Flat {
            stream_bytes: STREAM_BYTES,
            stream_seconds: 9.0,
            stream_peak_bytes,
            long_lines: vec![LongLine { what: "an answer", bytes: 100, peak_bytes }],
        };
        let passes = |flat: Flat| flat.checks().iter().map(|check| check.passes).collect::<Vec<_>>();
        assert_eq!(passes(flat(STREAM_LIMIT - 1, 300)), [true, true]);
        assert_eq!(passes(flat(STREAM_LIMIT, 301)), [false, false]);
    }
}
