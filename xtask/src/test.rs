//! `cargo xtask test`: stage names in, the first failing stage or a table of all out.
//!
//! The stages share one build: none of them changes `RUSTFLAGS` or the profile, and linting and documenting share their
//! metadata. Cheap stages come first, so that most mistakes are told within seconds.

mod prepare;
mod rust;

pub(crate) use rust::nextest;

use std::time::Duration;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::build::FEATURES;
use crate::guards::{self, GuardsArgs};
use crate::scope::Scope;
use crate::{Outcome, api, clock, codegen, process, talk, tidy, typescript, web};

#[derive(Args)]
pub(crate) struct TestArgs {
    /// Run this stage alone
    #[arg(long, value_name = "STAGE", conflicts_with = "from")]
    only: Option<Stage>,
    /// Run this stage and those after it
    #[arg(long, value_name = "STAGE")]
    from: Option<Stage>,
    /// Run everything, also what is too slow for every change: all pinned CLIs, all examples, the guards
    #[arg(long)]
    all: bool,
}

/// The stages, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Stage {
    /// Install what the tests need and the machine lacks
    Prepare,
    /// The format of the source
    Fmt,
    /// The house rules
    Tidy,
    /// Clippy, warnings as errors
    Clippy,
    /// The TypeScript types are those of the Rust types, and a strict compiler takes them
    Codegen,
    /// The page: format, rules, types, and the tests that need no browser
    Web,
    /// Unit and integration tests, those with the real CLI among them
    Tests,
    /// The page in a real browser, on the real binary
    Browser,
    /// The API, by a client that nobody here wrote
    Api,
    /// The examples in the documentation
    Doctests,
    /// The documentation, warnings as errors
    Docs,
    /// The security tests, each seen to fail; with `--all` only
    Guards,
}

/// Runs the chosen stages and stops at the first that fails.
pub(crate) fn run(args: &TestArgs) -> Result<Outcome> {
    let (stages, scope) = (chosen(args), Scope::new(args.all));
    let mut done: Vec<(Stage, Duration)> = Vec::new();
    for (position, &stage) in stages.iter().enumerate() {
        talk::say(&format!("\n== {} ({} of {})", name(stage), position + 1, stages.len()));
        let (outcome, took) = clock::timed(|| stage.run(scope));
        done.push((stage, took));
        match outcome {
            Ok(Outcome::Passed) => talk::say(&format!("== {}: passed, {} min", name(stage), clock::minutes(took))),
            Ok(Outcome::Failed) => return Ok(failed(stage, &done, None)),
            Err(error) => return Ok(failed(stage, &done, Some(&error))),
        }
    }
    talk::say(&table(&done, None));
    Ok(Outcome::Passed)
}

fn failed(stage: Stage, done: &[(Stage, Duration)], error: Option<&anyhow::Error>) -> Outcome {
    talk::say(&table(done, Some(stage)));
    if let Some(error) = error {
        talk::say(&format!("error: {error:#}"));
    }
    let name = name(stage);
    talk::say(&format!("error: stage `{name}` failed\nhint: `cargo xtask test --only {name}` runs it alone"));
    Outcome::Failed
}

fn chosen(args: &TestArgs) -> Vec<Stage> {
    let wanted = |stage: &Stage| match args.only {
        Some(only) => *stage == only,
        None => args.from.is_none_or(|from| *stage >= from) && (args.all || *stage != Stage::Guards),
    };
    Stage::value_variants().iter().copied().filter(wanted).collect()
}

impl Stage {
    fn run(self, scope: Scope) -> Result<Outcome> {
        let mut cargo = process::cargo();
        match self {
            Self::Prepare => return prepare::run().map(|()| Outcome::Passed),
            Self::Tidy => return tidy::run(),
            Self::Web => return web::check(),
            Self::Browser => return web::browse(scope),
            Self::Api => return api::run(scope),
            Self::Codegen => {
                return match codegen::check_types()? {
                    Outcome::Passed => typescript::check(codegen::files()),
                    Outcome::Failed => Ok(Outcome::Failed),
                };
            }
            Self::Tests => return rust::run(scope),
            Self::Guards => return guards::run(&GuardsArgs::default()),
            Self::Fmt => cargo.args(["fmt", "--all", "--check"]),
            Self::Clippy => {
                cargo.args(["clippy", "--workspace", "--all-targets"]).args(FEATURES).args(["--", "-D", "warnings"])
            }
            Self::Doctests => cargo.args(["test", "--workspace", "--doc"]).args(FEATURES),
            Self::Docs => {
                cargo.args(["doc", "--workspace", "--no-deps"]).args(FEATURES).env("RUSTDOCFLAGS", "-D warnings")
            }
        };
        Ok(if process::succeeds(&mut cargo)? { Outcome::Passed } else { Outcome::Failed })
    }
}

fn name(stage: Stage) -> String {
    stage.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn table(done: &[(Stage, Duration)], failed: Option<Stage>) -> String {
    let mut table = String::from("\nstage       min  outcome\n");
    for (stage, took) in done {
        let outcome = if failed == Some(*stage) { "FAILED" } else { "passed" };
        table.push_str(&format!("{:<9} {:>5}  {outcome}\n", name(*stage), clock::minutes(*took)));
    }
    let total = done.iter().map(|(_, took)| *took).sum();
    table.push_str(&format!("{:<9} {:>5}", "all", clock::minutes(total)));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_options_every_stage_but_the_guards_runs_in_order() {
        let change = chosen(&TestArgs { only: None, from: None, all: false });
        assert_eq!(change.first(), Some(&Stage::Prepare));
        assert_eq!(change.last(), Some(&Stage::Docs));
        assert!(change.is_sorted());
        let all = chosen(&TestArgs { only: None, from: None, all: true });
        assert_eq!(all, Stage::value_variants());
        assert_eq!(chosen(&TestArgs { only: Some(Stage::Guards), from: None, all: false }), [Stage::Guards]);
    }

    #[test]
    fn a_developer_can_rerun_one_stage_or_go_on_from_one() {
        assert_eq!(chosen(&TestArgs { only: Some(Stage::Tidy), from: None, all: false }), [Stage::Tidy]);
        let rest = chosen(&TestArgs { only: None, from: Some(Stage::Doctests), all: false });
        assert_eq!(rest, [Stage::Doctests, Stage::Docs]);
    }

    #[test]
    fn the_table_names_the_stage_that_failed() {
        let done = [(Stage::Fmt, Duration::from_secs(6)), (Stage::Clippy, Duration::from_secs(90))];
        let expected = "\nstage       min  outcome\nfmt         0.1  passed\nclippy      1.5  FAILED\nall         1.6";
        assert_eq!(table(&done, Some(Stage::Clippy)), expected);
    }
}
