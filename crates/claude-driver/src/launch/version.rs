//! A program in, the version of the CLI that it is out.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::str::FromStr;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::environment::Environment;
use super::find::Program;
use crate::error::Error;

/// How long a program may take to tell its version. Generous: a cold disk makes the first start slow.
const PATIENCE: Duration = Duration::from_secs(30);

/// The version of a CLI; versions compare as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
}

/// A text that is no version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no version")]
pub struct NoVersion(String);

impl Version {
    /// The version of these numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Version {
        Version { major, minor, patch }
    }
}

impl FromStr for Version {
    type Err = NoVersion;

    /// Reads `2.1.38`, and also what the CLI says: `2.1.38 (Claude Code)`. What follows the numbers, such as a mark of a
    /// pre-release, is passed over.
    fn from_str(text: &str) -> Result<Version, NoVersion> {
        let failed = || NoVersion(text.trim().to_owned());
        let word = text.split_whitespace().next().ok_or_else(failed)?;
        let numbers = word.split(['-', '+']).next().unwrap_or(word);
        let numbers: Option<Vec<u32>> = numbers.split('.').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some([major, minor, patch]) => Ok(Version::new(*major, *minor, *patch)),
            _ => Err(failed()),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// A file as it was when it was asked: after an update it is another.
type Key = (PathBuf, Option<SystemTime>, u64);

static KNOWN: LazyLock<Mutex<HashMap<Key, Version>>> = LazyLock::new(Mutex::default);

/// The version of a program: from the package it belongs to, or from its own mouth. It is asked once as long as the file
/// stays the same.
pub(crate) async fn probe(program: &Program, environment: &Environment) -> Result<Version, Error> {
    let key = key(program.file());
    if let Some(version) = key.as_ref().and_then(|key| known().get(key).copied()) {
        return Ok(version);
    }
    let version = match key.as_ref().and_then(|(file, ..)| of_package(file)) {
        Some(version) => version,
        None => ask(program, environment).await?,
    };
    if let Some(key) = key {
        known().insert(key, version);
    }
    Ok(version)
}

fn known() -> std::sync::MutexGuard<'static, HashMap<Key, Version>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(file: &Path) -> Option<Key> {
    let file = file.canonicalize().ok()?;
    let metadata = file.metadata().ok()?;
    Some((file, metadata.modified().ok(), metadata.len()))
}

/// The version in the `package.json` beside the file, or above its `bin`.
fn of_package(file: &Path) -> Option<Version> {
    let folder = file.parent()?;
    let above = folder.parent().filter(|_| folder.ends_with("bin"));
    [Some(folder), above].into_iter().flatten().find_map(|folder| {
        let text = std::fs::read(folder.join("package.json")).ok()?;
        let package: serde_json::Value = serde_json::from_slice(&text).ok()?;
        // Another package's number would be a lie: the file may just lie in somebody's project.
        let ours = package["name"].as_str()?.starts_with("@anthropic-ai/claude-code");
        ours.then(|| package["version"].as_str()?.parse().ok()).flatten()
    })
}

#[expect(clippy::disallowed_methods, reason = "a short-lived process that is no session: it only tells its version")]
async fn ask(program: &Program, environment: &Environment) -> Result<Version, Error> {
    let failed = |reason: String, stderr: &[u8]| Error::Version {
        program: program.file().to_owned(),
        reason,
        stderr: String::from_utf8_lossy(stderr).trim().to_owned(),
    };
    let mut command = tokio::process::Command::new(&program.program);
    command.args(&program.leading_args).arg("--version").env_clear().envs(environment.over(std::env::vars_os()));
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = match tokio::time::timeout(PATIENCE, command.output()).await {
        Ok(Ok(output)) => output,
        Ok(Err(error)) => return Err(failed(error.to_string(), b"")),
        Err(_) => return Err(failed(format!("it said nothing for {} s", PATIENCE.as_secs()), b"")),
    };
    if !output.status.success() {
        return Err(failed(output.status.to_string(), &output.stderr));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    said.parse().map_err(|error: NoVersion| failed(error.to_string(), &output.stderr))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::super::files::{Files, Text};
    use super::*;

    /// A folder with files in it.
    fn folder(files: &[(&str, &str)]) -> Files {
        let place = Files::new();
        let texts = files.iter().map(|(name, text)| Text { path: place.folder().join(name), text: (*text).to_owned() });
        place.write(&texts.collect::<Vec<_>>()).unwrap();
        place
    }

    /// Asks a script through its shell: a file that was just written cannot be started while another test is forking.
    async fn of(file: PathBuf) -> Result<Version, Error> {
        let program = Program { program: "/bin/sh".into(), leading_args: vec![file.into()] };
        probe(&program, &Environment::default()).await
    }

    #[test]
    fn versions_are_read_as_the_cli_writes_them_and_compare_as_numbers() {
        assert_eq!("2.1.38 (Claude Code)\n".parse(), Ok(Version::new(2, 1, 38)));
        assert_eq!("2.1.40-beta.1".parse(), Ok(Version::new(2, 1, 40)));
        assert!(Version::new(2, 1, 38) < Version::new(2, 1, 325));
        assert_eq!(Version::new(2, 1, 325).to_string(), "2.1.325");
        for wrong in ["", "2.1", "two", "2.1.x", "2.1.1.1"] {
            assert!(wrong.parse::<Version>().is_err(), "{wrong}");
        }
    }

    #[tokio::test]
    async fn a_package_tells_the_version_without_a_process() {
        let package = r#"{"name": "@anthropic-ai/claude-code", "version": "2.1.7"}"#;
        let place = folder(&[("cli.js", "not even a script"), ("package.json", package)]);
        let link = place.folder().join("claude");
        symlink(place.folder().join("cli.js"), &link).unwrap();
        assert_eq!(of(link).await.unwrap(), Version::new(2, 1, 7));
    }

    #[tokio::test]
    async fn another_package_is_not_believed_and_the_program_asked_until_it_changes() {
        let package = r#"{"name": "my-project", "version": "9.9.9"}"#;
        let script = "echo \"2.1.5 (Claude Code)\"\necho asked >> \"$0.log\"\n";
        let place = folder(&[("claude", script), ("package.json", package)]);
        let program = place.folder().join("claude");
        for _ in 0..2 {
            assert_eq!(of(program.clone()).await.unwrap(), Version::new(2, 1, 5));
        }
        assert_eq!(fs::read_to_string(place.folder().join("claude.log")).unwrap(), "asked\n");
        fs::write(&program, script.replace("2.1.5", "2.1.60")).unwrap();
        assert_eq!(of(program).await.unwrap(), Version::new(2, 1, 60));
    }

    #[tokio::test]
    async fn a_program_that_fails_is_quoted() {
        let place = folder(&[("claude", "echo no node here >&2\nexit 3\n")]);
        let Err(Error::Version { reason, stderr, .. }) = of(place.folder().join("claude")).await else { panic!() };
        assert_eq!((reason.as_str(), stderr.as_str()), ("exit status: 3", "no node here"));
        let talker = folder(&[("claude", "echo hello\n")]);
        let Err(error) = of(talker.folder().join("claude")).await else { panic!() };
        assert!(error.to_string().ends_with("`hello` is no version"), "{error}");
    }
}
