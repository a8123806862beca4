//! A server: everything put together and started; then it runs until it is told to stop.

use std::io;

use axum::Router;
use axum::response::Redirect;
use axum::routing::get;
use insights::UnixMillis;
use journal::{Data, Desk, ServerLock};
use live::{Host, Sessions};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::app::{App, Parts};
use crate::config::{Config, ConfigError};
use crate::guard::{self, Audit, Names};
use crate::listen;
use crate::routes;
use crate::secrets::{Secrets, SecretsError};

/// A server that listens.
pub struct Server {
    app: App,
    listeners: Vec<TcpListener>,
    tls: Option<TlsAcceptor>,
    port: u16,
    /// Held as long as the server runs.
    lock: ServerLock,
}

/// Why a server could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// It would not be safe, or makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The key cannot be used.
    #[error(transparent)]
    Secrets(#[from] SecretsError),
    /// The data folder cannot be used, or another server uses it.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// The sessions cannot be opened.
    #[error(transparent)]
    Live(#[from] live::Error),
    /// The address cannot be listened on.
    #[error("could not listen on port {port}")]
    Listen {
        /// The port.
        port: u16,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The certificate or its key cannot be used.
    #[error("could not use the certificate")]
    Tls(#[source] io::Error),
    /// The file that says who did what cannot be written.
    #[error("could not open `audit.jsonl`")]
    Audit(#[source] io::Error),
}

impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Server").field("port", &self.port).finish_non_exhaustive()
    }
}

impl Server {
    /// Opens the data folder, listens, and attaches to the sessions that run.
    pub async fn start(config: Config, data: Data, mut host: Host) -> Result<Server, ServerError> {
        config.check()?;
        host.allows_bypass |= guard::left_out(guard::Rule::Bypass);
        let lock = ServerLock::take(&data)?;
        let secrets = Secrets::open(data.path())?;
        let audit = Audit::open(data.path()).map_err(ServerError::Audit)?;
        let desk = Desk::open(&data)?;
        let tls = config.tls.as_ref().map(listen::acceptor).transpose().map_err(ServerError::Tls)?;
        let wished = match config.port {
            crate::Port::Exactly(port) | crate::Port::From(port) => port,
        };
        let failed = |source| ServerError::Listen { port: wished, source };
        let listeners = listen::bind(&config).await.map_err(failed)?;
        let port = match listeners.first() {
            Some(listener) => listener.local_addr().map_err(failed)?.port(),
            None => return Err(failed(io::ErrorKind::AddrNotAvailable.into())),
        };
        let clock: fn() -> UnixMillis = host.clock;
        let sessions = Sessions::open(data, host).await?;
        sessions.index_all();
        let names = Names::new(config.scheme(), port, &config.hosts, config.listen);
        let app = App::new(Parts { config, names, secrets, sessions, desk, audit, clock });
        let mut server = Server { app, listeners, tls, port, lock };
        let address = server.url();
        server.lock.set_address(&address)?;
        Ok(server)
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where a browser on this machine finds it.
    pub fn url(&self) -> String {
        let config = self.app.config();
        let host = match config.listen {
            address if address.is_loopback() || address.is_unspecified() => "127.0.0.1".to_owned(),
            address if address.is_ipv6() => format!("[{address}]"),
            address => address.to_string(),
        };
        format!("{}://{host}:{}{}/", config.scheme(), self.port, config.base_path)
    }

    /// The same, with a token that lets the first who comes in.
    pub fn launch_url(&self) -> io::Result<String> {
        let (token, _) = self.app.new_launch().map_err(|error| io::Error::other(error.message))?;
        Ok(format!("{}login#{token}", self.url()))
    }

    /// The sessions that it serves.
    pub fn sessions(&self) -> &Sessions {
        self.app.sessions()
    }

    /// Serves until `stop` is ready. The agents go on.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let router = router(&self.app);
        let (stopping, stopped) = watch::channel(false);
        let mut serving = JoinSet::new();
        for listener in self.listeners {
            serving.spawn(listen::serve(listener, self.tls.clone(), router.clone(), stopped.clone()));
        }
        stop.await;
        drop(self.lock);
        stopping.send_replace(true);
        // WebSockets do not end by themselves, and requests that follow a session neither.
        let grace = std::time::Duration::from_secs(1);
        let _ = tokio::time::timeout(grace, async { while serving.join_next().await.is_some() {} }).await;
    }
}

fn router(app: &App) -> Router {
    // Behind a proxy that passes the whole path on, every path begins with the base path.
    let base = &*app.config().base_path;
    let mut router = Router::new();
    for route in routes::all() {
        router = router.route(&format!("{base}{}", route.path), route.handler);
    }
    if !base.is_empty() {
        // The page names its files from where it stands, so it has to stand behind the slash.
        let page = Redirect::permanent(&format!("{base}/"));
        router = router.route(base, get(async move || page));
    }
    router = router.fallback(routes::no_route).method_not_allowed_fallback(routes::wrong_method);
    router.layer(axum::middleware::from_fn_with_state(app.clone(), guard::admit)).with_state(app.clone())
}
