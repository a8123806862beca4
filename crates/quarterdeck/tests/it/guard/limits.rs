//! How much anybody may say, and where a server does not even start: rule 20.

use std::io::ErrorKind;

use futures_util::{SinkExt, StreamExt};
use lab::agent::Story;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;

use super::browser::{log_in, ticket, upgrade};
use super::processes::ended_at_once;
use super::{refusal, refused};
use crate::deck::Deck;
use crate::patience::ended;

#[tokio::test]
async fn rule_20_a_server_that_others_could_reach_does_not_start_without_tls() {
    let deck = Deck::new(&Story::new()).await;
    for address in ["0.0.0.0", "::", "10.0.0.1", "::ffff:0.0.0.0"] {
        let mut command = deck.command(&["serve", "--no-open", "--port", "0", "--listen", address]);
        let (status, words) = ended_at_once(&mut command.spawn().unwrap()).await;
        assert_eq!(status, Some(2), "{address}: {words}");
        assert!(words.contains("can be reached by others"), "{words}");
    }
    let mut command =
        deck.command(&["serve", "--no-open", "--port", "0", "--listen", "0.0.0.0", "--tls-cert", "nothing"]);
    let (status, words) = ended_at_once(&mut command.spawn().unwrap()).await;
    assert_eq!(status, Some(2), "{words}");
}

#[tokio::test]
async fn rule_20_bodies_and_headers_have_an_end() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let large = json!({"budgets": {"x".repeat(1024 * 1024): 1}});
    let reply = client.change("PATCH", "/api/v1/settings", &large).await.unwrap();
    assert_eq!(refusal(&reply), refused(413, "too_large"));
    let deep = format!("{{\"presets\": {{\"a\": {{\"settings\": {}1{}}}}}}}", "[".repeat(10_000), "]".repeat(10_000));
    let headers = [("x-quarterdeck", "1"), ("content-type", "application/json")];
    assert_eq!(client.request("PATCH", "/api/v1/settings", &headers, deep.as_bytes()).await.unwrap().status, 400);
    // Of somebody who is not known, far less is read.
    let reply = log_in(client.port, "", &"x".repeat(5000)).await;
    assert_eq!(refusal(&reply), refused(413, "too_large"));
    // One that has no end is read so far, and no further.
    let (mut hearing, mut saying) = client.connect().await.unwrap().into_split();
    let mut head = String::new();
    for line in ["POST /api/v1/roots HTTP/1.1", "x-quarterdeck: 1", "content-type: application/json"] {
        head += &format!("{line}\r\n");
    }
    head += &format!("host: 127.0.0.1:{}\r\nauthorization: Bearer {}\r\n", client.port, client.token.as_ref().unwrap());
    saying.write_all(format!("{head}transfer-encoding: chunked\r\n\r\n").as_bytes()).await.unwrap();
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let mut said = 0;
    while saying.write_all(chunk.as_bytes()).await.is_ok() {
        said += 1;
        assert!(said < 1000, "nobody stops it");
    }
    let mut heard = Vec::new();
    // Whoever goes on talking when he was refused may miss what was said to him.
    let _ = hearing.read_to_end(&mut heard).await;
    assert!(heard.is_empty() || heard.starts_with(b"HTTP/1.1 413"), "{}", String::from_utf8_lossy(&heard));
    let long = "x".repeat(1024 * 1024);
    let reply = client.request("GET", "/api/v1/about", &[("x-long", &long)], b"").await.unwrap();
    assert_eq!(refusal(&reply), refused(431, "head_too_large"));
    let many: Vec<(String, &str)> = (0..2000).map(|number| (format!("x-{number}"), "1")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let reply = client.request("GET", "/api/v1/about", &many, b"").await.unwrap();
    assert_eq!(refusal(&reply), refused(431, "head_too_large"));
    assert_eq!(client.get("/api/v1/about").await.unwrap().status, 200);
}

#[tokio::test]
async fn rule_20_a_body_that_does_not_come_is_not_waited_for() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let mut stream = client.connect().await.unwrap();
    let begun = format!(
        "POST /api/v1/socket-tickets HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nauthorization: Bearer {}\r\nx-quarterdeck: 1\r\n\
         content-type: application/json\r\ncontent-length: 2\r\n\r\n{{",
        client.port,
        client.token.unwrap()
    );
    stream.write_all(begun.as_bytes()).await.unwrap();
    let mut heard = String::new();
    let closed = ended(stream.read_to_string(&mut heard)).await;
    assert!(closed.is_some(), "the server waits for ever");
    assert!(heard.starts_with("HTTP/1.1 400") && heard.contains("did not come in time"), "{heard}");
}

#[tokio::test]
async fn rule_20_not_more_connections_are_taken_than_can_be_served() {
    let deck = Deck::new(&Story::new()).await;
    // A quarter of them are for connections.
    let _server = deck.serve_with_files(256).await;
    let client = deck.client();
    let mut last = client.socket().await.unwrap();
    let mut others = Vec::new();
    for _ in 1..64 {
        let mut socket = client.socket().await.unwrap();
        others.push(tokio::spawn(async move { while socket.hear().await.is_some() {} }));
    }
    let mut late = client.connect().await.unwrap();
    let request = format!("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nconnection: close\r\n\r\n", client.port);
    late.write_all(request.as_bytes()).await.unwrap();
    // The server answers those whom it has taken, again and again, and not this one.
    for nonce in 0..100 {
        last.say(&json!({"kind": "ping", "nonce": nonce})).await.unwrap();
        while last.hear().await.unwrap()["nonce"] != nonce {}
        let heard = late.try_read(&mut [0]);
        assert!(heard.is_err_and(|error| error.kind() == ErrorKind::WouldBlock), "one more is served");
    }
    others.pop().unwrap().abort();
    let mut heard = String::new();
    late.read_to_string(&mut heard).await.unwrap();
    assert!(heard.starts_with("HTTP/1.1 200"), "as soon as there is room: {heard}");
}

#[tokio::test]
async fn rule_20_a_socket_that_says_too_much_is_closed() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let opened = async || {
        let url = format!("ws://127.0.0.1:{}/api/v1/socket?ticket={}", client.port, ticket(&client).await);
        tokio_tungstenite::client_async(url, client.connect().await.unwrap()).await.unwrap().0
    };
    let long = json!({"kind": "watch", "session": "x".repeat(70 * 1024), "epoch": "", "seq": 0}).to_string();
    let mut socket = opened().await;
    socket.send(Message::text(long)).await.unwrap();
    while let Some(Ok(message)) = socket.next().await {
        assert!(!message.to_string().contains("xxx"), "it was read");
    }
    let mut socket = opened().await;
    socket.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    while let Some(Ok(_)) = socket.next().await {}
    // Frames are counted between two heartbeats, so nobody who behaves comes near.
    let (mut saying, mut hearing) = opened().await.split();
    let ping = json!({"kind": "ping", "nonce": 1}).to_string();
    tokio::spawn(async move { while saying.send(Message::text(ping.clone())).await.is_ok() {} });
    let mut heard = 0;
    while let Some(Ok(message)) = hearing.next().await {
        heard += usize::from(message.is_text());
        assert!(heard <= 1001, "nobody stops it");
    }
    assert_eq!(client.get("/api/v1/about").await.unwrap().status, 200);
}

#[tokio::test]
async fn rule_20_not_more_sockets_are_open_than_can_be_served() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let host = format!("127.0.0.1:{}", client.port);
    let mut open = Vec::new();
    for _ in 0..512 {
        let mut stream = client.connect().await.unwrap();
        let request = format!(
            "GET /api/v1/socket?ticket={} HTTP/1.1\r\nhost: {host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            ticket(&client).await
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        assert_eq!(&status, b"HTTP/1.1 101");
        open.push(stream);
    }
    let query = format!("?ticket={}", ticket(&client).await);
    assert_eq!(refusal(&upgrade(client.port, &query, &[("host", &host)]).await), refused(429, "too_many"));
    assert_eq!(client.get("/api/v1/about").await.unwrap().status, 200, "everything else goes on");
}
