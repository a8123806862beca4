//! `docs/api.md` as a reader uses it: every command of it in a shell, one after the other, and every frame over a WebSocket.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;

use lab::agent::{Story, Turn};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use crate::client::{Client, Socket};
use crate::deck::Deck;
use crate::patience::until;
use crate::schema::Document;

const MANUAL: &str = include_str!("../../../../docs/api.md");

/// What says that a command has ended, and how.
const DONE: &str = "::done::";

/// A shell in which a reader types.
struct Shell {
    child: Child,
    keys: ChildStdin,
    screen: Lines<BufReader<ChildStdout>>,
}

impl Shell {
    #[expect(clippy::disallowed_methods, reason = "the reader's own shell")]
    fn open(deck: &Deck, programs: &Path) -> Shell {
        let mut command = tokio::process::Command::new("bash");
        command.args(["--noprofile", "--norc", "-o", "pipefail"]).current_dir(deck.work()).env_clear();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        command.envs(deck.environment()).env("PATH", path).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let keys = child.stdin.take().unwrap();
        let screen = BufReader::new(child.stdout.take().unwrap()).lines();
        Shell { child, keys, screen }
    }

    async fn types(&mut self, command: &str) {
        self.keys.write_all(format!("{command}\necho; echo {DONE}$?\n").as_bytes()).await.unwrap();
    }

    /// What the command says that was typed; it has to go well.
    async fn answers(&mut self, command: &str) -> String {
        let mut said = String::new();
        while let Some(line) = self.screen.next_line().await.unwrap() {
            if let Some(code) = line.strip_prefix(DONE) {
                assert_eq!(code, "0", "`{command}` failed: {said}");
                return said.trim().to_owned();
            }
            said += &(line + "\n");
        }
        panic!("`{command}` ended the shell: {said}")
    }

    async fn run(&mut self, command: &str) -> String {
        self.types(command).await;
        let said = self.answers(command).await;
        assert!(!said.contains(r#"{"error":"#), "`{command}`: {said}");
        said
    }
}

/// The commands of the page by the titles of its parts, those of several lines in one.
fn commands(port: u16) -> BTreeMap<&'static str, Vec<String>> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let (mut title, mut is_shell, mut open) = ("", false, String::new());
    for line in MANUAL.lines() {
        match line {
            _ if !is_shell && line.starts_with('#') => title = line.trim_start_matches(['#', ' ']),
            "```sh" => is_shell = true,
            "```" => is_shell = false,
            _ if !is_shell || line.is_empty() || (open.is_empty() && line.starts_with('#')) => {}
            _ => {
                open += &(line.replace("127.0.0.1:4180", &format!("127.0.0.1:{port}")) + "\n");
                let is_whole = open.matches('\'').count() % 2 == 0 && !line.ends_with(['\\', '|']);
                if is_whole {
                    found.entry(title).or_default().push(std::mem::take(&mut open));
                }
            }
        }
    }
    found
}

/// The programs that the page names and not every machine has, in a folder: ours, one that makes ids, and for WebSockets one
/// that says where it should go.
fn programs(deck: &Deck) -> std::path::PathBuf {
    let folder = deck.path().join("programs");
    std::fs::create_dir(&folder).unwrap();
    symlink(crate::deck::binary(), folder.join("quarterdeck")).unwrap();
    for (name, text) in [("uuidgen", "cat /proc/sys/kernel/random/uuid"), ("websocat", "echo \"$1\"")] {
        std::fs::write(folder.join(name), format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(folder.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// Waits until the agent of a session has nothing to do but to wait for somebody.
async fn is_calm(client: &Client, session: &str) {
    let row = async || client.get(&format!("/api/v1/sessions/{session}")).await.unwrap().good();
    let is_calm = |row: &Value| row["asks"] != 0 || (row["turns"] != 0 && row["phase"] != "running");
    until("calm", async || Some(row().await).filter(is_calm)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_of_the_manual_does_what_it_says() {
    let bash = || Turn::new().calls("Bash", json!({"command": "make mischief"})).asking().giving("done").says("Done.");
    let asking = (0..3).fold(Story::new(), |story, _| story.turn(bash()));
    let asking = asking.turn(Turn::new().asks("Which colour?", &["Red", "Blue"]).says("As you wish."));
    let deck = Deck::new(&asking).await;
    let app = deck.path().join("projects/app");
    std::fs::create_dir_all(&app).unwrap();
    let root = deck.path().join("projects");
    let serving = deck.serve_with(&["--root", root.to_str().unwrap()]).await;
    let client = deck.client();
    let parts = commands(client.port);
    let titles: Vec<&str> = parts.keys().copied().collect();
    let known = ["A session from start to end", "A token", "Figures", "Following", "Questions of the agent"];
    assert_eq!(titles, [&known[..], &["The API", "The WebSocket", "The end"]].concat());
    let mut shell = Shell::open(&deck, &programs(&deck));
    for part in ["The API", "A token"] {
        for command in &parts[part] {
            shell.run(command).await;
        }
    }
    for command in &parts["A session from start to end"] {
        let said = shell.run(command).await;
        if command.contains("POST sessions '") {
            let started: Value = serde_json::from_str(&said).unwrap();
            assert_eq!(started["session"], shell.run("echo $SESSION").await, "{started}");
            assert!(started["seq"].is_u64(), "{started}");
        } else if command.contains("$SESSION") && !command.contains("DELETE") {
            let session = shell.run("echo $SESSION").await;
            if command.contains("interrupt") || command.contains("export") {
                is_calm(&client, &session).await;
            }
        }
    }
    let gone = client.get(&format!("/api/v1/sessions/{}", shell.run("echo $SESSION").await)).await.unwrap();
    assert_eq!(gone.code().as_deref(), Some("no_session"), "the last one removes it");

    // The others begin with a session that there is.
    let start = json!({"options": {"cwd": app}});
    let session = client.post("/api/v1/sessions", &start).await.unwrap().good()["session"].as_str().unwrap().to_owned();
    shell.run(&format!("SESSION={session}")).await;
    questions(&client, &session, &mut shell, &parts["Questions of the agent"]).await;
    frames(&client, &session, &mut shell, &parts["The WebSocket"]).await;
    let [follow] = &parts["Following"][..] else { panic!("{parts:#?}") };
    shell.types(follow).await;
    client.post(&format!("/api/v1/sessions/{session}/close"), &json!({"kill": true})).await.unwrap().good();
    assert!(shell.answers(follow).await.contains("As you wish."), "it follows until the agent ends");
    for part in ["Figures", "The end"] {
        for command in &parts[part] {
            shell.run(command).await;
        }
    }
    shell.types("get sessions").await;
    assert!(shell.answers("get sessions").await.contains("not_logged_in"), "the token is void");
    drop(shell.keys);
    shell.child.wait().await.unwrap();
    serving.stop().await;
}

/// Each way to answer, for a question of its own.
async fn questions(client: &Client, session: &str, shell: &mut Shell, commands: &[String]) {
    let is_answer = |command: &&String| command.starts_with("send POST sessions/$SESSION/asks/$ASK");
    let (answers, before): (Vec<_>, Vec<_>) = commands.iter().partition(is_answer);
    assert_eq!((answers.len(), before.len()), (4, 2), "{commands:#?}");
    for answer in answers {
        let message = json!({"id": uuid::Uuid::new_v4().to_string(), "text": "go on"});
        client.post(&format!("/api/v1/sessions/{session}/messages"), &message).await.unwrap().good();
        let asks = async || client.get(&format!("/api/v1/sessions/{session}")).await.unwrap().good()["asks"].clone();
        until("a question", async || (asks().await == 1).then_some(())).await;
        for command in &before {
            shell.run(command).await;
        }
        assert!(shell.run(answer).await.contains(r#""seq":"#), "{answer}");
        until("the answer", async || (asks().await == 0).then_some(())).await;
        is_calm(client, session).await;
    }
}

/// The frames of a table of the page: those that begin a row after this line.
fn table(after: &str) -> Vec<String> {
    let rows = MANUAL.split(after).nth(1).unwrap().lines().skip(2).take_while(|line| line.starts_with('|'));
    let first = rows.filter_map(|row| row.split('|').nth(1));
    first.flat_map(|cell| cell.split('`').filter(|part| part.starts_with('{')).map(str::to_owned)).collect()
}

/// A frame as its kind and the names of its fields, those of its answer as well.
fn shape(frame: &Value) -> (String, BTreeSet<String>) {
    let mut kind = frame["kind"].as_str().unwrap().to_owned();
    let mut names: BTreeSet<String> = frame.as_object().unwrap().keys().cloned().collect();
    for inner in ["answer", "held"].into_iter().filter(|inner| frame[inner].is_object()) {
        kind += &frame[inner]["kind"].as_str().map(|word| format!("/{word}")).unwrap_or_default();
        names.extend(frame[inner].as_object().unwrap().keys().map(|name| format!("{inner}.{name}")));
    }
    (kind, names)
}

/// Everything that the page says of the WebSocket: what can be said, and what is heard then, with the fields that it has.
async fn frames(client: &Client, session: &str, shell: &mut Shell, commands: &[String]) {
    let mut url = String::new();
    for command in commands {
        url = shell.run(command).await;
    }
    // The document of the server knows every frame as well.
    let document = Document(client.get("/api/v1/openapi.json").await.unwrap().good());
    let opened = &document.0["paths"]["/api/v1/socket"]["get"]["responses"]["101"];
    let mut socket = Socket::open(url, client.connect().await.unwrap()).await.unwrap();
    let mut heard: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut hear = async |socket: &mut Socket, kind: &str| loop {
        let frame = socket.hear().await.unwrap_or_else(|| panic!("closed before {kind}"));
        let (name, fields) = shape(&frame);
        assert_eq!(document.faults(&opened["x-serverFrame"], &frame), [""; 0], "{name}");
        heard.entry(name.clone()).or_default().extend(fields);
        if name == kind {
            break frame;
        }
    };
    hear(&mut socket, "hello").await;
    let say = |frame: &str| frame.replace("\"session\":\"…\"", &format!("\"session\":\"{session}\""));
    let said: Vec<Value> =
        table("What you say:\n").iter().map(|frame| serde_json::from_str(&say(frame)).unwrap()).collect();
    let of = |kind: &str| said.iter().filter(|frame| frame["kind"] == kind).cloned().collect::<Vec<Value>>();
    for frame in &said {
        assert_eq!(document.faults(&opened["x-clientFrame"], frame), [""; 0], "{frame}");
    }
    let kinds = |frame: &str| {
        let frames = document.component(frame)["oneOf"].as_array().unwrap().iter();
        frames.map(|frame| frame["properties"]["kind"]["const"].as_str().unwrap().to_owned()).collect()
    };
    let said_kinds: BTreeSet<String> = said.iter().map(|frame| frame["kind"].as_str().unwrap().to_owned()).collect();
    assert_eq!(said_kinds, kinds("ClientFrame"), "the page tells all that can be said");
    for watch in of("watch") {
        socket.say(&watch).await.unwrap();
        hear(&mut socket, "session/snapshot").await;
    }
    let message =
        |delivery: &str| json!({"id": uuid::Uuid::new_v4().to_string(), "text": "go on", "delivery": delivery});
    let path = format!("/api/v1/sessions/{session}/messages");
    client.post(&path, &message("steer")).await.unwrap().good();
    hear(&mut socket, "session/changes").await;
    for list in of("list") {
        socket.say(&list).await.unwrap();
        hear(&mut socket, "list").await;
    }
    client.post(&path, &message("afterTurn")).await.unwrap().good();
    hear(&mut socket, "held").await;
    let strange = json!({"kind": "watch", "session": uuid::Uuid::new_v4().to_string()});
    socket.say(&strange).await.unwrap();
    hear(&mut socket, "error").await;
    for frame in [of("unlist"), of("unwatch"), of("ping")].concat() {
        socket.say(&frame).await.unwrap();
    }
    assert_eq!(hear(&mut socket, "pong").await["nonce"], of("ping")[0]["nonce"]);
    let written = table("What you hear:\n").into_iter().map(|frame| {
        let frame = frame.replace("{…}", "{}").replace("[…]", "[]");
        shape(&serde_json::from_str(&frame).unwrap_or_else(|error| panic!("{error}: {frame}")))
    });
    let written: BTreeMap<String, BTreeSet<String>> = written.collect();
    assert_eq!(heard, written);
    let heard_kinds: BTreeSet<String> = written.keys().map(|kind| kind.split('/').next().unwrap().to_owned()).collect();
    assert_eq!(heard_kinds, kinds("ServerFrame"), "the page tells all that can be heard");
}

#[tokio::test]
async fn the_errors_of_the_manual_are_those_of_the_document() {
    let deck = Deck::new(&Story::new()).await;
    let _serving = deck.serve().await;
    let document = deck.client().get("/api/v1/openapi.json").await.unwrap().good();
    let about = document["info"]["description"].as_str().unwrap();
    let rows = MANUAL.lines().filter_map(|line| line.strip_prefix("| ")).filter(|row| row.starts_with(['4', '5']));
    let rows: Vec<(&str, &str)> = rows.filter_map(|row| row.split_once(" | `")).collect();
    assert!(rows.len() >= 9, "{rows:?}");
    for (status, rest) in rows {
        let code = rest.split('`').next().unwrap();
        assert!(about.contains(&format!("`{code}` ({status})")), "{status} {code}");
    }
}
