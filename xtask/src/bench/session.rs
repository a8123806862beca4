//! The session group: one turn of many deltas through four consumers, interrupts while deltas pour in, and a gigabyte
//! through one session. The producer is always the same: the lab's scripted agent, built for release.
//!
//! Each consumer is a process of its own, started anew for each round, and waits at its end until its memory was read.
//! Its clock runs from the prompt to the result, so that nobody's start counts.

mod consume;
mod consumer;
mod report;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use lab::agent::{Flood, Step, Story, Turn};
use serde::{Deserialize, Serialize};

pub(crate) use consume::{ConsumeArgs, consume};

use super::{BenchArgs, folder, install, write_figures};
use crate::{Outcome, process, talk};
use report::{ConsumerFacts, Report};

const OURS: &str = "ours";
const BARE: &str = "bare loop";
const TYPESCRIPT: &str = "TypeScript SDK";
const PYTHON: &str = "Python SDK";

const PYTHON_CONSUMER: &str = include_str!("peers/session.py");
const TYPESCRIPT_CONSUMER: &str = include_str!("peers/session.mjs");

/// Each delta has a text of ten digits and a blank.
const DELTA_TEXT_BYTES: u64 = 11;

/// How many turns are interrupted.
const INTERRUPTS: usize = 50;
/// More deltas than anyone waits for.
const ENDLESS: u64 = 1_000_000_000;

/// The soak: so many deltas in lines of so many bytes, then a line that passes and one that does not.
const SOAK_DELTAS: u64 = 1_000_000;
const SOAK_LINE_BYTES: usize = 1_000;
const HUGE_LINE: usize = 32 << 20;
const LINE_LIMIT: usize = 64 << 20;
const LAST_WORDS: &str = "Still here.";

/// What a consumer saw of the turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    version: Option<String>,
    /// All lines; told by the one who looks into none.
    lines: Option<u64>,
    deltas: u64,
    text_bytes: u64,
    seconds: f64,
}

/// How long interrupts took, in seconds, one figure each.
#[derive(Serialize, Deserialize)]
struct Interrupts {
    /// How many deltas were read meanwhile.
    deltas: u64,
    /// From the call to the bytes in the pipe.
    to_stdin: Vec<f64>,
    /// From the bytes of the reply to the result of the call.
    to_future: Vec<f64>,
    /// From the call to its result; most of it is the agent's.
    whole: Vec<f64>,
}

/// What became of a long session.
#[derive(Serialize, Deserialize)]
struct Soak {
    bytes: u64,
    seconds: f64,
    /// From the handshake to the peak during the gigabyte.
    growth_bytes: u64,
    /// The same with the huge line, which has to be in memory as a whole.
    growth_with_huge_line_bytes: u64,
    huge_line_passes: bool,
    overlong_line_is_skipped: bool,
    goes_on: bool,
}

/// Someone who reads the turn; out of the race once it could not be installed or failed.
struct Runner {
    name: &'static str,
    command: Option<Command>,
    problem: Option<String>,
    version: Option<String>,
    rounds: Vec<Round>,
}

/// One turn of a consumer.
#[derive(Clone, Copy)]
struct Round {
    seconds: f64,
    peak_bytes: u64,
}

/// The files of the stories.
struct Stories {
    turn: PathBuf,
    /// The same turn without its deltas.
    empty: PathBuf,
    interrupts: PathBuf,
    soak: PathBuf,
}

/// Measures, prints, writes and judges.
pub(super) fn run(args: &BenchArgs) -> Result<Outcome> {
    let folder = folder()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let agent = runtime.block_on(lab::agent::program()).context("could not build the scripted agent")?;
    let stories = Stories::write(&folder, args.deltas)?;
    let (empty, _) = consumer::run::<Seen>(&mut consumer::own("bare", &agent)?, &stories.empty)?;
    let other_lines = empty.lines.context("the bare loop did not count its lines")?;
    let mut runners = [
        Runner::new(OURS, consumer::own("ours", &agent)),
        Runner::new(BARE, consumer::own("bare", &agent)),
        Runner::new(TYPESCRIPT, typescript(&folder, &agent)),
        Runner::new(PYTHON, python(&folder, &agent)),
    ];
    for round in 1..=args.rounds {
        talk::say(&format!("round {round} of {}", args.rounds));
        for runner in &mut runners {
            runner.measure(&stories.turn, args.deltas, other_lines);
        }
    }
    talk::say("interrupts");
    let (interrupts, _) = consumer::run::<Interrupts>(&mut consumer::own("interrupts", &agent)?, &stories.interrupts)?;
    talk::say("a gigabyte");
    let (soak, _) = consumer::run::<Soak>(&mut consumer::own("soak", &agent)?, &stories.soak)?;

    let report = Report::new(args, &runners, interrupts, soak);
    talk::data(&report.shown());
    write_figures(args, "session.json", &report)?;
    Ok(if report.passes() { Outcome::Passed } else { Outcome::Failed })
}

impl Stories {
    fn write(folder: &Path, deltas: u64) -> Result<Self> {
        let write = |name: &str, story: &Story| install::written(folder, name, &serde_json::to_string(story)?);
        let endless = |deltas, line_bytes| Turn::new().then(Step::Flood(Flood { deltas, line_bytes, endless: true }));
        let interrupts = (0..INTERRUPTS).fold(Story::new(), |story, _| story.turn(endless(ENDLESS, 0)));
        let soak = Story::new()
            .turn(endless(SOAK_DELTAS, SOAK_LINE_BYTES))
            .turn(Turn::new().writes_huge_line(HUGE_LINE))
            .turn(Turn::new().writes_huge_line(LINE_LIMIT))
            .says(LAST_WORDS);
        Ok(Self {
            turn: write("turn.json", &Story::new().turn(Turn::new().floods(deltas)))?,
            empty: write("empty.json", &Story::new().turn(Turn::new().floods(0)))?,
            interrupts: write("interrupts.json", &interrupts)?,
            soak: write("soak.json", &soak)?,
        })
    }
}

fn python(folder: &Path, agent: &Path) -> Result<Command> {
    let python = install::python(folder)?;
    let mut command = process::command(python);
    command.arg(install::written(folder, "session.py", PYTHON_CONSUMER)?).arg(agent);
    Ok(command)
}

fn typescript(folder: &Path, agent: &Path) -> Result<Command> {
    let folder = install::typescript(folder)?;
    let mut command = process::command("node");
    let script = install::written(&folder, "session.mjs", TYPESCRIPT_CONSUMER)?;
    command.arg(script).arg(agent).arg(install::TYPESCRIPT_SDK_VERSION);
    Ok(command)
}

impl Runner {
    fn new(name: &'static str, command: Result<Command>) -> Self {
        let mut runner = Self { name, command: None, problem: None, version: None, rounds: Vec::new() };
        match command {
            Ok(command) => runner.command = Some(command),
            Err(error) => runner.give_up(&error),
        }
        runner
    }

    fn measure(&mut self, story: &Path, deltas: u64, other_lines: u64) {
        let Some(command) = &mut self.command else { return };
        let round = consumer::run::<Seen>(command, story).and_then(|(seen, memory)| {
            seen.check(deltas, other_lines)?;
            self.version = seen.version;
            Ok(Round { seconds: seen.seconds, peak_bytes: memory.peak_bytes })
        });
        match round {
            Ok(round) => self.rounds.push(round),
            Err(error) => self.give_up(&error),
        }
    }

    fn give_up(&mut self, error: &anyhow::Error) {
        let problem = format!("{error:#}");
        talk::say(&format!("error: {} cannot take part: {problem}", self.name));
        self.command = None;
        self.problem = Some(problem);
    }

    fn facts(&self) -> ConsumerFacts {
        ConsumerFacts { name: self.name, version: self.version.clone(), problem: self.problem.clone() }
    }
}

impl Seen {
    /// A fast consumer that misses something is not fast.
    fn check(&self, deltas: u64, other_lines: u64) -> Result<()> {
        let (seen, text_bytes) = match self.lines {
            Some(lines) => (lines.saturating_sub(other_lines), deltas * DELTA_TEXT_BYTES),
            None => (self.deltas, self.text_bytes),
        };
        if seen != deltas || text_bytes != deltas * DELTA_TEXT_BYTES {
            bail!("it saw {seen} of {deltas} deltas, with {text_bytes} bytes of text");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_misses_a_delta_is_out() {
        let seen = |lines, deltas, text_bytes| Seen { version: None, lines, deltas, text_bytes, seconds: 1.0 };
        assert!(seen(None, 100, 1_100).check(100, 9).is_ok());
        assert!(seen(None, 99, 1_089).check(100, 9).is_err());
        assert!(seen(None, 100, 1_099).check(100, 9).is_err());
        assert!(seen(Some(109), 0, 0).check(100, 9).is_ok());
        assert!(seen(Some(108), 0, 0).check(100, 9).is_err());
    }
}
