//! The events of a running session: a session of `claude-driver` in, a stream of events out.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use claude_driver::{Event, Events, Session};
use claude_protocol::control::{InitializeAnswer, Response};
use claude_protocol::{FromCli, encode};
use futures_util::Stream;

use crate::convert::{Nameless, Profile, RawLines, wire_time};
use crate::event::InsightsEvent;
use crate::event::text::NoticeLevel;
use crate::record::{HostFact, Record};
use crate::time::UnixMillis;

/// What a session says from now on, as events; ends with the session. Ask before the first prompt to have all of it.
///
/// Any number of streams may be had of a session. Each has a place of its own in what was said: one that is read slowly
/// holds up neither the session nor the others, and misses nothing. Lines that were too long to be read, or were lost all the
/// same (the disk was full), show as a `notice` of level `warning` in their place, in profile `full`.
///
/// * What the CLI answered when it was started comes first, with `seq` 0. Then `seq` is the number of the line in the session,
///   from 1. `timestamp` is the line's own time where it has one, else 1970: nothing here reads a clock.
/// * Only what the CLI says is here. A prompt shows when the CLI has taken it (the driver has the CLI repeat prompts for that
///   reason), an answer to a question by what follows from it; how the process ended is told by
///   [`Session::exited`](claude_driver::Session::exited).
/// * The stream does not keep the session alive: that ends with its last handle, and the stream with it.
pub fn events(session: &Session, profile: Profile) -> impl Stream<Item = InsightsEvent> + Send + Unpin + use<> {
    let said = session.events();
    let mut converter = Nameless::new(profile, RawLines::Kept);
    let mut made = Vec::new();
    if let Some(answer) = session.catalog() {
        converter.convert_into(started(answer), &mut made);
    }
    Live { said, log: Log::default(), converter: Some(converter), ready: made.drain(..).collect(), made }
}

struct Live {
    said: Events,
    log: Log,
    /// None when all has been said.
    converter: Option<Nameless>,
    /// Filled and emptied with each line; kept, so that a line costs no allocation here.
    made: Vec<InsightsEvent>,
    ready: VecDeque<InsightsEvent>,
}

impl Stream for Live {
    type Item = InsightsEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<InsightsEvent>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Poll::Ready(Some(event));
            }
            let Live { said, log, converter, made, ready } = &mut *self;
            let Some(open) = converter else { return Poll::Ready(None) };
            match ready!(Pin::new(said).poll_next(context)) {
                Some(said) => open.convert_into(log.record(said), made),
                None => {
                    open.finish(made);
                    *converter = None;
                }
            }
            ready.extend(made.drain(..));
        }
    }
}

/// What a session says, as the records that a log would have of it.
#[derive(Default)]
struct Log {
    /// The number of the last one.
    seq: u64,
}

impl Log {
    fn record(&mut self, said: Event) -> Record {
        self.seq += 1;
        let warning = match said {
            Event::Message(message) => {
                self.seq = message.number() + 1;
                let at = wire_time(&message.line).unwrap_or_default();
                return Record::stdout(self.seq, at, message.line.clone());
            }
            Event::TooLong { bytes } => format!("a line of {bytes} bytes was too long to be read"),
            Event::Lost { lines } => format!("{lines} lines were lost"),
            _ => "something was said that this version does not understand".to_owned(),
        };
        let note = HostFact::Note { text: warning, level: NoticeLevel::Warning };
        Record::host(self.seq, UnixMillis::default(), &note)
    }
}

/// The line in which the CLI answered `initialize`: the driver has read it before anyone could listen.
fn started(answer: &InitializeAnswer) -> Record {
    let line = FromCli::ControlResponse(Box::new(Response::success("initialize", answer)));
    Record::stdout(0, UnixMillis::default(), encode(&line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_lost_is_a_warning_in_its_place() {
        let mut log = Log { seq: 7 };
        let records = [Event::Lost { lines: 12 }, Event::TooLong { bytes: 99 }].map(|said| log.record(said));
        let texts = ["12 lines were lost", "a line of 99 bytes was too long to be read"];
        let note = |text: &str| HostFact::Note { text: text.to_owned(), level: NoticeLevel::Warning };
        assert_eq!(records[0], Record::host(8, UnixMillis(0), &note(texts[0])));
        assert_eq!(records[1], Record::host(9, UnixMillis(0), &note(texts[1])));

        let mut converter = Nameless::new(Profile::Full, RawLines::LeftOut);
        let mut events = Vec::new();
        records.into_iter().for_each(|record| converter.convert_into(record, &mut events));
        converter.finish(&mut events);
        let shown: Vec<serde_json::Value> = events.iter().map(|event| serde_json::to_value(event).unwrap()).collect();
        let told = |event: &serde_json::Value| (event["event"].clone(), event["level"].clone(), event["text"].clone());
        let expected = texts.map(|text| ("notice".into(), "warning".into(), text.into()));
        assert_eq!(shown.iter().map(told).collect::<Vec<_>>(), expected);
    }
}
