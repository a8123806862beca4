//! The keepers group: many keepers with streaming agents at once, all followed into feeds. Told are whether all turns
//! complete, what a keeper takes in memory, and how long a line is on its way from the agent's pipe to the feed: in a flood,
//! which keeps the machine busy, and at a pace at which it has time ([`paced`]).

mod paced;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use claude_protocol::{Prompt, ToCli, encode};
use insights::Source;
use journal::Folder;
use keeper::{Client, KeeperCommand, Launch, Stop, Written, now, socket_path};
use lab::agent::{SCRIPT_VARIABLE, Story, Turn};
use live::Pipeline;
use serde::Serialize;

use super::{BenchArgs, Check, folder, install, table, write_figures};
use crate::{Outcome, clock, talk};
use paced::Paced;

/// How many at once.
const KEEPERS: usize = 50;
/// What each agent streams.
const DELTAS: u64 = 2_000;
/// What a keeper may take.
const KEEPER_BYTES: u64 = 6_000_000;

/// How the agents are started.
const FLAGS: [&str; 6] =
    ["--output-format", "stream-json", "--input-format", "stream-json", "--verbose", "--include-partial-messages"];

/// What became of it.
#[derive(Serialize)]
struct Report {
    keepers: usize,
    deltas: u64,
    records: u64,
    seconds: f64,
    /// Memory that is a keeper's own, while its agent streams.
    median_keeper_bytes: u64,
    most_keeper_bytes: u64,
    /// From the record's time, which counts milliseconds, to the feed.
    median_delay_ms: i64,
    p99_delay_ms: i64,
    most_delay_ms: i64,
    paced: Paced,
    checks: Vec<Check>,
}

/// One session, followed to its end.
struct Followed {
    records: u64,
    has_result: bool,
    whole: bool,
    delays_ms: Vec<i64>,
    keeper_bytes: u64,
}

/// Measures, prints, writes and judges.
pub(super) fn run(args: &BenchArgs) -> Result<Outcome> {
    let place = folder()?.join("keepers");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let report = runtime.block_on(measure(&place))?;
    talk::data(&report.shown());
    write_figures(args, "keepers.json", &report)?;
    let passes = report.checks.iter().all(|check| check.passes);
    fs::remove_dir_all(&place)?;
    Ok(if passes { Outcome::Passed } else { Outcome::Failed })
}

async fn measure(place: &Path) -> Result<Report> {
    let agent = lab::agent::program().await.context("could not build the scripted agent")?;
    let story = Story::new().turn(Turn::new().floods(DELTAS));
    let story = install::written(place, "story.json", &serde_json::to_string(&story)?)?;
    talk::say(&format!("{KEEPERS} keepers"));
    let mut clients = Vec::new();
    for number in 0..KEEPERS {
        clients.push(start(place, number, &agent, &story).await?);
    }
    let begun = clock::now();
    let following: Vec<_> = clients.into_iter().map(|client| tokio::spawn(follow(client))).collect();
    let mut followed = Vec::new();
    for task in following {
        followed.push(task.await??);
    }
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Report::new(&followed, seconds, paced::measure(&place.join("paced"), &agent).await?))
}

/// A keeper with its agent, and a client of it.
struct Started {
    id: String,
    client: Client,
    keeper: u32,
    records: keeper::Records,
}

async fn start(place: &Path, number: usize, agent: &Path, story: &Path) -> Result<Started> {
    let folder = Folder::new(place.join("sessions").join(number.to_string()));
    folder.make()?;
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let launch = Launch {
        program: text(agent),
        argv: FLAGS.map(str::to_owned).to_vec(),
        cwd: text(place),
        environment: vec![(SCRIPT_VARIABLE.to_owned(), Some(text(story)))],
        socket: socket_path(&folder)?,
        ..Launch::default()
    };
    KeeperCommand::of_this_program()?.start(&folder, &launch).await?;
    let (client, greeting, records) = Client::attach(&launch.socket, 0).await?;
    Ok(Started { id: folder.id(), client, keeper: greeting.pid, records })
}

/// Plays the turn, and follows all of it into a feed.
async fn follow(started: Started) -> Result<Followed> {
    let Started { id, client, keeper, mut records } = started;
    let prompt = encode(&ToCli::from(Prompt::text("go")));
    let written = client.write(Some("m1"), None, &prompt).await?;
    if !matches!(written, Written::Now { .. }) {
        bail!("the prompt was not written: {written:?}");
    }
    let mut pipeline = Pipeline::new(&id);
    let mut followed = Followed { records: 0, has_result: false, whole: true, delays_ms: Vec::new(), keeper_bytes: 0 };
    while let Some(record) = records.next().await {
        followed.records += 1;
        followed.whole &= record.seq == followed.records;
        let (at, stdout) = (record.at, record.source == Source::Stdout);
        let result = stdout && memchr::memmem::find(record.line.bytes(), br#""type":"result""#).is_some();
        pipeline.take(record);
        if stdout {
            followed.delays_ms.push(now().0 - at.0);
        }
        if result {
            followed.has_result = true;
            followed.keeper_bytes = own_bytes(keeper)?;
            client.stop(Stop::Close).await?;
        }
    }
    Ok(followed)
}

/// What a process has for itself alone.
fn own_bytes(process: u32) -> Result<u64> {
    let path = PathBuf::from(format!("/proc/{process}/status"));
    let status = fs::read_to_string(&path).with_context(|| format!("could not read `{}`", path.display()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    Ok(1024 * kilobytes.context("the kernel does not tell the memory")?)
}

impl Report {
    fn new(followed: &[Followed], seconds: f64, paced: Paced) -> Report {
        let mut delays: Vec<i64> = followed.iter().flat_map(|one| one.delays_ms.iter().copied()).collect();
        delays.sort_unstable();
        let mut memory: Vec<u64> = followed.iter().map(|one| one.keeper_bytes).collect();
        memory.sort_unstable();
        let delay = |share: usize| delays.get((delays.len() * share / 100).min(delays.len().saturating_sub(1)));
        let median_keeper_bytes = memory.get(memory.len() / 2).copied().unwrap_or_default();
        let complete = followed.iter().filter(|one| one.has_result && one.whole).count();
        let checks = vec![
            Check {
                what: format!("{complete} of {KEEPERS} turns complete, without a gap"),
                passes: complete == KEEPERS,
            },
            paced.check(),
            Check {
                what: format!("a keeper takes {} MB, at most 6", table::megabytes(median_keeper_bytes)),
                passes: median_keeper_bytes <= KEEPER_BYTES,
            },
        ];
        Report {
            keepers: followed.len(),
            deltas: DELTAS,
            records: followed.iter().map(|one| one.records).sum(),
            seconds,
            median_keeper_bytes,
            most_keeper_bytes: memory.last().copied().unwrap_or_default(),
            median_delay_ms: delay(50).copied().unwrap_or_default(),
            p99_delay_ms: delay(99).copied().unwrap_or_default(),
            most_delay_ms: delays.last().copied().unwrap_or_default(),
            paced,
            checks,
        }
    }

    fn shown(&self) -> String {
        let row = |name: &str, figure: String| vec![name.to_owned(), figure];
        let rows = [
            row("keepers", self.keepers.to_string()),
            row("records", table::thousands(self.records as f64)),
            row("records/s", table::thousands(self.records as f64 / self.seconds)),
            row("keeper, median MB", table::megabytes(self.median_keeper_bytes)),
            row("keeper, most MB", table::megabytes(self.most_keeper_bytes)),
            row("line → feed, median ms", self.median_delay_ms.to_string()),
            row("line → feed, p99 ms", self.p99_delay_ms.to_string()),
            row("line → feed, most ms", self.most_delay_ms.to_string()),
        ];
        let checks: Vec<String> = self.checks.iter().map(Check::shown).collect();
        let flood = table::layout(&["many at once", "figure"], &rows);
        format!("{flood}\n\n{}\n\n{}", self.paced.shown(), checks.join("\n"))
    }
}
