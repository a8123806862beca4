//! Everything a record goes through, in order. The only place where the stages meet; if you read one file, read this one.

use insights::convert::RawLines;
use insights::state::State;
use insights::{Converter, InsightsEvent, Profile, Record};
use journal::{Batch, Head, Indexer};

use crate::feed::{Epoch, Feed};

/// The stages of one session.
#[derive(Debug)]
pub struct Pipeline {
    converter: Converter,
    feed: Feed,
    indexer: Indexer,
    /// The events of the record at hand; kept to be filled again.
    events: Vec<InsightsEvent>,
}

impl Pipeline {
    /// For the session in a folder with this id.
    pub fn new(session: &str) -> Self {
        Pipeline {
            converter: Converter::new(session, Profile::Full, RawLines::LeftOut),
            feed: Feed::new(Epoch::new(session)),
            indexer: Indexer::new(session),
            events: Vec::new(),
        }
    }

    /// The next record. It is in the log already: whoever owns the pipe appended it before anyone saw it.
    pub fn take(&mut self, record: Record) {
        let (seq, head) = (record.seq, Head::of(&record));
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

    /// About how many bytes wait for the index.
    pub fn waiting_for_index(&self) -> usize {
        self.indexer.weight()
    }

    /// The state, when no more records come.
    pub fn into_state(self) -> State {
        self.feed.into_state()
    }

    /// What screens catch up from.
    pub fn feed(&self) -> &Feed {
        &self.feed
    }
}
