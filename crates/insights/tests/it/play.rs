//! Records played: their events, and the state that they leave.

use insights::convert::RawLines;
use insights::state::State;
use insights::{Converter, InsightsEvent, Profile, Record, UnixMillis};

/// The events of records.
pub(crate) fn events(records: Vec<Record>) -> Vec<InsightsEvent> {
    let mut converter = Converter::new("session", Profile::Full, RawLines::LeftOut);
    records.into_iter().flat_map(|record| converter.convert(record)).collect()
}

/// The state after events.
pub(crate) fn state<'a>(events: impl IntoIterator<Item = &'a InsightsEvent>) -> State {
    let mut state = State::default();
    for event in events {
        state.apply(event);
    }
    state
}

/// Lines of stdout as records.
pub(crate) fn records_of(lines: &[&str]) -> Vec<Record> {
    let record = |(number, line): (usize, &&str)| {
        let seq = number as u64 + 1;
        Record::stdout(seq, UnixMillis(seq as i64 * 1000), *line)
    };
    lines.iter().enumerate().map(record).collect()
}
