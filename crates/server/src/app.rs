//! What all requests share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use insights::UnixMillis;
use journal::{Desk, Index};
use live::Sessions;
use tokio::sync::Notify;

use crate::config::Config;
use crate::error::{ApiError, ApiResult, Code};
use crate::guard::{Attempts, Audit, Deed, KnownBy, Names, Passes, Roots, Who};
use crate::metrics::Metrics;
use crate::presence::Presence;
use crate::routes::{self, Access};
use crate::secrets::{Purpose, Secrets, TokenDigest, new_token};

/// How long a launch link is good.
pub(crate) const LAUNCH_MS: i64 = 5 * 60 * 1000;

/// How long a ticket for a WebSocket is good.
pub(crate) const TICKET_MS: i64 = 60 * 1000;

/// How often it is looked whether a device that listens is still let in.
pub(crate) const LOOK: Duration = Duration::from_secs(20);

// What is promised in `SECURITY.md`.
const _: () = assert!(LAUNCH_MS <= 5 * 60 * 1000 && TICKET_MS <= 60 * 1000);

/// What all requests share; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct App {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    config: Config,
    names: Names,
    secrets: Secrets,
    sessions: Sessions,
    desk: Mutex<Desk>,
    audit: Audit,
    launches: Mutex<Passes<()>>,
    /// Told whenever somebody has come in by a launch link.
    launched: Notify,
    tickets: Mutex<Passes<Who>>,
    attempts: Mutex<Attempts>,
    access: HashMap<&'static str, Access>,
    metrics: Metrics,
    presence: Presence,
    clock: fn() -> UnixMillis,
}

/// What became of the token of a launch link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tried {
    Good,
    Wrong,
    /// It was not even looked at.
    TooOften,
}

/// What an app is made of.
pub(crate) struct Parts {
    pub(crate) config: Config,
    pub(crate) names: Names,
    pub(crate) secrets: Secrets,
    pub(crate) sessions: Sessions,
    pub(crate) desk: Desk,
    pub(crate) audit: Audit,
    pub(crate) clock: fn() -> UnixMillis,
}

impl App {
    pub(crate) fn new(parts: Parts) -> App {
        let Parts { config, names, secrets, sessions, desk, audit, clock } = parts;
        let inner = Inner {
            config,
            names,
            secrets,
            sessions,
            desk: Mutex::new(desk),
            audit,
            launches: Mutex::new(Passes::new(LAUNCH_MS, 16)),
            launched: Notify::new(),
            tickets: Mutex::new(Passes::new(TICKET_MS, 1024)),
            attempts: Mutex::default(),
            access: routes::all().iter().map(|route| (route.path, route.access)).collect(),
            metrics: Metrics::default(),
            presence: Presence::default(),
            clock,
        };
        App { inner: Arc::new(inner) }
    }

    pub(crate) fn config(&self) -> &Config {
        &self.inner.config
    }

    pub(crate) fn names(&self) -> &Names {
        &self.inner.names
    }

    pub(crate) fn secrets(&self) -> &Secrets {
        &self.inner.secrets
    }

    pub(crate) fn sessions(&self) -> &Sessions {
        &self.inner.sessions
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    pub(crate) fn presence(&self) -> &Presence {
        &self.inner.presence
    }

    pub(crate) fn now(&self) -> UnixMillis {
        (self.inner.clock)()
    }

    pub(crate) fn is_tls(&self) -> bool {
        self.inner.config.tls.is_some()
    }

    /// Does a browser reach it over TLS, its own or a proxy's?
    pub(crate) fn is_secure(&self) -> bool {
        self.is_tls() || !self.inner.config.trusted_proxies.is_empty()
    }

    /// The name of the cookie. Over TLS it has a prefix that a browser takes from nobody but this very host.
    pub(crate) fn cookie_name(&self) -> String {
        let prefix = match (self.is_secure(), self.inner.config.base_path.is_empty()) {
            (false, _) => "",
            (true, true) => "__Host-",
            (true, false) => "__Secure-",
        };
        format!("{prefix}quarterdeck-{}", self.inner.secrets.instance())
    }

    /// Who may use the route with this path, which may begin with the base path.
    pub(crate) fn access(&self, path: &str) -> Access {
        let path = path.strip_prefix(&*self.inner.config.base_path).unwrap_or(path);
        if path.is_empty() {
            // The base path itself, which only leads to the page.
            return Access::Anyone;
        }
        self.inner.access.get(path).copied().unwrap_or(Access::Person)
    }

    /// A launch link's token, good once.
    pub(crate) fn new_launch(&self) -> ApiResult<(String, UnixMillis)> {
        let token = fresh_token()?;
        let digest = self.inner.secrets.digest(Purpose::Launch, &token);
        let pass = lock(&self.inner.launches).give(digest, (), self.now());
        Ok((token, pass.until))
    }

    /// Tries the token of a launch link, which is used up by that. Those who try at the same time come one after the other.
    pub(crate) fn try_launch(&self, token: &str, from: IpAddr) -> Tried {
        let digest = self.inner.secrets.digest(Purpose::Launch, token);
        let mut attempts = lock(&self.inner.attempts);
        if !attempts.may_try(from, self.now()) {
            return Tried::TooOften;
        }
        if lock(&self.inner.launches).take(&digest, self.now()).is_some() {
            self.inner.launched.notify_waiters();
            return Tried::Good;
        }
        attempts.failed(from, self.now());
        Tried::Wrong
    }

    /// Waits until the token of a launch link lets nobody in any more.
    pub(crate) async fn launch_spent(&self, token: &str) {
        let digest = self.inner.secrets.digest(Purpose::Launch, token);
        loop {
            // Before it is looked, so that nobody comes in unnoticed in between.
            let launched = self.inner.launched.notified();
            let now = self.now();
            let Some(until) = lock(&self.inner.launches).until(&digest, now) else { return };
            let left = Duration::from_millis(u64::try_from(until.0 - now.0).unwrap_or_default());
            let _ = tokio::time::timeout(left, launched).await;
        }
    }

    /// A ticket for a WebSocket, good once.
    pub(crate) fn new_ticket(&self, who: &Who) -> ApiResult<(String, UnixMillis)> {
        let token = fresh_token()?;
        let digest = self.inner.secrets.digest(Purpose::Socket, &token);
        let pass = lock(&self.inner.tickets).give(digest, who.clone(), self.now());
        Ok((token, pass.until))
    }

    /// Whose ticket this is. It was.
    pub(crate) fn take_ticket(&self, digest: &TokenDigest) -> Option<Who> {
        lock(&self.inner.tickets).take(digest, self.now())
    }

    /// Writes down who did what.
    pub(crate) fn audit(&self, who: Option<&Who>, deed: &Deed) -> ApiResult<()> {
        self.inner.audit.write(self.now(), who, deed)
    }

    /// Writes down who did what when it cannot be undone any more. If it cannot be written, that is no error of whoever did it:
    /// the server's own log says so, with all that was to be written, and the figures count it.
    pub(crate) fn audit_done(&self, who: &Who, deed: &Deed) {
        if let Err(error) = self.audit(Some(who), deed) {
            self.inner.metrics.audits_failed.fetch_add(1, Ordering::Relaxed);
            tracing::error!(device = %who.device, name = %who.name, ?deed, "{}", error.message);
        }
    }

    /// The device whose token has this digest.
    pub(crate) async fn device(&self, digest: TokenDigest, by: KnownBy) -> ApiResult<Option<Who>> {
        let now = self.now();
        let device = self.desk(move |desk| {
            let device = desk.device_with(&digest)?;
            if let Some(device) = &device {
                // Once a minute is often enough to tell when somebody was last here.
                if device.seen_at.is_none_or(|seen| now.0 - seen.0 > 60_000) {
                    desk.device_seen(&device.id, now)?;
                }
            }
            Ok(device)
        });
        Ok(device.await?.map(|device| Who { device: device.id, name: device.name, by }))
    }

    /// Is a device still let in?
    pub(crate) async fn is_known(&self, who: &Who) -> ApiResult<bool> {
        if who.by == KnownBy::Key {
            return Ok(true);
        }
        let id = who.device.clone();
        self.desk(move |desk| Ok(desk.devices()?.iter().any(|device| device.id == id))).await
    }

    /// Waits until a device is not let in any more, or nobody can say whether it is.
    pub(crate) async fn shown_out(&self, who: &Who) {
        while self.is_known(who).await.unwrap_or(false) {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// The folders that agents may work in now.
    pub(crate) async fn roots(&self) -> ApiResult<Roots> {
        let app = self.clone();
        self.desk(move |desk| Roots::now(&app.config().roots, desk, app.sessions().data())).await
    }

    /// Does something with the desk, where it may take its time.
    pub(crate) async fn desk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Desk) -> journal::Result<T> + Send + 'static,
    ) -> ApiResult<T> {
        let app = self.clone();
        blocking(move || Ok(work(&mut lock(&app.inner.desk))?)).await
    }

    /// Looks something up in the index, where it may take its time.
    pub(crate) async fn index<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Index) -> journal::Result<T> + Send + 'static,
    ) -> ApiResult<T> {
        self.inner.sessions.indexed().await;
        let data = self.inner.sessions.data().clone();
        blocking(move || {
            let mut index = match Index::reader(&data) {
                // The server listens before it has one. Who asks sooner makes it; what the logs hold comes in beside that.
                Err(journal::Error::NoIndex { .. }) => Index::open(&data)?,
                index => index?,
            };
            Ok(work(&mut index)?)
        })
        .await
    }
}

/// Does something that may wait for a disk.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> ApiResult<T> + Send + 'static) -> ApiResult<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        Err(ApiError::new(Code::Internal, "the work was not finished; the log of the server says why"))
    })
}

fn fresh_token() -> ApiResult<String> {
    new_token().map_err(|error| ApiError::new(Code::Internal, format!("no random numbers are to be had: {error}")))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
pub(crate) mod tests {
    use claude_driver::Claude;
    use journal::Data;
    use live::{Admission, Host};

    use super::*;

    /// A host that can start no agent.
    pub(crate) fn host() -> Host {
        Host {
            claude: Claude::new().program("/nowhere"),
            keeper: keeper::KeeperCommand::of_this_program().unwrap(),
            allows_bypass: false,
            settings_may_bypass: false,
            restarts: false,
            admission: Admission::default(),
            clock: keeper::now,
        }
    }

    /// What all requests share, over an empty data folder. The CLI's own folder is `claude`.
    pub(crate) async fn app(place: &tempfile::TempDir) -> App {
        let claude = host().claude.env("CLAUDE_CONFIG_DIR", place.path().join("claude"));
        let data = Data::open(place.path().join("data")).unwrap();
        let config = Config::default();
        App::new(Parts {
            names: Names::new(config.scheme(), 1, &config.hosts, config.listen),
            config,
            secrets: Secrets::open(data.path()).unwrap(),
            desk: Desk::open(&data).unwrap(),
            audit: Audit::open(data.path()).unwrap(),
            sessions: Sessions::open(data, Host { claude, ..host() }).await.unwrap(),
            clock: keeper::now,
        })
    }
}
