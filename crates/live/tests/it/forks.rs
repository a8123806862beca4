//! What is said elsewhere, with the real CLI offline: in a terminal on the same conversation, and in forks of it. Each thing
//! appears where it belongs.

use insights::{HostFact, Record, Source};
use lab::{CliVersion, Script};
use serde_json::json;

use crate::real::{NEWEST, OLDER, send, start};
use crate::support::{Bridge, Stage, in_a_terminal, lines};

#[tokio::test]
async fn terminals_and_forks_have_their_place_with_2_1_38() {
    terminals_and_forks_have_their_place(OLDER).await;
}

#[tokio::test]
async fn terminals_and_forks_have_their_place_with_2_1_326() {
    let Said { stage, mut bridge, session } = terminals_and_forks_have_their_place(NEWEST).await;
    // A fork of all of it takes along what was said in a terminal since.
    in_a_terminal(stage.cli(), &["--resume", &session], "once more").await;
    let forked = bridge.order(&json!({"do": "fork", "session": session})).await.unwrap();
    let fork = forked["session"].as_str().unwrap_or_else(|| panic!("{forked}")).to_owned();
    let log = stage.log(&session);
    assert_eq!(said(&log), ["Aye one.", "Aye terminal.", "Aye two.", "Aye again."]);
    assert_eq!(contents(&stage.log(&fork)[1..log.len()]), contents(&log[1..]));
    bridge.order(&json!({"do": "kill", "session": fork})).await.unwrap();
}

/// A session of which all turns were played, and that nobody keeps any more.
struct Said {
    stage: Stage,
    bridge: Bridge,
    session: String,
}

async fn terminals_and_forks_have_their_place(cli: CliVersion) -> Said {
    let words = ["Aye one.", "Aye terminal.", "Aye two.", "Aye fork.", "Aye again."];
    let stage = Stage::real(cli, words.into_iter().fold(Script::new(), Script::says)).await;
    let mut bridge = stage.bridge().await;
    let session = start(&stage, &mut bridge).await;
    send(&mut bridge, &session, 1).await;
    let look = |session: &str, turns: u32| json!({"do": "look", "session": session, "turns": turns});
    assert_eq!(bridge.order(&look(&session, 1)).await.unwrap()["turns"], 1);
    bridge.order(&json!({"do": "close", "session": session})).await.unwrap();

    // Somebody goes on in a terminal, and then here: what was said there comes before the resume.
    in_a_terminal(stage.cli(), &["--resume", &session], "from a terminal").await;
    let before = stage.log(&session).len();
    send(&mut bridge, &session, 2).await;
    assert_eq!(bridge.order(&look(&session, 2)).await.unwrap()["turns"], 2);
    let log = stage.log(&session);
    let joined = ["imported", "transcript user", "transcript assistant", "resumed", "spawned"];
    assert_eq!(kinds(&log[before..])[..joined.len()], joined);
    assert!(log[before + 1].line.text().contains("from a terminal"));
    assert_eq!(said(&log), ["Aye one.", "Aye terminal.", "Aye two."]);

    // A fork that leaves the second turn of ours out, while the agent of its parent runs.
    let cut = log.iter().find(|record| record.line.text().contains("Aye terminal.")).unwrap();
    let message = serde_json::from_str::<serde_json::Value>(&cut.line.text()).unwrap()["uuid"].clone();
    let forked = bridge.order(&json!({"do": "fork", "session": session, "at": message})).await.unwrap();
    let fork = forked["session"].as_str().unwrap_or_else(|| panic!("{forked}")).to_owned();
    assert_ne!(fork, session);
    send(&mut bridge, &fork, 3).await;
    assert_eq!(bridge.order(&look(&fork, 1)).await.unwrap()["turns"], 1);
    let its_log = stage.log(&fork);
    let common = usize::try_from(cut.seq).unwrap();
    assert_eq!(contents(&its_log[1..common]), contents(&log[1..common]), "it begins with what its parent has");
    assert_eq!(kinds(&its_log[common..])[..2], ["forked", "spawned"]);
    let fact = HostFact::from_json(&its_log[common].line.text());
    let expected =
        HostFact::Forked { session: Some(session.clone()), from: Some(session.clone()), to: Some(fork.clone()) };
    assert_eq!(fact, Some(expected));
    assert_eq!(said(&its_log), ["Aye one.", "Aye terminal.", "Aye fork."]);
    assert_eq!(heard(&stage), ["Aye one.", "Aye terminal."], "its agent knows what it says it knows");
    bridge.order(&json!({"do": "close", "session": fork})).await.unwrap();
    let stdin = |records: &[Record]| lines(records, |source| matches!(source, Source::Stdin { .. }));
    let now = stage.log(&session);
    assert_eq!((said(&now), stdin(&now)), (said(&log), stdin(&log)), "nothing was said to the parent or by it");
    bridge.order(&json!({"do": "close", "session": session})).await.unwrap();
    Said { stage, bridge, session }
}

/// Sources and lines, without the times.
fn contents(records: &[Record]) -> Vec<(Source, String)> {
    records.iter().map(|record| (record.source.clone(), record.line.text().into_owned())).collect()
}

/// What the records are, in a word or two.
fn kinds(records: &[Record]) -> Vec<String> {
    let kind = |record: &Record| {
        let line: serde_json::Value = serde_json::from_str(&record.line.text()).unwrap_or_default();
        match record.source {
            Source::Host => line["fact"].as_str().unwrap_or_default().to_owned(),
            Source::Transcript => format!("transcript {}", line["type"].as_str().unwrap_or_default()),
            _ => line["type"].as_str().unwrap_or_default().to_owned(),
        }
    };
    records.iter().map(kind).collect()
}

/// What the agent said, as whole messages.
pub(crate) fn said(records: &[Record]) -> Vec<String> {
    let words = |record: &Record| {
        let line: serde_json::Value = serde_json::from_str(&record.line.text()).ok()?;
        let text = line["message"]["content"][0]["text"].as_str().filter(|_| line["type"] == "assistant")?;
        Some(text.to_owned())
    };
    records.iter().filter_map(words).collect()
}

/// What the agent has said before, as it told the model with its last prompt.
pub(crate) fn heard(stage: &Stage) -> Vec<String> {
    let requests = stage.cli().model.story_requests();
    let messages = requests.last().unwrap().body["messages"].as_array().unwrap().clone();
    let answers = messages.iter().filter(|message| message["role"] == "assistant");
    answers.filter_map(|message| Some(message["content"][0]["text"].as_str()?.to_owned())).collect()
}
