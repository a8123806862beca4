//! What sessions are started with over HTTP.

use lab::agent::Story;
use serde_json::{Value, json};

use crate::deck::Deck;

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
