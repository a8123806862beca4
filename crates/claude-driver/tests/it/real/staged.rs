//! A scripted model, a private place and an installed CLI in; a configuration that starts this CLI there out.

use std::sync::Arc;
use std::time::Duration;

use claude_driver::protocol::FromCli;
use claude_driver::{Claude, Decision, Event, Events, PermissionRequest, Turn};
use futures_util::StreamExt;
use lab::{CliVersion, Script, Stage};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// The model that the CLI is started with.
pub(super) const MODEL: &str = "claude-sonnet-4-5-20250929";

/// How long anything may take. Generous: it is there to end a hung test with words, not to measure.
const PATIENCE: Duration = Duration::from_secs(50);

pub(super) async fn stage(cli: CliVersion, script: Script) -> Stage {
    Stage::new(cli, script).await.unwrap_or_else(|error| panic!("{error}"))
}

/// The CLI of the stage, in its project, with no environment but the lab's.
pub(super) fn claude(stage: &Stage) -> Claude {
    let claude = Claude::new().program(stage.program().unwrap()).cwd(stage.place.project()).model(MODEL).env_clear();
    stage.environment().into_iter().fold(claude, |claude, (name, value)| claude.env(name, value))
}

/// The same with a handler that gives every permission request to the test.
pub(super) fn asking(claude: Claude) -> (Claude, mpsc::UnboundedReceiver<PermissionRequest>) {
    let (given, taken) = mpsc::unbounded_channel();
    let given = Arc::new(given);
    let claude = claude.on_permission(move |request: PermissionRequest| {
        let given = Arc::clone(&given);
        async move {
            // A test that is over has no more to say: the request is dropped, which denies it.
            let _ = given.send(request);
            Decision::Elsewhere
        }
    });
    (claude, taken)
}

/// A command for the model to call.
pub(super) fn bash(command: &str) -> Value {
    json!({"command": command, "description": "Work"})
}

/// Waits, but not for ever.
pub(super) async fn soon<T>(what: &str, waiting: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| panic!("waited in vain for {what}"))
}

/// The next permission request.
pub(super) async fn asked(requests: &mut mpsc::UnboundedReceiver<PermissionRequest>) -> PermissionRequest {
    soon("a permission request", requests.recv()).await.unwrap()
}

/// Reads a turn up to a text.
pub(super) async fn read_up_to(turn: &mut Turn, text: &str) {
    let reading = async {
        while let Some(event) = turn.next().await {
            if event.unwrap().text().is_some_and(|piece| piece.contains(text)) {
                return;
            }
        }
        panic!("the turn ended without {text}");
    };
    soon(text, reading).await;
}

/// Reads a session up to a message that `find` takes.
pub(super) async fn find<T>(events: &mut Events, what: &str, mut find: impl FnMut(&FromCli) -> Option<T>) -> T {
    let reading = async {
        while let Some(event) = events.next().await {
            if let Some(found) = event.message().and_then(&mut find) {
                return found;
            }
        }
        panic!("the session ended without {what}");
    };
    soon(what, reading).await
}

/// The messages among the events of a turn, and the turn to be awaited.
pub(super) async fn messages(turn: &mut Turn) -> Vec<FromCli> {
    let events = soon("the end of the turn", turn.map(Result::unwrap).collect::<Vec<Event>>()).await;
    events.iter().filter_map(Event::message).cloned().collect()
}

/// What the CLI sent to the model with each request of the story, as text.
pub(super) fn sent(stage: &Stage) -> Vec<String> {
    stage.model.story_requests().iter().map(|request| request.body["messages"].to_string()).collect()
}

/// What the CLI sent to the model last.
pub(super) fn last_sent(stage: &Stage) -> String {
    sent(stage).pop().unwrap()
}
