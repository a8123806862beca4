//! A server: everything put together and started; then it runs until it is told to stop.

use std::io;
use std::path::PathBuf;

use axum::Router;
use axum::response::{Redirect, Response};
use axum::routing::{MethodRouter, get};
use insights::UnixMillis;
use journal::{Data, Desk, Folder, ServerLock};
use live::{Admission, Host, Sessions};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::app::{App, Parts};
use crate::config::{Config, ConfigError};
use crate::guard::{self, Audit, Names, Roots};
use crate::listen;
use crate::openapi;
use crate::routes::{self, Route};
use crate::secrets::{Secrets, SecretsError};

/// A server that listens.
pub struct Server {
    app: App,
    listeners: Vec<TcpListener>,
    tls: Option<TlsAcceptor>,
    port: u16,
    local: Option<Local>,
    /// Held as long as the server runs.
    lock: ServerLock,
}

/// Where programs of the same user find the server, whatever it speaks to others.
struct Local {
    listener: UnixListener,
    path: PathBuf,
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
    /// Opens the data folder and listens. The sessions are looked at when it runs.
    pub async fn start(mut config: Config, data: Data, mut host: Host) -> Result<Server, ServerError> {
        config.check()?;
        // Where they are now: what is put in their place later was not meant.
        config.roots = config.roots.iter().filter_map(|root| root.canonicalize().ok()).collect();
        host.admission = admission(config.roots.clone(), data.clone());
        data.close_to_others()?;
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
        let names = Names::new(config.scheme(), port, &config.hosts, config.listen);
        let app = App::new(Parts { config, names, secrets, sessions, desk, audit, clock });
        // Without it a second `serve` can only say where this one is.
        let local = Local::bind(app.sessions().data()).ok();
        let mut server = Server { app, listeners, tls, port, local, lock };
        let address = server.url();
        server.lock.set_address(&address, server.local.as_ref().map(|local| &*local.path))?;
        Ok(server)
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where a browser finds it.
    pub fn url(&self) -> String {
        self.app.config().url(self.port)
    }

    /// The same, with a token that lets the first who comes in.
    pub fn launch_url(&self) -> io::Result<String> {
        let (token, _) = self.app.new_launch().map_err(|error| io::Error::other(error.message))?;
        Ok(format!("{}login#{token}", self.url()))
    }

    /// Ready when a launch link leads nowhere any more: it was used, or is too old.
    pub fn spent(&self, launch_url: &str) -> impl Future<Output = ()> + Send + use<> {
        let (app, token) = (self.app.clone(), launch_url.split_once('#').map(|(_, token)| token.to_owned()));
        async move { app.launch_spent(&token.unwrap_or_default()).await }
    }

    /// The sessions that it serves.
    pub fn sessions(&self) -> &Sessions {
        self.app.sessions()
    }

    /// Attaches to the sessions that run, and serves until `stop` is ready. The agents go on.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let sessions = self.app.sessions().clone();
        sessions.index_all();
        // Nobody has to wait for it. A folder that cannot be listed is told to whoever asks for the list.
        tokio::spawn(async move { sessions.attach_all().await });
        let router = router(&self.app);
        let (stopping, stopped) = watch::channel(false);
        let mut serving = JoinSet::new();
        let local = self.local.as_ref().map(|local| local.path.clone());
        for listener in self.listeners {
            serving.spawn(listen::serve(listener, self.tls.clone(), router.clone(), stopped.clone()));
        }
        if let Some(Local { listener, .. }) = self.local {
            serving.spawn(listen::serve_local(listener, router.clone(), stopped.clone()));
        }
        stop.await;
        if let Some(path) = local {
            let _ = std::fs::remove_file(path);
        }
        drop(self.lock);
        stopping.send_replace(true);
        // WebSockets do not end by themselves, and requests that follow a session neither.
        let grace = std::time::Duration::from_secs(1);
        let _ = tokio::time::timeout(grace, async { while serving.join_next().await.is_some() {} }).await;
    }
}

impl Local {
    fn bind(data: &Data) -> io::Result<Local> {
        let path = keeper::socket_path(&Folder::new(data.path()))?;
        Ok(Local { listener: keeper::bind(&path)?, path })
    }
}

/// Agents are started where they may work, and nowhere else, whatever starts them.
fn admission(started_for: Vec<PathBuf>, data: Data) -> Admission {
    Admission::new(move |options| {
        let roots = Roots::now(&started_for, &mut Desk::reader(&data)?, &data)?;
        roots.admit(options).map(|_| ()).map_err(|refusal| live::Error::NotAdmitted(refusal.message))
    })
}

fn router(app: &App) -> Router {
    // Behind a proxy that passes the whole path on, every path begins with the base path.
    let base = &*app.config().base_path;
    let mut router = Router::new();
    for route in routes::all() {
        router = router.route(&format!("{base}{}", route.path), checked(route));
    }
    if !base.is_empty() {
        // The page names its files from where it stands, so it has to stand behind the slash.
        let page = Redirect::permanent(&format!("{base}/"));
        router = router.route(base, get(async move || page));
    }
    router = router.fallback(routes::no_route).method_not_allowed_fallback(routes::wrong_method);
    router.layer(axum::middleware::from_fn_with_state(app.clone(), guard::admit)).with_state(app.clone())
}

/// What answers on a route.
fn checked(route: Route) -> MethodRouter<App> {
    if !cfg!(debug_assertions) {
        return route.handler;
    }
    let (path, codes) = (route.path, openapi::codes(&route));
    let look = move |answer: Response| std::future::ready(openapi::known(path, &codes, answer));
    route.handler.layer(axum::middleware::map_response(look))
}

#[cfg(test)]
mod tests {
    use live::Options;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn nobody_comes_past_the_proxy() {
        let place = tempfile::tempdir().unwrap();
        let router = router(&crate::app::tests::app(&place).await);
        let (_stop, stopped) = watch::channel(false);
        for route in routes::all() {
            let (mut client, server) = duplex(64 * 1024);
            let request =
                format!("{} {} HTTP/1.1\r\nhost: 127.0.0.1:1\r\nconnection: close\r\n\r\n", route.method, route.path);
            client.write_all(request.as_bytes()).await.unwrap();
            let elsewhere = ([10, 0, 0, 2], 4180).into();
            listen::talk(server, (elsewhere, listen::Written::default()), router.clone(), stopped.clone()).await;
            let mut heard = String::new();
            client.read_to_string(&mut heard).await.unwrap();
            assert!(heard.contains(r#""code":"past_proxy""#), "{}: {heard}", route.path);
        }
    }

    #[tokio::test]
    async fn whatever_starts_an_agent_starts_it_where_agents_may_work() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        for folder in ["root", "allowed", "elsewhere"] {
            std::fs::create_dir(base.join(folder)).unwrap();
        }
        let data = Data::open(base.join("data")).unwrap();
        let mut desk = Desk::open(&data).unwrap();
        let allowed = base.join("allowed");
        desk.allow_root(allowed.to_str().unwrap(), keeper::now()).unwrap();
        let host = Host { admission: admission(vec![base.join("root")], data.clone()), ..crate::app::tests::host() };
        let sessions = Sessions::open(data, host).await.unwrap();
        let is_admitted = async |cwd: &str, directories: &[&str]| {
            let directories = directories.iter().map(|folder| base.join(folder)).collect();
            let options = Options { cwd: Some(base.join(cwd)), directories, ..Options::default() };
            // None can be started anywhere: there is no such program.
            !matches!(sessions.start(options).await.unwrap_err(), live::Error::NotAdmitted(_))
        };
        assert!(is_admitted("root", &["allowed"]).await);
        assert!(is_admitted("allowed", &[]).await);
        assert!(!is_admitted("elsewhere", &[]).await);
        assert!(!is_admitted("root", &["elsewhere"]).await);
        assert!(!is_admitted("data", &[]).await);
        // It may be forbidden while an agent works there; when that has died, it is not started again.
        desk.forbid_root(allowed.to_str().unwrap()).unwrap();
        assert!(!is_admitted("allowed", &[]).await);
    }
}
