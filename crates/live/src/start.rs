//! Starting agents: a session folder and its options in; a keeper with a running CLI out.

use std::sync::Arc;

use claude_driver::Claude;
use claude_protocol::{RequestId, ToCli, encode};
use insights::event::text::NoticeLevel;
use insights::{HostFact, UnixMillis};
use journal::Folder;
use keeper::{KeeperCommand, Launch, socket_path};

use crate::agent_files;
use crate::bypass::{bypasses, without_bypass};
use crate::error::{Error, Result};
use crate::options::Options;
use crate::session::{Session, writer};

/// What all sessions of this process share.
#[derive(Clone, Debug)]
pub struct Host {
    /// Which CLI is started, in which environment; the options of a session come on top of it.
    pub claude: Claude,
    /// How a keeper is started.
    pub keeper: KeeperCommand,
    /// May a session be started that asks for no permission?
    pub allows_bypass: bool,
    /// Do the settings files of the user and of the project count that want no permission to be asked for? Not where others than
    /// the person at the terminal can start agents.
    pub settings_may_bypass: bool,
    /// Is an agent that died started again by itself, as long as the crash budget lasts?
    pub restarts: bool,
    /// Which agents may be started at all.
    pub admission: Admission,
    /// What time it is.
    pub clock: fn() -> UnixMillis,
}

/// Says whether an agent may be started with some options. It is asked each time one is, whoever wants it: a person, a message
/// that comes when the agent has just ended, or nobody but the crash before. The default admits all.
#[derive(Clone)]
pub struct Admission(Arc<Check>);

type Check = dyn Fn(&Options) -> Result<()> + Send + Sync;

impl Admission {
    /// By this check, which may wait for a disk.
    pub fn new(check: impl Fn(&Options) -> Result<()> + Send + Sync + 'static) -> Self {
        Admission(Arc::new(check))
    }

    async fn check(&self, options: &Options) -> Result<()> {
        let (check, options) = (self.0.clone(), options.clone());
        tokio::task::spawn_blocking(move || check(&options)).await.unwrap_or(Err(Error::NotRunning))
    }
}

impl Default for Admission {
    fn default() -> Self {
        Admission::new(|_| Ok(()))
    }
}

impl std::fmt::Debug for Admission {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Admission").finish_non_exhaustive()
    }
}

/// Which conversation of the agent a process takes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Conversation {
    /// A new one, with this id.
    New(String),
    /// The one with this id.
    Resumed(String),
    /// A copy of the one with this id, up to a message or whole, under a new id.
    Forked { from: String, at: Option<String>, to: String },
}

impl Host {
    /// Starts an agent for a session, and attaches to its keeper. Returns when the agent can be spoken to; what it answers to
    /// the greeting comes as records.
    pub(crate) async fn launch(
        self: &Arc<Self>,
        session: &Session,
        options: &Options,
        conversation: &Conversation,
    ) -> Result<()> {
        if bypasses(options) && !self.allows_bypass {
            return Err(Error::BypassNotAllowed);
        }
        self.admission.check(options).await?;
        let mut options = options.clone();
        if !self.allows_bypass && !self.settings_may_bypass {
            options.settings = Some(without_bypass(options.settings));
        }
        let claude = conversation.choose(options.claude(&self.claude)?);
        let folder = session.folder();
        folder.make()?;
        remove_left(folder);
        let files = folder.path().join(format!("{FILES}{}", uuid::Uuid::new_v4().simple()));
        let mut planned = claude.plan(&files).await;
        if let Ok(plan) = &planned
            && !self.allows_bypass
            && !self.settings_may_bypass
            && agent_files::are_believed(&plan.version)
            && let Some(note) = self.without_subagents(&mut options).await
        {
            self.note(folder, &[note]).await?;
            // Its files are made anew.
            let _ = std::fs::remove_dir_all(&files);
            planned = conversation.choose(options.claude(&self.claude)?).plan(&files).await;
        }
        let launched = match planned {
            Ok(plan) => {
                let socket = socket_path(folder).map_err(|source| Error::File {
                    doing: "make a socket for",
                    path: folder.path().to_owned(),
                    source,
                })?;
                let greeting = RequestId::from(format!("initialize-{}", uuid::Uuid::new_v4().simple()));
                let first = encode(&ToCli::request(greeting, plan.initialize.clone()));
                let launch = Launch { first: vec![first], ..Launch::new(&plan, socket, &files) };
                self.keeper.start(folder, &launch).await.map_err(Error::from)
            }
            Err(error) => Err(error.into()),
        };
        if let Err(error) = launched {
            // Nobody will remove them if no keeper began its work.
            let _ = std::fs::remove_dir_all(&files);
            // The log may say how far it came.
            session.attach().await?;
            return Err(error);
        }
        if session.attach().await? { Ok(()) } else { Err(Error::NotRunning) }
    }

    /// Takes the subagents from an agent whose CLI would let one of them do anything without asking. What to tell of it then.
    async fn without_subagents(&self, options: &mut Options) -> Option<HostFact> {
        let (wished, config) = (options.clone(), self.claude.config_folder());
        let looking = move || agent_files::one_that_bypasses(&wished, config.as_deref());
        let file = tokio::task::spawn_blocking(looking).await.ok()??;
        options.disallowed_tools.push(agent_files::SUBAGENTS.to_owned());
        let text = format!(
            "No subagents: `{}` is for one that asks for no permission, and this version of the CLI would let it. A newer one \
             does not.",
            file.display()
        );
        Some(HostFact::Note { text, level: NoticeLevel::Warning })
    }

    /// Writes down, before an agent is started, which conversation is taken up.
    pub(crate) async fn note(&self, folder: &Folder, facts: &[HostFact]) -> Result<()> {
        let mut writer = writer(folder, self.clock).await?;
        for fact in facts {
            writer.append_fact((self.clock)(), fact)?;
        }
        Ok(writer.sync()?)
    }
}

impl Host {
    /// What an agent would be started with, for people to read. Nothing is started.
    pub(crate) async fn plan(&self, options: &Options) -> Result<Planned> {
        let files = std::env::temp_dir().join(format!("quarterdeck-plan-{}", uuid::Uuid::new_v4().simple()));
        let plan = options.claude(&self.claude)?.plan(&files).await;
        // Long texts go into files, which nobody will read.
        let _ = std::fs::remove_dir_all(&files);
        let plan = plan?;
        let text = |text: &std::ffi::OsString| text.to_string_lossy().into_owned();
        Ok(Planned {
            program: plan.program.path.to_string_lossy().into_owned(),
            arguments: plan.program.arguments.iter().map(text).collect(),
            version: plan.version.to_string(),
        })
    }
}

/// What an agent would be started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The version of the CLI.
    pub version: String,
}

/// How the folders begin that hold files for one agent.
const FILES: &str = "launch-";

/// Removes the files of agents whose keeper was killed before it could. Nobody else starts one in this folder now.
fn remove_left(folder: &Folder) {
    let entries = std::fs::read_dir(folder.path()).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(FILES.as_bytes())) {
        let _ = std::fs::remove_dir_all(entry.path());
    }
}

impl Conversation {
    fn choose(&self, claude: Claude) -> Claude {
        match self {
            Conversation::New(id) => claude.session_id(id),
            Conversation::Resumed(id) => claude.resume(id),
            Conversation::Forked { from, at, to } => {
                let claude = claude.resume(from).fork().session_id(to);
                match at {
                    Some(at) => claude.resume_at(at),
                    None => claude,
                }
            }
        }
    }
}
