//! What `serve` says to whoever starts it, and who `token` lets in.

use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::os::unix::fs::PermissionsExt;

use lab::agent::Story;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr};

use crate::client::Client;
use crate::deck::Deck;
use crate::home::Home;
use crate::patience::until;
use crate::pty::{INTERRUPT, Terminal};

/// A server and what it says on stderr.
struct Started {
    _child: Child,
    url: String,
    talk: Lines<BufReader<ChildStderr>>,
}

impl Started {
    async fn with(deck: &Deck, arguments: &[&str]) -> Started {
        let mut child = deck.command(arguments).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = out.next_line().await.unwrap().unwrap();
        let talk = BufReader::new(child.stderr.take().unwrap()).lines();
        Started { _child: child, url, talk }
    }

    /// Reads what it says until these words come.
    async fn says(&mut self, words: &str) -> String {
        loop {
            let line = self.talk.next_line().await.unwrap().unwrap_or_else(|| panic!("it did not say `{words}`"));
            if line.contains(words) {
                return line;
            }
        }
    }
}

#[tokio::test]
async fn a_port_that_is_taken_is_told_and_another_one_is_used() {
    let deck = Deck::new(&Story::new()).await;
    // Whoever has it already does as well.
    let _taken = (TcpListener::bind((Ipv4Addr::LOCALHOST, 4180)), TcpListener::bind((Ipv6Addr::LOCALHOST, 4180)));
    // Without a command it serves.
    let mut server = Started::with(&deck, &["--no-open"]).await;
    let said = server.says("port 4180 is taken").await;
    let port: u16 = said.split_whitespace().rev().find_map(|word| word.parse().ok()).unwrap();
    assert!(port > 4180 && server.url.starts_with(&format!("http://127.0.0.1:{port}/login#")), "{said} {}", server.url);
    assert_eq!(Client { port, token: None }.get("/healthz").await.unwrap().text().trim(), "ok");
}

#[tokio::test]
async fn without_a_cli_it_starts_and_names_the_demo() {
    let deck = Deck::new(&Story::new()).await.with("QUARTERDECK_CLAUDE", "/nowhere/claude");
    let mut server = Started::with(&deck, &["serve", "--no-open", "--port", "0"]).await;
    assert!(server.says("sessions can be looked at, but not started").await.contains("/nowhere/claude"));
    server.says("hint: install it, or look around with `quarterdeck demo`").await;
}

#[tokio::test]
async fn on_a_desktop_a_private_page_is_opened_that_leads_in_and_a_script_opens_nothing() {
    let home = Home::new(&Story::new()).await;
    // What stands for the browser hands on what it is to open: all that other users can read of it.
    let (programs, opened) = (home.path().join("programs"), home.path().join("opened"));
    std::fs::create_dir(&programs).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &opened, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    let make = |program: &str, does: &str| {
        let path = programs.join(program);
        std::fs::write(&path, format!("#!/bin/sh\n{does}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    make("xdg-open", &format!("echo \"$@\" > '{}'", opened.display()));
    make("xdg-settings", "echo firefox.desktop");
    let asked = async || {
        let opened = opened.clone();
        tokio::task::spawn_blocking(move || std::fs::read_to_string(&opened).unwrap()).await.unwrap()
    };
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let environment =
        || home.environment().into_iter().chain([("DISPLAY", ":0".into()), ("PATH", path.clone().into())]);

    // Its output is no terminal. When it speaks of the CLI, that is decided.
    let deck = environment().fold(Deck::new(&Story::new()).await, |deck, (name, value)| deck.with(name, value));
    let deck = deck.with("QUARTERDECK_CLAUDE", "/nowhere/claude").with("QUARTERDECK_DATA", home.path().join("other"));
    let mut quiet = Started::with(&deck, &["serve", "--port", "0"]).await;
    quiet.says("hint: install it").await;
    // Once somebody logs in by the page, and once nobody does until the server ends.
    for is_used in [true, false] {
        let mut terminal = Terminal::start(&["serve", "--port", "0"], home.path(), environment());
        let asked = asked().await;
        assert!(!asked.contains("http") && !asked.contains('#'), "everybody can read this: {asked}");
        let file = std::path::PathBuf::from(asked.trim());
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700), "{asked}");
        let page = std::fs::read_to_string(&file).unwrap();
        let url = page.split("<a href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert!(page.contains(&format!("<meta http-equiv=\"refresh\" content=\"0; url={url}\">")), "{page}");
        terminal.until(&url).await;
        let (address, token) = url.split_once("/login#").unwrap();
        let port = address.strip_prefix("http://127.0.0.1:").unwrap().parse().unwrap();
        if is_used {
            let client = Client { port, token: None };
            // As a browser says that comes from a file.
            let foreign = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
            assert_eq!(client.request("GET", "/login", &foreign, b"").await.unwrap().status, 200);
            assert_eq!(client.post("/api/v1/login", &json!({"token": token})).await.unwrap().status, 200);
            until("it leads nowhere any more", async || (!file.exists()).then_some(())).await;
        }
        terminal.types(INTERRUPT).await;
        terminal.leaves().await;
        assert!(!file.exists(), "{}", file.display());
    }
    // A snap could not read that page.
    make("xdg-settings", "echo firefox_firefox.desktop");
    let mut terminal = Terminal::start(&["serve", "--port", "0"], home.path(), environment());
    let asked = asked().await;
    assert!(asked.starts_with("http://127.0.0.1:") && asked.contains("/login#"), "{asked}");
    terminal.types(INTERRUPT).await;
    terminal.leaves().await;
}

#[tokio::test]
async fn a_token_is_listed_and_once_revoked_lets_nobody_in() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let run = async |arguments: &[&str]| {
        let output = deck.command(arguments).output().await.unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (_, token, _) = run(&["token", "add", "nightly job"]).await;
    let script = Client { token: Some(token.trim().to_owned()), ..client.clone() };
    assert_eq!(script.get("/api/v1/about").await.unwrap().status, 200);
    let (_, listed, _) = run(&["token", "list", "--json"]).await;
    let listed: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = listed.iter().map(|device| device["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a test", "nightly job"]);
    assert!(listed[1]["seenAt"].is_number(), "it was just here: {listed:?}");
    let (_, table, _) = run(&["token", "list"]).await;
    assert!(table.contains("nightly job") && !table.contains(token.trim()), "{table}");

    let (code, _, words) = run(&["token", "revoke", "nightly"]).await;
    assert!(code == Some(2) && words.contains("there is no token or device `nightly`"), "{words}");
    let (code, _, words) = run(&["token", "revoke", "nightly job"]).await;
    assert!(code == Some(0) && words.starts_with("revoked nightly job"), "{words}");
    assert_eq!(script.get("/api/v1/about").await.unwrap().code().as_deref(), Some("not_logged_in"));
    let ticket = script.post("/api/v1/socket-tickets", &json!({})).await.unwrap();
    assert_eq!(ticket.code().as_deref(), Some("not_logged_in"));
    assert_eq!(client.get("/api/v1/about").await.unwrap().status, 200, "nobody else is meant");
    serving.stop().await;
}
