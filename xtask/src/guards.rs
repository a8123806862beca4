//! `cargo xtask guards`: shows that the security tests can fail. Each patch in `xtask/guards` breaks one rule of `SECURITY.md`. It is
//! applied to a copy of the tree, and the tests that it names have to fail with that binary. Names of rules in, a table out.

mod copy;
mod patch;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::build::FEATURES;
use crate::{Outcome, clock, process, talk};
use copy::TreeCopy;
use patch::Patch;

/// The module that the tests are in.
const TESTS: &str = "guard::";

/// Names a page that was built before, for the build script of the server.
const PAGE: &str = "QUARTERDECK_WEB_DIST";

#[derive(Args, Default)]
pub(crate) struct GuardsArgs {
    /// Break only these rules, each named after its patch in `xtask/guards` [default: all]
    #[arg(value_name = "RULE")]
    rules: Vec<String>,
}

/// Breaks one rule after the other, and prints which tests noticed.
pub(crate) fn run(args: &GuardsArgs) -> Result<Outcome> {
    let (outcome, took) = clock::timed(|| check(&args.rules));
    talk::say(&format!("guards: {} min", clock::minutes(took)));
    outcome
}

fn check(names: &[String]) -> Result<Outcome> {
    let patches = chosen(patch::all()?, names)?;
    let copy = TreeCopy::make()?;
    let stale: Vec<_> =
        patches.iter().filter_map(|patch| copy.refusal(&patch.path).transpose()).collect::<Result<_>>()?;
    if !stale.is_empty() {
        stale.iter().for_each(|refusal| talk::say(&format!("error: {refusal}")));
        return Ok(Outcome::Failed);
    }
    talk::say("guards: building the tests, and the binary with all rules in place");
    let tests = Tests::build()?;
    let binary = match copy.build(&tests.page)? {
        Ok(binary) => binary,
        Err(words) => bail!("the copy in `{}` does not build:\n{words}", copy.tree().display()),
    };
    talk::say("guards: running the tests with all rules in place");
    let mut all = tests.against(&binary);
    match names {
        [] => all.arg(TESTS),
        _ => all.arg("--exact").args(patches.iter().flat_map(Patch::tests).map(full)),
    };
    let output = output(&mut all)?;
    if !output.status.success() {
        talk::say(&format!("{}\nerror: tests fail although no rule is broken", words(&output)));
        return Ok(Outcome::Failed);
    }
    let mut rows = Vec::new();
    for (position, patch) in patches.iter().enumerate() {
        talk::say(&format!("guards: {} of {}: {}: {}", position + 1, patches.len(), patch.name, patch.mistake));
        let tried = copy.with(&patch.path, || broken(&copy, &tests, patch))?;
        tried.iter().filter(|row| row.noticed.is_err()).for_each(|row| talk::say(&row.shown()));
        rows.extend(tried);
    }
    let unnoticed = rows.iter().filter(|row| row.noticed.is_err()).count();
    talk::data("rule             | test | noticed");
    rows.iter().for_each(|row| talk::data(&row.shown()));
    talk::say(&format!("guards: {} rules, {} tests, {unnoticed} not noticed", patches.len(), rows.len()));
    Ok(if unnoticed == 0 { Outcome::Passed } else { Outcome::Failed })
}

/// The patches with these names, or all if none are given.
fn chosen(patches: Vec<Patch>, names: &[String]) -> Result<Vec<Patch>> {
    if let Some(unknown) = names.iter().find(|name| patches.iter().all(|patch| patch.name != **name)) {
        let known: Vec<&str> = patches.iter().map(|patch| &*patch.name).collect();
        bail!("there is no rule `{unknown}`; the rules are {}", known.join(", "));
    }
    Ok(patches.into_iter().filter(|patch| names.is_empty() || names.contains(&patch.name)).collect())
}

/// Runs the tests of a rule with the copy as it is now, in which the rule is broken.
fn broken<'a>(copy: &TreeCopy, tests: &Tests, patch: &'a Patch) -> Result<Vec<Row<'a>>> {
    let built = copy.build(&tests.page)?;
    let row = |test: &'a str| {
        let noticed = match &built {
            Ok(binary) => tests.notice(test, binary)?,
            Err(words) => Err(format!("it does not build: {words}")),
        };
        Ok(Row { rule: &patch.name, test, noticed })
    };
    patch.tests().map(row).collect()
}

/// What a test made of a broken rule.
struct Row<'a> {
    rule: &'a str,
    test: &'a str,
    /// How the test failed, or why that does not count.
    noticed: Result<String, String>,
}

impl Row<'_> {
    fn shown(&self) -> String {
        let noticed = match &self.noticed {
            Ok(why) => format!("failed as it should: {why}"),
            Err(why) => format!("NO: {why}"),
        };
        format!("{:<16} | {} | {noticed}", self.rule, self.test)
    }
}

/// The tests, built from the tree without patches.
struct Tests {
    program: PathBuf,
    /// The page that was built with them, which spares each patch a build of its own.
    page: PathBuf,
}

impl Tests {
    fn build() -> Result<Tests> {
        let mut cargo = process::cargo();
        cargo.args(["test", "--package", "quarterdeck", "--test", "it", "--no-run", "--message-format", "json"]);
        let messages = process::output(cargo.args(FEATURES))?;
        let messages: Vec<serde_json::Value> =
            messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let program = messages.iter().filter(|message| message["target"]["name"] == "it");
        let program = program.filter_map(|message| message["executable"].as_str()).next_back();
        let page = match std::env::var_os(PAGE) {
            Some(page) => Some(process::root().join(page)),
            None => {
                let is_server = |id: &str| id.contains("/crates/server#");
                let script = messages.iter().find(|message| {
                    message["reason"] == "build-script-executed"
                        && message["package_id"].as_str().is_some_and(is_server)
                });
                script.and_then(|script| script["out_dir"].as_str()).map(|out| Path::new(out).join("web"))
            }
        };
        Ok(Tests {
            program: program.context("cargo did not report where the tests are")?.into(),
            page: page.context("cargo did not report where the page is")?,
        })
    }

    fn against(&self, binary: &Path) -> Command {
        let mut command = process::command(&self.program);
        command.env("QUARTERDECK_BINARY", binary).env("RUST_BACKTRACE", "0").stdin(Stdio::null());
        command
    }

    /// How a test failed with this binary, or why it did not notice that a rule is broken.
    fn notice(&self, test: &str, binary: &Path) -> Result<Result<String, String>> {
        let output = output(self.against(binary).args(["--exact", &full(test)]))?;
        Ok(if output.status.success() { Err("it passes".to_owned()) } else { complaint(&words(&output)) })
    }
}

/// The name of a test as the program with the tests knows it.
fn full(test: &str) -> String {
    format!("{TESTS}{test}")
}

fn output(command: &mut Command) -> Result<Output> {
    command.output().with_context(|| format!("could not start {}", process::shown(command)))
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// What a test printed when it failed; an error if it did not fail by an assertion of its own.
fn complaint(words: &str) -> Result<String, String> {
    let mut lines = words.lines().skip_while(|line| !line.contains("panicked at"));
    let (place, why) = (lines.next().unwrap_or("it prints nothing"), lines.next().unwrap_or_default());
    let shown = why.chars().take(90).collect();
    // A server that does not start at all proves nothing, and neither does a step on the way that failed.
    let is_its_own = place.contains("tests/it/guard/");
    let is_mishap = why.contains("called `Result::unwrap()`") || why.contains("called `Option::unwrap()`");
    if is_its_own && !is_mishap { Ok(shown) } else { Err(format!("{place} {shown}")) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn every_patch_applies_to_the_tree() {
        for patch in patch::all().unwrap() {
            let refused = copy::git_apply(&process::root(), &patch.path, &["--check"]).unwrap();
            assert_eq!(refused, Ok(()), "{} no longer applies: make its mistake again", patch.path.display());
        }
    }

    #[test]
    fn every_security_test_is_named_by_a_patch_and_exists() {
        let folder = process::root().join("crates/quarterdeck/tests/it/guard");
        let mut written = BTreeSet::new();
        for path in fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
            let (file, source) = (path.file_stem().unwrap().to_str().unwrap(), fs::read_to_string(&path).unwrap());
            let names = source.split("fn rule_").skip(1).filter_map(|rest| rest.split('(').next());
            written.extend(names.map(|name| format!("{file}::rule_{name}")));
        }
        let patches = patch::all().unwrap();
        let named: BTreeSet<String> = patches.iter().flat_map(Patch::tests).map(str::to_owned).collect();
        assert_eq!(written, named);
    }

    #[test]
    fn each_of_the_twenty_rules_is_broken_by_a_patch() {
        let broken: BTreeSet<u32> = patch::all().unwrap().iter().flat_map(Patch::rules).collect();
        assert_eq!(broken, (1..=20).collect());
    }

    #[test]
    fn rules_are_chosen_by_the_names_of_their_patches() {
        let names = |names: &[&str]| -> Result<Vec<String>> {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            Ok(chosen(patch::all()?, &names)?.into_iter().map(|patch| patch.name).collect())
        };
        assert_eq!(names(&["06-host", "01-loopback"]).unwrap(), ["01-loopback", "06-host"]);
        assert_eq!(names(&[]).unwrap().len(), patch::all().unwrap().len());
        assert!(
            names(&["06-host", "6"]).unwrap_err().to_string().starts_with("there is no rule `6`; the rules are 01-")
        );
    }

    #[test]
    fn only_a_test_that_fails_by_itself_has_noticed_something() {
        let own = "thread 'x' panicked at crates/quarterdeck/tests/it/guard/reach.rs:1:2:\nassertion failed\nnote";
        assert_eq!(complaint(own).as_deref(), Ok("assertion failed"));
        let other = "thread 'x' panicked at crates/quarterdeck/tests/it/deck.rs:1:2:\nthe server ended at once";
        assert!(complaint(other).is_err_and(|why| why.ends_with("the server ended at once")));
        let mishap = "thread 'x' panicked at crates/quarterdeck/tests/it/guard/reach.rs:1:2:\n\
                      called `Result::unwrap()` on an `Err` value: Os { code: 111 }";
        assert!(complaint(mishap).is_err());
        assert!(complaint("test result: ok").is_err());
    }
}
