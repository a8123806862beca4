//! Catching up: what a screen has in, what it lacks out. Connecting, reconnecting and falling behind are the same call, and
//! nobody has a queue of his own.

use std::collections::VecDeque;

use insights::convert::CONVERTER;
use insights::state::{Change, Order, REDUCER, State, coalesce};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which states can be compared: those of one converter and one reducer over one log. The default is that of nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Epoch(String);

impl Epoch {
    /// Of a log with this identity, which no other log has, and not even the same one after it has lost its end.
    pub fn new(log: &str) -> Self {
        Epoch(format!("{CONVERTER}.{REDUCER}-{log}"))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How many changes are remembered. Who is further behind gets the state as a whole, which is less to send.
const REMEMBERED: usize = 4096;

/// How many bytes of text they may hold.
const REMEMBERED_BYTES: usize = 512 * 1024;

/// How many items a screen gets at first; older ones are fetched when they are looked at.
const FIRST_ITEMS: usize = 200;

/// The state of a session, and how it came to be so of late.
#[derive(Debug)]
pub struct Feed {
    epoch: Epoch,
    state: State,
    seq: u64,
    recent: VecDeque<Step>,
    recent_bytes: usize,
    /// All steps after this record are remembered.
    complete_after: u64,
}

/// What one record changed. Nearly always that is one change: a list with room for more would be as large again.
#[derive(Debug)]
struct Step {
    seq: u64,
    changes: Box<[Change]>,
    bytes: usize,
}

/// What a screen lacks.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[schemars(rename = "StateAnswer")]
pub enum Answer {
    /// These changes, and it is where the feed is.
    Changes {
        /// The last record that they contain.
        seq: u64,
        /// The changes.
        changes: Vec<Change>,
    },
    /// Everything, from a floor on.
    Snapshot {
        /// Of which feed.
        epoch: Epoch,
        /// The last record that it contains.
        seq: u64,
        /// The state.
        state: Box<State>,
    },
}

impl Feed {
    /// Of a session that has no records yet.
    pub fn new(epoch: Epoch) -> Self {
        Feed { epoch, state: State::default(), seq: 0, recent: VecDeque::new(), recent_bytes: 0, complete_after: 0 }
    }

    /// Of a session that is known up to record `seq`: who has an older state gets this one as a whole.
    pub fn resumed(epoch: Epoch, state: State, seq: u64) -> Self {
        Feed { state, seq, complete_after: seq, ..Feed::new(epoch) }
    }

    /// The state as it is.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state, when nobody catches up any more.
    pub fn into_state(self) -> State {
        self.state
    }

    /// The last record that is in it.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// It is a feed of that epoch from now on: who has a state of another one gets everything anew.
    pub(crate) fn set_epoch(&mut self, epoch: Epoch) {
        self.epoch = epoch;
    }

    /// A record has come, and `work` says what it changes, and does it.
    pub fn publish(&mut self, seq: u64, work: impl FnOnce(&mut State) -> Vec<Change>) {
        let changes = work(&mut self.state);
        self.seq = seq;
        if changes.is_empty() {
            return;
        }
        let bytes = changes.iter().map(weight).sum();
        self.recent_bytes += bytes;
        self.recent.push_back(Step { seq, changes: changes.into(), bytes });
        while self.recent.len() > REMEMBERED || self.recent_bytes > REMEMBERED_BYTES {
            let Some(oldest) = self.recent.pop_front() else { break };
            self.recent_bytes -= oldest.bytes;
            self.complete_after = oldest.seq;
        }
    }

    /// What a screen lacks that has the state up to `seq` of that epoch.
    pub fn since(&self, epoch: &Epoch, seq: u64) -> Answer {
        if *epoch != self.epoch || seq < self.complete_after || seq > self.seq {
            return self.snapshot();
        }
        let start = self.recent.partition_point(|step| step.seq <= seq);
        let missing = self.recent.iter().skip(start).flat_map(|step| step.changes.iter().cloned());
        Answer::Changes { seq: self.seq, changes: coalesce(missing.collect()) }
    }

    /// Everything from the last few items on.
    pub fn snapshot(&self) -> Answer {
        let floor = self.state.items.iter().rev().nth(FIRST_ITEMS - 1).map_or(Order::default(), |item| item.order);
        Answer::Snapshot { epoch: self.epoch.clone(), seq: self.seq, state: Box::new(self.state.since(floor)) }
    }
}

/// About how much memory a change takes.
fn weight(change: &Change) -> usize {
    match change {
        Change::Append { text, .. } => 64 + text.len(),
        Change::Drop { .. } => 64,
        Change::Put { .. } => 2048,
        Change::Status { .. } | Change::Meters { .. } => 1024,
        Change::Catalog { .. } => 16 * 1024,
        Change::Tasks { tasks } => 64 + 256 * tasks.len(),
        Change::Jobs { jobs } => 64 + 512 * jobs.len(),
        Change::Mcp { servers } => 64 + 256 * servers.len(),
        Change::Queue { queue } => 64 + 512 * queue.len(),
        Change::Asks { asks } => 64 + 4096 * asks.len(),
    }
}
