//! Every error that the document speaks of, provoked on the very path that it stands at, and no other: a code for programs, a
//! sentence for people. That no route answers with one that it does not document is looked at by the server itself as well, in
//! every build that tests use.

mod book;
mod doors;
mod kept;
mod starts;

use lab::agent::Story;
use serde_json::{Value, json};

use crate::deck::Deck;
use book::Book;

/// The id of no session; of a message and of a picture, too.
const NOBODY: &str = "00000000-0000-4000-8000-00000000000f";

/// What cannot be made to happen here, wherever it stands.
const SHOWN_ELSEWHERE: [&str; 2] = [
    // What should not happen at all: tests of the server's own parts make them fail (`a_route_that_panics_answers_…`).
    "internal",
    // Nobody here comes from another machine: a test of the server pretends to (`nobody_comes_past_the_proxy`).
    "past_proxy",
];

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_error_occurs_where_it_is_documented_and_nowhere_else() {
    let deck = Deck::new(&Story::new()).await.with_copy();
    let agent = deck.path().join("agent");
    std::os::unix::fs::symlink(lab::agent::program().await.unwrap(), &agent).unwrap();
    let deck = deck.with("QUARTERDECK_CLAUDE", &agent);
    let serving = deck.serve().await;
    let document = deck.client().get("/api/v1/openapi.json").await.unwrap().good();
    let mut book = Book::new(deck.client(), &document);

    // Those who are not answered take long to be told so; the others need not wait for them.
    let unanswered = kept::unanswered(&deck, &book).await;
    doors::guarded(&mut book, &serving.url).await;
    doors::misread(&mut book).await;
    doors::missing(&mut book, &deck).await;
    kept::by_others(&mut book, &deck).await;
    let over = starts::refused(&mut book, &deck).await;
    doors::too_many_sockets(&mut book).await;
    for (name, reply) in unanswered.join_all().await {
        book.note(&name, &reply);
    }
    std::fs::remove_file(&agent).unwrap();
    starts::without_a_program(&mut book, &over).await;
    doors::without_a_desk(&mut book, &deck).await;
    doors::guessed(&mut book).await;

    let documented = book.documented();
    let of_routes = documented.iter().filter(|(_, code)| !SHOWN_ELSEWHERE.contains(&code.as_str()));
    let missing: Vec<_> = of_routes.filter(|pair| !book.seen.contains(pair)).collect();
    let unknown: Vec<_> = book.seen.difference(&documented).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "never seen: {missing:#?}\nnot documented: {unknown:#?}");
    serving.stop().await;
}

/// A request that fits a path: the query, and the body. Of a session that is named in the body, this is the id.
fn sample(name: &str, deck: &Deck, session: &str) -> (&'static str, Value) {
    let message = || json!({"id": uuid::Uuid::new_v4().to_string(), "text": "Hello"});
    let body = match name {
        "GET /api/v1/sessions/{id}/text" => return ("?seq=1", Value::Null),
        "GET /api/v1/sessions/{id}/file" => return ("?path=x", Value::Null),
        "POST /api/v1/sessions" => json!({"id": session, "message": message(), "options": {"cwd": deck.work()}}),
        "POST /api/v1/command-line" => json!({"options": {"cwd": deck.work()}}),
        "POST /api/v1/sessions/{id}/messages" => message(),
        "POST /api/v1/sessions/{id}/messages/{seq}/again" => json!({"id": uuid::Uuid::new_v4().to_string()}),
        "POST /api/v1/sessions/{id}/asks/{ask}" => json!({"decision": {"kind": "allow"}}),
        "PATCH /api/v1/sessions/{id}/settings" => json!({"model": "x"}),
        "POST /api/v1/sessions/{id}/mcp/{server}" => json!({"action": "reconnect"}),
        "POST /api/v1/sessions/{id}/rewind" => json!({"message": NOBODY}),
        "PUT /api/v1/sessions/{id}/held/{message}" => json!({"text": "Hello"}),
        _ => json!({}),
    };
    ("", body)
}
