//! The page: its sources in, whether its checks and tests pass out. The browser tests drive the real binary.

use anyhow::{Context, Result, bail};

use crate::packages::{self, Need};
use crate::{Outcome, process};

/// The browser of the browser tests.
const BROWSER: Need = Need {
    probe: &["chromium", "--version"],
    package: "chromium",
    purpose: "the browser in which the tests look at the page",
};

/// Format, rules, types and the tests of what needs no browser.
pub(crate) fn check() -> Result<Outcome> {
    install()?;
    for script in ["check", "test"] {
        if !process::succeeds(npm().args(["run", "--silent", script]))? {
            return Ok(Outcome::Failed);
        }
    }
    Ok(Outcome::Passed)
}

/// A real browser on the real binary, with the scripted agent and with the real CLI.
pub(crate) fn browse() -> Result<Outcome> {
    packages::provide(&[BROWSER])?;
    install()?;
    if !process::succeeds(process::cargo().args(["build", "--quiet", "-p", "quarterdeck", "-p", "lab", "--bins"]))? {
        return Ok(Outcome::Failed);
    }
    let built = process::target_dir().join("debug");
    let mut tests = npm();
    tests.args(["run", "--silent", "test:browser"]);
    tests.env("QUARTERDECK_BINARY", built.join("quarterdeck")).env("QUARTERDECK_AGENT", built.join("scripted-agent"));
    Ok(if process::succeeds(&mut tests)? { Outcome::Passed } else { Outcome::Failed })
}

/// Brings the packages of the page, as the build of the server does.
fn install() -> Result<()> {
    let web = process::root().join("web");
    let wanted = std::fs::read(web.join("package-lock.json")).context("could not read `web/package-lock.json`")?;
    let installed = web.join("node_modules/.installed");
    if std::fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    if !process::succeeds(npm().args(["ci", "--silent", "--no-audit", "--no-fund"]).stdout(std::io::stderr()))? {
        bail!("`npm ci` failed in `web/`");
    }
    Ok(std::fs::write(installed, wanted)?)
}

fn npm() -> std::process::Command {
    let mut npm = process::command("npm");
    npm.current_dir(process::root().join("web"));
    npm
}
