//! Whoever talks nonsense is told so in the form that every error has, whatever he said and over whatever he said it.

use lab::agent::Story;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::tls::{ask, certificate};
use super::{refusal, refused};
use crate::client::Reply;
use crate::deck::Deck;

/// What nobody can read, and what is said to it.
fn nonsense(port: u16) -> Vec<(Vec<u8>, (u16, String))> {
    let bad = || refused(400, "bad_request");
    let with = |lines: &str| {
        let json = "x-quarterdeck: 1\r\ncontent-type: application/json";
        format!("POST /api/v1/login HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n{json}\r\n{lines}").into_bytes()
    };
    let long = "x".repeat(500 * 1024);
    let many: String = (0..200).map(|number| format!("x-{number}: 1\r\n")).collect();
    vec![
        (b"no HTTP at all\r\n\r\n".to_vec(), bad()),
        // The beginning of a handshake for TLS.
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(), bad()),
        (b"G\x01T / HTTP/1.1\r\n\r\n".to_vec(), bad()),
        (b"GET /\x01 HTTP/1.1\r\n\r\n".to_vec(), bad()),
        (b"GET / HTTP/9.9\r\n\r\n".to_vec(), bad()),
        (b"GET / FTP/1.1\r\n\r\n".to_vec(), bad()),
        (with("no colon\r\n\r\n"), bad()),
        (with("x-\0: 1\r\n\r\n"), bad()),
        (with("content-length: -1\r\n\r\n"), bad()),
        (with("content-length: 1\r\ncontent-length: 2\r\n\r\n"), bad()),
        (with("content-length: 99999999999999999999\r\n\r\n"), bad()),
        (with("transfer-encoding: of my own\r\n\r\n"), bad()),
        (with("connection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"), bad()),
        (with(&format!("{many}\r\n")), refused(431, "head_too_large")),
        (with(&format!("x-long: {long}\r\n\r\n")), refused(431, "head_too_large")),
        (format!("GET /{} HTTP/1.1\r\n\r\n", &long[..70_000]).into_bytes(), refused(414, "address_too_long")),
    ]
}

/// The only answer in what was heard.
async fn only(mut heard: &[u8]) -> Reply {
    let whole = String::from_utf8_lossy(heard).into_owned();
    let reply = Reply::read(b"", &mut heard).await.unwrap_or_else(|error| panic!("{error}: {whole}"));
    assert!(heard.is_empty(), "there is more: {whole}");
    reply
}

/// An error as all others are, and the end of the connection.
fn is_like_others(reply: &Reply) {
    let shown = format!("{:?} {}", reply.headers, reply.text());
    assert_eq!(reply.header("content-type"), Some("application/json"), "{shown}");
    assert_eq!(reply.header("connection"), Some("close"), "{shown}");
    assert_eq!(reply.header("cache-control"), Some("no-store"), "{shown}");
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{shown}");
    assert!(reply.header("content-security-policy").is_some() && reply.header("date").is_some(), "{shown}");
    assert!(reply.json()["error"]["message"].as_str().unwrap().len() > 20, "{shown}");
}

#[tokio::test]
async fn nonsense_is_answered_like_any_other_error() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let client = deck.client();
    for (said, expected) in nonsense(client.port) {
        let shown = String::from_utf8_lossy(&said[..said.len().min(200)]).into_owned();
        let mut stream = client.connect().await.unwrap();
        stream.write_all(&said).await.unwrap();
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).await.unwrap_or_else(|error| panic!("{error}: {shown}"));
        let reply = only(&heard).await;
        assert_eq!(refusal(&reply), expected, "{shown}");
        is_like_others(&reply);
    }
    server.stop().await;
}

#[tokio::test]
async fn nonsense_over_tls_is_answered_like_any_other_error() {
    let deck = Deck::new(&Story::new()).await;
    let (ours, key) = certificate(deck.path(), "ours").await;
    let server = deck.serve_with(&["--tls-cert", ours.to_str().unwrap(), "--tls-key", key.to_str().unwrap()]).await;
    let port = deck.client().port;
    for (said, expected) in nonsense(port) {
        let shown = String::from_utf8_lossy(&said[..said.len().min(200)]).into_owned();
        let heard = ask(port, &ours, &said).await.unwrap_or_else(|error| panic!("{error}: {shown}"));
        let reply = only(heard.as_bytes()).await;
        assert_eq!(refusal(&reply), expected, "{shown}");
        is_like_others(&reply);
    }
    server.stop().await;
}

#[tokio::test]
async fn nonsense_after_a_good_request_is_answered_behind_it() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let good = format!("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:{}\r\n\r\n", client.port);
    let mut stream = client.connect().await.unwrap();
    stream.write_all(format!("{good}and now?\r\n\r\n").as_bytes()).await.unwrap();
    let mut heard = Vec::new();
    stream.read_to_end(&mut heard).await.unwrap();
    let mut heard = heard.as_slice();
    let first = Reply::read(b"", &mut heard).await.unwrap();
    assert_eq!((first.status, first.text().as_str()), (200, "ok\n"));
    let second = only(heard).await;
    assert_eq!(refusal(&second), refused(400, "bad_request"));
    is_like_others(&second);
}
