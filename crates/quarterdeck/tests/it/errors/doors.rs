//! What is refused before anybody looks at what is wanted, on every path there is; and what is not there.

use std::io::Read;

use serde_json::json;

use super::NOBODY;
use super::book::{Book, Operation};
use crate::client::{Client, Reply};
use crate::deck::Deck;

const CUSTOM: (&str, &str) = ("x-quarterdeck", "1");
const JSON: (&str, &str) = ("content-type", "application/json");
const FOREIGN: (&str, &str) = ("origin", "https://evil.example");

/// Bodies that are too long: for somebody unknown, for most paths, and for pictures.
const TOO_LONG: [usize; 3] = [4 * 1024 + 1, 1024 * 1024 + 1, 48 * 1024 * 1024 + 1];

/// The most sockets at a time.
const SOCKETS: usize = 512;

/// Those whom the guard does not let in.
pub(super) async fn guarded(book: &mut Book, link: &str) {
    let client = book.client.clone();
    let stranger = Client { token: None, ..client.clone() };
    let cookie = logged_in(&stranger, link).await;
    for operation in book.operations.clone() {
        let Operation { name, method, .. } = &operation;
        let (target, body) = (operation.nowhere(), operation.nothing());
        let mut note = |reply: &Reply| book.note(name, reply);
        let other = format!("{method} {target} HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 0\r\n\r\n");
        note(&client.raw(other.as_bytes()).await.unwrap());
        note(&stranger.request(method, &target, &[CUSTOM, JSON], body).await.unwrap());
        // A page of somebody else, in a browser that is logged in. For a socket it would need a ticket.
        let target = with_ticket(&client, &operation, target).await;
        note(&stranger.request(method, &target, &[("cookie", &cookie), CUSTOM, JSON, FOREIGN], body).await.unwrap());
        if operation.changes() {
            note(&client.request(method, &target, &[JSON], b"{}").await.unwrap());
        }
        if operation.changes() && method != "DELETE" {
            note(&client.request(method, &target, &[CUSTOM, ("content-type", "text/plain")], b"{}").await.unwrap());
        }
    }
    // What is no path of the document has no page in the book either.
    let method = client.change("PUT", "/api/v1/settings", &json!({})).await.unwrap();
    let path = client.get("/api/v2/settings").await.unwrap();
    assert_eq!([method.code().unwrap(), path.code().unwrap()], ["wrong_method", "no_route"]);
}

/// Somebody who guesses. Whoever comes from the same address has to wait after that.
pub(super) async fn guessed(book: &mut Book) {
    let guess = json!({"token": "guessed"});
    for code in ["bad_token", "bad_token", "too_many"] {
        book.must(code, "POST /api/v1/login", &[], &guess).await;
    }
}

/// What does not fit: a path, a query, a body.
pub(super) async fn misread(book: &mut Book) {
    let client = book.client.clone();
    for operation in book.operations.clone() {
        let Operation { name, method, path, .. } = &operation;
        let mut note = |reply: &Reply| book.note(name, reply);
        if path.contains('{') {
            let target = operation.at("%ff");
            note(&client.request(method, &target, &[CUSTOM, JSON], operation.nothing()).await.unwrap());
        }
        let target = with_ticket(&client, &operation, operation.nowhere()).await;
        if operation.is_socket() {
            note(&client.get(&target).await.unwrap());
        }
        if !operation.changes() && !operation.is_socket() {
            // Asked for twice, and known to nobody.
            note(&client.get(&format!("{target}?nothing=1&nothing=2")).await.unwrap());
        }
        if operation.changes() {
            note(&client.request(method, &target, &[CUSTOM, JSON], b"{").await.unwrap());
        }
        if operation.changes() && method != "DELETE" {
            for length in TOO_LONG {
                let reply = client.request(method, &target, &[CUSTOM, JSON], &vec![b' '; length]).await.unwrap();
                note(&reply);
                if reply.status == 413 {
                    break;
                }
            }
        }
        if path.starts_with("/api/v1/sessions/{id}") {
            let target = operation.at("one");
            note(&client.request(method, &target, &[CUSTOM, JSON], operation.nothing()).await.unwrap());
        }
    }
}

/// What is not there, and where nobody may look.
pub(super) async fn missing(book: &mut Book, deck: &Deck) {
    let session = book.client.post("/api/v1/sessions", &deck.start()).await.unwrap().good();
    let session = session["session"].as_str().unwrap();
    let nothing = json!({});
    for (name, values) in [
        ("GET /page/{file}", &["nothing"][..]),
        ("DELETE /api/v1/devices/{id}", &[NOBODY]),
        ("POST /api/v1/transcripts/{id}/import", &[NOBODY]),
        ("DELETE /api/v1/roots?path=/nowhere", &[]),
        ("GET /api/v1/sessions/{id}/text?seq=999999", &[session]),
        ("GET /api/v1/sessions/{id}/file?path=x", &[session]),
        ("DELETE /api/v1/sessions/{id}/queue/{message}", &[session]),
        ("DELETE /api/v1/sessions/{id}/held/{message}", &[session]),
        ("POST /api/v1/sessions/{id}/held/{message}/move", &[session]),
    ] {
        book.must("not_found", name, values, &nothing).await;
    }
    let words = json!({"text": "Hello"});
    book.must("not_found", "PUT /api/v1/sessions/{id}/held/{message}", &[session], &words).await;
    let again = json!({"id": NOBODY});
    book.must("not_found", "POST /api/v1/sessions/{id}/messages/{seq}/again", &[session], &again).await;
    book.must("outside_roots", "GET /api/v1/folders?path=/", &[], &nothing).await;
    book.client.post(&format!("/api/v1/sessions/{session}/close"), &json!({"kill": true})).await.unwrap().good();
}

/// One socket more than can be served.
pub(super) async fn too_many_sockets(book: &mut Book) {
    let mut open = Vec::new();
    for _ in 0..SOCKETS {
        open.push(book.client.socket().await.unwrap());
    }
    let upgrade = format!(
        "GET /api/v1/socket?ticket={} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        ticket(&book.client).await,
        book.client.port
    );
    let reply = book.client.raw(upgrade.as_bytes()).await.unwrap();
    assert_eq!(reply.code().as_deref(), Some("too_many"), "{}", reply.text());
    book.note("GET /api/v1/socket", &reply);
}

/// Nobody can be known any more: whoever asks for anything is told that it cannot be read.
pub(super) async fn without_a_desk(book: &mut Book, deck: &Deck) {
    let client = book.client.clone();
    let launch = client.post("/api/v1/launches", &json!({})).await.unwrap().good();
    let token = launch["path"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    let ticket = ticket(&client).await;
    // The files stay where they are, and as long as they were: the server has them in its memory.
    for name in ["desk.sqlite-wal", "desk.sqlite", "desk.sqlite-shm"] {
        let mut file = std::fs::OpenOptions::new().write(true).open(deck.path().join("data").join(name)).unwrap();
        let length = file.metadata().unwrap().len();
        std::io::copy(&mut std::io::repeat(0).take(length), &mut file).unwrap();
    }
    for operation in book.operations.clone() {
        let target = match operation.is_socket() {
            true => format!("{}?ticket={ticket}", operation.path),
            false => operation.nowhere(),
        };
        let login = json!({"token": token}).to_string();
        let body = if operation.path == "/api/v1/login" { login.as_bytes() } else { operation.nothing() };
        let reply = client.request(&operation.method, &target, &[CUSTOM, JSON], body).await.unwrap();
        book.note(&operation.name, &reply);
    }
}

/// The cookie of a browser that has opened the link.
async fn logged_in(client: &Client, link: &str) -> String {
    let token = link.split_once('#').unwrap().1;
    let reply = client.post("/api/v1/login", &json!({"token": token})).await.unwrap();
    reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
}

async fn ticket(client: &Client) -> String {
    let made = client.post("/api/v1/socket-tickets", &json!({})).await.unwrap().good();
    made["ticket"].as_str().unwrap().to_owned()
}

/// A socket is asked for with a ticket, everything else as it is.
async fn with_ticket(client: &Client, operation: &Operation, target: String) -> String {
    match operation.is_socket() {
        true => format!("{target}?ticket={}", ticket(client).await),
        false => target,
    }
}
