//! The name that a request calls the server by: rules 6 and 8.

use lab::agent::Story;

use super::browser::{Browser, ticket, upgrade};
use super::{refusal, refused};
use crate::client::{Client, Reply};
use crate::deck::Deck;

/// A request with exactly these headers, with nothing to be let in by.
async fn asked(port: u16, method: &str, target: &str, headers: &[(&str, &str)]) -> Reply {
    let mut head = format!("{method} {target} HTTP/1.1\r\nconnection: close\r\ncontent-length: 0\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    Client { port, token: None }.raw(format!("{head}\r\n").as_bytes()).await.unwrap()
}

#[tokio::test]
async fn rule_06_a_foreign_host_is_refused_before_anything_else() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let port = deck.client().port;
    let bearer = format!("Bearer {}", deck.client().token.unwrap());
    let foreign = [
        "evil.test".to_owned(),
        format!("evil.test:{port}"),
        "localhost".to_owned(),
        "127.0.0.1".to_owned(),
        "127.0.0.1:1".to_owned(),
        format!("127.0.0.2:{port}"),
        format!("0.0.0.0:{port}"),
        format!("127.0.0.1:{port}.evil.test"),
        format!("localhost.:{port}"),
        format!("user@localhost:{port}"),
        format!("[::ffff:127.0.0.1]:{port}"),
        String::new(),
    ];
    // On every kind of route, also for those who may come in; also on what is no route, and with a method that is none.
    let targets = [
        ("GET", "/healthz"),
        ("GET", "/login"),
        ("GET", "/"),
        ("GET", "/api/v1/sessions"),
        ("POST", "/api/v1/login"),
        ("GET", "/nothing"),
        ("OPTIONS", "/api/v1/sessions"),
        ("HEAD", "/page/login.js"),
    ];
    for host in &foreign {
        for (method, target) in targets {
            let headers = [("host", host.as_str()), ("authorization", &bearer), ("x-forwarded-host", "localhost")];
            assert_eq!(asked(port, method, target, &headers).await.status, 421, "{method} {target} at `{host}`");
        }
        let query = format!("?ticket={}", ticket(&deck.client()).await);
        let reply = upgrade(port, &query, &[("host", host)]).await;
        assert_eq!(refusal(&reply), refused(421, "wrong_host"), "a WebSocket at `{host}`");
    }
    let ours = format!("127.0.0.1:{port}");
    let right = ("host", ours.as_str());
    // Twice, not at all, or another one in the target.
    assert_eq!(asked(port, "GET", "/healthz", &[right, ("host", "evil.test")]).await.status, 421);
    assert_eq!(asked(port, "GET", "/healthz", &[("host", "evil.test"), right]).await.status, 421);
    assert_eq!(asked(port, "GET", "/healthz", &[]).await.status, 421);
    assert_eq!(asked(port, "GET", "http://evil.test/healthz", &[right]).await.status, 421);
    for host in [ours.clone(), format!("localhost:{port}"), format!("LocalHost:{port}"), format!("[::1]:{port}")] {
        assert_eq!(asked(port, "GET", "/healthz", &[("host", &host)]).await.status, 200, "{host}");
        assert_eq!(asked(port, "GET", &format!("http://{host}/healthz"), &[("host", &host)]).await.status, 200);
    }
}

#[tokio::test]
async fn rule_08_a_page_that_calls_us_by_its_own_name_is_refused() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let port = deck.client().port;
    let browser = Browser::open(port, &server.url).await;
    // A name of an attacker that leads here: the browser takes us for the attacker's own server.
    for host in [format!("evil.test:{port}"), "evil.test".to_owned()] {
        let origin = format!("http://{host}");
        let headers = [
            ("host", host.as_str()),
            ("origin", &origin),
            ("sec-fetch-site", "same-origin"),
            ("cookie", &browser.cookie),
            ("x-quarterdeck", "1"),
            ("content-type", "application/json"),
        ];
        for (method, target) in [("GET", "/api/v1/sessions"), ("POST", "/api/v1/launches"), ("GET", "/")] {
            let reply = asked(port, method, target, &headers).await;
            assert_eq!(refusal(&reply), refused(421, "wrong_host"), "{method} {target}");
        }
        let query = format!("?ticket={}", browser.ticket().await);
        assert_eq!(refusal(&upgrade(port, &query, &headers[..4]).await), refused(421, "wrong_host"));
    }
}
