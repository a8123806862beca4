//! The process: which program, where, with which environment, and what it writes for those who look for a fault.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use super::Claude;

/// Environment variables to set, or to remove. Only their names are shown by `Debug`: the values may be secrets.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Variables(pub(crate) BTreeMap<OsString, Option<OsString>>);

impl fmt::Debug for Variables {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

/// What the CLI writes for those who look for a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Debug {
    /// All of it: `--debug`.
    Everything,
    /// Some categories, such as `hooks,mcp` or `!hooks`: `--debug=<filter>`.
    Only(String),
    /// All of it, to the standard error: `--debug-to-stderr`.
    ToStderr,
}

impl Claude {
    /// The CLI to start; without this it is looked for in `QUARTERDECK_CLAUDE`, on the `PATH` and in the usual places. A
    /// script (`cli.js`) is started with `node`.
    pub fn program(self, program: impl Into<PathBuf>) -> Claude {
        self.with(|options| options.program = Some(program.into()))
    }

    /// What runs the CLI when it is a script, in place of `node`.
    pub fn runtime(self, runtime: impl Into<PathBuf>) -> Claude {
        self.with(|options| options.runtime = Some(runtime.into()))
    }

    /// Arguments of what runs the CLI when it is a script.
    pub fn runtime_args<T: Into<OsString>>(self, arguments: impl IntoIterator<Item = T>) -> Claude {
        self.with(|options| options.runtime_args.extend(arguments.into_iter().map(Into::into)))
    }

    /// The working directory.
    pub fn cwd(self, directory: impl Into<PathBuf>) -> Claude {
        self.with(|options| options.cwd = Some(directory.into()))
    }

    /// An environment variable for the CLI. It outranks what this crate would set or remove.
    pub fn env(self, name: impl Into<OsString>, value: impl Into<OsString>) -> Claude {
        self.with(|options| _ = options.variables.0.insert(name.into(), Some(value.into())))
    }

    /// An environment variable that the CLI must not have.
    pub fn env_remove(self, name: impl Into<OsString>) -> Claude {
        self.with(|options| _ = options.variables.0.insert(name.into(), None))
    }

    /// Starts the CLI with no environment but what is set with [`Claude::env`].
    pub fn env_clear(self) -> Claude {
        self.with(|options| options.clear_environment = true)
    }

    /// Keeps copies of files before they are changed, so that they can be brought back:
    /// `CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1`. Every version.
    pub fn file_checkpoints(self) -> Claude {
        self.with(|options| options.file_checkpoints = true)
    }

    /// More arguments, as they are, behind all others.
    pub fn extra_args<T: Into<OsString>>(self, arguments: impl IntoIterator<Item = T>) -> Claude {
        self.with(|options| options.extra_args.extend(arguments.into_iter().map(Into::into)))
    }

    /// Writes what helps to find a fault: `--debug`, `--debug-to-stderr`. Every version.
    pub fn debug(self, debug: Debug) -> Claude {
        self.with(|options| options.debug = Some(debug))
    }

    /// Writes what helps to find a fault into a file: `--debug-file`. Since 2.1.20.
    pub fn debug_file(self, file: impl Into<PathBuf>) -> Claude {
        self.with(|options| options.debug_file = Some(file.into()))
    }
}
