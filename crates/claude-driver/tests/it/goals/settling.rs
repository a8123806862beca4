//! Every waiter settles: the CLI dies at each point of the protocol, by its own hand and by a kill, and everyone who waits is
//! told, with the status and the last words.

use std::os::unix::process::ExitStatusExt;
use std::sync::Arc;

use claude_driver::hook::{HookEvent, HookOutput};
use claude_driver::{Claude, Ending, Error, Exit, Hook, PermissionRequest, Result, Session, Tool};
use futures_util::StreamExt;
use lab::agent::{ControlFault, Death, Step, Story, Turn};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};

use super::process::launched;

const DEATHS: [Death; 2] = [Death::Code(7), Death::Kill];
const LAST_WORDS: &str = "the end is near";

fn check(exit: &Exit, death: Death, point: &str) {
    let status = exit.status.unwrap_or_else(|| panic!("{point}: {exit:?}"));
    match death {
        Death::Code(code) => assert_eq!(status.code(), Some(code), "{point}"),
        Death::Kill => assert_eq!(status.signal(), Some(9), "{point}"),
    }
    assert_eq!(exit.stderr_tail, format!("{LAST_WORDS}\n"), "{point}");
    assert_eq!(exit.ending, Ending::ByItself, "{point}");
    let text = Error::Exited(Arc::new(exit.clone())).to_string();
    assert!(text.contains(LAST_WORDS) && text.contains(&status.to_string()), "{point}: {text}");
}

fn check_error<T: std::fmt::Debug>(outcome: Result<T>, death: Death, point: &str) {
    match outcome {
        Err(Error::Exited(exit)) => check(&exit, death, point),
        other => panic!("{point}: {other:?}"),
    }
}

fn story() -> Story {
    Story::new().starts_with(Step::Stderr(LAST_WORDS.to_owned()))
}

#[tokio::test]
async fn a_cli_that_dies_before_it_is_ready_is_an_error_of_the_start() {
    for death in DEATHS {
        let points = [
            ("before initialize", story().starts_with(Step::Die(death))),
            (
                "half an answer",
                story().starts_with(Step::Part("{\"type\":\"contr".into())).starts_with(Step::Die(death)),
            ),
            ("at initialize", story().on_control("initialize", ControlFault::Death(death))),
        ];
        for (point, story) in points {
            check_error(launched(Claude::new(), &story).await, death, point);
        }
        // Between initialize and the first prompt.
        let story = story().on_control("mcp_status", ControlFault::Death(death));
        let session = launched(Claude::new(), &story).await.unwrap();
        check_error(session.mcp_status().await, death, "after initialize");
        check_error(session.send("go").await, death, "after initialize");
    }
}

/// Turns that die at each point. They die when the interrupt has come, which the host sends last.
fn points(death: Death) -> Vec<(&'static str, Turn)> {
    let open = |request: Value| Step::Open { name: "open".to_owned(), request };
    let hook = json!({
        "subtype": "hook_callback", "callback_id": "hook-0", "tool_use_id": null,
        "input": {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}},
    });
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "wait", "arguments": {}}});
    let message = json!({"subtype": "mcp_message", "server_name": "host", "message": call});
    let points = [
        ("after the prompt", Turn::new()),
        ("in the middle of the answer", Turn::new().says("Working.")),
        ("in the middle of a line", Turn::new().says("Working.").writes_part("{\"type\":\"assis")),
        ("with a permission open", Turn::new().opens_ask("a", "Bash", json!({}))),
        ("in a hook", Turn::new().then(open(hook))),
        ("in a tool of the host", Turn::new().then(open(message))),
    ];
    points
        .map(|(point, turn)| {
            (point, turn.waits_for("control_request/interrupt").complains(LAST_WORDS).then(Step::Die(death)))
        })
        .into_iter()
        .collect()
}

/// Handlers that never answer, and tell when they begin and when they are dropped.
fn waiting_host() -> (Claude, mpsc::UnboundedReceiver<&'static str>) {
    struct Tell(mpsc::UnboundedSender<&'static str>);
    impl Tell {
        fn new(sender: &mpsc::UnboundedSender<&'static str>) -> Self {
            sender.send("begun").unwrap();
            Tell(sender.clone())
        }
    }
    impl Drop for Tell {
        fn drop(&mut self) {
            let _ = self.0.send("dropped");
        }
    }
    let (sender, receiver) = mpsc::unbounded_channel();
    let (for_permissions, for_hooks, for_tools) = (sender.clone(), sender.clone(), sender);
    let claude = Claude::new()
        .on_permission(move |request: PermissionRequest| {
            let tell = Tell::new(&for_permissions);
            async move {
                std::future::pending::<()>().await;
                drop(tell);
                request.allow()
            }
        })
        .hook(Hook::on(HookEvent::PreToolUse, move |_input, _call| {
            let tell = Tell::new(&for_hooks);
            async move {
                std::future::pending::<()>().await;
                drop(tell);
                HookOutput::none()
            }
        }))
        .tools([Tool::new("wait", "Waits", move |_arguments: Value, _context| {
            let tell = Tell::new(&for_tools);
            async move {
                std::future::pending::<()>().await;
                drop(tell);
                Ok("done")
            }
        })]);
    (claude, receiver)
}

/// Everything that can be waited for, at once.
async fn wait_for_all(session: &Session, death: Death, point: &str) {
    let mut events = session.events();
    let mut streamed = session.send("go");
    let (queued, steered) = (session.send("then"), session.steer("and"));
    let begun = Notify::new();
    let reading = async {
        loop {
            match streamed.next().await {
                Some(Ok(_)) => begun.notify_one(),
                Some(Err(error)) => break check_error::<()>(Err(error), death, point),
                None => panic!("{point}: the stream of the turn ended without an error"),
            }
        }
        assert!(streamed.next().await.is_none());
        check_error(streamed.await, death, point);
    };
    let listening = async { while events.next().await.is_some() {} };
    let others = async {
        tokio::join!(
            async { check_error(queued.await, death, point) },
            async { check_error(steered.await, death, point) },
            async { check_error(session.idle().await, death, point) },
            async { check_error(session.mcp_status().await, death, point) },
            async { check(&*session.exited().await, death, point) },
            // The last of them, in the midst of the turn, lets the CLI die.
            async {
                begun.notified().await;
                check_error(session.interrupt().or_terminate().await, death, point);
            },
        )
    };
    tokio::join!(reading, listening, others);
    check(&session.close().await.unwrap(), death, point);
    check(&*session.kill().await, death, point);
    check_error(session.send("too late").await, death, point);
    check_error(session.set_model(None).await, death, point);
    check_error(session.take_back(&"x".into()).await, death, point);
    assert!(session.events().next().await.is_none());
}

#[tokio::test]
async fn a_cli_that_dies_in_a_turn_is_told_to_everyone_who_waits() {
    for death in DEATHS {
        for (point, turn) in points(death) {
            let story = Story::new()
                .turn(turn)
                .on_control("interrupt", ControlFault::Silence)
                .on_control("mcp_status", ControlFault::Silence);
            let (claude, mut handlers) = waiting_host();
            let session = launched(claude, &story).await.unwrap();
            wait_for_all(&session, death, point).await;
            drop(session);
            // Handlers are dropped with the session, and their host lets go of the channel.
            let mut running = 0;
            while let Some(news) = handlers.recv().await {
                running += if news == "begun" { 1 } else { -1 };
                if running == 0 {
                    break;
                }
            }
        }
    }
}

#[tokio::test]
async fn a_cli_that_dies_between_turns_is_told_to_everyone_who_waits() {
    for death in DEATHS {
        let story = story().says("First.").on_control("mcp_status", ControlFault::Death(death));
        let session = launched(Claude::new(), &story).await.unwrap();
        let mut events = session.events();
        assert_eq!(session.send("go").await.unwrap().text, "First.");
        session.idle().await.unwrap();
        let status = session.mcp_status().await;
        check_error(status, death, "after the result");
        while events.next().await.is_some() {}
        check(&*session.exited().await, death, "after the result");
    }
}
