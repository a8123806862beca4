//! The server group: the real server with many sessions, each with a keeper and an agent that streams the time, and with
//! watchers on WebSockets. Told are how long a line is on its way from the agent's pipe to a watcher, beside a bare relay of
//! the same lines in the same run; what it takes in memory and processor time; and how fast it starts.

mod cores;
mod long;
mod relay;
mod report;
mod running;
mod watch;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lab::agent::{Story, Turn};

use super::{BenchArgs, folder, install, write_figures};
use crate::{Outcome, talk};

pub(crate) use relay::{RelayArgs, relay};

use cores::Pinned;
use report::{Figures, Report};
use running::Running;
use watch::Watched;

/// What an agent streams: words that say when they were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pace {
    ticks: u64,
    every_ms: u64,
}

impl Pace {
    /// The story of such an agent.
    fn story(self) -> Story {
        Story::new().turn(Turn::new().paces(self.ticks, self.every_ms))
    }
}

/// A story in a file, for agents to follow.
fn told(place: &Path, story: &Story) -> Result<PathBuf> {
    fs::create_dir_all(place)?;
    install::written(place, "story.json", &serde_json::to_string(story)?)
}

/// How many sessions stream while the delay is measured.
const BUSY: usize = 20;
/// What each of them streams: for five seconds, as fast as a model writes.
const BUSY_PACE: Pace = Pace { ticks: 250, every_ms: 20 };

/// How many sessions stream under load, and how many watch.
const MANY: usize = 200;
const WATCHERS: usize = 20;
/// How many want everything of all sessions and read nothing.
const STUCK: usize = 2;
const MANY_PACE: Pace = Pace { ticks: 200, every_ms: 50 };

/// Long sessions, for their memory.
const LONG: usize = 10;

/// Sessions on the disk, for the start.
const OLD: usize = 1_000;

/// How many rounds there are at most of what takes long and is the same every time.
const FEW: u32 = 3;

/// Measures, prints, writes and judges.
pub(super) fn run(args: &BenchArgs) -> Result<Outcome> {
    let binary = args.profile.build(&["quarterdeck"])?.join("quarterdeck");
    let place = folder()?.join("server");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place)?;
    // Whoever is started from here on runs there as well: the relay, the server, keepers, agents and watchers.
    let pinned = Pinned::to_two_cores();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let report = runtime.block_on(measure(&binary, &place, args, pinned.cores()))?;
    drop(pinned);
    talk::data(&report.shown());
    write_figures(args, "server.json", &report)?;
    let _ = fs::remove_dir_all(&place);
    Ok(if report.passes() { Outcome::Passed } else { Outcome::Failed })
}

/// Measures in rounds: the relay and the server take turns, so that what else the machine does hits both alike.
async fn measure(binary: &Path, place: &Path, args: &BenchArgs, cores: Option<String>) -> Result<Report> {
    let rounds = args.rounds;
    let agent = lab::agent::program().await.context("could not build the scripted agent")?;
    let mut figures = Figures {
        cores,
        binary_bytes: fs::metadata(binary).context("there is no server")?.len(),
        most_binary_bytes: args.profile.most_binary_bytes(),
        ..Figures::default()
    };
    let bare = place.join("bare");
    for round in 1..=rounds {
        talk::say(&format!(
            "round {round} of {rounds}: a bare relay of {BUSY} agents, the server with {BUSY} sessions"
        ));
        let bare = relay::measure(&agent, &told(&bare, &BUSY_PACE.story())?, BUSY, BUSY).await?;
        let mut server = Running::start(binary, &agent, &busy(place, round), &BUSY_PACE.story()).await?;
        figures.idle.push(server.memory()?);
        figures.busy.push(Round { bare, ours: server.stream(BUSY, BUSY, Some(BUSY_PACE.ticks)).await? });
        server.stop().await?;
    }
    let few = rounds.min(FEW);
    for round in 1..=few {
        talk::say(&format!("round {round} of {few}: the same with {MANY}, and {WATCHERS} watchers"));
        let bare = relay::measure(&agent, &told(&bare, &MANY_PACE.story())?, MANY, WATCHERS).await?;
        let mut server =
            Running::start(binary, &agent, &place.join(format!("many-{round}")), &MANY_PACE.story()).await?;
        figures.many.push(Round { bare, ours: server.stream(MANY, WATCHERS, Some(MANY_PACE.ticks)).await? });
        server.stop().await?;
    }
    for round in 1..=few {
        talk::say(&format!("round {round} of {few}: {LONG} sessions of {} events", long::EVENTS));
        let place = place.join(format!("long-{round}"));
        let mut server = Running::start(binary, &agent, &place, &long::story()).await?;
        let before = server.memory()?;
        let long = server.stream(LONG, 1, None).await?;
        long::check(&place)?;
        figures.session_bytes.push(long.middle.memory_bytes.saturating_sub(before) / LONG as u64);
        server.stop().await?;
    }
    talk::say(&format!("starts with {OLD} sessions on the disk"));
    figures.starts = running::starts(binary, &agent, place, &busy(place, rounds), rounds).await?;
    Ok(Report::new(figures))
}

/// Where a server has its data, of one round.
fn busy(place: &Path, round: u32) -> PathBuf {
    place.join(format!("busy-{round}"))
}

/// The two that take turns, in one round.
#[derive(Debug)]
struct Round {
    bare: Streamed,
    ours: Streamed,
}

/// What came of a stream: what the watchers saw, and what it took.
#[derive(Debug)]
struct Streamed {
    watched: Vec<Watched>,
    seconds: f64,
    /// By the one process in the middle.
    middle: Taken,
    /// By the keepers, one for each session, of which the server has none of the pipes; a relay has no such thing.
    keepers: Taken,
    /// How many agents said that their turn was over.
    complete: usize,
}

/// What processes take.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    processor_seconds: f64,
    memory_bytes: u64,
}

impl Taken {
    fn and(self, other: Taken) -> Taken {
        Taken {
            processor_seconds: self.processor_seconds + other.processor_seconds,
            memory_bytes: self.memory_bytes + other.memory_bytes,
        }
    }
}

impl Streamed {
    /// All delays in microseconds, the shortest first.
    fn delays(&self) -> Vec<u64> {
        let mut delays: Vec<u64> = self.watched.iter().flat_map(|one| one.delays.iter().copied()).collect();
        delays.sort_unstable();
        delays
    }
}
