//! Every error that the document speaks of, provoked: a code for programs, a sentence for people. That no route answers with
//! one that it does not document is looked at by the server itself, in every build that tests use.

use std::collections::BTreeSet;
use std::process::Stdio;

use insights::state::State;
use journal::Writer;
use keeper::{FromKeeper, PROTOCOL};
use lab::agent::{ControlFault, Story};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixListener;
use tokio::sync::watch;

use crate::client::{Client, Reply};
use crate::deck::Deck;
use crate::watcher::Watcher;

const NOBODY: &str = "00000000-0000-4000-8000-00000000000f";

/// The errors that were seen.
#[derive(Default)]
struct Seen(BTreeSet<String>);

impl Seen {
    /// An answer that has to be this error.
    #[track_caller]
    fn take(&mut self, code: &str, reply: std::io::Result<Reply>) {
        let reply = reply.unwrap();
        assert_eq!(reply.code().as_deref(), Some(code), "{} {}", reply.status, reply.text());
        assert!(!reply.json()["error"]["message"].as_str().unwrap().is_empty());
        self.0.insert(code.to_owned());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_documented_error_occurs() {
    let story = Story::new()
        .on_control("set_model", ControlFault::Error("no such model".to_owned()))
        .on_control("get_context_usage", ControlFault::Silence);
    let deck = Deck::new(&story).await;
    let agent = deck.path().join("agent");
    std::os::unix::fs::symlink(lab::agent::program().await.unwrap(), &agent).unwrap();
    let deck = deck.with("QUARTERDECK_CLAUDE", &agent);
    let serving = deck.serve().await;
    let client = deck.client();
    let mut seen = Seen::default();
    at_the_door(&client, &mut seen).await;
    in_a_session(&deck, &client, &mut seen).await;
    with_a_keeper_that_dies(&deck, &client, &mut seen).await;

    // The program of the agent is gone, and a log is not to be read.
    std::fs::remove_file(agent).unwrap();
    seen.take("not_started", client.post("/api/v1/sessions", &deck.start()).await);
    std::fs::create_dir_all(deck.folder(NOBODY).log()).unwrap();
    seen.take("storage", client.get(&format!("/api/v1/sessions/{NOBODY}/state")).await);

    let document = client.get("/api/v1/openapi.json").await.unwrap().good();
    let mut documented = BTreeSet::new();
    words(&document["components"]["schemas"]["Code"], &mut documented);
    // Nobody knows how to make happen what should not happen at all; tests of the server alone show it.
    seen.0.insert("internal".to_owned());
    assert_eq!(seen.0, documented);
    serving.stop().await;
}

/// All words that a schema allows.
fn words(schema: &Value, found: &mut BTreeSet<String>) {
    found.extend(schema["const"].as_str().map(str::to_owned));
    let list = |name: &str| schema[name].as_array().cloned().unwrap_or_default();
    found.extend(list("enum").iter().filter_map(Value::as_str).map(str::to_owned));
    list("oneOf").iter().for_each(|schema| words(schema, found));
}

/// Before anybody has looked at what is wanted.
async fn at_the_door(client: &Client, seen: &mut Seen) {
    let stranger = Client { token: None, ..client.clone() };
    seen.take("wrong_host", client.raw(b"GET /healthz HTTP/1.1\r\nhost: evil.example\r\n\r\n").await);
    seen.take("not_logged_in", stranger.get("/api/v1/sessions").await);
    seen.take("bad_token", stranger.post("/api/v1/login", &json!({"token": "guessed"})).await);
    stranger.post("/api/v1/login", &json!({"token": "guessed"})).await.unwrap();
    seen.take("too_many", stranger.post("/api/v1/login", &json!({"token": "guessed"})).await);
    let (path, custom, json_type) = ("/api/v1/launches", ("x-quarterdeck", "1"), ("content-type", "application/json"));
    let origin = ("origin", "https://evil.example");
    seen.take("wrong_origin", client.request("POST", path, &[custom, json_type, origin], b"{}").await);
    seen.take("missing_header", client.request("POST", path, &[json_type], b"{}").await);
    seen.take("not_json", client.request("POST", path, &[custom, ("content-type", "text/plain")], b"{}").await);
    let settings = "/api/v1/settings";
    seen.take("bad_request", client.request("PATCH", settings, &[custom, json_type], b"{").await);
    seen.take("bad_request", client.change("PATCH", settings, &json!({"colour": "red"})).await);
    seen.take("bad_request", client.change("PATCH", settings, &json!([null, null])).await);
    seen.take("bad_request", client.change("PATCH", settings, &json!({"presets": {"a": [null]}})).await);
    seen.take("bad_request", client.post("/api/v1/socket-tickets", &json!({"for": "me"})).await);
    seen.take("bad_request", client.get("/api/v1/usage?by=moon").await);
    seen.take("bad_request", client.get("/api/v1/sessions/%ff/state").await);
    seen.take("bad_request", client.post("/api/v1/transcripts/%ff/import", &json!({})).await);
    seen.take("bad_request", client.get("/page/%ff").await);
    let long = json!({"keybindings": {"a": "x".repeat(1024 * 1024)}});
    seen.take("too_large", client.change("PATCH", settings, &long).await);
    seen.take("no_route", client.get("/api/v2/sessions").await);
    seen.take("wrong_method", client.change("PUT", settings, &json!({})).await);
    seen.take("no_session", client.get(&format!("/api/v1/sessions/{NOBODY}")).await);
    seen.take("no_session", client.get("/api/v1/sessions/one").await);
    seen.take("not_found", client.change("DELETE", &format!("/api/v1/devices/{NOBODY}"), &json!({})).await);
}

async fn in_a_session(deck: &Deck, client: &Client, seen: &mut Seen) {
    let start = async |options: Value| client.post("/api/v1/sessions", &json!({"options": options})).await;
    seen.take("bad_request", start(json!([])).await);
    seen.take("bad_request", start(json!({"settings": []})).await);
    seen.take("outside_roots", start(json!({"cwd": "/"})).await);
    seen.take("not_allowed", start(json!({"cwd": deck.work(), "bypassPermissions": true})).await);
    let session = start(json!({"cwd": deck.work()})).await.unwrap().good()["session"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/sessions/{session}");
    let post = async |what: &str, body: Value| client.post(&format!("{path}/{what}"), &body).await;
    seen.take("nothing_to_resume", post("fork", json!({})).await);
    seen.take("running", post("resume", json!({})).await);
    seen.take("running", client.change("DELETE", &path, &json!({})).await);
    seen.take("not_asked", post("asks/none", json!({"decision": {"kind": "allow"}})).await);
    seen.take("agent_refused", client.change("PATCH", &format!("{path}/settings"), &json!({"model": "x"})).await);
    seen.take("no_answer", client.get(&format!("{path}/context")).await);
    seen.take("not_found", post("messages/1/again", json!({"id": NOBODY})).await);
    seen.take("bad_request", post("messages/first/again", json!({"id": NOBODY})).await);

    // The agent says who it is with its first turn.
    post("messages", json!({"id": NOBODY, "text": "Hello"})).await.unwrap().good();
    let servers = watch::Sender::new(1);
    let turn = Watcher::start(client.clone(), &session, servers.subscribe(), |state: &State| state.meters.turns == 1);
    turn.ended().await;
    post("close", json!({"kill": true})).await.unwrap().good();
    seen.take("not_running", post("interrupt", json!({})).await);
    let mut other = program(&["--resume", &session]).await;
    seen.take("two_writers", post("resume", json!({})).await);
    // Who goes on with whatever was last learns which session that is, and can decide about it.
    seen.take("nothing_to_resume", client.post("/api/v1/sessions", &go_on(deck)).await);
    held_in_a_terminal(deck, &session);
    let reply = client.post("/api/v1/sessions", &go_on(deck)).await.unwrap();
    assert_eq!(reply.json()["error"]["session"], session);
    seen.take("two_writers", Ok(reply));
    other.kill().await.unwrap();
    for _ in 0..2 {
        // The second time it runs.
        assert_eq!(client.post("/api/v1/sessions", &go_on(deck)).await.unwrap().good()["session"], session);
    }
    post("close", json!({})).await.unwrap().good();
    // Who is told to end has not crashed: nobody tried to start it again but we.
    let facts: Vec<String> = deck.log(&session).iter().map(|record| record.line.text().into_owned()).collect();
    let told = |fact: &str| facts.iter().filter(|line| line.starts_with(&format!(r#"{{"fact":"{fact}""#))).count();
    assert_eq!((told("spawned"), told("note")), (2, 0), "{facts:#?}");
}

fn go_on(deck: &Deck) -> Value {
    json!({"options": {"cwd": deck.work()}, "continueRecent": true})
}

/// The transcript of a conversation in the folder where agents work here: the scripted agent writes none.
fn held_in_a_terminal(deck: &Deck, session: &str) {
    let folder = deck.path().join(".claude/projects/-work");
    std::fs::create_dir_all(&folder).unwrap();
    let message = json!({"role": "user", "content": "Hello from a terminal"});
    let entry = json!({"type": "user", "message": message, "cwd": deck.work(), "sessionId": session, "uuid": NOBODY});
    std::fs::write(folder.join(format!("{session}.jsonl")), format!("{entry}\n")).unwrap();
}

/// A session whose keeper greets, takes one line, and is gone.
async fn with_a_keeper_that_dies(deck: &Deck, client: &Client, seen: &mut Seen) {
    let id = uuid::Uuid::new_v4().to_string();
    let folder = deck.folder(&id);
    std::fs::create_dir_all(folder.path()).unwrap();
    let socket = deck.path().join("keeper");
    let listener = UnixListener::bind(&socket).unwrap();
    std::os::unix::fs::symlink(&socket, folder.path().join("socket")).unwrap();
    let writer = Writer::open(folder, keeper::now()).unwrap();
    let keeping = tokio::spawn(async move {
        let mut lines = BufReader::new(listener.accept().await.unwrap().0).lines();
        lines.next_line().await.unwrap();
        let hello = FromKeeper::Hello { protocol: PROTOCOL, build: "1".into(), pid: 1, agent_pid: None, last_seq: 0 };
        let hello = serde_json::to_string(&hello).unwrap() + "\n";
        lines.get_mut().write_all(hello.as_bytes()).await.unwrap();
        let asked = lines.next_line().await.unwrap().unwrap();
        drop(writer);
        asked
    });
    seen.take("unreachable", client.post(&format!("/api/v1/sessions/{id}/interrupt"), &json!({})).await);
    assert!(keeping.await.unwrap().contains("interrupt"));
}

/// Somebody in a terminal.
#[expect(clippy::disallowed_methods, reason = "this is no program of ours")]
async fn program(arguments: &[&str]) -> tokio::process::Child {
    let mut command = tokio::process::Command::new(lab::agent::program().await.unwrap());
    command.args(arguments).kill_on_drop(true).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
}
