//! What peers are made of: a folder in, a program or an installed SDK in it out.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::npm::NpmPackage;
use crate::packages::{self, Need};
use crate::pip::PipPackage;

/// The official Python SDK, by exact version: a figure without one says little.
const PYTHON_SDK: PipPackage =
    PipPackage { name: "claude-agent-sdk", version: "0.2.182", purpose: "the official Python SDK" };

/// The official TypeScript SDK.
const TYPESCRIPT_SDK: NpmPackage =
    NpmPackage { name: "@anthropic-ai/claude-agent-sdk", version: TYPESCRIPT_SDK_VERSION };
pub(super) const TYPESCRIPT_SDK_VERSION: &str = "0.3.325";

/// Installs the official Python SDK, if it is not there, and gives the interpreter that has it.
pub(super) fn python(folder: &Path) -> Result<PathBuf> {
    PYTHON_SDK.provide(&folder.join("python"))
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
