//! A converter and a state that were written down and read again go on as if nothing had been: the law of checkpoints.

use insights::convert::{Converter, Profile, RawLines};
use insights::record::Record;
use insights::state::State;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fixtures::{VERSIONS, scenarios_of};

fn there_and_back<T: Serialize + DeserializeOwned>(value: &T) -> (T, String) {
    let text = serde_json::to_string(value).unwrap();
    (serde_json::from_str(&text).unwrap(), text)
}

/// Plays records twice: straight through, and written down and read again after each one. Both give the same events and
/// changes with each record, and remember the same. So each place is as good as any other to go on from: what follows
/// depends on nothing else.
pub(crate) fn goes_on_from_anywhere(records: &[Record], profile: Profile, what: &str) {
    let mut straight = (Converter::new("session", profile, RawLines::LeftOut), State::default());
    let mut resumed = (Converter::new("session", profile, RawLines::LeftOut), State::default());
    for record in records {
        let (converter, before) = there_and_back(&resumed.0);
        let straight_before = serde_json::to_string(&straight.0).unwrap();
        assert_eq!(before, straight_before, "{what}: what is remembered before record {}", record.seq);
        resumed.0 = converter;
        // It has a law of its own, and is long.
        if record.seq % 8 == 0 {
            resumed.1 = there_and_back(&resumed.1).0;
        }
        let events = straight.0.convert(record.clone());
        assert_eq!(resumed.0.convert(record.clone()), events, "{what}: the events of record {}", record.seq);
        for event in &events {
            assert_eq!(resumed.1.apply(event), straight.1.apply(event), "{what}: what record {} changes", record.seq);
        }
    }
    assert_eq!(resumed.1, straight.1, "{what}: the state in the end");
}

#[test]
fn every_captured_session_goes_on_from_anywhere() {
    for version in VERSIONS {
        for scenario in scenarios_of(version) {
            goes_on_from_anywhere(&scenario.records(), Profile::Full, &scenario.to_string());
        }
    }
}

#[test]
fn the_profile_of_the_source_documents_goes_on_from_anywhere() {
    for scenario in scenarios_of("2.1.38") {
        goes_on_from_anywhere(&scenario.records(), Profile::Core, &scenario.to_string());
    }
}
