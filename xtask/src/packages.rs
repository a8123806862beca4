//! Programs of the system that our commands need: what is needed in, what is missing installed.
//!
//! Only what is missing is touched, and only Debian's own packages by its own installer; on any other system, or
//! without the right to install, the answer is a text that says what to install.

use std::path::Path;

use anyhow::{Result, bail};

use crate::{process, talk};

/// A program that must be there, and the Debian package that brings it.
pub(crate) struct Need {
    /// The program and the arguments of a call that works when all is well.
    pub(crate) probe: &'static [&'static str],
    /// The Debian package.
    pub(crate) package: &'static str,
    /// What it is needed for, to be read after "for".
    pub(crate) purpose: &'static str,
}

impl Need {
    /// The program's name.
    pub(crate) fn program(&self) -> &'static str {
        self.probe[0]
    }

    pub(crate) fn is_met(&self) -> bool {
        self.probe.split_first().is_some_and(|(program, args)| process::works(process::command(program).args(args)))
    }
}

/// Installs what is missing, or says what to install.
pub(crate) fn provide(needs: &[Need]) -> Result<()> {
    let missing: Vec<&Need> = needs.iter().filter(|need| !need.is_met()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().map(|need| need.package).collect();
    let list = missing
        .iter()
        .map(|need| format!("  {} (Debian package `{}`), for {}", need.program(), need.package, need.purpose))
        .collect::<Vec<_>>()
        .join("\n");
    let hint = format!("missing on this machine:\n{list}\nhint: apt-get install {}", packages.join(" "));
    if !Path::new("/usr/bin/apt-get").exists() || !is_root() {
        bail!("{hint}");
    }
    talk::say(&format!("installing {}", packages.join(", ")));
    let install = || -> Result<bool> {
        Ok(process::succeeds(apt().args(["update", "-qq"]))?
            && process::succeeds(apt().args(["install", "-qq", "--yes", "--no-install-recommends"]).args(&packages))?)
    };
    if !install()? {
        bail!("apt-get could not install {}\n{hint}", packages.join(", "));
    }
    match missing.iter().find(|need| !need.is_met()) {
        None => Ok(()),
        Some(need) => bail!("`{}` still does not work after installing `{}`", need.probe.join(" "), need.package),
    }
}

fn apt() -> std::process::Command {
    let mut apt = process::command("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive").stdout(std::io::stderr());
    apt
}

fn is_root() -> bool {
    process::output(process::command("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
