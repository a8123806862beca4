//! A host in memory: sends lines to an agent and reads what it says.

use std::time::Duration;

use lab::agent::{Agent, Ending, Flags, Gates, Story};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::task::JoinHandle;

pub(super) struct Host {
    lines: BufReader<ReadHalf<DuplexStream>>,
    out: WriteHalf<DuplexStream>,
    running: JoinHandle<Ending>,
    pub(super) gates: Gates,
}

impl Host {
    pub(super) fn start(story: Story) -> Host {
        Host::start_agent(story, |agent| agent)
    }

    pub(super) fn with_flags(story: Story, flags: &str) -> Host {
        Host::start_agent(story, |agent| agent.with_flags(Flags::parse(flags.split_whitespace())))
    }

    pub(super) fn start_agent(story: Story, prepare: impl FnOnce(Agent) -> Agent) -> Host {
        let (host, agent_side) = duplex(64 * 1024);
        let (input, output) = split(agent_side);
        let agent = prepare(Agent::new(story).unwrap());
        let gates = agent.gates();
        let running = tokio::spawn(agent.run(input, output));
        let (lines, out) = split(host);
        Host { lines: BufReader::new(lines), out, running, gates }
    }

    pub(super) async fn send(&mut self, line: &Value) {
        self.out.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// Sends a control request whose id is its subtype.
    pub(super) async fn control(&mut self, subtype: &str, fields: Value) {
        let mut request = fields;
        request["subtype"] = json!(subtype);
        self.send(&json!({"type": "control_request", "request_id": subtype, "request": request})).await;
    }

    pub(super) async fn next_bytes(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let reading = self.lines.read_until(b'\n', &mut line);
        // Generous: it is there to end a hung test, not to measure.
        let length = tokio::time::timeout(Duration::from_secs(60), reading).await.unwrap().unwrap();
        (length > 0).then_some(line)
    }

    pub(super) async fn next(&mut self) -> Value {
        serde_json::from_slice(&self.next_bytes().await.unwrap()).unwrap()
    }

    /// The next line of a type.
    pub(super) async fn until(&mut self, kind: &str) -> Value {
        loop {
            let line = self.next().await;
            if line["type"] == kind {
                return line;
            }
        }
    }

    /// The lines up to the next of a type.
    pub(super) async fn lines_to(&mut self, kind: &str) -> Vec<Value> {
        let mut lines = vec![self.next().await];
        while lines.last().unwrap()["type"] != kind {
            lines.push(self.next().await);
        }
        lines
    }

    /// Closes the agent's input and reads to the end.
    pub(super) async fn finish(mut self) -> (Vec<Value>, Ending) {
        self.out.shutdown().await.unwrap();
        let mut lines = Vec::new();
        while let Some(line) = self.next_bytes().await {
            lines.push(serde_json::from_slice(&line).unwrap());
        }
        (lines, self.running.await.unwrap())
    }

    /// Waits for an end that the agent comes to by itself.
    pub(super) async fn ending(self) -> Ending {
        self.running.await.unwrap()
    }
}

pub(super) fn prompt(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

/// Grants a request of the agent.
pub(super) fn allow(request: &Value) -> Value {
    let response = json!({"behavior": "allow", "updatedInput": request["request"]["input"]});
    let inner = json!({"subtype": "success", "request_id": request["request_id"], "response": response});
    json!({"type": "control_response", "response": inner})
}

/// Some fields of a line.
pub(super) fn fields(line: &Value, names: &[&str]) -> Value {
    names.iter().map(|&name| (name.to_owned(), line[name].clone())).collect::<Map<_, _>>().into()
}

/// What each line is.
pub(super) fn kinds(lines: &[Value]) -> Vec<String> {
    let kind = |line: &Value| {
        let inner = [&line["subtype"], &line["state"], &line["request"]["subtype"], &line["response"]["subtype"]];
        let block = &line["message"]["content"][0]["type"];
        let detail = inner.into_iter().chain([block, &line["event"]["type"]]).find_map(Value::as_str);
        format!("{}/{}", line["type"].as_str().unwrap_or("-"), detail.unwrap_or("-"))
    };
    lines.iter().map(kind).collect()
}
