//! Each turn gets the result that is its own: of prompts that are queued, merged, folded in, cut off and taken back, among
//! results of turns that the CLI starts by itself, in both dialects.

use std::collections::VecDeque;

use claude_driver::{Claude, Error, Session, Turn, TurnEnd};
use lab::agent::{Agent, Dialect, Flags, Story};
use serde_json::{Value, json};
use tokio::io::{duplex, split};

use super::dice::Dice;
use super::peer::{Peer, met};

/// How the CLI tells which prompts it has taken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Speech {
    /// As 2.1.325: prompts are named on nearly everything.
    Naming,
    /// As 2.1.38: prompts are replayed, and results name nobody.
    Replaying,
}

/// A CLI at random, which knows what it has done with each prompt.
struct Cli {
    peer: Peer,
    speech: Speech,
    queue: VecDeque<Value>,
    /// Prompts of the running turn, and whether it was cut off.
    taken: Vec<Value>,
    cancelled: Vec<String>,
}

fn uuid(prompt: &Value) -> String {
    prompt["uuid"].as_str().unwrap().to_owned()
}

impl Cli {
    /// Hears prompts until so many have come.
    async fn hear_prompts(&mut self, count: usize) {
        for _ in 0..count {
            let line = self.peer.hear().await.unwrap();
            assert_eq!(line["type"], "user", "{line}");
            self.queue.push_back(line);
        }
    }

    async fn take(&mut self, prompt: Value) {
        match self.speech {
            Speech::Naming => {
                let news = json!({"type": "command_lifecycle", "command_uuid": prompt["uuid"], "state": "started"});
                self.peer.say(&news).await;
            }
            Speech::Replaying => {
                let message = &prompt["message"];
                let replay = json!({"type": "user", "message": message, "uuid": prompt["uuid"], "isReplay": true});
                self.peer.say(&replay).await;
            }
        }
        self.taken.push(prompt);
    }

    /// Starts a turn of one prompt or, merged, of several.
    async fn start(&mut self, count: usize) {
        let prompts: Vec<Value> = self.queue.drain(..count).collect();
        let uuids: Vec<&Value> = prompts.iter().map(|prompt| &prompt["uuid"]).collect();
        let mut init = json!({"type": "system", "subtype": "init", "session_id": "s"});
        if self.speech == Speech::Naming {
            init["user_message_uuids"] = json!(uuids);
        }
        self.peer.say(&init).await;
        for prompt in prompts {
            self.take(prompt).await;
        }
    }

    /// Ends the turn. Its text names the prompts.
    async fn finish(&mut self, cut_off: bool) -> Vec<String> {
        let uuids: Vec<String> = self.taken.drain(..).map(|prompt| uuid(&prompt)).collect();
        let subtype = if cut_off { "error_during_execution" } else { "success" };
        let mut result = json!({"type": "result", "subtype": subtype, "result": uuids.join(" "), "is_error": false});
        if self.speech == Speech::Naming {
            result["user_message_uuids"] = json!(uuids);
            result["user_message_uuid"] = json!(uuids.last());
            result["terminal_reason"] = json!(if cut_off { "aborted_streaming" } else { "completed" });
        }
        self.peer.say(&result).await;
        uuids
    }

    /// A turn of the CLI's own, about which no prompt is concerned.
    async fn foreign_turn(&mut self) {
        let init = json!({"type": "system", "subtype": "init", "session_id": "s"});
        let mut result = json!({"type": "result", "subtype": "success", "is_error": false, "result": "foreign"});
        if self.speech == Speech::Naming {
            result["origin"] = json!({"kind": "task-notification"});
        }
        self.peer.say_all(&[init, result]).await;
    }

    async fn take_back(&mut self) {
        if self.speech == Speech::Naming
            && let Some(prompt) = self.queue.pop_back()
        {
            let news = json!({"type": "command_lifecycle", "command_uuid": prompt["uuid"], "state": "cancelled"});
            self.peer.say(&news).await;
            self.cancelled.push(uuid(&prompt));
        }
    }
}

async fn play(speech: Speech, seed: u64) {
    let mut dice = Dice::new(seed);
    let (session, peer) = met(&Claude::new()).await;
    let mut cli = Cli { peer, speech, queue: VecDeque::new(), taken: Vec::new(), cancelled: Vec::new() };
    let mut turns: Vec<Turn> = Vec::new();
    let mut cut_off = Vec::new();
    for _ in 0..30 {
        let count = dice.roll(3);
        turns.extend((0..count).map(|_| session.steer("go")));
        cli.hear_prompts(count).await;
        match dice.roll(6) {
            0 if cli.taken.is_empty() => cli.foreign_turn().await,
            1 => cli.take_back().await,
            2 if !cli.taken.is_empty() => {
                let stop = interrupt(&session, &mut cli.peer).await;
                cut_off.extend(cli.finish(true).await);
                stop.await.unwrap();
            }
            3 if !cli.taken.is_empty() && !cli.queue.is_empty() => {
                // Folded into the running turn.
                let prompt = cli.queue.pop_front().unwrap();
                cli.take(prompt).await;
            }
            _ if !cli.taken.is_empty() => drop(cli.finish(false).await),
            _ if !cli.queue.is_empty() => {
                let merged = if speech == Speech::Naming { 1 + dice.roll(cli.queue.len()) } else { 1 };
                cli.start(merged).await;
            }
            _ => {}
        }
    }
    while !(cli.taken.is_empty() && cli.queue.is_empty()) {
        if cli.taken.is_empty() {
            cli.start(1).await;
        }
        cli.finish(false).await;
        cli.foreign_turn().await;
    }
    for turn in turns {
        let uuid = turn.uuid().as_str().to_owned();
        match turn.await {
            Err(Error::Cancelled) => assert!(cli.cancelled.contains(&uuid), "seed {seed}: {uuid} was not taken back"),
            Ok(answer) => {
                assert!(answer.text.contains(&uuid), "seed {seed}: {uuid} got the result of {}", answer.text);
                let end = if cut_off.contains(&uuid) { TurnEnd::Interrupted } else { TurnEnd::Completed };
                assert_eq!(answer.end, end, "seed {seed}");
            }
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    session.idle().await.unwrap();
}

/// An interrupt that the CLI has agreed to.
async fn interrupt(session: &Session, peer: &mut Peer) -> tokio::task::JoinHandle<()> {
    let interrupting = session.interrupt().or_terminate().into_future();
    let interrupting = tokio::spawn(async move { drop(interrupting.await.unwrap()) });
    let request = peer.hear().await.unwrap();
    assert_eq!(request["request"]["subtype"], "interrupt");
    peer.agree(&request).await;
    interrupting
}

#[tokio::test]
async fn each_turn_gets_its_own_result_from_a_cli_that_names_prompts() {
    for seed in 0..300 {
        play(Speech::Naming, seed).await;
    }
}

#[tokio::test]
async fn each_turn_gets_its_own_result_from_a_cli_that_replays_prompts() {
    for seed in 0..300 {
        play(Speech::Replaying, seed).await;
    }
}

/// A session over an agent of a generation, as the driver starts it.
async fn speaking(dialect: Dialect, story: Story) -> Session {
    let (host, theirs) = duplex(64 * 1024);
    let (agent_in, agent_out) = split(theirs);
    let flags = Flags { partial_messages: true, replay_user_messages: true, prompts_host: true, ..Flags::default() };
    tokio::spawn(Agent::new(story.speaking(dialect)).unwrap().with_flags(flags).run(agent_in, agent_out));
    Claude::new().start_over(split(host)).await.unwrap()
}

#[tokio::test]
async fn prompts_that_are_queued_here_run_one_by_one_in_both_dialects() {
    for dialect in [Dialect::Current, Dialect::Old] {
        let story = Story::new().says("One.").says("Two.").says("Three.");
        let session = speaking(dialect, story).await;
        let turns = ["1", "2", "3"].map(|text| session.send(text));
        let mut texts = Vec::new();
        for turn in turns {
            texts.push(turn.await.unwrap().text);
        }
        assert_eq!(texts, ["One.", "Two.", "Three."], "{dialect:?}");
        session.idle().await.unwrap();
    }
}

#[tokio::test]
async fn an_interrupt_ends_the_turn_that_runs_and_the_queue_goes_on_in_both_dialects() {
    for dialect in [Dialect::Current, Dialect::Old] {
        let story = Story::new().turn(lab::agent::Turn::new().says("Working.").hangs()).says("Next.");
        let session = speaking(dialect, story).await;
        let mut first = session.send("1");
        let next = session.send("2");
        use futures_util::StreamExt;
        while !matches!(first.next().await, Some(Ok(event)) if event.text() == Some("Working.")) {}
        session.interrupt().await.unwrap();
        assert_eq!(first.await.unwrap().end, TurnEnd::Interrupted, "{dialect:?}");
        assert_eq!(next.await.unwrap().text, "Next.", "{dialect:?}");
    }
}

#[tokio::test]
async fn the_end_of_a_background_task_answers_no_prompt() {
    let story = Story::new()
        .turn(
            lab::agent::Turn::new()
                .runs_in_background("a build", lab::agent::Turn::new().says("The build is done."))
                .until("user")
                .says("It runs."),
        )
        .says("Mine.");
    let session = speaking(Dialect::Current, story).await;
    assert_eq!(session.send("build").await.unwrap().text, "It runs.");
    assert_eq!(session.send("and now").await.unwrap().text, "Mine.");
}
