//! `cargo xtask bench`: a group of figures in, a table on stdout, a JSON file and a verdict on the bars out.
//!
//! Every figure of a run is measured in that run, our competitors included, and the bars are ratios: absolute figures of
//! two machines cannot be compared. A group is one module here with a `run` of its own.

mod convert;
mod decode;
mod figure;
mod install;
mod keepers;
mod memory;
mod page;
mod peers;
mod profile;
mod rivals;
mod server;
mod session;
mod table;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::{Outcome, process, talk};
use profile::Profile;

pub(crate) use server::{RelayArgs, relay};
pub(crate) use session::{ConsumeArgs, consume};

#[derive(Args)]
pub(crate) struct BenchArgs {
    /// What to measure; everything, if nothing is said
    #[arg(value_enum)]
    group: Option<Group>,
    /// The build that is measured
    #[arg(long, value_enum, default_value_t = Profile::Release)]
    profile: Profile,
    /// decode, convert: the size of the corpus in megabytes
    #[arg(long, value_name = "MB", default_value_t = 110)]
    megabytes: usize,
    /// How often everyone reads the same
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// decode, convert: the seed of the corpus
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// session: the deltas of the turn
    #[arg(long, default_value_t = 200_000)]
    deltas: u64,
    /// Where the figures of one group go as JSON; by default into `bench` in the target folder
    #[arg(long, value_name = "PATH")]
    json: Option<PathBuf>,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Group {
    /// CLI lines into typed messages
    Decode,
    /// CLI lines into events and state, and the memory that it takes
    Convert,
    /// Whole sessions: a turn of many deltas, interrupts, a gigabyte
    Session,
    /// Many keepers with streaming agents at once
    Keepers,
    /// The server with many sessions and watchers: delay, memory, processor, start
    Server,
    /// The page in a browser: long sessions, typing, what is fetched
    Page,
}

/// A promise that is checked: a ratio and the least it may be.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Bar {
    what: String,
    want: f64,
    /// None when it could not be measured, which is not passed either.
    got: Option<Spread>,
    passes: bool,
}

/// A ratio over all rounds. The median is what counts; the rest tells how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Spread {
    least: f64,
    median: f64,
    most: f64,
}

impl Spread {
    /// None of no rounds.
    fn of(ratios: impl Iterator<Item = f64>) -> Option<Self> {
        let mut ratios: Vec<f64> = ratios.collect();
        ratios.sort_by(f64::total_cmp);
        Some(Self { least: *ratios.first()?, median: ratios[ratios.len() / 2], most: *ratios.last()? })
    }
}

/// A promise that is kept or not.
#[derive(Debug, PartialEq, Serialize)]
struct Check {
    what: String,
    passes: bool,
}

impl Check {
    fn shown(&self) -> String {
        format!("{}  {}", if self.passes { "pass" } else { "FAIL" }, self.what)
    }
}

impl Bar {
    fn new(what: String, want: f64, got: Option<Spread>) -> Self {
        Self { what, want, got, passes: got.is_some_and(|got| got.median >= want) }
    }

    fn shown(&self) -> String {
        let verdict = if self.passes { "pass" } else { "FAIL" };
        let got = self.got.map_or_else(
            || "n/a".to_owned(),
            |got| format!("{:.2} ×, rounds from {:.2} to {:.2}", got.median, got.least, got.most),
        );
        format!("{verdict}  {}: {got} (at least {:.1} ×)", self.what, self.want)
    }
}

/// Measures in a build with the chosen profile, whatever build this is: figures of a debug build would say nothing.
pub(crate) fn run(args: &BenchArgs) -> Result<Outcome> {
    if !args.profile.is_ours() {
        return args.profile.hand_over();
    }
    let groups = match args.group {
        Some(group) => vec![group],
        None if args.json.is_some() => anyhow::bail!("`--json` names one file: name one group too"),
        None => Group::value_variants().to_vec(),
    };
    let mut outcome = Outcome::Passed;
    for group in groups {
        talk::data(&format!("profile: {}", args.profile.name()));
        let one = match group {
            Group::Decode => decode::run(args)?,
            Group::Convert => convert::run(args)?,
            Group::Session => session::run(args)?,
            Group::Keepers => keepers::run(args)?,
            Group::Server => server::run(args)?,
            Group::Page => page::run(args)?,
        };
        if one == Outcome::Failed {
            outcome = one;
        }
    }
    Ok(outcome)
}

/// The figures of a group, and the build that they were measured on.
#[derive(Serialize)]
struct Measured<'a, T> {
    profile: &'static str,
    #[serde(flatten)]
    report: &'a T,
}

/// Writes what a group found out where it is wanted.
fn write_figures(args: &BenchArgs, name: &str, report: &impl Serialize) -> Result<()> {
    let path = match &args.json {
        Some(path) => path.clone(),
        None => folder()?.join(name),
    };
    let measured = Measured { profile: args.profile.name(), report };
    std::fs::write(&path, serde_json::to_string_pretty(&measured)?)
        .with_context(|| format!("could not write `{}`", path.display()))?;
    talk::say(&format!("figures: {}", path.display()));
    Ok(())
}

/// The folder for everything a bench leaves behind: environments of peers, corpora, figures.
fn folder() -> Result<PathBuf> {
    let folder = process::target_dir().join("bench");
    std::fs::create_dir_all(&folder).with_context(|| format!("could not make `{}`", folder.display()))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_that_could_not_be_measured_is_missed() {
        let bar = |got| Bar::new("ours / theirs".to_owned(), 4.0, got);
        let spread = |median| Some(Spread { least: 3.5, median, most: 4.5 });
        assert_eq!(bar(spread(4.0)).shown(), "pass  ours / theirs: 4.00 ×, rounds from 3.50 to 4.50 (at least 4.0 ×)");
        assert_eq!(bar(spread(3.96)).shown(), "FAIL  ours / theirs: 3.96 ×, rounds from 3.50 to 4.50 (at least 4.0 ×)");
        assert_eq!(bar(None).shown(), "FAIL  ours / theirs: n/a (at least 4.0 ×)");
    }
}
