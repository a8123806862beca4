//! `quarterdeck demo`: the server with agents that follow a script, in a folder that is thrown away at the end.

pub(crate) mod agent;
mod place;
mod stories;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use claude_protocol::Prompt;
use journal::Data;
use keeper::Stop;
use live::{Host, Options, Sessions};
use tokio::task::JoinSet;

use self::place::Place;
use self::stories::Tale;
use super::serve::{self, Signals};
use crate::args::{Demo, Serve};

/// How long what still writes into the folder may take to notice that it is over.
const LAST_WRITES: Duration = Duration::from_secs(2);

/// Runs the command.
pub(crate) fn run(demo: &Demo) -> Result<ExitCode> {
    crate::log::start()?;
    let place = Place::new()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(show(demo, &place));
    runtime.shutdown_timeout(LAST_WRITES);
    let removed = place.remove();
    outcome.and(removed).map(|()| ExitCode::SUCCESS)
}

/// Serves until a signal comes. Whatever happens, no agent is left.
async fn show(demo: &Demo, place: &Place) -> Result<()> {
    // A signal that comes while the agents are started is not lost.
    let signals = Signals::listen()?.and_hangup()?;
    let data = Data::open(place.data())?;
    let host = Host { claude: place.claude(demo.pace)?, ..super::run::host(false)? };
    let serve = Serve {
        port: demo.port,
        no_open: demo.no_open,
        root: vec![place.project()],
        base_path: demo.base_path.clone(),
        ..Serve::default()
    };
    let server = serve::start(&serve, &data, host).await?.context("the folder of the demo is in use")?;
    let sessions = server.sessions().clone();
    let words = format!(
        "The demo runs: its agents follow a script, nothing leaves this machine, and Ctrl-C removes it all.\n\
         This address is good once, for five minutes; `quarterdeck serve --data {}` prints another:",
        data.path().display()
    );
    let begun = match begin_all(&sessions, place).await {
        Ok(()) => serve::announce(&serve, &data, &server, &words),
        Err(error) => Err(error),
    };
    if begun.is_ok() {
        server.run(signals.next()).await;
    }
    let ended = sessions.end_all(Stop::Kill).await;
    begun.and(ended.map_err(Into::into))
}

/// Starts all stories, side by side.
async fn begin_all(sessions: &Sessions, place: &Place) -> Result<()> {
    let mut starting = JoinSet::new();
    for (name, tale) in stories::all(&place.project())? {
        starting.spawn(begin(sessions.clone(), name, tale, place.project()));
    }
    while let Some(begun) = starting.join_next().await {
        begun.context("a session of the demo was not started")??;
    }
    Ok(())
}

async fn begin(sessions: Sessions, name: &'static str, tale: Tale, project: std::path::PathBuf) -> Result<()> {
    let options = Options {
        cwd: Some(project),
        mode: tale.mode,
        extra_args: vec!["--script".to_owned(), name.to_owned()],
        ..Options::default()
    };
    let session = sessions.start(options).await.with_context(|| format!("could not start the story `{name}`"))?;
    session.send(Prompt::text(tale.prompt), &uuid::Uuid::new_v4().to_string(), Some("you")).await?;
    Ok(())
}
