//! Where agents work and what is set for them: rule 17.

use std::os::unix::fs::symlink;
use std::path::Path;

use lab::agent::Story;
use serde_json::{Value, json};

use super::processes::{family, program, told};
use super::text::encoded;
use super::{message, refusal, refused, session_until};
use crate::deck::Deck;

#[tokio::test]
async fn rule_17_agents_work_in_the_roots_alone() {
    let deck = Deck::new(&Story::new()).await;
    let (work, other) = (deck.work(), deck.path().join("other"));
    for folder in [&other, &deck.path().join("work-not")] {
        std::fs::create_dir(folder).unwrap();
    }
    symlink(&other, work.join("link")).unwrap();
    std::fs::write(other.join("mcp.json"), "{}").unwrap();
    let _server = deck.serve().await;
    let client = deck.client();
    let wrong = [
        other.clone(),
        work.join("link"),
        work.join("../other"),
        deck.path().join("work-not"),
        deck.path().to_owned(),
        "/".into(),
        "/proc/self/cwd/../other".into(),
        deck.path().join("nothing"),
        "~".into(),
        "~/other".into(),
        Path::new("~/work").join("../other"),
    ];
    for folder in &wrong {
        for options in [
            json!({"cwd": folder}),
            json!({"cwd": work, "directories": [folder]}),
            json!({"cwd": work, "mcpFiles": [folder.join("mcp.json")]}),
            json!({"cwd": work, "settings": {"permissions": {"additionalDirectories": [work, folder]}}}),
        ] {
            let reply = client.post("/api/v1/sessions", &json!({"options": options})).await.unwrap();
            assert_eq!(refusal(&reply), refused(403, "outside_roots"), "{options}");
        }
    }
    for relative in ["work", "", ".", "~ana/work", "work/~"] {
        let reply = client.post("/api/v1/sessions", &json!({"options": {"cwd": relative}})).await.unwrap();
        assert_eq!(refusal(&reply), refused(400, "bad_request"), "{relative}");
    }
    assert_eq!(client.get("/api/v1/sessions").await.unwrap().good()["sessions"], json!([]), "nothing was started");
    // A person can allow another folder, which is written down.
    client.post("/api/v1/roots", &json!({"path": other})).await.unwrap().good();
    let audit = std::fs::read_to_string(deck.path().join("data/audit.jsonl")).unwrap();
    assert!(audit.lines().last().unwrap().contains("root_allowed"), "{audit}");
    let mut sessions = Vec::new();
    for options in [
        json!({"cwd": other}),
        json!({"cwd": work, "directories": [other]}),
        json!({"cwd": work, "mcpFiles": [other.join("mcp.json")]}),
        json!({"cwd": work, "settings": {"permissions": {"additionalDirectories": [other]}}}),
    ] {
        let start = json!({"options": options, "message": message("go on")});
        let started = client.post("/api/v1/sessions", &start).await.unwrap().good();
        let session = started["session"].as_str().unwrap().to_owned();
        super::events_until(&client, &session, "turn_complete").await;
        client.post(&format!("/api/v1/sessions/{session}/close"), &json!({})).await.unwrap().good();
        sessions.push((session, options));
    }
    // And take it back, also for sessions that worked there.
    let root = encoded(&other.canonicalize().unwrap().display().to_string());
    client.change("DELETE", &format!("/api/v1/roots?path={root}"), &json!({})).await.unwrap().good();
    for (session, options) in &sessions {
        for (rest, body) in [("resume", json!({})), ("fork", json!({})), ("messages", message("again"))] {
            let reply = client.post(&format!("/api/v1/sessions/{session}/{rest}"), &body).await.unwrap();
            assert_eq!(refusal(&reply), refused(403, "outside_roots"), "{rest} {options}");
        }
    }
    let path = |rest: &str| format!("/api/v1/sessions/{}/{rest}", sessions[0].0);
    assert_eq!(client.get(&path("files")).await.unwrap().status, 403);
    assert_eq!(client.get(&path("file?path=mcp.json")).await.unwrap().status, 403);
}

#[tokio::test]
async fn rule_17_a_link_in_the_place_of_a_root_leads_nowhere() {
    let deck = Deck::new(&Story::new()).await;
    let base = deck.path().canonicalize().unwrap();
    let (work, allowed) = (base.join("work"), base.join("allowed"));
    std::fs::create_dir(&allowed).unwrap();
    let _server = deck.serve().await;
    let client = deck.client();
    client.post("/api/v1/roots", &json!({"path": allowed})).await.unwrap().good();
    let session = session_until(&deck, &client, "turn_complete").await;
    assert_eq!(client.get("/api/v1/roots").await.unwrap().good(), json!([work, allowed]));
    // As an agent does it that wants more than it was given.
    for root in [&work, &allowed] {
        std::fs::rename(root, root.with_extension("away")).unwrap();
        symlink("/", root).unwrap();
    }
    for folder in [&work, &allowed, Path::new("/"), Path::new("/etc")] {
        let reply = client.post("/api/v1/sessions", &json!({"options": {"cwd": folder}})).await.unwrap();
        assert_eq!(refusal(&reply), refused(403, "outside_roots"), "{}", folder.display());
    }
    let file = client.get(&format!("/api/v1/sessions/{session}/file?path=etc/passwd")).await.unwrap();
    assert_eq!(refusal(&file), refused(403, "outside_roots"));
    assert_eq!(client.get("/api/v1/roots").await.unwrap().good(), json!([]));
    // Where it was, it is a root again.
    for root in [&work, &allowed] {
        std::fs::remove_file(root).unwrap();
        std::fs::rename(root.with_extension("away"), root).unwrap();
    }
    assert_eq!(client.get("/api/v1/roots").await.unwrap().good(), json!([work, allowed]));
}

#[tokio::test]
async fn a_path_that_begins_at_home_is_a_path_like_any_other() {
    let deck = Deck::new(&Story::new()).await;
    let home = deck.path().canonicalize().unwrap();
    for folder in ["work/inner", "other"] {
        std::fs::create_dir(home.join(folder)).unwrap();
    }
    let _server = deck.serve().await;
    let client = deck.client();
    assert_eq!(client.get("/api/v1/about").await.unwrap().good()["home"], json!(home));
    let folders = client.get(&format!("/api/v1/folders?path={}", encoded("~/work"))).await.unwrap().good();
    assert_eq!(folders, json!({"path": home.join("work"), "folders": [home.join("work/inner")]}));
    let start = json!({"options": {"cwd": "~/work", "directories": [Path::new("~/work").join("inner")]}});
    let session = client.post("/api/v1/sessions", &start).await.unwrap().good()["session"].as_str().unwrap().to_owned();
    let options = client.get(&format!("/api/v1/sessions/{session}")).await.unwrap().good()["options"].clone();
    assert_eq!(options["cwd"], json!(home.join("work")));
    assert_eq!(options["directories"], json!([home.join("work/inner")]));
    // Allowed and taken back as it was written; kept is where it is.
    client.post("/api/v1/roots", &json!({"path": "~/other"})).await.unwrap().good();
    let roots = json!([home.join("work"), home.join("other")]);
    assert_eq!(client.get("/api/v1/roots").await.unwrap().good(), roots);
    client.change("DELETE", &format!("/api/v1/roots?path={}", encoded("~/other")), &json!({})).await.unwrap().good();
    assert_eq!(client.get("/api/v1/roots").await.unwrap().good(), json!([home.join("work")]));
}

#[tokio::test]
async fn rule_17_a_client_sets_no_variable_that_leads_elsewhere() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let start = |variables: Value| json!({"options": {"cwd": deck.work(), "settings": {"env": variables}}});
    for name in ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "LD_PRELOAD", "PATH", "NODE_OPTIONS", "HTTPS_PROXY", "HOME"]
    {
        for variables in [json!({name: "x"}), json!({"MAX_THINKING_TOKENS": "1", name: "x"})] {
            let reply = client.post("/api/v1/sessions", &start(variables)).await.unwrap();
            assert_eq!(refusal(&reply), refused(403, "not_allowed"), "{name}");
        }
    }
    client.post("/api/v1/sessions", &start(json!({"MAX_THINKING_TOKENS": "1"}))).await.unwrap().good();
}

#[tokio::test]
async fn rule_17_an_agent_gets_no_token_of_ours() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let session = session_until(&deck, &deck.client(), "turn_complete").await;
    let key = std::fs::read_to_string(deck.path().join("data/secrets/key")).unwrap().trim().to_owned();
    assert!(key.len() >= 32, "the key is written as it would be passed on");
    let own = server::Secrets::open(&deck.path().join("data")).unwrap().local_token();
    let secrets = [super::browser::token_of(&server.url).to_owned(), deck.client().token.unwrap(), own, key];
    let folder = deck.path().join("data/sessions").join(&session).display().to_string();
    for pid in family(&folder) {
        let known = told(&pid, "environ") + &told(&pid, "cmdline");
        assert!(secrets.iter().all(|secret| !known.contains(secret)), "{} knows a token", program(&pid));
    }
}
