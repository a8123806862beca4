//! `cargo xtask capture`: plays the lab's scenarios against real CLIs and writes their lines as fixtures.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use lab::capture::{Outcome as Captured, Plan, Tally, capture_all};
use lab::real::{CliVersion, pinned_versions};

use crate::{Outcome, talk};

/// What to record, and where to.
#[derive(Args)]
pub(crate) struct CaptureArgs {
    /// A CLI version, such as 2.1.38, or `all` for every pinned one; may be repeated
    #[arg(long = "cli", value_name = "VERSION", required = true)]
    versions: Vec<String>,
    /// Only this scenario; may be repeated
    #[arg(long = "scenario", value_name = "NAME")]
    scenarios: Vec<String>,
    /// The folder that gets a folder for each version
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many scenarios at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// Records the scenarios; fails when one of them could not be played to its end.
pub(crate) fn run(args: &CaptureArgs) -> Result<Outcome> {
    let out = args.out.clone().unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/cli"));
    let plan = Plan { versions: versions(&args.versions)?, scenarios: args.scenarios.clone(), out, jobs: args.jobs };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no runtime")?;
    let tally = runtime.block_on(capture_all(plan, |name, version, captured| match captured {
        Ok(Captured::Written { unused_replies: 0, lines, .. }) => {
            talk::say(&format!("{version} {name}: {lines} lines"))
        }
        Ok(Captured::Written { unused_replies, .. }) => {
            talk::say(&format!(
                "{version} {name}: written, but {unused_replies} replies of the script were never asked for"
            ));
        }
        Ok(_) => {}
        Err(error) => talk::say(&format!("error: {version} {name}: {error}")),
    }))?;
    let Tally { written, odd, failed, skipped } = tally;
    talk::say(&format!("{written} written, {odd} not as told, {failed} failed, {skipped} not for their version"));
    Ok(if odd + failed == 0 { Outcome::Passed } else { Outcome::Failed })
}

fn versions(names: &[String]) -> Result<Vec<CliVersion>> {
    if names.iter().any(|name| name == "all") {
        return Ok(pinned_versions());
    }
    names.iter().map(|name| Ok(name.parse()?)).collect()
}
