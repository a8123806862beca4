//! The agent as a program: how it runs on the standard pipes, and where tests of other crates find it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tokio::sync::mpsc::UnboundedSender;

use super::story::{Ignored, Story};
use super::wire::Inbound;
use super::{Agent, Ending, Flags};
use crate::error::LabError;
use crate::real::process;

/// The environment variable that names the file of the story.
pub const SCRIPT_VARIABLE: &str = "LAB_AGENT_SCRIPT";
/// The environment variable that names the folder of the side files.
pub const RECORD_VARIABLE: &str = "LAB_AGENT_RECORD";
/// The environment variable that sets the version.
pub const VERSION_VARIABLE: &str = "LAB_AGENT_VERSION";

/// The name of the program.
const NAME: &str = "scripted-agent";

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
    if flags.version {
        let version = story.version.unwrap_or_else(|| story.dialect.version().to_owned());
        use std::io::Write;
        // Nobody may be reading.
        let _ = writeln!(std::io::stdout(), "{version} (Claude Code)");
        return Ok(0);
    }
    let ignores_sigterm = story.ignores.contains(&Ignored::Sigterm);
    let record_dir = flags.record_dir.clone();
    let mut agent = Agent::new(story)?.with_flags(flags).complaining_to(std::io::stderr());
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

/// Where the program is, built if it is missing or older than its sources. It stands beside the running test's folder,
/// so it has the profile of the test.
pub async fn program() -> Result<PathBuf, LabError> {
    let wrong = |reason: String| LabError::Step { reason: format!("no `{NAME}`: {reason}") };
    let test = env::current_exe().map_err(|error| wrong(error.to_string()))?;
    // Tests run from `<target>/<profile>/deps`, examples and benches may run from one folder up.
    let mut folder = test.parent().unwrap_or(Path::new("."));
    if folder.ends_with("deps") || folder.ends_with("examples") {
        folder = folder.parent().unwrap_or(folder);
    }
    let program = folder.join(format!("{NAME}{}", env::consts::EXE_SUFFIX));
    if is_fresh(&program) {
        return Ok(program);
    }
    let target = folder.parent().ok_or_else(|| wrong(format!("`{}` is in no target folder", test.display())))?;
    let mut cargo = process::command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "-p", "lab", "--bin", NAME, "--target-dir"]).arg(target);
    match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => {}
        Some(profile) => _ = cargo.args(["--profile", profile]),
    }
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    process::run(cargo).await.map_err(|reason| wrong(format!("`cargo build -p lab --bin {NAME}` failed: {reason}")))?;
    if program.is_file() { Ok(program) } else { Err(wrong(format!("cargo did not build `{}`", program.display()))) }
}

fn read_story(path: &Path) -> Result<Story, LabError> {
    let text = fs::read_to_string(path).map_err(LabError::file(path))?;
    let wrong =
        |error: serde_json::Error| LabError::Scenario { name: path.display().to_string(), reason: error.to_string() };
    serde_json::from_str(&text).map_err(wrong)
}

/// Whether a program is there and no source of the lab is younger.
fn is_fresh(program: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let Some(built) = changed(program) else { return false };
    newest(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).is_none_or(|source| source <= built)
}

fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).ok()?;
    let time = |path: PathBuf| {
        if path.is_dir() { newest(&path) } else { fs::metadata(&path).and_then(|data| data.modified()).ok() }
    };
    entries.filter_map(|entry| time(entry.ok()?.path())).max()
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
