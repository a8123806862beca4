//! The last conversation of a folder is gone on with, with the real CLI offline: found, whoever held it, with all that was
//! said, in one session however often, and not beside somebody else.

use insights::HostFact;
use lab::{CliVersion, Launch, Script};
use serde_json::{Value, json};

use crate::forks::{heard, said};
use crate::real::{NEWEST, OLDER, send};
use crate::support::{Bridge, Stage, facts, in_a_terminal};

#[tokio::test]
async fn the_last_conversation_of_a_folder_is_gone_on_with_2_1_38() {
    the_last_conversation_of_a_folder_is_gone_on_with(OLDER).await;
}

#[tokio::test]
async fn the_last_conversation_of_a_folder_is_gone_on_with_2_1_326() {
    the_last_conversation_of_a_folder_is_gone_on_with(NEWEST).await;
}

async fn the_last_conversation_of_a_folder_is_gone_on_with(cli: CliVersion) {
    let words = ["Aye earlier.", "Aye terminal.", "Aye here.", "Aye again."];
    let stage = Stage::real(cli, words.into_iter().fold(Script::new(), Script::says)).await;
    let mut bridge = stage.bridge().await;
    let nothing = go_on(&stage, &mut bridge, &json!({})).await;
    assert!(nothing["error"].as_str().is_some_and(|error| error.contains("nothing to go on with")), "{nothing}");

    // One of a terminal is taken in, with what was said there. No other test may have its name: whoever works on it is told.
    let [earlier, session] = [(); 2].map(|()| uuid::Uuid::new_v4().to_string());
    in_a_terminal(stage.cli(), &["--session-id", &earlier], "first of all").await;
    in_a_terminal(stage.cli(), &["--session-id", &session], "from a terminal").await;
    let gone_on = go_on(&stage, &mut bridge, &json!({"maxTurns": 7})).await;
    assert_eq!(gone_on["session"], session, "{gone_on}");
    send(&mut bridge, &session, 1).await;
    look(&mut bridge, &session, 1).await;
    assert_eq!(said(&stage.log(&session)), ["Aye terminal.", "Aye here."]);
    assert_eq!(heard(&stage), ["Aye terminal."], "its agent knows what it says it knows");
    // Whoever works on it already goes on as it does.
    let running = go_on(&stage, &mut bridge, &json!({"maxTurns": 9})).await;
    assert!(running["error"].as_str().is_some_and(|error| error.contains("runs already")), "{running}");

    // From now on it is one of ours: no second session comes of it, and what it was started with is kept.
    bridge.order(&json!({"do": "close", "session": session})).await.unwrap();
    let wrong = go_on(&stage, &mut bridge, &json!({"mode": "nonsense"})).await;
    assert!(wrong["error"].as_str().is_some_and(|error| error.contains("nonsense")), "{wrong}");
    let again = go_on(&stage, &mut bridge, &json!({"appendSystemPrompt": "Be brief."})).await;
    assert_eq!(again["session"], session, "{again}");
    send(&mut bridge, &session, 2).await;
    look(&mut bridge, &session, 2).await;
    assert_eq!(said(&stage.log(&session)), ["Aye terminal.", "Aye here.", "Aye again."]);
    let kept = live::Options::load(&stage.folder(&session)).unwrap();
    assert_eq!((kept.max_turns, kept.append_system_prompt.as_deref()), (Some(7), Some("Be brief.")));
    bridge.order(&json!({"do": "close", "session": session})).await.unwrap();

    // Somebody else is at it.
    let other = stage.cli().start(Launch::new().args(["--resume", &session])).await.unwrap();
    let refused = go_on(&stage, &mut bridge, &json!({})).await;
    assert!(refused["error"].as_str().is_some_and(|error| error.contains("another program")), "{refused}");
    other.finish().await.unwrap();
    let sessions = std::fs::read_dir(stage.path().join("sessions")).unwrap().count();
    assert_eq!(sessions, 1);
    let started = facts(&stage.log(&session)).into_iter().filter(|fact| matches!(fact, HostFact::Spawned { .. }));
    assert_eq!(started.count(), 2);
}

async fn go_on(stage: &Stage, bridge: &mut Bridge, options: &Value) -> Value {
    let mut options = options.clone();
    options["cwd"] = json!(stage.work());
    bridge.order(&json!({"do": "continue", "options": options})).await.unwrap()
}

async fn look(bridge: &mut Bridge, session: &str, turns: u32) {
    let seen = bridge.order(&json!({"do": "look", "session": session, "turns": turns})).await.unwrap();
    assert_eq!(seen["turns"], turns, "{seen}");
}
