//! Several readers, a small cap, and lines that come back from the file.

use claude_protocol::decode;
use futures_util::{FutureExt, StreamExt};

use super::*;

/// Every other line was read.
fn lines(numbers: std::ops::Range<u64>) -> Entries {
    let mut entries = Entries::default();
    for number in numbers {
        let line = format!(r#"{{"type":"keep_alive","n":{number}}}"#);
        match number % 2 {
            0 => entries.push(decode(line)),
            _ => entries.push_unread(line.as_bytes(), line.len()),
        }
    }
    entries
}

/// The numbers that the lines say, not those that the log gave them.
fn numbers(events: &mut Events) -> Vec<u64> {
    let mut all = Vec::new();
    while let Some(Some(event)) = events.next().now_or_never() {
        let Event::Message(message) = event else { panic!("{event:?}") };
        let text = message.line.text().into_owned();
        all.push(text.trim_end_matches('}').rsplit(':').next().unwrap().parse().unwrap());
    }
    all
}

#[test]
fn each_reader_gets_everything_since_it_was_made_at_its_own_pace() {
    let log = Log::new(1 << 20, false);
    log.append(lines(0..3));
    let mut early = log.reader();
    log.append(lines(3..5));
    let mut late = log.reader();
    log.append(lines(5..6));
    assert_eq!(numbers(&mut early), [3, 4, 5]);
    log.append(lines(6..7));
    assert_eq!(numbers(&mut late), [5, 6]);
    assert_eq!(numbers(&mut early), [6]);
    log.close();
    assert!(matches!(early.next().now_or_never(), Some(None)));
}

#[test]
fn what_outgrows_the_cap_is_read_back_from_the_file() {
    let log = Log::new(20_000, false);
    let mut slow = log.reader();
    let mut quick = log.reader();
    for start in (0..1_000).step_by(10) {
        log.append(lines(start..start + 10));
        assert_eq!(numbers(&mut quick).len(), 10);
    }
    assert!(log.state().bytes <= 20_000);
    assert!(log.state().spool.is_some());
    assert_eq!(numbers(&mut slow), (0..1_000).collect::<Vec<_>>());
    // The disk is given back once nobody wants it.
    assert_eq!(log.state().bytes, 0);
    log.append(lines(1_000..1_001));
    assert_eq!((numbers(&mut slow), numbers(&mut quick)), (vec![1_000], vec![1_000]));
}

#[test]
fn without_readers_nothing_is_kept_and_a_dropped_one_is_forgotten() {
    let log = Log::new(1 << 20, false);
    log.append(lines(0..100));
    assert_eq!(log.state().bytes, 0);
    let reader = log.reader();
    log.append(lines(100..200));
    assert!(log.state().bytes > 0);
    drop(reader);
    assert_eq!(log.state().bytes, 0);
    assert!(log.state().batches.is_empty());
}

#[test]
fn a_line_that_was_too_long_keeps_its_place_also_in_the_file() {
    let log = Log::new(0, false);
    let mut reader = log.reader();
    let mut entries = Entries::default();
    entries.push_too_long(7);
    log.append(entries);
    log.append(lines(1..2));
    assert!(matches!(reader.next().now_or_never(), Some(Some(Event::TooLong { bytes: 7 }))));
    assert_eq!(numbers(&mut reader), [1]);
}

#[test]
fn bytes_that_are_no_text_stay_those_of_their_line() {
    let log = Log::new(1 << 20, false);
    let mut reader = log.reader();
    // The first two are text only together; beside the last one, nothing is.
    for lines in [&[&b"a\xC3"[..], b"\xA9b", "é".as_bytes()][..], &[b"\xFF", b"ok"]] {
        let mut entries = Entries::default();
        lines.iter().for_each(|line| entries.push_unread(line, line.len()));
        log.append(entries);
        for line in lines {
            let Some(Some(Event::Message(message))) = reader.next().now_or_never() else { panic!("no message") };
            assert_eq!(message.line, claude_protocol::Line::from(*line));
        }
    }
}
