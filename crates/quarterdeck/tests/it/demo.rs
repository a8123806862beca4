//! `quarterdeck demo`: the sessions are there, they go on when they are answered, and nothing of it is left at the end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::client::Client;
use crate::patience::until;

/// A demo that runs, in a place that is looked at when it has ended.
struct Demo {
    place: TempDir,
    child: Child,
    url: String,
    base: String,
    client: Client,
}

impl Demo {
    /// Starts it with agents that do not wait.
    async fn start(base: &str) -> Demo {
        let place = tempfile::tempdir().unwrap();
        let mut arguments = vec!["demo", "--no-open", "--port", "0", "--pace", "0"];
        if !base.is_empty() {
            arguments.extend(["--base-path", base]);
        }
        let mut command = command(place.path(), &arguments);
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines.next_line().await.unwrap().unwrap_or_else(|| panic!("the demo ended at once"));
        let port = url.split(['/', ':']).nth(4).unwrap().parse().unwrap();
        let added = command_in(&place, &["token", "add", "a test"]).output().await.unwrap();
        let token = Some(String::from_utf8(added.stdout).unwrap().trim().to_owned());
        Demo { place, child, url, base: base.to_owned(), client: Client { port, token } }
    }

    async fn get(&self, path: &str) -> Value {
        self.client.get(&format!("{}/api/v1/{path}", self.base)).await.unwrap().good()
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        self.client.post(&format!("{}/api/v1/{path}", self.base), body).await.unwrap().good()
    }

    /// The sessions by title, once each of them asks something or has ended a turn.
    async fn sessions(&self) -> BTreeMap<String, String> {
        let mut sessions = BTreeMap::new();
        for row in self.get("sessions").await["sessions"].as_array().unwrap() {
            let id = row["id"].as_str().unwrap();
            let is_lively = |state: &Value| state["asks"] != json!([]) || state["meters"]["turns"].as_u64() > Some(0);
            let state = self.until(id, is_lively).await;
            sessions.insert(state["status"]["title"].as_str().unwrap().to_owned(), id.to_owned());
        }
        sessions
    }

    /// The state of a session, once it is as wished. Looked at whenever something has happened that can be waited for.
    async fn until(&self, session: &str, wished: impl Fn(&Value) -> bool) -> Value {
        let path = format!("{}/api/v1/sessions/{session}/events?follow=true", self.base);
        let mut events = self.client.lines(&path).await.unwrap();
        loop {
            let state = self.get(&format!("sessions/{session}/state")).await["state"].clone();
            if wished(&state) {
                return state;
            }
            while !["turn_complete", "permission_request"]
                .contains(&events.next().await.unwrap()["event"].as_str().unwrap())
            {}
        }
    }

    /// The one question that a session asks.
    async fn asked(&self, session: &str) -> Value {
        let state = self.until(session, |state| !state["asks"].as_array().unwrap().is_empty()).await;
        state["asks"][0].clone()
    }

    async fn answer(&self, session: &str, ask: &Value, decision: Value) {
        let path = format!("sessions/{session}/asks/{}", ask["id"].as_str().unwrap());
        self.post(&path, &json!({"decision": decision})).await;
    }

    /// What the agent said last, once nothing is asked any more and its turn is over.
    async fn last_words(&self, session: &str) -> String {
        let is_over = |state: &Value| state["asks"] == json!([]) && state["status"]["phase"] == "idle";
        texts(&self.until(session, is_over).await).pop().unwrap()
    }

    /// SIGTERM, and what is left: nothing.
    async fn ends(mut self) -> ExitStatus {
        let pid = rustix::process::Pid::from_raw(self.child.id().unwrap().try_into().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        let status = self.child.wait().await.unwrap();
        assert_eq!(demo_folder(self.place.path()), None);
        self.is_alone().await;
        status
    }

    /// Waits until no process is left.
    async fn is_alone(&self) {
        // Keepers are nobody's children, so there is nothing to wait on.
        until("the end of all", async || processes_of(self.place.path()).is_empty().then_some(())).await;
    }
}

impl Drop for Demo {
    /// A test that fails leaves agents behind: they are ended here.
    fn drop(&mut self) {
        for pid in processes_of(self.place.path()) {
            if let Some(pid) = rustix::process::Pid::from_raw(pid) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "these tests start the binary as a user does")]
fn command(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quarterdeck"));
    command.args(arguments).current_dir(place).env_clear().kill_on_drop(true);
    // No `PATH`: nothing that is installed is needed.
    command.env("TMPDIR", place).env("XDG_RUNTIME_DIR", place).env("HOME", place);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A command that works on the data of the demo.
fn command_in(place: &TempDir, arguments: &[&str]) -> Command {
    let mut command = command(place.path(), arguments);
    command.env("QUARTERDECK_DATA", demo_folder(place.path()).unwrap().join("data"));
    command
}

fn demo_folder(place: &Path) -> Option<PathBuf> {
    let names_it = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("quarterdeck-demo-");
    std::fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).find(names_it)
}

/// Processes that were started for a demo here: they have its folder in their arguments or work in it.
fn processes_of(place: &Path) -> Vec<i32> {
    let place = place.canonicalize().unwrap_or_else(|_| place.to_owned());
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_ours = |path: PathBuf| {
        let words = std::fs::read(path.join("cmdline")).unwrap_or_default();
        let named = String::from_utf8_lossy(&words).contains(place.to_str().unwrap());
        named || std::fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&place))
    };
    let ours = entries.filter(|entry| is_ours(entry.path()));
    ours.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn texts(state: &Value) -> Vec<String> {
    let items = state["items"].as_array().unwrap().iter().filter(|item| item["body"]["kind"] == "text");
    items.map(|item| item["body"]["text"]["text"].as_str().unwrap().to_owned()).collect()
}

fn kinds<'a>(state: &'a Value, kind: &str) -> Vec<&'a Value> {
    state["items"].as_array().unwrap().iter().map(|item| &item["body"]).filter(|body| body["kind"] == kind).collect()
}

const TITLES: [&str; 8] = [
    "Accessibility review of the shop",
    "Cart total one cent off",
    "Guide to returns for the support team",
    "Import of supplier prices",
    "Payment methods for the new checkout",
    "Search that forgives typos",
    "Slow order history",
    "Upgrade to Node 24",
];

#[tokio::test]
async fn every_session_is_lively_goes_on_when_it_is_allowed_and_leaves_nothing() {
    let demo = Demo::start("").await;
    let sessions = demo.sessions().await;
    assert_eq!(sessions.keys().collect::<Vec<_>>(), TITLES);
    let [subagents, edit, guide, import, question, plan, command, tasks] = TITLES.map(|title| sessions[title].as_str());

    let ask = demo.asked(edit).await;
    assert_eq!(ask["body"]["view"]["diff"]["proposed"], true);
    demo.answer(edit, &ask, json!({"kind": "allow"})).await;
    assert!(demo.last_words(edit).await.starts_with("Fixed: cart and invoice agree again."));
    let state = demo.get(&format!("sessions/{edit}/state")).await["state"].clone();
    assert_eq!(kinds(&state, "turn")[0]["files"][0]["added"], 3);
    assert_eq!(kinds(&state, "thinking").len(), 1);

    let ask = demo.asked(command).await;
    assert_eq!(ask["body"]["view"]["view"], "command");
    demo.answer(command, &ask, json!({"kind": "allow"})).await;
    assert!(demo.last_words(command).await.starts_with("Done on staging"));

    let ask = demo.asked(question).await;
    assert_eq!(ask["body"]["questions"].as_array().unwrap().len(), 2);
    let answers = json!({
        "Which payment methods should be there at launch?": ["Cards", "PayPal"],
        "What should happen to an order when its payment fails?": "Cancel it at once",
    });
    demo.answer(question, &ask, json!({"kind": "answer", "answers": answers})).await;
    assert!(demo.last_words(question).await.contains("frees the goods and restores the cart"));

    let ask = demo.asked(plan).await;
    assert_eq!(ask["body"]["kind"], "plan");
    demo.answer(plan, &ask, json!({"kind": "allow"})).await;
    assert!(demo.last_words(plan).await.starts_with("The first two steps are done"));
    assert_eq!(demo.get(&format!("sessions/{plan}/state")).await["state"]["status"]["mode"], "default");

    let state =
        demo.until(subagents, |state| kinds(state, "agent").iter().all(|agent| agent["status"] == "completed")).await;
    assert_eq!(kinds(&state, "agent").len(), 3);
    let state = demo.until(tasks, |state| state["meters"]["turns"] == 2).await;
    let done = |task: &Value| task["status"] == "completed";
    assert!(state["tasks"].as_array().unwrap().iter().all(done), "{}", state["tasks"]);
    assert_eq!(state["tasks"][3]["blockedBy"], json!(["3"]));
    assert_eq!(state["jobs"].as_array().unwrap().len(), 1);
    let state = demo.until(import, |state| !kinds(state, "turn").is_empty()).await;
    assert_eq!(kinds(&state, "turn")[0]["outcome"], "failed");
    assert_eq!(kinds(&state, "tool").iter().filter(|tool| tool["status"] == "failed").count(), 1);
    let state = demo.until(guide, |state| !kinds(state, "turn").is_empty()).await;
    assert_eq!(kinds(&state, "compaction")[0]["preTokens"], 156_814);
    assert!(texts(&state).iter().any(|text| text.len() > 3000));

    assert!(demo.ends().await.success());
}

#[tokio::test]
async fn a_refused_agent_says_so_a_prompt_is_answered_and_the_page_is_below_its_base_path() {
    let demo = Demo::start("/deck").await;
    assert!(demo.url.contains("/deck/login#"), "{}", demo.url);
    for (path, status) in [("/deck/", 200), ("/deck/page/login.js", 200), ("/", 404), ("/page/login.js", 404)] {
        assert_eq!(demo.client.get(path).await.unwrap().status, status, "{path}");
    }
    let stranger = Client { token: None, ..demo.client.clone() };
    let reply = stranger.get("/deck").await.unwrap();
    assert_eq!((reply.status, reply.header("location")), (308, Some("/deck/")));
    assert_eq!(stranger.get("/deck/").await.unwrap().status, 401);
    let started = demo
        .post("sessions", &json!({"message": {"id": uuid::Uuid::new_v4().to_string(), "text": "Run the tests"}}))
        .await;
    let talk = started["session"].as_str().unwrap();
    let ask = demo.asked(talk).await;
    demo.answer(talk, &ask, json!({"kind": "deny", "why": "not now"})).await;
    assert!(demo.last_words(talk).await.starts_with("You refused it"));

    let sessions = demo.sessions().await;
    for (title, said) in [
        ("Cart total one cent off", "All right, `src/cart/total.ts` stays as it is."),
        ("Slow order history", "Then I leave staging alone."),
        ("Payment methods for the new checkout", "I leave both questions open"),
    ] {
        let session = &sessions[title];
        let ask = demo.asked(session).await;
        demo.answer(session, &ask, json!({"kind": "deny"})).await;
        assert!(demo.last_words(session).await.starts_with(said), "{title}");
    }
    let session = &sessions["Search that forgives typos"];
    let first = demo.asked(session).await;
    demo.answer(session, &first, json!({"kind": "deny", "why": "smaller, please"})).await;
    let second =
        demo.until(session, |state| state["asks"][0]["id"].is_string() && state["asks"][0]["id"] != first["id"]).await;
    demo.answer(session, &second["asks"][0], json!({"kind": "allow"})).await;
    assert!(demo.last_words(session).await.starts_with("171 of 200"));
    let message = json!({"id": uuid::Uuid::new_v4().to_string(), "text": "What is the weather?"});
    demo.post(&format!("sessions/{session}/messages"), &message).await;
    let state = demo.until(session, |state| state["meters"]["turns"] == 2).await;
    assert!(texts(&state).pop().unwrap().starts_with("I have read your message"));
    assert!(demo.ends().await.success());
}

#[tokio::test]
async fn a_demo_that_is_killed_takes_its_agents_along() {
    let mut demo = Demo::start("").await;
    assert!(processes_of(demo.place.path()).len() > 16, "keepers and agents, and the demo");
    demo.child.kill().await.unwrap();
    demo.is_alone().await;
}
