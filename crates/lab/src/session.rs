//! A running CLI: lines go in, lines come out, and a test waits for the ones it cares about.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::process::Child;
use tokio::task::JoinHandle;

use crate::agent::{Agent, Ending};
use crate::error::LabError;
use crate::log::{Direction, Log, Record, exit_event};
use crate::real::process;
use crate::stage::Responder;

/// How long a wait may last. Generous: it is there to end a hung test, not to measure.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running CLI. Dropping it ends the process and everything that came from it.
pub struct Session {
    log: Log,
    stdin: Stdin,
    pid: u32,
    cursor: usize,
    begin: usize,
    end: JoinHandle<()>,
    requests: u32,
}

/// How a session ended.
#[derive(Debug)]
pub struct End {
    /// The exit code; `None` when a signal ended the process.
    pub code: Option<i32>,
    /// The signal's name, when one ended the process.
    pub signal: Option<String>,
    /// All lines of this session, in both directions.
    pub records: Vec<Record>,
}

/// The input, shared by the test and the responder; closed when empty. A line is logged under the same lock, so the log
/// has the order of the pipe.
type Stdin = Arc<tokio::sync::Mutex<Option<Box<dyn AsyncWrite + Send + Unpin>>>>;

impl Session {
    pub(crate) fn over(mut child: Child, log: Log, begin: usize, responder: Option<Responder>) -> Session {
        // Before the readers start, or a quick first line would be passed over.
        let cursor = log.len();
        let pid = child.id().unwrap_or_default();
        let stdin = child.stdin.take().map(|pipe| Box::new(pipe) as Box<dyn AsyncWrite + Send + Unpin>);
        let stdin: Stdin = Arc::new(tokio::sync::Mutex::new(stdin));
        let errors = Arc::new(Mutex::new(Vec::new()));
        let out = tokio::spawn(read_out(child.stdout.take(), log.clone(), Arc::clone(&stdin), responder));
        let err = tokio::spawn(read_err(child.stderr.take(), Arc::clone(&errors)));
        let end = tokio::spawn(wait_for_end(child, log.clone(), [out, err], errors));
        Session { cursor, log, stdin, pid, begin, end, requests: 0 }
    }

    /// A session with a scripted agent in this process. It has no number, so no signal can be sent to it.
    pub(crate) fn with_agent(agent: Agent, log: Log, begin: usize, responder: Option<Responder>) -> Session {
        let cursor = log.len();
        let (to_agent, from_host) = tokio::io::duplex(64 * 1024);
        let (to_host, from_agent) = tokio::io::duplex(64 * 1024);
        let stdin: Stdin = Arc::new(tokio::sync::Mutex::new(Some(Box::new(to_agent))));
        let out = tokio::spawn(read_out(Some(from_agent), log.clone(), Arc::clone(&stdin), responder));
        let running = agent.run(from_host, to_host);
        let end = tokio::spawn({
            let log = log.clone();
            async move {
                let code = match running.await {
                    Ending::Exited(code) => Some(code),
                    Ending::Killed => None,
                };
                // What the agent said last is still in the pipe.
                let _ = out.await;
                log.meta(json!({"event": "exit", "code": code}));
            }
        });
        Session { cursor, log, stdin, pid: 0, begin, end, requests: 0 }
    }

    /// Sends a prompt as one text block.
    pub async fn user(&self, text: &str) -> Result<(), LabError> {
        let message = json!({"role": "user", "content": [{"type": "text", "text": text}]});
        self.send(&json!({"type": "user", "session_id": "", "message": message, "parent_tool_use_id": null})).await
    }

    /// Sends a line.
    pub async fn send(&self, line: &Value) -> Result<(), LabError> {
        self.send_text(&line.to_string()).await
    }

    /// Sends any text as a line. A pipe that the CLI closed is noted in the log and is no error.
    pub async fn send_text(&self, text: &str) -> Result<(), LabError> {
        write(&self.log, &self.stdin, text).await;
        Ok(())
    }

    /// Sends a control request and gives the line that answers it.
    pub async fn control(&mut self, request: Value) -> Result<Value, LabError> {
        let id = self.request(request).await?;
        let what = format!("the answer to {id}");
        self.wait_for(&what, |line| line["type"] == "control_response" && line["response"]["request_id"] == id.as_str())
            .await
    }

    /// Sends a control request and does not wait; gives its id.
    pub async fn request(&mut self, request: Value) -> Result<String, LabError> {
        self.requests += 1;
        let id = format!("req_{}", self.requests);
        self.send(&json!({"type": "control_request", "request_id": id, "request": request})).await?;
        Ok(id)
    }

    /// Answers a control request of the CLI.
    pub async fn answer(&self, request: &Value, response: Value) -> Result<(), LabError> {
        self.send(&success(request, response)).await
    }

    /// The next line of the CLI that satisfies the test. Lines before it are passed over, also for later waits.
    pub async fn wait_for(&mut self, what: &str, mut test: impl FnMut(&Value) -> bool) -> Result<Value, LabError> {
        let mut at = self.cursor;
        let found = self.within(
            what,
            self.log.wait(|records| {
                while let Some(record) = records.get(at) {
                    at += 1;
                    match &record.value {
                        Some(value) if record.direction == Direction::Out && test(value) => {
                            return Some(Ok((value.clone(), at)));
                        }
                        _ if record.is_exit() => return Some(Err(())),
                        _ => {}
                    }
                }
                None
            }),
        );
        match found.await? {
            Ok((value, at)) => {
                self.cursor = at;
                Ok(value)
            }
            Err(()) => Err(LabError::Ended { what: what.to_owned(), transcript: self.log.transcript() }),
        }
    }

    /// Waits for anything else, with the same patience as for a line.
    pub async fn within<T>(&self, what: &str, waiting: impl Future<Output = T>) -> Result<T, LabError> {
        tokio::time::timeout(PATIENCE, waiting).await.map_err(|_| LabError::Waited {
            what: what.to_owned(),
            seconds: PATIENCE.as_secs(),
            transcript: self.log.transcript(),
        })
    }

    /// Closes the CLI's standard input.
    pub async fn close_stdin(&self) {
        let mut stdin = self.stdin.lock().await;
        if stdin.take().is_some() && !self.end.is_finished() {
            self.log.meta(json!({"event": "stdin_closed"}));
        }
    }

    /// Sends a signal (`TERM`, `INT`, `HUP`, `KILL`) to the CLI alone.
    pub fn signal(&self, name: &str) -> Result<(), LabError> {
        self.log.meta(json!({"event": "signal", "signal": name}));
        process::signal(self.pid, name)
    }

    /// Waits for the end of the process without closing its input.
    pub async fn ended(&mut self) -> Result<End, LabError> {
        let begin = self.begin;
        let records = self
            .within(
                "the end of the process",
                self.log.wait(|records| {
                    let length = records[begin..].iter().position(Record::is_exit)?;
                    Some(records[begin..=begin + length].to_vec())
                }),
            )
            .await?;
        let event = records.last().and_then(|record| record.value.clone()).unwrap_or_default();
        let code = event["code"].as_i64().and_then(|code| i32::try_from(code).ok());
        Ok(End { code, signal: event["signal"].as_str().map(str::to_owned), records })
    }

    /// Closes the input and waits for the end.
    pub async fn finish(mut self) -> Result<End, LabError> {
        self.close_stdin().await;
        self.ended().await
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.end.is_finished() {
            process::end_tree(self.pid);
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Session").field("pid", &self.pid).finish_non_exhaustive()
    }
}

/// The line that grants a control request of the CLI.
pub fn success(request: &Value, response: Value) -> Value {
    let inner = json!({"subtype": "success", "request_id": request["request_id"], "response": response});
    json!({"type": "control_response", "response": inner})
}

/// The line that refuses a control request of the CLI.
pub fn refusal(request: &Value, error: &str) -> Value {
    let inner = json!({"subtype": "error", "request_id": request["request_id"], "error": error});
    json!({"type": "control_response", "response": inner})
}

async fn write(log: &Log, stdin: &Stdin, text: &str) {
    let mut stdin = stdin.lock().await;
    let Some(pipe) = stdin.as_mut() else { return log.meta(json!({"event": "stdin_write_failed"})) };
    log.push(Direction::In, text.to_owned());
    let written = async {
        pipe.write_all(text.as_bytes()).await?;
        pipe.write_all(b"\n").await?;
        pipe.flush().await
    };
    if written.await.is_err() {
        log.meta(json!({"event": "stdin_write_failed"}));
    }
}

async fn read_out(pipe: Option<impl AsyncRead + Unpin>, log: Log, stdin: Stdin, mut responder: Option<Responder>) {
    let Some(pipe) = pipe else { return };
    let mut lines = BufReader::new(pipe);
    while let Some(text) = next_line(&mut lines).await {
        let request = json_request(&text);
        log.push(Direction::Out, text);
        if let (Some(request), Some(responder)) = (request, responder.as_mut())
            && let Some(answer) = responder(&request)
        {
            write(&log, &stdin, &answer.to_string()).await;
        }
    }
}

/// The line as a value, when it is a control request.
fn json_request(text: &str) -> Option<Value> {
    let value = text.contains("control_request").then(|| crate::json::lenient(text)).flatten()?;
    (value["type"] == "control_request").then_some(value)
}

async fn read_err(pipe: Option<impl AsyncRead + Unpin>, errors: Arc<Mutex<Vec<String>>>) {
    let Some(pipe) = pipe else { return };
    let mut lines = BufReader::new(pipe);
    while let Some(text) = next_line(&mut lines).await {
        errors.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}

async fn next_line(lines: &mut BufReader<impl AsyncRead + Unpin>) -> Option<String> {
    let mut bytes = Vec::new();
    match lines.read_until(b'\n', &mut bytes).await {
        Ok(length) if length > 0 => {
            if bytes.last() == Some(&b'\n') {
                bytes.pop();
            }
            Some(String::from_utf8_lossy(&bytes).into_owned())
        }
        _ => None,
    }
}

async fn wait_for_end(mut child: Child, log: Log, readers: [JoinHandle<()>; 2], errors: Arc<Mutex<Vec<String>>>) {
    let status = child.wait().await;
    for reader in readers {
        // A process the CLI left behind may hold the pipe open; what it would still say is not the CLI's.
        let _ = tokio::time::timeout(Duration::from_secs(5), reader).await;
    }
    for text in errors.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        log.push(Direction::Err, text);
    }
    log.meta(status.map_or_else(|_| json!({"event": "exit", "code": null}), exit_event));
}
