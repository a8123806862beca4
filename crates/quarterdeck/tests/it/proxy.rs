//! Behind a proxy that has the certificate and the name: under a path of its own, with the address of whoever comes, and with
//! WebSockets.

use std::net::Ipv4Addr;

use lab::agent::Story;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::client::{Client, Reply, Socket};
use crate::deck::Deck;

/// The name under which the world knows the proxy.
const NAME: &str = "deck.example";

/// Starts a proxy, and says where. It adds who asks, as proxies do, and passes everything on.
async fn proxy(to: u16, client: &'static str) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut from, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    head.push(from.read_u8().await?);
                }
                let first = head.iter().position(|byte| *byte == b'\n').unwrap_or_default() + 1;
                let told = format!("x-forwarded-for: {client}\r\nx-forwarded-proto: https\r\n");
                head.splice(first..first, told.into_bytes());
                let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, to)).await?;
                server.write_all(&head).await?;
                copy_bidirectional(&mut from, &mut server).await
            });
        }
    });
    port
}

/// A browser that only knows the name.
async fn asks(port: u16, method: &str, path: &str, more: &str, body: &str) -> Reply {
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {NAME}\r\norigin: https://{NAME}\r\nx-quarterdeck: 1\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n{more}\r\n{body}",
        body.len()
    );
    Client { port, token: None }.raw(request.as_bytes()).await.unwrap()
}

#[tokio::test]
async fn behind_a_proxy_the_page_is_under_its_path_and_everybody_has_an_address() {
    let deck = Deck::new(&Story::new()).await;
    let arguments = ["--base-path", "/deck", "--trusted-proxy", "127.0.0.1", "--host", NAME];
    let serving = deck.serve_with(&arguments).await;
    let server = deck.client().port;
    let (first, second) = (proxy(server, "203.0.113.7").await, proxy(server, "198.51.100.8").await);

    // In through the proxy, with a cookie for this name, this path and TLS alone.
    let login = json!({"token": serving.url.split_once('#').unwrap().1}).to_string();
    let reply = asks(first, "POST", "/deck/api/v1/login", "", &login).await;
    let cookie = reply.header("set-cookie").unwrap_or_else(|| panic!("{}", reply.text())).to_owned();
    assert!(cookie.starts_with("__Secure-") && cookie.contains("Path=/deck") && cookie.contains("Secure"), "{cookie}");
    let cookie = format!("cookie: {}\r\n", cookie.split(';').next().unwrap());
    let page = asks(first, "GET", "/deck/", &cookie, "").await;
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    // It names its files from where it stands.
    let html = page.text();
    let script = html.split('"').find(|word| word.ends_with(".js")).unwrap();
    let script = asks(first, "GET", &format!("/deck/{}", script.trim_start_matches("./")), &cookie, "").await;
    assert_eq!(script.status, 200);
    assert_eq!(asks(first, "GET", "/deck", &cookie, "").await.header("location"), Some("/deck/"));
    assert_eq!(asks(first, "GET", "/deck/api/v1/about", &cookie, "").await.status, 200);
    assert_eq!(asks(first, "GET", "/api/v1/about", &cookie, "").await.status, 404, "beside its path there is nothing");

    // A WebSocket.
    let ticket = asks(first, "POST", "/deck/api/v1/socket-tickets", &cookie, "{}").await.good();
    let url = format!("ws://{NAME}/deck/api/v1/socket?ticket={}", ticket["ticket"].as_str().unwrap());
    let mut request = url.into_client_request().unwrap();
    request.headers_mut().insert("origin", format!("https://{NAME}").parse().unwrap());
    let over = TcpStream::connect((Ipv4Addr::LOCALHOST, first)).await.unwrap();
    let mut socket = Socket::open(request, over).await.unwrap();
    assert_eq!(socket.hear().await.unwrap()["kind"], "hello");
    socket.say(&json!({"kind": "ping", "nonce": 3})).await.unwrap();
    assert_eq!(socket.hear().await.unwrap(), json!({"kind": "pong", "nonce": 3}));

    // Guesses count for whoever made them, not for the proxy.
    let guess = json!({"token": "guessed"}).to_string();
    let guesses = async |proxy: u16| asks(proxy, "POST", "/deck/api/v1/login", "", &guess).await.code();
    for expected in ["bad_token", "bad_token", "too_many"] {
        assert_eq!(guesses(first).await.as_deref(), Some(expected));
    }
    assert_eq!(guesses(second).await.as_deref(), Some("bad_token"));
    serving.stop().await;
}
