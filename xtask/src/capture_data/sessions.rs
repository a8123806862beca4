//! The sessions of the folder, each with something that no other has.

use std::fs;

use anyhow::{Context, Result};
use lab::agent::{Dialect, Flood, Ignored, Step, Story, Turn};
use lab::{Reply, Script};
use serde_json::{Value, json};

use super::conversation::{Deck, Talk};
use super::user::PICTURE;
use crate::process;

/// The sessions that are recorded, by what is special about them.
pub(super) struct Recorded {
    /// Questions and answers, tools, a subagent, pictures; ended.
    pub(super) harbour: String,
    /// Begins with part of the first.
    pub(super) fork: String,
    /// An older CLI; interrupted twice, with a prompt that waits; in the archive.
    pub(super) lighthouse: String,
    /// A transcript of the CLI.
    pub(super) imported: String,
    /// Its agent died and was started again, its keeper was killed and started again; its last turn failed.
    pub(super) crashed: String,
    /// So long that it has a checkpoint. Its agent runs.
    pub(super) long: String,
    /// Asks for permission, and prompts wait. Its agent runs.
    pub(super) asking: String,
    /// Has a line that is very long. Its agent runs, and writes.
    pub(super) torn: String,
}

/// Records all of them.
pub(super) async fn all(deck: &Deck<'_>) -> Result<Recorded> {
    let harbour = harbour(deck).await?;
    let recorded = Recorded {
        fork: fork(deck, &harbour).await?,
        harbour,
        lighthouse: lighthouse(deck).await?,
        imported: imported(deck).await?,
        crashed: crashed(deck).await?,
        long: long(deck).await?,
        asking: asking(deck).await?,
        torn: torn(deck).await?,
    };
    deaf(deck).await?;
    removed(deck).await?;
    Ok(recorded)
}

/// A story for the next agent of a session. An agent numbers its messages from the length of its model script on, and no two
/// messages of a session have the same id.
fn later(story: Story) -> Story {
    Story { model: (0..100).fold(Script::new(), |script, _| script.says("")), ..story }
}

fn options(deck: &Deck<'_>, folder: &str) -> Value {
    json!({"cwd": deck.place.path(folder)})
}

async fn harbour(deck: &Deck<'_>) -> Result<String> {
    let survey = Turn::new().thinks("Three piers, I think.").says("Let me look.");
    let survey = survey.calls("Bash", json!({"command": "ls piers", "description": "List the piers"})).asking();
    let todo = json!({"content": "Paint the pier", "status": "in_progress", "activeForm": "Painting the pier"});
    let paint = Turn::new()
        .asks("Which colour?", &["Red", "Blue"])
        .calls("TodoWrite", json!({"todos": [todo]}))
        .unasked()
        .delegates("Count the boats", "Count the boats in the harbour.", vec![Reply::new().says("Seven boats.")])
        .says("Blue it is, and there are seven boats.");
    let edit = json!({"file_path": deck.place.path("harbour/piers.txt"), "old_string": "grey", "new_string": "blue"});
    let story = Story::new()
        .turn(survey.giving("east\nnorth\nwest").says("The harbour has three piers."))
        .turn(paint)
        .turn(Turn::new().calls("Edit", edit).asking().says("Then not."))
        .says("A fine picture.");
    let options = json!({
        "cwd": deck.place.path("harbour"), "model": "claude-opus-5-5", "mode": "default", "effort": "high",
        "allowedTools": ["Bash(git *)", "Read"], "disallowedTools": ["WebFetch"], "maxTurns": 40, "maxBudgetUsd": 5.5,
        "appendSystemPrompt": "Speak plainly.", "directories": [deck.place.path("lighthouse")],
        "mcpServers": {"charts": {"type": "stdio", "command": "charts",
            "env": {"CHARTS_KEY": "a-test-key-and-no-secret"}}},
    });
    let mut talk = deck.session(1, &story, options).await?;
    talk.say(json!({"text": "How many piers has the harbour?"})).await?;
    let ask = talk.answer(json!({"kind": "allow"})).await?;
    let again = format!("/api/v1/sessions/{}/asks/{ask}", talk.id);
    deck.client.ask("POST", &again, &json!({"decision": {"kind": "allow"}})).await?;
    talk.until_turns(1).await?;
    talk.say(json!({"text": "Paint it"})).await?;
    talk.answer(json!({"kind": "answer", "answers": {"Which colour?": "Blue"}})).await?;
    talk.until_turns(2).await?;
    talk.say(json!({"text": "Write it down"})).await?;
    talk.answer(json!({"kind": "deny", "why": "Not on that paper"})).await?;
    talk.until_turns(3).await?;
    talk.call("PATCH", "settings", json!({"model": "claude-haiku-4-5", "mode": "acceptEdits"})).await?;
    let picture = json!({"mediaType": "image/png", "data": PICTURE, "after": 8});
    talk.say(json!({"text": "Look at  this", "images": [picture]})).await?;
    talk.until_turns(4).await?;
    talk.close().await?;
    Ok(talk.id)
}

/// A fork that ends with the first answer of its parent, and goes on from there.
async fn fork(deck: &Deck<'_>, parent: &str) -> Result<String> {
    let state = deck.get(&format!("sessions/{parent}/state")).await?;
    let items = state["state"]["items"].as_array().context("the session has no items")?;
    let answer = items.iter().find(|item| item["body"]["text"]["text"] == "The harbour has three piers.");
    let at = answer.and_then(|item| item["uuid"].as_str()).context("the answer has no uuid")?;
    deck.place.tell(&later(Story::new().says("Four, with the old one.")))?;
    let forked = deck.call("POST", &format!("sessions/{parent}/fork"), json!({"at": at})).await?;
    let id = forked["session"].as_str().context("no fork")?.to_owned();
    // Messages have ids of the usual form, whatever that of the session is.
    let talk = Talk { deck, id, said: 0 };
    let message = json!({"id": "00000000-0000-4000-a000-000000000201", "text": "Count again"});
    talk.call("POST", "messages", message).await?;
    let said =
        |state: &Value| state.to_string().contains("Four, with the old one.") && state["status"]["phase"] == "idle";
    talk.until("the fork's answer", said).await?;
    talk.close().await?;
    Ok(talk.id)
}

async fn lighthouse(deck: &Deck<'_>) -> Result<String> {
    let lamp = || Turn::new().calls("Bash", json!({"command": "light the lamp"})).asking().says("It burns.");
    let story = Story::new().says("All is dark.").turn(lamp()).says("The bell rings.").turn(lamp());
    let mut options = options(deck, "lighthouse");
    options["title"] = json!("Lighthouse");
    let mut talk = deck.session(3, &story.speaking(Dialect::Old), options).await?;
    talk.turn("What do you see?").await?;
    interrupted(&mut talk, "Light it", "Then ring the bell").await?;
    talk.call("POST", "held/go-on", json!({})).await?;
    let rings = |state: &Value| state.to_string().contains("The bell rings.") && state["status"]["phase"] == "idle";
    talk.until("the bell", rings).await?;
    interrupted(&mut talk, "Light it again", "Then rest").await?;
    talk.close().await?;
    Ok(talk.id)
}

/// A turn that is interrupted while it asks, with a prompt that waits for its end.
async fn interrupted(talk: &mut Talk<'_>, prompt: &str, next: &str) -> Result<()> {
    talk.say(json!({"text": prompt})).await?;
    talk.asked().await?;
    talk.say(json!({"text": next, "delivery": "afterTurn"})).await?;
    talk.call("POST", "interrupt", json!({})).await?;
    talk.until("the interrupt", |state| state["status"]["phase"] == "idle").await.map(|_| ())
}

/// A transcript that the CLI wrote, with that of its subagent.
async fn imported(deck: &Deck<'_>) -> Result<String> {
    const ID: &str = "00000000-0000-4000-8000-000000000001";
    let captured = process::root().join("fixtures/cli/2.1.326/transcripts/subagent");
    let project = deck.place.path("home/.claude/projects/-tmp-quarterdeck-data-harbour");
    fs::create_dir_all(&project)?;
    super::copy(&captured, &project)?;
    deck.call("POST", &format!("transcripts/{ID}/import"), json!({})).await?;
    Ok(ID.to_owned())
}

async fn crashed(deck: &Deck<'_>) -> Result<String> {
    let story = Story::new().turn(Turn::new().says("Full steam.").complains("out of coal").dies(3));
    let mut talk = deck.session(5, &story, options(deck, "harbour")).await?;
    // The next agent reads this.
    let failed = json!({"subtype": "error_max_turns", "is_error": true, "errors": ["It took too many rounds"]});
    deck.place.tell(&later(Story::new().turn(Turn::new().says("Almost.").results_in(failed))))?;
    talk.say(json!({"text": "Steam ahead"})).await?;
    let again = |state: &Value| state["status"]["agent"] == "running" && state.to_string().contains("out of coal");
    talk.until("another agent", again).await?;
    super::damage::kill_keeper(deck.place, &talk.id)?;
    let log = deck.place.log(&talk.id);
    let is_lost = || fs::read_to_string(&log).is_ok_and(|log| log.contains(r#"{"fact":"lost"}"#));
    talk.until("a third agent", |state| state["status"]["agent"] == "running" && is_lost()).await?;
    talk.turn("Are you there yet?").await?;
    talk.close().await?;
    Ok(talk.id)
}

async fn long(deck: &Deck<'_>) -> Result<String> {
    // A checkpoint is due after 8 MiB.
    let flood = Flood { deltas: 140, line_bytes: 64 * 1024, endless: false };
    let story = Story::new().turn(Turn::new().then(Step::Flood(flood))).says("That was the whole list.");
    let mut talk = deck.session(6, &story, options(deck, "lighthouse")).await?;
    talk.turn("Read the whole list to me").await?;
    let checkpoint = deck.place.session(&talk.id).join("checkpoint.zst");
    talk.until("a checkpoint", |_| checkpoint.exists()).await?;
    // Behind the checkpoint.
    talk.turn("Was that all?").await?;
    Ok(talk.id)
}

async fn asking(deck: &Deck<'_>) -> Result<String> {
    let ask = Turn::new().says("May I?").calls("Bash", json!({"command": "weigh anchor"})).asking();
    let story = Story::new().says("Ready.").turn(ask.says("Under way."));
    let mut talk = deck.session(7, &story, options(deck, "harbour")).await?;
    talk.turn("Make ready").await?;
    talk.say(json!({"text": "Set sail"})).await?;
    talk.asked().await?;
    let first = talk.say(json!({"text": "Then fish", "delivery": "afterTurn"})).await?;
    let picture = json!({"mediaType": "image/png", "data": PICTURE});
    let second = talk.say(json!({"text": "Then this", "delivery": "afterTurn", "images": [picture]})).await?;
    let third = talk.say(json!({"text": "Never mind", "delivery": "afterTurn"})).await?;
    talk.call("PUT", &format!("held/{first}"), json!({"text": "Then fish for cod"})).await?;
    talk.call("POST", &format!("held/{second}/move"), json!({"before": first})).await?;
    talk.call("DELETE", &format!("held/{third}"), Value::Null).await?;
    Ok(talk.id)
}

async fn torn(deck: &Deck<'_>) -> Result<String> {
    // A line that is not JSON is kept as text, one that is not UTF-8 as base64.
    let strange = Turn::new().writes("no JSON at all").writes_bytes(b"\xff\xfe\n");
    let long = strange.writes_huge_line(super::damage::BIG_BYTES).says("That was long.");
    let story = Story::new().turn(long).turn(Turn::new().paces(1_000_000, 250));
    let mut talk = deck.session(8, &story, options(deck, "harbour")).await?;
    talk.turn("Tell me everything").await?;
    talk.say(json!({"text": "What time is it?"})).await?;
    let speaks = |state: &Value| {
        let last = state["items"].as_array().and_then(|items| items.last());
        last.is_some_and(|item| item["body"]["kind"] == "text" && item["body"]["text"]["text"] != "")
    };
    talk.until("the time", speaks).await?;
    Ok(talk.id)
}

/// Prompts that the agent may not have received.
async fn deaf(deck: &Deck<'_>) -> Result<()> {
    let story = Story::new().turn(Turn::new().says("I hear no more.").goes_deaf()).ignoring(Ignored::Eof);
    let mut talk = deck.session(9, &story, options(deck, "harbour")).await?;
    talk.say(json!({"text": "Hello"})).await?;
    talk.until("an answer", |state| state.to_string().contains("I hear no more.")).await?;
    let first = talk.say(json!({"text": "Can you hear me?"})).await?;
    talk.say(json!({"text": "Louder, then"})).await?;
    talk.call("POST", "close", json!({"kill": true})).await?;
    talk.until("the end of the agent", |state| state["queue"][0]["state"] == "unconfirmed").await?;
    talk.call("DELETE", &format!("queue/{first}"), Value::Null).await.map(|_| ())
}

async fn removed(deck: &Deck<'_>) -> Result<()> {
    let mut talk = deck.session(10, &Story::new().says("Gone soon."), options(deck, "harbour")).await?;
    talk.turn("Stay").await?;
    talk.close().await?;
    deck.call("PUT", &format!("sessions/{}/draft", talk.id), json!({"text": "Gone as well"})).await?;
    deck.call("DELETE", &format!("sessions/{}", talk.id), Value::Null).await.map(|_| ())
}
