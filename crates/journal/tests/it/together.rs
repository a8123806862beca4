//! Several at one index: readers while somebody writes, two that write, and one that dies at it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use journal::{Batch, Data, Filter, Index, Reader, SortBy};

use crate::support::{Live, append, data, dump, fixture};

/// Says to a process that it is the other one, and where the data is.
const OTHER: &str = "QUARTERDECK_TEST_OTHER";

/// A batch for each record of a session.
fn batches(data: &Data, id: &str) -> Vec<Batch> {
    let mut live = Live::new(id);
    let mut reader = Reader::after(data.session(id).unwrap(), 0).unwrap();
    let mut batches = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        live.take(record);
        batches.extend(live.batch());
    }
    batches
}

/// Runs the named test in a process of its own, which finds the data in its environment.
#[expect(clippy::disallowed_methods, reason = "the other process of these tests")]
fn other_process(test: &str, data: &Data) -> Child {
    std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(OTHER, data.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn is_other_process() -> Option<Data> {
    std::env::var_os(OTHER).map(|path| Data::open(path).unwrap())
}

/// The tables of an index that was made in one go.
fn expected(data: &Data) -> Vec<String> {
    let (_place, fresh) = crate::support::data();
    for folder in data.sessions().unwrap() {
        let to = fresh.session(&folder.id()).unwrap();
        to.make().unwrap();
        std::fs::copy(folder.log(), to.log()).unwrap();
    }
    Index::open(&fresh).unwrap().catch_up(&fresh, |_| {}).unwrap();
    dump(&fresh)
}

#[test]
fn two_processes_write_to_one_index() {
    let write = |data: &Data, id: &str| {
        let mut index = Index::open(data).unwrap();
        for batch in batches(data, id) {
            index.write(&batch).unwrap();
        }
    };
    if let Some(data) = is_other_process() {
        return write(&data, "b");
    }
    let (_place, data) = data();
    append(&data, "a", &fixture("2.1.326/sigkill-then-resume"));
    append(&data, "b", &fixture("2.1.326/parallel-subagents"));
    let mut other = other_process("together::two_processes_write_to_one_index", &data);
    write(&data, "a");
    assert!(other.wait().unwrap().success());
    assert_eq!(dump(&data), expected(&data));
}

#[test]
fn a_process_that_is_killed_while_it_writes_loses_nothing() {
    if let Some(data) = is_other_process() {
        let mut index = Index::open(&data).unwrap();
        for batch in batches(&data, "a") {
            index.write(&batch).unwrap();
            println!("\nwritten");
        }
        // It waits to be killed, and never closes the index.
        std::thread::park();
    }
    let (_place, data) = data();
    append(&data, "a", &fixture("2.1.326/sigkill-then-resume"));
    let mut other = other_process("together::a_process_that_is_killed_while_it_writes_loses_nothing", &data);
    let lines = BufReader::new(other.stdout.take().unwrap()).lines();
    lines.map(|line| line.unwrap()).filter(|line| line == "written").nth(9).unwrap();
    other.kill().unwrap();
    other.wait().unwrap();
    let mut index = Index::open(&data).unwrap();
    assert!(index.session("a").unwrap().unwrap().seq >= 10, "what was written is there");
    index.catch_up(&data, |_| {}).unwrap();
    assert_eq!(dump(&data), expected(&data));
}

#[test]
fn who_reads_does_not_hold_up_who_writes() {
    let (_place, data) = data();
    append(&data, "a", &fixture("2.1.326/resume"));
    let batches = batches(&data, "a");
    let mut index = Index::open(&data).unwrap();
    index.write(&batches[0]).unwrap();
    // Somebody has begun to read and takes all the time in the world.
    let slow = rusqlite::Connection::open(data.index()).unwrap();
    slow.execute_batch("BEGIN").unwrap();
    let seq = || slow.query_row("SELECT seq FROM sessions", [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(seq(), 1);
    for batch in &batches[1..] {
        index.write(batch).unwrap();
    }
    assert_eq!(seq(), 1, "and sees what was so when it began");
    assert_eq!(Index::reader(&data).unwrap().session("a").unwrap().unwrap().seq, 15);
}

#[test]
fn readers_see_whole_batches_only() {
    let (_place, data) = data();
    append(&data, "a", &fixture("2.1.326/multi-turn"));
    let batches = batches(&data, "a");
    let mut index = Index::open(&data).unwrap();
    index.write(&batches[0]).unwrap();
    let last = batches.last().unwrap().to();
    std::thread::scope(|scope| {
        let readers = [(); 2].map(|()| {
            scope.spawn(|| {
                let mut reader = Index::reader(&data).unwrap();
                let mut before = 0;
                while before < last {
                    let page = reader.list(&Filter::default(), SortBy::Active, 10, None).unwrap();
                    assert_eq!(page.rows.len(), 1);
                    let row = &page.rows[0];
                    assert!(row.seq >= before, "{} came after {before}", row.seq);
                    // A turn ends with records 6, 10 and 14; the row and its number come together.
                    let ended = [6, 10, 14].iter().filter(|end| **end <= row.seq).count();
                    assert_eq!(row.turns as usize, ended, "at record {}", row.seq);
                    before = row.seq;
                }
            })
        });
        for batch in &batches[1..] {
            index.write(batch).unwrap();
        }
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
}
