//! Sessions whose keeper stands here: it greets as a keeper does, and then does what nobody could make a real one do.

use insights::{HostFact, Source};
use journal::{Data, Desk, HeldRow, Writer};
use keeper::{FromKeeper, PROTOCOL, Refusal, ToKeeper};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::{JoinHandle, JoinSet};

use super::book::{Book, Operation};
use super::sample;
use crate::client::Reply;
use crate::deck::Deck;

/// A message of which nobody knows whether the agent of before took it.
const LOST: &str = "00000000-0000-4000-8000-000000000001";

/// A message that is on its way to the agent.
const SENT: &str = "00000000-0000-4000-8000-000000000002";

/// A question of the agent.
const ASK: &str = "ask";

/// What a keeper does with whatever is for the agent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    /// It dies.
    Dies,
    /// It says that the agent has ended.
    Refuses,
    /// It passes it on; the agent says no.
    SaysNo,
    /// It passes it on; the agent says nothing.
    Nothing,
    /// It closes the connection at once, and is still there.
    HangsUp,
}

/// A session with such a keeper.
struct Kept {
    id: String,
    /// The record of the message that may be lost.
    lost: u64,
    keeping: JoinHandle<Writer>,
}

impl Kept {
    fn start(deck: &Deck, does: Does, is_busy: bool) -> Kept {
        let (id, mut writer) = new_log(deck);
        let socket = deck.path().join(&id[..8]);
        let listener = UnixListener::bind(&socket).unwrap();
        std::os::unix::fs::symlink(&socket, deck.folder(&id).path().join("socket")).unwrap();
        let lost = if is_busy { busy(&mut writer) } else { 0 };
        Kept { id, lost, keeping: tokio::spawn(keep(listener, writer, does)) }
    }

    /// What a path of such a session names.
    fn values(&self, operation: &Operation) -> [String; 2] {
        let part = match operation.path.rsplit('/').find(|part| part.starts_with('{')) {
            Some("{seq}") => self.lost.to_string(),
            Some("{message}") => SENT.to_owned(),
            Some("{ask}") => ASK.to_owned(),
            _ => "none".to_owned(),
        };
        [self.id.clone(), part]
    }
}

/// Whoever asks something of an agent that does not answer. They are told so in the end.
pub(super) async fn unanswered(deck: &Deck, book: &Book) -> JoinSet<(String, Reply)> {
    let mut asked = JoinSet::new();
    for operation in book.with(&["no_answer", "agent_refused"]) {
        let kept = Kept::start(deck, Does::Nothing, true);
        let [session, part] = kept.values(&operation);
        let (query, body) = sample(&operation.name, deck, &session);
        let path = format!("{}{query}", super::book::filled(&operation.path, &[&session, &part]));
        let client = book.client.clone();
        asked.spawn(async move {
            let reply = match operation.changes() {
                true => client.change(&operation.method, &path, &body).await,
                false => client.get(&path).await,
            };
            (operation.name, reply.unwrap())
        });
    }
    asked
}

/// Whatever is asked of agents that refuse, have ended, or whose keeper dies.
pub(super) async fn by_others(book: &mut Book, deck: &Deck) {
    for operation in book.with(&["not_running", "unreachable", "agent_refused"]) {
        for does in [Does::Dies, Does::Refuses, Does::SaysNo] {
            // What waits is sent to an agent that has nothing to do.
            let waits = operation.path.ends_with("/go-on");
            let kept = Kept::start(deck, does, !waits);
            if waits {
                hold(deck, &kept.id);
            }
            let [session, part] = kept.values(&operation);
            let (query, body) = sample(&operation.name, deck, &session);
            book.ask(&format!("{}{query}", operation.name), &[&session, &part], &body).await;
        }
    }
    let kept = Kept::start(deck, Does::Nothing, true);
    let bypass = json!({"mode": "bypassPermissions"});
    book.must("not_allowed", "PATCH /api/v1/sessions/{id}/settings", &[&kept.id], &bypass).await;
    let answers = "POST /api/v1/sessions/{id}/asks/{ask}";
    let remember = json!({"decision": {"kind": "allow", "remember": [{"suggestion": 0}]}});
    book.must("not_allowed", answers, &[&kept.id, ASK], &remember).await;
    book.must("not_asked", answers, &[&kept.id], &json!({"decision": {"kind": "allow"}})).await;

    // Of an agent that was never started nobody knows where it works.
    let kept = Kept::start(deck, Does::Nothing, false);
    book.must("not_found", "GET /api/v1/sessions/{id}/files", &[&kept.id], &Value::Null).await;

    // The server looks for a while whether the keeper comes back, and cannot reach it meanwhile.
    let kept = Kept::start(deck, Does::HangsUp, true);
    book.ask("GET /api/v1/sessions/{id}", &[&kept.id], &Value::Null).await;
    let _writer = kept.keeping.await.unwrap();
    book.must("unreachable", "POST /api/v1/sessions/{id}/close", &[&kept.id], &json!({})).await;

    // Somebody has the log whom nobody knows.
    let (id, mut writer) = new_log(deck);
    busy(&mut writer);
    drop(writer);
    book.ask("GET /api/v1/sessions/{id}", &[&id], &Value::Null).await;
    let _writer = Writer::open(deck.folder(&id), keeper::now()).unwrap();
    book.must("running", "DELETE /api/v1/sessions/{id}/queue/{message}", &[&id, LOST], &json!({})).await;
}

/// A session that has a log, and nothing in it.
fn new_log(deck: &Deck) -> (String, Writer) {
    let id = uuid::Uuid::new_v4().to_string();
    let folder = deck.folder(&id);
    std::fs::create_dir_all(folder.path()).unwrap();
    (id, Writer::open(folder, keeper::now()).unwrap())
}

/// A message that waits in a session.
pub(super) fn hold(deck: &Deck, session: &str) {
    let data = Data::open(deck.path().join("data")).unwrap();
    let id = uuid::Uuid::new_v4().to_string();
    let row = HeldRow { line: prompt(&id), id, by: None, at: keeper::now() };
    assert!(Desk::open(&data).unwrap().hold(session, &row).unwrap());
}

/// A message as agents get it.
fn prompt(uuid: &str) -> String {
    let message = json!({"role": "user", "content": "Hello"});
    json!({"type": "user", "message": message, "parent_tool_use_id": null, "session_id": "", "uuid": uuid}).to_string()
}

/// A log with a lost message, which is the record that is given back; one that was sent, and a question.
fn busy(writer: &mut Writer) -> u64 {
    let spawned = || HostFact::Spawned {
        program: "claude".to_owned(),
        argv: Vec::new(),
        cwd: "/".to_owned(),
        version: None,
        pid: None,
    };
    let exited = HostFact::Exited { code: Some(0), signal: None, stderr_tail: Vec::new(), expected: true };
    let ask = json!({"type": "control_request", "request_id": ASK, "request": {
        "subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "make mischief"}, "tool_use_id": "toolu_1",
        "permission_suggestions": [{"type": "setMode", "mode": "bypassPermissions", "destination": "session"}],
    }});
    let (at, sent) = (keeper::now(), |id: &str| Source::Stdin { by: None, id: Some(id.to_owned()) });
    writer.append_fact(at, &spawned()).unwrap();
    let lost = writer.append(at, sent(LOST), prompt(LOST)).unwrap().seq;
    writer.append_fact(at, &exited).unwrap();
    writer.append_fact(at, &spawned()).unwrap();
    writer.append(at, sent(SENT), prompt(SENT)).unwrap();
    writer.append(at, Source::Stdout, ask.to_string()).unwrap();
    lost
}

/// Keeps a session until it is told to stop, or dies.
async fn keep(listener: UnixListener, mut writer: Writer, does: Does) -> Writer {
    loop {
        let mut lines = BufReader::new(listener.accept().await.unwrap().0).lines();
        lines.next_line().await.unwrap();
        let last_seq = writer.last_seq();
        let hello = FromKeeper::Hello { protocol: PROTOCOL, build: "1".into(), pid: 1, agent_pid: None, last_seq };
        say(&mut lines, &serde_json::to_string(&hello).unwrap()).await;
        if does == Does::HangsUp {
            return writer;
        }
        while let Ok(Some(line)) = lines.next_line().await {
            let (ticket, id, line) = match ToKeeper::from_json(&line).unwrap() {
                ToKeeper::Write { ticket, id, line, .. } => (ticket, id, line),
                _ => return writer,
            };
            let answer = match does {
                Does::Dies | Does::HangsUp => return writer,
                Does::Refuses => {
                    FromKeeper::Refused { ticket, why: Refusal::Ended, text: "the agent has ended".to_owned() }
                }
                Does::SaysNo | Does::Nothing => {
                    let record = writer.append(keeper::now(), Source::Stdin { by: None, id }, line.clone()).unwrap();
                    say(&mut lines, &record.to_json()).await;
                    FromKeeper::Wrote { ticket, seq: record.seq, again: false }
                }
            };
            say(&mut lines, &serde_json::to_string(&answer).unwrap()).await;
            if does == Does::SaysNo {
                let request = serde_json::from_str::<Value>(&line).unwrap()["request_id"].clone();
                let response = json!({"subtype": "error", "request_id": request, "error": "no"});
                let line = json!({"type": "control_response", "response": response}).to_string();
                say(&mut lines, &writer.append(keeper::now(), Source::Stdout, line).unwrap().to_json()).await;
            }
        }
    }
}

/// Nobody may hear it.
async fn say(lines: &mut Lines<BufReader<UnixStream>>, line: &str) {
    let _ = lines.get_mut().write_all(format!("{line}\n").as_bytes()).await;
}
