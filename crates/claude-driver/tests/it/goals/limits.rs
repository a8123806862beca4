//! What does not come in time: interrupts without an answer, turns that do not stop, hooks that take too long or fall over.

use std::time::Duration;

use claude_driver::hook::{HookEvent, HookOutput};
use claude_driver::{Claude, Error, Hook, Turn};
use futures_util::StreamExt;
use lab::agent::{ControlFault, Story};
use serde_json::{Value, json};

use super::peer::{asked, met};
use crate::support::scripted;

const DEADLINE: Duration = Duration::from_secs(3);

async fn working(turn: &mut Turn) {
    while !matches!(turn.next().await, Some(Ok(event)) if event.text() == Some("Working.")) {}
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_without_an_answer_times_out_and_the_session_goes_on() {
    let turn = lab::agent::Turn::new().says("Working.").behind("gate").says("Done.");
    let story = Story::new().turn(turn).on_control("interrupt", ControlFault::Silence);
    let scripted = scripted(Claude::new(), story).await;
    let mut turn = scripted.session.send("go");
    working(&mut turn).await;
    let outcome = scripted.session.interrupt().deadline(DEADLINE).await;
    assert!(matches!(outcome, Err(Error::TimedOut { after: DEADLINE, .. })), "{outcome:?}");
    scripted.gates.release("gate");
    assert_eq!(turn.await.unwrap().text, "Done.");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_does_not_stop_ends_with_the_session_if_that_is_wanted() {
    // It hears nothing, or it says yes and goes on.
    for fault in [ControlFault::Silence, ControlFault::Error("later".to_owned()), ControlFault::Twice] {
        let hears = matches!(fault, ControlFault::Twice);
        let turn = lab::agent::Turn::new().says("Working.");
        let turn = if hears { turn.behind("gate") } else { turn.hangs() };
        let refuses = matches!(fault, ControlFault::Error(_));
        let scripted = scripted(Claude::new(), Story::new().turn(turn).on_control("interrupt", fault)).await;
        let mut turn = scripted.session.send("go");
        working(&mut turn).await;
        let outcome = scripted.session.interrupt().deadline(DEADLINE).or_terminate().await;
        if hears {
            outcome.unwrap();
            assert_eq!(turn.await.unwrap().end, claude_driver::TurnEnd::Interrupted);
        } else if refuses {
            assert!(matches!(outcome, Err(Error::Refused { .. })), "{outcome:?}");
        } else {
            assert!(matches!(outcome, Err(Error::TimedOut { .. })), "{outcome:?}");
            assert!(matches!(turn.await, Err(Error::Exited(_))));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_goes_on_after_the_interrupt_was_agreed_to_ends_with_the_session() {
    let (session, mut peer) = met(&Claude::new()).await;
    let turn = session.send("go");
    peer.hear().await.unwrap();
    let interrupt = tokio::spawn(session.interrupt().deadline(DEADLINE).or_terminate().into_future());
    let request = peer.hear().await.unwrap();
    peer.agree(&request).await;
    let outcome = interrupt.await.unwrap();
    assert!(matches!(outcome, Err(Error::TimedOut { .. })), "{outcome:?}");
    assert!(matches!(turn.await, Err(Error::Exited(_))));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_deaf_cli_is_ended_by_signal_when_an_interrupt_is_not_answered() {
    let story = Story::new().turn(lab::agent::Turn::new().says("Working.").goes_deaf());
    let session = super::process::launched(Claude::new(), &story).await.unwrap();
    let mut turn = session.send("go");
    let queued = session.send("then");
    working(&mut turn).await;
    let outcome = session.interrupt().deadline(Duration::from_millis(50)).or_terminate().await;
    assert!(matches!(outcome, Err(Error::TimedOut { .. })), "{outcome:?}");
    for turn in [turn, queued] {
        let Err(Error::Exited(exit)) = turn.await else { panic!("the turn goes on") };
        assert_eq!(exit.ending, claude_driver::Ending::Terminated);
        assert_eq!(exit.status.unwrap().code(), Some(143));
    }
}

fn call(id: &str, callback: &str, event: &str) -> Value {
    let input = json!({"hook_event_name": event, "tool_name": "Bash", "tool_input": {}});
    asked(id, json!({"subtype": "hook_callback", "callback_id": callback, "input": input}))
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_gives_no_answer_blocks_if_it_guards_and_has_no_opinion_if_not() {
    let falls = |event: HookEvent| {
        Hook::on(event, |_input, _call| async {
            std::panic::resume_unwind(Box::new("fallen over"));
            #[expect(unreachable_code, reason = "the type of the answer")]
            HookOutput::none()
        })
    };
    let hangs = |event: HookEvent| {
        Hook::on(event, |_input, _call| std::future::pending::<HookOutput>()).time_limit(Duration::from_secs(5))
    };
    let claude = Claude::new()
        .hook(falls(HookEvent::PreToolUse).fail_closed())
        .hook(hangs(HookEvent::PreToolUse).fail_closed())
        .hook(falls(HookEvent::Stop).fail_closed())
        .hook(hangs(HookEvent::Stop).fail_closed())
        .hook(falls(HookEvent::PreToolUse))
        .hook(hangs(HookEvent::PreToolUse));
    let (_session, mut peer) = met(&claude).await;
    let events = ["PreToolUse", "PreToolUse", "Stop", "Stop", "PreToolUse", "PreToolUse"];
    for (index, event) in events.into_iter().enumerate() {
        peer.say(&call(&index.to_string(), &format!("hook-{index}"), event)).await;
        let answer = peer.hear().await.unwrap();
        assert_eq!(answer["response"]["request_id"], index.to_string());
        let output = &answer["response"]["response"];
        match index {
            0 | 1 => assert_eq!(output["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}"),
            2 | 3 => assert_eq!(output["decision"], "block", "{answer}"),
            _ => assert_eq!(output, &json!({}), "{answer}"),
        }
    }
    peer.say(&call("x", "hook-99", "PreToolUse")).await;
    let answer = peer.hear().await.unwrap();
    assert_eq!((&answer["response"]["subtype"], &answer["response"]["request_id"]), (&json!("error"), &json!("x")));
}
