//! What peers are made of: a folder in, a program or an installed SDK in it out.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::npm::NpmPackage;
use crate::packages::{self, Need};
use crate::{process, talk};

/// The official Python SDK, by exact version: a figure without one says little.
const PYTHON_SDK: &str = "claude-agent-sdk";
const PYTHON_SDK_VERSION: &str = "0.2.182";

/// The official TypeScript SDK.
const TYPESCRIPT_SDK: NpmPackage =
    NpmPackage { name: "@anthropic-ai/claude-agent-sdk", version: TYPESCRIPT_SDK_VERSION };
pub(super) const TYPESCRIPT_SDK_VERSION: &str = "0.3.325";

/// Installs the official Python SDK, if it is not there, and gives the interpreter that has it.
pub(super) fn python(folder: &Path) -> Result<PathBuf> {
    packages::provide(&[Need {
        probe: &["python3", "-c", "import venv, ensurepip"],
        package: "python3-venv",
        purpose: "the official Python SDK",
    }])?;
    let environment = folder.join("python");
    let python = environment.join("bin").join("python");
    if python_sdk_version(&python).as_deref() != Some(PYTHON_SDK_VERSION) {
        talk::say(&format!("installing {PYTHON_SDK} {PYTHON_SDK_VERSION}"));
        run(process::command("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
        let wanted = format!("{PYTHON_SDK}=={PYTHON_SDK_VERSION}");
        run(process::command(&python).args(["-m", "pip", "install", "--quiet", &wanted]))?;
    }
    Ok(python)
}

/// Makes sure that there is a node.
pub(super) fn node() -> Result<()> {
    packages::provide(&[Need { probe: &["node", "--version"], package: "nodejs", purpose: "peers in JavaScript" }])
}

/// Installs the official TypeScript SDK, if it is not there, and gives the folder that scripts find it from. The CLI that
/// comes with it is left out: the peer drives another one.
pub(super) fn typescript(folder: &Path) -> Result<PathBuf> {
    node()?;
    packages::provide(&[Need {
        probe: &["npm", "--version"],
        package: "npm",
        purpose: "the official TypeScript SDK",
    }])?;
    let folder = folder.join("typescript");
    TYPESCRIPT_SDK.provide(&folder)?;
    Ok(folder)
}

/// Writes a peer's script where it is started from.
pub(super) fn written(folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    std::fs::write(&path, text).with_context(|| format!("could not write `{}`", path.display()))?;
    Ok(path)
}

fn python_sdk_version(python: &Path) -> Option<String> {
    if !python.exists() {
        return None;
    }
    let ask = format!(
        "import importlib.util, importlib.metadata as m\nif importlib.util.find_spec('claude_agent_sdk'): print(m.version('{PYTHON_SDK}'))"
    );
    process::output(process::command(python).args(["-c", &ask])).ok().map(|version| version.trim().to_owned())
}

fn run(command: &mut Command) -> Result<()> {
    command.stdout(std::io::stderr());
    if !process::succeeds(command)? {
        bail!("{} failed", process::shown(command));
    }
    Ok(())
}
