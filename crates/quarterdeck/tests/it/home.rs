//! A home for the binary: a folder with data, and an agent that plays a story.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lab::agent::{SCRIPT_VARIABLE, Story, program};
use tempfile::TempDir;

/// A home with a data folder and an agent that plays a story.
pub(crate) struct Home {
    pub(crate) place: TempDir,
    pub(crate) program: PathBuf,
}

impl Home {
    pub(crate) async fn new(story: &Story) -> Home {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("story.json"), serde_json::to_string(story).unwrap()).unwrap();
        Home { place, program: program().await.unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    /// What the binary finds in its environment.
    pub(crate) fn environment(&self) -> Vec<(&'static str, OsString)> {
        vec![
            ("HOME", self.path().into()),
            ("XDG_RUNTIME_DIR", self.path().into()),
            ("QUARTERDECK_DATA", self.data().into()),
            ("QUARTERDECK_CLAUDE", self.program.clone().into()),
            (SCRIPT_VARIABLE, self.path().join("story.json").into()),
        ]
    }

    pub(crate) fn quarterdeck(&self, arguments: &[&str]) -> Output {
        self.quarterdeck_by(&[], arguments)
    }

    /// The binary, started by another program that has these words before it.
    #[expect(clippy::disallowed_methods, reason = "the one place where these tests start the binary with an agent")]
    pub(crate) fn quarterdeck_by(&self, before: &[&str], arguments: &[&str]) -> Output {
        let mut words = before.iter().copied().chain([env!("CARGO_BIN_EXE_quarterdeck")]);
        Command::new(words.next().unwrap())
            .args(words)
            .args(arguments)
            .current_dir(self.path())
            .envs(self.environment())
            .output()
            .unwrap()
    }

    /// What is said on stdout when all goes well.
    pub(crate) fn says(&self, arguments: &[&str]) -> String {
        let output = self.quarterdeck(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What is said on stderr when it goes wrong.
    pub(crate) fn complains(&self, arguments: &[&str]) -> String {
        let output = self.quarterdeck(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }
}
