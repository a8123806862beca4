//! `cargo xtask drift`: a CLI version in, a report of what is new, gone or changed against another version out.
//!
//! Scenarios → captured lines (`play`) → stories, sets of facts (`story`, `shape`) → what differs for certain (`compare`, `order`,
//! `help`) → words (`report`, `fields`). Only this file and `play` do I/O.

mod compare;
mod fields;
mod help;
mod order;
mod play;
mod report;
mod shape;
mod story;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use lab::real::{CliVersion, pinned_versions};

use crate::{Outcome, process, talk};
use compare::{Comparison, Run, Runs, Sighting};
use report::{Findings, counted};

/// What to compare.
#[derive(Args)]
pub(crate) struct DriftArgs {
    /// The CLI version to look at, such as 2.1.326; without one, the newest on npm
    version: Option<String>,
    /// The version to compare with; without one, the newest that is pinned
    #[arg(long, value_name = "VERSION")]
    against: Option<String>,
    /// Only this scenario; may be repeated
    #[arg(long = "scenario", value_name = "NAME")]
    scenarios: Vec<String>,
    /// How many scenarios at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// A scenario that differs is played so many more times with both versions, so that chance is not reported.
const AGAIN: usize = 2;

/// Compares two versions; fails when the new one says something that is not understood.
pub(crate) fn run(args: &DriftArgs) -> Result<Outcome> {
    let new: CliVersion = match &args.version {
        Some(version) => version.parse()?,
        None => newest()?,
    };
    let old = match &args.against {
        Some(version) => version.parse()?,
        None => pinned_versions().pop().context("no version is pinned")?,
    };
    let scenarios = scenarios(&args.scenarios)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
    let findings = runtime.block_on(find(old, new, &scenarios, args.jobs))?;
    talk::data(findings.text().trim_end());
    talk::say(&format!("drift: the lines of {new} are in `{}`", folder().join(new.to_string()).display()));
    Ok(if findings.is_understood() { Outcome::Passed } else { Outcome::Failed })
}

async fn find(old: CliVersion, new: CliVersion, scenarios: &BTreeSet<String>, jobs: usize) -> Result<Findings> {
    talk::say(&format!("drift: {new} against {old}, {}", counted(scenarios.len(), "scenario")));
    let mut new_runs = Runs::new();
    add(&mut new_runs, play::play(new, scenarios, &folder(), jobs).await?);
    let mut old_runs = fixtures(old, scenarios)?;
    let missing = scenarios.iter().filter(|name| !old_runs.contains_key(*name)).cloned().collect();
    add(&mut old_runs, play::play(old, &missing, &folder().join("against"), jobs).await?);
    let mut comparison = Comparison::of(&old_runs, &new_runs);
    for round in 1..=AGAIN {
        let suspects = comparison.suspects();
        if suspects.is_empty() {
            break;
        }
        let differing = counted(suspects.len(), "scenario");
        talk::say(&format!("drift: {differing} that may differ, again with both versions ({round} of {AGAIN})"));
        let again = folder().join(format!("again-{round}"));
        add(&mut new_runs, play::play(new, &suspects, &again, jobs).await?);
        add(&mut old_runs, play::play(old, &suspects, &again.join("against"), jobs).await?);
        comparison = Comparison::of(&old_runs, &new_runs);
    }
    let help = help::compare(&play::help(old).await?, &play::help(new).await?);
    Ok(Findings { old: old.to_string(), new: new.to_string(), comparison, help, strange: strange(&new_runs) })
}

/// The runs of a pinned version that are in the repository; none for other versions.
fn fixtures(version: CliVersion, scenarios: &BTreeSet<String>) -> Result<Runs> {
    let folder = process::root().join("fixtures/cli").join(version.to_string());
    let mut runs = Runs::new();
    for scenario in scenarios {
        if let Some(run) = play::captured(&folder, scenario)? {
            runs.insert(scenario.clone(), vec![run]);
        }
    }
    Ok(runs)
}

fn add(runs: &mut Runs, more: Vec<(String, Run)>) {
    for (scenario, run) in more {
        runs.entry(scenario).or_default().push(run);
    }
}

/// What any run has that is not understood. A line that comes only sometimes is not chance here: it will come to users, too.
fn strange(runs: &Runs) -> BTreeMap<String, Sighting> {
    let mut strange = BTreeMap::<String, Sighting>::new();
    for (scenario, runs) in runs {
        let mut most = BTreeMap::<&String, usize>::new();
        for run in runs {
            let Run::Played(story) = run else { continue };
            for (what, count) in &story.strange {
                let most = most.entry(what).or_default();
                *most = (*most).max(*count);
            }
        }
        for (what, count) in most {
            let sighting = strange.entry(what.clone()).or_default();
            sighting.count += count;
            sighting.scenarios.insert(scenario.clone());
        }
    }
    strange
}

/// The scenarios with these names, or all; a name without a file is an error, or a typing slip would compare nothing.
fn scenarios(names: &[String]) -> Result<BTreeSet<String>> {
    let all = play::all_scenarios()?;
    if let Some(name) = names.iter().find(|name| !all.contains(*name)) {
        bail!("there is no scenario `{name}`\nhint: their files are in `crates/lab/scenarios`");
    }
    Ok(if names.is_empty() { all } else { names.iter().cloned().collect() })
}

/// The newest version that npm has.
fn newest() -> Result<CliVersion> {
    let mut npm = process::command("npm");
    npm.args(["view", "@anthropic-ai/claude-code", "version"]);
    Ok(process::output(&mut npm)?.parse()?)
}

fn folder() -> PathBuf {
    process::target_dir().join(Path::new("drift"))
}
