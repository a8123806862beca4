//! Connections: taken one after the other, over TLS if there is a certificate, and not more at a time than can be served.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::server::TlsStream;

use crate::config::{Config, Port, Tls};

/// The most connections at a time.
const MOST: usize = 1024;

/// How long a client may take to agree on TLS.
const HANDSHAKE: Duration = Duration::from_secs(10);

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

/// Connections that are ready to be read.
pub(crate) struct Connections {
    ready: mpsc::Receiver<(Connection, SocketAddr)>,
    address: SocketAddr,
}

impl Connections {
    /// Takes connections from a listener.
    pub(crate) fn new(listener: TcpListener, tls: Option<TlsAcceptor>) -> io::Result<Connections> {
        let address = listener.local_addr()?;
        let (sender, ready) = mpsc::channel(16);
        tokio::spawn(accept(listener, tls, sender));
        Ok(Connections { ready, address })
    }
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, sender: mpsc::Sender<(Connection, SocketAddr)>) {
    let room = Arc::new(Semaphore::new(MOST));
    loop {
        let Ok(permit) = room.clone().acquire_owned().await else { return };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = sender.closed() => return,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(_) => {
                // Too many files are open: wait until some are closed.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let (tls, sender) = (tls.clone(), sender.clone());
        tokio::spawn(async move {
            let stream = match tls {
                None => Stream::Plain(stream),
                Some(tls) => match timeout(HANDSHAKE, tls.accept(stream)).await {
                    Ok(Ok(stream)) => Stream::Tls(Box::new(stream)),
                    _ => return,
                },
            };
            let _ = sender.send((Connection { stream, _permit: permit }, peer)).await;
        });
    }
}

impl Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        match self.ready.recv().await {
            Some(ready) => ready,
            // The listener is gone with the runtime.
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// The address of the other side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

impl Connected<IncomingStream<'_, Connections>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Peer {
        Peer(*stream.remote_addr())
    }
}

/// A connection; one more can be taken when it is dropped.
pub(crate) struct Connection {
    stream: Stream,
    _permit: OwnedSemaphorePermit,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
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
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
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
