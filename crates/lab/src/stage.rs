//! What sessions are started on: a model, a private place and an installed CLI, and how one is launched.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::agent::{Agent, Flags, Story};
use crate::error::LabError;
use crate::log::{Log, Record};
use crate::model::Model;
use crate::real::{CliVersion, Installed, Place, install, process};
use crate::script::Script;
use crate::session::{Session, success};

/// The arguments every session starts with unless told otherwise.
pub const BASE_ARGUMENTS: [&str; 9] = [
    "--output-format",
    "stream-json",
    "--input-format",
    "stream-json",
    "--verbose",
    "--permission-prompt-tool",
    "stdio",
    "--model",
    "claude-sonnet-4-5-20250929",
];

/// Answers a control request of the CLI at once: it gets the whole line and gives the `control_response` line to write,
/// or `None` to leave the request open.
pub type Responder = Box<dyn FnMut(&Value) -> Option<Value> + Send>;

/// A model, a private place and an installed CLI: what sessions are started on, one after the other.
///
/// ```no_run
/// # async fn story() -> Result<(), lab::LabError> {
/// use lab::{Launch, Script, Stage};
///
/// let stage = Stage::new("2.1.326".parse()?, Script::new().says("Hello.")).await?;
/// let mut session = stage.start(Launch::new().args(["--include-partial-messages"])).await?;
/// session.user("Say hello").await?;
/// let result = session.wait_for("the result", |line| line["type"] == "result").await?;
/// assert_eq!(result["result"], "Hello.");
/// let end = session.finish().await?;
/// assert_eq!(end.code, Some(0));
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Stage {
    /// The scripted model.
    pub model: Model,
    /// The folders.
    pub place: Place,
    cast: Cast,
    log: Log,
}

/// Who plays.
#[derive(Debug)]
enum Cast {
    Cli(Installed),
    Agent,
}

/// How to start a session.
#[derive(Default)]
pub struct Launch {
    pub(crate) base: Option<Vec<String>>,
    pub(crate) arguments: Vec<String>,
    pub(crate) environment: BTreeMap<String, Option<String>>,
    pub(crate) responder: Option<Responder>,
}

impl Stage {
    /// Installs the version if need be and prepares a model and a place.
    pub async fn new(version: CliVersion, script: Script) -> Result<Stage, LabError> {
        let installed = install(version).await?;
        Ok(Stage {
            model: Model::start(script).await?,
            place: Place::new().await?,
            cast: Cast::Cli(installed),
            log: Log::default(),
        })
    }

    /// A stage whose script may speak of the place.
    pub(crate) async fn with(installed: Installed, place: Place, script: Script) -> Result<Stage, LabError> {
        Ok(Stage { model: Model::start(script).await?, place, cast: Cast::Cli(installed), log: Log::default() })
    }

    /// A stage on which a scripted agent in this process plays the CLI: its replies are the model's, without HTTP.
    pub async fn with_agent(script: Script) -> Result<Stage, LabError> {
        Stage::agent_at(Place::new().await?, script).await
    }

    pub(crate) async fn agent_at(place: Place, script: Script) -> Result<Stage, LabError> {
        Ok(Stage { model: Model::start(script).await?, place, cast: Cast::Agent, log: Log::default() })
    }

    /// Starts the CLI with a clean environment that knows only this model.
    pub async fn start(&self, launch: Launch) -> Result<Session, LabError> {
        let arguments = launch.all_arguments();
        let mut started = json!({"event": "spawn", "argv": std::iter::once("claude").chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>(), "cwd": self.place.project()});
        if !launch.environment.is_empty() {
            started["env"] = json!(launch.environment);
        }
        // Nothing that a scenario sets may lead the CLI away from the scripted model.
        if launch.environment.contains_key("ANTHROPIC_BASE_URL") {
            return Err(LabError::Step { reason: "the model's address is not for a scenario to set".to_owned() });
        }
        let begin = self.log.len();
        self.log.meta(started);
        let installed = match &self.cast {
            Cast::Cli(installed) => installed,
            Cast::Agent => {
                let agent = Agent::with_mind(Story::new(), self.model.mind()).with_flags(Flags::parse(arguments));
                let agent = agent.in_folder(self.place.project());
                return Ok(Session::with_agent(agent, self.log.clone(), begin, launch.responder));
            }
        };
        let mut command = crate::process::command(&installed.program);
        command.args(&installed.script).args(arguments).current_dir(self.place.project());
        command.env_clear().envs(self.environment());
        for (name, value) in launch.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let program = installed.program.display().to_string();
        let child = command.spawn().map_err(|source| LabError::Spawn { program, source })?;
        Ok(Session::over(child, self.log.clone(), begin, launch.responder))
    }

    /// All lines of all sessions of this stage, in both directions.
    pub fn records(&self) -> Vec<Record> {
        self.log.records()
    }

    /// The file that is the CLI, for a program that starts it by itself: the native binary, or `cli.js`. None on a stage
    /// of the scripted agent.
    pub fn program(&self) -> Option<&Path> {
        match &self.cast {
            Cast::Cli(installed) => Some(installed.script.as_ref().unwrap_or(&installed.program)),
            Cast::Agent => None,
        }
    }

    /// The whole environment of a CLI on this stage: a private home, a dummy key, and this model's address.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        let node = process::find_program("node").ok().and_then(|node| node.parent().map(PathBuf::from));
        let folders = [PathBuf::from("/usr/bin"), PathBuf::from("/bin")].into_iter().chain(node);
        let path = std::env::join_paths(folders).unwrap_or_else(|_| "/usr/bin:/bin".into());
        let temporary = self.place.temporary();
        vec![
            ("PATH", path),
            ("HOME", self.place.home().into()),
            ("USER", "user".into()),
            ("TERM", "dumb".into()),
            ("LANG", "C.UTF-8".into()),
            ("TZ", "UTC".into()),
            ("TMPDIR", temporary.clone().into()),
            ("CLAUDE_CODE_TMPDIR", temporary.into()),
            ("ANTHROPIC_BASE_URL", self.model.base_url().into()),
            ("ANTHROPIC_API_KEY", "sk-ant-test-dummy".into()),
            ("DISABLE_TELEMETRY", "1".into()),
            ("DISABLE_AUTOUPDATER", "1".into()),
            ("DISABLE_ERROR_REPORTING", "1".into()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
            ("IS_SANDBOX", "1".into()),
        ]
    }
}

impl Launch {
    /// The base arguments and nothing else.
    pub fn new() -> Launch {
        Launch::default()
    }

    /// More arguments.
    pub fn args<T: Into<String>>(mut self, arguments: impl IntoIterator<Item = T>) -> Launch {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Other arguments instead of [`BASE_ARGUMENTS`].
    pub fn base<T: Into<String>>(mut self, arguments: impl IntoIterator<Item = T>) -> Launch {
        self.base = Some(arguments.into_iter().map(Into::into).collect());
        self
    }

    /// One more environment variable.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Launch {
        self.environment.insert(name.into(), Some(value.into()));
        self
    }

    /// Answers control requests as they come, without the test waiting for them.
    pub fn answering(mut self, responder: impl FnMut(&Value) -> Option<Value> + Send + 'static) -> Launch {
        self.responder = Some(Box::new(responder));
        self
    }

    /// Allows every tool that the CLI asks about and leaves other requests open.
    pub fn allowing(self) -> Launch {
        self.answering(|line| {
            let request = &line["request"];
            let allow = json!({"behavior": "allow", "updatedInput": request["input"]});
            (request["subtype"] == "can_use_tool").then(|| success(line, allow))
        })
    }

    fn all_arguments(&self) -> Vec<String> {
        let base = self.base.clone().unwrap_or_else(|| BASE_ARGUMENTS.map(str::to_owned).to_vec());
        base.into_iter().chain(self.arguments.iter().cloned()).collect()
    }
}

impl fmt::Debug for Launch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Launch").field("arguments", &self.arguments).finish_non_exhaustive()
    }
}
