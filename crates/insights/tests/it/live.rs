//! The events of a running session: over the scripted agent, and over a double that says given lines.

pub(crate) mod double;

use claude_driver::{Claude, Session};
use futures_util::{Stream, StreamExt};
use insights::convert::{Nameless, RawLines};
use insights::{InsightsEvent, Profile, Record, UnixMillis, events};
use lab::agent::{Agent, Flags, OUT_FILE, Story, Turn};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{duplex, split};
use tokio::task::JoinHandle;

/// A session over an agent that plays a story, and the folder with what the agent wrote.
struct Scripted {
    session: Session,
    agent: JoinHandle<lab::agent::Ending>,
    folder: PathBuf,
}

async fn scripted(claude: Claude, story: Story) -> Scripted {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("live-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (host, theirs) = duplex(64 * 1024);
    let (agent_in, agent_out) = split(theirs);
    let flags = Flags { partial_messages: true, replay_user_messages: true, prompts_host: true, ..Flags::default() };
    let agent = Agent::new(story).unwrap().with_flags(flags).recording_in(&folder).unwrap();
    let agent = tokio::spawn(agent.run(agent_in, agent_out));
    let session = claude.start_over(split(host)).await.unwrap();
    Scripted { session, agent, folder }
}

impl Scripted {
    /// Ends the session and gives the lines that the agent wrote.
    async fn written(self) -> Vec<String> {
        self.session.close().await.unwrap();
        drop(self.session);
        self.agent.await.unwrap();
        let text = std::fs::read_to_string(self.folder.join(OUT_FILE)).unwrap();
        std::fs::remove_dir_all(&self.folder).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

async fn all(stream: impl Stream<Item = InsightsEvent>) -> Vec<InsightsEvent> {
    stream.collect().await
}

fn kinds(events: &[InsightsEvent]) -> Vec<String> {
    shown(events).iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
}

fn shown(events: &[InsightsEvent]) -> Vec<Value> {
    events.iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

/// A tool, a thought, a subagent and much text.
fn story() -> Story {
    Story::new()
        .turn(Turn::new().thinks("Hm.").calls("Bash", json!({"command": "ls"})).unasked().giving("a.txt").says("One."))
        .turn(Turn::new().floods(3_000))
}

#[tokio::test]
async fn all_consumers_see_what_a_replay_of_the_lines_gives() {
    let scripted = scripted(Claude::new(), story()).await;
    let first = events(&scripted.session, Profile::Full);
    let second = events(&scripted.session, Profile::Full);
    // Read beside the session, while the second is only read when all is over.
    let first = tokio::spawn(all(first));
    scripted.session.send("look").await.unwrap();
    scripted.session.send("flood").await.unwrap();
    let lines = scripted.written().await;
    let (first, second) = (first.await.unwrap(), all(second).await);
    assert_same(&first, &second);

    let mut replay = Vec::new();
    let mut converter = Nameless::new(Profile::Full, RawLines::Kept);
    for (seq, line) in (1..).zip(lines) {
        converter.convert_into(Record::stdout(seq, wire_time(&line), line), &mut replay);
    }
    let after_start = |events: Vec<InsightsEvent>| {
        events.into_iter().filter(|event| event.seq.is_some_and(|seq| seq > 1)).collect::<Vec<_>>()
    };
    assert_same(&after_start(first), &after_start(replay));
    let kinds = kinds(&second);
    let count = |kind: &str| kinds.iter().filter(|other| *other == kind).count();
    assert_eq!((count("turn_complete"), count("tool_invocation"), count("tool_completion")), (2, 1, 1), "{kinds:?}");
    assert!(count("stream_delta") > 3_000, "{}", count("stream_delta"));
}

/// Told by the first that differs: all of them would fill the screen.
fn assert_same(ours: &[InsightsEvent], theirs: &[InsightsEvent]) {
    assert_eq!(ours.iter().zip(theirs).find(|(ours, theirs)| ours != theirs), None);
    assert_eq!(ours.len(), theirs.len());
}

fn wire_time(line: &str) -> UnixMillis {
    insights::convert::wire_time(&line.into()).unwrap_or_default()
}

#[tokio::test]
async fn a_prompt_shows_when_it_is_taken_and_the_catalog_with_the_session() {
    let scripted = scripted(Claude::new(), Story::new().says("Hello.")).await;
    let stream = events(&scripted.session, Profile::Full);
    scripted.session.send("Say hello").await.unwrap();
    scripted.written().await;
    let events = shown(&all(stream).await);
    let of = |kind: &str| events.iter().find(|event| event["event"] == kind).unwrap_or_else(|| panic!("{events:#?}"));
    assert_eq!((&of("user_input")["text"], &of("user_input")["state"]), (&json!("Say hello"), &json!("consumed")));
    assert_eq!(of("control_result")["seq"], 0);
    assert!(of("session_init")["availableModels"].is_array(), "{}", of("session_init"));
    assert_eq!(of("text")["text"], "Hello.");
}

#[tokio::test]
async fn a_stream_ends_with_its_session_and_does_not_keep_it() {
    let scripted = scripted(Claude::new(), Story::new().says("Hello.")).await;
    let mut stream = events(&scripted.session, Profile::Core);
    let late = {
        scripted.session.send("go").await.unwrap();
        events(&scripted.session, Profile::Core)
    };
    let Scripted { session, agent, .. } = scripted;
    drop(session);
    agent.await.unwrap();
    let mut seen = Vec::new();
    while let Some(event) = stream.next().await {
        seen.push(event);
    }
    assert_eq!(kinds(&seen).last().map(String::as_str), Some("turn_complete"));
    assert_eq!(stream.next().await, None);
    assert_eq!(all(late).await, []);
}

#[tokio::test]
async fn a_line_that_is_too_long_is_a_warning_in_its_place() {
    let story = Story::new().turn(Turn::new().writes_huge_line(100_000).says("Still here."));
    let scripted = scripted(Claude::new().line_limit(50_000), story).await;
    let stream = events(&scripted.session, Profile::Full);
    scripted.session.send("go").await.unwrap();
    scripted.written().await;
    let events = shown(&all(stream).await);
    let place = events.iter().position(|event| event["event"] == "notice").unwrap();
    assert_eq!(events[place]["level"], "warning");
    assert!(events[place]["text"].as_str().unwrap().contains("too long"), "{}", events[place]);
    let seqs: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert!(seqs.is_sorted(), "{seqs:?}");
    assert!(events[place..].iter().any(|event| event["event"] == "text" && event["text"] == "Still here."));
}
