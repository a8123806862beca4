//! Plays scenarios with a version into a folder, and reads what was captured there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lab::capture::{Outcome, Plan, capture_all};
use lab::real::CliVersion;
use lab::scenario::all_files;
use lab::{Direction, Launch, Script, Stage};

use super::compare::Run;
use super::help::{self, Help};
use super::story::Teller;
use crate::talk;

/// The names of all scenarios.
pub(super) fn all_scenarios() -> Result<BTreeSet<String>> {
    let name = |file: PathBuf| file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(all_files()?.into_iter().filter_map(name).collect())
}

/// Plays the scenarios with the version and gives one run of each that the version can do. The lines are in `<out>/<version>/`.
pub(super) async fn play(
    version: CliVersion,
    scenarios: &BTreeSet<String>,
    out: &Path,
    jobs: usize,
) -> Result<Vec<(String, Run)>> {
    if scenarios.is_empty() {
        return Ok(Vec::new());
    }
    let folder = out.join(version.to_string());
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("could not remove `{}`", folder.display()))?;
    }
    let plan =
        Plan { versions: vec![version], scenarios: scenarios.iter().cloned().collect(), out: out.to_owned(), jobs };
    let mut done = 0;
    let mut played = Vec::new();
    capture_all(plan, |name, _, captured| {
        done += 1;
        let failure = match captured {
            Ok(Outcome::NotForThisVersion) => return,
            Ok(Outcome::Written { unused_replies: 0, .. }) => None,
            Ok(Outcome::Written { unused_replies, .. }) => {
                Some(format!("{unused_replies} replies of the script were never requested"))
            }
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        let how = if failure.is_some() { ", not to the end" } else { "" };
        talk::say(&format!("[{done}/{}] {version} {name}{how}", scenarios.len()));
        played.push((name.to_owned(), failure));
    })
    .await?;
    played.into_iter().map(|(name, failure)| Ok((name.clone(), run(&folder, &name, failure)?))).collect()
}

/// The run of a scenario that was captured into the folder before; `None` if it was not.
pub(super) fn captured(folder: &Path, scenario: &str) -> Result<Option<Run>> {
    if !folder.join(format!("{scenario}.jsonl")).exists() {
        return Ok(None);
    }
    run(folder, scenario, None).map(Some)
}

fn run(folder: &Path, scenario: &str, failure: Option<String>) -> Result<Run> {
    if let Some(failure) = failure {
        // The whole text has all lines so far: too much for a report, but what one needs to find out why.
        let file = folder.join(format!("{scenario}.error.txt"));
        fs::create_dir_all(folder).and_then(|()| fs::write(&file, &failure)).with_context(|| shown(&file))?;
        return Ok(Run::Failed(failure.lines().next().unwrap_or_default().trim_end_matches(':').to_owned()));
    }
    let read = |file: &Path| fs::read_to_string(file).with_context(|| shown(file));
    let mut teller = Teller::default();
    teller.lines(&read(&folder.join(format!("{scenario}.jsonl")))?);
    for file in files_below(&folder.join("transcripts").join(scenario)) {
        teller.transcript(&read(&file)?);
    }
    Ok(Run::Played(teller.finish()))
}

fn shown(file: &Path) -> String {
    format!("could not use `{}`", file.display())
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// What the version's `--help` lists.
pub(super) async fn help(version: CliVersion) -> Result<Help> {
    let stage = Stage::new(version, Script::new()).await?;
    let session = stage.start(Launch::new().base(["--help"])).await?;
    let lines = session.finish().await?.records.into_iter().filter(|record| record.direction == Direction::Out);
    Ok(help::read(&lines.map(|record| record.text + "\n").collect::<String>()))
}
