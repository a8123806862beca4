//! What a person said: an entry of a transcript in, the words out.

use claude_protocol::Line;
use insights::convert::RawLines;
use insights::event::Body;
use insights::{Converter, Profile, Record, UnixMillis};

/// The words of a person in this entry, a command as it was typed; what they are is decided where all entries are understood.
pub(super) fn prompt(entry: impl Into<Line>) -> Option<String> {
    let mut converter = Converter::new("", Profile::Full, RawLines::LeftOut);
    let events = converter.convert(Record::transcript(1, UnixMillis::default(), entry));
    events.into_iter().find_map(|event| match event.body {
        Body::UserInput(input)
            if !input.is_synthetic && input.is_interrupt != Some(true) && input.parent_call_id.is_none() =>
        {
            Some(input.text).filter(|text| !text.trim().is_empty())
        }
        _ => None,
    })
}
