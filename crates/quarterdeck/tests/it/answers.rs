//! What the OpenAPI document says of answers, and the answers: of every route that answers with JSON, and of everything that
//! the captured lines of the real CLI become.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use insights::convert::RawLines;
use insights::record::{Traced, Traces};
use insights::{Converter, Profile, State};
use lab::agent::{Ignored, Story, Turn};
use serde_json::{Value, json};

use crate::client::Client;
use crate::deck::Deck;
use crate::patience::until;
use crate::schema::Document;

/// Where an answer may be anything, and why.
const FREE: &[(&str, &[&str])] = &[
    ("the agent says what it likes, and each version something else", &["AgentAnswer", "ControlResult.response"]),
    (
        "each tool has its own form, and anybody can make one",
        &[
            "PermissionDenial.toolInput",
            "PermissionRequest.toolInput",
            "PermissionResolved.updatedInput",
            "ToolCompletion.output",
            "ToolInvocation.input",
            "TurnComplete.deferredToolUse",
        ],
    ),
    (
        "the form is that of the question, which whoever asks makes up",
        &[
            "Elicitation.requestedSchema",
            "HookCallback.input",
            "PermissionResolved.response",
            "TurnComplete.structuredOutput",
            "UserDialog.payload",
        ],
    ),
    (
        "it is handed on as the agent wrote it",
        &[
            "InsightsEvent.extensions.*",
            "InsightsEvent.raw",
            "PermissionSuggestion.raw",
            "Record.line.*",
            "UnknownBlock.block",
            "UsageUpdate.stepUsage",
        ],
    ),
    (
        "it is handed to the CLI, whose configuration it is",
        &["Options.agents.*", "Options.jsonSchema", "Options.mcpServers.*", "Options.settings"],
    ),
    ("what is in an OpenAPI document is told elsewhere", &["Document.*"]),
];

/// The schemas of good answers, by method and path: of JSON as a whole, and of each line of JSON Lines.
fn answers(document: &Document) -> BTreeMap<String, &Value> {
    let paths = document.0["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, methods)| {
        let named = move |(method, operation): (&String, _)| (format!("{} {path}", method.to_uppercase()), operation);
        methods.as_object().unwrap().iter().map(named)
    });
    operations.filter_map(|(name, operation)| Some((name, schema_of(operation)?))).collect()
}

fn schema_of(operation: &Value) -> Option<&Value> {
    let content = operation.pointer("/responses/200/content")?;
    let lines = content.pointer("/application~1jsonl/x-itemSchema");
    content.pointer("/application~1json/schema").or(lines)
}

/// Somebody who holds every answer against the document.
struct Asker {
    client: Client,
    document: Document,
    /// What stands for the names in braces.
    names: BTreeMap<&'static str, String>,
    asked: BTreeSet<String>,
}

impl Asker {
    /// A path with everything in the place of its name.
    fn full(&self, path: &str) -> String {
        self.names.iter().fold(path.to_owned(), |path, (name, is)| path.replace(&format!("{{{name}}}"), is))
    }

    async fn get(&mut self, path: &str) -> Value {
        self.ask("GET", path, &Value::Null).await
    }

    async fn post(&mut self, path: &str, body: Value) -> Value {
        self.ask("POST", path, &body).await
    }

    /// An answer that is as the document says.
    async fn ask(&mut self, method: &str, path: &str, body: &Value) -> Value {
        let reply = match method {
            "GET" => self.client.get(&self.full(path)).await.unwrap(),
            _ => self.client.change(method, &self.full(path), body).await.unwrap(),
        };
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        let operation = format!("{method} {}", path.split('?').next().unwrap_or_default());
        let is_lines = reply.header("content-type") == Some("application/jsonl");
        let answer = match is_lines {
            true => reply.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect(),
            false => reply.json(),
        };
        let schemas = answers(&self.document);
        let schema = schemas.get(&operation).unwrap_or_else(|| panic!("the document does not know `{operation}`"));
        let parts = if is_lines { answer.as_array().unwrap() } else { std::slice::from_ref(&answer) };
        let faults: Vec<String> = parts.iter().flat_map(|part| self.document.faults(schema, part)).collect();
        assert!(faults.is_empty() && !parts.is_empty(), "{operation}: {faults:#?}");
        self.asked.insert(operation);
        answer
    }

    /// What has no answer.
    async fn tell(&self, method: &str, path: &str, body: Value) {
        self.client.change(method, &self.full(path), &body).await.unwrap().good();
    }

    /// Asks until the answer is so.
    async fn until(&mut self, path: &str, wished: impl Fn(&Value) -> bool) -> Value {
        let look = async || Some(self.client.get(&self.full(path)).await.unwrap().good()).filter(&wished);
        until(path, look).await;
        self.get(path).await
    }
}

fn message(text: &str) -> Value {
    json!({"id": uuid::Uuid::new_v4().to_string(), "text": text})
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_is_as_the_document_says() {
    let bash = json!({"command": "make heron", "description": "Make it"});
    let story = Story::new()
        .turn(Turn::new().thinks("Hm.").says("I see.").calls("Bash", bash).asking().giving("made").says("A heron."))
        .turn(Turn::new().says("I hear no more.").goes_deaf());
    let deck = Deck::new(&story.ignoring(Ignored::Eof)).await;
    std::fs::write(deck.work().join("heron.txt"), "a bird").unwrap();
    let terminal = held_in_a_terminal(&deck);
    let serving = deck.serve().await;
    let client = deck.client();
    let document = Document(client.get("/api/v1/openapi.json").await.unwrap().good());
    let mut asker = Asker { client, document, names: BTreeMap::new(), asked: BTreeSet::new() };
    of_the_server(&mut asker, &deck).await;
    of_a_session(&mut asker, &deck).await;
    of_an_agent_that_died(&mut asker).await;
    // Only now: what has begun somewhere else would be gone on with.
    asker.get("/api/v1/transcripts").await;
    asker.names.insert("id", terminal);
    asker.post("/api/v1/transcripts/{id}/import", json!({})).await;
    let all: BTreeSet<String> = answers(&asker.document).into_keys().collect();
    assert_eq!(asker.asked, all, "every route that answers with JSON is asked here");
    serving.stop().await;
}

async fn of_the_server(asker: &mut Asker, deck: &Deck) {
    for path in ["openapi.json", "about", "devices", "roots", "folders"] {
        asker.get(&format!("/api/v1/{path}")).await;
    }
    asker.get(&format!("/api/v1/folders?path={}", deck.path().join("work").display())).await;
    let launch = asker.post("/api/v1/launches", json!({})).await;
    let token = launch["path"].as_str().and_then(|path| path.split_once('#')).unwrap().1.to_owned();
    asker.post("/api/v1/login", json!({"token": token})).await;
    asker.post("/api/v1/socket-tickets", json!({})).await;
    let options =
        json!({"cwd": deck.work(), "model": "opus", "settings": {"a": 1}, "mcpServers": {"b": {"command": "c"}}});
    let settings = json!({"keybindings": {"a": "b"}, "presets": {"c": options}, "budgets": {"day": 3.5}});
    asker.client.change("PATCH", "/api/v1/settings", &settings).await.unwrap().good();
    let kept = asker.get("/api/v1/settings").await;
    assert_eq!(kept["presets"]["c"]["model"], "opus");
    asker.post("/api/v1/command-line", json!({"options": options})).await;
}

async fn of_a_session(asker: &mut Asker, deck: &Deck) {
    let mut start = deck.start();
    start["message"] = message("Make a heron");
    let started = asker.post("/api/v1/sessions", start).await;
    asker.names.insert("id", started["session"].as_str().unwrap().to_owned());
    let state = asker.until("/api/v1/sessions/{id}/state", |now| now["state"]["asks"][0].is_object()).await;
    asker.names.insert("ask", state["state"]["asks"][0]["id"].as_str().unwrap().to_owned());
    let mut waiting = message("And a second one");
    waiting["delivery"] = json!("afterTurn");
    asker.post("/api/v1/sessions/{id}/messages", waiting.clone()).await;
    asker.get("/api/v1/sessions/{id}/held").await;
    asker.tell("DELETE", &format!("/api/v1/sessions/{{id}}/held/{}", waiting["id"].as_str().unwrap()), json!({})).await;
    let row = asker.get("/api/v1/sessions/{id}").await;
    assert_eq!((&row["asking"], &row["phase"]), (&json!("permission"), &json!("needsYou")));
    asker.post("/api/v1/sessions/{id}/asks/{ask}", json!({"decision": {"kind": "allow"}})).await;
    asker.until("/api/v1/sessions/{id}", |row| row["turns"] == 1).await;
    // What changed since it was asked.
    let since = format!("epoch={}&seq={}", state["epoch"].as_str().unwrap(), state["seq"]);
    let changes = asker.get(&format!("/api/v1/sessions/{{id}}/state?{since}")).await;
    assert!(changes["changes"].as_array().is_some_and(|changes| changes.len() > 3), "{changes}");
    let picture = json!({"number": 1, "name": "sea.png", "mediaType": "image/png", "data": "iVBORw0K"});
    asker.tell("PUT", "/api/v1/sessions/{id}/draft/pictures/sea", picture).await;
    for rest in
        ["state", "items", "events?raw=true", "events?profile=core", "records", "draft", "context", "mcp", "rules"]
    {
        asker.get(&format!("/api/v1/sessions/{{id}}/{rest}")).await;
    }
    asker.get("/api/v1/sessions/{id}/files?text=heron").await;
    asker.names.insert("task", "b1".to_owned());
    asker.get("/api/v1/sessions/{id}/tasks/{task}/output").await;
    asker.post("/api/v1/sessions/{id}/rewind", json!({"message": waiting["id"], "dryRun": true})).await;
    // The index follows behind.
    for (path, found) in
        [("search?text=heron", "/0/snippet/0"), ("usage?by=model", "/0/tokens"), ("usage/turns", "/turns/0/models/0")]
    {
        asker.until(&format!("/api/v1/{path}"), |answer| answer.pointer(found).is_some()).await;
    }
    asker.get("/api/v1/sessions?limit=1").await;
    let tried = json!({"rules": ["Bash(make *)"], "reach": "everyone"});
    let effect = asker.post("/api/v1/sessions/{id}/rules/effect", tried).await;
    assert_eq!(effect["calls"].as_array().map(Vec::len), Some(1), "{effect}");
    let session = asker.names["id"].clone();
    let forked = asker.post("/api/v1/sessions/{id}/fork", json!({})).await;
    asker.names.insert("id", forked["session"].as_str().unwrap().to_owned());
    asker.tell("POST", "/api/v1/sessions/{id}/close", json!({"kill": true})).await;
    asker.names.insert("id", session);
}

/// It took one message, and nobody knows whether it took another one.
async fn of_an_agent_that_died(asker: &mut Asker) {
    asker.post("/api/v1/sessions/{id}/messages", message("Can you hear me?")).await;
    asker.until("/api/v1/sessions/{id}/state", |now| now["state"].to_string().contains("I hear no more.")).await;
    let lost = asker.post("/api/v1/sessions/{id}/messages", message("And now?")).await;
    asker.names.insert("seq", lost["seq"].to_string());
    asker.tell("POST", "/api/v1/sessions/{id}/close", json!({"kill": true})).await;
    asker.post("/api/v1/sessions/{id}/resume", json!({})).await;
    asker.get("/api/v1/sessions/{id}/state").await;
    let again = json!({"id": message("")["id"]});
    asker.post("/api/v1/sessions/{id}/messages/{seq}/again", again).await;
    asker.tell("POST", "/api/v1/sessions/{id}/close", json!({"kill": true})).await;
}

/// A conversation that was held in a terminal.
fn held_in_a_terminal(deck: &Deck) -> String {
    let session = uuid::Uuid::new_v4().to_string();
    let folder = deck.path().join(".claude/projects/-work");
    std::fs::create_dir_all(&folder).unwrap();
    let said = json!({"role": "user", "content": "Hello from a terminal"});
    let entry = json!({"type": "user", "message": said, "cwd": deck.work(), "sessionId": session, "uuid": session});
    std::fs::write(folder.join(format!("{session}.jsonl")), format!("{entry}\n")).unwrap();
    session
}

/// The document of a server that nobody talks to.
async fn document() -> Document {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let document = Document(deck.client().get("/api/v1/openapi.json").await.unwrap().good());
    serving.stop().await;
    document
}

#[tokio::test]
async fn all_that_the_real_cli_does_is_as_the_document_says() {
    let document = document().await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/cli");
    let inside = |folder: PathBuf| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let versions = inside(folder).filter(|path| path.is_dir());
    let files = versions.flat_map(inside).filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    let (mut events, mut changes) = (0, 0);
    for file in files {
        let check = |name: &str, value: Value| {
            let faults = document.faults(document.component(name), &value);
            assert!(faults.is_empty(), "{}: {name} {faults:#?} {value}", file.display());
        };
        let (mut traces, mut state) = (Traces::default(), State::default());
        let mut converter = Converter::new("s", Profile::Full, RawLines::Kept);
        let text = std::fs::read_to_string(&file).unwrap();
        for (seq, line) in (1..).zip(text.lines()) {
            let Some(Traced::Record(record)) = traces.read(seq, line) else { continue };
            check("Record", serde_json::from_str(&record.to_json()).unwrap());
            for event in converter.convert(record) {
                check("InsightsEvent", serde_json::to_value(&event).unwrap());
                events += 1;
                for change in state.apply(&event) {
                    check("Change", serde_json::to_value(&change).unwrap());
                    changes += 1;
                }
            }
        }
        check("State", serde_json::to_value(&state).unwrap());
    }
    assert!(events > 1000 && changes > 1000, "{events} events and {changes} changes are few");
}

/// Where a schema that answers are made of says nothing about a value, or about what is in an object.
fn free_places(document: &Document) -> BTreeSet<String> {
    fn walk<'a>(schema: &'a Value, place: &str, found: &mut BTreeSet<String>, references: &mut Vec<&'a str>) {
        let says = |word: &str| schema.get(word).is_some();
        let shape = ["$ref", "oneOf", "anyOf", "allOf", "const", "enum"];
        let is_object = match &schema["type"] {
            Value::Array(types) => types.contains(&json!("object")),
            name => name == "object",
        };
        let is_open = is_object && !says("properties") && !says("additionalProperties");
        if (!says("type") || is_open) && !shape.into_iter().any(says) {
            found.insert(place.to_owned());
        }
        references.extend(schema["$ref"].as_str());
        for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
            walk(schema, &format!("{place}.{name}"), found, references);
        }
        for word in ["items", "additionalProperties"] {
            if let Some(schema) = schema.get(word).filter(|schema| **schema != false) {
                walk(schema, &format!("{place}.*"), found, references);
            }
        }
        for word in ["oneOf", "anyOf", "allOf", "prefixItems"] {
            schema[word].as_array().into_iter().flatten().for_each(|schema| walk(schema, place, found, references));
        }
    }
    let (mut found, mut references, mut known) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    for (operation, schema) in answers(document) {
        walk(schema, &operation, &mut found, &mut references);
    }
    while let Some(reference) = references.pop() {
        if known.insert(reference) {
            let name = reference.rsplit('/').next().unwrap();
            walk(document.at(reference), name, &mut found, &mut references);
        }
    }
    found
}

#[tokio::test]
async fn no_answer_is_anything_at_all_but_for_a_reason() {
    let document = document().await;
    let excused: BTreeSet<String> =
        FREE.iter().flat_map(|(_, places)| *places).map(|place| (*place).to_owned()).collect();
    assert_eq!(free_places(&document), excused);
}

#[tokio::test]
async fn every_type_has_a_name_of_its_own() {
    let document = document().await;
    // The second type of a name would get a number.
    let numbered = |name: &&String| name.ends_with(|end: char| end.is_ascii_digit());
    let schemas = document.0["components"]["schemas"].as_object().unwrap();
    assert_eq!(schemas.keys().filter(numbered).collect::<Vec<_>>(), [""; 0]);
}
