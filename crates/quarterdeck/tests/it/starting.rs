//! What sessions are started with over HTTP.

use std::os::unix::fs::PermissionsExt as _;

use lab::agent::{Story, Turn};
use serde_json::{Value, json};

use crate::deck::Deck;
use crate::patience::until;

#[tokio::test(flavor = "multi_thread")]
async fn an_option_that_is_misspelt_is_refused_wherever_options_are_taken() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let refused = async |method: &str, path: &str, body: Value| {
        let reply = client.change(method, path, &body).await.unwrap();
        let message = reply.json()["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert_eq!((reply.status, reply.code().as_deref()), (400, Some("bad_request")), "{path}: {}", reply.text());
        message
    };
    let wrong = json!({"cwd": deck.work(), "disallowedTool": ["Bash"]});
    for (method, path, body) in [
        ("POST", "/api/v1/sessions", json!({"options": wrong})),
        ("POST", "/api/v1/sessions", json!({"options": wrong, "continueRecent": true})),
        ("POST", "/api/v1/command-line", json!({"options": wrong})),
        ("PATCH", "/api/v1/settings", json!({"presets": {"careful": wrong}})),
    ] {
        let message = refused(method, path, body).await;
        assert!(message.contains("there is no `disallowedTool` (did you mean `disallowedTools`?)"), "{message}");
    }
    let message = refused("POST", "/api/v1/sessions", json!({"options": {"cwd": deck.work(), "colour": "red"}})).await;
    assert!(message.contains("there is no `colour`") && !message.contains("did you mean"), "{message}");
    assert_eq!(client.get("/api/v1/sessions").await.unwrap().good()["sessions"], json!([]), "nothing was started");
    assert_eq!(client.get("/api/v1/settings").await.unwrap().good()["presets"], json!({}), "nothing was kept");
    let document = client.get("/api/v1/openapi.json").await.unwrap().good();
    assert_eq!(document["components"]["schemas"]["Options"]["additionalProperties"], false);
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn options_that_a_newer_version_has_kept_are_still_read() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let session = client.post("/api/v1/sessions", &deck.start()).await.unwrap().good()["session"].clone();
    let path = format!("/api/v1/sessions/{}", session.as_str().unwrap());
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    let kept = json!({"cwd": deck.work(), "model": "haiku", "sails": "square"});
    std::fs::write(deck.folder(session.as_str().unwrap()).path().join("options.json"), kept.to_string()).unwrap();
    client.post(&format!("{path}/resume"), &json!({})).await.unwrap().good();
    assert_eq!(client.get(&path).await.unwrap().good()["options"]["model"], "haiku");
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_failed_can_be_tried_again_under_its_name() {
    const ID: &str = "00000000-0000-4000-8000-0000000000ab";
    let deck = Deck::new(&Story::new().says("Aye.")).await;
    // An agent that says which version it is and then dies, as long as it is broken.
    let (program, broken) = (deck.path().join("agent"), deck.path().join("broken"));
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" != --version ] && [ -e '{}' ]; then echo 'not today' >&2; exit 1; fi\nexec '{}' \"$@\"\n",
        broken.display(),
        lab::agent::program().await.unwrap().display(),
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
    std::fs::write(&broken, "").unwrap();
    let deck = deck.with("QUARTERDECK_CLAUDE", program);
    let serving = deck.serve().await;
    let client = deck.client();
    let mut start = deck.start();
    start["id"] = json!(ID);
    if client.post("/api/v1/sessions", &start).await.unwrap().status == 200 {
        // It died only when the start was over. Then it is started again, as often as that makes sense.
        let gave_up = || deck.log(ID).iter().any(|record| record.line.text().contains("Not started again"));
        until("the end", async || gave_up().then_some(())).await;
    }
    std::fs::remove_file(broken).unwrap();
    let path = format!("/api/v1/sessions/{ID}");
    client.post("/api/v1/sessions", &start).await.unwrap().good();
    assert_eq!(client.get(&path).await.unwrap().good()["running"], true);
    start["message"] = json!({"id": ID, "text": "Hello"});
    let again = client.post("/api/v1/sessions", &start).await.unwrap().good();
    assert!(again["seq"].is_u64(), "{again}");
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    // And once more, when the agent has ended after it spoke: what was said was said, and it is there to go on.
    let once_more = client.post("/api/v1/sessions", &start).await.unwrap().good();
    assert_eq!(once_more["seq"], again["seq"]);
    client.post(&format!("{path}/close"), &json!({})).await.unwrap().good();
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_started_is_written_down_once() {
    const ID: &str = "00000000-0000-4000-8000-0000000000aa";
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let client = deck.client();
    let written = || {
        let audit = std::fs::read_to_string(deck.path().join("data/audit.jsonl")).unwrap();
        let lines = audit.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["did"] == "started" && line["session"] == ID).count()
    };
    let named = json!({"id": ID, "options": {"cwd": deck.work()}});
    // Two at once, and one who comes later: the session is started once.
    let (one, other) = tokio::join!(client.post("/api/v1/sessions", &named), client.post("/api/v1/sessions", &named));
    for reply in [one, other, client.post("/api/v1/sessions", &named).await] {
        assert_eq!(reply.unwrap().good()["session"], ID);
    }
    assert_eq!(written(), 1);
    // The scripted agent writes no transcript, by which the last conversation is found.
    let folder = deck.path().join(".claude/projects/-work");
    std::fs::create_dir_all(&folder).unwrap();
    let said = json!({"role": "user", "content": "Hello"});
    let entry = json!({"type": "user", "message": said, "cwd": deck.work(), "sessionId": ID, "uuid": ID});
    std::fs::write(folder.join(format!("{ID}.jsonl")), format!("{entry}\n")).unwrap();
    let recent = json!({"options": {"cwd": deck.work()}, "continueRecent": true});
    let go_on = async || assert_eq!(client.post("/api/v1/sessions", &recent).await.unwrap().good()["session"], ID);
    go_on().await;
    assert_eq!(written(), 1, "its agent ran");
    client.post(&format!("/api/v1/sessions/{ID}/close"), &json!({})).await.unwrap().good();
    go_on().await;
    assert_eq!(written(), 2, "its agent was started again");
    client.post(&format!("/api/v1/sessions/{ID}/close"), &json!({})).await.unwrap().good();
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_done_is_written_down_and_what_was_only_tried_is_not() {
    const ID: &str = "00000000-0000-4000-8000-0000000000ab";
    let bash = || Turn::new().calls("Bash", json!({"command": "make mischief"})).asking().giving("done").says("Done.");
    let deck = Deck::new(&Story::new().turn(bash()).turn(bash())).await;
    let path = |rest: &str| format!("/api/v1/sessions/{ID}{rest}");
    let message =
        |delivery: &str| json!({"id": uuid::Uuid::new_v4().to_string(), "text": "go on", "delivery": delivery});
    let done = |deck: &Deck| -> Vec<Value> {
        let audit = std::fs::read_to_string(deck.path().join("data/audit.jsonl")).unwrap();
        let lines = audit.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["session"] == ID).map(|line| line["did"].clone()).collect()
    };
    let serving = deck.serve().await;
    let client = deck.client();
    let row = async || client.get(&path("")).await.unwrap().good();
    let start = json!({"id": ID, "options": {"cwd": deck.work()}, "message": message("steer")});
    client.post("/api/v1/sessions", &start).await.unwrap().good();
    until("a question", async || (row().await["asks"] == 1).then_some(())).await;
    client.change("PATCH", &path("/settings"), &json!({"mode": "plan"})).await.unwrap().good();
    client.post(&path("/messages"), &message("afterTurn")).await.unwrap().good();
    client.post(&path("/interrupt"), &json!({})).await.unwrap().good();
    until("the end of the turn", async || (row().await["turns"] == 1).then_some(())).await;
    client.post(&path("/close"), &json!({})).await.unwrap().good();
    let so_far = ["started", "mode_set", "closed"];
    assert_eq!(done(&deck), so_far);
    // It lines up behind what the interrupt held back, and nothing is started for it.
    assert_eq!(client.post(&path("/messages"), &message("afterTurn")).await.unwrap().good()["seq"], Value::Null);
    assert_eq!(row().await["running"], false);
    assert_eq!(done(&deck), so_far);
    serving.stop().await;
    // Without a CLI nothing is.
    let found = deck.environment().find(|(name, _)| *name == "QUARTERDECK_CLAUDE").unwrap().1.clone();
    let deck = deck.with("QUARTERDECK_CLAUDE", "/nowhere/claude");
    let serving = deck.serve().await;
    let tries =
        [("/messages", message("steer")), ("/held/go-on", json!({})), ("/resume", json!({})), ("/fork", json!({}))];
    for (rest, body) in tries {
        assert_eq!(client.post(&path(rest), &body).await.unwrap().status, 502, "{rest}");
    }
    assert_eq!(done(&deck), so_far);
    serving.stop().await;
    let deck = deck.with("QUARTERDECK_CLAUDE", found);
    let serving = deck.serve().await;
    client.post(&path("/held/go-on"), &json!({})).await.unwrap().good();
    assert_eq!(done(&deck), [&so_far[..], &["started"]].concat());
    client.post(&path("/close"), &json!({"kill": true})).await.unwrap().good();
    client.post(&path("/messages"), &message("steer")).await.unwrap().good();
    assert_eq!(done(&deck), [&so_far[..], &["started", "closed", "started"]].concat());
    client.post(&path("/close"), &json!({"kill": true})).await.unwrap().good();
    serving.stop().await;
}

#[tokio::test]
async fn tokens_that_come_and_go_on_this_machine_are_written_down() {
    let deck = Deck::new(&Story::new()).await;
    for arguments in [["token", "add", "nightly job"], ["token", "revoke", "nightly job"]] {
        assert!(deck.command(&arguments).output().await.unwrap().status.success());
    }
    let audit = std::fs::read_to_string(deck.path().join("data/audit.jsonl")).unwrap();
    let lines: Vec<Value> = audit.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [.., added, revoked] = &lines[..] else { panic!("{audit}") };
    assert_eq!([&added["did"], &added["called"], &added["name"]], ["token_added", "nightly job", "this machine"]);
    assert_eq!((&revoked["did"], &revoked["revoked"]), (&json!("revoked"), &added["token"]), "{audit}");
}
