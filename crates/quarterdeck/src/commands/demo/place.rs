//! The folder of a demo: data, a project to work in, and what stands for the CLI. It is there as long as the demo runs.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use claude_driver::Claude;

use super::agent::PACE_VARIABLE;

/// The files of the project, by their path in it. The stories speak of more; these can be looked at.
const PROJECT: [(&str, &str); 4] = [
    ("README.md", include_str!("../../../demo/project/README.md")),
    ("package.json", include_str!("../../../demo/project/package.json")),
    ("src/cart/total.ts", include_str!("../../../demo/project/total.ts")),
    ("src/checkout/payment.ts", include_str!("../../../demo/project/payment.ts")),
];

/// A folder that is thrown away.
#[derive(Debug)]
pub(super) struct Place {
    root: PathBuf,
}

impl Place {
    pub(super) fn new() -> Result<Place> {
        let name = format!("quarterdeck-demo-{}", &uuid::Uuid::new_v4().simple().to_string()[..12]);
        let root = std::env::temp_dir().join(name);
        let cannot = || format!("could not make the folder `{}`", root.display());
        DirBuilder::new().mode(0o700).create(&root).with_context(cannot)?;
        // Agents tell where they are by the true path.
        let place = Place { root: root.canonicalize().with_context(cannot)? };
        for (path, text) in PROJECT {
            write(&place.project().join(path), text)?;
        }
        write(&place.program(), "// Stands for the CLI: `quarterdeck demo-agent` is what runs.\n")?;
        Ok(place)
    }

    /// The data folder.
    pub(super) fn data(&self) -> PathBuf {
        self.root.join("data")
    }

    /// Where the agents work.
    pub(super) fn project(&self) -> PathBuf {
        self.root.join("harbour-shop")
    }

    /// How an agent is started: this program runs it, as node runs a CLI that is a script.
    pub(super) fn claude(&self, pace: u32) -> Result<Claude> {
        let this = std::env::current_exe().context("could not find this program's own file")?;
        Ok(Claude::new()
            .program(self.program())
            .runtime(this)
            .runtime_args(["demo-agent"])
            .env(PACE_VARIABLE, pace.to_string())
            // The user's own sessions are no part of the demo.
            .env("CLAUDE_CONFIG_DIR", self.root.join("claude")))
    }

    fn program(&self) -> PathBuf {
        self.root.join("agent.js")
    }

    /// Removes the folder and all that is in it.
    pub(super) fn remove(self) -> Result<()> {
        remove(&self.root).with_context(|| format!("could not remove the folder `{}`", self.root.display()))
    }
}

impl Drop for Place {
    /// For the ways out on which nobody removed it.
    fn drop(&mut self) {
        let _ = remove(&self.root);
    }
}

fn remove(root: &Path) -> std::io::Result<()> {
    let mut last = Ok(());
    // Whoever is just ending may still write a file, so another try is worth it.
    for _ in 0..5 {
        last = match fs::remove_dir_all(root) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            tried => tried,
        };
        if last.is_ok() {
            break;
        }
    }
    last
}

fn write(path: &Path, text: &str) -> Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.with_context(|| format!("could not write `{}`", path.display()))
}
