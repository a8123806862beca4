//! Every option of a session, from a request to the agent: on its command line, in a file that it is told to read, or in the
//! first thing that is said to it.

use std::collections::BTreeSet;

use lab::agent::{Dialect, Story};
use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::deck::Deck;

/// Where an agent finds an option.
enum Place {
    /// These words in its arguments, in a row.
    Words(Vec<String>),
    /// In the file that this flag names, at this place.
    File(&'static str, &'static str),
    /// At this place of the first request.
    First(&'static str),
    /// It is where the process works.
    Folder,
}

/// An option, what it is set to, and where that is found, as it is or as the row says.
type Row = (&'static str, Value, Place);

fn words(words: &[&str]) -> Place {
    Place::Words(words.iter().map(|word| (*word).to_owned()).collect())
}

/// All options that can be used together.
fn together(work: &str) -> Vec<Row> {
    let (first, file) = (Place::First, Place::File);
    let agent = json!({"description": "Reviews", "prompt": "Review."});
    vec![
        ("cwd", json!(work), Place::Folder),
        ("model", json!("opus"), words(&["--model", "opus"])),
        ("fallbackModels", json!(["sonnet", "haiku"]), words(&["--fallback-model", "sonnet,haiku"])),
        ("mode", json!("plan"), words(&["--permission-mode", "plan"])),
        ("effort", json!("high"), words(&["--effort", "high"])),
        ("thinking", json!("adaptive"), words(&["--thinking", "adaptive"])),
        ("thinkingDisplay", json!("summarized"), words(&["--thinking-display", "summarized"])),
        ("betas", json!(["tides"]), words(&["--betas", "tides"])),
        ("maxTurns", json!(7), words(&["--max-turns", "7"])),
        ("maxBudgetUsd", json!(1.5), words(&["--max-budget-usd", "1.5"])),
        ("taskBudget", json!(5000), words(&["--task-budget", "5000"])),
        ("autoCompactTokens", json!(200_000), words(&["--autocompact", "200000"])),
        ("allowedTools", json!(["Bash(git *)"]), words(&["--allowedTools", "Bash(git *)"])),
        ("disallowedTools", json!(["WebFetch"]), words(&["--disallowedTools", "WebFetch"])),
        ("tools", json!(["Read", "Edit"]), words(&["--tools", "Read,Edit"])),
        ("toolAliases", json!({"Sh": "Bash"}), first("/toolAliases")),
        ("restricted", json!(true), words(&["--restricted"])),
        ("directories", json!([work]), words(&["--add-dir", work])),
        ("systemPrompt", json!("You are a parrot."), first("/systemPrompt")),
        ("appendSystemPrompt", json!("No crackers."), first("/appendSystemPrompt")),
        ("appendSubagentSystemPrompt", json!("Be a chick."), file("--append-subagent-system-prompt-file", "")),
        ("planModeInstructions", json!("Plan a voyage."), first("/planModeInstructions")),
        ("excludeDynamicSections", json!(true), words(&["--exclude-dynamic-system-prompt-sections"])),
        ("freshSystemPrompt", json!(true), words(&["--system-prompt-snapshot", "off"])),
        ("jsonSchema", json!({"type": "object"}), first("/jsonSchema")),
        ("mcpServers", json!({"harbour": {"command": "true"}}), file("--mcp-config", "/mcpServers")),
        ("mcpFiles", json!([format!("{work}/mcp.json")]), words(&["--mcp-config", &format!("{work}/mcp.json")])),
        ("strictMcp", json!(true), words(&["--strict-mcp-config"])),
        ("agent", json!("reviewer"), words(&["--agent", "reviewer"])),
        ("agents", json!({"reviewer": agent}), first("/agents")),
        ("pluginDirs", json!([work]), first("/plugins/0/path")),
        (
            "pluginUrls",
            json!(["https://plugins.example/a?b=c"]),
            words(&["--plugin-url", "https://plugins.example/a?b=c"]),
        ),
        ("skills", json!(["knots"]), first("/skills")),
        ("disableSlashCommands", json!(true), words(&["--disable-slash-commands"])),
        ("settings", json!({"outputStyle": "terse"}), file("--settings", "/outputStyle")),
        ("settingSources", json!(["user", "project"]), words(&["--setting-sources", "user,project"])),
        ("projectConfigRoot", json!(work), words(&["--project-config-root", work])),
        ("bare", json!(true), words(&["--bare"])),
        ("safeMode", json!(true), words(&["--safe-mode"])),
        ("brief", json!(true), words(&["--brief"])),
        ("chrome", json!(false), words(&["--no-chrome"])),
        ("ide", json!(true), words(&["--ide"])),
        ("title", json!("A voyage"), words(&["--name", "A voyage"])),
    ]
}

/// Those that say the same as some of these, or the opposite.
fn instead() -> Vec<Row> {
    vec![
        ("maxThinkingTokens", json!(4000), words(&["--max-thinking-tokens", "4000"])),
        ("chrome", json!(true), words(&["--chrome"])),
        ("bypassPermissions", json!(true), words(&["--dangerously-skip-permissions"])),
    ]
}

/// Starts a session with these options, and looks for each where its agent finds it.
async fn look_for(deck: &Deck, client: &Client, rows: &[Row]) {
    let mut options: Map<String, Value> = rows.iter().map(|(name, is, _)| ((*name).to_owned(), is.clone())).collect();
    options.entry("cwd").or_insert(json!(deck.work()));
    let started = client.post("/api/v1/sessions", &json!({"options": options})).await.unwrap().good();
    let session = started["session"].as_str().unwrap();
    let lines: Vec<Value> =
        deck.log(session).iter().filter_map(|record| serde_json::from_str(&record.line.text()).ok()).collect();
    let spawned = lines.iter().find(|line| line["fact"] == "spawned").unwrap();
    let argv: Vec<String> = serde_json::from_value(spawned["argv"].clone()).unwrap();
    let first = &lines.iter().find(|line| line["request"]["subtype"] == "initialize").unwrap()["request"];
    for (name, is, place) in rows {
        match place {
            Place::Words(words) => {
                assert!(argv.windows(words.len()).any(|some| some == words), "{name}: {words:?} is not in {argv:?}");
            }
            Place::File(flag, inside) => {
                let at = argv.iter().position(|word| word == flag).unwrap_or_else(|| panic!("{name}: {argv:?}"));
                let text = std::fs::read_to_string(&argv[at + 1]).unwrap();
                let read = serde_json::from_str(&text).unwrap_or(Value::String(text));
                let wanted = is.get(inside.trim_start_matches('/')).unwrap_or(is);
                assert_eq!(read.pointer(inside), Some(wanted), "{name}: {read}");
            }
            Place::First(inside) => {
                let wanted = if inside.contains("/0/") { &is[0] } else { is };
                assert_eq!(first.pointer(inside), Some(wanted), "{name}: {first}");
            }
            Place::Folder => assert_eq!(&spawned["cwd"], is, "{name}"),
        }
    }
    client.post(&format!("/api/v1/sessions/{session}/close"), &json!({"kill": true})).await.unwrap().good();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_option_reaches_the_agent() {
    let deck = Deck::new(&Story::new()).await;
    let work = deck.work().canonicalize().unwrap().display().to_string();
    std::fs::write(deck.work().join("mcp.json"), r#"{"mcpServers":{}}"#).unwrap();
    let serving = deck.serve_with(&["--dangerously-allow-bypass"]).await;
    let client = deck.client();
    let rows = [together(&work), instead()];
    for rows in &rows {
        look_for(&deck, &client, rows).await;
    }
    let document = client.get("/api/v1/openapi.json").await.unwrap().good();
    let options = document["components"]["schemas"]["Options"]["properties"].as_object().unwrap();
    let documented: BTreeSet<&str> = options.keys().map(String::as_str).collect();
    let mut tried: BTreeSet<&str> = rows.iter().flatten().map(|(name, ..)| *name).collect();
    // Nobody but a person at a terminal may say these.
    tried.insert("extraArgs");
    assert_eq!(tried, documented, "each option has a row here");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn options_that_do_not_fit_are_refused_with_a_sentence() {
    let deck = Deck::new(&Story::new().speaking(Dialect::Old)).await;
    let serving = deck.serve().await;
    let client = deck.client();
    for (option, value, code, told) in [
        ("autoCompactTokens", json!(200_000), "bad_request", "`--autocompact` needs"),
        ("thinking", json!("deeply"), "bad_request", "`deeply` is none of `adaptive`, `disabled`"),
        ("thinkingDisplay", json!("loudly"), "bad_request", "`loudly` is none of"),
        ("jsonSchema", json!([]), "bad_request", "the JSON schema: it is no JSON object"),
        ("pluginDirs", json!(["/"]), "outside_roots", "agents may not work in `/`"),
        ("projectConfigRoot", json!("/"), "outside_roots", "agents may not work in `/`"),
    ] {
        let planned = json!({"options": {"cwd": deck.work(), (option): value}});
        let reply = client.post("/api/v1/command-line", &planned).await.unwrap();
        let message = reply.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert_eq!(reply.code().as_deref(), Some(code), "{option}: {}", reply.text());
        assert!(message.contains(told), "{option}: {message}");
    }
    let both = json!({"options": {"cwd": deck.work(), "thinking": "disabled", "maxThinkingTokens": 7}});
    let reply = client.post("/api/v1/command-line", &both).await.unwrap();
    assert!(reply.text().contains("in words or in tokens, not in both"), "{}", reply.text());
    serving.stop().await;
}
