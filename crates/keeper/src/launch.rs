//! What a keeper is to start, as it is handed over: by pipe and not on the command line, where everyone could read it.

use std::ffi::OsString;
use std::path::PathBuf;

use claude_driver::{Environment, Plan, Program};
use insights::HostFact;
use serde::{Deserialize, Serialize};

/// An agent to start, and where to be found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Launch {
    /// The agent's program.
    pub program: String,
    /// Its arguments.
    pub argv: Vec<String>,
    /// Its working directory.
    pub cwd: String,
    /// Variables to set, or to take away.
    pub environment: Vec<(String, Option<String>)>,
    /// Does its environment start from nothing?
    pub clear_environment: bool,
    /// Its version.
    pub version: Option<String>,
    /// Where the keeper listens.
    pub socket: PathBuf,
    /// Lines that the agent gets before all others: the greeting.
    pub first: Vec<String>,
    /// A folder with files that the arguments name; it is removed when the agent has ended.
    pub files: Option<PathBuf>,
}

impl Launch {
    /// What a plan of the driver says. What is not UTF-8 cannot be handed over, and is replaced.
    pub fn new(plan: &Plan, socket: impl Into<PathBuf>, files: impl Into<PathBuf>) -> Self {
        let text = |text: &OsString| text.to_string_lossy().into_owned();
        let Program { path, arguments, environment, remove, set, folder } = &plan.program;
        let removed = remove.iter().map(|name| (text(name), None));
        let here = || std::env::current_dir().unwrap_or_default();
        Launch {
            program: text(path),
            argv: arguments.iter().map(text).collect(),
            cwd: folder.clone().unwrap_or_else(here).to_string_lossy().into_owned(),
            environment: removed.chain(set.iter().map(|(name, value)| (text(name), Some(text(value))))).collect(),
            clear_environment: *environment == Environment::Empty,
            version: Some(plan.version.to_string()),
            socket: socket.into(),
            first: Vec::new(),
            files: Some(files.into()),
        }
    }

    pub(crate) fn program(&self) -> Program {
        let set = self.environment.iter().filter_map(|(name, value)| Some((name.into(), value.as_ref()?.into())));
        let removed = self.environment.iter().filter(|(_, value)| value.is_none());
        Program {
            path: self.program.clone().into(),
            arguments: self.argv.iter().map(OsString::from).collect(),
            environment: if self.clear_environment { Environment::Empty } else { Environment::Inherited },
            remove: removed.map(|(name, _)| name.into()).collect(),
            set: set.collect(),
            folder: (!self.cwd.is_empty()).then(|| self.cwd.clone().into()),
        }
    }

    /// What is kept about it: never the environment, which holds secrets.
    pub(crate) fn fact(&self, pid: Option<u32>) -> HostFact {
        HostFact::Spawned {
            program: self.program.clone(),
            argv: self.argv.clone(),
            cwd: self.cwd.clone(),
            version: self.version.clone(),
            pid,
        }
    }
}
