//! Collecting rows: what the pipeline makes of each record in, batches of rows out. Pure: nothing is read or written.

use std::collections::BTreeMap;
use std::sync::Arc;

use insights::event::text::{InputState, UserInput};
use insights::state::item::{Item, ItemBody};
use insights::state::{Change, Clip, State};
use insights::{Body, HostFact, InsightsEvent, Record, Source, UnixMillis};
use serde::{Deserialize, Serialize};

use super::about::{self, call, command, head as head_of, paths};
use super::meter::{Meter, Turns};
use super::rows::{CallRow, SessionRow, TextKind, TextRow, TurnRow};
use super::search::plain;

/// The most bytes of a head: enough for a line in a list.
pub(super) const HEAD_BYTES: usize = 400;

/// What the index needs of a record itself. Made before the record is given away.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    seq: u64,
    at: UnixMillis,
    fact: Option<HostFact>,
}

impl Head {
    /// Of this record.
    pub fn of(record: &Record) -> Self {
        let fact = match record.source {
            Source::Host => HostFact::from_json(&record.line.text()),
            Source::Stdin { .. } | Source::Stdout | Source::Stderr | Source::Transcript => None,
        };
        Head { seq: record.seq, at: record.at, fact }
    }

    /// What tells one log from another in the same folder; asked of the first record.
    pub(crate) fn identity(&self) -> String {
        match &self.fact {
            Some(HostFact::Log { session, created, .. }) => format!("{session}@{}", created.0),
            _ => format!("@{}", self.at.0),
        }
    }
}

/// Collects the rows of one session, from its first record on. Right after a batch it can be written down with serde.
#[derive(Debug, Serialize, Deserialize)]
pub struct Indexer {
    row: SessionRow,
    identity: String,
    title: Option<String>,
    meter: Meter,
    turns: Turns,
    /// The first record that is in no batch yet.
    #[serde(skip)]
    from: u64,
    #[serde(skip)]
    texts: BTreeMap<(TextKind, String), Option<TextRow>>,
    #[serde(skip)]
    calls: BTreeMap<Arc<str>, Option<CallRow>>,
    #[serde(skip)]
    weight: usize,
}

/// Rows to be written at once: each as it is after the batch's last record, `None` where it is gone.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    pub(super) row: SessionRow,
    pub(super) identity: String,
    pub(super) from: u64,
    /// Where the log is after the last record, where that is known.
    pub(super) log_bytes: Option<u64>,
    pub(super) turns: Vec<TurnRow>,
    /// Turns up to this number were made in another session.
    pub(super) inherited: u32,
    pub(super) calls: BTreeMap<Arc<str>, Option<CallRow>>,
    pub(super) texts: BTreeMap<(TextKind, String), Option<TextRow>>,
}

impl Batch {
    /// The session.
    pub fn session(&self) -> &str {
        &self.row.id
    }

    /// The first record that is in it.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// The last record that is in it.
    pub fn to(&self) -> u64 {
        self.row.seq
    }
}

impl Indexer {
    /// For the session in a folder with this id. It has to be given all records, from the first one on.
    pub fn new(session: &str) -> Self {
        Indexer {
            row: SessionRow { id: session.to_owned(), ..SessionRow::default() },
            identity: String::new(),
            title: None,
            meter: Meter::default(),
            turns: Turns::default(),
            from: 1,
            texts: BTreeMap::new(),
            calls: BTreeMap::new(),
            weight: 0,
        }
    }

    /// One that was written down after record `seq` of this session, if it is that; its batches begin with the next record.
    pub(crate) fn resumed(self, session: &str, seq: u64) -> Option<Self> {
        (self.row.id == session && self.row.seq == seq).then_some(Indexer { from: seq + 1, ..self })
    }

    /// The next record: the events that it gave, what they changed, and the state after that.
    pub fn note(&mut self, head: &Head, events: &[InsightsEvent], changes: &[Change], state: &State) {
        if self.row.seq == 0 {
            self.identity = head.identity();
            self.row.created_at = head.at;
            self.row.active_at = head.at;
        }
        self.row.seq = head.seq;
        if changes.iter().any(is_activity) {
            self.row.active_at = head.at;
        }
        // Most records are pieces of text, which are looked at when they are whole.
        if !changes.is_empty() && changes.iter().all(|change| matches!(change, Change::Append { .. })) {
            return;
        }
        if let Some(fact) = &head.fact {
            self.fact(fact);
        }
        self.turns.begin(head.seq, head.at, events, state);
        for event in events {
            if let Body::UserInput(input) = &event.body {
                self.said(input);
            }
        }
        for change in changes {
            self.change(change);
        }
        for event in events {
            if let Body::TurnComplete(complete) = &event.body {
                let row = self.turns.complete(head.seq, head.at, complete, changes, state);
                self.meter.turn(row, complete);
                self.row.last_turn_seq = head.seq;
                self.row.failed = state.last_turn().and_then(|(_, turn)| turn.failure());
            }
        }
        self.turns.lose(head.seq, head.at, state);
        self.name(head, state);
    }

    /// All rows since the last batch, or `None` if there was no record; `state` is that after the last one.
    pub fn batch(&mut self, state: &State) -> Option<Batch> {
        if self.row.seq < self.from {
            return None;
        }
        self.fill_row(state);
        let from = std::mem::replace(&mut self.from, self.row.seq + 1);
        self.weight = 0;
        Some(Batch {
            row: self.row.clone(),
            identity: self.identity.clone(),
            from,
            log_bytes: None,
            turns: self.turns.take(self.row.seq),
            inherited: self.turns.inherited,
            calls: std::mem::take(&mut self.calls),
            texts: std::mem::take(&mut self.texts),
        })
    }

    /// The session as the next batch will have it; `state` is that after the last record.
    pub fn row(&mut self, state: &State) -> SessionRow {
        self.fill_row(state);
        self.row.clone()
    }

    /// About how many bytes wait for a batch.
    pub fn weight(&self) -> usize {
        self.weight
    }

    fn fact(&mut self, fact: &HostFact) {
        match fact {
            HostFact::Log { created, .. } => self.row.created_at = *created,
            HostFact::Imported { path, .. } => self.row.imported_from = Some(head_of(path)),
            HostFact::Forked { session, from, .. } => {
                self.row.forked_from = session.clone().or_else(|| from.clone());
                self.meter.forked();
                self.turns.inherited = self.turns.count();
                (self.row.last_turn_seq, self.row.failed) = (0, None);
            }
            HostFact::Spawned { .. }
            | HostFact::Exited { .. }
            | HostFact::Lost
            | HostFact::Attached
            | HostFact::Detached
            | HostFact::Resumed { .. }
            | HostFact::Cleared { .. }
            | HostFact::Dismissed { .. }
            | HostFact::Note { .. } => {}
        }
    }

    /// Something was said to the agent. The first of it names the session, also if the agent never took it.
    fn said(&mut self, input: &UserInput) {
        let by_person = !input.is_synthetic && input.is_interrupt != Some(true) && input.parent_call_id.is_none();
        let meant = input.state != InputState::Cancelled && !input.text.trim().is_empty();
        if self.row.first_prompt.is_none() && by_person && meant {
            self.row.first_prompt = Some(head_of(&input.text));
        }
    }

    fn change(&mut self, change: &Change) {
        match change {
            Change::Put { item } => self.put(item),
            Change::Drop { id } => {
                self.calls.insert(id.clone(), None);
                for kind in [TextKind::Prompt, TextKind::Answer, TextKind::Command] {
                    self.texts.insert((kind, id.to_string()), None);
                }
            }
            Change::Status { .. }
            | Change::Meters { .. }
            | Change::Catalog { .. }
            | Change::Tasks { .. }
            | Change::Jobs { .. }
            | Change::Mcp { .. }
            | Change::Queue { .. }
            | Change::Asks { .. }
            | Change::Append { .. } => {}
        }
    }

    fn put(&mut self, item: &Item) {
        if let Some(row) = call(item, self.turns.at(item.order.0)) {
            self.weight += row.about.len() + 100;
            self.calls.insert(item.id.clone(), Some(row));
        }
        match &item.body {
            ItemBody::User(user) if about::is_prompt(item, user) => self.text(TextKind::Prompt, item, &user.text),
            ItemBody::Text(text) if text.done => self.text(TextKind::Answer, item, &text.text),
            ItemBody::Tool(tool) => {
                if let Some(command) = command(tool) {
                    self.text(TextKind::Command, item, command);
                }
                for path in paths(tool) {
                    // A path is found once in a session, where it was worked with last.
                    let row = TextRow { seq: item.seq, at: item.at, text: plain(path) };
                    self.weight += 2 * path.len() + 100;
                    self.texts.insert((TextKind::Path, path.to_owned()), Some(row));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, kind: TextKind, item: &Item, text: &Clip) {
        let text = text.text.trim();
        let row = TextRow { seq: item.seq, at: item.at, text: plain(text) };
        self.weight += text.len() + 100;
        self.texts.insert((kind, item.id.to_string()), Some(row).filter(|_| !text.is_empty()));
    }

    /// The names that the session goes by.
    fn name(&mut self, head: &Head, state: &State) {
        if self.title.as_deref() != state.status.title.as_deref() {
            about::keep(&mut self.title, &state.status.title);
            let row = self.title.as_ref().map(|title| TextRow { seq: head.seq, at: head.at, text: plain(title) });
            self.texts.insert((TextKind::Title, String::new()), row);
        }
        if let Some(id) = state.status.session_id.as_deref()
            && !self.row.agent_sessions.iter().any(|known| known == id)
        {
            self.row.agent_sessions.push(id.to_owned());
        }
    }

    fn fill_row(&mut self, state: &State) {
        let status = &state.status;
        let row = &mut self.row;
        about::keep(&mut row.title, &status.title);
        about::keep(&mut row.cwd, &status.cwd);
        about::keep(&mut row.model, &status.model);
        about::keep(&mut row.mode, &status.mode);
        about::keep(&mut row.version, &status.version);
        row.phase = status.phase;
        row.words.clone_from(&status.words);
        row.since = status.since;
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        row.asks = count(state.asks.len());
        row.unconfirmed = count(state.queue.iter().filter(|queued| about::is_unconfirmed(queued)).count());
        row.cost_usd = self.meter.cost_usd;
        row.inherited_usd = self.meter.inherited_usd;
        row.tokens = self.meter.tokens.clone();
        row.turns = self.meter.turns;
    }
}

/// Is this something that was said or done, and no mere figure?
fn is_activity(change: &Change) -> bool {
    match change {
        Change::Put { .. } | Change::Append { .. } | Change::Queue { .. } | Change::Asks { .. } => true,
        Change::Drop { .. }
        | Change::Status { .. }
        | Change::Meters { .. }
        | Change::Catalog { .. }
        | Change::Tasks { .. }
        | Change::Jobs { .. }
        | Change::Mcp { .. } => false,
    }
}
