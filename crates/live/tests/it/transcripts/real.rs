//! The real CLI, run as in a terminal, and on a session of ours.

use claude_protocol::{Entry, decode_as};
use insights::record::{Traced, Traces};
use insights::state::{ItemBody, State};
use insights::{Record, UnixMillis};
use journal::{Folder, Reader, Writer};
use lab::real::pinned_versions;
use lab::{CliVersion, Launch, Script, Stage};
use live::transcripts::{Entries, Known, Projects, Transcript, append, follow, import, join};
use serde_json::{Value, json};

use super::{log, state};
use crate::same_items::disagreements;
use crate::support::in_a_terminal;

lab::on_every_version! {
    a_session_of_a_terminal_is_listed_and_imported,
    a_session_of_a_terminal_is_followed_while_it_runs,
    an_imported_session_has_the_items_that_it_had_live,
    a_session_of_ours_lacks_nothing_but_what_a_terminal_or_a_crash_made_it_lack,
}

const SESSION: &str = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";

fn touch(file: &str) -> Value {
    json!({"command": format!("touch {file}"), "description": "Make a file"})
}

fn projects(stage: &Stage) -> Projects {
    Projects::new(stage.place.home().join(".claude"))
}

/// A session of ours, with names on its prompts, as every session that is kept has them.
async fn kept(stage: &Stage, prompts: &[&str]) -> Vec<Record> {
    let launch = Launch::new().args(["--session-id", SESSION, "--replay-user-messages", "--include-partial-messages"]);
    let mut running = stage.start(launch.allowing()).await.unwrap();
    for (number, prompt) in (1..).zip(prompts) {
        let uuid = format!("99999999-0000-4000-8000-{number:012}");
        let message = json!({"role": "user", "content": [{"type": "text", "text": prompt}]});
        running.send(&json!({"type": "user", "message": message, "uuid": uuid, "session_id": ""})).await.unwrap();
        running.wait_for("the result", |line| line["type"] == "result").await.unwrap();
    }
    let mut traces = Traces::default();
    let lines = running.finish().await.unwrap().records.into_iter().map(|record| {
        let (kind, text) = match record.value {
            Some(_) => ("line", record.text),
            None => ("raw", json!(record.text).to_string()),
        };
        format!(r#"{{"dir":"{}","t":0,"{kind}":{text}}}"#, record.direction.name())
    });
    let traced: Vec<Traced> = (1..).zip(lines).filter_map(|(seq, line)| traces.read(seq, &line)).collect();
    traced
        .into_iter()
        .filter_map(|traced| if let Traced::Record(record) = traced { Some(record) } else { None })
        .collect()
}

/// A session folder with these records.
fn folder_of(data: &tempfile::TempDir, name: &str, records: &[Record]) -> Writer {
    let mut writer = Writer::open(Folder::new(data.path().join(name)), UnixMillis(1)).unwrap();
    for record in records {
        writer.append(record.at, record.source.clone(), record.line.clone()).unwrap();
    }
    writer
}

/// Appends what the log lacks, and gives the kinds of that.
fn joined(writer: &mut Writer, transcript: &Transcript) -> Vec<String> {
    let lacking = || join(&mut Reader::after(writer.folder().clone(), 0).unwrap(), transcript).unwrap();
    let kinds = lacking().map(|entry| decode_as::<Entry>(entry.unwrap().line).body.full_kind()).collect();
    let lacking = lacking();
    append(writer, UnixMillis(1), transcript, lacking).unwrap();
    kinds
}

/// What was said and done, in order.
fn told(state: &State) -> Vec<String> {
    let told = state.items.iter().filter_map(|item| match &item.body {
        ItemBody::User(item) => Some(format!("> {}", item.text.text)),
        ItemBody::Text(item) => Some(item.text.text.clone()),
        ItemBody::Tool(item) => Some(item.name.to_string()),
        _ => None,
    });
    told.collect()
}

async fn a_session_of_a_terminal_is_listed_and_imported(version: CliVersion) {
    let script = Script::new().calls("Bash", touch("made.txt")).says("Made.");
    let stage = Stage::new(version, script).await.unwrap();
    assert_eq!(projects(&stage).list(), []);
    in_a_terminal(&stage, &[], "make it").await;
    let rows = projects(&stage).list();
    assert_eq!(rows.len(), 1, "{rows:?}");
    let row = &rows[0];
    let place = stage.place.project();
    assert_eq!(row.cwd.as_deref(), place.to_str());
    assert_eq!((row.title.as_deref(), row.first_prompt.as_deref()), (Some("make it"), Some("make it")));
    assert_eq!(row.version.as_deref(), Some(&*version.to_string()));
    let transcript = projects(&stage).find(&row.session).unwrap();
    assert_eq!(transcript.path(), row.path);
    let data = tempfile::tempdir().unwrap();
    let mut writer = folder_of(&data, &row.session, &[]);
    assert!(import(&mut writer, UnixMillis(1), &transcript).unwrap() > 3);
    assert_eq!(import(&mut writer, UnixMillis(1), &transcript).unwrap(), 0);
    let imported = state(log(writer.folder()));
    assert_eq!(told(&imported), ["> make it", "Bash", "Made."]);
    assert_eq!(imported.status.words, "Asleep");
}

async fn a_session_of_a_terminal_is_followed_while_it_runs(version: CliVersion) {
    let stage = Stage::new(version, Script::new().says("Hello.")).await.unwrap();
    let path = stage.place.transcripts().join(format!("{SESSION}.jsonl"));
    let mut entries = follow(&Transcript::new(path), Known::default(), std::time::Duration::from_millis(1));
    let running = in_a_terminal(&stage, &["--session-id", SESSION], "say hello");
    let following = async {
        let mut records = Vec::new();
        let mut pending = true;
        while pending {
            let entry = entries.recv().await.unwrap().unwrap();
            pending = !matches!(decode_as::<Entry>(entry.line.clone()).body, Entry::Assistant(_));
            records.push(Record::transcript(records.len() as u64 + 1, entry.at, entry.line));
        }
        records
    };
    let ((), records) = tokio::join!(running, following);
    assert_eq!(told(&state(records)), ["> say hello", "Hello."]);
}

async fn an_imported_session_has_the_items_that_it_had_live(version: CliVersion) {
    let script = Script::new().says("First.").calls("Bash", touch("made.txt")).says("Made.");
    let stage = Stage::new(version, script).await.unwrap();
    let live = state(kept(&stage, &["hello", "make it"]).await);
    let transcript = projects(&stage).find(SESSION).unwrap();
    let imported = state(transcript.records().map(Result::unwrap));
    assert_eq!(disagreements(&live, &imported), [""; 0]);
    assert_eq!(told(&imported), ["> hello", "First.", "> make it", "Bash", "Made."]);
}

async fn a_session_of_ours_lacks_nothing_but_what_a_terminal_or_a_crash_made_it_lack(version: CliVersion) {
    let script = Script::new().says("First.").calls("Bash", touch("made.txt")).says("Made.").says("In a terminal.");
    let stage = Stage::new(version, script).await.unwrap();
    let records = kept(&stage, &["hello", "/cost", "make it"]).await;
    let transcript = projects(&stage).find(SESSION).unwrap();
    let data = tempfile::tempdir().unwrap();
    let whole = state(records.clone());
    let mut writer = folder_of(&data, "whole", &records);
    assert_eq!(joined(&mut writer, &transcript), [""; 0], "all of it was on the pipes");
    // The end of the log got lost, in the middle of the last turn.
    let cut = records.iter().rposition(|record| record.line.text().contains("\"tool_use\"")).unwrap();
    let mut crashed = folder_of(&data, "crashed", &records[..cut]);
    assert!(joined(&mut crashed, &transcript).len() > 1);
    assert_eq!(disagreements(&whole, &state(log(crashed.folder()))), [""; 0]);
    assert_eq!(joined(&mut crashed, &transcript), [""; 0]);
    // Somebody goes on in a terminal.
    in_a_terminal(&stage, &["--resume", SESSION], "and now?").await;
    assert_eq!(joined(&mut writer, &transcript), ["user", "assistant"]);
    assert_eq!(joined(&mut writer, &transcript), [""; 0]);
    let mut expected = told(&whole);
    expected.extend(["> and now?".to_owned(), "In a terminal.".to_owned()]);
    assert_eq!(told(&state(log(writer.folder()))), expected);
    let mut known = Known::default();
    log(writer.folder()).iter().for_each(|record| known.note(record));
    let mut rest = Entries::following(&transcript, known);
    while let Some(entry) = rest.next_entry().unwrap() {
        let entry = decode_as::<Entry>(entry.line).body;
        assert!(!matches!(entry, Entry::Assistant(_)), "{entry:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_that_the_user_gave_is_listed_however_long_the_session_is() {
    let script = Script::new().says("Hello.").says("x".repeat(100_000)).says("y".repeat(100_000));
    let stage = Stage::new(*pinned_versions().last().unwrap(), script).await.unwrap();
    let mut running = stage.start(Launch::new().args(["--session-id", SESSION])).await.unwrap();
    for prompt in ["hello", "more", "and more"] {
        running.user(prompt).await.unwrap();
        running.wait_for("the result", |line| line["type"] == "result").await.unwrap();
        if prompt == "hello" {
            running.control(json!({"subtype": "rename_session", "title": "The greeting"})).await.unwrap();
        }
    }
    running.finish().await.unwrap();
    let rows = projects(&stage).list();
    assert_eq!(rows[0].title.as_deref(), Some("The greeting"));
    assert!(rows[0].bytes > 200_000);
    // The CLI writes the title again after each turn; in a log it is once.
    let data = tempfile::tempdir().unwrap();
    let mut writer = folder_of(&data, SESSION, &[]);
    let lacking = joined(&mut writer, &projects(&stage).find(SESSION).unwrap());
    let turn = ["user", "assistant"];
    assert_eq!(lacking, [&turn[..], &["custom-title"], &turn, &turn].concat());
    assert_eq!(state(log(writer.folder())).status.title.as_deref(), Some("The greeting"));
}
