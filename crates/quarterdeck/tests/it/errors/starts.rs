//! Agents that are not started: where none may work, beside another program, without a program, without a keeper.

use std::process::Stdio;

use insights::state::State;
use journal::Writer;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::book::Book;
use super::kept::hold;
use super::{NOBODY, sample};
use crate::deck::Deck;
use crate::watcher::Watcher;

const MESSAGES: &str = "POST /api/v1/sessions/{id}/messages";
const GO_ON: &str = "POST /api/v1/sessions/{id}/held/go-on";
const RESUME: &str = "POST /api/v1/sessions/{id}/resume";
const FORK: &str = "POST /api/v1/sessions/{id}/fork";
const START: &str = "POST /api/v1/sessions";
const PLAN: &str = "POST /api/v1/command-line";

/// A session that is over: who speaks to it starts its agent.
pub(super) struct Over<'a> {
    deck: &'a Deck,
    id: String,
}

impl Over<'_> {
    /// All that starts its agent ends like this.
    async fn must(&self, code: &str, book: &mut Book, names: &[&str]) {
        for name in names {
            if *name == GO_ON {
                // Without anything that waits nothing is started.
                hold(self.deck, &self.id);
            }
            let sessions = || std::fs::read_dir(self.deck.path().join("data/sessions")).unwrap().count();
            let before = sessions();
            book.must(code, name, &[&self.id], &sample(name, self.deck, &self.id).1).await;
            assert_eq!(sessions(), before, "{name} has left something behind");
        }
    }
}

/// A session that had a turn, in this folder.
async fn begun(book: &Book, cwd: &Value) -> String {
    let start = json!({"options": {"cwd": cwd}, "message": {"id": NOBODY, "text": "Hello"}});
    let started = book.client.post("/api/v1/sessions", &start).await.unwrap().good();
    let session = started["session"].as_str().unwrap().to_owned();
    let servers = watch::Sender::new(1);
    let had_a_turn = |state: &State| state.meters.turns == 1;
    Watcher::start(book.client.clone(), &session, servers.subscribe(), had_a_turn).ended().await;
    session
}

async fn close(book: &Book, session: &str) {
    book.client.post(&format!("/api/v1/sessions/{session}/close"), &json!({})).await.unwrap().good();
}

/// Whatever keeps agents from being started that are there. Gives a session that is over.
pub(super) async fn refused<'a>(book: &mut Book, deck: &'a Deck) -> Over<'a> {
    beside_itself(book, deck).await;
    elsewhere(book, deck).await;
    let session = begun(book, &json!(deck.work())).await;
    close(book, &session).await;
    let over = Over { deck, id: session };
    beside_others(book, &over).await;
    without_permission(book, &over).await;
    without_a_keeper(book, &over).await;
    over
}

/// While its agent runs.
async fn beside_itself(book: &mut Book, deck: &Deck) {
    let new = book.client.post("/api/v1/sessions", &deck.start()).await.unwrap().good();
    let new = new["session"].as_str().unwrap();
    book.must("nothing_to_resume", FORK, &[new], &json!({})).await;
    close(book, new).await;
    let session = begun(book, &json!(deck.work())).await;
    book.must("running", RESUME, &[&session], &json!({})).await;
    book.must("running", "DELETE /api/v1/sessions/{id}", &[&session], &json!({})).await;
    book.must("not_found", FORK, &[&session], &json!({"at": uuid::Uuid::new_v4().to_string()})).await;
    book.must("nothing_to_resume", START, &[], &go_on(deck)).await;
    let transcript = held_in_a_terminal(deck, &session);
    book.must("running", "POST /api/v1/transcripts/{id}/import", &[&session], &json!({})).await;
    close(book, &session).await;
    // Somebody has its log whom nobody knows.
    let writer = Writer::open(deck.folder(&session), keeper::now()).unwrap();
    book.must("running", FORK, &[&session], &json!({})).await;
    drop(writer);
    std::fs::remove_file(transcript).unwrap();
}

/// Where agents may not work, or not any more.
async fn elsewhere(book: &mut Book, deck: &Deck) {
    let outside = json!({"options": {"cwd": "/"}});
    book.must("outside_roots", START, &[], &outside).await;
    book.must("outside_roots", PLAN, &[], &outside).await;
    let folder = deck.path().join("elsewhere");
    std::fs::create_dir(&folder).unwrap();
    book.client.post("/api/v1/roots", &json!({"path": folder})).await.unwrap().good();
    let session = begun(book, &json!(folder)).await;
    close(book, &session).await;
    let path = folder.canonicalize().unwrap();
    let forbid = format!("/api/v1/roots?path={}", path.display());
    book.client.change("DELETE", &forbid, &json!({})).await.unwrap().good();
    let over = Over { deck, id: session };
    over.must("outside_roots", book, &[MESSAGES, GO_ON, RESUME, FORK]).await;
    let files = ["GET /api/v1/sessions/{id}/files", "GET /api/v1/sessions/{id}/file?path=x"];
    over.must("outside_roots", book, &files).await;
}

/// Another program works on the same conversation.
async fn beside_others(book: &mut Book, over: &Over<'_>) {
    let transcript = held_in_a_terminal(over.deck, &over.id);
    let mut other = program(&["--resume", &over.id]).await;
    over.must("two_writers", book, &[MESSAGES, GO_ON, RESUME]).await;
    // Who goes on with whatever was last learns which session that is, and can decide about it.
    let reply = book.must("two_writers", START, &[], &go_on(over.deck)).await;
    assert_eq!(reply.json()["error"]["session"], *over.id);
    other.kill().await.unwrap();
    for _ in 0..2 {
        // The second time it runs.
        let gone_on = book.client.post("/api/v1/sessions", &go_on(over.deck)).await.unwrap();
        assert_eq!(gone_on.good()["session"], *over.id);
    }
    close(book, &over.id).await;
    over.must("not_running", book, &["POST /api/v1/sessions/{id}/close"]).await;
    std::fs::remove_file(transcript).unwrap();
    // Who is told to end has not crashed: nobody tried to start it again but we.
    let facts: Vec<String> = over.deck.log(&over.id).iter().map(|record| record.line.text().into_owned()).collect();
    let told = |fact: &str| facts.iter().filter(|line| line.starts_with(&format!(r#"{{"fact":"{fact}""#))).count();
    assert_eq!((told("spawned"), told("note")), (2, 0), "{facts:#?}");
}

/// Without a question, which was not allowed.
async fn without_permission(book: &mut Book, over: &Over<'_>) {
    let mut start = over.deck.start();
    start["options"]["bypassPermissions"] = json!(true);
    book.must("not_allowed", START, &[], &start).await;
    let settings = json!({"options": {"cwd": over.deck.work(), "settings": {"env": {"LD_PRELOAD": "x"}}}});
    book.must("not_allowed", PLAN, &[], &settings).await;
    // As if it had been started by a server that allows it.
    let kept = over.deck.folder(&over.id).path().join("options.json");
    let before = std::fs::read_to_string(&kept).unwrap();
    let mut options: Value = serde_json::from_str(&before).unwrap();
    options["settings"] = json!({"permissions": {"defaultMode": "bypassPermissions"}});
    std::fs::write(&kept, options.to_string()).unwrap();
    over.must("not_allowed", book, &[MESSAGES, GO_ON, RESUME, FORK]).await;
    std::fs::write(&kept, before).unwrap();
}

/// The keeper dies before it has said a word, or right after it.
async fn without_a_keeper(book: &mut Book, over: &Over<'_>) {
    let all = [MESSAGES, GO_ON, RESUME, FORK];
    over.deck.replace_copy("#!/bin/sh\ncat > /dev/null\n");
    over.must("unreachable", book, &all).await;
    over.deck.replace_copy("#!/bin/sh\ncat > /dev/null\necho '{\"error\":null}'\n");
    over.must("not_running", book, &all).await;
}

/// The program of the agent is gone.
pub(super) async fn without_a_program(book: &mut Book, over: &Over<'_>) {
    for name in [START, PLAN] {
        book.must("not_started", name, &[], &over.deck.start()).await;
    }
    over.must("not_started", book, &[MESSAGES, GO_ON, RESUME, FORK]).await;
}

fn go_on(deck: &Deck) -> Value {
    json!({"options": {"cwd": deck.work()}, "continueRecent": true})
}

/// The transcript of a conversation in the folder where agents work here: the scripted agent writes none.
fn held_in_a_terminal(deck: &Deck, session: &str) -> std::path::PathBuf {
    let folder = deck.path().join(".claude/projects/-work");
    std::fs::create_dir_all(&folder).unwrap();
    let message = json!({"role": "user", "content": "Hello from a terminal"});
    let entry = json!({"type": "user", "message": message, "cwd": deck.work(), "sessionId": session, "uuid": NOBODY});
    let path = folder.join(format!("{session}.jsonl"));
    std::fs::write(&path, format!("{entry}\n")).unwrap();
    path
}

/// Somebody in a terminal.
#[expect(clippy::disallowed_methods, reason = "this is no program of ours")]
async fn program(arguments: &[&str]) -> tokio::process::Child {
    let mut command = tokio::process::Command::new(lab::agent::program().await.unwrap());
    command.args(arguments).kill_on_drop(true).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
}
