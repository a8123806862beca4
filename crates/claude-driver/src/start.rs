//! From a configuration to a running session, and the short ways through one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use claude_protocol::Prompt;
use claude_protocol::control::Initialize;

use crate::actor::Asks;
use crate::answer::Answer;
use crate::error::{Error, Result};
use crate::hooks::Hook;
use crate::launch::files::Files;
use crate::launch::find::{self, Lookup};
use crate::launch::notice::Notice;
use crate::launch::version::Version;
use crate::launch::{self, Launch, Wanted, environment, since, transcripts, version};
use crate::options::{Claude, Selection};
use crate::process::{Environment, Program};
use crate::session::{Facts, Running, Session};
#[cfg(feature = "tools")]
use crate::tools::ServedTools;
use crate::transport::{Parts, Transport};

/// All that a CLI is started with, for whoever starts it himself: see [`Claude::plan`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Plan {
    /// What to run.
    pub program: Program,
    /// The version that was found.
    pub version: Version,
    /// What the user should know.
    pub notices: Vec<Notice>,
    /// The first request to send, before any prompt.
    pub initialize: Initialize,
}

impl Claude {
    /// Starts a session: finds the CLI, asks its version, starts it and shakes hands with it.
    pub async fn start(&self) -> Result<Session> {
        let wanted = Wanted { permission_handler: self.handlers.permission.is_some() };
        let files = Files::new();
        let plan = self.plan_for(&wanted, &files).await?;
        let parts = plan.program.spawn().map_err(|source| Error::Spawn {
            program: plan.program.path.to_string_lossy().into_owned(),
            source: Arc::new(source),
        })?;
        let facts =
            Facts { version: Some(plan.version), notices: plan.notices, files: Some(files), ..Facts::default() };
        self.handshake(parts, plan.initialize, facts).await
    }

    /// What [`Claude::start`] would start, for a program that speaks to the CLI itself and answers its questions. Handlers
    /// of this configuration are not part of it. What is too long for the command line goes into files in `folder`, which is
    /// made if it is needed and must not be there before; whoever starts the CLI removes it when that has ended.
    pub async fn plan(&self, folder: &Path) -> Result<Plan> {
        self.plan_for(&Wanted { permission_handler: true }, &Files::lasting(folder)).await
    }

    async fn plan_for(&self, wanted: &Wanted, files: &Files) -> Result<Plan> {
        let options = &*self.options;
        let file = find::find(options.program.as_deref(), &Lookup::of_this_process())?;
        let program = find::Program::new(file, options.runtime.as_deref(), &options.runtime_args);
        let version = version::probe(&program, &environment::environment(options)).await?;
        let options = &options.clone().for_version(&version);
        let launch = launch::prepare(options, wanted, &version, files)?;
        let program = self.command(program, &launch);
        Ok(Plan { program, version, notices: launch.notices, initialize: launch.initialize })
    }

    /// Starts a session over pipes that are there already: a CLI in a container, on another machine, or a scripted one.
    /// The options that become flags are up to whoever started it.
    pub async fn start_over(&self, transport: impl Transport) -> Result<Session> {
        // Whoever has put the pipes there knows the CLI at their other end.
        let initialize = launch::initialize::initialize(&self.options, &since::NEWEST)?;
        self.handshake(Box::new(transport).open(), initialize, Facts::default()).await
    }

    fn command(&self, program: find::Program, launch: &Launch) -> Program {
        let mut arguments = program.leading_args;
        arguments.extend(launch.arguments.iter().cloned());
        let changes = &launch.environment.changes;
        let remove = changes.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.clone());
        let set = changes.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
        Program {
            path: program.program.into(),
            arguments,
            environment: if launch.environment.clear { Environment::Empty } else { Environment::Inherited },
            remove: remove.collect(),
            set: set.collect(),
            folder: self.options.cwd.clone().or_else(|| self.folder_of_session(&launch.environment)),
        }
    }

    /// The folder in which the CLI that this starts keeps what lasts, transcripts among it: `$CLAUDE_CONFIG_DIR`, else
    /// `~/.claude`, in the environment that it gets. `None` if that names no home.
    pub fn config_folder(&self) -> Option<PathBuf> {
        config_folder(&environment::environment(&self.options))
    }

    /// Where a session that is resumed was, if no folder is named: only there does the CLI find it.
    fn folder_of_session(&self, environment: &launch::environment::Environment) -> Option<PathBuf> {
        let Selection::Resume(session) = &self.options.selection else { return None };
        transcripts::folder_of(session, &config_folder(environment)?)
    }

    async fn handshake(&self, parts: Parts, mut initialize: Initialize, facts: Facts) -> Result<Session> {
        let limits = &self.options.limits;
        let facts = Facts {
            pid: parts.process.as_ref().and_then(|process| process.pid()),
            request_limit: limits.request_time,
            nonce: uuid::Uuid::new_v4().simple().to_string()[..8].to_owned(),
            ..facts
        };
        let running = Running {
            line_limit: limits.line_bytes,
            memory_limit: limits.memory_bytes,
            partial: !self.options.no_partial_messages,
            patience: limits.patience,
        };
        let handlers = Arc::clone(&self.handlers);
        Hook::declare(&handlers.hooks, &mut initialize);
        #[cfg(feature = "tools")]
        let asks = {
            let (notify, news) = tokio::sync::mpsc::unbounded_channel();
            let tools = ServedTools::start(&handlers.tool_servers, notify);
            if !tools.names().is_empty() {
                initialize.sdk_mcp_servers = Some(tools.names());
            }
            Asks::new(handlers, tools, news)
        };
        #[cfg(not(feature = "tools"))]
        let asks = Asks::new(handlers);
        let session = Session::open(parts, &running, facts, asks);
        match session.request_within(initialize, limits.start_time).await {
            Ok(answer) => session.initialized(answer),
            Err(error) => {
                // A half-started CLI is of no use to anyone.
                let exit = session.kill().await;
                return Err(match error {
                    Error::Exited(_) => Error::Exited(exit),
                    other => other,
                });
            }
        }
        Ok(session)
    }

    /// Asks one thing in a session of its own.
    pub async fn ask(&self, prompt: impl Into<Prompt>) -> Result<Answer> {
        let session = self.start().await?;
        let answer = session.send(prompt).await;
        session.close().await?;
        answer
    }

    /// Asks one thing, to be answered in the shape of `T`.
    #[cfg(feature = "tools")]
    pub async fn ask_as<T: serde::de::DeserializeOwned + schemars::JsonSchema>(
        &self,
        prompt: impl Into<Prompt>,
    ) -> Result<T> {
        self.clone().json_schema(schema_of::<T>()).ask(prompt).await?.structured()
    }
}

/// The schema of a type in the form that every version of the CLI reads. One of a newer draft, or before 2.1.325 one with a
/// `format` (`uint32`), is passed over, and the model is asked for no structure at all.
#[cfg(feature = "tools")]
fn schema_of<T: schemars::JsonSchema>() -> serde_json::Value {
    use schemars::transform::RecursiveTransform;

    let without_format = RecursiveTransform(|schema: &mut schemars::Schema| _ = schema.remove("format"));
    let settings = schemars::generate::SchemaSettings::draft07().with_transform(without_format);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn config_folder(environment: &launch::environment::Environment) -> Option<PathBuf> {
    let variables = environment.over(std::env::vars_os());
    let named = |name: &str| variables.get(OsStr::new(name)).map(PathBuf::from);
    named("CLAUDE_CONFIG_DIR").or_else(|| Some(named("HOME")?.join(".claude")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_the_cli_is_that_of_its_own_environment() {
        let home = Claude::new().env_clear().env("HOME", "/home/user");
        assert_eq!(home.config_folder(), Some(PathBuf::from("/home/user/.claude")));
        let named = home.env("CLAUDE_CONFIG_DIR", "/elsewhere");
        assert_eq!(named.config_folder(), Some(PathBuf::from("/elsewhere")));
        assert_eq!(Claude::new().env_clear().config_folder(), None);
    }
}
