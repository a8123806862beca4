//! What a rule would cover, as the server says, beside what the real CLI does with that rule.

use std::collections::BTreeSet;

use insights::state::{AskBody, ItemBody, Phase, State};
use lab::{CliVersion, Script};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::deck::Deck;
use crate::watcher::Watcher;

const RULE: &str = "Bash(make *)";

/// Commands about which all versions agree.
const COMMANDS: &[&str] = &[
    "make a",
    "make 'a; b'",
    "make a 2>&1",
    "make a > /dev/null",
    "make a && make b",
    "make a; make b",
    "make a | make b",
    "cd . && make a",
    "maker a",
    "FOO=1 make a",
    "env make a",
    "(make a)",
    "make $(npm x)",
    "make `npm x`",
    "make a & npm x",
    "make a &> out.txt",
    "bash -c 'make a'",
    "npm run make",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_real_cli_agrees_about_what_a_rule_covers_2_1_38() {
    agrees(CliVersion::new(2, 1, 38)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_real_cli_agrees_about_what_a_rule_covers_2_1_326() {
    agrees(CliVersion::new(2, 1, 326)).await;
}

/// The CLI gets the rule and the commands; whatever it asks about is denied. The server is asked about the same rule.
async fn agrees(cli: CliVersion) {
    let call =
        |script: Script, command: &&str| script.calls("Bash", json!({"command": command, "description": "Do it"}));
    let deck = Deck::real(cli, COMMANDS.iter().fold(Script::new(), call).says("Done.")).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let start = json!({
        "options": {"cwd": deck.work(), "allowedTools": [RULE]},
        "message": {"id": "00000000-0000-4000-8000-000000000001", "text": "Go"},
    });
    let started = client.post("/api/v1/sessions", &start).await.unwrap().good();
    let session = started["session"].as_str().unwrap();
    let servers = watch::Sender::new(1);
    let mut screen = Watcher::start(client.clone(), session, servers.subscribe(), |_| false);
    let mut asked = BTreeSet::new();
    loop {
        let is_over = |state: &State| {
            let is_last = |item: &ItemBody| matches!(item, ItemBody::Text(text) if text.text.text == "Done.");
            state.status.phase == Phase::Idle && state.items.iter().any(|item| is_last(&item.body))
        };
        let state = screen.until(|state| !state.asks.is_empty() || is_over(state)).await;
        let Some(ask) = state.asks.first() else { break };
        let AskBody::Permission(permission) = &ask.body else { panic!("{ask:?}") };
        let insights::state::tool::ToolView::Command { command, .. } = &permission.view else { panic!("{ask:?}") };
        asked.insert(command.text.clone());
        let decision = json!({"decision": {"kind": "deny", "why": "No."}});
        client.post(&format!("/api/v1/sessions/{session}/asks/{}", ask.id), &decision).await.unwrap().good();
        let id = ask.id.clone();
        screen.until(|state| state.asks.iter().all(|ask| ask.id != id)).await;
    }
    let path = format!("/api/v1/sessions/{session}/rules/effect");
    let effect = async |rules: Value| client.post(&path, &json!({"rules": rules, "reach": "session"})).await.unwrap();
    // The index comes after the conversation.
    let told = loop {
        let told = effect(json!([RULE])).await.good();
        if told["lookedAt"] == COMMANDS.len() {
            break told;
        }
        tokio::task::yield_now().await;
    };
    let about = |call: &Value| call["about"].as_str().unwrap().to_owned();
    let calls = told["calls"].as_array().unwrap();
    let covered: BTreeSet<String> = calls.iter().map(about).collect();
    let unasked = COMMANDS.iter().map(|command| (*command).to_owned()).filter(|command| !asked.contains(command));
    assert_eq!(covered, unasked.collect(), "asked about {asked:?}");
    assert!(calls.iter().all(|call| call["denied"] == false));

    // A wider rule would have let through what was denied.
    let wide = effect(json!(["Bash"])).await.good();
    let denied = wide["calls"].as_array().unwrap().iter().filter(|call| call["denied"] == true).map(about);
    assert_eq!(denied.collect::<BTreeSet<String>>(), asked);
    assert_eq!(effect(json!(["two words"])).await.code().as_deref(), Some("bad_request"));
    assert_eq!(effect(json!([])).await.code().as_deref(), Some("bad_request"));
    serving.stop().await;
}
