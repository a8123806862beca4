//! Checkpoints: who goes on from one comes to where he would have come from the start, and one that is not sound is not used.

use std::fs;
use std::os::unix::fs::{FileExt, PermissionsExt};

use insights::{HostFact, Record, Source, UnixMillis};
use journal::{Checkpoint, Data, Folder, Index, Reader, Snapshot, Writer, pack, unpack};

use crate::support::{Live, START, all_fixtures, append, append_fact, data, dump, fixture};

const RICH: [&str; 4] =
    ["2.1.326/background-subagent-stop-task", "2.1.38/parallel-tools-streaming", "2.1.29/resume", "2.1.1/task-tools"];

fn records(folder: &Folder) -> Vec<Record> {
    rest(Reader::after(folder.clone(), 0).unwrap())
}

fn rest(mut reader: Reader) -> Vec<Record> {
    std::iter::from_fn(|| reader.next_record().unwrap()).collect()
}

fn played(folder: &Folder, records: &[Record]) -> Live {
    let mut live = Live::new(&folder.id());
    records.iter().cloned().for_each(|record| live.take(record));
    live
}

/// Writes the checkpoint that stands behind the first `count` records.
fn write(folder: &Folder, count: usize) {
    let mut live = played(folder, &records(folder)[..count]);
    live.batch();
    snapshot(&live, count as u64).write(folder).unwrap();
}

fn snapshot(live: &Live, seq: u64) -> Snapshot {
    Snapshot::take(seq, &live.converter, &live.state, &live.indexer, &"beside").unwrap()
}

fn load(folder: &Folder) -> Option<(Checkpoint<String>, Reader)> {
    Checkpoint::load(folder)
}

/// Goes on behind the first `count` records, and compares with who never stopped there.
fn goes_on(folder: &Folder, all: &[Record], count: usize) {
    write(folder, count);
    let (checkpoint, reader) = load(folder).unwrap();
    assert_eq!((checkpoint.seq, checkpoint.beside.as_str()), (count as u64, "beside"));
    let read = rest(reader);
    assert_eq!(read, all[count..], "only the rest is read");
    let Checkpoint { converter, state, indexer, .. } = checkpoint;
    let mut resumed = Live { converter, state, indexer };
    read.into_iter().for_each(|record| resumed.take(record));
    let mut straight = played(folder, &all[..count]);
    straight.batch();
    all[count..].iter().cloned().for_each(|record| straight.take(record));
    assert_eq!(resumed.state, straight.state, "behind {count} of {}", all.len());
    assert_eq!(resumed.batch(), straight.batch(), "behind {count} of {}", all.len());
}

#[test]
fn from_a_checkpoint_comes_what_comes_from_the_start() {
    let (_place, data) = data();
    for (number, name) in all_fixtures().iter().enumerate() {
        let folder = append(&data, &number.to_string(), &fixture(name));
        let all = records(&folder);
        goes_on(&folder, &all, 1 + number % all.len());
    }
}

#[test]
fn every_place_of_a_rich_session_is_good_for_a_checkpoint() {
    let (_place, data) = data();
    for (number, name) in RICH.iter().enumerate() {
        let folder = append(&data, &number.to_string(), &fixture(name));
        let all = records(&folder);
        (1..=all.len()).for_each(|count| goes_on(&folder, &all, count));
    }
}

#[test]
fn a_packed_log_goes_on_from_its_checkpoint_too() {
    let (_place, data) = data();
    let folder = append(&data, "s", &fixture(RICH[1]));
    let all = records(&folder);
    write(&folder, 20);
    pack(&folder).unwrap();
    assert_eq!(rest(load(&folder).unwrap().1), all[20..]);
    goes_on(&folder, &all, 30);
    unpack(&folder).unwrap();
    assert_eq!(rest(load(&folder).unwrap().1), all[30..]);
}

/// A session with a checkpoint behind record 20, to which something is done; then none may be found.
fn after(what: &str, harm: impl FnOnce(&Data, &Folder)) {
    let (_place, data) = data();
    let folder = append(&data, "s", &fixture(RICH[0]));
    write(&folder, 20);
    assert!(load(&folder).is_some(), "{what}: before");
    harm(&data, &folder);
    assert!(load(&folder).is_none(), "{what}");
    write(&folder, 5);
    assert_eq!(load(&folder).unwrap().0.seq, 5, "{what}: another one takes its place");
}

#[test]
fn a_checkpoint_that_is_damaged_is_passed_over() {
    after("gone", |_, folder| fs::remove_file(folder.checkpoint()).unwrap());
    after("empty", |_, folder| fs::write(folder.checkpoint(), "").unwrap());
    after("garbage", |_, folder| fs::write(folder.checkpoint(), [7; 5000]).unwrap());
    for part in 1..8 {
        after("cut", |_, folder| {
            let bytes = fs::read(folder.checkpoint()).unwrap();
            fs::write(folder.checkpoint(), &bytes[..bytes.len() * part / 8]).unwrap();
        });
        after("with a byte turned", |_, folder| {
            let mut bytes = fs::read(folder.checkpoint()).unwrap();
            let at = bytes.len() * part / 8;
            bytes[at] ^= 0x10;
            fs::write(folder.checkpoint(), bytes).unwrap();
        });
    }
    after("without its checksum", |_, folder| {
        let bytes = fs::read(folder.checkpoint()).unwrap();
        fs::write(folder.checkpoint(), &bytes[..bytes.len() - 4]).unwrap();
    });
}

/// Writes the checkpoint anew with another text in it.
fn rewritten(folder: &Folder, from: &str, to: &str) {
    let text = zstd::decode_all(fs::File::open(folder.checkpoint()).unwrap()).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains(from), "{}", text.lines().next().unwrap());
    fs::write(folder.checkpoint(), zstd::encode_all(text.replacen(from, to, 1).as_bytes(), 1).unwrap()).unwrap();
}

#[test]
fn a_checkpoint_of_another_version_is_passed_over() {
    after("file", |_, folder| rewritten(folder, r#""format":1"#, r#""format":2"#));
    after("reducer", |_, folder| rewritten(folder, r#""version":"#, r#""version":1"#));
}

#[test]
fn a_checkpoint_of_another_log_is_passed_over() {
    after("begun anew", |data, folder| {
        fs::remove_file(folder.log()).unwrap();
        let mut writer = Writer::open(folder.clone(), UnixMillis(START.0 + 1)).unwrap();
        for record in fixture(RICH[0]) {
            writer.append(START, record.source, record.line).unwrap();
        }
        drop(writer);
        assert_eq!(data.sessions().unwrap().len(), 1);
    });
    after("of another session", |data, folder| {
        let other = append(data, "t", &fixture(RICH[0]));
        write(&other, 20);
        fs::copy(other.checkpoint(), folder.checkpoint()).unwrap();
    });
}

#[test]
fn a_checkpoint_that_is_ahead_of_the_log_is_passed_over() {
    let cut = |folder: &Folder| {
        let text = fs::read_to_string(folder.log()).unwrap();
        let kept: Vec<&str> = text.split_inclusive('\n').take(19).collect();
        fs::write(folder.log(), kept.concat()).unwrap();
    };
    after("shorter", |_, folder| cut(folder));
    after("the record is torn", |_, folder| {
        let text = fs::read_to_string(folder.log()).unwrap();
        let kept: Vec<&str> = text.split_inclusive('\n').take(20).collect();
        fs::write(folder.log(), kept.concat().trim_end()).unwrap();
    });
    after("gone on with other records", |data, folder| {
        cut(folder);
        (0..50).for_each(|_| append_fact(data, "s", &HostFact::Attached));
    });
    after("gone on with a record of the same length", |_, folder| {
        let text = fs::read_to_string(folder.log()).unwrap();
        let line: usize = text.split_inclusive('\n').take(19).map(str::len).sum();
        let time = line + text[line..].find("at\":").unwrap() + 4;
        fs::OpenOptions::new().write(true).open(folder.log()).unwrap().write_all_at(b"9", time as u64).unwrap();
    });
}

#[test]
fn a_snapshot_of_what_the_log_does_not_have_is_not_written() {
    let (_place, data) = data();
    let folder = append(&data, "s", &fixture(RICH[0]));
    let mut live = played(&folder, &records(&folder));
    live.batch();
    let seq = records(&folder).len() as u64 + 1;
    live.take(Record { seq, at: START, source: Source::Stdout, line: "{}".into() });
    snapshot(&live, seq).write(&folder).unwrap();
    assert!(!folder.checkpoint().exists());
}

#[test]
fn only_its_owner_can_read_a_checkpoint() {
    let (_place, data) = data();
    let folder = append(&data, "s", &fixture(RICH[0]));
    write(&folder, 20);
    assert_eq!(fs::metadata(folder.checkpoint()).unwrap().permissions().mode() & 0o777, 0o600);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with("part")), "{left:?}");
}

#[test]
fn the_index_catches_up_from_a_checkpoint() {
    let (_place, data) = data();
    let all = fixture(RICH[1]);
    let folder = append(&data, "s", &all[..30]);
    let mut index = Index::open(&data).unwrap();
    assert_eq!(index.catch_up_session(&folder).unwrap(), 31, "a log begins with a record of its own");
    write(&folder, 25);
    append(&data, "s", &all[30..]);
    let count = records(&folder).len() as u64;
    assert_eq!(index.catch_up_session(&folder).unwrap(), count - 25, "only what is behind the checkpoint is read");
    let from_checkpoint = dump(&data);
    drop(index);
    fs::remove_file(data.index()).unwrap();
    let mut index = Index::open(&data).unwrap();
    let read = index.catch_up_session(&folder).unwrap();
    assert_eq!(read, count, "a checkpoint has no rows, so all is read for an index that has none");
    assert_eq!(dump(&data), from_checkpoint);
}
