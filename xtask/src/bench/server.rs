//! The server group: the real server with many sessions, each with a keeper and an agent that streams the time, and with
//! watchers on WebSockets. Told are how long a line is on its way from the agent's pipe to a watcher, beside a bare relay of
//! the same lines in the same run; what it takes in memory and processor time; and how fast it starts.

mod relay;
mod report;
mod running;
mod watch;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lab::agent::{Story, Turn};

use super::{BenchArgs, folder, install, write_figures};
use crate::{Outcome, process, talk};

pub(crate) use relay::{RelayArgs, relay};

use report::Report;
use running::Running;
use watch::Watched;

/// What an agent streams: words that say when they were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pace {
    ticks: u64,
    every_ms: u64,
}

impl Pace {
    /// The story of such an agent, in a file.
    fn story(self, place: &Path) -> Result<PathBuf> {
        fs::create_dir_all(place)?;
        let turn = match self.every_ms {
            0 => Turn::new().floods(self.ticks),
            every_ms => Turn::new().paces(self.ticks, every_ms),
        };
        install::written(place, "story.json", &serde_json::to_string(&Story::new().turn(turn))?)
    }
}

/// How many sessions stream while the delay is measured.
const BUSY: usize = 20;
/// What each of them streams: for ten seconds, as fast as a model writes.
const BUSY_PACE: Pace = Pace { ticks: 500, every_ms: 20 };

/// How many sessions stream under load, and how many watch.
const MANY: usize = 200;
const WATCHERS: usize = 20;
const MANY_PACE: Pace = Pace { ticks: 200, every_ms: 50 };

/// Sessions with long states, for their memory.
const LONG: usize = 10;
const LONG_PACE: Pace = Pace { ticks: 10_000, every_ms: 0 };

/// Sessions on the disk, for the start.
const OLD: usize = 1_000;
const STARTS: usize = 7;

/// Measures, prints, writes and judges.
pub(super) fn run(args: &BenchArgs) -> Result<Outcome> {
    talk::say("building the server for release");
    let mut cargo = process::cargo();
    if !process::succeeds(cargo.args(["build", "--quiet", "--release", "--package", "quarterdeck"]))? {
        anyhow::bail!("the server could not be built");
    }
    let binary = process::target_dir().join("release").join("quarterdeck");
    let place = folder()?.join("server");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let report = runtime.block_on(measure(&binary, &place))?;
    talk::data(&report.shown());
    write_figures(args, "server.json", &report)?;
    let _ = fs::remove_dir_all(&place);
    Ok(if report.passes() { Outcome::Passed } else { Outcome::Failed })
}

async fn measure(binary: &Path, place: &Path) -> Result<Report> {
    let agent = lab::agent::program().await.context("could not build the scripted agent")?;
    let binary_bytes = fs::metadata(binary).context("there is no server")?.len();

    talk::say(&format!("a bare relay of {BUSY} agents"));
    let bare = relay::measure(&agent, &BUSY_PACE.story(&place.join("bare"))?, BUSY, BUSY).await?;
    talk::say(&format!("the server with {BUSY} sessions"));
    let busy_place = place.join("busy");
    let mut server = Running::start(binary, &agent, &busy_place, BUSY_PACE).await?;
    let idle = server.memory()?;
    let busy = server.stream(BUSY, BUSY).await?;
    server.stop().await?;

    talk::say(&format!("a bare relay of {MANY} agents"));
    let bare_many = relay::measure(&agent, &MANY_PACE.story(&place.join("bare"))?, MANY, WATCHERS).await?;
    talk::say(&format!("the server with {MANY} sessions and {WATCHERS} watchers"));
    let mut server = Running::start(binary, &agent, &place.join("many"), MANY_PACE).await?;
    let many = server.stream(MANY, WATCHERS).await?;
    server.stop().await?;

    talk::say(&format!("{LONG} sessions of {} events", LONG_PACE.ticks));
    let mut server = Running::start(binary, &agent, &place.join("long"), LONG_PACE).await?;
    let before = server.memory()?;
    let long = server.stream(LONG, 1).await?;
    let per_session_bytes = long.memory_bytes.saturating_sub(before) / LONG as u64;
    server.stop().await?;

    talk::say(&format!("starts with {OLD} sessions on the disk"));
    let (empty, full) = running::starts(binary, &agent, place, &busy_place).await?;
    Ok(Report::new(report::Figures { binary_bytes, idle, bare, busy, bare_many, many, per_session_bytes, empty, full }))
}

/// What came of a stream: what the watchers saw, and what it took.
#[derive(Debug)]
struct Streamed {
    watched: Vec<Watched>,
    seconds: f64,
    /// Of the one process in the middle.
    processor_seconds: f64,
    memory_bytes: u64,
    /// How many agents said that their turn was over.
    complete: usize,
}

impl Streamed {
    /// All delays in microseconds, the shortest first.
    fn delays(&self) -> Vec<u64> {
        let mut delays: Vec<u64> = self.watched.iter().flat_map(|one| one.delays.iter().copied()).collect();
        delays.sort_unstable();
        delays
    }
}
