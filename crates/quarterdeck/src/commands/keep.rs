//! `quarterdeck keep`: the keeper of a session, started by whoever starts sessions.

use std::process::ExitCode;

use anyhow::Result;

use crate::args::Keep;

/// Runs the command: the launch comes on stdin.
pub(crate) fn run(keep: &Keep) -> Result<ExitCode> {
    keeper::keep_on_stdio(&keep.folder, keeper::now)?;
    Ok(ExitCode::SUCCESS)
}
