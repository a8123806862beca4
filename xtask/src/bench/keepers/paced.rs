//! The same keepers with agents that write at a pace, and beside them, in the same run, agents whose pipes are read by a bare
//! loop. Each line says when it was written, so both sides tell how long it was on its way.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use claude_protocol::{Prompt, ToCli, encode};
use keeper::Stop;
use lab::agent::{SCRIPT_VARIABLE, Story, Turn, moment_us};
use live::Pipeline;
use serde::Serialize;

use super::{FLAGS, KEEPERS, Started, start};
use crate::bench::{Check, install, table};
use crate::{process, talk};

/// How many lines each agent writes, and how long after each other: fifty a second.
const LINES: u64 = 250;
const EVERY_MS: u64 = 20;
/// How many pipes are read by a bare loop.
const BARE: usize = 10;

/// How long lines were on their way.
#[derive(Serialize)]
pub(super) struct Paced {
    lines_per_second_each: u64,
    /// From the agent's write to the state of the feed, through a keeper, its log and its socket.
    keepers: Delays,
    /// From the agent's write to whoever reads its pipe.
    bare_pipes: Delays,
    complete: bool,
}

#[derive(Serialize)]
struct Delays {
    lines: usize,
    median_us: u64,
    p99_us: u64,
    most_us: u64,
}

/// Lets all agents write at once.
pub(super) async fn measure(place: &Path, agent: &Path) -> Result<Paced> {
    fs::create_dir_all(place)?;
    let story = Story::new().turn(Turn::new().paces(LINES, EVERY_MS));
    let story = install::written(place, "story.json", &serde_json::to_string(&story)?)?;
    talk::say(&format!("{KEEPERS} keepers and {BARE} bare pipes, {} lines a second each", 1000 / EVERY_MS));
    let mut clients = Vec::new();
    for number in 0..KEEPERS {
        clients.push(start(place, number, agent, &story).await?);
    }
    let bare = (0..BARE).map(|_| {
        let (agent, story) = (agent.to_owned(), story.clone());
        tokio::task::spawn_blocking(move || read_bare(&agent, &story))
    });
    let bare: Vec<_> = bare.collect();
    let followed: Vec<_> = clients.into_iter().map(|client| tokio::spawn(follow(client))).collect();
    let (mut through_keepers, mut through_pipes) = (Vec::new(), Vec::new());
    for task in followed {
        through_keepers.extend(task.await??);
    }
    for task in bare {
        through_pipes.extend(task.await??);
    }
    let lines = usize::try_from(LINES)?;
    let complete = through_keepers.len() == KEEPERS * lines && through_pipes.len() == BARE * lines;
    Ok(Paced {
        lines_per_second_each: 1000 / EVERY_MS,
        keepers: Delays::of(through_keepers),
        bare_pipes: Delays::of(through_pipes),
        complete,
    })
}

/// Plays the turn through a keeper into a feed, and gives how long each line took.
async fn follow(started: Started) -> Result<Vec<u64>> {
    let Started { id, client, mut records, .. } = started;
    client.write(Some("m1"), None, &encode(&ToCli::from(Prompt::text("go")))).await?;
    let mut pipeline = Pipeline::new(&id);
    let mut delays = Vec::new();
    while let Some(record) = records.next().await {
        let line = record.line.clone();
        pipeline.take(record);
        delays.extend(since_written(line.bytes()));
        if is_result(line.bytes()) {
            client.stop(Stop::Close).await?;
        }
    }
    Ok(delays)
}

/// The same through a loop that reads the agent's pipe and does nothing else.
fn read_bare(agent: &Path, story: &Path) -> Result<Vec<u64>> {
    let mut command = process::command(agent);
    command.args(FLAGS).env(SCRIPT_VARIABLE, story).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("could not start {}", process::shown(&command)))?;
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("the agent has no pipes");
    };
    writeln!(stdin, "{}", encode(&ToCli::from(Prompt::text("go"))))?;
    let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
    let (mut line, mut delays) = (Vec::new(), Vec::new());
    while !is_result(&line) {
        line.clear();
        if stdout.read_until(b'\n', &mut line)? == 0 {
            bail!("the agent ended before its turn did");
        }
        delays.extend(since_written(&line));
    }
    drop(stdin);
    child.wait()?;
    Ok(delays)
}

fn is_result(line: &[u8]) -> bool {
    line.starts_with(br#"{"type":"result""#)
}

/// How long ago a delta was written, by its own words.
fn since_written(line: &[u8]) -> Option<u64> {
    const MARK: &[u8] = br#""type":"text_delta","text":""#;
    let now = moment_us();
    let text = &line[memchr::memmem::find(line, MARK)? + MARK.len()..];
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let written: u64 = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    Some(now.saturating_sub(written))
}

impl Delays {
    fn of(mut delays_us: Vec<u64>) -> Delays {
        delays_us.sort_unstable();
        let at = |share: usize| delays_us.get((delays_us.len() * share / 100).min(delays_us.len().saturating_sub(1)));
        Delays {
            lines: delays_us.len(),
            median_us: at(50).copied().unwrap_or_default(),
            p99_us: at(99).copied().unwrap_or_default(),
            most_us: at(100).copied().unwrap_or_default(),
        }
    }

    fn row(&self, name: &str) -> Vec<String> {
        let milliseconds = |us: u64| format!("{:.2}", us as f64 / 1000.0);
        let figures = [self.median_us, self.p99_us, self.most_us].map(milliseconds);
        [name.to_owned(), table::thousands(self.lines as f64)].into_iter().chain(figures).collect()
    }
}

impl Paced {
    pub(super) fn check(&self) -> Check {
        Check { what: "all paced lines came, through keepers and pipes".to_owned(), passes: self.complete }
    }

    pub(super) fn shown(&self) -> String {
        let head = format!("{} lines/s each", self.lines_per_second_each);
        let rows = [self.keepers.row("line → keeper → feed"), self.bare_pipes.row("line → bare pipe")];
        table::layout(&[&head, "lines", "median ms", "p99 ms", "most ms"], &rows)
    }
}
