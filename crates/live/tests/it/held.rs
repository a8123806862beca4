//! Prompts that wait in the host: delivered after the turn, each once and in order, whoever dies meanwhile; and not after
//! something went wrong, until the user says so.

use insights::{Source, UnixMillis};
use journal::{Data, Desk, HeldRow};
use lab::agent::{Story, Turn};
use serde_json::{Value, json};

use crate::restart::{Client, check};
use crate::support::{Bridge, Stage, lines};

fn id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

/// A turn that does not end before its question is answered.
fn asking() -> Turn {
    Turn::new().calls("Bash", json!({"command": "ls"})).asking().giving("a.txt").says("Done.")
}

/// A session, and who has it open.
struct Open {
    stage: Stage,
    bridge: Bridge,
    session: String,
}

impl Open {
    async fn new(story: Story) -> Open {
        let stage = Stage::new(&story).await;
        let mut bridge = stage.bridge().await;
        let started = bridge.order(&stage.start_order()).await.unwrap();
        let session = started["session"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
        Open { stage, bridge, session }
    }

    async fn order(&mut self, name: &str, mut fields: Value) -> Value {
        fields["do"] = name.into();
        fields["session"] = self.session.clone().into();
        self.bridge.order(&fields).await.unwrap()
    }

    async fn submit(&mut self, number: u32, text: &str) -> Value {
        self.order("submit", json!({"id": id(number), "text": text})).await
    }

    /// The words of the prompts that wait, when there are so many and they are paused or not.
    async fn held(&mut self, count: usize, paused: bool) -> Vec<String> {
        let held = self.order("held", json!({"count": count, "paused": paused})).await;
        let prompts = held["prompts"].as_array().unwrap_or_else(|| panic!("{held}"));
        prompts.iter().map(|prompt| prompt["text"].as_str().unwrap().to_owned()).collect()
    }

    /// Answers the question of the turn that runs.
    async fn answer(&mut self) {
        let question = self.question().await;
        let answered = self.order("answer", json!({"question": question, "decision": {"kind": "allow"}})).await;
        assert!(answered["seq"].is_u64(), "{answered}");
    }

    /// Waits for a question of the turn that runs.
    async fn question(&mut self) -> Value {
        self.order("look", json!({"turns": u32::MAX})).await["asks"][0].clone()
    }

    async fn turns(&mut self, turns: u32) {
        assert_eq!(self.order("look", json!({"turns": turns})).await["turns"], turns);
    }

    /// Whoever has the session open is killed, and another one comes.
    async fn restart(&mut self) {
        let fresh = self.stage.bridge();
        let fresh = fresh.await;
        std::mem::replace(&mut self.bridge, fresh).kill().await;
    }

    /// The words of the prompts that went to the agent.
    fn said(&self) -> Vec<String> {
        let stdin = lines(&self.stage.log(&self.session), |source| matches!(source, Source::Stdin { .. }));
        let stdin = stdin.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let prompts = stdin.filter(|line| line["type"] == "user");
        prompts.map(|line| line["message"]["content"][0]["text"].as_str().unwrap().to_owned()).collect()
    }

    async fn close(mut self) {
        self.order("kill", json!({})).await;
    }
}

#[tokio::test]
async fn prompts_wait_for_the_end_of_the_turn_and_can_be_changed_until_then() {
    let mut open = Open::new((1..=4).fold(Story::new(), |story, _| story.turn(asking()))).await;
    let first = open.submit(1, "first").await;
    assert!(first["seq"].is_u64() || first["held"] == true, "{first}");
    open.question().await;
    for (number, text) in [(2, "two"), (3, "three"), (4, "four")] {
        assert_eq!(open.submit(number, text).await, json!({"held": true}));
    }
    assert_eq!(open.submit(3, "three, from a client that heard nothing").await, json!({"held": true}));
    assert_eq!(open.held(3, false).await, ["two", "three", "four"]);
    open.order("moveHeld", json!({"id": id(4), "before": id(2)})).await;
    open.order("changeHeld", json!({"id": id(3), "text": "three, said better"})).await;
    open.order("removeHeld", json!({"id": id(2)})).await;
    let gone = open.order("removeHeld", json!({"id": id(2)})).await;
    assert!(gone["error"].as_str().unwrap().contains("not any more"), "{gone}");
    assert_eq!(open.held(2, false).await, ["four", "three, said better"]);
    open.restart().await;
    assert_eq!(open.held(2, false).await, ["four", "three, said better"], "who comes next knows of them");
    assert_eq!(open.said(), ["first"]);
    open.answer().await;
    assert_eq!(open.held(1, false).await, ["three, said better"]);
    open.question().await;
    assert_eq!(open.said(), ["first", "four"], "the next one waits for its turn");
    open.answer().await;
    assert_eq!(open.held(0, false).await, [""; 0]);
    open.answer().await;
    open.turns(3).await;
    assert_eq!(open.said(), ["first", "four", "three, said better"]);
    open.close().await;
}

#[tokio::test]
async fn after_an_interrupt_prompts_wait_for_the_users_word() {
    let mut open = Open::new(Story::new().turn(asking()).says("Two.").says("Three.")).await;
    open.order("send", json!({"id": id(1), "text": "first"})).await;
    open.question().await;
    open.submit(2, "second").await;
    open.order("interrupt", json!({})).await;
    assert_eq!(open.held(1, true).await, ["second"]);
    open.restart().await;
    assert_eq!(open.held(1, true).await, ["second"]);
    assert_eq!(open.submit(3, "third").await, json!({"held": true}));
    assert_eq!(open.said(), ["first"]);
    assert_eq!(open.order("goOn", json!({})).await, json!({"done": true}));
    assert_eq!(open.held(0, false).await, [""; 0]);
    open.turns(3).await;
    assert_eq!(open.said(), ["first", "second", "third"]);
    open.close().await;
}

#[tokio::test]
async fn a_prompt_after_an_interrupt_goes_out_when_none_waits_from_before() {
    let mut open = Open::new(Story::new().turn(asking()).says("Two.")).await;
    open.order("send", json!({"id": id(1), "text": "first"})).await;
    open.question().await;
    open.order("interrupt", json!({})).await;
    open.turns(1).await;
    open.submit(2, "second").await;
    open.turns(2).await;
    assert_eq!(open.said(), ["first", "second"]);
    open.close().await;
}

#[tokio::test]
async fn after_the_death_of_the_agent_prompts_wait_for_the_users_word() {
    let mut open = Open::new(Story::new().says("One.").turn(Turn::new().waits_for("keep_alive"))).await;
    open.order("send", json!({"id": id(1), "text": "first"})).await;
    open.turns(1).await;
    open.order("send", json!({"id": id(2), "text": "second"})).await;
    assert_eq!(open.submit(3, "third").await, json!({"held": true}));
    let spawned = |open: &Open| {
        crate::support::facts(&open.stage.log(&open.session)).into_iter().find_map(|fact| match fact {
            insights::HostFact::Spawned { pid, .. } => pid,
            _ => None,
        })
    };
    let agent = i32::try_from(spawned(&open).unwrap()).unwrap();
    let agent = rustix::process::Pid::from_raw(agent).unwrap();
    rustix::process::kill_process(agent, rustix::process::Signal::KILL).unwrap();
    open.order("waitFacts", json!({"fact": "spawned", "count": 2})).await;
    let held = open.order("held", json!({"count": 1, "paused": true})).await;
    assert_eq!(held["paused"], "died");
    assert_eq!(open.said(), ["first", "second"]);
    open.order("goOn", json!({})).await;
    open.turns(2).await;
    assert_eq!(open.said(), ["first", "second", "third"]);
    open.close().await;
}

/// The server died after the keeper took the prompt and before the desk let it go.
#[tokio::test]
async fn a_prompt_that_was_delivered_and_not_let_go_is_not_said_twice() {
    let mut open = Open::new(Story::new().says("One.").says("Two.").turn(asking()).says("Four.")).await;
    for number in 1..=2 {
        open.order("submit", json!({"id": format!("message {number}"), "text": format!("prompt {number}")})).await;
        open.turns(number).await;
    }
    open.submit(3, "prompt 3").await;
    open.question().await;
    open.held(0, false).await;
    // As the one who died has left it: one whose name is in the conversation, and one that only the keeper can tell.
    let mut desk = Desk::open(&Data::open(open.stage.path()).unwrap()).unwrap();
    let row = |id: &str, uuid: &str, text: &str| {
        let message = json!({"role": "user", "content": [{"type": "text", "text": text}]});
        let line = json!({"type": "user", "message": message, "parent_tool_use_id": null, "uuid": uuid}).to_string();
        HeldRow { id: id.to_owned(), line, by: None, at: UnixMillis(1) }
    };
    for row in [row(&id(3), &id(3), "prompt 3"), row("message 2", &id(99), "prompt 2"), row(&id(4), &id(4), "prompt 4")]
    {
        desk.hold(&open.session, &row).unwrap();
    }
    open.restart().await;
    assert_eq!(open.held(2, false).await, ["prompt 2", "prompt 4"]);
    open.answer().await;
    open.turns(4).await;
    open.held(0, false).await;
    assert_eq!(open.said(), ["prompt 1", "prompt 2", "prompt 3", "prompt 4"]);
    open.close().await;
}

#[tokio::test]
async fn thirty_kills_lose_no_prompt_that_waits_and_double_none() {
    const KILLS: u32 = 30;
    let stage = Stage::new(&Story::new()).await;
    let mut client = Client { stage: &stage, bridge: stage.bridge().await, kills: 0, dice: 11 };
    let started = client.order(stage.start_order(), 0).await;
    let session = started["session"].as_str().unwrap().to_owned();
    let mut prompts = 0;
    while client.kills < KILLS {
        for _ in 0..3 {
            prompts += 1;
            let text = format!("prompt {prompts}");
            let submit = json!({"do": "submit", "session": session, "id": id(prompts), "text": text});
            let submitted = client.order(submit, KILLS).await;
            assert!(submitted["seq"].is_u64() || submitted["held"] == true, "{submitted}");
        }
        let seen = client.order(json!({"do": "look", "session": session, "turns": prompts}), KILLS).await;
        assert_eq!(seen["turns"], prompts, "{seen}");
    }
    client.order(json!({"do": "close", "session": session}), 0).await;
    let stdin = lines(&stage.log(&session), |source| matches!(source, Source::Stdin { .. }));
    let said: Vec<String> = stdin.into_iter().filter(|line| line.contains(r#""type":"user""#)).collect();
    for (number, line) in (1..=prompts).zip(&said) {
        assert!(line.contains(&format!(r#""prompt {number}""#)), "{line}");
    }
    check(&stage, &session, u64::from(prompts));
}
