//! Questions of the agent that are for no person and that nobody here can answer: a hook or a tool of another host, or a kind
//! of tomorrow. They must get an error, or the agent waits for ever. Records in, open questions out. Pure.

use std::collections::HashSet;

use claude_protocol::control::Response;
use claude_protocol::{RequestId, ToCli, encode};
use insights::Record;
use keeper::{Question, Questions, Whom};
use serde::{Deserialize, Serialize};

/// The questions that wait for an error.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Foreign {
    questions: Questions,
    /// Those for which a refusal was given and is not in the log yet. Who reads a checkpoint does not know of it, and
    /// refuses what is still open when he has read the rest.
    #[serde(skip)]
    refused: HashSet<String>,
}

impl Foreign {
    /// Takes notice of a record.
    pub(crate) fn note(&mut self, record: &Record) {
        self.questions.note(record);
    }

    /// The lines that refuse what is open. They are not given a second time.
    pub(crate) fn refusals(&mut self) -> Vec<String> {
        let Foreign { questions, refused } = self;
        refused.retain(|id| matches!(questions.get(id), Some(Question::Open { .. })));
        let open = questions.open().filter(|(id, whom)| *whom == Whom::Host && !refused.contains(*id));
        let open: Vec<String> = open.map(|(id, _)| id.to_owned()).collect();
        refused.extend(open.iter().cloned());
        let refusal = |id| encode(&ToCli::from(Response::error(RequestId::from(id), "This host cannot do that.")));
        open.into_iter().map(refusal).collect()
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
