//! A session over the scripted agent, in memory.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use claude_driver::protocol::FromCli;
use claude_driver::{Claude, Event, Session, Turn};
use futures_util::StreamExt;
use lab::agent::{Agent, Ending, Flags, Gates, IN_FILE, Story};
use tokio::io::{duplex, split};
use tokio::task::JoinHandle;

/// A session and the agent at its other end.
pub(crate) struct Scripted {
    pub(crate) session: Session,
    pub(crate) gates: Gates,
    pub(crate) agent: JoinHandle<Ending>,
    folder: PathBuf,
}

/// The flags that the driver itself always gives.
fn flags() -> Flags {
    Flags { partial_messages: true, replay_user_messages: true, prompts_host: true, ..Flags::default() }
}

/// Starts a session over an agent that plays this story.
pub(crate) async fn scripted(claude: Claude, story: Story) -> Scripted {
    let (host, theirs) = duplex(64 * 1024);
    let (agent_in, agent_out) = split(theirs);
    let folder = scratch();
    let agent = Agent::new(story).unwrap().with_flags(flags()).recording_in(&folder).unwrap();
    let gates = agent.gates();
    let agent = tokio::spawn(agent.run(agent_in, agent_out));
    let session = claude.start_over(split(host)).await.unwrap();
    Scripted { session, gates, agent, folder }
}

impl Scripted {
    /// Every line that the agent has read, once it has ended.
    pub(crate) async fn read_by_agent(self) -> Vec<serde_json::Value> {
        let Scripted { session, agent, folder, .. } = self;
        session.close().await.unwrap();
        agent.await.unwrap();
        let text = std::fs::read_to_string(folder.join(IN_FILE)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// A new folder that no other test uses.
pub(crate) fn scratch() -> PathBuf {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("claude-driver-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// All events of a turn.
pub(crate) async fn events(turn: &mut Turn) -> Vec<Event> {
    let mut all = Vec::new();
    while let Some(event) = turn.next().await {
        all.push(event.unwrap());
    }
    all
}

/// The kinds of the messages among these events.
pub(crate) fn kinds(events: &[Event]) -> Vec<String> {
    events.iter().filter_map(Event::message).map(FromCli::full_kind).collect()
}
