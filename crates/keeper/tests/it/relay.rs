//! Clients come and go; the log and the agent's own side files agree.

use insights::{HostFact, Source};
use journal::Lock;
use keeper::{Refusal, Stop, Written};
use lab::agent::{IN_FILE, OUT_FILE, Story, Turn};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

use crate::support::{Stage, prompt, until};

#[tokio::test]
async fn every_line_is_kept_and_everyone_sees_the_same() {
    let stage = Stage::new(&Story::new().turn(Turn::new().says("One.")).turn(Turn::new().says("Two."))).await;
    let (client, mut first) = stage.attach(0).await;
    assert!(matches!(client.write(Some("m1"), Some("me"), &prompt("a")).await.unwrap(), Written::Now { .. }));
    let mut seen = until(&mut first, r#""type":"result""#).await;
    drop((client, first));
    // Somebody else goes on where that one stopped.
    let (client, mut second) = stage.attach(seen.last().unwrap().seq).await;
    client.write(Some("m2"), Some("you"), &prompt("b")).await.unwrap();
    seen.extend(until(&mut second, r#""type":"result""#).await);
    client.stop(Stop::Close).await.unwrap();
    while let Some(record) = second.next().await {
        seen.push(record);
    }
    stage.running.await.unwrap().unwrap();

    let stage = Stage { running: tokio::spawn(async { Ok(()) }), ..stage };
    assert_eq!(seen, stage.log());
    assert_eq!(seen.iter().map(|record| record.seq).collect::<Vec<_>>(), (1..=seen.len() as u64).collect::<Vec<_>>());
    assert_eq!(stage.lines(|source| matches!(source, Source::Stdin { .. })), stage.side(IN_FILE));
    assert_eq!(stage.lines(|source| *source == Source::Stdout), stage.side(OUT_FILE));
    let last = HostFact::from_json(&seen.last().unwrap().line.text()).unwrap();
    assert_eq!(last, HostFact::Exited { code: Some(0), signal: None, stderr_tail: vec![], expected: true });
    assert!(!stage.socket.exists());
    assert!(!Lock::is_held(&stage.folder));
}

#[tokio::test]
async fn what_is_sent_again_is_not_written_again() {
    let stage = Stage::new(&Story::new().turn(Turn::new().says("One."))).await;
    let (client, mut records) = stage.attach(0).await;
    let Written::Now { seq } = client.write(Some("m1"), None, &prompt("a")).await.unwrap() else { panic!("refused") };
    let (other, _records) = stage.attach(0).await;
    assert_eq!(other.write(Some("m1"), None, &prompt("a")).await.unwrap(), Written::Before { seq });
    let nobody_asked = r#"{"type":"control_response","response":{"subtype":"success","request_id":"x"}}"#;
    let refused = other.write(None, None, nobody_asked).await.unwrap();
    assert!(matches!(refused, Written::Refused { why: Refusal::NotAsked, .. }), "{refused:?}");
    until(&mut records, r#""type":"result""#).await;
    client.stop(Stop::Close).await.unwrap();
    while records.next().await.is_some() {}
    assert_eq!(stage.side(IN_FILE).len(), 1);
}

#[tokio::test]
async fn a_line_that_nobody_waits_for_any_more_arrives_whole() {
    let stage = Stage::new(&Story::new().turn(Turn::new().says("One.")).turn(Turn::new().says("Two."))).await;
    let (client, mut records) = stage.attach(0).await;
    // More than a socket takes at once, as with a picture; whoever sends it is gone when half of it is written.
    let large = prompt(&"x".repeat(8 * 1024 * 1024));
    tokio::select! {
        biased;
        _ = client.write(Some("m1"), None, &large) => panic!("nobody has read it yet"),
        () = std::future::ready(()) => {}
    }
    let written = client.write(Some("m2"), None, &prompt("b")).await.unwrap();
    assert!(matches!(written, Written::Now { .. }), "{written:?}");
    until(&mut records, r#""type":"result""#).await;
    client.stop(Stop::Close).await.unwrap();
    while records.next().await.is_some() {}
    assert_eq!(stage.side(IN_FILE), [large, prompt("b")]);
}

#[tokio::test]
async fn a_client_that_cannot_be_understood_is_hung_up_on() {
    let stage = Stage::new(&Story::new().turn(Turn::new().says("One."))).await;
    let mut stream = BufReader::new(UnixStream::connect(&stage.socket).await.unwrap());
    stream.write_all(b"{\"kind\":\"attach\",\"protocol\":1,\"after\":0}\n").await.unwrap();
    let mut heard = String::new();
    stream.read_line(&mut heard).await.unwrap();
    assert!(heard.contains("hello"), "{heard}");
    stream.write_all(b"no frame\n").await.unwrap();
    stream.read_to_string(&mut heard).await.unwrap();
    let (client, mut records) = stage.attach(0).await;
    client.stop(Stop::Kill).await.unwrap();
    while records.next().await.is_some() {}
}

#[tokio::test]
async fn a_client_that_reads_nothing_holds_nobody_up() {
    let stage = Stage::new(&Story::new().turn(Turn::new().says("word ".repeat(400_000)))).await;
    let (_idle, _unread) = stage.attach(0).await;
    let (client, mut records) = stage.attach(0).await;
    client.write(None, None, &prompt("a")).await.unwrap();
    until(&mut records, r#""type":"result""#).await;
    client.stop(Stop::Kill).await.unwrap();
    while records.next().await.is_some() {}
}
