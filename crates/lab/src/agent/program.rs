//! The agent as a program: how it runs on the standard pipes.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tokio::sync::mpsc::UnboundedSender;

use super::story::{Ignored, Story};
use super::wire::Inbound;
use super::{Agent, Ending, Flags, Pace};
use crate::error::LabError;
use crate::process;

/// The environment variable that names the file of the story.
pub const SCRIPT_VARIABLE: &str = "LAB_AGENT_SCRIPT";
/// The environment variable that names the folder of the side files.
pub const RECORD_VARIABLE: &str = "LAB_AGENT_RECORD";
/// The environment variable that sets the version.
pub const VERSION_VARIABLE: &str = "LAB_AGENT_VERSION";

/// Runs the agent on the standard pipes with this process's arguments and environment; gives the exit code.
pub async fn run_program() -> Result<i32, LabError> {
    let mut flags = Flags::parse(env::args().skip(1));
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from);
    flags.script = flags.script.take().or_else(|| named(SCRIPT_VARIABLE));
    flags.record_dir = flags.record_dir.take().or_else(|| named(RECORD_VARIABLE));
    let mut story = match &flags.script {
        Some(path) => read_story(path)?,
        None => Story::new(),
    };
    if let Ok(version) = env::var(VERSION_VARIABLE) {
        story.version = Some(version);
    }
    run_on_stdio(story, flags, Pace::default()).await
}

/// Runs an agent on the standard pipes; gives the exit code.
pub async fn run_on_stdio(story: Story, flags: Flags, pace: Pace) -> Result<i32, LabError> {
    if flags.version {
        let version = story.version.unwrap_or_else(|| story.dialect.version().to_owned());
        use std::io::Write;
        // Nobody may be reading.
        let _ = writeln!(std::io::stdout(), "{version} (Claude Code)");
        return Ok(0);
    }
    let ignores_sigterm = story.ignores.contains(&Ignored::Sigterm);
    let record_dir = flags.record_dir.clone();
    let mut agent = Agent::new(story)?.with_flags(flags).at_pace(pace).complaining_to(std::io::stderr());
    if let Some(folder) = record_dir {
        agent = agent.recording_in(&folder)?;
    }
    if let Ok(folder) = env::current_dir() {
        agent = agent.in_folder(folder);
    }
    let prepared = agent.prepare(tokio::io::stdin(), tokio::io::stdout());
    listen_to_signals(prepared.inbound(), ignores_sigterm);
    match prepared.perform().await {
        Ending::Exited(code) => Ok(code),
        Ending::Killed => {
            process::kill_self();
            // Until the signal arrives.
            std::future::pending().await
        }
    }
}

fn read_story(path: &Path) -> Result<Story, LabError> {
    let text = fs::read_to_string(path).map_err(LabError::file(path))?;
    let wrong =
        |error: serde_json::Error| LabError::Scenario { name: path.display().to_string(), reason: error.to_string() };
    serde_json::from_str(&text).map_err(wrong)
}

#[cfg(unix)]
fn listen_to_signals(inbound: UnboundedSender<Inbound>, ignores_sigterm: bool) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => drop(inbound.send(Inbound::Sigint)),
                // The side files are whole at any time, so there is nothing to wait for.
                _ = terminate.recv() => if !ignores_sigterm { std::process::exit(143) },
            }
        }
    });
}

#[cfg(not(unix))]
fn listen_to_signals(_inbound: UnboundedSender<Inbound>, _ignores_sigterm: bool) {}
