//! Records scenarios against the real CLI as fixture files: neutral, stable, one line for each line on a pipe.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tokio::task::JoinSet;

use crate::error::LabError;
use crate::json;
use crate::log::{Direction, Record};
use crate::neutral::{Line, Neutral};
use crate::real::{CliVersion, Installed, install};
use crate::scenario::{Played, Scenario, all_files, play};

/// What became of a scenario.
#[derive(Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It was written.
    Written {
        /// The fixture file.
        file: PathBuf,
        /// How many lines it has.
        lines: usize,
        /// How many replies of the script nobody asked for: a story that did not go as told.
        unused_replies: usize,
    },
    /// The version cannot do it.
    NotForThisVersion,
}

/// What to record.
#[derive(Clone, Debug)]
pub struct Plan {
    /// With these versions.
    pub versions: Vec<CliVersion>,
    /// These scenarios, by name; all of them, if none is named.
    pub scenarios: Vec<String>,
    /// The folder that gets a folder for each version.
    pub out: PathBuf,
    /// How many at a time.
    pub jobs: usize,
}

/// How many scenarios ended which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Written, with every reply of the script used.
    pub written: usize,
    /// Written, but the story did not go as told.
    pub odd: usize,
    /// Failed.
    pub failed: usize,
    /// Not for the version.
    pub skipped: usize,
}

/// Records everything the plan asks for and reports each scenario as it is done.
pub async fn capture_all(
    plan: Plan,
    mut report: impl FnMut(&str, CliVersion, &Result<Outcome, LabError>),
) -> Result<Tally, LabError> {
    let files = chosen_files(&plan.scenarios)?;
    for version in &plan.versions {
        install(*version).await?;
    }
    let mut waiting = plan.versions.iter().flat_map(|version| files.iter().map(move |file| (*version, file.clone())));
    let mut running = JoinSet::new();
    let mut tally = Tally::default();
    loop {
        while running.len() < plan.jobs.max(1)
            && let Some((version, file)) = waiting.next()
        {
            let out = plan.out.clone();
            running.spawn(async move { (version, capture(&file, version, &out).await, file) });
        }
        let Some(done) = running.join_next().await else { return Ok(tally) };
        let (version, outcome, file) = done.map_err(|error| LabError::Step { reason: error.to_string() })?;
        match &outcome {
            Ok(Outcome::Written { unused_replies: 0, .. }) => tally.written += 1,
            Ok(Outcome::Written { .. }) => tally.odd += 1,
            Ok(Outcome::NotForThisVersion) => tally.skipped += 1,
            Err(_) => tally.failed += 1,
        }
        report(&name_of(&file), version, &outcome);
    }
}

/// Plays one scenario with one version and writes `<out>/<version>/<scenario>.jsonl`, and its transcript files if the
/// scenario wants them.
pub async fn capture(scenario_file: &Path, version: CliVersion, out: &Path) -> Result<Outcome, LabError> {
    let Some(scenario) = Scenario::load(scenario_file, version)? else { return Ok(Outcome::NotForThisVersion) };
    let installed = install(version).await?;
    let played = play(&scenario, &installed).await?;
    let text = fs::read_to_string(scenario_file).map_err(LabError::file(scenario_file))?;
    let folder = out.join(version.to_string());
    let file = folder.join(format!("{}.jsonl", scenario.name));
    let mut neutral = prepare(&text, &played, &installed);
    let mut transcripts = if scenario.transcript { transcripts(&played)? } else { Vec::new() };
    // A session that never spoke on the pipe is none of the story; 2.1.1 sometimes leaves one when it resumes.
    transcripts.retain(|(name, _)| neutral.knows(name));
    for (_, text) in &transcripts {
        text.lines().for_each(|line| neutral.learn(line));
    }
    write(&file, &fixture(&neutral, &played.records))?;
    for (name, text) in &transcripts {
        let lines: String = text.lines().map(|line| neutral.line(line).text + "\n").collect();
        write(&folder.join("transcripts").join(&scenario.name).join(neutral.name(name)), &lines)?;
    }
    Ok(Outcome::Written { file, lines: played.records.len(), unused_replies: played.unused_replies })
}

/// A neutraliser that knows the scenario's texts and all ids on the pipes.
fn prepare(scenario: &str, played: &Played, installed: &Installed) -> Neutral {
    let scenario: Value = serde_json::from_str(scenario).unwrap_or_default();
    let program = installed.script.as_ref().unwrap_or(&installed.program);
    let program_folder = program.parent().unwrap_or(program);
    let mut neutral =
        Neutral::new(played.stage.place.root(), program_folder, &played.stage.model.base_url(), &scenario);
    neutral.own(&own_texts());
    for record in &played.records {
        // Our own lines repeat ids of the CLI, which do not become ours by that.
        if record.direction != Direction::Err {
            neutral.learn(&record.text);
        }
    }
    neutral
}

/// Texts that the lab itself brings into every story.
fn own_texts() -> Value {
    serde_json::json!([
        "line one\nline two\nline three\n",
        "Add two numbers",
        "Asks the user for a name",
        "Echo text",
        "Always fails",
        "Greet someone",
        "the lab does not answer"
    ])
}

fn fixture(neutral: &Neutral, records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        let direction = record.direction.name();
        let is_object = record.value.as_ref().is_some_and(Value::is_object);
        if is_object {
            let Line { text: line, shortened } = neutral.line(&record.text);
            let elided = if shortened { r#""elided":true,"# } else { "" };
            text.push_str(&format!("{{\"dir\":\"{direction}\",\"t\":0,{elided}\"line\":{line}}}\n"));
        } else {
            let raw = Value::String(neutral.raw(&record.text));
            text.push_str(&format!("{{\"dir\":\"{direction}\",\"t\":0,\"raw\":{raw}}}\n"));
        }
    }
    text
}

/// The transcript files that the CLI left, by their names below its folder of projects.
fn transcripts(played: &Played) -> Result<Vec<(String, String)>, LabError> {
    let root = played.stage.place.home().join(".claude/projects");
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                let text = fs::read_to_string(&path).map_err(LabError::file(&path))?;
                // 2.1.1 keeps a file for each agent it warms up, and may or may not get to write it before it ends.
                if text.contains(r#""content":"Warmup""#) {
                    continue;
                }
                let name = path.strip_prefix(&root).unwrap_or(&path).components().skip(1).collect::<PathBuf>();
                files.push((name.display().to_string(), settled(&text)));
            }
        }
    }
    // By content, not by name: names are random ids.
    files.sort_by_key(|(name, text)| (name.matches('/').count(), text.len()));
    Ok(files)
}

/// What 2.1.325 writes into a transcript in the background, next to the messages.
const IN_THE_BACKGROUND: [&str; 6] =
    ["api-request", "api-request-blob", "api-request-shape", "atis-latch", "last-prompt", "mode"];

/// A transcript in a stable order. Messages come in the same order each time; of what is written in the background, place
/// and number are left to chance, so the last of each kind is kept, behind the messages.
fn settled(text: &str) -> String {
    let kind = |line: &str| json::lenient(line).and_then(|entry| entry["type"].as_str().map(str::to_owned));
    let mut messages = String::new();
    let mut background = BTreeMap::new();
    for line in text.lines() {
        match kind(line).filter(|kind| IN_THE_BACKGROUND.contains(&kind.as_str())) {
            Some(kind) => _ = background.insert(kind, line),
            None => messages.extend([line, "\n"]),
        }
    }
    messages.extend(background.into_values().flat_map(|line| [line, "\n"]));
    messages
}

/// The files of the named scenarios; a name without a file is an error, or a typing slip would record nothing.
fn chosen_files(names: &[String]) -> Result<Vec<PathBuf>, LabError> {
    let all = all_files()?;
    if names.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        let file = all.iter().find(|file| name_of(file) == *name).cloned();
        file.ok_or_else(|| LabError::Scenario { name: name.clone(), reason: "there is no such file".to_owned() })
    };
    names.iter().map(find).collect()
}

fn name_of(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn write(path: &Path, text: &str) -> Result<(), LabError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(LabError::file(folder))?;
    }
    fs::write(path, text).map_err(LabError::file(path))
}
