//! Agents that die: they are started again, not for ever; what nobody knows is marked and offered; two writers are told.

use std::process::{Command, Stdio};

use insights::{HostFact, Record, Source};
use lab::agent::{Ignored, Story, Turn};
use serde_json::{Value, json};

use crate::support::{Bridge, Stage, facts};

async fn start(stage: &Stage, bridge: &mut Bridge) -> String {
    let started = bridge.order(&stage.start_order()).await.unwrap();
    started["session"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
}

async fn try_to_send(bridge: &mut Bridge, session: &str, id: &str) -> Value {
    bridge.order(&json!({"do": "send", "session": session, "id": id, "text": "go on"})).await.unwrap()
}

async fn send(bridge: &mut Bridge, session: &str, id: &str) {
    let sent = try_to_send(bridge, session, id).await;
    assert!(sent["seq"].is_u64(), "{sent}");
}

#[tokio::test]
async fn an_agent_that_dies_again_and_again_is_left_alone_and_says_why() {
    let dies = || Turn::new().complains("out of coal").dies(9);
    let stage = Stage::new(&Story::new().turn(dies())).await;
    let mut bridge = stage.bridge().await;
    let session = start(&stage, &mut bridge).await;
    for number in 1..=3 {
        // The process is there a moment before it can be spoken to.
        let look = json!({"do": "look", "session": session, "turns": 0});
        while bridge.order(&look).await.unwrap()["running"] != true {}
        send(&mut bridge, &session, &format!("m{number}")).await;
        let exits = json!({"do": "waitFacts", "session": session, "fact": "exited", "count": number});
        assert_eq!(bridge.order(&exits).await.unwrap()["found"], true);
        if number < 3 {
            let starts = json!({"do": "waitFacts", "session": session, "fact": "spawned", "count": number + 1});
            assert_eq!(bridge.order(&starts).await.unwrap()["found"], true);
        }
    }
    let notes = json!({"do": "waitFacts", "session": session, "fact": "note", "count": 1});
    assert_eq!(bridge.order(&notes).await.unwrap()["found"], true);
    let told = facts(&stage.log(&session));
    let last = told.last().unwrap();
    assert!(matches!(last, HostFact::Note { text, .. } if text.contains("3 times within ten minutes")), "{last:?}");
    let tails = told.iter().filter_map(|fact| match fact {
        HostFact::Exited { code: Some(9), stderr_tail, .. } => Some(stderr_tail.concat()),
        _ => None,
    });
    assert_eq!(tails.collect::<Vec<_>>(), ["out of coal"; 3]);
    // A person may try again.
    let resumed = bridge.order(&json!({"do": "resume", "session": session})).await.unwrap();
    assert_eq!(resumed["session"], session, "{resumed}");
    bridge.order(&json!({"do": "kill", "session": session})).await.unwrap();
}

#[tokio::test]
async fn a_prompt_that_nobody_confirmed_is_offered_and_sent_again_only_when_asked() {
    let deaf = Story::new().says("One.").turn(Turn::new().says("I hear no more.").goes_deaf());
    let stage = Stage::new(&deaf.ignoring(Ignored::Eof)).await;
    let mut bridge = stage.bridge().await;
    let session = start(&stage, &mut bridge).await;
    let id = |number: u32| format!("00000000-0000-4000-8000-{number:012}");
    send(&mut bridge, &session, &id(1)).await;
    let look = json!({"do": "look", "session": session, "turns": 1});
    assert_eq!(bridge.order(&look).await.unwrap()["turns"], 1);
    // The second one makes it deaf, so that it never hears of the third.
    send(&mut bridge, &session, &id(2)).await;
    // Prompts that come before the turn begins would be part of it.
    bridge.order(&json!({"do": "wait", "session": session, "text": "I hear no more."})).await.unwrap();
    send(&mut bridge, &session, &id(3)).await;
    bridge.order(&json!({"do": "kill", "session": session})).await.unwrap();
    let seen = bridge.order(&look).await.unwrap();
    let queue = seen["queue"].as_array().unwrap();
    let third = queue.iter().find(|queued| queued["id"] == id(3).as_str()).unwrap_or_else(|| panic!("{seen}"));
    assert_eq!(third["state"], "unconfirmed", "{seen}");
    // Nothing is sent by itself after a resume.
    bridge.order(&json!({"do": "resume", "session": session})).await.unwrap();
    let again = json!({"do": "sendAgain", "session": session, "seq": third["seq"], "id": "again"});
    assert!(bridge.order(&again).await.unwrap()["seq"].is_u64());
    let two = json!({"do": "look", "session": session, "turns": 2});
    let seen = bridge.order(&two).await.unwrap();
    assert_eq!(seen["turns"], 2, "{seen}");
    let waits = |queued: &Value| queued["id"] == id(3).as_str();
    assert!(!seen["queue"].as_array().unwrap().iter().any(waits), "{seen}");
    let third = id(3);
    let sent = |record: &&Record| matches!(record.source, Source::Stdin { .. }) && record.line.text().contains(&third);
    assert_eq!(stage.log(&session).iter().filter(sent).count(), 2, "once by the user, and once again when asked");
    bridge.order(&json!({"do": "kill", "session": session})).await.unwrap();
}

#[tokio::test]
async fn another_program_on_the_same_conversation_is_told_and_not_written_over() {
    let stage = Stage::new(&Story::new().says("One.").says("Two.")).await;
    let mut bridge = stage.bridge().await;
    let session = start(&stage, &mut bridge).await;
    send(&mut bridge, &session, "m1").await;
    bridge.order(&json!({"do": "look", "session": session, "turns": 1})).await.unwrap();
    bridge.order(&json!({"do": "close", "session": session})).await.unwrap();
    // A terminal that has resumed the same conversation, as far as the table of processes shows.
    #[expect(clippy::disallowed_methods, reason = "a process that these tests must see, and nothing else")]
    let mut other = Command::new("sh")
        .args(["-c", "read line", "claude", "--resume", &session])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let refused = loop {
        let answer = try_to_send(&mut bridge, &session, "m2").await;
        // For a moment a new process has the words of nobody; then it is seen.
        match answer["error"].as_str() {
            Some(error) => break error.to_owned(),
            None => _ = bridge.order(&json!({"do": "close", "session": session})).await,
        }
    };
    assert!(refused.contains("another program") && refused.contains("take it over"), "{refused}");
    let over = bridge.order(&json!({"do": "takeOver", "session": session})).await.unwrap();
    assert_eq!(over["session"], session, "{over}");
    assert!(!other.wait().unwrap().success());
    bridge.order(&json!({"do": "kill", "session": session})).await.unwrap();
}

#[tokio::test]
async fn a_fork_begins_with_what_was_said_and_leaves_its_parent_alone() {
    let stage = Stage::new(&Story::new().says("One.").says("Two.")).await;
    let mut bridge = stage.bridge().await;
    let session = start(&stage, &mut bridge).await;
    send(&mut bridge, &session, "m1").await;
    bridge.order(&json!({"do": "look", "session": session, "turns": 1})).await.unwrap();
    let before = stage.log(&session).len();
    let forked = bridge.order(&json!({"do": "fork", "session": session})).await.unwrap();
    let fork = forked["session"].as_str().unwrap_or_else(|| panic!("{forked}")).to_owned();
    send(&mut bridge, &fork, "m2").await;
    let seen = bridge.order(&json!({"do": "look", "session": fork, "turns": 1})).await.unwrap();
    assert_eq!(seen["turns"], 1, "the parent's turn is not its own: {seen}");
    let log = stage.log(&fork);
    assert!(
        facts(&log).iter().any(|fact| matches!(fact, HostFact::Forked { session: Some(id), .. } if *id == session))
    );
    assert!(log.iter().any(|record| record.line.text().contains("One.")));
    assert_eq!(stage.log(&session).len(), before, "nothing was said to the parent");
    for one in [&session, &fork] {
        bridge.order(&json!({"do": "close", "session": one})).await.unwrap();
    }
}

#[tokio::test]
async fn a_prompt_that_was_dismissed_is_offered_no_more() {
    let deaf = Story::new().turn(Turn::new().says("I hear no more.").goes_deaf());
    let stage = Stage::new(&deaf.ignoring(Ignored::Eof)).await;
    let mut bridge = stage.bridge().await;
    let session = start(&stage, &mut bridge).await;
    let id = |number: u32| format!("00000000-0000-4000-8000-{number:012}");
    send(&mut bridge, &session, &id(1)).await;
    bridge.order(&json!({"do": "wait", "session": session, "text": "I hear no more."})).await.unwrap();
    send(&mut bridge, &session, &id(2)).await;
    send(&mut bridge, &session, &id(3)).await;
    let dismiss = |number: u32| json!({"do": "dismiss", "session": session, "prompt": id(number)});
    let refused = bridge.order(&dismiss(2)).await.unwrap();
    assert!(refused["error"].as_str().unwrap().contains("no message"), "the agent may still take it: {refused}");
    bridge.order(&json!({"do": "kill", "session": session})).await.unwrap();
    // Without an agent, and with one.
    let names = |queue: Value| -> Vec<String> {
        queue.as_array().unwrap().iter().map(|queued| queued["id"].as_str().unwrap().to_owned()).collect()
    };
    let queue = |count: usize| json!({"do": "queue", "session": session, "count": count});
    let before = names(bridge.order(&queue(2)).await.unwrap());
    assert_eq!(before, [id(2), id(3)]);
    assert_eq!(bridge.order(&dismiss(2)).await.unwrap(), json!({"done": true}));
    assert_eq!(names(bridge.order(&queue(1)).await.unwrap()), [id(3)]);
    bridge.order(&json!({"do": "resume", "session": session})).await.unwrap();
    assert_eq!(bridge.order(&dismiss(3)).await.unwrap(), json!({"done": true}));
    assert_eq!(names(bridge.order(&queue(0)).await.unwrap()), [""; 0]);
    bridge.kill().await;
    let mut next = stage.bridge().await;
    assert_eq!(names(next.order(&queue(0)).await.unwrap()), [""; 0], "who comes next knows");
    let refused = next.order(&dismiss(3)).await.unwrap();
    assert!(refused["error"].is_string(), "{refused}");
    next.order(&json!({"do": "kill", "session": session})).await.unwrap();
}

#[tokio::test]
async fn a_resume_names_the_grants_that_went_with_the_process() {
    let touch = |name: &str| Turn::new().calls("Bash", json!({"command": format!("touch {name}")})).asking().giving("");
    let stage = Stage::new(&Story::new().turn(touch("a"))).await;
    let mut bridge = stage.bridge().await;
    let session = start(&stage, &mut bridge).await;
    let look = json!({"do": "look", "session": session, "turns": 1});
    let grant = async |bridge: &mut Bridge, message: &str, turns: u32| {
        send(bridge, &session, message).await;
        let asked = bridge.order(&json!({"do": "look", "session": session, "turns": turns})).await.unwrap();
        let remember = json!([{"suggestion": 0, "destination": "session"}]);
        let decision = json!({"kind": "allow", "remember": remember});
        let answer = json!({"do": "answer", "session": session, "question": asked["asks"][0], "decision": decision});
        let answered = bridge.order(&answer).await.unwrap();
        assert!(answered["seq"].is_u64(), "{answered}");
        bridge.order(&json!({"do": "look", "session": session, "turns": turns})).await.unwrap()
    };
    let granted = grant(&mut bridge, "m1", 1).await;
    assert_eq!(granted["lostGrants"], json!([]), "the process has them");
    bridge.order(&json!({"do": "close", "session": session})).await.unwrap();
    bridge.order(&json!({"do": "resume", "session": session})).await.unwrap();
    let resumed = bridge.order(&look).await.unwrap();
    let lost = resumed["lostGrants"].as_array().unwrap();
    assert!(matches!(&lost[..], [Value::String(grant)] if grant.ends_with("for this session")), "{resumed}");
    // Given anew, it is not lost.
    let granted = grant(&mut bridge, "m2", 2).await;
    assert_eq!(granted["lostGrants"], json!([]), "{granted}");
    bridge.order(&json!({"do": "kill", "session": session})).await.unwrap();
}
