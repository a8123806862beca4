//! Coming in: rules 4 and 5, and of rule 20 how often one may try.

use std::fs::File;
use std::path::Path;

use lab::agent::Story;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};

use super::browser::{Browser, log_in, ticket, token_of, upgrade};
use super::{refusal, refused};
use crate::deck::Deck;

#[tokio::test]
async fn rule_04_a_launch_link_is_good_once() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let port = deck.client().port;
    assert_eq!(log_in(port, "", token_of(&server.url)).await.status, 200);
    assert_eq!(refusal(&log_in(port, "", token_of(&server.url)).await), refused(403, "bad_token"));
    // Run once more, it prints another one, which is good once, too.
    let again = deck.command(&["serve", "--no-open"]).output().await.unwrap();
    let url = String::from_utf8(again.stdout).unwrap();
    assert_ne!(url.trim(), server.url);
    assert_eq!(log_in(port, "", token_of(url.trim())).await.status, 200);
}

#[tokio::test]
async fn rule_04_no_token_stands_in_a_log_or_a_file() {
    let deck = Deck::new(&Story::new()).await.with("QUARTERDECK_LOG", "trace");
    let (port, log) = (deck.client().port, deck.path().join("log"));
    let mut command = deck.command(&["serve", "--no-open", "--port", &port.to_string()]);
    let mut server = command.stderr(File::create(&log).unwrap()).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let url = lines.next_line().await.unwrap().unwrap();
    // It stands after the `#`, which no browser sends to anybody.
    assert!(!url.split_once('#').unwrap().0.contains(token_of(&url)));
    let browser = Browser::open(port, &url).await;
    let launch = deck.client().post("/api/v1/launches", &json!({})).await.unwrap().good();
    let launch = launch["path"].as_str().unwrap().to_owned();
    let tickets = [browser.ticket().await, ticket(&deck.client()).await];
    let host = format!("127.0.0.1:{port}");
    let headers = [("host", host.as_str()), ("origin", &browser.origin())];
    assert_eq!(upgrade(port, &format!("?ticket={}", tickets[0]), &headers).await.status, 101);
    assert_eq!(log_in(port, "", "wrong-token-of-somebody").await.status, 403);
    server.kill().await.unwrap();
    let words = std::fs::read_to_string(&log).unwrap();
    assert!(words.contains("/api/v1/login") && words.contains("/api/v1/socket"), "the log says too little: {words}");
    let bearer = deck.client().token.unwrap();
    let cookie = browser.cookie.split_once('=').unwrap().1.to_owned();
    let [page, script] = tickets;
    let secrets = [token_of(&url).to_owned(), token_of(&launch).to_owned(), bearer, cookie, page, script];
    for secret in secrets.iter().map(String::as_str).chain(["wrong-token-of-somebody"]) {
        assert!(!words.contains(secret), "the log has {secret}");
        assert_eq!(files_with(&deck.path().join("data"), secret), Vec::<String>::new());
    }
}

/// The files below a folder in which a text stands.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read(&path).unwrap().windows(text.len()).any(|part| part == text.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

#[tokio::test]
async fn rule_05_the_cookie_is_for_this_site_and_http_alone() {
    let deck = Deck::new(&Story::new()).await;
    let port = deck.client().port;
    let plain = &["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=Strict"][..];
    let nested = &["HttpOnly", "Max-Age=34560000", "Path=/deck", "SameSite=Strict"][..];
    let secure = &["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=Strict", "Secure"][..];
    let base = &["--base-path", "/deck"][..];
    let proxy = &["--trusted-proxy", "127.0.0.1"][..];
    let cases =
        [("", &[][..], plain, "quarterdeck-"), ("/deck", base, nested, "quarterdeck-"), ("", proxy, secure, "__Host-")];
    for (base, arguments, expected, name) in cases {
        let server = deck.serve_with(arguments).await;
        let browser = Browser::open_at(port, base, &server.url).await;
        let mut attributes: Vec<&str> = browser.set_cookie.split("; ").skip(1).collect();
        attributes.sort_unstable();
        assert_eq!(attributes, expected, "{arguments:?}");
        assert!(browser.cookie.starts_with(name), "{}", browser.cookie);
        assert_eq!(browser.request("GET", &format!("{base}/api/v1/about"), &[], "").await.status, 200);
        if !base.is_empty() {
            // Beside the base path there is nothing, and the guard stands there as well.
            assert_eq!(browser.request("GET", "/api/v1/about", &[], "").await.status, 404);
            assert_eq!(browser.client.get("/api/v1/about").await.unwrap().status, 401);
            assert_eq!(browser.client.get("/deck/api/v1/about").await.unwrap().status, 401);
        }
        server.stop().await;
    }
}

#[tokio::test]
async fn rule_05_logging_out_ends_the_cookie() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let browser = Browser::open(deck.client().port, &server.url).await;
    let reply = browser.change("POST", "/api/v1/logout", &json!({})).await;
    assert!(reply.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!(browser.request("GET", "/api/v1/about", &[], "").await.status, 401);
}

#[tokio::test]
async fn rule_20_after_two_wrong_logins_not_even_the_right_one_is_looked_at() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let port = deck.client().port;
    for _ in 0..2 {
        assert_eq!(refusal(&log_in(port, "", "guess").await), refused(403, "bad_token"));
    }
    // Nobody is believed who says that he comes from elsewhere.
    let elsewhere = [("x-forwarded-for", "10.1.2.3"), ("x-quarterdeck", "1"), ("content-type", "application/json")];
    let body = json!({"token": "guess"}).to_string();
    let anonymous = crate::client::Client { token: None, ..deck.client() };
    let reply = anonymous.request("POST", "/api/v1/login", &elsewhere, body.as_bytes()).await.unwrap();
    assert_eq!(refusal(&reply), refused(429, "too_many"));
    assert_eq!(refusal(&log_in(port, "", token_of(&server.url)).await), refused(429, "too_many"));
}

#[tokio::test]
async fn rule_20_guesses_that_come_at_once_are_counted_one_by_one() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let port = deck.client().port;
    let guesses = futures_util::future::join_all((0..24).map(|_| log_in(port, "", "guess"))).await;
    assert_eq!(guesses.iter().filter(|reply| reply.status == 403).count(), 2);
}
