//! Faults that were found once.

use std::pin::Pin;
use std::process::ExitStatus;
use std::time::Duration;

use claude_driver::protocol::FromCli;
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

