//! Brings a CLI version by its exact number from npm into a cache folder, once, also when many tests want it at a time.

use std::fs;
use std::path::{Path, PathBuf};

use super::process::{find_program, run};
use super::{CliVersion, Installed};
use crate::cache;
use crate::error::LabError;
use crate::process::command;

/// Makes sure that the version is in the cache and says how to start it.
pub async fn install(version: CliVersion) -> Result<Installed, LabError> {
    let cache = cache_folder();
    let folder = cache.join(version.to_string());
    if let Some(installed) = look(version, &folder)? {
        return Ok(installed);
    }
    fs::create_dir_all(&cache).map_err(LabError::file(&cache))?;
    let _lock = cache::lock(cache.join(format!("{version}.lock"))).await?;
    // Another process may have been faster while this one waited for the lock.
    if let Some(installed) = look(version, &folder)? {
        return Ok(installed);
    }
    let fresh = cache.join(format!(".fresh-{version}"));
    let _ = fs::remove_dir_all(&fresh);
    fetch(version, &fresh).await?;
    if look(version, &fresh)?.is_none() {
        return Err(failed(version, "npm finished, but neither `cli.js` nor a native binary is there"));
    }
    let _ = fs::remove_dir_all(&folder);
    fs::rename(&fresh, &folder).map_err(LabError::file(&folder))?;
    look(version, &folder)?.ok_or_else(|| failed(version, "the installed copy vanished"))
}

/// Where installed versions are kept: `$QUARTERDECK_CLI_CACHE`, else a folder in the user's cache.
pub fn cache_folder() -> PathBuf {
    cache::folder("QUARTERDECK_CLI_CACHE", "cli")
}

/// The only npm command of the project.
async fn fetch(version: CliVersion, prefix: &Path) -> Result<(), LabError> {
    let mut npm = command("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(prefix);
    npm.arg(format!("@anthropic-ai/claude-code@{version}"));
    run(npm).await.map_err(|reason| failed(version, &format!("`npm install` failed: {reason}")))
}

/// How to start what is in a folder, or `None` when nothing whole is there.
fn look(version: CliVersion, folder: &Path) -> Result<Option<Installed>, LabError> {
    let scope = folder.join("node_modules").join("@anthropic-ai");
    let script = scope.join("claude-code").join("cli.js");
    if script.is_file() {
        return Ok(Some(Installed { version, program: find_program("node")?, script: Some(script) }));
    }
    // Newer versions are native. npm's own scripts, which would link the binary, may be switched off, so it is taken
    // from the package for this platform.
    let Ok(packages) = fs::read_dir(&scope) else { return Ok(None) };
    let mut binaries: Vec<PathBuf> = packages
        .filter_map(Result::ok)
        .filter(|package| package.file_name().to_string_lossy().starts_with("claude-code-"))
        .map(|package| package.path().join(if cfg!(windows) { "claude.exe" } else { "claude" }))
        .filter(|binary| binary.is_file())
        .collect();
    binaries.sort();
    Ok(binaries.into_iter().next().map(|program| Installed { version, program, script: None }))
}

fn failed(version: CliVersion, reason: &str) -> LabError {
    LabError::Install { version: version.to_string(), reason: reason.to_owned() }
}
