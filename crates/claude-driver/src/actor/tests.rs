//! What an actor keeps of those who have given up waiting.

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
    assert_eq!(actor.requests.count(), 0);
    assert!(actor.waiting_for_idle.len() <= 1);
    assert!(actor.waiting_for_stop.len() <= 1);
}

#[tokio::test]
async fn a_turn_that_was_read_to_its_end_holds_up_no_lines() {
    let (session, mut actor) = at_rest();
    let mut turn = session.send("go");
    obey_all(&mut actor);
    let result = decode(r#"{"type":"result","subtype":"success","is_error":false,"result":"Done."}"#);
    let settler = actor.settlers.remove(&1).unwrap();
    let claude_protocol::FromCli::Result(body) = &result.body else { panic!("{result:?}") };
    let answer = crate::Answer::new((**body).clone(), crate::TurnCost::default(), false);
    settler.settle(0, Ok(answer));
    actor.log.append(vec![Entry::Message(result)]);
    assert_eq!(actor.log.readers(), 1);
    assert!(turn.next().await.is_some());
    assert!(turn.next().await.is_none());
    assert_eq!(actor.log.readers(), 0);
    assert!(turn.next().await.is_none());
    assert_eq!(turn.await.unwrap().text, "Done.");
}
