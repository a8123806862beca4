//! `quarterdeck serve`: the server, until a signal ends it.

mod doorway;
mod first;

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use claude_driver::Claude;
use journal::Data;
use live::Host;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use server::{Config, PORT, Port, Server, ServerError, Tls};
use tokio::signal::unix::{Signal, SignalKind, signal};

use self::doorway::Doorway;
use crate::args::Serve;
use crate::{log, terminal};

/// How often it is looked whether a server that does not answer has gone, and how long in between.
const PATIENCE: u32 = 60;
const MOMENT: std::time::Duration = std::time::Duration::from_millis(50);

/// Runs the command.
pub(crate) fn run(serve: &Serve) -> Result<ExitCode> {
    log::start()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let host = super::run::host(serve.dangerously_allow_bypass)?;
    let host = Host { restarts: true, settings_may_bypass: false, ..host };
    let outcome = runtime.block_on(async {
        let claude = host.claude.clone();
        let data = Data::open(serve.data.path()?)?;
        match start(serve, &data, host).await? {
            Some(server) => {
                // Whoever reads the address may send a signal at once.
                let signals = Signals::listen()?;
                let words =
                    "Quarterdeck runs. This address is good once, for five minutes; `quarterdeck serve` prints another:";
                let _doorway = announce(serve, &data, &server, words)?;
                // To ask the CLI takes a while, and nobody is to wait for it.
                tokio::spawn(async move { say_whether_there_is_a_cli(&claude).await });
                until_a_signal(server, signals).await
            }
            None => Ok(()),
        }
    });
    runtime.shutdown_background();
    outcome.map(|()| ExitCode::SUCCESS)
}

/// Lets more files be open than a program may have by itself, if the system grants it: each connection is one, and each session
/// some. The server takes fewer connections otherwise.
fn open_more_files() {
    const WANTED: u64 = 8192;
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.map_or(WANTED, |most| most.min(WANTED));
    if limit.current.is_some_and(|current| current < wanted) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit });
    }
}

/// Starts the server. If there is one already, says where.
pub(crate) async fn start(serve: &Serve, data: &Data, host: Host) -> Result<Option<Server>> {
    open_more_files();
    let mut patience = PATIENCE;
    loop {
        match Server::start(config(serve)?, data.clone(), host.clone()).await {
            Ok(server) => return Ok(Some(server)),
            Err(ServerError::Journal(journal::Error::Served { address: Some(address), socket, .. })) => {
                let url = match first::launch_url(data, &address, socket.as_deref()).await {
                    // It was killed, and a program that it was just starting has its lock for a moment yet.
                    Err(error) if first::is_gone(&error) && patience > 0 => {
                        patience -= 1;
                        tokio::time::sleep(MOMENT).await;
                        continue;
                    }
                    asked => asked.unwrap_or(address),
                };
                writeln!(std::io::stderr(), "a server runs already on this data folder:")?;
                writeln!(std::io::stdout(), "{url}")?;
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn config(serve: &Serve) -> Result<Config> {
    let defaults = Config::default();
    let roots = match &serve.root[..] {
        [] => vec![std::env::current_dir().context("could not find the working directory")?],
        roots => roots.to_vec(),
    };
    for root in &roots {
        root.canonicalize().with_context(|| format!("could not find the folder `{}`", root.display()))?;
    }
    let tls = match (&serve.tls_cert, &serve.tls_key) {
        (Some(certificate), Some(key)) => Some(Tls { certificate: certificate.clone(), key: key.clone() }),
        _ => None,
    };
    Ok(Config {
        listen: serve.listen.unwrap_or(defaults.listen),
        port: serve.port.map_or(Port::From(PORT), Port::Exactly),
        base_path: serve.base_path.clone().unwrap_or_default(),
        hosts: serve.host.clone(),
        tls,
        trusted_proxies: serve.trusted_proxy.clone(),
        roots,
    })
}

/// Prints the address, and opens it where somebody sits: by a page that is there as long as it is of use.
pub(crate) fn announce(serve: &Serve, data: &Data, server: &Server, words: &str) -> Result<Option<Doorway>> {
    let mut talk = std::io::stderr();
    if serve.port.is_none() && server.port() != PORT {
        writeln!(talk, "port {PORT} is taken, so it is {} this time", server.port())?;
    }
    if serve.listen.is_some_and(|listen| !listen.is_loopback()) && serve.tls_cert.is_none() && serve.host.is_empty() {
        writeln!(
            talk,
            "hint: only the proxy is heard here; with its name in `--host`, the address is the one to open"
        )?;
    }
    let url = server.launch_url()?;
    writeln!(talk, "{words}")?;
    let mut out = std::io::stdout();
    writeln!(out, "{url}")?;
    out.flush()?;
    let is_desktop =
        cfg!(target_os = "macos") || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !is_desktop || serve.no_open || !out.is_terminal() {
        return Ok(None);
    }
    // Without one, the address was printed.
    let Ok(doorway) = Doorway::make(data, &url) else { return Ok(None) };
    doorway.open(&url);
    let (spent, path) = (server.spent(&url), doorway.path().to_owned());
    tokio::spawn(async move {
        spent.await;
        let _ = std::fs::remove_file(path);
    });
    Ok(Some(doorway))
}

/// The signals that end a server.
pub(crate) struct Signals {
    end: Signal,
    interrupt: Signal,
    hangup: Option<Signal>,
}

impl Signals {
    /// To be asked to end, and Ctrl-C: from now on they end nothing by themselves.
    pub(crate) fn listen() -> Result<Signals> {
        Ok(Signals { end: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())?, hangup: None })
    }

    /// A terminal that was closed, too; also one that `nohup` would have hidden.
    pub(crate) fn and_hangup(self) -> Result<Signals> {
        Ok(Signals { hangup: Some(listen(SignalKind::hangup())?), ..self })
    }

    /// Waits for the first of them.
    pub(crate) async fn next(mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => _ = hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.end.recv() => {}
            _ = self.interrupt.recv() => {}
            () = hangup => {}
        }
    }
}

fn listen(kind: SignalKind) -> Result<Signal> {
    signal(kind).context("could not listen to signals")
}

async fn say_whether_there_is_a_cli(claude: &Claude) {
    let files = std::env::temp_dir().join(format!("quarterdeck-look-{}", std::process::id()));
    if let Err(error) = claude.plan(&files).await {
        terminal::complain(&anyhow::Error::from(error).context("sessions can be looked at, but not started"));
        let _ = writeln!(std::io::stderr(), "hint: install it, or look around with `quarterdeck demo`");
    }
}

async fn until_a_signal(server: Server, signals: Signals) -> Result<()> {
    let sessions = server.sessions().clone();
    server.run(signals.next()).await;
    let running = sessions.running();
    if running > 0 {
        let agents = if running == 1 { "1 agent goes on".to_owned() } else { format!("{running} agents go on") };
        writeln!(std::io::stderr(), "{agents}; the next `quarterdeck serve` finds them")?;
    }
    Ok(())
}
