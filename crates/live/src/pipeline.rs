//! Everything a record goes through, in order. The only place where the stages meet; if you read one file, read this one.

use insights::convert::RawLines;
use insights::state::State;
use insights::{Converter, HostFact, InsightsEvent, Profile, Record, Source, UnixMillis};
use journal::{Batch, Checkpoint, Folder, Head, Indexer, Reader, SessionRow, Snapshot};
use serde::{Deserialize, Serialize};

use crate::feed::{Epoch, Feed};
use crate::foreign::Foreign;

/// After so many bytes of log there is a new checkpoint: who opens a session reads at most as much.
const CHECKPOINT_BYTES: u64 = 8 * 1024 * 1024;

/// The stages of one session.
#[derive(Debug)]
pub struct Pipeline {
    session: String,
    converter: Converter,
    feed: Feed,
    indexer: Indexer,
    /// The events of the record at hand; kept to be filled again.
    events: Vec<InsightsEvent>,
    /// Questions that are for no person.
    foreign: Foreign,
    past: Past,
    /// About how much of the log has gone through.
    log_bytes: u64,
    /// How much of it the last checkpoint contains.
    checkpoint_bytes: u64,
}

/// What facts of the host have told, as far as it is wanted later.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Past {
    /// The process of the agent that was started last; 0 if none was.
    last_agent: u32,
    /// When the log was begun.
    created_at: UnixMillis,
    /// When somebody last found it without its end: what was there before may have had the numbers of what came after.
    lost_at: UnixMillis,
}

impl Past {
    fn epoch(&self, session: &str) -> Epoch {
        Epoch::new(&format!("{session}.{}.{}", self.created_at.0, self.lost_at.0))
    }
}

/// When somebody asks whether a checkpoint is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// More records may come at once.
    Amid,
    /// The agent has ended: it may be long until the next record.
    Ended,
}

/// What is to be written when a checkpoint is due, in this order.
#[derive(Debug)]
pub struct Due {
    /// What the index lacks, so that the checkpoint is never ahead of it.
    pub batch: Option<Batch>,
    /// The checkpoint.
    pub snapshot: Snapshot,
}

impl Pipeline {
    /// For the session in a folder with this id.
    pub fn new(session: &str) -> Self {
        Pipeline {
            converter: Converter::new(session, Profile::Full, RawLines::LeftOut),
            feed: Feed::new(Past::default().epoch(session)),
            indexer: Indexer::new(session),
            events: Vec::new(),
            foreign: Foreign::default(),
            past: Past::default(),
            session: session.to_owned(),
            log_bytes: 0,
            checkpoint_bytes: 0,
        }
    }

    /// For the session in this folder, and who reads the records that it lacks: those behind the last checkpoint, or all.
    pub fn open(folder: &Folder) -> journal::Result<(Self, Reader)> {
        let session = folder.id();
        let Some((checkpoint, reader)) = Checkpoint::<(Foreign, Past)>::load(folder) else {
            return Ok((Pipeline::new(&session), Reader::after(folder.clone(), 0)?));
        };
        let Checkpoint { seq, log_bytes, converter, state, indexer, beside: (foreign, past) } = checkpoint;
        let pipeline = Pipeline {
            converter,
            feed: Feed::resumed(past.epoch(&session), state, seq),
            indexer,
            events: Vec::new(),
            foreign,
            past,
            session,
            log_bytes,
            checkpoint_bytes: log_bytes,
        };
        Ok((pipeline, reader))
    }

    /// The next record. It is in the log already: whoever owns the pipe appended it before anyone saw it.
    pub fn take(&mut self, record: Record) {
        let (seq, head) = (record.seq, Head::of(&record));
        self.log_bytes += record.line.bytes().len() as u64;
        self.foreign.note(&record);
        self.note_fact(&record);
        self.events.clear();
        self.converter.convert_into(record, &mut self.events);
        let (events, indexer) = (&self.events, &mut self.indexer);
        self.feed.publish(seq, |state: &mut State| {
            let mut changes = Vec::new();
            events.iter().for_each(|event| state.apply_into(event, &mut changes));
            indexer.note(&head, events, &changes, state);
            changes
        });
    }

    /// What the index lacks, to be written when there is time; none if it lacks nothing.
    pub fn batch(&mut self) -> Option<Batch> {
        self.indexer.batch(self.feed.state())
    }

    /// The session as the index will have it.
    pub fn row(&mut self) -> SessionRow {
        self.indexer.row(self.feed.state())
    }

    /// About how many bytes wait for the index.
    pub fn waiting_for_index(&self) -> usize {
        self.indexer.weight()
    }

    /// A checkpoint, if it is time for one: to be written when there is time.
    pub fn checkpoint(&mut self, moment: Moment) -> Option<Due> {
        let new_bytes = self.log_bytes - self.checkpoint_bytes;
        let is_long = self.log_bytes >= CHECKPOINT_BYTES;
        let is_due = new_bytes >= CHECKPOINT_BYTES || (moment == Moment::Ended && is_long && new_bytes > 0);
        if !is_due {
            return None;
        }
        self.checkpoint_bytes = self.log_bytes;
        let batch = self.batch();
        let beside = (&self.foreign, &self.past);
        let snapshot = Snapshot::take(self.feed.seq(), &self.converter, self.feed.state(), &self.indexer, &beside)?;
        Some(Due { batch, snapshot })
    }

    /// As if so much of the log had gone through that a checkpoint is due.
    #[cfg(test)]
    pub(crate) fn lengthen(&mut self) {
        self.log_bytes += CHECKPOINT_BYTES;
    }

    /// The state, when no more records come.
    pub fn into_state(self) -> State {
        self.feed.into_state()
    }

    /// What screens catch up from.
    pub fn feed(&self) -> &Feed {
        &self.feed
    }

    /// The lines that refuse questions which nobody here can answer. They are not given a second time.
    pub(crate) fn refusals(&mut self) -> Vec<String> {
        self.foreign.refusals()
    }

    /// The process of the agent that was started last; 0 if none was.
    pub(crate) fn last_agent(&self) -> u32 {
        self.past.last_agent
    }

    fn note_fact(&mut self, record: &Record) {
        if record.source != Source::Host {
            return;
        }
        match HostFact::from_json(&record.line.text()) {
            Some(HostFact::Spawned { pid, .. }) => self.past.last_agent = pid.unwrap_or_default(),
            Some(HostFact::Log { created, .. }) => self.past.created_at = created,
            Some(HostFact::Lost) => self.past.lost_at = record.at,
            _ => return,
        }
        self.feed.set_epoch(self.past.epoch(&self.session));
    }
}
