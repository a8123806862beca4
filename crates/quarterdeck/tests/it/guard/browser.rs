//! A browser: it has logged in with a launch link, keeps the cookie, and says which page it is on.

use serde_json::{Value, json};

use crate::client::{Client, Reply};

/// A browser that is logged in.
pub(super) struct Browser {
    pub(super) client: Client,
    /// `name=value`.
    pub(super) cookie: String,
    /// The whole `Set-Cookie` of the login.
    pub(super) set_cookie: String,
}

/// Asks to log in with a token, as the page does.
pub(super) async fn log_in(port: u16, base: &str, token: &str) -> Reply {
    let client = Client { port, token: None };
    client.post(&format!("{base}/api/v1/login"), &json!({"token": token})).await.unwrap()
}

/// The token of a launch link.
pub(super) fn token_of(url: &str) -> &str {
    url.split_once('#').unwrap().1
}

impl Browser {
    /// Opens a launch link.
    pub(super) async fn open(port: u16, url: &str) -> Browser {
        Browser::open_at(port, "", url).await
    }

    /// Opens a launch link of a server with a base path.
    pub(super) async fn open_at(port: u16, base: &str, url: &str) -> Browser {
        let reply = log_in(port, base, token_of(url)).await;
        let set_cookie = reply.header("set-cookie").unwrap_or_else(|| panic!("{}", reply.text())).to_owned();
        let cookie = set_cookie.split(';').next().unwrap().to_owned();
        Browser { client: Client { port, token: None }, cookie, set_cookie }
    }

    /// The address of its page.
    pub(super) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.client.port)
    }

    /// A request with the cookie and these headers.
    pub(super) async fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let headers = [&[("cookie", self.cookie.as_str())], headers].concat();
        self.client.request(method, path, &headers, body.as_bytes()).await.unwrap()
    }

    /// A request that changes something, as our own page makes it.
    pub(super) async fn change(&self, method: &str, path: &str, body: &Value) -> Reply {
        let origin = self.origin();
        let headers = [
            ("origin", origin.as_str()),
            ("sec-fetch-site", "same-origin"),
            ("x-quarterdeck", "1"),
            ("content-type", "application/json"),
        ];
        self.request(method, path, &headers, &body.to_string()).await
    }

    /// A ticket for a WebSocket.
    pub(super) async fn ticket(&self) -> String {
        let reply = self.change("POST", "/api/v1/socket-tickets", &json!({})).await;
        reply.good()["ticket"].as_str().unwrap().to_owned()
    }
}

/// A ticket for a WebSocket of somebody with a bearer token.
pub(super) async fn ticket(client: &Client) -> String {
    let reply = client.post("/api/v1/socket-tickets", &json!({})).await.unwrap();
    reply.good()["ticket"].as_str().unwrap().to_owned()
}

/// Asks for a WebSocket with these headers and nothing else.
pub(super) async fn upgrade(port: u16, query: &str, headers: &[(&str, &str)]) -> Reply {
    let mut head = format!(
        "GET /api/v1/socket{query} HTTP/1.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    );
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    Client { port, token: None }.raw(format!("{head}\r\n").as_bytes()).await.unwrap()
}
