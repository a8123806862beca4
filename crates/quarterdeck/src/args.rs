//! The command line: what can be asked of the binary.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// Command coding agents: watch, steer and approve what they do.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// What `serve` takes, which is what is done without a command
    #[command(flatten)]
    pub(crate) serve: Serve,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Serve(Box<Serve>),
    Demo(Demo),
    Run(Box<Run>),
    Sessions(Sessions),
    Token(Token),
    Doctor(Doctor),
    Convert(Convert),
    Inspect(Inspect),
    #[command(hide = true)]
    Keep(Keep),
    #[command(hide = true, disable_help_flag = true)]
    DemoAgent(DemoAgent),
}

/// Where the data is.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct DataFolder {
    /// The data folder [default: $QUARTERDECK_DATA, else the platform's place for data]
    #[arg(long = "data", value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,
}

impl DataFolder {
    pub(crate) fn path(&self) -> journal::Result<PathBuf> {
        match &self.data {
            Some(path) => Ok(path.clone()),
            None => journal::Data::default_path(),
        }
    }
}

/// Serve the sessions to browsers and scripts, on this machine or beyond it.
///
/// Prints an address that logs in the first browser that opens it, and opens it where there is a desktop. Run a second time
/// on the same data folder, it prints a new address of the server that runs already. Agents go on when the server ends.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "Exit status: 0 when stopped by a signal, 2 when it could not be started.\n\n\
                        Beyond this machine: give it a certificate (--tls-cert, --tls-key) or a proxy that has one \
                        (--trusted-proxy), and its name (--host).")]
pub(crate) struct Serve {
    /// The port [default: 4180 or, if it is taken, one of the next]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,

    /// The address to listen on [default: 127.0.0.1 and ::1]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<std::net::IpAddr>,

    /// A name under which it is reached: deck.example or deck.example:8443
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,

    /// A folder that agents may work in, and all below it [default: this one]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) root: Vec<PathBuf>,

    /// The path that all paths begin with behind a proxy: /deck
    #[arg(long, value_name = "PATH")]
    pub(crate) base_path: Option<String>,

    /// A certificate, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The key of the certificate, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,

    /// The address of a proxy whose word on the client's address is believed
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) trusted_proxy: Vec<std::net::IpAddr>,

    /// Let sessions be started that ask for no permission
    #[arg(long)]
    pub(crate) dangerously_allow_bypass: bool,

    /// Open no browser
    #[arg(long)]
    pub(crate) no_open: bool,

    #[command(flatten)]
    pub(crate) data: DataFolder,
}

/// Look around: the server with a few sessions whose agents follow a script.
///
/// Nothing to install, no account, no network. Answer what the agents ask, and they go on; write to them, and they reply. The
/// data is in a folder of its own, which is removed at the end, and the agents are ended with it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 when stopped by a signal, 2 when it could not be started.")]
pub(crate) struct Demo {
    /// The port [default: 4180 or, if it is taken, one of the next]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,

    /// The path that all paths begin with behind a proxy: /deck
    #[arg(long, value_name = "PATH")]
    pub(crate) base_path: Option<String>,

    /// How much of their usual time the agents take; with 0 they do not wait at all
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) pace: u32,

    /// Open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// An agent of the demo. Started by it, with the flags of the CLI.
#[derive(Debug, clap::Args)]
pub(crate) struct DemoAgent {
    /// The flags
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) arguments: Vec<std::ffi::OsString>,
}

/// Tokens for scripts: add, list, revoke.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example, with the token on no command line, where everybody on this machine could read it:\n  \
                  quarterdeck token add ci | sed 's/^/Authorization: Bearer /' | curl -H @- http://127.0.0.1:4180/api/v1/sessions"
)]
pub(crate) struct Token {
    #[command(subcommand)]
    pub(crate) command: TokenCommand,

    #[command(flatten)]
    pub(crate) data: DataFolder,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token and print it, this once
    Add {
        /// What to call it
        name: String,
    },
    /// List the scripts and devices that may come in
    List {
        /// Print one JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Do not let one in any more
    Revoke {
        /// Its id, or the beginning of it, or its name
        id: String,
    },
}

/// Keep a session: own its agent's pipes. Started by the other commands.
#[derive(Debug, clap::Args)]
pub(crate) struct Keep {
    /// The folder of the session
    pub(crate) folder: PathBuf,
}

/// Run an agent in the terminal: one prompt, or a conversation.
///
/// The agent's words go to stdout, everything about them to stderr. What the agent asks (may I run this? which of these?) is
/// asked on the terminal; where there is none, it is refused. Ctrl-C interrupts the turn, a second one leaves. The session is
/// kept: see `quarterdeck sessions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 done, 1 when the turn ended with an error, 2 when nothing could be started, \
                        3 when the agent died, 130 when interrupted.\n\n\
                        Example: quarterdeck run --allow 'Bash(git *)' \"What changed since yesterday?\"")]
pub(crate) struct Run {
    /// The prompt; without one a conversation, or stdin if that is no terminal
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: Vec<String>,

    /// Go on with a session: its id, or the beginning of it
    #[arg(long, value_name = "ID", group = "goes_on")]
    pub(crate) resume: Option<String>,

    /// Go on with the agent's last conversation in this folder
    #[arg(long = "continue", group = "goes_on")]
    pub(crate) continue_recent: bool,

    /// With --resume or --continue: end another program that works on the same conversation
    #[arg(long, requires = "goes_on")]
    pub(crate) take_over: bool,

    /// Go on after the first turn, until Ctrl-D
    #[arg(long, short)]
    pub(crate) interactive: bool,

    /// Print events as JSON Lines instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// The folder to work in
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cwd: Option<PathBuf>,

    /// The model
    #[arg(long)]
    pub(crate) model: Option<String>,

    /// The permission mode: default, acceptEdits, plan, …
    #[arg(long)]
    pub(crate) mode: Option<String>,

    /// How hard the model is to think: low, medium, high
    #[arg(long)]
    pub(crate) effort: Option<String>,

    /// The most rounds of a turn
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<u32>,

    /// The most dollars to spend
    #[arg(long, value_name = "DOLLARS")]
    pub(crate) max_budget_usd: Option<f64>,

    /// A tool that needs no permission, as a rule: Bash(git *)
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,

    /// A tool that is forbidden, as a rule
    #[arg(long, value_name = "RULE")]
    pub(crate) deny: Vec<String>,

    /// Another folder that the agent may work in
    #[arg(long, value_name = "FOLDER")]
    pub(crate) add_dir: Vec<PathBuf>,

    /// A text after the system prompt
    #[arg(long, value_name = "TEXT")]
    pub(crate) append_system_prompt: Option<String>,

    /// A file with MCP servers
    #[arg(long, value_name = "FILE")]
    pub(crate) mcp_config: Vec<PathBuf>,

    /// A title for the session
    #[arg(long)]
    pub(crate) title: Option<String>,

    /// Ask for no permission at all
    #[arg(long)]
    pub(crate) dangerously_skip_permissions: bool,

    #[command(flatten)]
    pub(crate) data: DataFolder,

    /// Arguments for the CLI that have no option here
    #[arg(last = true, value_name = "ARG")]
    pub(crate) extra: Vec<String>,
}

impl Run {
    /// Are there more turns than one?
    pub(crate) fn is_conversation(&self) -> bool {
        self.interactive || self.prompt.is_empty()
    }
}

/// The sessions that are kept: list, show, export, import, pack, remove.
#[derive(Debug, clap::Args)]
pub(crate) struct Sessions {
    #[command(subcommand)]
    pub(crate) command: SessionsCommand,

    #[command(flatten)]
    pub(crate) data: DataFolder,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List the sessions, the last one first
    List {
        /// Only those with this text in title, folder, prompts, answers, commands or paths
        text: Option<String>,

        /// Print one JSON object a line
        #[arg(long)]
        json: bool,

        /// At most so many
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: usize,
    },
    /// Show a session: what it is doing, what it cost, and what was said
    Show {
        /// The session's id, or the beginning of it
        id: String,

        /// Print the whole state as one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write a session out
    Export {
        /// The session's id, or the beginning of it
        id: String,

        /// In which form
        #[arg(long, value_enum, default_value_t = ExportForm::Markdown)]
        form: ExportForm,

        /// Into this file instead of stdout
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Take the CLI's own transcripts in, so that they are searched and kept with the others
    Import {
        /// Session ids or transcript files; all below the CLI's folder if there are none
        transcripts: Vec<String>,
    },
    /// Make the logs of sessions that nobody writes small
    Pack {
        /// Session ids; all that ended more than a week ago if there are none
        ids: Vec<String>,
    },
    /// Remove sessions for good. The CLI's own transcripts stay
    Rm {
        /// Session ids, or the beginnings of them
        #[arg(required = true)]
        ids: Vec<String>,

        /// Do not ask
        #[arg(long, short)]
        force: bool,
    },
}

/// The forms of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportForm {
    /// For people
    Markdown,
    /// Events, one JSON object a line
    Events,
    /// The records as they are in the log, one JSON object a line
    Records,
}

/// Say whether everything is there that Quarterdeck needs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 when sessions can be run, 1 when not.")]
pub(crate) struct Doctor {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) data: DataFolder,
}

/// Turn lines of Claude Code into events: what happened, as JSON Lines.
///
/// Reads plain stream-json lines, trace records ({"dir","t","line"}), record files ({"seq","at","source","line"}; a log that
/// Quarterdeck has packed as it is) and the CLI's transcript files; which of them a line is, is found out line by line. Blank
/// lines are passed over, and so is the last line of a log while it is being written. Any other line is taken: what is
/// unknown or no JSON becomes an event that says so.
///
/// In transcripts, what subagents did stands in files of their own (agent-*.jsonl). It is joined to the calls that started
/// them where all of it is given as one stream, the session's own file first.
///
/// `seq` is the number of the record, else of the line. `timestamp` is the time of the record; of a plain line it is the
/// line's own, else 1970; of a trace it is 1970 plus the seconds since its start. The ids of events hold a hash of the first
/// session id that the lines name. The same lines give the same bytes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit status: 0 done, 2 when the file cannot be read.\n\n\
                        Example: claude -p --verbose --output-format stream-json \"Hello\" | quarterdeck convert --no-raw\n\
                        Example: cat SESSION.jsonl SESSION/subagents/agent-*.jsonl | quarterdeck convert --state")]
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
