//! SIGKILL of the agent, of the keeper, of everything: the session says what happened, marks what nobody knows, goes on, and
//! leaves no process behind.

use std::path::Path;
use std::time::Duration;

use insights::HostFact;
use insights::state::header::AgentProcess;
use journal::{Folder, Writer};
use lab::agent::{Story, Turn};
use live::Session;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Bridge, Stage, facts, gone};

/// A session whose agent works on a prompt, with a command of its own running.
struct Working {
    stage: Stage,
    bridge: Bridge,
    session: String,
    agent: u32,
    command: u32,
    /// Where the agent notes the command; also the next one.
    _place: TempDir,
}

impl Working {
    async fn new() -> Working {
        let place = tempfile::tempdir().unwrap();
        let pid_file = place.path().join("pid");
        let works = Turn::new().leaves_behind(&["sleep", "1000"], &pid_file).says("Working.").hangs();
        let stage = Stage::new(&Story::new().turn(works).turn(Turn::new().says("Back again."))).await;
        let mut bridge = stage.bridge().await;
        let started = bridge.order(&stage.start_order()).await.unwrap();
        let session = started["session"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
        let send = json!({"do": "send", "session": session, "id": "m1", "text": "work"});
        assert!(bridge.order(&send).await.unwrap()["seq"].is_u64());
        let wait = json!({"do": "wait", "session": session, "text": "Working."});
        assert_eq!(bridge.order(&wait).await.unwrap()["found"], true);
        let agent = facts(&stage.log(&session)).into_iter().find_map(|fact| match fact {
            HostFact::Spawned { pid, .. } => pid,
            _ => None,
        });
        let command = std::fs::read_to_string(&pid_file).unwrap().trim().parse().unwrap();
        Working { stage, bridge, session, agent: agent.unwrap(), command, _place: place }
    }

    fn keeper(&self) -> u32 {
        let folder = self.stage.folder(&self.session).path().to_string_lossy().into_owned();
        let mut found = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let words = std::fs::read(entry.path().join("cmdline")).ok()?;
            let keeps = words.split(|byte| *byte == 0).any(|word| word == b"keep");
            let ours = words.split(|byte| *byte == 0).any(|word| word == folder.as_bytes());
            (keeps && ours).then(|| entry.file_name().to_str()?.parse::<u32>().ok())?
        });
        found.next().unwrap()
    }

    async fn look(&mut self) -> Value {
        let look = json!({"do": "look", "session": self.session, "turns": 0});
        self.bridge.order(&look).await.unwrap()
    }

    /// After a crash the agent is started again by itself; the prompt it worked on is not sent again.
    async fn goes_on(mut self) {
        let send = json!({"do": "send", "session": self.session, "id": "m2", "text": "and now?"});
        let sent = self.bridge.order(&send).await.unwrap();
        assert!(sent["seq"].is_u64(), "{sent}");
        let wait = json!({"do": "wait", "session": self.session, "text": "Working."});
        assert_eq!(self.bridge.order(&wait).await.unwrap()["found"], true, "the new process plays its story anew");
        let close = json!({"do": "kill", "session": self.session});
        assert_eq!(self.bridge.order(&close).await.unwrap(), json!({"closed": true}));
        let folder = self.stage.folder(&self.session);
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        let names: Vec<&str> = left.iter().filter_map(|name| name.to_str()).collect();
        assert!(names.iter().all(|name| ["lock", "log.jsonl", "options.json"].contains(name)), "{names:?}");
    }
}

fn kill(pid: u32) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), Signal::KILL).unwrap();
}

#[tokio::test]
async fn the_agent_is_killed() {
    let mut working = Working::new().await;
    kill(working.agent);
    gone(&[working.agent, working.command]).await;
    let wait = json!({"do": "waitFacts", "session": working.session, "fact": "spawned", "count": 2});
    assert_eq!(working.bridge.order(&wait).await.unwrap()["found"], true);
    let told = facts(&working.stage.log(&working.session));
    assert!(
        told.iter().any(|fact| matches!(fact, HostFact::Exited { signal: Some(9), expected: false, .. })),
        "{told:#?}"
    );
    assert!(told.iter().any(|fact| matches!(fact, HostFact::Resumed { .. })), "{told:#?}");
    working.goes_on().await;
}

#[tokio::test]
async fn the_keeper_is_killed() {
    let mut working = Working::new().await;
    kill(working.keeper());
    gone(&[working.agent, working.command]).await;
    let wait = json!({"do": "waitFacts", "session": working.session, "fact": "spawned", "count": 2});
    assert_eq!(working.bridge.order(&wait).await.unwrap()["found"], true);
    let told = facts(&working.stage.log(&working.session));
    assert!(told.iter().any(|fact| matches!(fact, HostFact::Lost)), "{told:#?}");
    working.goes_on().await;
}

#[tokio::test]
async fn everything_is_killed() {
    let mut working = Working::new().await;
    let keeper = working.keeper();
    let fresh = working.stage.path().join("nobody");
    assert!(!Path::new(&fresh).exists());
    kill(working.bridge.pid());
    kill(keeper);
    kill(working.agent);
    gone(&[working.agent, working.command]).await;
    working.bridge = working.stage.bridge().await;
    let seen = working.look().await;
    assert_eq!(seen["running"], false, "a session that is found dead waits for its user: {seen}");
    assert!(seen["words"].as_str().unwrap().len() > 3, "{seen}");
    let told = facts(&working.stage.log(&working.session));
    assert!(matches!(told.last(), Some(HostFact::Lost)), "{told:#?}");
    working.goes_on().await;
}

/// The system closes the files of a killed keeper one after the other, so its lock can be there when its socket is not.
#[tokio::test(start_paused = true)]
async fn the_lock_of_a_killed_keeper_goes_last() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path().join("00000000-0000-4000-8000-000000000001"));
    let mut writer = Writer::open(folder.clone(), keeper::now()).unwrap();
    let argv = Vec::new();
    let spawned =
        HostFact::Spawned { program: "claude".to_owned(), argv, cwd: "/".to_owned(), version: None, pid: Some(1) };
    writer.append_fact(keeper::now(), &spawned).unwrap();
    let free = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        drop(writer);
    };
    let (session, ()) = tokio::join!(Session::open(folder, keeper::now), free);
    assert_eq!(session.unwrap().with_state(|state| state.status.agent), AgentProcess::Died);
}
