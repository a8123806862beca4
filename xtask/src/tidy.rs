//! `cargo xtask tidy`: the files and the dependency graph in, a list of broken house rules out.
//!
//! The checks themselves are pure: they take texts and return findings. This file alone reads files and asks git and
//! cargo.

mod code;
mod files;
mod graph;
mod knows;
mod leftovers;
mod supply;

use std::fmt;
use std::fs;

use anyhow::{Context, Result};

use crate::{Outcome, process, talk};

/// One broken rule: where, what, and why it is one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    what: String,
}

impl Finding {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Checks everything and prints the findings on stdout, one a line.
pub(crate) fn run() -> Result<Outcome> {
    let paths = process::tracked()?;
    let mut findings = Vec::new();
    for path in &paths {
        let bytes = match fs::read(process::root().join(path)) {
            Ok(bytes) => bytes,
            // Git still lists what was deleted and not yet staged.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(|| format!("could not read `{path}`")),
        };
        // What is not text is a picture or the like, and no rule is about those.
        if let Ok(text) = String::from_utf8(bytes) {
            findings.extend(check_file(path, &text));
        }
    }
    findings.extend(check_graph()?);
    findings.sort();
    for finding in &findings {
        talk::data(&finding.to_string());
    }
    talk::say(&format!("tidy: {} files, {} findings", paths.len(), findings.len()));
    let denied = !cargo_deny()?;
    Ok(if findings.is_empty() && !denied { Outcome::Passed } else { Outcome::Failed })
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = leftovers::machine_paths(path, text);
    if path.ends_with(".rs") {
        findings.extend(files::check(path, text));
        let code = code::without_texts(text);
        findings.extend(leftovers::unfinished(path, &code));
        findings.extend(knows::pure_source(path, &code));
        findings.extend(knows::language(path, &code));
    }
    findings
}

fn check_graph() -> Result<Vec<Finding>> {
    let metadata = process::output(process::cargo().args(["metadata", "--format-version", "1"]))?;
    let graph = graph::Graph::read(&metadata).context("could not read the output of `cargo metadata`")?;
    let rules = fs::read_to_string(process::root().join("deny.toml")).context("could not read `deny.toml`")?;
    let rules = supply::Rules::read(&rules).context("could not read `deny.toml`")?;
    let mut findings = knows::check(&graph);
    findings.extend(supply::check(&graph, &rules));
    Ok(findings)
}

/// `cargo deny` knows more than we do (advisories, yanked crates), but takes minutes to build: used where it is there.
fn cargo_deny() -> Result<bool> {
    if !process::works(process::cargo().args(["deny", "--version"])) {
        talk::say("tidy: `cargo deny` is not installed; licences, bans and sources were checked from `deny.toml` here");
        return Ok(true);
    }
    process::succeeds(process::cargo().args(["deny", "check"]))
}
