//! The runs of one tree so far: a file in, the same file with one run more out.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::process;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct History {
    /// What was tested: the commit, and a digest of what is not committed.
    tree: String,
    pub(super) runs: Vec<Run>,
}

/// One run of a stage.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    /// The names of the tests that failed.
    pub(super) failed: Vec<String>,
    pub(super) seconds: f64,
}

impl Run {
    pub(super) fn shown(&self) -> String {
        match &*self.failed {
            [] => "all passed".to_owned(),
            failed => format!("{} failed: {}", failed.len(), failed.join(", ")),
        }
    }
}

impl History {
    /// No runs yet, of the tree as it is now.
    pub(super) fn new() -> Result<History> {
        Ok(History { tree: tree()?, runs: Vec::new() })
    }

    /// The runs in a file, if they were of the tree as it is now.
    pub(super) fn open(file: &Path) -> Result<History> {
        let new = History::new()?;
        let kept = fs::read(file).ok().and_then(|text| serde_json::from_slice::<History>(&text).ok());
        Ok(kept.filter(|kept| kept.tree == new.tree).unwrap_or(new))
    }

    pub(super) fn write(&self, file: &Path) -> Result<()> {
        fs::write(file, serde_json::to_string_pretty(self)?)
            .with_context(|| format!("could not write `{}`", file.display()))
    }

    /// Every test that ever failed, and how often, the worst first.
    pub(super) fn failures(&self) -> Vec<(&str, usize)> {
        let mut counts = BTreeMap::new();
        for name in self.runs.iter().flat_map(|run| &run.failed) {
            *counts.entry(&**name).or_default() += 1;
        }
        let mut failures: Vec<(&str, usize)> = counts.into_iter().collect();
        failures.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        failures
    }
}

fn tree() -> Result<String> {
    let git = |args: &[&str]| process::output(process::command("git").args(args));
    let commit = git(&["rev-parse", "HEAD"])?;
    let changes = git(&["diff", "HEAD"])? + &git(&["ls-files", "--others", "--exclude-standard"])?;
    let mut digest = DefaultHasher::new();
    digest.write(changes.as_bytes());
    Ok(if changes.is_empty() { commit.trim().to_owned() } else { format!("{}+{:x}", commit.trim(), digest.finish()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(failed: &[&str]) -> Run {
        Run { failed: failed.iter().map(|name| (*name).to_owned()).collect(), seconds: 1.0 }
    }

    #[test]
    fn what_fails_most_comes_first() {
        let history = History { tree: String::new(), runs: vec![run(&["a", "b"]), run(&[]), run(&["b"])] };
        assert_eq!(history.failures(), [("b", 2), ("a", 1)]);
    }

    #[test]
    fn a_search_goes_on_where_it_was_and_starts_over_when_the_tree_changed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("runs.json");
        let mut history = History::open(&file).unwrap();
        assert!(history.runs.is_empty());
        history.runs.push(run(&["a"]));
        history.write(&file).unwrap();
        assert_eq!(History::open(&file).unwrap(), history);
        history.tree.push_str("another");
        history.write(&file).unwrap();
        assert!(History::open(&file).unwrap().runs.is_empty());
    }
}
