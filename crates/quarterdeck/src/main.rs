//! The binary `quarterdeck`: arguments in, one command run, an exit code out.

mod args;
mod commands;
mod sources;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let outcome = match args.command {
        args::Command::Convert(convert) => commands::convert::run(&convert),
        args::Command::Inspect(inspect) => commands::inspect::run(&inspect),
    };
    outcome.unwrap_or_else(terminal::fail)
}
