//! `quarterdeck demo-agent`: an agent of the demo. It takes the CLI's flags, speaks as the CLI does, and follows a script.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use lab::agent::{Flags, Pace, run_on_stdio};

use super::place::lives;
use super::stories;
use crate::args::DemoAgent;

/// The environment variable that says how much of its usual time an agent takes, in percent.
pub(super) const PACE_VARIABLE: &str = "QUARTERDECK_DEMO_PACE";

/// The environment variable that names the file whose lock the demo holds.
pub(super) const LOCK_VARIABLE: &str = "QUARTERDECK_DEMO_LOCK";

/// How often an agent looks whether its demo lives.
const LOOK: Duration = Duration::from_secs(1);

/// About as fast as a model writes.
const PIECE: Duration = Duration::from_millis(60);
const BEAT: Duration = Duration::from_millis(700);

/// Runs the command, to the end of the process.
pub(crate) fn run(agent: &DemoAgent) -> Result<ExitCode> {
    let arguments: Vec<String> = agent.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let resumes = arguments.iter().any(|word| word == "--resume");
    let mut flags = Flags::parse(arguments);
    let name = flags.script.take().filter(|_| !resumes);
    let project = std::env::current_dir().context("could not find the working directory")?;
    let story = stories::story(name.as_deref().and_then(|name| name.to_str()), &project)?;
    end_with_the_demo();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let code = runtime.block_on(run_on_stdio(story, flags, pace()))?;
    // The reader of the standard input may still wait for a line, and the runtime would wait for it.
    std::process::exit(code)
}

/// Agents outlive whoever shows them, which is what keepers are for; but nobody looks for those of a demo that was killed.
fn end_with_the_demo() {
    let Some(lock) = std::env::var_os(LOCK_VARIABLE).map(PathBuf::from) else { return };
    std::thread::spawn(move || {
        while lives(&lock) {
            std::thread::sleep(LOOK);
        }
        std::process::exit(0)
    });
}

fn pace() -> Pace {
    let percent = std::env::var(PACE_VARIABLE).ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    Pace { piece: PIECE * percent / 100, beat: BEAT * percent / 100 }
}
