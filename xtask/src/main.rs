//! The project's own commands: `cargo xtask test | flakes | tidy | codegen | guards | capture | capture-data | drift | api |
//! bench`.
//! Arguments in, an exit code out.
//!
//! Exit codes: 0 done; 1 the run failed (a stage, a check, a bar); 2 it could not be run at all.

mod api;
mod bench;
mod build;
mod capture;
mod capture_data;
mod clis;
mod clock;
mod codegen;
mod drift;
mod flakes;
mod guards;
mod http;
mod npm;
mod packages;
mod pip;
mod previous;
mod process;
mod scope;
mod talk;
mod test;
mod tidy;
mod typescript;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's own commands", disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything a change must pass: installs what is missing, then formats, lints, tests, documents, tidies
    Test(test::TestArgs),
    /// The house rules that neither rustc nor clippy knows
    Tidy,
    /// Write the TypeScript types of what crosses to the browser
    Codegen(codegen::CodegenArgs),
    /// Break each rule of `SECURITY.md` once, in a copy of the tree, and check that its tests fail
    Guards(guards::GuardsArgs),
    /// Run a stage again and again, and list every test that ever failed
    Flakes(flakes::FlakesArgs),
    /// Record what the real CLI writes in the lab's scenarios, as fixtures
    Capture(capture::CaptureArgs),
    /// Record a whole data folder, as a fixture that every later build has to read
    CaptureData(capture_data::CaptureDataArgs),
    /// Compare a CLI version with a pinned one, and report in words what is new, gone or changed
    Drift(drift::DriftArgs),
    /// Ask a real server everything that its OpenAPI document allows, and much that it does not
    Api {
        /// Make up four times as many requests
        #[arg(long)]
        all: bool,
    },
    /// Speed against other readers of the same lines, all in one run
    Bench(bench::BenchArgs),
    /// One consumer of a bench, in a process of its own
    #[command(hide = true)]
    Consume(bench::ConsumeArgs),
    /// Pipes passed on to WebSockets; part of `bench server`
    #[command(hide = true)]
    Relay(bench::RelayArgs),
    /// Keep a session; part of `bench keepers`
    #[command(hide = true)]
    Keep { folder: std::path::PathBuf },
}

/// How a command that could be run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
}

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Test(args) => test::run(&args),
        Command::Tidy => tidy::run(),
        Command::Codegen(args) => codegen::run(&args),
        Command::Guards(args) => guards::run(&args),
        Command::Flakes(args) => flakes::run(&args),
        Command::Capture(args) => capture::run(&args),
        Command::CaptureData(args) => capture_data::run(&args),
        Command::Drift(args) => drift::run(&args),
        Command::Api { all } => api::run(scope::Scope::new(all)),
        Command::Bench(args) => bench::run(&args),
        Command::Consume(args) => bench::consume(&args),
        Command::Relay(args) => bench::relay(&args),
        Command::Keep { folder } => {
            keeper::keep_on_stdio(&folder, keeper::now).map(|()| Outcome::Passed).map_err(Into::into)
        }
    };
    match outcome {
        Ok(Outcome::Passed) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::FAILURE,
        Err(error) => {
            talk::say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}
