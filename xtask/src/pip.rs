//! Packages of PyPI that our commands use: a folder and an exact version in, an interpreter that has it out.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::packages::{self, Need};
use crate::{process, talk};

/// A package, by exact version: what a check or a figure says depends on it.
pub(crate) struct PipPackage {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// What it is needed for.
    pub(crate) purpose: &'static str,
}

impl PipPackage {
    /// Installs it into an environment of its own in `folder`, if it is not there, and gives the interpreter.
    pub(crate) fn provide(&self, folder: &Path) -> Result<PathBuf> {
        let Self { name, version, purpose } = self;
        let probe = &["python3", "-c", "import venv, ensurepip"];
        packages::provide(&[Need { probe, package: "python3-venv", purpose }])?;
        let python = folder.join("bin").join("python");
        if self.installed_version(&python).as_deref() != Some(*version) {
            talk::say(&format!("installing {name} {version}"));
            run(process::command("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
            run(process::command(&python).args(["-m", "pip", "install", "--quiet", &format!("{name}=={version}")]))?;
        }
        Ok(python)
    }

    fn installed_version(&self, python: &Path) -> Option<String> {
        if !python.exists() {
            return None;
        }
        let ask = format!(
            "import importlib.metadata as m\ntry: print(m.version('{}'))\nexcept m.PackageNotFoundError: pass",
            self.name
        );
        process::output(process::command(python).args(["-c", &ask])).ok().map(|version| version.trim().to_owned())
    }
}

fn run(command: &mut Command) -> Result<()> {
    command.stdout(std::io::stderr());
    if !process::succeeds(command)? {
        bail!("{} failed", process::shown(command));
    }
    Ok(())
}
