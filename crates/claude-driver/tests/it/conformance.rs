//! What today's SDKs get wrong, one test for each: see the module docs of `claude_driver`.

use std::sync::Arc;
use std::time::Duration;

use claude_driver::protocol::FromCli;
use claude_driver::{Claude, Decision, Error, Event, PermissionRequest, TurnEnd};
use futures_util::StreamExt;
use lab::agent::{ControlFault, Death, Flood, Step, Story, Turn};
use serde_json::json;
use tokio::sync::{Notify, mpsc};

use crate::support::{events, kinds, scripted};

fn assistant(block: &serde_json::Value) -> String {
    json!({"type": "assistant", "message": {"id": "m", "role": "assistant", "content": [block]}}).to_string()
}

#[tokio::test]
async fn what_is_unknown_arrives_and_the_turn_goes_on() {
    let news = json!({"type": "news", "of": "tomorrow"}).to_string();
    let block = assistant(&json!({"type": "hologram", "depth": 3}));
    let thinking = assistant(&json!({"type": "thinking", "thinking": "hm"}));
    let story = Story::new()
        .turn(Turn::new().writes(&news).writes(&block).writes(&thinking).writes("npm warn: not JSON").says("Done."));
    let scripted = scripted(Claude::new(), story).await;
    let mut turn = scripted.session.send("go");
    let events = events(&mut turn).await;
    let lines: Vec<String> = events
        .iter()
        .filter_map(|event| match event {
            Event::Message(message) => Some(message.line.text().into_owned()),
            _ => None,
        })
        .collect();
    for line in [&news, &block, &thinking, &"npm warn: not JSON".to_owned()] {
        assert!(lines.contains(line), "{line} is missing in {lines:#?}");
    }
    assert_eq!(turn.await.unwrap().text, "Done.");
}

#[tokio::test]
async fn much_and_large_lines_pass() {
    let story = Story::new()
        .turn((0..60).fold(Turn::new(), |turn, _| turn.writes_huge_line(200_000)).says("Much."))
        .turn(Turn::new().writes_huge_line(5_000_000).says("Large."));
    let scripted = scripted(Claude::new(), story).await;
    let mut turn = scripted.session.send("much");
    let read: usize = events(&mut turn).await.iter().map(bytes).sum();
    assert!(read >= 12_000_000, "{read}");
    assert_eq!(turn.await.unwrap().text, "Much.");
    assert_eq!(scripted.session.send("large").await.unwrap().text, "Large.");
}

fn bytes(event: &Event) -> usize {
    if let Event::Message(message) = event { message.line.bytes().len() } else { 0 }
}

#[tokio::test]
async fn a_line_over_the_limit_is_an_event_and_not_the_end() {
    let story = Story::new().turn(Turn::new().writes_huge_line(100_000).says("Still here."));
    let scripted = scripted(Claude::new().line_limit(50_000), story).await;
    let mut turn = scripted.session.send("go");
    let events = events(&mut turn).await;
    let too_long: Vec<u64> = events
        .iter()
        .filter_map(|event| if let Event::TooLong { bytes } = event { Some(*bytes) } else { None })
        .collect();
    assert_eq!(too_long.len(), 1);
    assert!(too_long[0] >= 100_000);
    assert_eq!(turn.await.unwrap().text, "Still here.");
}

#[tokio::test]
async fn a_permission_is_asked_for_and_the_result_of_the_tool_is_seen() {
    let story =
        Story::new().turn(Turn::new().calls("Bash", json!({"command": "ls"})).asking().giving("a.txt").says("One."));
    let claude = Claude::new().on_permission(|request| async move {
        assert_eq!(request.tool_name, "Bash");
        request.allow()
    });
    let scripted = scripted(claude, story).await;
    let mut turn = scripted.session.send("go");
    let events = events(&mut turn).await;
    let results: Vec<&FromCli> =
        events.iter().filter_map(Event::message).filter(|message| message.kind() == "user").collect();
    assert!(
        results
            .iter()
            .any(|message| matches!(message, FromCli::User(user) if user.message.content.tool_results().count() == 1)),
        "{:?}",
        kinds(&events)
    );
    assert_eq!(turn.await.unwrap().text, "One.");
}

#[tokio::test]
async fn messages_flow_while_a_handler_thinks() {
    let seen = Arc::new(Notify::new());
    let go_on = Arc::clone(&seen);
    let claude = Claude::new().on_permission(move |request: PermissionRequest| {
        let go_on = Arc::clone(&go_on);
        async move {
            go_on.notified().await;
            request.allow()
        }
    });
    let story =
        Story::new().turn(Turn::new().opens_ask("a", "Bash", json!({})).says("Meanwhile.").awaits("a").says("Done."));
    let scripted = scripted(claude, story).await;
    let mut turn = scripted.session.send("go");
    while let Some(event) = turn.next().await {
        if event.unwrap().text() == Some("Meanwhile.") {
            seen.notify_one();
        }
    }
    assert_eq!(turn.await.unwrap().end, TurnEnd::Completed);
}

#[tokio::test]
async fn a_request_that_is_withdrawn_stops_its_handler_and_gets_no_answer() {
    let (dropped, mut drops) = mpsc::unbounded_channel();
    struct Tell(mpsc::UnboundedSender<()>);
    impl Drop for Tell {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }
    let claude = Claude::new().on_permission(move |request: PermissionRequest| {
        let tell = Tell(dropped.clone());
        async move {
            std::future::pending::<()>().await;
            drop(tell);
            request.allow()
        }
    });
    let story = Story::new().turn(Turn::new().opens_ask("a", "Bash", json!({})).withdraws("a").says("Never mind."));
    let scripted = scripted(claude, story).await;
    assert_eq!(scripted.session.send("go").await.unwrap().text, "Never mind.");
    assert_eq!(drops.recv().await, Some(()));
    let answers = scripted.read_by_agent().await.into_iter().filter(|line| line["type"] == "control_response").count();
    assert_eq!(answers, 0);
}

#[tokio::test]
async fn a_request_given_away_can_be_answered_elsewhere_and_knows_when_it_is_withdrawn() {
    let (given, mut taken) = mpsc::unbounded_channel();
    let claude = Claude::new().on_permission(move |request: PermissionRequest| {
        let given = given.clone();
        async move {
            given.send(request).unwrap();
        }
    });
    let story = Story::new().turn(
        Turn::new()
            .opens_ask("a", "Bash", json!({}))
            .opens_ask("b", "Edit", json!({}))
            .withdraws("a")
            .awaits("b")
            .says("Done."),
    );
    let scripted = scripted(claude, story).await;
    let turn = scripted.session.send("go");
    let mut first: PermissionRequest = taken.recv().await.unwrap();
    let second = taken.recv().await.unwrap();
    first.withdrawn().await;
    assert!(first.is_withdrawn() && !second.is_withdrawn());
    assert_eq!(first.allow(), Decision::Allowed);
    assert_eq!(second.deny("no"), Decision::Denied);
    assert_eq!(turn.await.unwrap().text, "Done.");
    let answers: Vec<_> =
        scripted.read_by_agent().await.into_iter().filter(|line| line["type"] == "control_response").collect();
    assert_eq!(answers.len(), 1, "{answers:#?}");
    assert_eq!(answers[0]["response"]["response"]["behavior"], "deny");
}

#[tokio::test]
async fn a_dropped_request_and_a_panicking_handler_deny() {
    let claude = Claude::new().on_permission(|request: PermissionRequest| async move {
        if request.tool_name == "Bash" {
            panic!("the handler fails");
        }
        drop(request);
    });
    let story = Story::new().turn(
        Turn::new()
            .opens_ask("a", "Bash", json!({}))
            .awaits("a")
            .opens_ask("b", "Edit", json!({}))
            .awaits("b")
            .says("Done."),
    );
    let scripted = scripted(claude, story).await;
    assert_eq!(scripted.session.send("go").await.unwrap().text, "Done.");
    let behaviors: Vec<String> = scripted
        .read_by_agent()
        .await
        .into_iter()
        .filter(|line| line["type"] == "control_response")
        .map(|line| line["response"]["response"]["behavior"].to_string())
        .collect();
    assert_eq!(behaviors, ["\"deny\"", "\"deny\""]);
}

#[tokio::test]
async fn a_request_of_the_cli_that_nobody_knows_gets_an_error() {
    let story = Story::new().turn(Turn::new().requests("divine_the_future", json!({"days": 1})).says("Done."));
    let scripted = scripted(Claude::new(), story).await;
    assert_eq!(scripted.session.send("go").await.unwrap().text, "Done.");
    let answers: Vec<_> =
        scripted.read_by_agent().await.into_iter().filter(|line| line["type"] == "control_response").collect();
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["response"]["subtype"], "error");
}

#[tokio::test]
async fn a_refused_request_is_an_error_and_a_second_answer_does_no_harm() {
    let story = Story::new()
        .on_control("set_model", ControlFault::Error("no such model".to_owned()))
        .on_control("set_permission_mode", ControlFault::Twice)
        .says("Hello.");
    let scripted = scripted(Claude::new(), story).await;
    let refused = scripted.session.set_model(Some("x")).await;
    assert!(matches!(&refused, Err(Error::Refused { message, .. }) if message == "no such model"), "{refused:?}");
    scripted.session.set_permission_mode(claude_driver::protocol::permission::PermissionMode::Plan).await.unwrap();
    scripted.session.mcp_status().await.unwrap();
    assert_eq!(scripted.session.send("go").await.unwrap().text, "Hello.");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_never_answered_times_out() {
    let story = Story::new().on_control("mcp_status", ControlFault::Silence).says("Hello.");
    let scripted = scripted(Claude::new().request_time_limit(Duration::from_secs(7)), story).await;
    let result = scripted.session.mcp_status().await;
    assert!(matches!(&result, Err(Error::TimedOut { request, .. }) if request == "mcp_status"), "{result:?}");
    assert_eq!(scripted.session.send("go").await.unwrap().text, "Hello.");
}

#[tokio::test]
async fn everyone_is_told_when_the_cli_dies() {
    let story = Story::new()
        .on_control("mcp_status", ControlFault::Death(Death::Code(3)))
        .turn(Turn::new().says("Working.").hangs());
    let scripted = scripted(Claude::new(), story).await;
    let mut turn = scripted.session.send("go");
    let waiting = scripted.session.send("and then");
    while !matches!(turn.next().await, Some(Ok(event)) if event.text() == Some("Working.")) {}
    let status = scripted.session.mcp_status().await;
    assert!(matches!(status, Err(Error::Exited(_))), "{status:?}");
    let last = loop {
        match turn.next().await {
            Some(Ok(_)) => {}
            last => break last,
        }
    };
    assert!(matches!(last, Some(Err(Error::Exited(_)))), "{last:?}");
    assert!(turn.next().await.is_none());
    assert!(matches!(turn.await, Err(Error::Exited(_))));
    assert!(matches!(waiting.await, Err(Error::Exited(_))));
    assert!(matches!(scripted.session.idle().await, Err(Error::Exited(_))));
    assert!(matches!(scripted.session.send("again").await, Err(Error::Exited(_))));
}

#[tokio::test]
async fn requests_are_answered_while_a_hundred_thousand_lines_wait() {
    let claude = Claude::new().memory_limit(1 << 20).on_permission(|request: PermissionRequest| async move {
        if request.tool_name == "Bash" {
            std::future::pending::<()>().await;
        }
        request.allow()
    });
    let flood = Step::Flood(Flood { deltas: 100_000, line_bytes: 0, endless: true });
    let story = Story::new().turn(
        Turn::new()
            .opens_ask("asleep", "Bash", json!({}))
            .then(flood)
            .opens_ask("second", "Edit", json!({}))
            .awaits("second")
            .behind("answered")
            .says("Done."),
    );
    let scripted = scripted(claude, story).await;
    let mut reader = scripted.session.events();
    let turn = scripted.session.send("go");
    scripted.session.set_model(Some("other")).await.unwrap();
    scripted.gates.release("answered");
    assert_eq!(turn.await.unwrap().text, "Done.");
    // And the slow reader has missed nothing.
    scripted.session.close().await.unwrap();
    let mut deltas = 0;
    while let Some(event) = reader.next().await {
        deltas += u64::from(
            matches!(event.message(), Some(FromCli::StreamEvent(event)) if event.event.kind() == "content_block_delta"),
        );
    }
    assert!(deltas >= 100_000, "{deltas}");
}

#[tokio::test]
async fn a_turn_that_the_cli_starts_by_itself_is_not_taken_for_mine() {
    let foreign = json!({
        "type": "result", "subtype": "success", "is_error": false, "result": "The task says 7.",
        "origin": {"kind": "task-notification"}, "total_cost_usd": 0.5,
    });
    let story = Story::new().turn(Turn::new().writes(foreign.to_string()).says("Mine."));
    let scripted = scripted(Claude::new(), story).await;
    let mut turn = scripted.session.send("go");
    let seen = kinds(&events(&mut turn).await);
    assert_eq!(seen.iter().filter(|kind| *kind == "result/success").count(), 2, "{seen:?}");
    assert_eq!(turn.await.unwrap().text, "Mine.");
}
