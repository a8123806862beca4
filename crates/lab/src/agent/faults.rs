//! The steps of a told turn, the faults among them: each does one thing to the pipes, the process or the turn.

use std::path::Path;

use serde_json::json;

use super::Ending;
use super::actor::{Actor, Answered, Flow};
use super::lines;
use super::story::{Death, Hang, Step};
use crate::process;

impl Actor {
    /// Does a step.
    pub(super) async fn step(&mut self, step: Step) -> Result<Flow, Ending> {
        match step {
            Step::Message(reply) => return self.tell_message(reply).await,
            Step::Request(request) => {
                if let Answered::Interrupted = self.request(request).await? {
                    return Ok(self.abort_quietly());
                }
            }
            Step::Open { name, request } => {
                let id = self.send_request(request);
                self.named.insert(name, id);
                self.wire.flush().await?;
            }
            Step::Await(name) => {
                let id = self.named.get(&name).cloned().unwrap_or_default();
                if let Answered::Interrupted = self.answer_to(&[id]).await? {
                    return Ok(self.abort_quietly());
                }
            }
            Step::Withdraw(name) => {
                let id = self.named.remove(&name).unwrap_or_default();
                self.withdraw(&id);
            }
            Step::Line(text) => self.write_raw(format!("{text}\n").as_bytes()).await?,
            Step::Part(text) => self.write_raw(text.as_bytes()).await?,
            Step::Bytes(hex) => self.write_raw(&unhex(&hex)).await?,
            Step::HugeLine(bytes) => self.write_huge(bytes).await?,
            Step::System(mut fields) => {
                let subtype = fields.remove("subtype").unwrap_or_default();
                self.write_system(subtype.as_str().unwrap_or_default(), fields.into());
            }
            Step::Wait(beats) => {
                if !self.linger(self.pace.beat * beats).await? {
                    return Ok(self.abort_quietly());
                }
            }
            Step::Stderr(text) => self.complain(&text),
            Step::Flood(flood) => return self.flood(&flood).await,
            Step::Paced(paced) => return self.pace(&paced).await,
            Step::WaitFor(kind) => {
                if !self.wait_for(&kind).await? {
                    return Ok(self.abort_quietly());
                }
            }
            Step::Gate(gate) => {
                let mind = self.mind.clone();
                if self.hold(mind.pass(&gate)).await?.is_none() {
                    return Ok(self.abort_quietly());
                }
            }
            Step::Hang(how) => {
                self.deaf |= how == Hang::Deaf;
                self.hold(std::future::pending::<()>()).await?;
                return Ok(self.abort_quietly());
            }
            Step::Die(death) => return Err(death.into()),
            Step::Spawn { command, pid_file } => self.spawn(&command, &pid_file)?,
            Step::Result(fields) => self.turn.changes.extend(fields),
        }
        Ok(Flow::On)
    }

    async fn write_raw(&mut self, bytes: &[u8]) -> Result<(), Ending> {
        self.wire.bytes(bytes);
        self.wire.flush().await
    }

    async fn write_huge(&mut self, bytes: usize) -> Result<(), Ending> {
        let skeleton = json!({
            "id": "msg_huge", "type": "message", "role": "assistant", "model": self.session.model, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 0, "output_tokens": 0},
        });
        let block = json!({"type": "text", "text": "x".repeat(bytes)});
        let line = lines::assistant(&mut self.session, &skeleton, block, None);
        self.write(&line);
        self.wire.flush().await
    }

    /// Starts a process that nobody waits for. Its number is in the file before the next step.
    fn spawn(&mut self, command: &[String], pid_file: &Path) -> Result<(), Ending> {
        let spawned = process::start_apart(command);
        match spawned.and_then(|pid| std::fs::write(pid_file, pid.to_string())) {
            Ok(()) => Ok(()),
            Err(error) => {
                self.complain(&format!("could not leave {command:?} behind: {error}"));
                Err(Ending::Exited(1))
            }
        }
    }
}

impl From<Death> for Ending {
    fn from(death: Death) -> Ending {
        match death {
            Death::Code(code) => Ending::Exited(code),
            Death::Kill => Ending::Killed,
        }
    }
}

/// The bytes of a hexadecimal text; what is no digit is left out.
fn unhex(text: &str) -> Vec<u8> {
    let byte = |at: usize| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..text.len()).step_by(2).filter_map(byte).collect()
}
