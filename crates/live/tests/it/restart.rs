//! Restart without loss: the process that has the sessions open is killed at any moment, and another one goes on.

use std::collections::BTreeMap;
use std::time::Duration;

use insights::Source;
use lab::agent::{IN_FILE, OUT_FILE, Story, Turn};
use serde_json::{Value, json};

use crate::support::{Bridge, Stage, lines};

/// A client that gives orders until they are obeyed, while somebody kills whoever obeys them.
pub(crate) struct Client<'a> {
    pub(crate) stage: &'a Stage,
    pub(crate) bridge: Bridge,
    pub(crate) kills: u32,
    pub(crate) dice: u64,
}

impl Client<'_> {
    /// An order that is given until it is answered. At most `limit` processes are killed meanwhile.
    pub(crate) async fn order(&mut self, order: Value, limit: u32) -> Value {
        loop {
            let answer = if self.kills < limit && self.roll(3) == 0 {
                self.kills += 1;
                let moment = Duration::from_micros(self.roll(15_000));
                // At any moment: before the order is read, while it is obeyed, or after.
                let answer = tokio::time::timeout(moment, self.bridge.order(&order)).await;
                let next = self.stage.bridge();
                // A second one may be attached before the first one is gone, as when a server is upgraded.
                let next = if self.roll(4) == 0 { Some(next.await) } else { None };
                let fresh = match next {
                    Some(next) => next,
                    None => {
                        let pid = i32::try_from(self.bridge.pid()).unwrap();
                        let pid = rustix::process::Pid::from_raw(pid).unwrap();
                        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
                        self.stage.bridge().await
                    }
                };
                std::mem::replace(&mut self.bridge, fresh).kill().await;
                answer.ok().flatten()
            } else {
                self.bridge.order(&order).await
            };
            if let Some(answer) = answer {
                return answer;
            }
        }
    }

    fn roll(&mut self, sides: u64) -> u64 {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33) % sides
    }
}

/// So many processes are killed, while so many sessions are played after each other: a short log is read faster than a
/// long one, and each process reads it anew.
const KILLS: u32 = 100;
const SESSIONS: u32 = 5;

#[tokio::test]
async fn a_hundred_kills_lose_nothing_and_double_nothing() {
    let turn = |number: usize| {
        let input = json!({"command": format!("echo {number}")});
        Turn::new().calls("Bash", input).asking().giving(number.to_string()).says(format!("Turn {number} is done."))
    };
    let story = (1..=100).fold(Story::new(), |story, number| story.turn(turn(number)));
    let stage = Stage::new(&story).await;
    let mut client = Client { stage: &stage, bridge: stage.bridge().await, kills: 0, dice: 7 };
    for number in 1..=SESSIONS {
        play(&mut client, KILLS * number / SESSIONS).await;
    }
    assert_eq!(client.kills, KILLS);
}

/// A session, until `limit` processes have been killed in all.
async fn play(client: &mut Client<'_>, limit: u32) {
    let stage = client.stage;
    let started = client.order(stage.start_order(), 0).await;
    let session = started["session"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned();
    let mut prompts = 0;
    while client.kills < limit {
        prompts += 1;
        let id = format!("00000000-0000-4000-8000-{prompts:012}");
        let send = json!({"do": "send", "session": session, "id": id, "text": format!("prompt {prompts}")});
        let sent = client.order(send, limit).await;
        assert!(sent["seq"].is_u64(), "{sent}");
        loop {
            let seen = client.order(json!({"do": "look", "session": session, "turns": prompts}), limit).await;
            assert_eq!(seen["running"], true, "{seen}");
            if seen["turns"].as_u64() == Some(prompts) {
                break;
            }
            let question = &seen["asks"][0];
            let decision = json!({"kind": "allow"});
            let order = json!({"do": "answer", "session": session, "question": question, "decision": decision});
            // An answer that was given before somebody was killed is refused the second time.
            client.order(order, limit).await;
        }
    }
    client.order(json!({"do": "close", "session": session}), 0).await;
    check(stage, &session, prompts);
}

/// The log is what the agent saw, and each prompt and each answer is in it once.
pub(crate) fn check(stage: &Stage, session: &str, prompts: u64) {
    let log = stage.log(session);
    assert_eq!(log.iter().map(|record| record.seq).collect::<Vec<_>>(), (1..=log.len() as u64).collect::<Vec<_>>());
    let stdin = lines(&log, |source| matches!(source, Source::Stdin { .. }));
    assert_eq!(stdin, stage.side(IN_FILE));
    assert_eq!(lines(&log, |source| *source == Source::Stdout), stage.side(OUT_FILE));
    let mut count = BTreeMap::<String, u32>::new();
    for line in &stdin {
        let line: Value = serde_json::from_str(line).unwrap();
        let names = [&line["uuid"], &line["response"]["request_id"], &line["request_id"]];
        let name = names.into_iter().find_map(Value::as_str).unwrap();
        *count.entry(name.to_owned()).or_default() += 1;
    }
    assert!(count.values().all(|times| *times == 1), "{count:#?}");
    let results = stage.side(OUT_FILE).iter().filter(|line| line.contains(r#""type":"result""#)).count();
    assert_eq!(results as u64, prompts);
    assert_eq!(count.keys().filter(|name| name.starts_with("00000000-")).count() as u64, prompts);
    for file in [IN_FILE, OUT_FILE] {
        // The next session's agent notes in the same folder.
        std::fs::remove_file(stage.path().join("side").join(file)).unwrap();
    }
}

#[tokio::test]
async fn of_two_who_answer_at_once_one_is_heard() {
    const TURNS: u64 = 15;
    let turn =
        |number: u64| Turn::new().calls("Bash", json!({"command": format!("echo {number}")})).asking().giving("x");
    let stage = Stage::new(&(1..=TURNS).fold(Story::new(), |story, number| story.turn(turn(number)))).await;
    let mut laptop = stage.bridge().await;
    let started = laptop.order(&stage.start_order()).await.unwrap();
    let session = started["session"].as_str().unwrap().to_owned();
    let mut phone = stage.bridge().await;
    let (mut heard, mut refused) = (0, 0);
    for number in 1..=TURNS {
        let send = json!({"do": "send", "session": session, "id": format!("00000000-0000-4000-8000-{number:012}"), "text": "go"});
        let (first, second) = tokio::join!(laptop.order(&send), phone.order(&send));
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_eq!(first["seq"], second["seq"], "the same message is one record");
        assert_ne!(first["again"], second["again"]);
        let look = json!({"do": "look", "session": session, "turns": number});
        let (seen, too) = tokio::join!(laptop.order(&look), phone.order(&look));
        assert_eq!(seen, too);
        let question = &seen.unwrap()["asks"][0];
        let answer =
            |kind: &str| json!({"do": "answer", "session": session, "question": question, "decision": {"kind": kind}});
        let (yes, no) = (answer("allow"), answer("deny"));
        let (yes, no) = tokio::join!(laptop.order(&yes), phone.order(&no));
        for answer in [yes.unwrap(), no.unwrap()] {
            match answer["error"].as_str() {
                None => heard += 1,
                Some(why) => {
                    assert!(why.contains("answered this question before") || why.contains("not any more"), "{why}");
                    refused += 1;
                }
            }
        }
        laptop.order(&look).await.unwrap();
    }
    assert_eq!((heard, refused), (TURNS, TURNS));
    laptop.order(&json!({"do": "close", "session": session})).await.unwrap();
    check(&stage, &session, TURNS);
}
