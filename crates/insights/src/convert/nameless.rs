//! Records of a session that nobody has named in, events out: the first session id that a line names is its name.
//!
//! Ids of events hold a hash of the session's id, and the agent tells its id only with its first turn. Until then records
//! wait here, so that all events of a session have the same hash.

use serde::Deserialize;

use super::{Converter, Profile, RawLines};
use crate::event::InsightsEvent;
use crate::record::{Record, Source};

/// The most records that wait for a name, and the most bytes: without one by then, the session has none.
const MOST_RECORDS: usize = 100;
const MOST_BYTES: usize = 1024 * 1024;

/// Makes events of the records of one session, whose id is found in them.
#[derive(Debug)]
pub struct Nameless {
    profile: Profile,
    raw: RawLines,
    waiting: Vec<Record>,
    waiting_bytes: usize,
    converter: Option<Converter>,
}

impl Nameless {
    /// For a session of which nothing is known.
    pub fn new(profile: Profile, raw: RawLines) -> Self {
        Nameless { profile, raw, waiting: Vec::new(), waiting_bytes: 0, converter: None }
    }

    /// The events of the next record, added to `events`, with those of the records that waited for a name. None while the
    /// records still wait.
    pub fn convert_into(&mut self, record: Record, events: &mut Vec<InsightsEvent>) {
        if let Some(converter) = &mut self.converter {
            converter.convert_into(record, events);
            return;
        }
        let name = session_of(&record);
        self.waiting_bytes += record.line.bytes().len();
        self.waiting.push(record);
        let enough = self.waiting.len() >= MOST_RECORDS || self.waiting_bytes >= MOST_BYTES;
        match name {
            Some(name) => self.begin(&name, events),
            None if enough => self.begin("", events),
            None => {}
        }
    }

    /// The events of the records that still wait, when no more will come.
    pub fn finish(&mut self, events: &mut Vec<InsightsEvent>) {
        if self.converter.is_none() {
            self.begin("", events);
        }
    }

    fn begin(&mut self, session: &str, events: &mut Vec<InsightsEvent>) {
        let converter = self.converter.insert(Converter::new(session, self.profile, self.raw));
        for record in self.waiting.drain(..) {
            converter.convert_into(record, events);
        }
    }
}

/// The few fields that name a session: of a line, of a transcript's entry, and of the fact that opens a log.
#[derive(Deserialize)]
struct Names {
    session_id: Option<String>,
    #[serde(rename = "sessionId")]
    in_transcript: Option<String>,
    #[serde(rename = "session")]
    in_log: Option<String>,
}

/// The session that a record names.
fn session_of(record: &Record) -> Option<String> {
    let names: Names = serde_json::from_str(&record.line.text()).ok()?;
    let in_log = names.in_log.filter(|_| record.source == Source::Host);
    [names.session_id, names.in_transcript, in_log].into_iter().flatten().find(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::HostFact;
    use crate::time::UnixMillis;

    fn ids(records: impl IntoIterator<Item = Record>) -> (Vec<String>, Vec<String>) {
        let mut nameless = Nameless::new(Profile::Full, RawLines::LeftOut);
        let mut events = Vec::new();
        for record in records {
            nameless.convert_into(record, &mut events);
        }
        let before: Vec<String> = events.iter().map(|event| event.id.to_string()).collect();
        nameless.finish(&mut events);
        (before, events.iter().map(|event| event.id.to_string()).collect())
    }

    fn named(session: &str, records: impl IntoIterator<Item = Record>) -> Vec<String> {
        let mut converter = Converter::new(session, Profile::Full, RawLines::LeftOut);
        records.into_iter().flat_map(|record| converter.convert(record)).map(|event| event.id.to_string()).collect()
    }

    fn line(seq: u64, text: &str) -> Record {
        Record::stdout(seq, UnixMillis(0), text)
    }

    #[test]
    fn the_first_session_that_is_named_is_in_all_ids() {
        let records = [
            line(1, "npm warn"),
            line(2, r#"{"type":"news","session_id":""}"#),
            line(3, r#"{"type":"news","session_id":"one"}"#),
            line(4, r#"{"type":"news","session_id":"two"}"#),
        ];
        let all = ids(records.clone());
        assert_eq!(all, (named("one", records.clone()), named("one", records)));
        assert_eq!(all.0.len(), 4);
    }

    #[test]
    fn a_log_and_a_transcript_name_their_session_too() {
        let log = HostFact::Log { format: 1, session: "folder".to_owned(), created: UnixMillis(0) };
        let log = [Record::host(1, UnixMillis(0), &log), line(2, r#"{"type":"news","session_id":"one"}"#)];
        assert_eq!(ids(log.clone()).0, named("folder", log));
        let line = r#"{"type":"summary","sessionId":"file","session":"no"}"#;
        let transcript = [Record::transcript(1, UnixMillis(0), line)];
        assert_eq!(ids(transcript.clone()).0, named("file", transcript));
    }

    #[test]
    fn a_session_without_a_name_waits_for_none_for_ever() {
        let records: Vec<Record> = (1..=150).map(|seq| line(seq, "no name")).collect();
        let all = named("", records.clone());
        assert_eq!(ids(records.clone()), (all.clone(), all));
        assert_eq!(ids(records[..2].to_vec()), (Vec::new(), named("", records[..2].to_vec())));
        let long = line(1, &"x".repeat(MOST_BYTES));
        assert_eq!(ids([long.clone()]).0, named("", [long]));
    }
}
