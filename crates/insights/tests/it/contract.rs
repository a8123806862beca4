//! `fixtures/contract/*.json`: a state before, changes, and the state after. Every reader of changes must come to the
//! same end; the twin of `State::patch` on the screen is tested with these very files.
//!
//! Written by `cargo xtask codegen`, which runs this test with `UPDATE_CONTRACT=1`; it fails when they are stale.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use insights::state::item::Order;
use insights::state::{Change, State, Status, coalesce};
use insights::{InsightsEvent, UnixMillis};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::fixtures::scenarios_of;
use crate::play::state;
use crate::script::*;

#[derive(Serialize, Deserialize)]
struct Case {
    /// What it is about.
    about: String,
    before: State,
    changes: Vec<Change>,
    after: State,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/contract")
}

impl Case {
    /// Changes one after the other.
    fn plain(about: &str, before: State, changes: Vec<Change>) -> Self {
        let mut after = before.clone();
        changes.iter().for_each(|change| after.patch(change));
        Case { about: about.to_owned(), before, changes, after }
    }

    /// The last events of a session, as a screen gets them that has seen the ones before.
    fn events(about: &str, events: &[InsightsEvent], joined: usize, floor: Order) -> Self {
        let mut host = state(&events[..joined]);
        let before = host.since(floor);
        let changes: Vec<Change> = events[joined..].iter().flat_map(|event| host.apply(event)).collect();
        let case = Case::plain(about, before, coalesce(changes));
        assert_eq!(case.after, host.since(floor), "{about}");
        case
    }
}

fn put(id: &str, order: (u64, u32), body: Value) -> Change {
    let item = json!({"id": id, "order": [order.0, order.1], "at": 1000, "seq": order.0, "body": body});
    serde_json::from_value(json!({"change": "put", "item": item})).unwrap()
}

fn text_body(text: &str) -> Value {
    json!({"kind": "text", "text": {"text": text}, "done": false, "aborted": false})
}

fn notice_body(text: &str) -> Value {
    json!({"kind": "notice", "level": "info", "source": "s", "text": {"text": text}})
}

fn with(changes: &[Change]) -> State {
    let mut state = State::default();
    changes.iter().for_each(|change| state.patch(change));
    state
}

fn append(id: &str, text: &str) -> Change {
    Change::Append { id: id.into(), text: text.to_owned() }
}

/// Small cases, one for each thing that a twin could get wrong.
fn small() -> Vec<(&'static str, Case)> {
    let some = || with(&[put("a", (3, 0), text_body("one")), put("b", (5, 0), notice_body("two"))]);
    let mut cut = some();
    cut.cut(Order(4, 0));
    let status = |words: &str| {
        let status = Status { words: words.to_owned(), since: UnixMillis(7), ..Status::default() };
        Change::Status { status: Arc::new(status) }
    };
    vec![
        (
            "put-new",
            Case::plain(
                "new items stand in order, wherever they come",
                some(),
                vec![put("d", (9, 0), text_body("last")), put("c", (4, 0), text_body("between"))],
            ),
        ),
        (
            "put-again",
            Case::plain(
                "an item is replaced by its id, in its place",
                some(),
                vec![put("a", (3, 0), text_body("new"))],
            ),
        ),
        (
            "put-moves",
            Case::plain(
                "an item that is put elsewhere leaves its old place",
                some(),
                vec![put("a", (8, 0), text_body("moved"))],
            ),
        ),
        (
            "put-same-place",
            Case::plain(
                "of two items in one place the smaller id stands first",
                some(),
                vec![put("y", (6, 0), text_body("y")), put("x", (6, 0), text_body("x"))],
            ),
        ),
        (
            "order-by-number",
            Case::plain(
                "places are numbers and no words",
                State::default(),
                vec![
                    put("ten", (10, 0), text_body("10")),
                    put("nine", (9, 10), text_body("9.10")),
                    put("nine-two", (9, 2), text_body("9.2")),
                ],
            ),
        ),
        (
            "append",
            Case::plain(
                "text is added to the one that grows",
                some(),
                vec![append("a", " more"), append("a", "\n\"é😀\"")],
            ),
        ),
        (
            "append-to-input",
            Case::plain(
                "of a tool its input grows",
                State::default(),
                vec![
                    put(
                        "t",
                        (1, 0),
                        json!({
                            "kind": "tool", "name": "Bash", "toolKind": "execute", "title": "", "status": "writing",
                            "input": {"text": "{\"co"}, "view": {"view": "other", "output": {"text": ""}}, "images": [], "locations": []
                        }),
                    ),
                    append("t", "mmand\":\"ls\"}"),
                ],
            ),
        ),
        (
            "append-to-thought",
            Case::plain(
                "a thought grows",
                State::default(),
                vec![
                    put("h", (1, 0), json!({"kind": "thinking", "text": {"text": "Wel"}, "done": false})),
                    append("h", "l, é"),
                ],
            ),
        ),
        (
            "append-to-agent",
            Case::plain(
                "of a subagent its input grows, and not what it is told",
                State::default(),
                vec![
                    put(
                        "s",
                        (1, 0),
                        json!({
                            "kind": "agent", "name": "Agent", "description": "", "input": {"text": "{\"prom"},
                            "prompt": {"text": ""}, "status": "writing", "background": false
                        }),
                    ),
                    append("s", "pt\":\"look\"}"),
                ],
            ),
        ),
        (
            "append-to-nothing",
            Case::plain(
                "what is not there and what does not grow stays so",
                some(),
                vec![append("nobody", "x"), append("b", "x")],
            ),
        ),
        (
            "drop",
            Case::plain(
                "an item goes, and one that is not there is no error",
                some(),
                vec![Change::Drop { id: "a".into() }, Change::Drop { id: "nobody".into() }],
            ),
        ),
        (
            "below-the-floor",
            Case::plain(
                "what stands before the floor is not held",
                cut.clone(),
                vec![
                    put("old", (2, 0), text_body("before")),
                    put("edge", (4, 0), text_body("at the floor")),
                    append("old", "x"),
                ],
            ),
        ),
        (
            "sinks-below-the-floor",
            Case::plain("an item that is put before the floor goes", cut, vec![put("b", (1, 0), notice_body("gone"))]),
        ),
        (
            "header",
            Case::plain("parts of the header are replaced as a whole", some(), vec![status("one"), status("two")]),
        ),
    ]
}

/// Cases from sessions, as a screen meets them.
fn lived() -> Vec<(&'static str, Case)> {
    let input = json!({"command": "touch a"});
    let asked = events(vec![
        init(),
        call("t", "Bash", input.clone()),
        ask("q", "t", "Bash", input),
        answer("q", json!({"behavior": "allow", "updatedInput": {"command": "touch b"}})),
        result("t", "", json!({"stdout": "", "stderr": ""})),
        done(0.25),
    ]);
    let todo = |status: &str| json!([{"content": "Look", "status": status, "activeForm": "Looking"}]);
    let list = |id: &str, status: &str| {
        vec![
            call(id, "TodoWrite", json!({"todos": todo(status)})),
            result(id, "ok", json!({"oldTodos": [], "newTodos": todo(status)})),
        ]
    };
    let offered = out(json!({
        "type": "system", "subtype": "init", "session_id": "s1", "cwd": "/w", "model": "opus", "tools": ["Bash", "Read"],
        "mcp_servers": [{"name": "git", "status": "failed"}, {"name": "sea", "status": "connected"}],
        "slash_commands": ["cost", "sail"], "uuid": "j"
    }));
    let changed = events([vec![init()], list("t", "pending"), vec![offered], list("u", "completed")].concat());
    let open = events(vec![
        init(),
        call("t", "Bash", json!({"command": "ls"})),
        call("u", "Edit", json!({"file_path": "/w/a", "old_string": "a", "new_string": "b", "replace_all": true})),
        ask("q", "t", "Bash", json!({"command": "ls"})),
        ask("r", "u", "Edit", json!({"file_path": "/w/a", "old_string": "a", "new_string": "b", "replace_all": true})),
        withdrawn("q"),
    ]);
    let empty = json!({"type": "text", "text": ""});
    let streamed = events(vec![
        init(),
        message_start("m"),
        block_start(0, empty),
        piece(0, "Hel"),
        piece(0, "lo"),
        text("m", "Hello"),
        done(0.5),
    ]);
    let place_of = |events: &[InsightsEvent], seq: u64| events.iter().position(|event| event.seq == Some(seq)).unwrap();
    vec![
        (
            "permission",
            Case::events(
                "a call is asked for, edited, allowed and done",
                &asked,
                place_of(&asked, 2),
                Order::default(),
            ),
        ),
        (
            "offered",
            Case::events(
                "what there is to use, to reach and to do comes, and comes anew",
                &changed,
                0,
                Order::default(),
            ),
        ),
        (
            "offered-anew",
            Case::events(
                "what there is to use, to reach and to do is replaced as a whole",
                &changed,
                place_of(&changed, 4),
                Order::default(),
            ),
        ),
        (
            "asked",
            Case::events("two questions are open", &open[..place_of(&open, 6)], place_of(&open, 4), Order::default()),
        ),
        ("asked-less", Case::events("of two questions one is left", &open, place_of(&open, 6), Order::default())),
        (
            "stream",
            Case::events(
                "a text grows and is replaced by the whole",
                &streamed,
                place_of(&streamed, 5),
                Order::default(),
            ),
        ),
    ]
}

/// The same of captured sessions: a screen joins in the middle of each, with a floor.
fn captured() -> Vec<(String, Case)> {
    let chosen = ["parallel-tools-streaming", "subagent-permission", "interrupt-queued", "slash-compact-manual"];
    let scenarios = scenarios_of("2.1.326").into_iter();
    let cases = scenarios.filter(|scenario| chosen.contains(&scenario.name.as_str())).map(|scenario| {
        let events = scenario.events();
        let joined = events.len() / 2;
        let floor = state(&events[..joined]).items.iter().map(|item| item.order).nth(1).unwrap_or_default();
        let about = format!("the second half of {} {}, from a floor", scenario.version, scenario.name);
        (format!("session-{}", scenario.name), Case::events(&about, &events, joined, floor))
    });
    let cases: Vec<_> = cases.collect();
    assert_eq!(cases.len(), chosen.len());
    cases
}

#[test]
fn the_contract_is_fresh_and_held() {
    let named = |(name, case): (&str, Case)| (name.to_owned(), case);
    let cases: BTreeMap<String, Case> = small().into_iter().chain(lived()).map(named).chain(captured()).collect();
    let texts: BTreeMap<String, String> = cases
        .iter()
        .map(|(name, case)| (format!("{name}.json"), serde_json::to_string_pretty(case).unwrap() + "\n"))
        .collect();
    if env::var_os("UPDATE_CONTRACT").is_some() {
        // A case that is no more leaves no file.
        let _ = fs::remove_dir_all(folder());
        fs::create_dir_all(folder()).unwrap();
        for (name, text) in &texts {
            fs::write(folder().join(name), text).unwrap();
        }
    }
    let mut there: Vec<String> = fs::read_dir(folder())
        .unwrap_or_else(|error| panic!("{error}: run `cargo xtask codegen`"))
        .map(|file| file.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    there.sort();
    assert_eq!(there, texts.keys().cloned().collect::<Vec<_>>(), "files of the contract");
    for (name, expected) in texts {
        let text = fs::read_to_string(folder().join(&name)).unwrap();
        assert!(text == expected, "{name} is stale: run `cargo xtask codegen`");
        // What was written must be enough to come to the same end.
        let Case { before, changes, after, .. } = serde_json::from_str(&text).unwrap();
        let mut screen: State = before;
        changes.iter().for_each(|change| screen.patch(change));
        assert_eq!(screen, after, "{name}");
    }
}
