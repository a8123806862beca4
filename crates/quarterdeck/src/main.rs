//! The binary `quarterdeck`: arguments in, one command run, an exit code out.

mod args;
mod commands;
mod log;
mod sources;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = args::Args::parse();
    let outcome = match args.command.unwrap_or(args::Command::Serve(Box::new(args.serve))) {
        args::Command::Serve(serve) => commands::serve::run(&serve),
        args::Command::Demo(demo) => commands::demo::run(&demo),
        args::Command::DemoAgent(agent) => commands::demo::agent::run(&agent),
        args::Command::Token(token) => commands::token::run(&token),
        args::Command::Run(run) => commands::run::run(&run),
        args::Command::Sessions(sessions) => commands::sessions::run(&sessions),
        args::Command::Doctor(doctor) => commands::doctor::run(&doctor),
        args::Command::Keep(keep) => commands::keep::run(&keep),
        args::Command::Convert(convert) => commands::convert::run(&convert),
        args::Command::Inspect(inspect) => commands::inspect::run(&inspect),
    };
    outcome.unwrap_or_else(terminal::fail)
}
