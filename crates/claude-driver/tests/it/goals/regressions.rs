//! Faults that were found once.

use std::pin::Pin;
use std::process::ExitStatus;
use std::time::Duration;

use claude_driver::{Claude, Ending, Error, Parts, PermissionRequest, Process, TurnEnd};
use futures_util::{FutureExt, StreamExt};
use serde_json::json;
use tokio::io::{AsyncWriteExt, duplex, split};
use tokio::sync::mpsc;

use super::peer::{Peer, asked, may_use, met, result, taken_back};

#[tokio::test]
async fn a_listener_that_panics_on_stderr_ends_nothing() {
    let (host, theirs) = duplex(64 * 1024);
    let (mut complaints, stderr) = duplex(64);
    let (reader, writer) = split(host);
    let mut parts = Parts::new(reader, writer);
    parts.stderr = Some(Box::new(stderr));
    let mut peer = Peer::over(theirs);
    let claude = Claude::new().on_stderr(|line| assert!(line.is_empty(), "the listener fails"));
    let (session, ()) = tokio::join!(claude.start_over(parts), peer.greet());
    let session = session.unwrap();
    complaints.write_all(b"careful\n").await.unwrap();
    complaints.shutdown().await.unwrap();
    let turn = session.send("go");
    let prompt = peer.hear().await.unwrap();
    peer.say(&result(&[&prompt["uuid"]], "Here.", 0.0)).await;
    assert_eq!(turn.await.unwrap().text, "Here.");
    drop(peer);
    assert_eq!(session.exited().await.stderr_tail, "careful\n");
}

#[test]
fn a_session_whose_runtime_is_gone_is_over_for_all_who_wait() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let first = runtime();
    let (session, peer) = first.block_on(met(&Claude::new()));
    let mut events = session.events();
    let turn = session.send("go");
    drop(first);
    runtime().block_on(async {
        assert!(matches!(turn.await, Err(Error::Exited(_))));
        assert!(events.next().await.is_none());
        assert!(session.idle().await.is_err());
        assert!(session.close().await.unwrap().broken.is_some());
    });
    drop(peer);
}

/// A process that has ended, and something of it that never goes.
struct Haunted;

impl Process for Haunted {
    fn pid(&self) -> Option<u32> {
        None
    }

    fn exited(&mut self) -> Pin<Box<dyn Future<Output = std::io::Result<ExitStatus>> + Send + '_>> {
        Box::pin(std::future::ready(Ok(ExitStatus::default())))
    }

    fn gone(&mut self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::pending())
    }

    fn terminate(&mut self) {}

    fn kill(&mut self) {}
}

#[tokio::test(start_paused = true)]
async fn nobody_but_who_waits_for_the_very_end_waits_for_what_cannot_be_ended() {
    let (given, mut taken) = mpsc::unbounded_channel();
    let claude = Claude::new().on_permission(move |request: PermissionRequest| {
        given.send(request).unwrap();
        async {}
    });
    let (host, theirs) = duplex(64 * 1024);
    let (reader, writer) = split(host);
    let mut parts = Parts::new(reader, writer);
    parts.process = Some(Box::new(Haunted));
    let mut peer = Peer::over(theirs);
    let (session, ()) = tokio::join!(claude.start_over(parts), peer.greet());
    let session = session.unwrap();
    peer.say(&asked("a", may_use("Bash"))).await;
    let mut request = taken.recv().await.unwrap();
    let turn = session.send("go");
    drop(peer);
    assert!(matches!(turn.await, Err(Error::Exited(_))));
    // From here on the actor only waits for the process.
    assert!(matches!(session.send("again").await, Err(Error::Exited(_))));
    assert!(matches!(session.idle().await, Err(Error::Exited(_))));
    assert!(matches!(session.mcp_status().await, Err(Error::Exited(_))));
    request.withdrawn().await;
}

#[tokio::test]
async fn a_session_without_a_process_that_is_closed_was_closed() {
    let (session, mut peer) = met(&Claude::new()).await;
    let closing = tokio::spawn({
        let session = session.clone();
        async move { session.close().await.unwrap() }
    });
    assert!(peer.hear().await.is_none());
    drop(peer);
    let exit = closing.await.unwrap();
    assert_eq!(exit.ending, Ending::Closed);
    assert!(exit.is_clean(), "{exit:?}");
}

#[tokio::test]
async fn a_pipe_that_breaks_is_not_a_close_of_ours() {
    let (their_in, our_out) = duplex(64 * 1024);
    let (our_in, their_out) = duplex(64 * 1024);
    let mut peer = Peer::over_two(their_in, their_out);
    let claude = Claude::new();
    let (session, ()) = tokio::join!(claude.start_over((our_in, our_out)), peer.greet());
    let session = session.unwrap();
    peer.goes_deaf();
    let turn = session.send("go");
    // The break is known before the end of the other direction is.
    tokio::task::yield_now().await;
    let told = session.mcp_status();
    tokio::pin!(told);
    for _ in 0..10 {
        assert!(told.as_mut().now_or_never().is_none());
        tokio::task::yield_now().await;
    }
    drop(peer);
    let Err(Error::Exited(exit)) = turn.await else { panic!("the turn goes on") };
    assert_eq!(exit.ending, Ending::ByItself, "{exit:?}");
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_that_worked_ends_no_session_in_which_the_next_prompt_runs() {
    let (session, mut peer) = met(&Claude::new()).await;
    let (first, next) = (session.send("one"), session.steer("two"));
    let (one, two) = (peer.hear().await.unwrap(), peer.hear().await.unwrap());
    let interrupt = tokio::spawn(session.interrupt().deadline(Duration::from_secs(3)).or_terminate().into_future());
    let request = peer.hear().await.unwrap();
    assert_eq!(request["request"]["subtype"], "interrupt");
    peer.agree(&request).await;
    let mut cut_off = result(&[&one["uuid"]], "", 0.0);
    cut_off["subtype"] = json!("error_during_execution");
    cut_off["terminal_reason"] = json!("aborted_streaming");
    peer.say(&cut_off).await;
    assert_eq!(first.await.unwrap().end, TurnEnd::Interrupted);
    // The next prompt takes longer than the interrupt might.
    interrupt.await.unwrap().unwrap();
    peer.say(&result(&[&two["uuid"]], "Two.", 0.0)).await;
    assert_eq!(next.await.unwrap().text, "Two.");
}

#[tokio::test]
async fn an_interrupt_of_nothing_does_not_excuse_a_later_failure() {
    for named in [true, false] {
        let (session, mut peer) = met(&Claude::new()).await;
        let interrupt = tokio::spawn(session.interrupt().into_future());
        let request = peer.hear().await.unwrap();
        peer.agree(&request).await;
        interrupt.await.unwrap().unwrap();
        let turn = session.send("go");
        let prompt = peer.hear().await.unwrap();
        let mut failed = json!({"type": "result", "subtype": "error_max_turns", "is_error": true, "errors": ["no"]});
        if named {
            failed["user_message_uuids"] = json!([prompt["uuid"]]);
            failed["terminal_reason"] = json!("max_turns");
        }
        peer.say(&failed).await;
        let outcome = turn.await;
        assert!(matches!(outcome, Err(Error::Failed(_))), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_question_under_a_name_that_was_taken_back_is_a_new_question() {
    let claude = Claude::new().on_permission(|request: PermissionRequest| async move {
        if request.tool_name == "Bash" {
            std::future::pending::<()>().await;
        }
        request.allow()
    });
    let (_session, mut peer) = met(&claude).await;
    peer.say_all(&[asked("a", may_use("Bash")), taken_back("a"), asked("a", may_use("Edit"))]).await;
    let answer = peer.hear().await.unwrap();
    assert_eq!(answer["response"]["response"]["behavior"], "allow", "{answer}");
}

#[tokio::test]
async fn a_question_that_makes_no_sense_is_refused() {
    let (_session, mut peer) = met(&Claude::new()).await;
    let questions = [
        json!({"type": "control_request", "request_id": "0"}),
        json!({"type": "control_request", "request_id": "1", "request": null}),
        json!({"type": "control_request", "request_id": "2", "request": 5}),
        json!({"type": "control_request", "request_id": "3", "request": {"subtype": "can_use_tool"}}),
        json!({"type": "control_request", "request_id": "4", "request": {"subtype": "can_use_tool", "input": 7}}),
        json!({"type": "control_request", "request_id": "5", "request": {"subtype": "hook_callback"}}),
        json!({"type": "control_request", "request_id": "6", "request": {"subtype": "mcp_message"}}),
        json!({"type": "control_request", "request_id": "7", "request": {"subtype": "elicitation", "message": []}}),
        json!({"type": "control_request", "request_id": "8", "request": {"subtype": ["x"]}}),
        json!({"type": "control_request", "request_id": "9", "request": {"subtype": "request_user_dialog"}}),
    ];
    peer.say_all(&questions).await;
    let mut answered = Vec::new();
    while answered.len() < questions.len() {
        let answer = peer.hear().await.unwrap();
        assert_ne!(answer["response"]["response"]["behavior"], "allow");
        answered.push(answer["response"]["request_id"].as_str().unwrap().to_owned());
    }
    answered.sort();
    assert_eq!(answered, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
}

#[tokio::test]
async fn costs_survive_a_result_that_tells_none_and_begin_again_after_a_clear() {
    let (session, mut peer) = met(&Claude::new()).await;
    let models = |tokens: u64| json!({"m": {"inputTokens": tokens, "outputTokens": 0, "costUSD": 0.0}});
    let told = |total: f64, tokens: u64| json!({"total_cost_usd": total, "modelUsage": models(tokens)});
    let reset = json!({"type": "conversation_reset", "trigger": "clear"});
    let scenes = [
        (vec![], told(1.0, 10)),
        (vec![], json!({"total_cost_usd": null})),
        (vec![], told(1.5, 15)),
        // What was cleared is forgotten, although the next total is higher than the last.
        (vec![reset], told(4.0, 40)),
    ];
    let mut costs = Vec::new();
    for (before, fields) in scenes {
        let turn = session.send("go");
        let prompt = peer.hear().await.unwrap();
        peer.say_all(&before).await;
        let mut line = result(&[&prompt["uuid"]], "Done.", 0.0);
        line.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        peer.say(&line).await;
        let cost = turn.await.unwrap().cost;
        costs.push((cost.turn_usd, cost.models.get("m").map(|usage| usage.input_tokens.unwrap())));
    }
    assert_eq!(costs, [(1.0, Some(10)), (0.0, Some(0)), (0.5, Some(5)), (4.0, Some(40))]);
}
