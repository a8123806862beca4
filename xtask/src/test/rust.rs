//! The stage `tests`: all unit and integration tests in, by nextest where it is installed.
//!
//! A story that is played on every pinned CLI has the version in its name (`lab::on_every_version!`). Every change plays it on
//! the oldest and the newest; those between do not change with our commits, and the laws over their captures run in any case.

use std::process::Command;

use anyhow::Result;
use lab::CliVersion;
use lab::real::pinned_versions;

use crate::build::FEATURES;
use crate::scope::Scope;
use crate::{Outcome, process};

/// Runs them. Both runners run the same targets; nextest is faster with many slow tests, and tells them apart better.
pub(crate) fn run(scope: Scope) -> Result<Outcome> {
    let has_nextest = process::works(process::cargo().args(["nextest", "--version"]));
    let mut tests = if has_nextest { nextest(scope) } else { plain(scope) };
    Ok(if process::succeeds(&mut tests)? { Outcome::Passed } else { Outcome::Failed })
}

/// The tests of a scope, by nextest.
pub(crate) fn nextest(scope: Scope) -> Command {
    let mut cargo = process::cargo();
    cargo.args(["nextest", "run", "--workspace", "--no-fail-fast"]).args(FEATURES);
    let omitted = omitted(scope);
    if !omitted.is_empty() {
        cargo.args(["--filterset", &format!("not test(/::({})$/)", omitted.join("|"))]);
    }
    cargo
}

fn plain(scope: Scope) -> Command {
    let mut cargo = process::cargo();
    cargo.args(["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"]).args(FEATURES);
    let skips = omitted(scope).into_iter().flat_map(|name| ["--skip".to_owned(), format!("::{name}")]);
    cargo.arg("--").args(skips);
    cargo
}

/// The last part of the names of tests that are not in a scope.
fn omitted(scope: Scope) -> Vec<String> {
    let versions = pinned_versions();
    match (scope, &*versions) {
        (Scope::Change, [_oldest, between @ .., _newest]) => between.iter().map(name).collect(),
        _ => Vec::new(),
    }
}

/// What `lab::on_every_version!` calls a test on this version.
fn name(version: &CliVersion) -> String {
    format!("v{}", version.to_string().replace('.', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_tested_on_the_oldest_and_the_newest_cli() {
        let versions = pinned_versions();
        let omitted = omitted(Scope::Change);
        assert_eq!(omitted.len(), versions.len() - 2);
        for version in [versions.first(), versions.last()].into_iter().flatten() {
            assert!(!omitted.contains(&name(version)), "{version}");
        }
        assert_eq!(super::omitted(Scope::All), [""; 0]);
    }

    #[test]
    fn both_runners_are_told_what_to_omit() {
        let shown = process::shown(&nextest(Scope::Change));
        assert!(shown.contains("not test(/::(v2_1_29|"), "{shown}");
        assert!(process::shown(&plain(Scope::Change)).contains("-- --skip ::v2_1_29 --skip "));
        assert!(!process::shown(&nextest(Scope::All)).contains("--filterset"));
    }
}
