//! WebSockets: rules 7 and 11.

use lab::agent::Story;
use serde_json::json;

use super::browser::{Browser, ticket, token_of, upgrade};
use super::{refusal, refused};
use crate::deck::Deck;

#[tokio::test]
async fn rule_07_a_socket_is_opened_by_our_page_alone() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let port = deck.client().port;
    let browser = Browser::open(port, &server.url).await;
    let (host, ours) = (format!("127.0.0.1:{port}"), browser.origin());
    let (host, ours) = (("host", host.as_str()), ("origin", ours.as_str()));
    let cookie = ("cookie", browser.cookie.as_str());
    let foreign =
        ["http://evil.test", "null", "", "file://", "http://127.0.0.1", "https://evil.test, http://localhost"];
    let mut wrong: Vec<Vec<(&str, &str)>> =
        foreign.iter().map(|origin| vec![host, cookie, ("origin", *origin)]).collect();
    wrong.push(vec![host, cookie]);
    wrong.push(vec![host, cookie, ours, ("origin", "http://evil.test")]);
    for headers in &wrong {
        let query = format!("?ticket={}", browser.ticket().await);
        assert_eq!(refusal(&upgrade(port, &query, headers).await), refused(403, "wrong_origin"), "{headers:?}");
    }
    let query = format!("?ticket={}", browser.ticket().await);
    assert_eq!(upgrade(port, &query, &[host, cookie, ours]).await.status, 101);
    // A script has no page; a page that got hold of a script's ticket has one.
    let query = format!("?ticket={}", ticket(&deck.client()).await);
    assert_eq!(refusal(&upgrade(port, &query, &[host, ("origin", "null")]).await), refused(403, "wrong_origin"));
    let query = format!("?ticket={}", ticket(&deck.client()).await);
    assert_eq!(upgrade(port, &query, &[host]).await.status, 101);
}

#[tokio::test]
async fn rule_11_a_ticket_opens_one_socket_and_nothing_else_does() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let port = deck.client().port;
    let browser = Browser::open(port, &server.url).await;
    let (host, ours) = (format!("127.0.0.1:{port}"), browser.origin());
    let headers = [("host", host.as_str()), ("origin", ours.as_str())];
    let once = browser.ticket().await;
    assert_eq!(upgrade(port, &format!("?ticket={once}"), &headers).await.status, 101);
    assert_eq!(refusal(&upgrade(port, &format!("?ticket={once}"), &headers).await), refused(401, "not_logged_in"));
    // Those who may come in otherwise may not come in here, wherever their token stands.
    let bearer = deck.client().token.unwrap();
    let long = format!("Bearer {bearer}");
    let cookie = browser.cookie.split_once('=').unwrap().1;
    let launch = deck.client().post("/api/v1/launches", &json!({})).await.unwrap().good();
    let launch = token_of(launch["path"].as_str().unwrap());
    let empty = [String::new(), "?ticket=".to_owned(), "?ticket".to_owned()];
    let tokens = [&bearer, cookie, launch].map(|token| format!("?ticket={token}"));
    for query in empty.iter().chain(&tokens).chain(&[format!("?token={bearer}"), format!("?access_token={bearer}")]) {
        let with = [&headers[..], &[("authorization", long.as_str()), ("cookie", &browser.cookie)]].concat();
        assert_eq!(refusal(&upgrade(port, query, &with).await), refused(401, "not_logged_in"), "{query}");
    }
    // And a ticket is good for nothing else.
    let bearer = format!("Bearer {}", browser.ticket().await);
    let reply = browser.client.request("GET", "/api/v1/about", &[("authorization", &bearer)], b"").await;
    assert_eq!(reply.unwrap().status, 401);
    // A device that is let in no more leaves no ticket behind.
    let last = browser.ticket().await;
    browser.change("POST", "/api/v1/logout", &json!({})).await;
    assert_eq!(refusal(&upgrade(port, &format!("?ticket={last}"), &headers).await), refused(401, "not_logged_in"));
}
