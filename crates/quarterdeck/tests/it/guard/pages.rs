//! Pages of others: rules 9 and 10.

use std::path::Path;

use insights::Source;
use lab::agent::Story;
use serde_json::{Value, json};

use super::browser::Browser;
use super::{NOBODY, refusal, refused, session_until};
use crate::client::Client;
use crate::deck::Deck;
use crate::patience::until;

#[tokio::test]
async fn rule_09_a_change_is_json_and_has_our_header() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let browser = Browser::open(deck.client().port, &server.url).await;
    let body = json!({"path": deck.path()}).to_string();
    let ours = ("x-quarterdeck", "1");
    // What a form of any page can send without asking first, and what is nearly JSON.
    let kinds = [
        "text/plain",
        "text/plain; application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json-patch+json",
        "",
    ];
    for kind in kinds {
        let reply = browser.request("POST", "/api/v1/roots", &[ours, ("content-type", kind)], &body).await;
        assert_eq!(refusal(&reply), refused(415, "not_json"), "{kind}");
    }
    let reply = browser.request("POST", "/api/v1/roots", &[ours], &body).await;
    assert_eq!(refusal(&reply), refused(415, "not_json"));
    let twice = [ours, ("content-type", "text/plain"), ("content-type", "application/json")];
    assert_eq!(refusal(&browser.request("POST", "/api/v1/roots", &twice, &body).await), refused(415, "not_json"));
    let json_alone = [("content-type", "application/json")];
    for method in ["POST", "PATCH", "PUT", "DELETE"] {
        let path = if method == "PATCH" { "/api/v1/settings" } else { "/api/v1/roots" };
        let reply = browser.request(method, path, &json_alone, &body).await;
        assert_eq!(refusal(&reply), refused(403, "missing_header"), "{method}");
    }
    let roots = deck.client().get("/api/v1/roots").await.unwrap().good();
    assert_eq!(roots.as_array().unwrap().len(), 1, "nothing was changed: {roots}");
    assert_eq!(browser.change("POST", "/api/v1/roots", &json!({"path": deck.path()})).await.status, 204);
}

#[tokio::test]
async fn rule_09_a_page_of_somebody_else_gets_nothing() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let port = deck.client().port;
    let browser = Browser::open(port, &server.url).await;
    let other_port = format!("http://127.0.0.1:{}", port.wrapping_add(1));
    let pages: [&[(&str, &str)]; 8] = [
        &[("origin", "http://evil.test")],
        &[("origin", "null")],
        &[("origin", ""), ("sec-fetch-site", "same-origin")],
        &[("origin", "https://127.0.0.1")],
        // Another program of this machine: to a browser the same site, and the cookie is sent along.
        &[("origin", &other_port), ("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")],
    ];
    let form = [("x-quarterdeck", "1"), ("content-type", "application/json")];
    for page in pages {
        let reply = browser.request("POST", "/api/v1/launches", &[&form[..], page].concat(), "{}").await;
        assert_eq!(refusal(&reply), refused(403, "wrong_origin"), "{page:?}");
        let reply = browser.request("GET", "/api/v1/sessions", page, "").await;
        assert_eq!(refusal(&reply), refused(403, "wrong_origin"), "{page:?}");
        // Nor may it try to log in.
        let anonymous = Client { port, token: None };
        let reply =
            anonymous.request("POST", "/api/v1/login", &[&form[..], page].concat(), b"{\"token\": \"x\"}").await;
        assert_eq!(refusal(&reply.unwrap()), refused(403, "wrong_origin"), "{page:?}");
    }
    // A link to the page is followed from anywhere, and an address can be typed.
    assert_eq!(browser.request("GET", "/", &[("sec-fetch-site", "cross-site")], "").await.status, 200);
    assert_eq!(browser.request("GET", "/api/v1/about", &[("sec-fetch-site", "none")], "").await.status, 200);
}

#[tokio::test]
async fn rule_09_reading_changes_nothing() {
    let deck = Deck::new(&Story::new()).await;
    let _server = deck.serve().await;
    let client = deck.client();
    let session = session_until(&deck, &client, "turn_complete").await;
    client.post(&format!("/api/v1/sessions/{session}/close"), &json!({})).await.unwrap().good();
    let log = |deck: &Deck| std::fs::read(deck.path().join("data/sessions").join(&session).join("log.jsonl")).unwrap();
    let own = async || {
        let mut all = Vec::new();
        for path in ["/api/v1/roots", "/api/v1/devices", "/api/v1/settings", &format!("/api/v1/sessions/{session}")] {
            all.push(client.get(path).await.unwrap().good());
        }
        // When somebody was last here is no change.
        all[1].as_array_mut().unwrap().iter_mut().for_each(|device| device["seenAt"] = json!(null));
        all
    };
    let before = (log(&deck), own().await);
    let document = client.get("/api/v1/openapi.json").await.unwrap().good();
    let readable = document["paths"].as_object().unwrap().iter().filter(|(_, methods)| methods.get("get").is_some());
    // Neither does a word about another method make it one.
    let words = [("x-http-method-override", "DELETE"), ("x-method-override", "DELETE"), ("x-http-method", "DELETE")];
    for (path, _) in readable {
        let target = path.replace("{id}", &session).replace("{file}", "login.js");
        for target in [target.clone(), format!("{target}?_method=DELETE"), format!("{target}?path=x&text=x")] {
            client.request("GET", &target, &words, b"").await.unwrap();
        }
    }
    client.request("POST", &format!("/api/v1/sessions/{NOBODY}"), &words, b"").await.unwrap();
    assert!(before == (log(&deck), own().await), "something has changed");
    assert!(Path::new(&deck.work()).exists());
    // An agent that runs is asked what only it knows. That stands in the log, and is all that does.
    client.post(&format!("/api/v1/sessions/{session}/resume"), &json!({})).await.unwrap().good();
    let state =
        async || client.get(&format!("/api/v1/sessions/{session}/state")).await.unwrap().good()["state"].clone();
    let before = until("the agent", async || Some(state().await).filter(|now| now["status"]["phase"] == "idle")).await;
    let lines = deck.log(&session).len();
    for path in ["context", "mcp", "rules", "tasks/b1/output", "held", "draft", "files", "items", "export"] {
        assert_eq!(client.get(&format!("/api/v1/sessions/{session}/{path}")).await.unwrap().status, 200, "{path}");
    }
    let asked =
        deck.log(&session).into_iter().skip(lines).filter(|record| matches!(record.source, Source::Stdin { .. }));
    let asked = asked.map(|record| serde_json::from_str::<Value>(&record.line.text()).unwrap());
    let asked: Vec<String> =
        asked.map(|line| line["request"]["subtype"].as_str().unwrap_or_default().to_owned()).collect();
    assert_eq!(asked, ["get_context_usage", "mcp_status", "list_permission_rules", "get_task_output"]);
    let after = state().await;
    for part in ["items", "asks", "queue", "status"] {
        assert_eq!(after[part], before[part], "{part}");
    }
}

#[tokio::test]
async fn rule_10_no_other_page_reads_an_answer() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let browser = Browser::open(deck.client().port, &server.url).await;
    let ours = browser.origin();
    for origin in ["http://evil.test", "null", ours.as_str()] {
        for (method, path) in [
            ("GET", "/healthz"),
            ("GET", "/login"),
            ("GET", "/page/login.js"),
            ("GET", "/"),
            ("GET", "/api/v1/sessions"),
            ("POST", "/api/v1/login"),
            ("GET", "/nothing"),
            ("OPTIONS", "/api/v1/sessions"),
            ("OPTIONS", "/api/v1/login"),
            ("OPTIONS", "*"),
        ] {
            let asks = [
                ("origin", origin),
                ("access-control-request-method", "POST"),
                ("access-control-request-headers", "x-quarterdeck,content-type,authorization"),
                ("access-control-request-private-network", "true"),
            ];
            let reply = browser.request(method, path, &asks, "").await;
            let allowed: Vec<_> =
                reply.headers.iter().filter(|(name, _)| name.starts_with("access-control-")).collect();
            assert!(allowed.is_empty(), "{method} {path} for {origin}: {allowed:?}");
            assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"), "{method} {path}");
            // A browser asks whether it may, and takes no as an answer.
            assert!(method != "OPTIONS" || reply.status >= 400, "{path} for {origin}: {}", reply.status);
        }
    }
}
