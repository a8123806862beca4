//! Laws of the index: however a log comes to it, the tables are the same.

use insights::Record;
use journal::{Batch, Error, Index, Reader, Written};
use proptest::prelude::*;

use crate::support::{Live, all_fixtures, append, data, dump, fixture, indexed};

/// The records of a log, with their numbers and times.
fn records(data: &journal::Data, id: &str) -> Vec<Record> {
    let mut reader = Reader::after(data.session(id).unwrap(), 0).unwrap();
    std::iter::from_fn(|| reader.next_record().unwrap()).collect()
}

/// The batches of a log that is cut after these numbers of records.
fn batches(id: &str, records: &[Record], cuts: &[usize]) -> Vec<Batch> {
    let mut live = Live::new(id);
    let mut batches = Vec::new();
    for (number, record) in (1..).zip(records) {
        live.take(record.clone());
        if cuts.contains(&number) {
            batches.extend(live.batch());
        }
    }
    batches.extend(live.batch());
    batches
}

/// Sessions in which much changes after the fact.
const LIVELY: [&str; 9] = [
    "2.1.326/parallel-subagents",
    "2.1.326/background-subagent",
    "2.1.326/sigkill-then-resume",
    "2.1.326/interrupt-queued",
    "2.1.326/fork-session",
    "2.1.326/rename",
    "2.1.1/permission-denied-rule",
    "2.1.29/thinking-streaming",
    "2.1.38/slash-clear-then-talk",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_cut_into_batches_gives_the_same_tables(
        name in proptest::sample::select(&LIVELY[..]),
        cuts in proptest::collection::vec(1..60_usize, 0..12),
        again in any::<proptest::sample::Index>(),
    ) {
        let (_place, whole, mut index) = indexed(&[name]);
        let records = records(&whole, "0");
        let (_other_place, other) = data();
        let mut live = Index::open(&other).unwrap();
        let batches = batches("0", &records, &cuts);
        for (number, batch) in batches.iter().enumerate() {
            prop_assert_eq!(live.write(batch).unwrap(), Written::Now);
            // One of them comes twice, and with it all that came before.
            if number == again.index(batches.len()) {
                for batch in &batches[..=number] {
                    prop_assert_eq!(live.write(batch).unwrap(), Written::Before);
                }
            }
        }
        prop_assert_eq!(dump(&other), dump(&whole));
        prop_assert_eq!(index.session("0").unwrap(), live.session("0").unwrap());
    }

    #[test]
    fn batches_that_overlap_give_the_same_tables(
        name in proptest::sample::select(&LIVELY[..]),
        one in proptest::collection::vec(1..60_usize, 0..6),
        other in proptest::collection::vec(1..60_usize, 0..6),
    ) {
        let (_place, whole, _index) = indexed(&[name]);
        let records = records(&whole, "0");
        let (_other_place, both) = data();
        let mut index = Index::open(&both).unwrap();
        // Two write at once, as when the index catches up while a session goes on.
        let mut batches: Vec<Batch> = [one, other].iter().flat_map(|cuts| batches("0", &records, cuts)).collect();
        batches.sort_by_key(Batch::to);
        for batch in &batches {
            index.write(batch).unwrap();
        }
        prop_assert_eq!(dump(&both), dump(&whole));
    }

    #[test]
    fn a_log_that_is_caught_up_with_now_and_then_gives_the_same_tables(
        name in proptest::sample::select(&LIVELY[..]),
        cuts in proptest::collection::vec(1..60_usize, 1..4),
    ) {
        let (_place, whole, _index) = indexed(&[name]);
        let log = std::fs::read(whole.session("0").unwrap().log()).unwrap();
        let ends: Vec<usize> = (1..).zip(&log).filter(|(_, byte)| **byte == b'\n').map(|(end, _)| end).collect();
        let (_other_place, other) = data();
        let mut index = Index::open(&other).unwrap();
        let folder = other.session("0").unwrap();
        folder.make().unwrap();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(ends.len())).collect();
        cuts.push(ends.len());
        cuts.sort_unstable();
        for cut in cuts {
            // The next line is being written.
            let torn = (ends[cut - 1] + 7).min(log.len());
            std::fs::write(folder.log(), &log[..torn]).unwrap();
            index.catch_up(&other, |_| {}).unwrap();
            prop_assert_eq!(index.session("0").unwrap().unwrap().seq, cut as u64);
        }
        prop_assert_eq!(dump(&other), dump(&whole));
    }
}

#[test]
fn all_captured_sessions_are_the_same_record_by_record() {
    let names = all_fixtures();
    let (_place, whole) = data();
    let (_other_place, other) = data();
    let mut live = Index::open(&other).unwrap();
    // Every seventh is enough here; the order of names mixes versions and kinds.
    for (number, name) in names.iter().enumerate().step_by(7) {
        let id = number.to_string();
        append(&whole, &id, &fixture(name));
        let records = records(&whole, &id);
        let every: Vec<usize> = (1..=records.len()).collect();
        for batch in batches(&id, &records, &every) {
            live.write(&batch).unwrap();
        }
    }
    Index::open(&whole).unwrap().catch_up(&whole, |_| {}).unwrap();
    assert_eq!(dump(&other), dump(&whole));
}

#[test]
fn a_batch_that_comes_too_early_asks_to_catch_up() {
    let (_place, whole, _index) = indexed(&["2.1.326/resume"]);
    let records = records(&whole, "0");
    let (_other_place, other) = data();
    append(&other, "0", &fixture("2.1.326/resume"));
    let mut index = Index::open(&other).unwrap();
    let batches = batches("0", &records, &[5, 9]);
    index.write(&batches[0]).unwrap();
    let error = index.write(&batches[2]).unwrap_err();
    assert!(matches!(&error, Error::Gap { session, has: 5, from: 10 } if session == "0"), "{error}");
    assert_eq!(index.session("0").unwrap().unwrap().seq, 5, "nothing of it was written");
    assert_eq!(index.catch_up_session(&other.session("0").unwrap()).unwrap(), 15);
    assert_eq!(index.write(&batches[2]).unwrap(), Written::Before);
    assert_eq!(dump(&other), dump(&whole));
}

#[test]
fn a_batch_of_another_log_is_refused() {
    let (_place, data, mut index) = indexed(&["2.1.326/resume"]);
    let before = dump(&data);
    let mut records = records(&data, "0");
    for record in &mut records {
        record.line = record.line.text().replace(r#""created":1763208000000"#, r#""created":5"#).into();
    }
    let error = index.write(&batches("0", &records, &[])[0]).unwrap_err();
    assert!(matches!(error, Error::Gap { has: 0, .. }), "{error}");
    assert_eq!(dump(&data), before);
}
