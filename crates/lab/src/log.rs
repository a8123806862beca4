//! What went over the pipes, in order: the log that sessions write and waits read.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::json;

/// Which way a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From us to the CLI's standard input.
    In,
    /// From the CLI's standard output.
    Out,
    /// From the CLI's standard error. Two pipes have no common order, so these stand before the end of the process.
    Err,
    /// Something the lab did or saw: the start, the end, a signal, the closing of the input.
    Meta,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Record {
    /// Which way it went.
    pub direction: Direction,
    /// The text, byte for byte, without its end of line.
    pub text: String,
    /// Its value, when it is JSON.
    pub value: Option<Value>,
}

/// A log that many can write to and wait on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    records: Arc<watch::Sender<Vec<Record>>>,
}

impl Direction {
    /// The name in fixture files.
    pub fn name(self) -> &'static str {
        match self {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::Err => "err",
            Direction::Meta => "meta",
        }
    }
}

impl Record {
    /// Whether the record says that the process ended.
    pub fn is_exit(&self) -> bool {
        self.direction == Direction::Meta && self.value.as_ref().is_some_and(|value| value["event"] == "exit")
    }
}

impl Log {
    pub(crate) fn push(&self, direction: Direction, text: String) {
        let value = if direction == Direction::Err { None } else { json::lenient(&text) };
        self.records.send_modify(|records| records.push(Record { direction, text, value }));
    }

    pub(crate) fn meta(&self, event: Value) {
        self.push(Direction::Meta, event.to_string());
    }

    pub(crate) fn records(&self) -> Vec<Record> {
        self.records.borrow().clone()
    }

    pub(crate) fn len(&self) -> usize {
        self.records.borrow().len()
    }

    /// Waits until `find` finds something in the records.
    pub(crate) async fn wait<T>(&self, mut find: impl FnMut(&[Record]) -> Option<T>) -> T {
        let mut receiver = self.records.subscribe();
        loop {
            if let Some(found) = find(&receiver.borrow_and_update()) {
                return found;
            }
            if receiver.changed().await.is_err() {
                // Nothing can come any more; whoever waits has a time limit.
                std::future::pending::<()>().await;
            }
        }
    }

    /// The lines so far for an error text, each cut to a readable length.
    pub(crate) fn transcript(&self) -> String {
        let short = |record: &Record| {
            let text: String = record.text.chars().take(400).collect();
            format!("  {:4} {text}\n", record.direction.name())
        };
        self.records.borrow().iter().map(short).collect()
    }
}

/// The meta record of an end.
pub(crate) fn exit_event(status: std::process::ExitStatus) -> Value {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return json!({"event": "exit", "code": null, "signal": signal_name(signal)});
        }
    }
    json!({"event": "exit", "code": status.code()})
}

#[cfg(unix)]
fn signal_name(signal: i32) -> String {
    match signal {
        1 => "SIGHUP".to_owned(),
        2 => "SIGINT".to_owned(),
        9 => "SIGKILL".to_owned(),
        15 => "SIGTERM".to_owned(),
        other => format!("signal {other}"),
    }
}
