//! Questions of the agent that are for no person and that nobody here can answer: a hook or a tool of another host, or a kind
//! of tomorrow. They must get an error, or the agent waits for ever. Records in, open questions out. Pure.

use std::collections::BTreeSet;

use claude_protocol::control::{Ask, Response};
use claude_protocol::line::decode_as;
use claude_protocol::{FromCli, RequestId, ToCli, decode, encode};
use insights::{HostFact, Record, Source};
use memchr::memmem;
use serde::{Deserialize, Serialize};

/// The questions that wait for an error.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Foreign {
    /// As far as the log says.
    open: Vec<String>,
    /// Those of them that were refused, which the log may not say yet. Who reads a checkpoint does not know of it, and
    /// refuses what is still open when he has read the rest.
    #[serde(skip)]
    refused: BTreeSet<String>,
}

impl Foreign {
    /// Takes notice of a record.
    pub(crate) fn note(&mut self, record: &Record) {
        if record.source == Source::Host {
            let fact = HostFact::from_json(&record.line.text());
            if matches!(fact, Some(HostFact::Spawned { .. } | HostFact::Exited { .. } | HostFact::Lost)) {
                // Who asked is gone.
                *self = Foreign::default();
            }
            return;
        }
        if memmem::find(record.line.bytes(), b"\"control_").is_none() {
            return;
        }
        match record.source {
            Source::Stdout => match decode(record.line.clone()).body {
                FromCli::ControlRequest(request) => {
                    if matches!(request.request, Ask::HookCallback(_) | Ask::McpMessage(_) | Ask::Other(_)) {
                        self.open.push(request.request_id.to_string());
                    }
                }
                FromCli::ControlCancel(cancel) => self.close(&cancel.request_id),
                _ => {}
            },
            Source::Stdin { .. } => {
                if let ToCli::ControlResponse(response) = decode_as::<ToCli>(record.line.clone()).body
                    && let Some(id) = &response.response.request_id
                {
                    self.close(id);
                }
            }
            _ => {}
        }
    }

    /// The lines that refuse what is open. They are not given a second time.
    pub(crate) fn refusals(&mut self) -> Vec<String> {
        let refusal = |id: &String| {
            let id = RequestId::from(id.as_str());
            encode(&ToCli::from(Response::error(id, "This host cannot do that.")))
        };
        let open = self.open.iter().filter(|id| self.refused.insert((*id).clone()));
        open.map(refusal).collect()
    }

    fn close(&mut self, id: &RequestId) {
        self.open.retain(|open| open != id.as_str());
        self.refused.remove(id.as_str());
    }
}

#[cfg(test)]
mod tests {
    use insights::{HostFact, UnixMillis};

    use super::*;

    fn asks(seq: u64, id: &str, subtype: &str) -> Record {
        let line = format!(
            r#"{{"type":"control_request","request_id":"{id}","request":{{"subtype":"{subtype}","tool_name":"x"}}}}"#
        );
        Record::stdout(seq, UnixMillis(0), line)
    }

    #[test]
    fn what_is_for_nobody_is_refused_once() {
        let mut foreign = Foreign::default();
        foreign.note(&asks(1, "a", "can_use_tool"));
        foreign.note(&asks(2, "b", "dance"));
        foreign.note(&asks(3, "c", "hook_callback"));
        foreign.note(&asks(4, "d", "dance"));
        let answer = r#"{"type":"control_response","response":{"subtype":"error","request_id":"d","error":"no"}}"#;
        foreign.note(&Record::stdin(5, UnixMillis(0), answer));
        foreign.note(&Record::stdout(6, UnixMillis(0), r#"{"type":"control_cancel_request","request_id":"c"}"#));
        let refusals = foreign.refusals();
        assert_eq!(refusals.len(), 1);
        assert!(refusals[0].contains(r#""request_id":"b""#) && refusals[0].contains(r#""subtype":"error""#));
        assert_eq!(foreign.refusals(), Vec::<String>::new());
    }

    #[test]
    fn what_was_refused_and_never_answered_is_refused_by_who_comes_next() {
        let mut foreign = Foreign::default();
        foreign.note(&asks(1, "a", "dance"));
        foreign.note(&asks(2, "b", "dance"));
        assert_eq!(foreign.refusals().len(), 2);
        let kept = serde_json::to_string(&foreign).unwrap();
        let mut next: Foreign = serde_json::from_str(&kept).unwrap();
        let answer = r#"{"type":"control_response","response":{"subtype":"error","request_id":"a","error":"no"}}"#;
        next.note(&Record::stdin(3, UnixMillis(0), answer));
        let refusals = next.refusals();
        assert_eq!(refusals.len(), 1);
        assert!(refusals[0].contains(r#""request_id":"b""#));
    }

    #[test]
    fn a_process_that_is_gone_waits_for_nothing() {
        let mut foreign = Foreign::default();
        foreign.note(&asks(1, "b", "dance"));
        foreign.note(&Record::host(2, UnixMillis(0), &HostFact::Lost));
        assert_eq!(foreign.refusals(), Vec::<String>::new());
    }
}
