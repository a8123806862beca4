//! `cargo xtask flakes`: a stage in, every test that failed in any of several runs of it out.
//!
//! A test that fails once in a hundred runs costs a good change its landing, and nearly every one so far was a real fault. Runs
//! are written down, so that a long search can be interrupted and goes on where it was; a change of the tree starts over.

mod history;
mod load;
mod outcomes;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::scope::Scope;
use crate::{Outcome, clock, process, talk, test, web};
use history::{History, Run};
use load::Load;

#[derive(Args)]
pub(crate) struct FlakesArgs {
    /// The tests to run
    #[arg(long, value_enum, default_value_t = Stage::Tests)]
    stage: Stage,
    /// How many runs there are to be in all, those of an interrupted search included
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Keep two cores busy meanwhile
    #[arg(long)]
    load: bool,
    /// Run everything that `cargo xtask test --all` runs in this stage
    #[arg(long)]
    all: bool,
    /// Forget the runs so far
    #[arg(long)]
    fresh: bool,
}

/// A stage of `cargo xtask test` that is made of single tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// Unit and integration tests
    Tests,
    /// The page in a real browser
    Browser,
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Browser => "browser",
        }
    }

    /// The command of one run, and the file in which it lists what became of each test, if it writes one.
    fn command(self, scope: Scope, folder: &Path) -> Result<(Command, Option<PathBuf>)> {
        match self {
            Self::Tests => Ok((test::nextest(scope), None)),
            Self::Browser => {
                let report = folder.join("report.json");
                let _ = fs::remove_file(&report);
                let mut command = web::browser_tests(scope)?;
                command.args(["--", "--reporter=default", "--reporter=json", "--outputFile.json"]).arg(&report);
                Ok((command, Some(report)))
            }
        }
    }
}

/// Runs the stage until there are enough runs, and lists what failed.
pub(crate) fn run(args: &FlakesArgs) -> Result<Outcome> {
    if args.stage == Stage::Tests && !process::works(process::cargo().args(["nextest", "--version"])) {
        bail!("cargo-nextest is missing\nhint: cargo install cargo-nextest --locked");
    }
    let folder = folder(args);
    fs::create_dir_all(&folder).with_context(|| format!("could not make `{}`", folder.display()))?;
    let file = folder.join("runs.json");
    let mut history = if args.fresh { History::new()? } else { History::open(&file)? };
    if !history.runs.is_empty() {
        talk::say(&format!(
            "flakes: {} runs of this tree are done already (`--fresh` forgets them)",
            history.runs.len()
        ));
    }
    for number in history.runs.len() + 1..=args.runs as usize {
        let under = if args.load { " under load" } else { "" };
        talk::say(&format!("flakes: {}{under}: run {number} of {}", args.stage.name(), args.runs));
        let log = folder.join(format!("run-{number}.log"));
        let one = one(args, &folder, &log)?;
        talk::say(&format!("flakes: {}, {:.1} min, {}", one.shown(), one.seconds / 60.0, log.display()));
        history.runs.push(one);
        history.write(&file)?;
    }
    let failures = history.failures();
    for (test, count) in &failures {
        talk::data(&format!("{count} of {} failed: {test}", history.runs.len()));
    }
    talk::say(&format!("flakes: {} runs, {} tests that ever failed", history.runs.len(), failures.len()));
    Ok(if failures.is_empty() { Outcome::Passed } else { Outcome::Failed })
}

/// One run, whose output goes to `log`.
fn one(args: &FlakesArgs, folder: &Path, log: &Path) -> Result<Run> {
    let (mut command, report) = args.stage.command(Scope::new(args.all), folder)?;
    let output = File::create(log).with_context(|| format!("could not write `{}`", log.display()))?;
    command.stdout(output.try_clone()?).stderr(output);
    let load = args.load.then(Load::start);
    let (succeeded, took) = clock::timed(|| process::succeeds(&mut command));
    drop(load);
    let said = String::from_utf8_lossy(&fs::read(log)?).into_owned();
    let failed = match report {
        None => outcomes::of_nextest(&said),
        Some(report) => outcomes::of_vitest(&fs::read_to_string(report).unwrap_or_default()),
    };
    // A build that broke is no flaky test.
    if !succeeded? && failed.is_empty() {
        bail!("the run failed, but no test did\nhint: its output is in `{}`", log.display());
    }
    Ok(Run { failed, seconds: took.as_secs_f64() })
}

/// Where the runs of this kind are written down.
fn folder(args: &FlakesArgs) -> PathBuf {
    let mut name = args.stage.name().to_owned();
    for (is_set, part) in [(args.load, "-load"), (args.all, "-all")] {
        name.push_str(if is_set { part } else { "" });
    }
    process::target_dir().join("flakes").join(name)
}
