//! Records as events, and events as JSON.

use insights::convert::quiet::Quiet;
use insights::convert::{Converter, Profile, RawLines};
use insights::event::InsightsEvent;
use insights::record::Record;
use insights::time::UnixMillis;

/// The events of records.
pub(crate) fn events(records: Vec<Record>, profile: Profile) -> Vec<InsightsEvent> {
    accounted(records, profile).into_iter().flat_map(|(events, _)| events).collect()
}

/// The events of each record, or the reason why there are none.
pub(crate) fn accounted(records: Vec<Record>, profile: Profile) -> Vec<(Vec<InsightsEvent>, Option<Quiet>)> {
    let mut converter = Converter::new("fixture", profile, RawLines::Kept);
    let mut all = Vec::new();
    for record in records {
        let mut events = Vec::new();
        let quiet = converter.convert_into(record, &mut events);
        all.push((events, quiet));
    }
    all
}

/// The events of plain lines of stdout, as JSON without what all events have; that is checked here.
pub(crate) fn told(lines: &[&str], profile: Profile) -> Vec<serde_json::Value> {
    let records = (1..).zip(lines).map(|(seq, line)| Record::stdout(seq, UnixMillis(0), *line)).collect();
    shown(&events(records, profile), lines, profile)
}

/// The events of records of any source, in profile `full`.
pub(crate) fn told_of(records: Vec<Record>) -> Vec<serde_json::Value> {
    let lines: Vec<String> = records.iter().map(|record| record.line.text().into_owned()).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    shown(&events(records, Profile::Full), &lines, Profile::Full)
}

/// Events as JSON without what all have.
pub(crate) fn shown(events: &[InsightsEvent], lines: &[&str], profile: Profile) -> Vec<serde_json::Value> {
    let mut shown = Vec::new();
    for (n, event) in events.iter().enumerate() {
        let mut value = serde_json::to_value(event).unwrap();
        let fields = value.as_object_mut().unwrap();
        let take = |fields: &mut serde_json::Map<String, serde_json::Value>, name: &str| fields.remove(name);
        assert_eq!(take(fields, "provider"), Some("claude".into()));
        assert!(take(fields, "timestamp").is_some());
        let id = take(fields, "id").unwrap();
        let raw = take(fields, "raw").unwrap();
        let seq = take(fields, "seq");
        match profile {
            Profile::Core => {
                assert_eq!(seq, None);
                assert_eq!(id, format!("evt-{:08x}-{n}", event.id.hash));
                assert!(
                    lines
                        .iter()
                        .any(|line| serde_json::from_str::<serde_json::Value>(line).ok().as_ref() == Some(&raw))
                );
            }
            Profile::Full => {
                let seq = seq.unwrap().as_u64().unwrap();
                assert_eq!(id, format!("evt-{:08x}-{seq}-{}", event.id.hash, event.id.n));
                let line = lines[seq as usize - 1];
                let object =
                    Some(line).filter(|line| line.starts_with('{')).and_then(|line| serde_json::from_str(line).ok());
                assert_eq!(object.unwrap_or_else(|| serde_json::Value::from(line)), raw);
            }
        }
        shown.push(value);
    }
    shown
}
