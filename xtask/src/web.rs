//! The page: its sources in, whether its checks and tests pass out. The browser tests drive the real binary.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::packages::{self, Need};
use crate::scope::Scope;
use crate::{Outcome, build, clis, process};

/// The full browser, for `--all` and the bench.
const BROWSER: Need = Need {
    probe: &["chromium", "--version"],
    package: "chromium",
    purpose: "the browser in which the tests look at the page",
};

/// The same browser without a user interface, for the default run: it takes a third less processor time.
const HEADLESS: Need = Need {
    probe: &["chromium-headless-shell", "--version"],
    package: "chromium-headless-shell",
    purpose: "the browser in which the tests look at the page",
};

/// What the browser tests start, by the variables that tell them where it is.
const PROGRAMS: [(&str, &str); 3] = [
    ("QUARTERDECK_BINARY", "quarterdeck"),
    ("QUARTERDECK_AGENT", "scripted-agent"),
    ("QUARTERDECK_STAGE", "lab-stage"),
];

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
pub(crate) fn browse(scope: Scope) -> Result<Outcome> {
    let mut tests = browser_tests(scope)?;
    Ok(if process::succeeds(&mut tests)? { Outcome::Passed } else { Outcome::Failed })
}

/// The command that runs the browser tests, with all that they need built and installed.
pub(crate) fn browser_tests(scope: Scope) -> Result<Command> {
    clis::provide()?;
    let browser = if scope == Scope::All || (BROWSER.is_met() && !HEADLESS.is_met()) { BROWSER } else { HEADLESS };
    let mut tests = browser_script("test:browser", browser, &build::programs()?)?;
    scope.tell(&mut tests);
    Ok(tests)
}

/// The command that runs the page's bench, with the programs in `built`.
pub(crate) fn bench(built: &Path) -> Result<Command> {
    browser_script("bench", BROWSER, built)
}

/// A script of the page's package that drives a browser, with the programs in `built`.
fn browser_script(name: &str, browser: Need, built: &Path) -> Result<Command> {
    let program = browser.program();
    packages::provide(&[browser])?;
    install()?;
    let mut script = npm();
    script.args(["run", "--silent", name]).env("CHROMIUM", process::find(program)?);
    for (name, program) in PROGRAMS {
        script.env(name, built.join(program));
    }
    Ok(script)
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

fn npm() -> Command {
    let mut npm = process::command("npm");
    npm.current_dir(process::root().join("web"));
    npm
}
