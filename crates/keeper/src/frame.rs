//! What client and keeper say to each other over the socket: one JSON object on one line each. Unknown kinds and fields are
//! passed over, so that builds of different days understand each other.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The version of these frames. It grows only when an older peer would misunderstand.
pub const PROTOCOL: u32 = 1;

/// From a client.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToKeeper {
    /// The first frame: who speaks, and which records it has. The records after those follow, then new ones as they come.
    Attach {
        /// [`PROTOCOL`] of the client.
        protocol: u32,
        /// The last record that the client has.
        after: u64,
        /// The client's build, for the log of problems.
        build: String,
    },
    /// Write a line to the agent.
    Write {
        /// The client's name for this frame; the answer repeats it.
        ticket: u64,
        /// The message's own id: a second one with it is not written.
        id: Option<String>,
        /// Which person or device wrote it.
        by: Option<String>,
        /// The line, a JSON object, byte for byte.
        line: String,
    },
    /// Keep a fact that the client knows.
    Note {
        /// The client's name for this frame.
        ticket: u64,
        /// The fact, as JSON of a host record.
        fact: String,
    },
    /// End the agent.
    Stop {
        /// How.
        how: Stop,
    },
    /// How does it go?
    Status {
        /// The client's name for this frame.
        ticket: u64,
    },
    /// A kind that this build does not know.
    Unknown,
}

/// The JSON of a client's frame. Flat, since raw JSON cannot stand inside a tagged enum.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Form<'a> {
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    build: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ticket: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<Stop>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    line: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    fact: Option<&'a RawValue>,
}

impl ToKeeper {
    /// Reads a frame; an error if it is no JSON of a frame at all.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        let form: Form<'_> = serde_json::from_str(text)?;
        let ticket = form.ticket.unwrap_or_default();
        Ok(match (form.kind, form.line, form.fact, form.how) {
            ("attach", ..) => ToKeeper::Attach {
                protocol: form.protocol.unwrap_or_default(),
                after: form.after.unwrap_or_default(),
                build: form.build.unwrap_or_default(),
            },
            ("write", Some(line), ..) => {
                ToKeeper::Write { ticket, id: form.id, by: form.by, line: line.get().to_owned() }
            }
            ("note", _, Some(fact), _) => ToKeeper::Note { ticket, fact: fact.get().to_owned() },
            ("stop", _, _, Some(how)) => ToKeeper::Stop { how },
            ("status", ..) => ToKeeper::Status { ticket },
            _ => ToKeeper::Unknown,
        })
    }

    /// Writes a frame; an error if its line or fact is no JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let empty = Form::default();
        let form = match self {
            ToKeeper::Attach { protocol, after, build } => Form {
                kind: "attach",
                protocol: Some(*protocol),
                after: Some(*after),
                build: Some(build.clone()),
                ..empty
            },
            ToKeeper::Write { ticket, id, by, line } => Form {
                kind: "write",
                ticket: Some(*ticket),
                id: id.clone(),
                by: by.clone(),
                line: Some(serde_json::from_str(line)?),
                ..empty
            },
            ToKeeper::Note { ticket, fact } => {
                Form { kind: "note", ticket: Some(*ticket), fact: Some(serde_json::from_str(fact)?), ..empty }
            }
            ToKeeper::Stop { how } => Form { kind: "stop", how: Some(*how), ..empty },
            ToKeeper::Status { ticket } => Form { kind: "status", ticket: Some(*ticket), ..empty },
            ToKeeper::Unknown => Form { kind: "unknown", ..empty },
        };
        serde_json::to_string(&form)
    }
}

/// How to end the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Stop {
    /// No more input; it finishes what it does.
    Close,
    /// It is asked to leave now.
    Terminate,
    /// It is ended, with all that it started.
    Kill,
}

/// From the keeper. Records are not among these: they go as the lines of the log, which have a `seq` and no `kind`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum FromKeeper {
    /// The first frame.
    Hello {
        /// [`PROTOCOL`] of the keeper.
        protocol: u32,
        /// The keeper's build.
        build: String,
        /// The keeper's process.
        pid: u32,
        /// The agent's process; none once it has ended.
        agent_pid: Option<u32>,
        /// The last record of the log.
        last_seq: u64,
    },
    /// A line was written, or had been before.
    Wrote {
        /// The client's name for its frame.
        ticket: u64,
        /// The record.
        seq: u64,
        /// Was it written before?
        again: bool,
    },
    /// A line was not written.
    Refused {
        /// The client's name for its frame.
        ticket: u64,
        /// Why.
        why: Refusal,
        /// The same in words.
        text: String,
    },
    /// How it goes.
    Status {
        /// The client's name for its frame.
        ticket: u64,
        /// The agent's process; none once it has ended.
        agent_pid: Option<u32>,
        /// The last record of the log.
        last_seq: u64,
        /// Those who read.
        readers: u32,
        /// Is the disk full, so that nothing goes on?
        disk_full: bool,
    },
    /// A kind that this build does not know.
    #[serde(other)]
    Unknown,
}

/// Why a line was not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Refusal {
    /// The question was answered before.
    Answered,
    /// The agent has withdrawn the question.
    Withdrawn,
    /// The agent has not asked that.
    NotAsked,
    /// The agent has ended.
    Ended,
    /// The line is no JSON object, and would end the agent.
    NotJson,
    /// The disk is full.
    DiskFull,
    /// Another reason.
    #[serde(other)]
    Other,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_clients_come_back_and_lines_byte_for_byte() {
        let line = r#"{"type": "user","cost":0.10,"x":"\ud83d"}"#.to_owned();
        for frame in [
            ToKeeper::Attach { protocol: 1, after: 7, build: "0.1.0".to_owned() },
            ToKeeper::Write { ticket: 1, id: Some("m".to_owned()), by: None, line: line.clone() },
            ToKeeper::Note { ticket: 2, fact: r#"{"fact":"attached"}"#.to_owned() },
            ToKeeper::Stop { how: Stop::Close },
            ToKeeper::Status { ticket: 3 },
        ] {
            let json = frame.to_json().unwrap();
            assert_eq!(ToKeeper::from_json(&json).unwrap(), frame, "{json}");
        }
        assert!(ToKeeper::Write { ticket: 1, id: None, by: None, line: "no json".to_owned() }.to_json().is_err());
    }

    #[test]
    fn frames_of_tomorrow_are_passed_over() {
        assert_eq!(ToKeeper::from_json(r#"{"kind":"dance","with":"me"}"#).unwrap(), ToKeeper::Unknown);
        assert_eq!(
            ToKeeper::from_json(r#"{"kind":"status","ticket":3,"more":true}"#).unwrap(),
            ToKeeper::Status { ticket: 3 }
        );
        assert_eq!(serde_json::from_str::<FromKeeper>(r#"{"kind":"dance","with":"me"}"#).unwrap(), FromKeeper::Unknown);
    }
}
