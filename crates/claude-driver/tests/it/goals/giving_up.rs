//! A future may be dropped at any await: no line is lost, nothing hangs, nobody is left waiting. Futures are polled a few
//! times and dropped, over and over, until they are done.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use claude_driver::{Claude, Event, PermissionRequest, Session, TurnEnd};
use futures_util::StreamExt;
use lab::agent::{Agent, Flags, OUT_FILE, Story, Turn};
use serde_json::json;
use tokio::io::{duplex, split};

use super::dice::Dice;
use super::peer::{asked, may_use, met};
use crate::support::scratch;

/// Polls a future so many times, and drops it.
async fn polled<F: Future>(times: usize, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    for _ in 0..times {
        if let Poll::Ready(output) = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await {
            return Some(output);
        }
        tokio::task::yield_now().await;
    }
    None
}

/// Makes a future again and again, drops it after ever more polls, and gives what comes of it in the end.
async fn in_the_end<T>(dice: &mut Dice, mut make: impl AsyncFnMut() -> T) -> T {
    let mut patience = 1;
    loop {
        if let Some(output) = polled(dice.roll(patience), make()).await {
            return output;
        }
        patience = (patience + 1).min(1000);
        tokio::task::yield_now().await;
    }
}

fn text(event: &Event) -> String {
    match event {
        Event::Message(message) => message.line.text().into_owned(),
        other => panic!("{other:?}"),
    }
}

async fn play(seed: u64, memory_limit: usize) {
    let mut dice = Dice::new(seed);
    let story = Story::new()
        .turn(Turn::new().says("One.").calls("Bash", json!({"command": "ls"})).asking().giving("a").says("Two."))
        .turn(Turn::new().floods(300).writes_huge_line(100_000).says("Three."))
        .turn(Turn::new().says("Working.").hangs());
    let (host, theirs) = duplex(1 + dice.roll(5000));
    let (agent_in, agent_out) = split(theirs);
    let folder = scratch();
    let flags = Flags { partial_messages: true, replay_user_messages: true, prompts_host: true, ..Flags::default() };
    let agent = Agent::new(story).unwrap().with_flags(flags).recording_in(&folder).unwrap();
    let agent = tokio::spawn(agent.run(agent_in, agent_out));
    let claude =
        Claude::new().memory_limit(memory_limit).on_permission(|request: PermissionRequest| async { request.allow() });
    let session = claude.start_over(split(host)).await.unwrap();
    let mut all = session.events();
    let reading = async {
        let mut dice = Dice::new(seed + 1000);
        let mut lines = Vec::new();
        while let Some(event) = in_the_end(&mut dice, async || all.next().await).await {
            lines.push(text(&event));
        }
        lines
    };
    let (lines, of_turns) = tokio::join!(reading, act(&session, &mut dice, seed));
    agent.await.unwrap();
    let written = std::fs::read_to_string(folder.join(OUT_FILE)).unwrap();
    // The first line answered `initialize`, before anyone could listen.
    let written: Vec<&str> = written.lines().skip(1).collect();
    assert_eq!(lines, written, "seed {seed}");
    let mut rest = written.iter();
    assert!(of_turns.iter().all(|line| rest.any(|written| written == line)), "seed {seed}: a line of a turn is lost");
    assert!(of_turns.len() > 300, "seed {seed}: {} lines", of_turns.len());
}

/// Goes through the story, and gives the lines of its first two turns.
async fn act(session: &Session, dice: &mut Dice, seed: u64) -> Vec<String> {
    let mut of_turns = Vec::new();
    for expected in ["Two.", "Three."] {
        let mut turn = session.send("go");
        while let Some(event) = in_the_end(dice, async || turn.next().await).await {
            of_turns.push(text(&event.unwrap()));
        }
        assert_eq!(in_the_end(dice, async || session.mcp_status().await.map(drop)).await.ok(), Some(()));
        in_the_end(dice, async || session.idle().await.unwrap()).await;
        assert_eq!(turn.await.unwrap().text, expected, "seed {seed}");
    }
    let mut turn = session.send("go");
    while !matches!(in_the_end(dice, async || turn.next().await).await, Some(Ok(event)) if event.text() == Some("Working."))
    {
    }
    in_the_end(dice, async || session.interrupt().await.map(drop)).await.unwrap();
    assert_eq!(turn.await.unwrap().end, TurnEnd::Interrupted, "seed {seed}");
    in_the_end(dice, async || session.close().await.unwrap()).await;
    of_turns
}

#[tokio::test]
async fn no_line_is_lost_and_nothing_hangs_however_often_a_future_is_dropped() {
    for seed in 0..40 {
        // What does not fit in memory is read back from a file.
        play(seed, if seed % 2 == 0 { 1 << 20 } else { 2_000 }).await;
    }
}

#[tokio::test]
async fn a_prompt_whose_turn_is_dropped_is_answered_all_the_same() {
    let (session, mut peer) = met(&Claude::new()).await;
    drop(session.send("one"));
    let next = session.send("two");
    let one = peer.hear().await.unwrap();
    peer.say(&super::peer::result(&[&one["uuid"]], "One.", 0.0)).await;
    let two = peer.hear().await.unwrap();
    peer.say(&super::peer::result(&[&two["uuid"]], "Two.", 0.0)).await;
    assert_eq!(next.await.unwrap().text, "Two.");
}

#[tokio::test]
async fn nobody_to_ask_is_a_denial_and_a_dropped_request_is_one_too() {
    let dropping = Claude::new().on_permission(|request: PermissionRequest| async move { drop(request) });
    for claude in [Claude::new(), dropping] {
        let (_session, mut peer) = met(&claude).await;
        peer.say(&asked("a", may_use("Bash"))).await;
        let answer = peer.hear().await.unwrap();
        assert_eq!(answer["response"]["response"]["behavior"], "deny", "{answer}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_session_without_a_permission_handler_says_so() {
    let session = super::process::launched(Claude::new(), &Story::new()).await.unwrap();
    assert!(session.notices().contains(&claude_driver::Notice::NoPermissionHandler));
}
