//! Facts of our own, and what the agent writes beside the protocol.

use super::Converter;
use super::quiet::Quiet;
use crate::event::Body;
use crate::event::session::{MovedHow, ProcessExit, ProcessStart, SessionMoved, Stderr, UnknownMessage};
use crate::record::HostFact;

impl Converter {
    pub(super) fn host(&mut self, text: &str) {
        let Some(fact) = HostFact::from_json(text) else {
            let name = serde_json::from_str::<serde_json::Value>(text).ok();
            let name = name.as_ref().and_then(|value| value.get("fact")?.as_str()).unwrap_or_default();
            return self.out.put(Body::UnknownMessage(UnknownMessage {
                message_type: name.to_owned(),
                subtype: None,
                direction: Some("host".to_owned()),
            }));
        };
        match fact {
            HostFact::Log { .. } => self.out.quiet(Quiet::LogHeader),
            HostFact::Spawned { program, argv, cwd, version, pid } => {
                self.restart();
                self.out.put(Body::ProcessStart(Box::new(ProcessStart { program, argv, cwd, version, pid })));
            }
            HostFact::Exited { code, signal, stderr_tail, expected } => {
                self.ended(ProcessExit { code, signal, expected, lost: false, stderr_tail });
            }
            HostFact::Lost => {
                self.ended(ProcessExit {
                    code: None,
                    signal: None,
                    expected: false,
                    lost: true,
                    stderr_tail: Vec::new(),
                });
            }
            HostFact::Attached => self.moved(MovedHow::Attached, None, None),
            HostFact::Detached => self.moved(MovedHow::Detached, None, None),
            HostFact::Resumed { from, to } => self.moved(MovedHow::Resumed, from, to),
            HostFact::Forked { session: _, from, to } => {
                self.costs.forked();
                self.moved(MovedHow::Forked, from, to);
            }
            HostFact::Cleared { from, to } => self.moved(MovedHow::Cleared, from, to),
            HostFact::Imported { path: _, session } => self.moved(MovedHow::Imported, None, session),
            HostFact::Dismissed { prompt } => self.dismiss_prompt(&prompt),
            HostFact::Note { text, level } => self.put_notice("host", level, text),
        }
    }

    pub(super) fn stderr(&mut self, text: &str) {
        self.out.put(Body::Stderr(Stderr { text: text.to_owned() }));
    }

    /// The agent's process has ended: what it owed will not come.
    fn ended(&mut self, exit: ProcessExit) {
        self.abandon_prompts();
        self.abandon_requests();
        self.out.put(Body::ProcessExit(exit));
    }

    fn moved(&mut self, how: MovedHow, from: Option<String>, to: Option<String>) {
        self.out.put(Body::SessionMoved(SessionMoved { how, from, to }));
    }
}
