//! Appending and reading, torn lines, lost writers, long logs.

use std::fs;
use std::io::Write;

use insights::{HostFact, Line, Record, Source, UnixMillis};
use journal::{Error, Folder, Lock, Reader, Writer};
use proptest::prelude::*;
use tempfile::TempDir;

const NOW: UnixMillis = UnixMillis(1000);

pub(crate) fn folder() -> (TempDir, Folder) {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path().join("sessions").join("s1"));
    (place, folder)
}

pub(crate) fn read(folder: &Folder, after: u64) -> Vec<Record> {
    let mut reader = Reader::after(folder.clone(), after).unwrap();
    std::iter::from_fn(|| reader.next_record().unwrap()).collect()
}

fn facts(folder: &Folder) -> Vec<HostFact> {
    let of_host = read(folder, 0).into_iter().filter(|record| record.source == Source::Host);
    of_host.map(|record| HostFact::from_json(&record.line.text()).unwrap()).collect()
}

fn spawned() -> HostFact {
    HostFact::Spawned { program: "claude".to_owned(), argv: vec![], cwd: "/".to_owned(), version: None, pid: None }
}

fn exited() -> HostFact {
    HostFact::Exited { code: Some(0), signal: None, stderr_tail: vec![], expected: true }
}

#[test]
fn the_first_record_says_what_the_log_is() {
    let (_place, folder) = folder();
    drop(Writer::open(folder.clone(), NOW).unwrap());
    assert_eq!(facts(&folder), [HostFact::Log { format: 1, session: "s1".to_owned(), created: NOW }]);
    drop(Writer::open(folder.clone(), NOW).unwrap());
    assert_eq!(facts(&folder).len(), 1, "only once");
}

#[test]
fn only_its_owner_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let (_place, folder) = folder();
    drop(Writer::open(folder.clone(), NOW).unwrap());
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!([mode(folder.path()), mode(&folder.log()), mode(&folder.lock())], [0o700, 0o600, 0o600]);
}

#[test]
fn there_is_one_writer_and_any_number_of_readers() {
    let (_place, folder) = folder();
    let mut writer = Writer::open(folder.clone(), NOW).unwrap();
    assert!(Lock::is_held(&folder));
    assert!(matches!(Writer::open(folder.clone(), NOW), Err(Error::InUse { .. })));
    let mut readers = [0, 1].map(|after| Reader::after(folder.clone(), after).unwrap());
    assert_eq!(readers[0].next_record().unwrap().unwrap().seq, 1);
    assert_eq!(readers[1].next_record().unwrap(), None);
    let record = writer.append(NOW, Source::Stdout, r#"{"type":"x"}"#).unwrap();
    for reader in &mut readers {
        assert_eq!(reader.next_record().unwrap().as_ref(), Some(&record));
        assert_eq!(reader.next_record().unwrap(), None);
    }
    drop(writer);
    assert!(!Lock::is_held(&folder));
    assert_eq!(Writer::open(folder, NOW).unwrap().last_seq(), 2);
}

#[test]
fn a_torn_line_is_passed_over_by_readers_and_cut_by_the_next_writer() {
    let (_place, folder) = folder();
    let mut writer = Writer::open(folder.clone(), NOW).unwrap();
    writer.append(NOW, Source::Stdout, r#"{"type":"a"}"#).unwrap();
    drop(writer);
    let whole = fs::read(folder.log()).unwrap();
    fs::OpenOptions::new().append(true).open(folder.log()).unwrap().write_all(br#"{"seq":3,"at":1000,"sou"#).unwrap();
    assert_eq!(read(&folder, 0).len(), 2);
    let mut writer = Writer::open(folder.clone(), NOW).unwrap();
    assert_eq!(fs::read(folder.log()).unwrap(), whole);
    assert_eq!(writer.append(NOW, Source::Stdout, r#"{"type":"b"}"#).unwrap().seq, 3);
    assert_eq!(read(&folder, 2).len(), 1);
}

#[test]
fn a_line_that_is_being_written_is_read_when_it_is_whole() {
    let (_place, folder) = folder();
    drop(Writer::open(folder.clone(), NOW).unwrap());
    let mut reader = Reader::after(folder.clone(), 1).unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(folder.log()).unwrap();
    let record = Record::stdout(2, NOW, r#"{"type":"slow"}"#);
    let text = record.to_json();
    let (first, rest) = text.split_at(20);
    file.write_all(first.as_bytes()).unwrap();
    assert_eq!(reader.next_record().unwrap(), None);
    file.write_all(rest.as_bytes()).unwrap();
    assert_eq!(reader.next_record().unwrap(), None);
    file.write_all(b"\n").unwrap();
    assert_eq!(reader.next_record().unwrap(), Some(record));
}

#[test]
fn a_writer_that_died_is_written_down_once() {
    let (_place, folder) = folder();
    let mut writer = Writer::open(folder.clone(), NOW).unwrap();
    writer.append_fact(NOW, &spawned()).unwrap();
    // The agent may say anything, also what looks like a fact of ours.
    writer.append(NOW, Source::Stdout, r#"{"source":"host","fact":"exited"}"#).unwrap();
    drop(writer);
    drop(Writer::open(folder.clone(), NOW).unwrap());
    assert_eq!(facts(&folder).last(), Some(&HostFact::Lost));
    let mut writer = Writer::open(folder.clone(), NOW).unwrap();
    assert_eq!(writer.last_seq(), 4, "nothing new to say");
    writer.append_fact(NOW, &spawned()).unwrap();
    writer.append_fact(NOW, &exited()).unwrap();
    drop(writer);
    drop(Writer::open(folder.clone(), NOW).unwrap());
    assert_eq!(facts(&folder).last(), Some(&exited()));
}

#[test]
fn any_place_of_a_long_log_is_found() {
    let (_place, folder) = folder();
    let mut writer = Writer::open(folder.clone(), NOW).unwrap();
    for number in 2..=3000_u64 {
        let filler = "x".repeat((number as usize * 7919) % 900);
        writer.append(NOW, Source::Stdout, format!(r#"{{"number":{number},"filler":"{filler}"}}"#)).unwrap();
    }
    for after in [0, 1, 2, 1499, 1500, 2998, 2999, 3000, 9999] {
        let seqs: Vec<u64> = read(&folder, after).iter().map(|record| record.seq).collect();
        assert_eq!(seqs, (after + 1..=3000).collect::<Vec<_>>(), "after {after}");
    }
}

#[test]
fn a_damaged_line_is_named_and_not_passed_over() {
    let (_place, folder) = folder();
    drop(Writer::open(folder.clone(), NOW).unwrap());
    let first = fs::metadata(folder.log()).unwrap().len();
    fs::OpenOptions::new().append(true).open(folder.log()).unwrap().write_all(b"garbage\n").unwrap();
    let mut reader = Reader::after(folder.clone(), 0).unwrap();
    reader.next_record().unwrap();
    assert!(matches!(reader.next_record(), Err(Error::Damaged { at, .. }) if at == first));
    assert!(matches!(Writer::open(folder, NOW), Err(Error::Damaged { .. })));
}

fn any_line() -> impl Strategy<Value = Line> {
    prop_oneof![
        any::<String>().prop_map(Line::from),
        any::<String>().prop_map(|text| Line::from(serde_json::json!({ "text": text }).to_string())),
        proptest::collection::vec(any::<u8>(), 0..40).prop_map(Line::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn what_is_appended_is_read_back(lines in proptest::collection::vec(any_line(), 0..30), reopen in 0..30_usize) {
        let (_place, folder) = folder();
        let mut writer = Writer::open(folder.clone(), NOW).unwrap();
        let mut written = Vec::new();
        for (index, line) in lines.into_iter().enumerate() {
            if index == reopen {
                drop(writer);
                writer = Writer::open(folder.clone(), NOW).unwrap();
            }
            let at = UnixMillis(index as i64);
            written.push(writer.append(at, Source::Stdin { by: None, id: Some(index.to_string()) }, line).unwrap());
        }
        prop_assert_eq!(read(&folder, 1), written);
    }
}
