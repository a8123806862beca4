//! A certificate: what goes to the server and back cannot be read on the way.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lab::agent::Story;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::processes::ended_at_once;
use super::reach::listening;
use crate::client::Socket;
use crate::deck::Deck;

/// A certificate for this machine and its key, in new files.
#[expect(clippy::disallowed_methods, reason = "certificates are made by the system's own program")]
pub(super) async fn certificate(place: &Path, name: &str) -> (PathBuf, PathBuf) {
    let (cert, key) = (place.join(format!("{name}.pem")), place.join(format!("{name}-key.pem")));
    let mut openssl = tokio::process::Command::new("openssl");
    openssl.args(["req", "-x509", "-nodes", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]);
    openssl.args(["-subj", "/CN=a test", "-addext", "subjectAltName=IP:127.0.0.1"]);
    openssl.args(["-addext", "basicConstraints=critical,CA:FALSE"]).arg("-out").arg(&cert).arg("-keyout").arg(&key);
    let made = openssl.output().await.unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    (cert, key)
}

/// A connection of a client that trusts nobody but `certificate`.
async fn connect(port: u16, certificate: &Path) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate).unwrap()).unwrap();
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    let name = ServerName::try_from("127.0.0.1").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// What such a client hears.
pub(super) async fn ask(port: u16, certificate: &Path, request: impl AsRef<[u8]>) -> std::io::Result<String> {
    let mut stream = connect(port, certificate).await?;
    stream.write_all(request.as_ref()).await?;
    let mut heard = String::new();
    stream.read_to_string(&mut heard).await?;
    Ok(heard)
}

#[tokio::test]
async fn a_server_with_a_certificate_speaks_to_those_who_trust_it_and_to_nobody_in_the_clear() {
    let deck = Deck::new(&Story::new()).await;
    let (ours, key) = certificate(deck.path(), "ours").await;
    let (foreign, _) = certificate(deck.path(), "foreign").await;
    let server = deck.serve_with(&["--tls-cert", ours.to_str().unwrap(), "--tls-key", key.to_str().unwrap()]).await;
    assert!(server.url.starts_with("https://127.0.0.1:"), "{}", server.url);
    let port = deck.client().port;
    let token = server.url.rsplit_once('#').unwrap().1;
    let body = format!(r#"{{"token":"{token}"}}"#);
    let login = format!(
        "POST /api/v1/login HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\norigin: https://127.0.0.1:{port}\r\nx-quarterdeck: 1\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    assert!(ask(port, &foreign, &login).await.is_err(), "who trusts somebody else says nothing");
    let heard = ask(port, &ours, &login).await.unwrap();
    assert!(heard.starts_with("HTTP/1.1 2"), "{heard}");
    let cookie = heard.lines().find(|line| line.to_ascii_lowercase().starts_with("set-cookie:")).unwrap();
    assert!(cookie.contains("Secure") && cookie.contains("HttpOnly"), "{cookie}");
    // So does a WebSocket.
    let bearer = deck.client().token.unwrap();
    let ticket = format!(
        "POST /api/v1/socket-tickets HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {bearer}\r\n\
         x-quarterdeck: 1\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
    );
    let ticket = ask(port, &ours, &ticket).await.unwrap();
    let ticket: serde_json::Value = serde_json::from_str(ticket.split_once("\r\n\r\n").unwrap().1).unwrap();
    let url = format!("wss://127.0.0.1:{port}/api/v1/socket?ticket={}", ticket["ticket"].as_str().unwrap());
    let mut socket = Socket::open(url, connect(port, &ours).await.unwrap()).await.unwrap();
    assert_eq!(socket.hear().await.unwrap()["kind"], "hello");
    // Run once more, it prints another link, whatever the first one speaks.
    let again = deck.command(&["serve", "--no-open"]).output().await.unwrap();
    let url = String::from_utf8(again.stdout).unwrap();
    let (address, other) = url.trim().rsplit_once('#').unwrap();
    assert_eq!(address, format!("https://127.0.0.1:{port}/login"));
    assert_ne!(other, token);
    let heard = ask(port, &ours, &login.replace(token, other)).await.unwrap();
    assert!(heard.starts_with("HTTP/1.1 2"), "{heard}");
    // In the clear nobody is heard.
    assert!(deck.client().get("/healthz").await.is_err());
    server.stop().await;
}

#[tokio::test]
async fn rule_20_others_can_reach_a_server_with_a_certificate_and_none_without() {
    let deck = Deck::new(&Story::new()).await;
    let everywhere = ["serve", "--no-open", "--port", "0", "--listen", "0.0.0.0"];
    let (status, words) = ended_at_once(&mut deck.command(&everywhere).spawn().unwrap()).await;
    assert_eq!(status, Some(2), "{words}");
    assert!(words.contains("can be reached by others"), "{words}");
    let (ours, key) = certificate(deck.path(), "ours").await;
    let tls = ["--tls-cert", ours.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
    let server = deck.serve_with(&[&["--listen", "0.0.0.0"], &tls[..]].concat()).await;
    let port = deck.client().port;
    assert_eq!(listening(server.pid()).into_iter().collect::<Vec<_>>(), [format!("00000000:{port:04X}")]);
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n");
    assert!(ask(port, &ours, &get("/healthz")).await.unwrap().starts_with("HTTP/1.1 200"));
    assert!(
        ask(port, &ours, &get("/api/v1/about")).await.unwrap().starts_with("HTTP/1.1 401"),
        "the guard stands there"
    );
    assert!(deck.client().get("/healthz").await.is_err(), "in the clear nobody is heard");
    server.stop().await;
}

#[tokio::test]
async fn a_certificate_that_cannot_be_used_is_named() {
    let deck = Deck::new(&Story::new()).await;
    let cert = deck.path().join("cert.pem").to_str().unwrap().to_owned();
    for text in [None, Some("nothing of the kind")] {
        if let Some(text) = text {
            std::fs::write(&cert, text).unwrap();
        }
        let said =
            deck.command(&["serve", "--no-open", "--tls-cert", &cert, "--tls-key", &cert]).output().await.unwrap();
        assert!(!said.status.success());
        let words = String::from_utf8_lossy(&said.stderr).into_owned();
        assert!(words.contains("cert.pem"), "{words}");
    }
}
