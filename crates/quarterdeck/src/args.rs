//! The command line: what can be asked of the binary.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Command coding agents: watch, steer and approve what they do.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Convert(Convert),
    Inspect(Inspect),
}

/// Turn lines of Claude Code into events: what happened, as JSON Lines.
///
/// Reads plain stream-json lines, trace records ({"dir","t","line"}), record files ({"seq","at","source","line"}) and the
/// CLI's transcript files; which of them a line is, is found out line by line. Blank lines are passed over. Any line is
/// taken: what is unknown or no JSON becomes an event that says so.
///
/// `seq` is the number of the record, else of the line. `timestamp` is the time of the record; of a plain line it is the
/// line's own, else 1970; of a trace it is 1970 plus the seconds since its start. The ids of events hold a hash of the first
/// session id that the lines name. The same lines give the same bytes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 done, 2 when the file cannot be read.\n\n\
                        Example: claude -p --verbose --output-format stream-json \"Hello\" | quarterdeck convert --no-raw")]
pub(crate) struct Convert {
    /// The file to read; stdin if there is none, or for `-`
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Which events to make
    #[arg(long, value_enum, default_value_t = Profile::Full)]
    pub(crate) profile: Profile,

    /// Print the state that the events lead to, as one JSON object, instead of the events
    #[arg(long, conflicts_with_all = ["profile", "no_raw"])]
    pub(crate) state: bool,

    /// Leave out of each event the line that it was made from
    #[arg(long)]
    pub(crate) no_raw: bool,
}

/// Which events to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// The few that every agent has: session, text, tools, subagents, turns, permissions, deltas
    Core,
    /// All of them: every line is accounted for
    Full,
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
