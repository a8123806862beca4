//! The index lost, damaged or outdated, and logs that changed behind its back: it is made again from the logs.

use std::fs;
use std::io::{Seek, SeekFrom, Write};

use insights::UnixMillis;
use journal::{Behind, Data, Error, Index, Progress, Writer, pack, unpack};

use crate::support::{START, append, data, dump, fixture, indexed};

const NAMES: [&str; 3] = ["2.1.326/resume", "2.1.326/permission-deny", "2.1.326/edit-structured-result"];

fn catch_up(data: &Data) -> (Index, journal::CaughtUp) {
    let mut index = Index::open(data).unwrap();
    let done = index.catch_up(data, |_| {}).unwrap();
    (index, done)
}

/// Does something to the file of an index that was closed, and checks that it is made again.
fn after(name: &str, harm: impl FnOnce(&Data)) {
    let (_place, data, index) = indexed(&NAMES);
    let before = dump(&data);
    drop(index);
    harm(&data);
    let (mut index, done) = catch_up(&data);
    assert_eq!(done.sessions, 3, "{name}");
    assert_eq!(dump(&data), before, "{name}");
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().records, 0, "{name}: now it is there");
}

#[test]
fn an_index_that_cannot_be_used_is_made_again() {
    after("deleted", |data| fs::remove_file(data.index()).unwrap());
    after("emptied", |data| fs::write(data.index(), "").unwrap());
    after("garbage", |data| fs::write(data.index(), [7; 10_000]).unwrap());
    after("cut in half", |data| {
        let file = fs::OpenOptions::new().write(true).open(data.index()).unwrap();
        file.set_len(file.metadata().unwrap().len() / 2).unwrap();
    });
    after("overwritten in the middle", |data| {
        let mut file = fs::OpenOptions::new().write(true).open(data.index()).unwrap();
        file.seek(SeekFrom::Start(4096 * 3)).unwrap();
        file.write_all(&[0xff; 4096 * 4]).unwrap();
    });
    after("of another version", |data| {
        let connection = rusqlite::Connection::open(data.index()).unwrap();
        connection.pragma_update(None, "user_version", 7).unwrap();
    });
    after("somebody else's", |data| {
        fs::remove_file(data.index()).unwrap();
        rusqlite::Connection::open(data.index()).unwrap().execute_batch("CREATE TABLE sessions (x)").unwrap();
    });
    after("with a log of another one beside it", |data| {
        fs::remove_file(data.index()).unwrap();
        fs::write(data.path().join("index.sqlite-wal"), [7; 5000]).unwrap();
    });
}

#[test]
fn damage_is_found_before_anybody_stumbles_over_it() {
    let (_place, data, index) = indexed(&NAMES);
    drop(index);
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'tool_calls'";
    let connection = rusqlite::Connection::open(data.index()).unwrap();
    let page: u64 = connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap() as u64;
    drop(connection);
    let mut file = fs::OpenOptions::new().write(true).open(data.index()).unwrap();
    file.seek(SeekFrom::Start((page - 1) * 4096)).unwrap();
    file.write_all(&[0xff; 4096]).unwrap();
    drop(file);
    assert!(Index::reader(&data).unwrap().session("0").unwrap().is_some(), "who reads a row does not see it");
    assert_eq!(Index::open(&data).unwrap().session("0").unwrap(), None, "it was dropped");
}

#[test]
fn an_index_that_goes_away_while_it_is_open_is_made_again() {
    let (_place, data, mut index) = indexed(&NAMES);
    let before = dump(&data);
    let mut reader = Index::reader(&data).unwrap();
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        fs::remove_file(data.path().join(name)).unwrap();
    }
    assert!(matches!(reader.session("0"), Err(Error::NoIndex { .. })));
    assert_eq!(index.session("0").unwrap(), None, "it is a new one");
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().sessions, 3);
    assert_eq!(reader.session("0").unwrap().unwrap().seq, 15, "who reads finds the new one");
    assert_eq!(dump(&data), before);
}

#[test]
fn who_only_reads_makes_no_index_and_drops_none() {
    let (_place, data, index) = indexed(&NAMES);
    drop(index);
    assert_eq!(Index::reader(&data).unwrap().session("0").unwrap().unwrap().seq, 15);
    let connection = rusqlite::Connection::open(data.index()).unwrap();
    connection.pragma_update(None, "user_version", 7).unwrap();
    drop(connection);
    assert!(matches!(Index::reader(&data), Err(Error::NoIndex { .. })));
    fs::write(data.index(), [7; 10_000]).unwrap();
    assert!(matches!(Index::reader(&data), Err(Error::IndexDamaged { .. })));
    assert_eq!(fs::read(data.index()).unwrap(), [7; 10_000]);
    fs::remove_file(data.index()).unwrap();
    assert!(matches!(Index::reader(&data), Err(Error::NoIndex { .. })));
    assert!(!data.index().exists());
}

#[test]
fn an_index_of_a_newer_version_is_left_to_it() {
    let (_place, data, mut index) = indexed(&NAMES);
    let connection = rusqlite::Connection::open(data.index()).unwrap();
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    let becomes = |version: i64| connection.pragma_update(None, "user_version", version).unwrap();
    becomes(version + 1);
    let before = dump(&data);
    assert!(matches!(Index::open(&data), Err(Error::NewerIndex { .. })));
    assert!(matches!(Index::reader(&data), Err(Error::NewerIndex { .. })));
    assert_eq!(dump(&data), before, "nothing of it has changed");
    // One that was open all the time finds the other's in its place.
    let newer = data.path().join("newer");
    fs::copy(data.index(), &newer).unwrap();
    fs::rename(newer, data.index()).unwrap();
    assert!(matches!(index.session("0"), Err(Error::NewerIndex { .. })));
    assert!(matches!(index.catch_up(&data, |_| {}), Err(Error::NewerIndex { .. })));
    drop(connection);
    // The newer one drops that of the older one.
    rusqlite::Connection::open(data.index()).unwrap().pragma_update(None, "user_version", version - 1).unwrap();
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().sessions, 3);
}

#[test]
fn catching_up_says_how_far_it_is() {
    let (_place, data, index) = indexed(&NAMES);
    drop(index);
    fs::remove_file(data.index()).unwrap();
    let mut index = Index::open(&data).unwrap();
    let bytes: u64 = data.sessions().unwrap().iter().map(journal::Folder::bytes).sum();
    assert_eq!(index.behind(&data).unwrap(), Behind { sessions: 3, bytes });
    let mut seen: Vec<Progress> = Vec::new();
    let done = index.catch_up(&data, |progress| seen.push(*progress)).unwrap();
    let records = 15 + 11 + 11;
    assert_eq!((done.records, done.sessions, done.removed, done.unreadable.len()), (records, 3, 0, 0));
    assert_eq!(seen.last(), Some(&Progress { sessions_done: 3, sessions: 3, records }));
    let grows =
        |pair: &[Progress]| pair[0].records <= pair[1].records && pair[0].sessions_done <= pair[1].sessions_done;
    assert!(seen.windows(2).all(grows), "{seen:?}");
    assert_eq!(index.behind(&data).unwrap(), Behind::default());
}

#[test]
fn only_what_is_new_is_read() {
    let (_place, data, mut index) = indexed(&NAMES);
    let before = data.session("1").unwrap().bytes();
    append(&data, "1", &fixture("2.1.326/plain-text"));
    let new = data.session("1").unwrap().bytes() - before;
    assert_eq!(index.behind(&data).unwrap(), Behind { sessions: 1, bytes: new });
    let done = index.catch_up(&data, |_| {}).unwrap();
    assert_eq!((done.sessions, done.unreadable.len()), (1, 0));
    assert_eq!(index.behind(&data).unwrap(), Behind::default());
    assert_eq!(index.session("1").unwrap().unwrap().turns, 2);
    // A line that is being written is not there yet.
    let log = fs::OpenOptions::new().append(true).open(data.session("1").unwrap().log());
    log.unwrap().write_all(br#"{"seq":99,"at":5,"#).unwrap();
    assert_eq!(index.behind(&data).unwrap(), Behind::default());
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().records, 0);
}

#[test]
fn a_session_that_a_pipeline_has_written_is_not_read_again() {
    let (_place, data) = data();
    let folder = append(&data, "0", &fixture("2.1.326/resume"));
    let log = folder.log();
    let mut live = crate::support::Live::new("0");
    let mut reader = journal::Reader::after(folder, 0).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        live.take(record);
    }
    let mut index = Index::open(&data).unwrap();
    let whole = live.batch().unwrap();
    index.write(&whole).unwrap();
    assert_eq!(index.behind(&data).unwrap(), Behind::default());
    // It goes on, and the pipeline has not said so yet.
    let before = fs::metadata(&log).unwrap().len();
    append(&data, "0", &fixture("2.1.326/plain-text"));
    let bytes = fs::metadata(&log).unwrap().len() - before;
    assert_eq!(index.behind(&data).unwrap(), Behind { sessions: 1, bytes });
    let text = fs::read(&log).unwrap();
    fs::write(&log, &text[..before as usize]).unwrap();
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().records, 0);
    // It is shorter than what the pipeline has said.
    index.remove("0").unwrap();
    index.write(&whole).unwrap();
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(&log, lines[..8].concat()).unwrap();
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().records, 8);
    assert_eq!(index.session("0").unwrap().unwrap().seq, 8);
}

#[test]
fn a_packed_log_is_the_same_log() {
    let (_place, data, mut index) = indexed(&NAMES);
    let before = dump(&data);
    let folder = data.session("0").unwrap();
    pack(&folder).unwrap();
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().records, 0);
    assert_eq!(index.behind(&data).unwrap(), Behind::default());
    assert_eq!(dump(&data), before);
    // Also one that the index has never seen in any other form.
    index.remove("0").unwrap();
    assert_eq!(index.behind(&data).unwrap(), Behind { sessions: 1, bytes: folder.bytes() });
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().records, 15);
    assert_eq!(index.behind(&data).unwrap(), Behind::default());
    unpack(&folder).unwrap();
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().records, 0);
    assert_eq!(dump(&data), before);
}

#[test]
fn a_log_that_is_another_one_or_shorter_is_indexed_from_its_beginning() {
    let (_place, data, mut index) = indexed(&NAMES);
    let log = data.session("0").unwrap().log();
    let whole = fs::read(&log).unwrap();
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(&log, lines[..8].concat()).unwrap();
    assert_eq!(index.behind(&data).unwrap().sessions, 1);
    index.catch_up(&data, |_| {}).unwrap();
    let row = index.session("0").unwrap().unwrap();
    assert_eq!((row.seq, row.turns, index.turns("0").unwrap().len()), (8, 1, 1));
    assert_eq!(index.search("what is my name", 9).unwrap(), []);

    fs::remove_file(&log).unwrap();
    drop(Writer::open(data.session("0").unwrap(), UnixMillis(START.0 + 5)).unwrap());
    append(&data, "0", &fixture("2.1.326/multi-turn"));
    index.catch_up(&data, |_| {}).unwrap();
    assert_eq!(index.session("0").unwrap().unwrap().first_prompt.as_deref(), Some("one"));
    let (_other_place, other) = crate::support::data();
    drop(Writer::open(other.session("0").unwrap(), UnixMillis(START.0 + 5)).unwrap());
    append(&other, "0", &fixture("2.1.326/multi-turn"));
    append(&other, "1", &fixture(NAMES[1]));
    append(&other, "2", &fixture(NAMES[2]));
    catch_up(&other);
    assert_eq!(dump(&data), dump(&other), "nothing is left of the log before");
}

#[test]
fn a_session_that_is_gone_leaves_nothing_behind() {
    let (_place, data, mut index) = indexed(&NAMES);
    fs::remove_dir_all(data.session("1").unwrap().path()).unwrap();
    assert_eq!(index.catch_up(&data, |_| {}).unwrap().removed, 1);
    assert_eq!(index.session("1").unwrap(), None);
    assert_eq!(index.search("touch made.txt", 9).unwrap(), []);
    let (_other_place, other) = crate::support::data();
    append(&other, "0", &fixture(NAMES[0]));
    append(&other, "2", &fixture(NAMES[2]));
    catch_up(&other);
    assert_eq!(dump(&data), dump(&other));
}

#[test]
fn a_log_that_cannot_be_read_does_not_stop_the_others() {
    let (_place, data) = data();
    let folder = append(&data, "0", &fixture(NAMES[0]));
    append(&data, "1", &fixture(NAMES[1]));
    let text = fs::read_to_string(folder.log()).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(folder.log(), format!("{}garbage\n{}", lines[..8].concat(), lines[8..].concat())).unwrap();
    let (mut index, done) = catch_up(&data);
    assert!(matches!(&done.unreadable[..], [(id, Error::Damaged { .. })] if id == "0"), "{done:?}");
    assert_eq!(index.session("0").unwrap().unwrap().seq, 8, "what comes before is there");
    assert_eq!(index.session("1").unwrap().unwrap().turns, 1);
}

#[test]
fn the_files_of_the_index_are_their_owners_only() {
    use std::os::unix::fs::PermissionsExt;
    let (_place, data, index) = indexed(&NAMES);
    for entry in fs::read_dir(data.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{:?}", entry.file_name());
    }
    drop(index);
}
