//! Connections: taken one after the other, over TLS if there is a certificate, and not more at a time than can be served.

mod in_words;
mod patient;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt;
use rustix::process::Resource;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream, UnixListener};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

use crate::config::{Config, Port, Tls};
use in_words::InWords;
pub(crate) use patient::Patient;

/// The most connections at a time, to one address.
const MOST: usize = 1024;

/// The share of the files that may be open which connections to one address may have. There are two addresses, and who asks for
/// something mostly needs a file as well.
const SHARE: u64 = 4;

/// How long a client may take to agree on TLS.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// How long a client may take to say what it wants, on a new connection or on one that is kept.
const HEAD: Duration = Duration::from_secs(30);

/// After how long a calm connection is asked about, how often, and how many times.
const CALM: Duration = Duration::from_secs(60);
const ASKED_EVERY: Duration = Duration::from_secs(15);
const ASKED: u32 = 4;

/// How long it is waited when too many files are open.
const FULL: Duration = Duration::from_millis(100);

/// How many ports are tried after the one that was wished.
const TRIES: u16 = 50;

/// Binds all addresses of one port; the next one, if that is taken and it may be another.
pub(crate) async fn bind(config: &Config) -> io::Result<Vec<TcpListener>> {
    let ports = match config.port {
        Port::Exactly(port) => port..=port,
        Port::From(port) => port..=port.saturating_add(TRIES),
    };
    let mut last = io::Error::from(io::ErrorKind::AddrInUse);
    for port in ports {
        match bind_port(config, port).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => last = error,
            bound => return bound,
        }
    }
    Err(last)
}

async fn bind_port(config: &Config, port: u16) -> io::Result<Vec<TcpListener>> {
    let mut listeners: Vec<TcpListener> = Vec::new();
    for address in config.addresses(port) {
        // If any port will do, the others take the one that the first has got.
        let port = listeners.first().map(TcpListener::local_addr).transpose()?.map_or(port, |first| first.port());
        match TcpListener::bind(SocketAddr::new(address.ip(), port)).await {
            Ok(listener) => listeners.push(listener),
            // Not every machine has IPv6.
            Err(error) if !listeners.is_empty() && error.kind() != io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(error),
        }
    }
    Ok(listeners)
}

/// Reads certificate and key.
pub(crate) fn acceptor(tls: &Tls) -> io::Result<TlsAcceptor> {
    let read = |path: &std::path::Path, error: &dyn std::fmt::Display| {
        io::Error::new(io::ErrorKind::InvalidData, format!("`{}`: {error}", path.display()))
    };
    let chain = CertificateDer::pem_file_iter(&tls.certificate).map_err(|error| read(&tls.certificate, &error))?;
    let chain = chain.collect::<Result<Vec<_>, _>>().map_err(|error| read(&tls.certificate, &error))?;
    let key = PrivateKeyDer::from_pem_file(&tls.key).map_err(|error| read(&tls.key, &error))?;
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key);
    let mut config = config.map_err(|error| read(&tls.certificate, &error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Serves whoever comes, until `stopped` is true; then what is under way is finished.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    router: Router,
    mut stopped: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(room(rustix::process::getrlimit(Resource::Nofile).current)));
    let mut talks = JoinSet::new();
    loop {
        let (stream, peer, permit) = tokio::select! {
            accepted = accept(&listener, &room) => accepted,
            // Those that have ended are forgotten.
            Some(_) = talks.join_next() => continue,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        };
        let (tls, router, stopped) = (tls.clone(), router.clone(), stopped.clone());
        talks.spawn(async move {
            let stream = Patient::new(stream);
            let stream = match tls {
                None => Stream::Plain(stream),
                Some(tls) => match timeout(HANDSHAKE, tls.accept(stream)).await {
                    Ok(Ok(stream)) => Stream::Tls(Box::new(stream)),
                    _ => return,
                },
            };
            let written = Written::default();
            let connection = Connection { stream, written: written.clone(), _permit: permit };
            talk(connection, (peer, written), router, stopped).await;
        });
    }
    while talks.join_next().await.is_some() {}
}

/// How many connections are served at a time, where so many files may be open.
fn room(files: Option<u64>) -> usize {
    let share = files.map_or(MOST, |files| usize::try_from(files / SHARE).unwrap_or(MOST));
    share.clamp(1, MOST)
}

/// Serves programs of the same user on this machine, over a socket that nobody else can open; in the clear, since nobody is in
/// between.
pub(crate) async fn serve_local(listener: UnixListener, router: Router, mut stopped: watch::Receiver<bool>) {
    let here = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let mut talks = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = talks.join_next() => continue,
            _ = stopped.wait_for(|stopped| *stopped) => return,
        };
        match accepted {
            Ok((stream, _)) => {
                _ = talks.spawn(talk(
                    Patient::new(stream),
                    (here, Written::default()),
                    router.clone(),
                    stopped.clone(),
                ));
            }
            Err(_) => tokio::time::sleep(FULL).await,
        }
    }
}

/// The next connection, as soon as there is room for one more.
async fn accept(listener: &TcpListener, room: &Arc<Semaphore>) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
    // Nobody closes the room.
    let Ok(permit) = room.clone().acquire_owned().await else { return std::future::pending().await };
    loop {
        if let Ok((stream, peer)) = listener.accept().await {
            let _ = stream.set_nodelay(true);
            // What cannot be watched over is served as well.
            let _ = watch_over(&stream);
            return (stream, peer, permit);
        }
        // Too many files are open: wait until some are closed.
        tokio::time::sleep(FULL).await;
    }
}

/// Has the system ask whether the other side is still there. One that went without a word would otherwise keep its place for
/// ever where nothing is said to it, as to whoever follows a session that is calm.
fn watch_over(stream: &TcpStream) -> rustix::io::Result<()> {
    sockopt::set_tcp_keepidle(stream, CALM)?;
    sockopt::set_tcp_keepintvl(stream, ASKED_EVERY)?;
    sockopt::set_tcp_keepcnt(stream, ASKED)?;
    sockopt::set_socket_keepalive(stream, true)
}

/// Serves one connection. Whoever does not say within a while what he wants makes room for others.
pub(crate) async fn talk<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(
    stream: S,
    (peer, written): (SocketAddr, Written),
    router: Router,
    mut stopped: watch::Receiver<bool>,
) {
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(Peer(peer)));
        request.extensions_mut().insert(written.clone());
        router.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let mut connection = pin!(http.serve_connection(TokioIo::new(InWords::new(stream)), service).with_upgrades());
    tokio::select! {
        // Whoever has gone hears nothing more, and whoever talked nonsense was told so.
        _ = connection.as_mut() => return,
        _ = stopped.wait_for(|stopped| *stopped) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// The address of the other side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// How much the other side of a connection has taken so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written(Arc<AtomicU64>);

impl Written {
    pub(crate) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// A connection; one more can be taken when it is dropped.
pub(crate) struct Connection {
    stream: Stream,
    written: Written,
    _permit: OwnedSemaphorePermit,
}

enum Stream {
    Plain(Patient<TcpStream>),
    Tls(Box<TlsStream<Patient<TcpStream>>>),
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let taken = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        };
        if let Poll::Ready(Ok(bytes)) = taken {
            self.written.add(bytes);
        }
        taken
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::routing::get;
    use futures_util::StreamExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    /// What somebody hears who says this and no more, until the connection is closed. The clock goes on by itself.
    async fn heard(said: &str) -> String {
        let (mut client, server) = duplex(4096);
        let router = Router::new().route("/", get(async || "hello"));
        let (_stop, stopped) = watch::channel(false);
        let peer = SocketAddr::from(([127, 0, 0, 1], 1));
        let talking = talk(server, (peer, Written::default()), router, stopped);
        let hearing = async {
            client.write_all(said.as_bytes()).await.unwrap();
            let mut heard = String::new();
            let _ = client.read_to_string(&mut heard).await;
            heard
        };
        tokio::join!(talking, hearing).1
    }

    #[test]
    fn there_is_room_for_connections_and_for_what_they_ask_for() {
        assert_eq!([Some(1024), Some(256), Some(1 << 20), None, Some(1)].map(room), [256, 64, MOST, MOST, 1]);
    }

    #[tokio::test]
    async fn it_is_asked_whether_a_client_that_says_nothing_is_still_there() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, room) = (listener.local_addr().unwrap(), Arc::new(Semaphore::new(1)));
        let ((stream, ..), _client) = tokio::join!(accept(&listener, &room), TcpStream::connect(address));
        assert_eq!(sockopt::socket_keepalive(&stream), Ok(true));
        assert_eq!(sockopt::tcp_keepidle(&stream), Ok(CALM));
        assert_eq!((sockopt::tcp_keepintvl(&stream), sockopt::tcp_keepcnt(&stream)), (Ok(ASKED_EVERY), Ok(ASKED)));
    }

    #[tokio::test]
    async fn it_is_known_how_much_a_client_has_taken() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (accepted, client) = tokio::join!(listener.accept(), TcpStream::connect(address));
        let permit = Arc::new(Semaphore::new(1)).acquire_owned().await.unwrap();
        let (stream, written) = (Stream::Plain(Patient::new(accepted.unwrap().0)), Written::default());
        let mut connection = Connection { stream, written: written.clone(), _permit: permit };
        connection.write_all(b"twelve bytes").await.unwrap();
        assert_eq!(written.bytes(), 12);
        drop(client);
    }

    /// An answer that is longer than what the system keeps for a client; after its first piece comes nothing for a day.
    fn long() -> Router {
        let pieces = || {
            futures_util::stream::iter([0, 24]).then(|hours| async move {
                tokio::time::sleep(Duration::from_secs(hours * 60 * 60)).await;
                Ok::<_, io::Error>(vec![b'x'; 16 * 1024 * 1024])
            })
        };
        Router::new().route("/", get(async move || Body::from_stream(pieces())))
    }

    /// A connection as it is served, with a client that has said what it wants.
    async fn asked() -> (Connection, std::net::TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        io::Write::write_all(&mut client, b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let permit = Arc::new(Semaphore::new(1)).acquire_owned().await.unwrap();
        let stream = Stream::Plain(Patient::new(listener.accept().await.unwrap().0));
        (Connection { stream, written: Written::default(), _permit: permit }, client)
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_its_answer_is_not_waited_for() {
        let (connection, mut client) = asked().await;
        let (_stop, stopped) = watch::channel(false);
        let begun = tokio::time::Instant::now();
        let peer = SocketAddr::from(([127, 0, 0, 1], 1));
        talk(connection, (peer, Written::default()), long(), stopped).await;
        assert_eq!(begun.elapsed().as_secs(), patient::PATIENCE.as_secs());
        let mut heard = Vec::new();
        let _ = io::Read::read_to_end(&mut client, &mut heard);
        assert!(heard.starts_with(b"HTTP/1.1 200") && heard.len() < 16 * 1024 * 1024, "{}", heard.len());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_to_whom_nothing_is_said_for_a_day_is_still_served() {
        let (client, server) = duplex(64 * 1024);
        let (mut hearing, mut saying) = tokio::io::split(client);
        saying.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
        let (_stop, stopped) = watch::channel(false);
        let peer = SocketAddr::from(([127, 0, 0, 1], 1));
        let talking = talk(Patient::new(server), (peer, Written::default()), long(), stopped);
        let mut heard = Vec::new();
        let (_, read) = tokio::join!(talking, hearing.read_to_end(&mut heard));
        read.unwrap();
        assert_eq!(heard.iter().filter(|byte| **byte == b'x').count(), 32 * 1024 * 1024);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_say_what_it_wants_is_not_waited_for() {
        assert_eq!(heard("").await, "");
        assert!(!heard("GET / HTTP/1.1\r\nhost: x\r\nx-slow: ").await.contains("hello"));
        // Neither for its second request.
        assert!(heard("GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.contains("hello"));
    }
}
