//! Options in, everything a process is started with out: [`prepare`] makes the arguments, the files they name, the
//! environment, the first request and what the user should know. [`find`] says which program, [`version`] how old it is.
//!
//! Whatever may be long goes into `initialize` or into a file, so that it never meets the limit of a command line.

pub(crate) mod arguments;
pub(crate) mod environment;
pub(crate) mod files;
pub(crate) mod find;
pub(crate) mod initialize;
#[cfg(test)]
mod measured;
pub(crate) mod notice;
pub(crate) mod since;
pub(crate) mod transcripts;
pub(crate) mod version;

use std::ffi::OsString;

use claude_protocol::control::Initialize;

use crate::error::Error;
use crate::options::Options;
use arguments::{Arguments, Limit};
use environment::Environment;
use files::Files;
use notice::Notice;
use version::Version;

/// What the session itself needs of the CLI, beside the options.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// There is someone to answer permission prompts.
    pub(crate) permission_handler: bool,
}

/// Everything that a process is started with.
#[derive(Debug)]
pub(crate) struct Launch {
    /// The arguments, behind those of the program.
    pub(crate) arguments: Vec<OsString>,
    /// The environment.
    pub(crate) environment: Environment,
    /// The first request, which must be the first line. The session adds its hooks and servers.
    pub(crate) initialize: Initialize,
    /// What the user should know.
    pub(crate) notices: Vec<Notice>,
}

/// Prepares a launch. Writes files only if the options need some.
pub(crate) fn prepare(options: &Options, wanted: &Wanted, version: &Version, files: &Files) -> Result<Launch, Error> {
    let Arguments { list, texts } = arguments::arguments(options, wanted, version, files.folder())?;
    arguments::check_length(&list, Limit::of_this_system())?;
    let initialize = initialize::initialize(options, version)?;
    let environment = environment::environment(options);
    let notices = notice::notices(options, wanted);
    files.write(&texts)?;
    Ok(Launch { arguments: list, environment, initialize, notices })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Claude;

    #[test]
    fn a_prompt_of_a_megabyte_leaves_the_command_line_short() {
        let claude = Claude::new().system_prompt("x".repeat(1 << 20));
        let files = Files::new();
        let launch = prepare(&claude.options, &Wanted::default(), &Version::new(2, 1, 1), &files).unwrap();
        assert!(launch.arguments.iter().map(|argument| argument.len()).sum::<usize>() < 1000);
        assert!(!files.folder().exists());
    }
}
