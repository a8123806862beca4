//! What the user owns apart from the sessions: settings, folders, devices and tokens, drafts, what was read.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::conversation::Deck;
use super::sessions::Recorded;

/// A picture of one pixel.
pub(super) const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// A preset with every option. No agent can be started with all of them.
const EVERYTHING: &str = include_str!("everything.json");

/// The session that is not begun yet.
const NEW: &str = "00000000-0000-0000-0000-000000000000";

/// Settings, folders, tokens and a browser. Gives the token and the cookie that are let in.
pub(super) async fn settings(deck: &Deck<'_>) -> Result<Value> {
    for name in ["harbour", "lighthouse", "reef"] {
        deck.call("POST", "roots", json!({"path": deck.place.path(name)})).await?;
    }
    let reef = deck.place.path("reef").to_string_lossy().replace('/', "%2F");
    deck.call("DELETE", &format!("roots?path={reef}"), Value::Null).await?;
    let everything: Value = serde_json::from_str(EVERYTHING)?;
    let settings = json!({
        "keybindings": {"palette": "Control+P", "send": "Control+Enter"},
        "presets": {"Night watch": {"model": "claude-haiku-4-5", "mode": "plan"}, "Everything": everything},
        "budgets": {"day": 12.5, "month": 200.0},
    });
    deck.call("PATCH", "settings", settings).await?;
    deck.call("PATCH", "settings", json!({"keybindings": {"search": "Control+K"}, "budgets": {"week": 60.0}})).await?;
    deck.call("PATCH", "settings", json!({"keybindings": {"search": null}, "budgets": {"week": null}})).await?;
    deck.call("PUT", &format!("sessions/{NEW}/draft"), json!({"text": "A session that is not begun yet"})).await?;
    deck.place.quarterdeck(&["token", "add", "old laptop"])?;
    deck.place.quarterdeck(&["token", "revoke", "old laptop"])?;
    let wrong = deck.client.ask("POST", "/api/v1/login", &json!({"token": "0".repeat(64)})).await?;
    if wrong.head.starts_with("HTTP/1.1 2") {
        bail!("a wrong token logs in");
    }
    let login = json!({"token": deck.launch_token()?, "name": "Firefox on Linux"});
    let login = deck.client.ask("POST", "/api/v1/login", &login).await?;
    let cookie = login.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).context("no cookie was set")?;
    let cookie = cookie.split(';').next().unwrap_or_default();
    Ok(json!({"token": deck.client.token, "cookie": cookie}))
}

/// Titles, the archive, what was read, and drafts.
pub(super) async fn read_and_unread(deck: &Deck<'_>, recorded: &Recorded) -> Result<()> {
    let change = async |id: &str, body: Value| deck.call("PATCH", &format!("sessions/{id}"), body).await;
    change(&recorded.harbour, json!({"title": "Harbour works", "seenSeq": 12})).await?;
    change(&recorded.fork, json!({"title": "Harbour, another way", "seenSeq": 100_000})).await?;
    change(&recorded.lighthouse, json!({"seenSeq": 100_000, "archived": true})).await?;
    change(&recorded.imported, json!({"title": "From a terminal", "archived": true})).await?;
    change(&recorded.imported, json!({"archived": false})).await?;
    change(&recorded.crashed, json!({"seenSeq": 100_000})).await?;
    change(&recorded.crashed, json!({"unread": true})).await?;
    let draft = format!("sessions/{}/draft", recorded.harbour);
    deck.call("PUT", &draft, json!({"text": "And then [Picture 1] the quay"})).await?;
    let picture = json!({"number": 1, "name": "quay.png", "mediaType": "image/png", "data": PICTURE});
    deck.call("PUT", &format!("{draft}/pictures/quay"), picture).await?;
    let asking = format!("sessions/{}/draft", recorded.asking);
    deck.call("PUT", &asking, json!({"text": "No, wait"})).await.map(|_| ())
}
