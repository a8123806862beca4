//! Values that end up on a command line: rule 16.

use std::path::{Path, PathBuf};

use lab::agent::Story;
use serde_json::{Value, json};

use super::processes::{family, program, told};
use super::{NOBODY, message, refusal, session_until};
use crate::client::Client;
use crate::deck::Deck;

/// All source files of what is given to users.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            into.push(path);
        }
    }
}

/// Programs that take a text for what they are to do.
const SHELLS: [&str; 10] = ["sh", "bash", "zsh", "dash", "ash", "ksh", "busybox", "cmd", "cmd.exe", "powershell"];

#[tokio::test]
async fn rule_16_no_shell_is_ever_started() {
    // Not in what runs while an agent works …
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let session = session_until(&deck, &deck.client(), "turn_complete").await;
    let folder = deck.path().join("data/sessions").join(&session).display().to_string();
    for pid in family(&folder) {
        let (program, words) = (program(&pid), told(&pid, "cmdline"));
        assert!(!SHELLS.contains(&program.as_str()), "{program} was started: {words:?}");
        assert!(words.split('\0').all(|word| word != "-c"), "a command was given to {program}: {words:?}");
    }
    // … and nowhere in the sources.
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for name in ["claude-protocol", "claude-driver", "insights", "journal", "keeper", "live", "server", "quarterdeck"] {
        sources(&crates.join(name).join("src"), &mut files);
    }
    assert!(files.len() > 100, "{}", files.len());
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let code = text.split("\nmod tests {").next().unwrap();
        let in_folder = |folder: &'static str| SHELLS.iter().map(move |shell| format!("{folder}{shell}"));
        let shells = ["", "/bin/", "/usr/bin/"].into_iter().flat_map(in_folder).chain(["/usr/bin/env".to_owned()]);
        for shell in shells {
            for start in ["Command::new(", "command(", "program: ", "path: "] {
                let started = format!("{start}\"{shell}\"");
                assert!(!code.contains(&started), "{} has `{started}`", file.display());
            }
        }
        assert!(!code.contains("\"-c\""), "{} gives a command to somebody", file.display());
    }
}

/// Numbers without a pattern, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// Values that no model, mode, effort, agent or tool has: flags, things that a shell would do, and noise.
fn hostile(dice: &mut Dice) -> String {
    let beginnings = ["-", "--", "-p", "--settings=", "--dangerously-skip-permissions", "--mcp-config "];
    let pieces =
        ["$(id)", "`id`", ";id", "|id", "&&id", ">x", "\n", "\r", "\t", "\0", "\"", "'", "{}", "$IFS", "%0a", "\\"];
    let mut value = match dice.below(3) {
        0 => return format!("{}{}", beginnings[dice.below(beginnings.len())], "x".repeat(dice.below(3))),
        1 => "model".to_owned(),
        _ => String::new(),
    };
    for _ in 0..=dice.below(4) {
        value += pieces[dice.below(pieces.len())];
    }
    value
}

#[tokio::test]
async fn rule_16_what_is_no_word_is_refused_before_anything_is_started() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let mut dice = Dice(0x5eed);
    let fields = ["model", "mode", "effort", "agent", "thinking", "fallbackModels", "tools", "betas", "skills"];
    for round in 0..180 {
        let (field, value) = (fields[round % fields.len()], hostile(&mut dice));
        let wrapped = if field.ends_with('s') { json!([value]) } else { json!(value) };
        let start = json!({"options": {"cwd": deck.work(), (field): wrapped}});
        let reply = client.post("/api/v1/sessions", &start).await.unwrap();
        assert_eq!(refusal(&reply).0, 400, "{field} {value:?}: {}", reply.text());
    }
    for (field, value) in [
        ("allowedTools", json!(["--x"])),
        ("disallowedTools", json!([""])),
        ("title", json!("-x")),
        ("toolAliases", json!({"Sh": "--x"})),
        ("pluginUrls", json!(["--x"])),
        ("pluginUrls", json!(["http://plugins.example"])),
    ] {
        let start = json!({"options": {"cwd": deck.work(), (field): value}});
        assert_eq!(client.post("/api/v1/sessions", &start).await.unwrap().status, 400, "{field}");
    }
    let extra = json!({"options": {"cwd": deck.work(), "extraArgs": ["--version"]}});
    assert_eq!(client.post("/api/v1/sessions", &extra).await.unwrap().status, 400);
    // Ids in paths and bodies, of sessions and of what is in them.
    for _ in 0..60 {
        let id = super::text::encoded(&hostile(&mut dice));
        for path in [format!("/api/v1/sessions/{id}"), format!("/api/v1/sessions/{id}/records")] {
            assert_eq!(client.get(&path).await.unwrap().status, 404, "{path}");
        }
        let reply = client.post(&format!("/api/v1/transcripts/{id}/import"), &json!({})).await.unwrap();
        assert!([400, 404].contains(&reply.status), "{id}: {}", reply.text());
        let fork = json!({"at": hostile(&mut dice)});
        let reply = client.post(&format!("/api/v1/sessions/{NOBODY}/fork"), &fork).await.unwrap();
        assert!([400, 404].contains(&reply.status), "{fork}: {}", reply.text());
    }
    assert_eq!(client.get("/api/v1/sessions").await.unwrap().good()["sessions"], json!([]), "nothing was started");
}

/// The arguments that the agent of a session was started with.
async fn argv(client: &Client, session: &str) -> Vec<String> {
    let records = client.get(&format!("/api/v1/sessions/{session}/records")).await.unwrap().text();
    let mut facts = records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let spawned = facts.find(|record| record["source"] == "host" && record["line"]["argv"].is_array()).unwrap();
    serde_json::from_value(spawned["line"]["argv"].clone()).unwrap()
}

#[tokio::test]
async fn rule_16_free_text_stays_one_argument() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let text = "$(touch made) `touch made`; touch made\n--dangerously-skip-permissions \"'";
    let title = "$(touch made) `touch made`; touch made --add-dir / \"'";
    let rule = "Bash(echo $(touch made) --x)";
    let options = json!({
        "cwd": deck.work(), "model": "claude-sonnet-4-5[1m]", "title": title, "systemPrompt": text,
        "appendSystemPrompt": "--settings={}", "allowedTools": [rule],
    });
    let start = json!({"options": options, "message": message("--version")});
    let session = client.post("/api/v1/sessions", &start).await.unwrap().good()["session"].as_str().unwrap().to_owned();
    let argv = argv(&client, &session).await;
    let flags = ["--dangerously-skip-permissions", "--add-dir", "--settings={}", "--version"];
    assert!(argv.iter().all(|word| !flags.contains(&word.as_str())), "a text has become a flag: {argv:?}");
    let after = |flag: &str| {
        let at = argv.iter().position(|word| word == flag).unwrap_or_else(|| panic!("no {flag} in {argv:?}"));
        argv[at + 1].clone()
    };
    assert_eq!([after("--model"), after("--name"), after("--allowedTools")], ["claude-sonnet-4-5[1m]", title, rule]);
    super::events_until(&client, &session, "turn_complete").await;
    assert!(!deck.work().join("made").exists());
}
