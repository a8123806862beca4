//! The server, started as users start it: its token, its sessions, its figures, and its end.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lab::agent::{SCRIPT_VARIABLE, Story};
use serde_json::{Value, json};

use super::super::Spread;
use super::report::Start;
use super::watch::{Socket, connect, follow_server, watch};
use super::{OLD, Pace, STUCK, Streamed, Taken, told};
use crate::http::{Client, Served};
use crate::{clock, process};

/// A server that runs.
pub(super) struct Running {
    served: Served,
    client: Client,
    binary: PathBuf,
    place: PathBuf,
}

impl Running {
    /// Starts a server with its data in `place`, whose agents follow a story.
    pub(super) async fn start(binary: &Path, agent: &Path, place: &Path, story: &Story) -> Result<Running> {
        let story = told(place, story)?;
        let data = place.join("data");
        let mut command = process::command(binary);
        command.args(["token", "add", "bench"]).env("QUARTERDECK_DATA", &data);
        let token = process::output(&mut command)?.trim().to_owned();
        let served = serve(binary, place, agent, &story).await?;
        let client = Client { address: served.address()?, token };
        Ok(Running { served, client, binary: binary.to_owned(), place: place.to_owned() })
    }

    pub(super) fn memory(&self) -> Result<u64> {
        memory_of(self.served.child.id().context("the server is gone")?)
    }

    /// Starts so many sessions at once, watched by so many, until all their turns are over. Where agents tell the time, that
    /// is how often.
    pub(super) async fn stream(&mut self, sessions: usize, watchers: usize, ticks: Option<u64>) -> Result<Streamed> {
        let pid = self.served.child.id().context("the server is gone")?;
        let mut ids = Vec::new();
        for _ in 0..sessions {
            let started =
                self.client.call("POST", "/api/v1/sessions", &json!({"options": {"cwd": self.place}})).await?;
            ids.push(started["session"].as_str().context("no session was started")?.to_owned());
        }
        let mut watching = tokio::task::JoinSet::new();
        for number in 0..watchers {
            let mine: Vec<String> = ids.iter().skip(number).step_by(watchers).cloned().collect();
            let socket = self.socket().await?;
            watching.spawn(follow_server(socket, mine, ticks));
        }
        // They want everything and read nothing: that must cost the others nothing.
        let mut stuck = Vec::new();
        for _ in 0..STUCK {
            let mut socket = self.socket().await?;
            watch(&mut socket, &ids).await?;
            stuck.push(socket);
        }
        let (begun, before) = (clock::now(), (processor_seconds(pid)?, self.keepers()?.processor_seconds));
        for (number, id) in ids.iter().enumerate() {
            let message = json!({"id": format!("00000000-0000-4000-8000-{number:012}"), "text": "go"});
            self.client.call("POST", &format!("/api/v1/sessions/{id}/messages"), &message).await?;
        }
        let watched = watching.join_all().await.into_iter().collect::<Result<Vec<_>>>()?;
        let seconds = begun.elapsed().as_secs_f64();
        drop(stuck);
        let complete = watched.iter().map(|one| one.complete).sum();
        let middle = Taken { processor_seconds: processor_seconds(pid)? - before.0, memory_bytes: memory_of(pid)? };
        let keepers = self.keepers()?;
        let keepers = Taken { processor_seconds: keepers.processor_seconds - before.1, ..keepers };
        Ok(Streamed { watched, seconds, middle, keepers, complete })
    }

    /// What the keepers have taken, with the guardians of their agents and without the agents.
    fn keepers(&self) -> Result<Taken> {
        let sessions = self.place.join("data/sessions");
        let (binary, server) = (self.binary.canonicalize()?, self.served.child.id());
        let mut taken = Taken::default();
        for entry in std::fs::read_dir("/proc")?.filter_map(Result::ok) {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
            let is_ours = std::fs::read_link(entry.path().join("exe")).is_ok_and(|program| program == binary);
            let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let names_session =
                words.split(|byte| *byte == 0).any(|word| word.starts_with(sessions.as_os_str().as_encoded_bytes()));
            if is_ours && names_session && Some(pid) != server {
                taken = taken.and(Taken { processor_seconds: processor_seconds(pid)?, memory_bytes: memory_of(pid)? });
            }
        }
        Ok(taken)
    }

    /// Ends all agents, then the server.
    pub(super) async fn stop(self) -> Result<()> {
        let list = self.client.call("GET", "/api/v1/sessions?limit=500", &Value::Null).await?;
        for session in list["sessions"].as_array().into_iter().flatten() {
            let id = session["id"].as_str().unwrap_or_default();
            // One that has ended by itself is as good.
            let _ = self.client.call("POST", &format!("/api/v1/sessions/{id}/close"), &json!({})).await;
        }
        self.served.stop().await
    }

    async fn socket(&self) -> Result<Socket> {
        let ticket = self.client.call("POST", "/api/v1/socket-tickets", &json!({})).await?;
        let ticket = ticket["ticket"].as_str().context("no ticket was given")?;
        connect(&self.client.address, &format!("/api/v1/socket?ticket={ticket}")).await
    }
}

async fn serve(binary: &Path, place: &Path, agent: &Path, story: &Path) -> Result<Served> {
    let mut command = process::command(binary);
    command.args(["serve", "--no-open", "--port", "0", "--root"]).arg(place);
    command.env("QUARTERDECK_DATA", place.join("data")).env("QUARTERDECK_CLAUDE", agent).env(SCRIPT_VARIABLE, story);
    Served::start(command).await
}

/// How many starts make a round. One takes a few milliseconds, and now and then three times as long.
const STARTS: usize = 21;

/// How long it takes until a server listens, with no sessions and with many, in milliseconds: one start each in turn, and of a
/// round's the middle.
pub(super) async fn starts(
    binary: &Path,
    agent: &Path,
    place: &Path,
    filled: &Path,
    rounds: u32,
) -> Result<Vec<Start>> {
    let (empty, full) = (place.join("empty"), place.join("full"));
    let logs: Vec<PathBuf> = std::fs::read_dir(filled.join("data/sessions"))?
        .filter_map(|entry| Some(entry.ok()?.path().join("log.jsonl")))
        .collect();
    for number in 0..OLD {
        let folder = full.join("data/sessions").join(format!("10000000-0000-4000-8000-{number:012}"));
        std::fs::create_dir_all(&folder)?;
        let log = logs.get(number % logs.len().max(1)).context("there is no log to copy")?;
        std::fs::copy(log, folder.join("log.jsonl"))?;
    }
    std::fs::create_dir_all(&empty)?;
    let story = told(&empty, &Pace { ticks: 1, every_ms: 1 }.story())?;
    for place in [&empty, &full] {
        // The index is made once, and not by a server that is being measured.
        process::output(
            process::command(binary).args(["sessions", "list"]).env("QUARTERDECK_DATA", place.join("data")),
        )?;
    }
    let start = async |place: &Path| -> Result<f64> {
        let begun = clock::now();
        let served = serve(binary, place, agent, &story).await?;
        let taken = begun.elapsed().as_secs_f64() * 1000.0;
        served.stop().await?;
        Ok(taken)
    };
    let mut starts = Vec::new();
    for _ in 0..rounds {
        let (mut none, mut many) = (Vec::new(), Vec::new());
        for _ in 0..STARTS {
            none.push(start(&empty).await?);
            many.push(start(&full).await?);
        }
        let middle = |times: Vec<f64>| Some(Spread::of(times.into_iter())?.median);
        let round = middle(none).zip(middle(many)).context("no server was started")?;
        starts.push(Start { with_none: round.0, with_many: round.1 });
    }
    Ok(starts)
}

/// What a process has for itself alone.
pub(super) fn memory_of(process: u32) -> Result<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).context("the process is gone")?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    Ok(1024 * kilobytes.context("the kernel does not tell the memory")?)
}

/// The time that a process has spent on processors. The kernel counts in hundredths of a second.
pub(super) fn processor_seconds(process: u32) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).context("the process is gone")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace().collect();
    let field = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    Ok((field(11) + field(12)) / 100.0)
}
