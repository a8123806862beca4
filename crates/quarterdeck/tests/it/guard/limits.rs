//! How much anybody may say, and where a server does not even start: rule 20.

use futures_util::{SinkExt, StreamExt};
use lab::agent::Story;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;

use super::browser::{ticket, upgrade};
use super::switch::ended_at_once;
use super::{refusal, refused};
use crate::deck::Deck;

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
    let long = "x".repeat(1024 * 1024);
    let reply = client.request("GET", "/api/v1/about", &[("x-long", &long)], b"").await;
    // Told so, or cut off.
    assert!(reply.is_err() || reply.is_ok_and(|reply| reply.status == 431));
    let many: Vec<(String, &str)> = (0..2000).map(|number| (format!("x-{number}"), "1")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let reply = client.request("GET", "/api/v1/about", &many, b"").await;
    assert!(reply.is_err() || reply.is_ok_and(|reply| reply.status == 431));
    assert_eq!(client.get("/api/v1/about").await.unwrap().status, 200);
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
