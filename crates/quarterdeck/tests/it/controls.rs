//! What a screen can ask and change beside the conversation: settings, rules, tasks, the command line.

use lab::agent::{Dialect, Story, Turn};
use serde_json::{Value, json};

use crate::client::Client;
use crate::deck::Deck;
use crate::patience::until;

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_changed_while_the_agent_runs() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
    let change = async |settings: Value| client.change("PATCH", &format!("{path}/settings"), &settings).await.unwrap();
    change(json!({"effort": "high", "fast": true, "thinking": false})).await.good();
    let status = async || client.get(&format!("{path}/state")).await.unwrap().good()["state"]["status"].clone();
    let now = status().await;
    assert_eq!([&now["effort"], &now["fastMode"], &now["thinking"]], ["high", "on", "off"]);
    change(json!({"fast": false, "thinking": true})).await.good();
    let now = status().await;
    // As a number: the default of an old agent, or of somebody's settings, is not to think.
    assert_eq!([&now["effort"], &now["fastMode"], &now["thinking"]], ["high", "off", "31999"]);

    let output = client.get(&format!("{path}/tasks/b1/output")).await.unwrap().good();
    assert_eq!(output, json!({"output": "", "totalBytes": 0, "truncated": false}));
    assert_eq!(client.get(&format!("{path}/rules")).await.unwrap().good()["source"], "agent");
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    // Nobody is there to be asked: the settings files say what counts.
    let settings = deck.work().join(".claude");
    std::fs::create_dir_all(&settings).unwrap();
    std::fs::write(settings.join("settings.json"), r#"{"permissions":{"allow":["Bash(ls *)"]}}"#).unwrap();
    let rules = client.get(&format!("{path}/rules")).await.unwrap().good();
    assert_eq!((&rules["source"], &rules["rules"][0]["rule"]), (&json!("files"), &json!("Bash(ls *)")));
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_agent_of_a_session_goes_on_as_the_last_one_was_set() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let mut start = deck.start();
    start["options"]["thinking"] = json!("adaptive");
    let session = client.post("/api/v1/sessions", &start).await.unwrap().good()["session"].clone();
    let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
    let settings = json!({"mode": "plan", "model": "haiku", "effort": "low", "fast": true, "thinking": false});
    client.change("PATCH", &format!("{path}/settings"), &settings).await.unwrap().good();
    // What nothing could be started with, or not every version, is not kept.
    let _ = client.change("PATCH", &format!("{path}/settings"), &json!({"mode": "delegate"})).await.unwrap();
    let _ = client.change("PATCH", &format!("{path}/settings"), &json!({"effort": "whatever"})).await.unwrap();
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    client.post(&format!("{path}/resume"), &json!({})).await.unwrap().good();
    let status = client.get(&format!("{path}/state")).await.unwrap().good()["state"]["status"].clone();
    assert_eq!(status["mode"], "plan", "also before its first turn");
    let log = client.get(&format!("{path}/records")).await.unwrap().text();
    let records = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut argvs = records.filter_map(|record| record["line"]["argv"].as_array().cloned());
    let argv = argvs.next_back().unwrap();
    let thinking = ["--max-thinking-tokens", "0"];
    for words in [["--permission-mode", "plan"], ["--model", "haiku"], ["--effort", "low"], thinking] {
        assert!(argv.windows(2).any(|pair| pair == words), "{words:?} is not in {argv:?}");
    }
    let at = argv.iter().position(|word| word == "--settings").unwrap();
    let settings: Value = serde_json::from_slice(&std::fs::read(argv[at + 1].as_str().unwrap()).unwrap()).unwrap();
    assert_eq!(settings["fastMode"], true, "{settings}");
    // What is set later counts, and what was said in words before does not.
    client
        .change("PATCH", &format!("{path}/settings"), &json!({"fast": false, "thinking": true}))
        .await
        .unwrap()
        .good();
    let kept = client.get(&path).await.unwrap().good()["options"].clone();
    assert_eq!((&kept["settings"], &kept["maxThinkingTokens"]), (&json!({"fastMode": false}), &json!(31_999)));
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    serving.stop().await;
}

/// Every pinned version of the CLI, offline: what the model is asked with, by an agent that was started with what is kept.
#[tokio::test(flavor = "multi_thread")]
async fn the_next_agent_thinks_if_the_last_one_was_told_to() {
    for cli in lab::real::pinned_versions() {
        let deck = Deck::real(cli, lab::Script::new().says("One.").says("Two.").says("Three.")).await;
        let serving = deck.serve().await;
        let client = deck.client();
        let start = json!({"options": {"cwd": deck.work(), "model": "claude-sonnet-4-5-20250929"}});
        let session = client.post("/api/v1/sessions", &start).await.unwrap().good()["session"].clone();
        let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
        let say = async |turn: u32| {
            let message = json!({"id": uuid::Uuid::new_v4().to_string(), "text": "Go on"});
            client.post(&format!("{path}/messages"), &message).await.unwrap().good();
            let row = async || client.get(&path).await.unwrap().good();
            until("the turn", async || Some(row().await).filter(|row| row["turns"] == turn)).await;
            let asked: Value = serde_json::from_str(&deck.last_asked()).unwrap();
            asked["thinking"].clone()
        };
        say(1).await;
        for (turn, thinking) in [(2, false), (3, true)] {
            let settings = json!({"thinking": thinking});
            client.change("PATCH", &format!("{path}/settings"), &settings).await.unwrap().good();
            client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
            let thought = say(turn).await;
            assert_eq!(thought["budget_tokens"].is_number(), thinking, "{cli}: {thought}");
        }
        client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
        serving.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_line_is_shown_before_it_is_run() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let about = client.get("/api/v1/about").await.unwrap().good();
    let options = json!({"options": {"cwd": deck.work(), "model": "opus", "maxTurns": 7}});
    let line = client.post("/api/v1/command-line", &options).await.unwrap().good();
    assert_eq!((&line["program"], &line["version"]), (&about["agent"]["path"], &about["agent"]["version"]));
    let args: Vec<&str> = line["args"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let has = |words: [&str; 2]| args.windows(2).any(|pair| pair == words);
    assert!(has(["--model", "opus"]) && has(["--max-turns", "7"]), "{args:?}");
    let always = line["always"].as_array().unwrap();
    assert!(!always.is_empty() && !always.contains(&json!("--model")), "{always:?}");
    assert_eq!(client.get("/api/v1/sessions").await.unwrap().good()["sessions"], json!([]));
    let outside = client.post("/api/v1/command-line", &json!({"options": {"cwd": "/"}})).await.unwrap();
    assert_eq!(outside.code().as_deref(), Some("outside_roots"));
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_is_asked_for_before_there_is_an_index_is_no_error() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let started = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good();
    // As in the first moment of a server, and as when somebody has cleaned up.
    for beside in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(deck.path().join(format!("data/index.sqlite{beside}")));
    }
    assert!(client.get("/api/v1/sessions").await.unwrap().good()["sessions"].is_array());
    let path = format!("/api/v1/sessions/{}", started["session"].as_str().unwrap());
    client.post(&format!("{path}/close"), &json!({"kill": true})).await.unwrap().good();
    serving.stop().await;
}

/// As a collector of figures reads them: each has its kind and its words, and a number.
#[tokio::test(flavor = "multi_thread")]
async fn the_figures_are_in_the_form_of_prometheus() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let text = client.get("/metrics").await.unwrap().text();
    client.post(&format!("/api/v1/sessions/{}/close", session.as_str().unwrap()), &json!({})).await.unwrap().good();
    let (mut kinds, mut figures) = (Vec::new(), 0);
    for line in text.lines() {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["#", "TYPE", name, "counter" | "gauge"] => kinds.push((*name).to_owned()),
            ["#", "HELP", _, words @ ..] => assert!(!words.is_empty(), "{line}"),
            [name, value] => {
                let name = name.split('{').next().unwrap();
                assert!(kinds.iter().any(|kind| kind == name), "{line}: of no kind");
                assert!(
                    value.parse::<f64>().is_ok_and(|value| value.is_finite() && value.is_sign_positive()),
                    "{line}"
                );
                figures += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(figures >= kinds.len() && kinds.len() > 3, "{text}");
    serving.stop().await;
}

const FIRST: &str = "00000000-0000-4000-8000-000000000001";
const SECOND: &str = "00000000-0000-4000-8000-000000000002";

/// A session whose agent works until it gets another model, and a second message that it has not taken yet.
async fn with_a_message_that_waits(deck: &Deck, client: &Client, state: &str) -> String {
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
    let send = async |id: &str, text: &str| {
        client.post(&format!("{path}/messages"), &json!({"id": id, "text": text})).await.unwrap().good()
    };
    let now = async || client.get(&format!("{path}/state")).await.unwrap().good()["state"].clone();
    let any = |list: &Value, is_it: &dyn Fn(&Value) -> bool| list.as_array().unwrap().iter().any(is_it).then_some(());
    send(FIRST, "work").await;
    // What comes before the agent has begun is taken together with the first.
    until("the agent's words", async || any(&now().await["items"], &|item| item["body"]["kind"] == "text")).await;
    send(SECOND, "work faster").await;
    let waits = |queued: &Value| queued["id"] == SECOND && queued["state"] == state;
    until("the second message", async || any(&now().await["queue"], &waits)).await;
    path
}

fn working() -> Story {
    Story::new().turn(Turn::new().says("I work.").waits_for("control_request/set_model").says("Done."))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_taken_back_until_the_agent_has_it() {
    let deck = Deck::new(&working()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let path = with_a_message_that_waits(&deck, &client, "queued").await;
    let take_back =
        async |id: &str| client.change("DELETE", &format!("{path}/queue/{id}"), &Value::Null).await.unwrap();
    assert_eq!(take_back(FIRST).await.code().as_deref(), Some("not_found"));
    take_back(SECOND).await.good();
    assert_eq!(client.get(&format!("{path}/state")).await.unwrap().good()["state"]["queue"], json!([]));
    assert_eq!(take_back(SECOND).await.code().as_deref(), Some("not_found"));
    client.change("PATCH", &format!("{path}/settings"), &json!({"model": "haiku"})).await.unwrap().good();
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    // The agent was never told what was taken back.
    let said = client.get(&format!("{path}/export")).await.unwrap().text();
    assert!(said.contains("work") && !said.contains("work faster"), "{said}");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_gives_no_message_back_is_told_of() {
    let deck = Deck::new(&working().speaking(Dialect::Old)).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let path = with_a_message_that_waits(&deck, &client, "sent").await;
    let refused = client.change("DELETE", &format!("{path}/queue/{SECOND}"), &Value::Null).await.unwrap();
    let words = "this version of the agent does not give messages back; a newer one does";
    assert_eq!(
        (refused.code().as_deref(), &refused.json()["error"]["message"]),
        (Some("agent_refused"), &json!(words))
    );
    client.post(&format!("{path}/close"), &json!({"kill": true})).await.unwrap().good();
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_comes_back_hears_that_nothing_waits_any_more() {
    let deck = Deck::new(&working()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
    let epoch = client.get(&format!("{path}/state")).await.unwrap().good()["epoch"].clone();
    let mut socket = client.socket().await.unwrap();
    socket.say(&json!({"kind": "watch", "session": session, "epoch": epoch, "seq": 1})).await.unwrap();
    let held = loop {
        let frame = socket.hear().await.unwrap();
        if frame["kind"] == "held" {
            break frame;
        }
    };
    assert_eq!(held["held"]["prompts"], json!([]));
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    serving.stop().await;
}
