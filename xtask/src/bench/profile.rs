//! The build that a bench measures: a profile in, programs built with it out.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::{Outcome, process, talk};

/// A profile of `Cargo.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Profile {
    /// What `cargo run --release` builds
    Release,
    /// What is shipped: link-time optimization over all crates
    Dist,
}

impl Profile {
    /// Its name in `Cargo.toml`, which is also the name of its folder.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Dist => "dist",
        }
    }

    /// What the binary may weigh.
    pub(super) fn most_binary_bytes(self) -> u64 {
        match self {
            Self::Release => 40_000_000,
            Self::Dist => 30_000_000,
        }
    }

    fn folder(self) -> PathBuf {
        process::target_dir().join(self.name())
    }

    /// Whether this very process was built with it. A debug build never counts, wherever it is.
    pub(super) fn is_ours(self) -> bool {
        let program = std::env::current_exe().ok();
        !cfg!(debug_assertions)
            && program.is_some_and(|program| program.parent().is_some_and(|folder| folder.ends_with(self.name())))
    }

    /// Runs the same command again in an xtask that is built with this profile.
    pub(super) fn hand_over(self) -> Result<Outcome> {
        talk::say(&format!("building with profile `{}`", self.name()));
        let mut cargo = process::cargo();
        cargo.args(["run", "--quiet", "--profile", self.name(), "--package", "xtask", "--"]);
        let status = cargo.args(std::env::args_os().skip(1)).status().context("could not start cargo")?;
        match status.code() {
            Some(0) => Ok(Outcome::Passed),
            Some(1) => Ok(Outcome::Failed),
            _ => bail!("the build with profile `{}` did not run: {status}", self.name()),
        }
    }

    /// Builds packages of the workspace, and says which folder their programs are in.
    pub(super) fn build(self, packages: &[&str]) -> Result<PathBuf> {
        talk::say(&format!("building {} with profile `{}`", packages.join(" and "), self.name()));
        let mut cargo = process::cargo();
        cargo.args(["build", "--quiet", "--profile", self.name(), "--bins"]);
        for package in packages {
            cargo.args(["--package", package]);
        }
        if !process::succeeds(&mut cargo)? {
            bail!("{} failed", process::shown(&cargo));
        }
        Ok(self.folder())
    }
}
