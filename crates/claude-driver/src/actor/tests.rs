//! What an actor keeps of those who have given up waiting.

use claude_protocol::FromCli;
use futures_util::{FutureExt, StreamExt};
use tokio::io::{empty, sink};

use super::*;
use crate::handlers::Handlers;
use crate::session::{Facts, Running, Session};

/// A session and its actor, which does only what a test tells it to.
fn at_rest() -> (Session, Actor) {
    let patience = Patience { grace: Duration::ZERO, after_signal: Duration::ZERO };
    let running = Running { line_limit: 1024, memory_limit: 1024, partial: true, patience };
    let facts = Facts { request_limit: Duration::from_secs(60), ..Facts::default() };
    let (session, orders) = Session::unheard(&running, facts);
    #[cfg(feature = "tools")]
    let asks = {
        let (notify, news) = mpsc::unbounded_channel();
        Asks::new(Arc::new(Handlers::default()), crate::tools::ServedTools::start(&[], notify), news)
    };
    #[cfg(not(feature = "tools"))]
    let asks = Asks::new(Arc::new(Handlers::default()));
    let shared = Arc::clone(&session.shared);
    (session, Actor::new(Parts::new(empty(), sink()), 1024, orders, asks, shared, patience))
}

fn obey_all(actor: &mut Actor) {
    while let Ok(order) = actor.orders.try_recv() {
        actor.obey(order);
    }
}

#[tokio::test]
async fn whoever_gives_up_waiting_leaves_nothing_behind() {
    let (session, mut actor) = at_rest();
    let _turn = session.send("go");
    for _ in 0..100 {
        assert!(session.mcp_status().now_or_never().is_none());
        assert!(session.interrupt().into_future().now_or_never().is_none());
        assert!(session.idle().now_or_never().is_none());
        obey_all(&mut actor);
    }
    assert_eq!(actor.affairs.requests.count(), 0);
    assert!(actor.waiting_for_idle.len() <= 1);
    assert!(actor.affairs.waiting_for_stop.len() <= 1);
}

#[tokio::test]
async fn a_turn_that_was_read_to_its_end_holds_up_no_lines() {
    let (session, mut actor) = at_rest();
    let mut turn = session.send("go");
    obey_all(&mut actor);
    let result = decode(r#"{"type":"result","subtype":"success","is_error":false,"result":"Done."}"#);
    let settler = actor.affairs.settlers.remove(&1).unwrap();
    let FromCli::Result(body) = &result.body else { panic!("{result:?}") };
    let answer = crate::Answer::new((**body).clone(), crate::TurnCost::default(), false);
    settler.settle(0, Ok(answer));
    let mut entries = Entries::default();
    entries.push(result);
    actor.log.append(entries);
    assert_eq!(actor.log.readers(), 1);
    assert!(turn.next().await.is_some());
    assert!(turn.next().await.is_none());
    assert_eq!(actor.log.readers(), 0);
    assert!(turn.next().await.is_none());
    assert_eq!(turn.await.unwrap().text, "Done.");
}

#[tokio::test]
async fn a_streamed_line_is_left_to_its_readers_whatever_becomes_of_it() {
    let (session, mut actor) = at_rest();
    let streamed = std::str::from_utf8(STREAMED).unwrap();
    // Whole, of another kind on second thoughts, cut off, no JSON, and none at all.
    let ends = [r#","event":{"type":"ping"}}"#, r#","type":"result","subtype":"success"}"#, ",\"ev", ":1}", ""];
    let lines: Vec<String> = ends.iter().map(|end| format!("{streamed}{end}")).collect();
    actor.stdout = Lines::new(Box::new(std::io::Cursor::new(lines.join("\n") + "\n")), 1024);
    let mut events = session.events();
    let read = actor.stdout.fill().await;
    actor.take_stdout(read);
    for line in lines {
        let Some(Some(crate::Event::Message(message))) = events.next().now_or_never() else { panic!("{line}") };
        assert_eq!(*message, decode(line));
        assert!(matches!(message.body, FromCli::StreamEvent(_) | FromCli::NotJson(_)), "{message:?}");
    }
}
