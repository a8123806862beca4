//! Packages of npm that our commands use: a folder and an exact version in, the folder that has it out.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{process, talk};

/// A package, by exact version: what a check or a figure says depends on it.
pub(crate) struct NpmPackage {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl NpmPackage {
    /// Installs it into `folder`, if it is not there, without the packages that it could do without. Gives the folder of the
    /// package itself.
    pub(crate) fn provide(&self, folder: &Path) -> Result<PathBuf> {
        let Self { name, version } = self;
        let package = folder.join("node_modules").join(name);
        if installed_version(&package).as_deref() == Some(*version) {
            return Ok(package);
        }
        talk::say(&format!("installing {name} {version}"));
        std::fs::create_dir_all(folder).with_context(|| format!("could not make `{}`", folder.display()))?;
        let mut npm = process::command("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--omit=optional", "--prefix"]);
        npm.arg(folder).arg(format!("{name}@{version}")).stdout(std::io::stderr());
        if !process::succeeds(&mut npm)? {
            bail!("{} failed", process::shown(&npm));
        }
        Ok(package)
    }
}

fn installed_version(package: &Path) -> Option<String> {
    let manifest = std::fs::read(package.join("package.json")).ok()?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).ok()?;
    manifest["version"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_installed_is_not_installed_again() {
        let folder = process::target_dir().join("tmp").join("npm-test");
        let package = NpmPackage { name: "no-such-package-of-ours", version: "1.2.3" };
        let place = folder.join("node_modules").join(package.name);
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("package.json"), r#"{"version":"1.2.3"}"#).unwrap();
        assert_eq!(package.provide(&folder).unwrap(), place);
        assert_eq!(installed_version(&folder), None);
    }
}
