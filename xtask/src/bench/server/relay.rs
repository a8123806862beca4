//! The floor: agents in pipes, their lines passed on to WebSockets as they are, by a process that does nothing else.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use claude_protocol::control::initialize::Initialize;
use claude_protocol::{Prompt, RequestId, ToCli, encode};
use futures_util::{SinkExt, StreamExt};
use lab::agent::SCRIPT_VARIABLE;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;
use tokio::sync::{Barrier, mpsc};
use tokio_tungstenite::tungstenite::Message;

use super::running::{memory_of, processor_seconds};
use super::watch::{Watched, connect, follow_relay};
use super::{Streamed, Taken};
use crate::{Outcome, clock, process};

#[derive(Args)]
pub(crate) struct RelayArgs {
    /// The program of the agents
    agent: PathBuf,

    /// How many agents
    agents: usize,
    /// Over how many WebSockets
    sockets: usize,
}

/// Runs the relay: prints its port, waits for its watchers, starts the agents, and passes on what they say.
pub(crate) fn relay(args: &RelayArgs) -> Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(pass_on(&args.agent, args.agents, args.sockets))?;
    Ok(Outcome::Passed)
}

async fn pass_on(agent: &Path, agents: usize, sockets: usize) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    crate::talk::data(&listener.local_addr()?.port().to_string());
    let mut lines = Vec::new();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..sockets {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let mut socket = tokio_tungstenite::accept_async(stream).await?;
        let (sender, mut receiver) = mpsc::channel::<String>(64);
        lines.push(sender);
        tasks.spawn(async move {
            while let Some(line) = receiver.recv().await {
                if socket.send(Message::text(line)).await.is_err() {
                    return;
                }
            }
            let _ = socket.close(None).await;
            // The other side may still read.
            while socket.next().await.is_some_and(|message| message.is_ok()) {}
        });
    }
    let mut reading = tokio::task::JoinSet::new();
    // As the server's: all of them are up before the first is asked for anything.
    let all_up = Arc::new(Barrier::new(agents));
    for number in 0..agents {
        let mut command = process::command(agent);
        command.args(["--output-format", "stream-json", "--input-format", "stream-json", "--verbose"]);
        command.arg("--include-partial-messages").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut agent = tokio::process::Command::from(command).kill_on_drop(true).spawn()?;
        let (sender, all_up) = (lines[number % sockets].clone(), Arc::clone(&all_up));
        reading.spawn(async move {
            let Some(mut stdin) = agent.stdin.take() else { return };
            let Some(stdout) = agent.stdout.take() else { return };
            let mut lines = BufReader::new(stdout).lines();
            let greeting = encode(&ToCli::request(RequestId::from("greeting"), Initialize::default()));
            let _ = stdin.write_all(format!("{greeting}\n").as_bytes()).await;
            while lines.next_line().await.is_ok_and(|line| line.is_some_and(|line| !line.contains("control_response")))
            {
            }
            all_up.wait().await;
            let prompt = encode(&ToCli::from(Prompt::text("go")));
            let _ = stdin.write_all(format!("{prompt}\n").as_bytes()).await;
            while let Ok(Some(line)) = lines.next_line().await {
                let is_last = line.contains("\"type\":\"result\"");
                if sender.send(line).await.is_err() || is_last {
                    break;
                }
            }
            drop(stdin);
            let _ = agent.wait().await;
        });
    }
    reading.join_all().await;
    // What it took can be looked at until somebody closes its stdin.
    let mut ended = String::new();
    let _ = tokio::io::AsyncReadExt::read_to_string(&mut tokio::io::stdin(), &mut ended).await;
    drop(lines);
    tasks.join_all().await;
    Ok(())
}

/// A relay with so many agents and watchers.
pub(super) async fn measure(agent: &Path, story: &Path, agents: usize, sockets: usize) -> Result<Streamed> {
    let mut command = process::command(std::env::current_exe()?);
    command.arg("relay").arg(agent).arg(agents.to_string()).arg(sockets.to_string()).env(SCRIPT_VARIABLE, story);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut relay = tokio::process::Command::from(command).kill_on_drop(true).spawn().context("no relay")?;
    let Some(stdout) = relay.stdout.take() else { bail!("the relay has no stdout") };
    let port = BufReader::new(stdout).lines().next_line().await?.context("the relay tells no port")?;
    let begun = clock::now();
    let mut watching = tokio::task::JoinSet::new();
    for number in 0..sockets {
        // As many of its agents as the relay gives to this socket.
        let expected = (agents + sockets - 1 - number) / sockets;
        let socket = connect(&format!("127.0.0.1:{}", port.trim()), "/").await?;
        watching.spawn(follow_relay(socket, expected));
    }
    let watched = watching.join_all().await.into_iter().collect::<Result<Vec<Watched>>>()?;
    let seconds = begun.elapsed().as_secs_f64();
    let pid = relay.id().context("the relay is gone")?;
    let middle = Taken { processor_seconds: processor_seconds(pid)?, memory_bytes: memory_of(pid)? };
    drop(relay.stdin.take());
    relay.wait().await?;
    let complete = watched.iter().map(|one| one.complete).sum();
    Ok(Streamed { watched, seconds, middle, keepers: Taken::default(), complete })
}
