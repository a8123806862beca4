//! Where the source documents contradict each other or the real CLI: what was decided, by number. Numbers that are not here
//! are about writing to the CLI, about screens, or about the documents themselves.

mod asking;
mod blocks;
mod costs;
mod prompts;

use insights::convert::Profile;
use insights::record::Record;
use insights::time::UnixMillis;
use serde_json::Value;

use crate::fixtures::scenario;
use crate::support::{told, told_of};

/// The events of a captured session as JSON, in profile `full`.
fn captured(version: &'static str, name: &str) -> Vec<Value> {
    told_of(scenario(version, name).records())
}

fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

/// One field of all events of a kind.
fn column(events: &[Value], kind: &str, field: &str) -> Vec<Value> {
    of_kind(events, kind).into_iter().map(|event| event[field].clone()).collect()
}

fn full(line: &str) -> Vec<Value> {
    told(&[line], Profile::Full)
}

fn core(line: &str) -> Vec<Value> {
    told(&[line], Profile::Core)
}

fn stdin(seq: u64, line: &str) -> Record {
    Record::stdin(seq, UnixMillis(0), line)
}

fn stdout(seq: u64, line: &str) -> Record {
    Record::stdout(seq, UnixMillis(0), line)
}
