//! The scripted agent: speaks Claude Code's stream-json like the CLI, from a story, without a model and without a
//! network. A story goes in; lines go out on the standard pipes (the program `scripted-agent`) or on any two pipes.
//!
//! Left to itself it does what the CLI 2.1.325 does: it answers control requests, starts a turn for each prompt, asks
//! before it uses a tool, ends the turn with a result and leaves when its input ends. A [`Story`] says what happens in a
//! turn and which faults there are; a model script ([`crate::Script`], as scenario files have it) is enough for a story
//! without faults. A tool is never really run: its result is what the story says.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! use lab::agent::{Agent, Ending, Story, Turn};
//! use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex, split};
//!
//! let story = Story::new().turn(Turn::new().says("Hello."));
//! let (host, agent) = duplex(64 * 1024);
//! let (agent_in, agent_out) = split(agent);
//! let running = tokio::spawn(Agent::new(story).unwrap().run(agent_in, agent_out));
//!
//! let (host_in, mut host_out) = split(host);
//! host_out.write_all(b"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n").await.unwrap();
//! host_out.shutdown().await.unwrap();
//! let mut lines = BufReader::new(host_in).lines();
//! let mut kinds = Vec::new();
//! while let Some(line) = lines.next_line().await.unwrap() {
//!     let line: serde_json::Value = serde_json::from_str(&line).unwrap();
//!     kinds.push(line["type"].as_str().unwrap().to_owned());
//! }
//! assert_eq!(kinds, ["system", "assistant", "result"]);
//! assert_eq!(running.await.unwrap(), Ending::Exited(0));
//! # }
//! ```
//!
//! Where it differs from the CLI on purpose: times and durations are constant; the tools of a message start when the
//! message has ended, not while it streams; subagents always run in the foreground; slash commands are prompts like any
//! other; nothing is kept on disk.

mod actor;
mod control;
mod faults;
mod flags;
mod flood;
mod hooks;
mod lines;
mod mcp;
mod message;
mod pace;
mod paced;
mod permission;
#[cfg(feature = "stage")]
mod place;
mod program;
mod queries;
mod record;
mod session;
mod story;
mod tasks;
mod tools;
mod turn;
mod wire;

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::error::LabError;
use crate::model::Mind;
use actor::Actor;
use record::Record;
use session::Session;
use wire::{Arrivals, Inbound, Wire, read_lines};

pub use flags::Flags;
pub use pace::Pace;
pub use paced::moment_us;
#[cfg(feature = "stage")]
pub use place::program;
pub use program::{RECORD_VARIABLE, SCRIPT_VARIABLE, VERSION_VARIABLE, run_on_stdio, run_program};
pub use record::{IN_FILE, OUT_FILE};
pub use story::{ControlFault, ControlRule, Death, Dialect, Flood, Hang, Ignored, Kind, Paced, Step, Story, Turn};

/// A scripted agent that is ready to run.
pub struct Agent {
    story: Story,
    flags: Flags,
    mind: Mind,
    record: Record,
    folder: PathBuf,
    pace: Pace,
    stderr: Box<dyn Write + Send>,
}

/// How an agent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// It killed itself; in memory, it just stopped.
    Killed,
}

/// Opens the gates of a running agent's story.
#[derive(Clone, Debug)]
pub struct Gates(Mind);

/// An agent that already reads, so that signals can be passed to it.
struct Prepared {
    actor: Actor,
    reader: JoinHandle<()>,
    inbound: UnboundedSender<Inbound>,
}

impl Agent {
    /// An agent with the flags that a host gives: asks go to the host.
    pub fn new(story: Story) -> Result<Agent, LabError> {
        let mind = Mind::new(story.model.clone())?;
        Ok(Agent::with_mind(story, mind))
    }

    pub(crate) fn with_mind(story: Story, mind: Mind) -> Agent {
        let flags = Flags { prompts_host: true, ..Flags::default() };
        let folder = PathBuf::from("/home/user/project");
        let (record, pace) = (Record::default(), Pace::default());
        Agent { story, flags, mind, record, folder, pace, stderr: Box::new(std::io::sink()) }
    }

    /// The flags of the command line instead.
    pub fn with_flags(mut self, flags: Flags) -> Agent {
        self.flags = flags;
        self
    }

    /// The folder that the agent says it works in.
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Agent {
        self.folder = folder.into();
        self
    }

    /// Takes its time.
    pub fn at_pace(mut self, pace: Pace) -> Agent {
        self.pace = pace;
        self
    }

    /// Keeps every line in `in.jsonl` and `out.jsonl` of a folder.
    pub fn recording_in(mut self, folder: &Path) -> Result<Agent, LabError> {
        self.record = Record::in_folder(folder)?;
        Ok(self)
    }

    /// Where the words for the standard error go; nowhere, if nothing is said.
    pub fn complaining_to(mut self, stderr: impl Write + Send + 'static) -> Agent {
        self.stderr = Box::new(stderr);
        self
    }

    /// A handle that opens the gates of the story while the agent runs.
    pub fn gates(&self) -> Gates {
        Gates(self.mind.clone())
    }

    /// Runs on two pipes until the story ends or the input does. Both are dropped at the end.
    pub async fn run<R, W>(self, input: R, output: W) -> Ending
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        self.prepare(input, output).perform().await
    }

    fn prepare<R, W>(self, input: R, output: W) -> Prepared
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, receiver) = unbounded_channel();
        let (read, written) = self.record.split();
        let reader = tokio::spawn(read_lines(input, read, sender.clone()));
        let session = Session::new(&self.story, &self.flags, self.folder);
        let wire = Wire::new(output, written);
        let inbound = Arrivals { sender: sender.clone(), receiver };
        let mut actor = Actor::new(self.story, self.flags, session, wire, self.mind, inbound, self.stderr);
        actor.pace = self.pace;
        Prepared { actor, reader, inbound: sender }
    }
}

impl Prepared {
    fn inbound(&self) -> UnboundedSender<Inbound> {
        self.inbound.clone()
    }

    async fn perform(self) -> Ending {
        let ending = self.actor.perform().await;
        // A pipe that nobody reads any more has to be closed.
        self.reader.abort();
        ending
    }
}

impl Gates {
    /// Opens a gate for good.
    pub fn release(&self, gate: &str) {
        self.0.release(gate);
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Agent").field("story", &self.story).field("flags", &self.flags).finish_non_exhaustive()
    }
}
