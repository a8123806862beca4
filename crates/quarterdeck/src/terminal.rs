//! Talking to a person: errors on stderr, colour where it is welcome, and a reader that went away.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Says what went wrong and gives the exit code for it. A broken pipe is success: the reader had enough.
pub(crate) fn fail(error: anyhow::Error) -> ExitCode {
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    complain(&error);
    if let Some(hint) = hint(&error) {
        let _ = writeln!(io::stderr(), "hint: {hint}");
    }
    failed()
}

/// What to do about an error, where we know it.
fn hint(error: &anyhow::Error) -> Option<&'static str> {
    let kept = match error.downcast_ref::<live::Error>() {
        Some(live::Error::Journal(error)) => Some(error),
        _ => error.downcast_ref::<journal::Error>(),
    };
    match kept? {
        journal::Error::ReadOnly { .. } | journal::Error::NotAFolder { .. } => {
            Some("give another folder with --data or $QUARTERDECK_DATA")
        }
        journal::Error::NewerIndex { .. } => {
            Some("use that version, or remove the file: it is made again from the sessions")
        }
        _ => None,
    }
}

/// The exit code for an error of ours or of the user.
pub(crate) fn failed() -> ExitCode {
    ExitCode::from(2)
}

/// Says what went wrong.
pub(crate) fn complain(error: &anyhow::Error) {
    // If stderr is gone too there is nobody left to tell.
    let _ = writeln!(io::stderr(), "error: {error:#}");
}

/// Is colour welcome on stdout?
pub(crate) fn colour() -> bool {
    colour_on(io::stdout().is_terminal())
}

/// Is colour welcome on a stream that is or is not a terminal?
pub(crate) fn colour_on(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
