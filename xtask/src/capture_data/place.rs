//! Where the data is recorded: folders with names that no machine gave them, since the data keeps them.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use lab::agent::{SCRIPT_VARIABLE, Story};

use crate::process;

/// Above all folders. The path of a socket below it is short.
const PATH: &str = "/tmp/quarterdeck-data";

/// The key of the installation, in hexadecimal: `quarterdeck test key, no secret!`.
const KEY: &str = "717561727465726465636b2074657374206b65792c206e6f2073656372657421";

/// The folders. They are removed when this is dropped, but for those that tests work in.
pub(super) struct Place {
    binary: PathBuf,
}

impl Place {
    /// Makes the folders, with the programs that were built.
    pub(super) fn new(programs: &Path) -> Result<Place> {
        let place = Place { binary: programs.join("quarterdeck") };
        if place.data().exists() {
            bail!("`{}` is left from another capture, or one runs: remove it first", place.data().display());
        }
        // Tests of captured data have agents in the first two, also those of other users.
        for name in ["harbour", "lighthouse", "reef"] {
            fs::create_dir_all(place.path(name)).with_context(|| format!("could not make `{PATH}/{name}`"))?;
        }
        let mut private = DirBuilder::new();
        private.recursive(true).mode(0o700);
        for name in ["home", "run", "bin", "data/secrets"] {
            private.create(place.path(name)).with_context(|| format!("could not make `{PATH}/{name}`"))?;
        }
        // The log says which program was started.
        fs::copy(programs.join("scripted-agent"), place.agent())?;
        let key = place.path("data/secrets/key");
        fs::write(&key, KEY)?;
        fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        Ok(place)
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        Path::new(PATH).join(name)
    }

    pub(super) fn data(&self) -> PathBuf {
        self.path("data")
    }

    pub(super) fn session(&self, id: &str) -> PathBuf {
        self.data().join("sessions").join(id)
    }

    pub(super) fn log(&self, id: &str) -> PathBuf {
        self.session(id).join("log.jsonl")
    }

    /// The scripted agent, under the name of the CLI.
    pub(super) fn agent(&self) -> PathBuf {
        self.path("bin/claude")
    }

    /// The next agent that is started follows this story.
    pub(super) fn tell(&self, story: &Story) -> Result<()> {
        Ok(fs::write(self.path("story.json"), serde_json::to_string(story)?)?)
    }

    /// The binary, with the environment of this place and no other.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = process::command(&self.binary);
        command.args(arguments).current_dir(self.path("home")).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.path("home"));
        command.env("XDG_RUNTIME_DIR", self.path("run")).env("QUARTERDECK_DATA", self.data());
        command.env("QUARTERDECK_CLAUDE", self.agent()).env(SCRIPT_VARIABLE, self.path("story.json"));
        command
    }

    /// Runs a command of the binary that has to succeed.
    pub(super) fn quarterdeck(&self, arguments: &[&str]) -> Result<String> {
        process::output(&mut self.command(arguments))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // A capture that went well has left none.
        let _ = super::damage::end_all(self);
        for name in ["home", "run", "bin", "data", "reef"] {
            let _ = fs::remove_dir_all(self.path(name));
        }
        let _ = fs::remove_file(self.path("story.json"));
    }
}
