//! The binary that users get has no switch that leaves a rule out. And how a server is watched that should not start.

use std::process::Stdio;

use lab::agent::Story;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::Child;

use crate::client::Client;
use crate::deck::Deck;

/// How a server ended that has to end by itself, and what it said. One that starts says where it is, and is killed.
pub(super) async fn ended_at_once(child: &mut Child) -> (Option<i32>, String) {
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).await.unwrap();
    if !first.is_empty() {
        child.kill().await.unwrap();
        return (None, format!("it started: {first}"));
    }
    let mut words = String::new();
    child.stderr.take().unwrap().read_to_string(&mut words).await.unwrap();
    (child.wait().await.unwrap().code(), words)
}

/// The variable that leaves a rule out, where that can be done.
const VARIABLE: &str = "QUARTERDECK_LEAVE_OUT";

/// What stands in the mistakes that are made then.
const MISTAKE: &str = "QUARTERDECK_MISTAKE";

#[tokio::test]
async fn the_binary_of_users_has_no_switch_for_its_rules() {
    let binary = std::fs::read(env!("CARGO_BIN_EXE_quarterdeck")).unwrap();
    let binary = String::from_utf8_lossy(&binary);
    let contains = |text: &str| binary.contains(text);
    assert!(contains("QUARTERDECK_DATA"), "names of variables can be found in the binary");
    assert!(!contains(VARIABLE), "there is a switch");
    assert!(!contains(MISTAKE), "there is something to switch on");
    let deck = Deck::new(&Story::new()).await;
    let port = deck.client().port.to_string();
    for rule in ["Anonymous", "Host", "Bypass"] {
        let mut command = deck.command(&["serve", "--no-open", "--port", &port]);
        let mut server = command.env(VARIABLE, rule).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        lines.next_line().await.unwrap().unwrap();
        let anonymous = Client { token: None, ..deck.client() };
        assert_eq!(anonymous.get("/api/v1/about").await.unwrap().status, 401, "{rule}");
        let request = b"GET /healthz HTTP/1.1\r\nhost: evil.test\r\nconnection: close\r\n\r\n";
        assert_eq!(anonymous.raw(request).await.unwrap().status, 421, "{rule}");
        let about = deck.client().get("/api/v1/about").await.unwrap().good();
        assert_eq!(about["allowsBypass"], false, "{rule}");
        server.kill().await.unwrap();
    }
}
