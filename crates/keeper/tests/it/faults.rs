//! What goes wrong, and what the user is told.

use insights::{HostFact, Source};
use journal::Folder;
use keeper::{Client, Error, FromKeeper, PROTOCOL, Stop, keep, now};
use lab::agent::{IN_FILE, OUT_FILE, Story, Turn};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixListener;
use tokio::sync::oneshot;

use crate::support::{Stage, launch, prompt, until};

/// Plays one turn and ends the agent; all that it wrote must be in the log.
async fn played(story: Story) -> Stage {
    let stage = Stage::new(&story).await;
    let (client, mut records) = stage.attach(0).await;
    client.write(Some("m1"), None, &prompt("go")).await.unwrap();
    until(&mut records, r#""type":"result""#).await;
    client.stop(Stop::Close).await.unwrap();
    while records.next().await.is_some() {}
    let Stage { place, folder, socket, running } = stage;
    running.await.unwrap().unwrap();
    let stage = Stage { place, folder, socket, running: tokio::spawn(async { Ok(()) }) };
    assert_eq!(stage.lines(|source| *source == Source::Stdout), stage.side(OUT_FILE));
    assert_eq!(stage.lines(|source| matches!(source, Source::Stdin { .. })), stage.side(IN_FILE));
    stage
}

#[tokio::test]
async fn a_line_of_ten_megabytes_is_kept() {
    let stage = played(Story::new().turn(Turn::new().writes_huge_line(10 << 20).says("Done."))).await;
    let longest = stage.log().iter().map(|record| record.line.bytes().len()).max();
    assert!(longest >= Some(10 << 20), "{longest:?}");
}

#[tokio::test]
async fn a_flood_of_lines_is_kept() {
    let stage = played(Story::new().turn(Turn::new().floods(100_000).says("Done."))).await;
    assert!(stage.log().len() > 100_000);
}

#[tokio::test]
async fn garbage_and_half_lines_are_kept_as_they_are() {
    let turn = Turn::new().writes("no JSON").writes("[1, 2").writes("").writes_part(r#"{"type":"#).dies(7);
    let stage = Stage::new(&Story::new().turn(turn)).await;
    let (client, mut records) = stage.attach(0).await;
    client.write(None, None, &prompt("go")).await.unwrap();
    let mut seen = Vec::new();
    while let Some(record) = records.next().await {
        seen.push(record);
    }
    let said: Vec<String> =
        seen.iter().filter(|record| record.source == Source::Stdout).map(|record| record.line.text().into()).collect();
    assert!(said.ends_with(&["no JSON", "[1, 2", "", r#"{"type":"#].map(str::to_owned)), "{said:#?}");
    let last = HostFact::from_json(&seen.last().unwrap().line.text()).unwrap();
    assert!(matches!(last, HostFact::Exited { code: Some(7), expected: false, .. }), "{last:?}");
}

#[tokio::test]
async fn two_keepers_on_one_folder_are_one_too_many() {
    let story = Story::new().turn(Turn::new().says("Hello."));
    let stage = Stage::new(&story).await;
    let launch = launch(&stage.place, &story).await;
    let (ready, _is_ready) = oneshot::channel();
    let error = keep(stage.folder.clone(), &launch, now, ready).await.unwrap_err();
    assert!(error.to_string().contains("is in use by another process"), "{error}");
    // The first one is not disturbed.
    let (client, mut records) = stage.attach(0).await;
    client.write(None, None, &prompt("go")).await.unwrap();
    until(&mut records, r#""type":"result""#).await;
    client.stop(Stop::Kill).await.unwrap();
    while records.next().await.is_some() {}
}

#[tokio::test]
async fn an_agent_that_cannot_be_started_is_an_error_and_in_the_log() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path().join("s1"));
    let mut launch = launch(&place, &Story::new()).await;
    launch.program = "/no/such/program".to_owned();
    let (ready, _is_ready) = oneshot::channel();
    let error = keep(folder.clone(), &launch, now, ready).await.unwrap_err();
    assert!(matches!(error, Error::Spawn { .. }), "{error}");
    assert!(!launch.socket.exists());
    let mut reader = journal::Reader::after(folder, 0).unwrap();
    let facts = std::iter::from_fn(|| reader.next_record().unwrap());
    let last = facts.last().and_then(|record| HostFact::from_json(&record.line.text())).unwrap();
    assert!(matches!(&last, HostFact::Exited { stderr_tail, .. } if stderr_tail[0].contains("/no/such/program")));
}

/// A keeper of another build, as far as its socket shows: it says hello, then these lines.
async fn keeper_of_another_build(hello: String, then: &'static [&'static str]) -> Result<Vec<u64>, Error> {
    let place = tempfile::tempdir().unwrap();
    let socket = place.path().join("socket");
    let listener = UnixListener::bind(&socket).unwrap();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let (from, mut to) = stream.into_split();
        BufReader::new(from).lines().next_line().await.unwrap();
        to.write_all(format!("{hello}\n").as_bytes()).await.unwrap();
        for line in then {
            to.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        }
    });
    let (_client, _, mut records) = Client::attach(&socket, 0).await?;
    let mut seen = Vec::new();
    while let Some(record) = records.next().await {
        seen.push(record.seq);
    }
    Ok(seen)
}

fn hello(protocol: u32) -> String {
    let hello = FromKeeper::Hello { protocol, build: "0.0.1".to_owned(), pid: 1, agent_pid: None, last_seq: 2 };
    // With a field that nobody knows yet.
    serde_json::to_string(&hello).unwrap().replacen('{', r#"{"mood":"good","#, 1)
}

#[tokio::test]
async fn a_keeper_from_another_build_is_understood_or_says_why_not() {
    let lines = [
        r#"{"seq":1,"at":1,"source":"stdout","line":{}}"#,
        r#"{"kind":"somethingNew","with":[1,2]}"#,
        r#"{"seq":2,"at":1,"source":"stdout","line":{},"more":true}"#,
    ];
    let lines: &'static [&'static str] = lines.to_vec().leak();
    assert_eq!(keeper_of_another_build(hello(PROTOCOL), lines).await.unwrap(), [1, 2]);
    let error = keeper_of_another_build(hello(PROTOCOL + 1), lines).await.unwrap_err();
    assert!(matches!(error, Error::Protocol { .. }), "{error}");
    assert!(error.to_string().contains("version 2"), "{error}");
}
