//! The command line: what can be asked of the binary.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Command coding agents: watch, steer and approve what they do.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Inspect(Inspect),
}

/// Say what is in recorded lines: kinds and counts, unknown messages, fields that no type names.
///
/// Reads plain stream-json lines, trace records ({"dir","t","line"}) and the CLI's transcript files, also mixed; which
/// of them a line is, is found out line by line. Blank lines are passed over.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 done, 1 with --strict when anything from the CLI is unknown, unmodelled or \
                        did not fit (what a host sent is shown, but does not count), \
                        2 when a file cannot be read.\n\n\
                        Example: quarterdeck inspect ~/.claude/projects/")]
pub(crate) struct Inspect {
    /// Files to read; of a folder all .jsonl files below it; `-` for stdin
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,

    /// Exit with 1 when a message of the CLI is unknown, a field of one is unmodelled or did not fit
    #[arg(long)]
    pub(crate) strict: bool,
}
