//! Exactly one answer for each question of the CLI: ten thousand random schedules of questions of every kind, with handlers
//! that answer at once, later and in any order, elsewhere, never, or fall over, and questions that are taken back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use claude_driver::hook::{HookEvent, HookInput, HookOutput};
use claude_driver::protocol::control::{ElicitationAnswer, UserDialogAnswer};
use claude_driver::{Claude, Hook, JsonSchema, PermissionRequest, Session, Tool};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::dice::Dice;
use super::peer::{Peer, asked, met, taken_back};

/// How a handler behaves: the CLI's question says it.
const MANNERS: [&str; 6] = ["at once", "later", "falls over", "falls over later", "elsewhere", "never"];

const KINDS: [&str; 7] = ["permission", "hook", "tool", "elicitation", "dialog", "unknown", "nonsense"];

/// What handlers wait for. Once it is open, nobody waits.
#[derive(Clone, Default)]
struct Door(Arc<Mutex<(bool, Vec<oneshot::Sender<()>>)>>);

impl Door {
    async fn pass(&self) {
        let waiting = {
            let mut door = self.0.lock().unwrap();
            if door.0 {
                return;
            }
            let (sender, waiting) = oneshot::channel();
            door.1.push(sender);
            waiting
        };
        let _ = waiting.await;
    }

    fn let_one_pass(&self, dice: &mut Dice) {
        let mut door = self.0.lock().unwrap();
        if !door.1.is_empty() {
            let place = dice.roll(door.1.len());
            door.1.swap_remove(place);
        }
    }

    fn open(&self) {
        *self.0.lock().unwrap() = (true, Vec::new());
    }

    fn close(&self) {
        self.0.lock().unwrap().0 = false;
    }

    /// Behaves in a manner, up to the moment of the answer.
    async fn behave(&self, manner: &str) {
        match manner {
            "later" | "elsewhere" => self.pass().await,
            "falls over" => fall_over(),
            "falls over later" => {
                self.pass().await;
                fall_over();
            }
            "never" => std::future::pending().await,
            _ => {}
        }
    }
}

/// Panics without a word, since there are thousands of them.
fn fall_over() {
    std::panic::resume_unwind(Box::new("fallen over"));
}

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    manner: String,
}

/// A host that does whatever the questions tell it to.
fn host(door: &Door) -> Claude {
    let doors = || door.clone();
    let (permission, hook, elicitation, dialog, tool) = (doors(), doors(), doors(), doors(), doors());
    Claude::new()
        .on_permission(move |request: PermissionRequest| {
            let door = permission.clone();
            async move {
                let manner = request.tool_name.clone();
                if manner == "elsewhere" {
                    tokio::spawn(async move {
                        door.behave(&manner).await;
                        request.allow()
                    });
                    return;
                }
                door.behave(&manner).await;
                request.allow();
            }
        })
        .hook(Hook::on(HookEvent::PreToolUse, move |input, _call| {
            let door = hook.clone();
            async move {
                let HookInput::PreToolUse(input) = input else { return HookOutput::none() };
                door.behave(&input.tool_name).await;
                HookOutput::none()
            }
        }))
        .on_elicitation(move |asked| {
            let door = elicitation.clone();
            async move {
                door.behave(&asked.message).await;
                ElicitationAnswer::decline()
            }
        })
        .on_dialog(MANNERS, move |asked| {
            let door = dialog.clone();
            async move {
                door.behave(&asked.dialog_kind).await;
                UserDialogAnswer::cancelled()
            }
        })
        .tools([Tool::new("act", "Acts", move |arguments: Arguments, _context| {
            let door = tool.clone();
            async move {
                door.behave(&arguments.manner).await;
                Ok("done")
            }
        })])
}

fn question(kind: &str, manner: &str, id: &str) -> Value {
    let call = json!({
        "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": "act", "arguments": {"manner": manner}},
    });
    let request = match kind {
        "permission" => {
            json!({"subtype": "can_use_tool", "tool_name": manner, "input": {}, "tool_use_id": "toolu_1"})
        }
        "hook" => json!({
            "subtype": "hook_callback", "callback_id": if manner == "at once" { "nobody" } else { "hook-0" },
            "input": {"hook_event_name": "PreToolUse", "tool_name": manner, "tool_input": {}},
        }),
        "tool" if manner == "at once" => json!({"subtype": "mcp_message", "server_name": "nobody", "message": call}),
        "tool" => json!({"subtype": "mcp_message", "server_name": "host", "message": call}),
        "elicitation" => json!({"subtype": "elicitation", "mcp_server_name": "s", "message": manner}),
        "dialog" => json!({"subtype": "request_user_dialog", "dialog_kind": manner, "payload": {}}),
        "nonsense" => json!(manner),
        _ => json!({"subtype": "divine_the_future", "manner": manner}),
    };
    asked(id, request)
}

/// How many answers a question may get.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Due {
    One,
    /// It was taken back, perhaps after it was answered.
    OneOrNone,
    /// It was taken back in the same breath, or nobody would ever have answered.
    None,
}

/// A session with all that its peer was told.
struct Play {
    session: Option<Session>,
    peer: Peer,
    door: Door,
    due: HashMap<String, Due>,
    told: HashMap<String, usize>,
}

impl Play {
    async fn begin() -> Play {
        let door = Door::default();
        let (session, mut peer) = met(&host(&door)).await;
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "peer", "version": "1"},
        });
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        for (id, message) in [("hello", hello), ("ready", ready)] {
            peer.say(&asked(id, json!({"subtype": "mcp_message", "server_name": "host", "message": message}))).await;
            assert_eq!(peer.hear().await.unwrap()["response"]["subtype"], "success");
        }
        Play { session: Some(session), peer, door, due: HashMap::new(), told: HashMap::new() }
    }

    /// A few questions in a random order, with random pauses.
    async fn schedule(&mut self, dice: &mut Dice, number: usize) {
        self.door.close();
        let mut waiting = Vec::new();
        let mut later: Vec<Value> = Vec::new();
        for index in 0..=dice.roll(4) {
            let (kind, manner, id) = (dice.pick(&KINDS), dice.pick(&MANNERS), format!("{number}-{index}"));
            let has_handler = !matches!(*kind, "unknown" | "nonsense");
            let never = has_handler && *manner == "never";
            let mut breath = vec![question(kind, manner, &id)];
            let due = if dice.hits(6) {
                breath.push(taken_back(&id));
                Due::None
            } else if never || dice.hits(3) {
                later.push(taken_back(&id));
                if never { Due::None } else { Due::OneOrNone }
            } else {
                waiting.push(id.clone());
                Due::One
            };
            self.due.insert(id, due);
            if !later.is_empty() && dice.hits(2) {
                breath.push(later.swap_remove(dice.roll(later.len())));
            }
            self.peer.say_all(&breath).await;
            for _ in 0..dice.roll(4) {
                tokio::task::yield_now().await;
            }
            if dice.hits(2) {
                self.door.let_one_pass(dice);
            }
        }
        self.peer.say_all(&later).await;
        self.door.open();
        while waiting.iter().any(|id| !self.told.contains_key(id)) {
            let line = self.peer.hear().await.unwrap();
            self.count(&line);
        }
    }

    fn count(&mut self, line: &Value) {
        assert_eq!(line["type"], "control_response", "{line}");
        let id = line["response"]["request_id"].as_str().unwrap();
        *self.told.entry(id.to_owned()).or_default() += 1;
    }

    /// Hears the rest, and compares.
    async fn end(mut self) {
        self.session = None;
        while let Some(line) = self.peer.hear().await {
            self.count(&line);
        }
        for (id, due) in &self.due {
            let told = self.told.remove(id).unwrap_or_default();
            let fits = match due {
                Due::One => told == 1,
                Due::OneOrNone => told <= 1,
                Due::None => told == 0,
            };
            assert!(fits, "question {id}, due {due:?}: {told} answers");
        }
        assert!(self.told.is_empty(), "answers to nobody: {:?}", self.told);
    }
}

#[tokio::test]
async fn ten_thousand_schedules_of_questions_get_exactly_one_answer_each() {
    for seed in 0..50 {
        let mut dice = Dice::new(seed);
        let mut play = Play::begin().await;
        for number in 0..200 {
            play.schedule(&mut dice, number).await;
        }
        play.end().await;
    }
}
