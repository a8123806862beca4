//! Permissions are bypassed nowhere unless the server was started with the flag that allows it: rule 19.

use lab::agent::{Step, Story, Turn};
use serde_json::{Value, json};

use super::{asks, message, refusal, refused, session_until};
use crate::deck::Deck;

const MODE: &str = "bypassPermissions";

/// An agent that suggests to be asked nothing any more.
fn suggesting() -> Story {
    let suggestion = json!({"type": "setMode", "mode": MODE, "destination": "session"});
    let request = json!({
        "subtype": "can_use_tool", "tool_name": "Bash", "display_name": "Bash", "input": {"command": "make mischief"},
        "permission_suggestions": [suggestion], "tool_use_id": "toolu_suggesting",
    });
    Story::new().turn(Turn::new().then(Step::Request(request)).says("Done."))
}

#[tokio::test]
async fn rule_19_no_request_leads_to_a_session_that_asks_nothing() {
    let deck = Deck::new(&suggesting()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let ways = [
        json!({"bypassPermissions": true}),
        json!({"mode": MODE}),
        json!({"mode": "BypassPermissions"}),
        json!({"mode": "bypass_permissions"}),
        json!({"settings": {"permissions": {"defaultMode": MODE}}}),
        json!({"settings": {"skipDangerousModePermissionPrompt": true, "a": [{"b": MODE}]}}),
        json!({"agents": {"helper": {"description": "d", "prompt": "p", "permissionMode": MODE}}}),
    ];
    for way in ways {
        let mut options = way.clone();
        options["cwd"] = json!(deck.work());
        for start in [json!({"options": options}), json!({"options": options, "continueRecent": true})] {
            let reply = client.post("/api/v1/sessions", &start).await.unwrap();
            assert_eq!(refusal(&reply), refused(403, "not_allowed"), "{way}");
        }
    }
    let extra = json!({"options": {"cwd": deck.work(), "extraArgs": ["--dangerously-skip-permissions"]}});
    assert_eq!(client.post("/api/v1/sessions", &extra).await.unwrap().status, 400);
    assert_eq!(client.get("/api/v1/sessions").await.unwrap().good()["sessions"], json!([]), "nothing was started");
    // A session that runs cannot be switched, neither by its settings nor by what its agent suggests.
    let session = session_until(&deck, &client, "permission_request").await;
    let path = |rest: &str| format!("/api/v1/sessions/{session}/{rest}");
    for mode in [MODE, "bypass-permissions", "BYPASSPERMISSIONS"] {
        let reply = client.change("PATCH", &path("settings"), &json!({"mode": mode})).await.unwrap();
        assert_eq!(refusal(&reply), refused(403, "not_allowed"), "{mode}");
    }
    let ask = asks(&client, &session).await[0]["id"].as_str().unwrap().to_owned();
    let remember = json!({"decision": {"kind": "allow", "remember": [{"suggestion": 0}]}});
    let reply = client.post(&path(&format!("asks/{ask}")), &remember).await.unwrap();
    assert_eq!(refusal(&reply), refused(403, "not_allowed"));
    assert_eq!(asks(&client, &session).await.len(), 1, "it is still open, and can be answered otherwise");
    client.post(&path(&format!("asks/{ask}")), &json!({"decision": {"kind": "allow"}})).await.unwrap().good();
    super::events_until(&client, &session, "turn_complete").await;
    let state = client.get(&path("state")).await.unwrap().good();
    assert_ne!(state["state"]["status"]["mode"], MODE);
    assert_eq!(client.get("/api/v1/about").await.unwrap().good()["allowsBypass"], false);
}

#[tokio::test]
async fn rule_19_a_session_of_a_server_that_allowed_it_is_not_taken_up_by_one_that_does_not() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve_with(&["--dangerously-allow-bypass"]).await;
    let client = deck.client();
    let start = json!({"options": {"cwd": deck.work(), "bypassPermissions": true}, "message": message("go on")});
    let session = client.post("/api/v1/sessions", &start).await.unwrap().good()["session"].as_str().unwrap().to_owned();
    super::events_until(&client, &session, "turn_complete").await;
    let path = |rest: &str| format!("/api/v1/sessions/{session}/{rest}");
    client.post(&path("close"), &json!({})).await.unwrap().good();
    server.stop().await;
    let _server = deck.serve().await;
    for (rest, body) in [("resume", json!({})), ("fork", json!({})), ("messages", message("again"))] {
        let reply = client.post(&path(rest), &body).await.unwrap();
        assert_eq!(refusal(&reply), refused(403, "not_allowed"), "{rest}");
    }
    // It was written down who had it started, and how.
    let audit = std::fs::read_to_string(deck.path().join("data/audit.jsonl")).unwrap();
    let lines: Vec<Value> = audit.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let started: Vec<_> = lines.iter().filter(|line| line["did"] == "started" && line["bypass"] == true).collect();
    assert_eq!(started[0]["name"], "a test", "{audit}");
}
