//! What comes while the thread is busy: little is held, and nothing is lost.

use insights::{Source, UnixMillis};
use journal::{Checkpoint, Writer};

use super::queue::MOST;
use super::*;
use crate::pipeline::{Moment, Pipeline};

const NOW: UnixMillis = UnixMillis(7);

/// A session whose agent runs.
struct Running {
    writer: Writer,
    pipeline: Pipeline,
}

impl Running {
    fn new(data: &Data, id: &str) -> Running {
        let mut running =
            Running { writer: Writer::open(data.session(id).unwrap(), NOW).unwrap(), pipeline: Pipeline::new(id) };
        let mut reader = journal::Reader::after(running.writer.folder().clone(), 0).unwrap();
        running.pipeline.take(reader.next_record().unwrap().unwrap());
        running
    }

    /// One more turn, in a batch of its own.
    fn turn(&mut self, number: usize, queue: &Queue) {
        let content = format!(r#"[{{"type":"text","text":"word{number}"}}]"#);
        let lines = [
            r#"{"type":"system","subtype":"init","session_id":"s"}"#.to_owned(),
            format!(r#"{{"type":"assistant","message":{{"id":"m{number}","content":{content}}},"session_id":"s"}}"#),
            format!(r#"{{"type":"result","subtype":"success","session_id":"s","total_cost_usd":{number}}}"#),
        ];
        for line in lines {
            self.pipeline.take(self.writer.append(NOW, Source::Stdout, line).unwrap());
        }
        queue.add(Job::Write(Box::new(self.pipeline.batch().unwrap()), self.writer.folder().clone()));
    }

    /// A checkpoint, and where it stands.
    fn checkpoint(&mut self, queue: &Queue) -> u64 {
        self.pipeline.lengthen();
        let due = self.pipeline.checkpoint(Moment::Amid).unwrap();
        queue.add(Job::Checkpoint(Box::new(due.snapshot), self.writer.folder().clone()));
        self.writer.last_seq()
    }
}

#[test]
fn what_comes_while_the_index_catches_up_is_not_held_and_not_lost() {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path()).unwrap();
    let queue = Queue::default();
    let mut sessions: Vec<Running> = ["a", "b", "c"].iter().map(|id| Running::new(&data, id)).collect();
    // Nobody takes anything out: the thread is busy with another job.
    let mut checkpoint = 0;
    for number in 1..=MOST {
        sessions.iter_mut().for_each(|session| session.turn(number, &queue));
        // One finds room, the other does not.
        if number == 2 || number == MOST {
            checkpoint = sessions[0].checkpoint(&queue);
        }
    }
    assert!(queue.waiting().held() <= MOST + 1, "{} batches and checkpoints", queue.waiting().held());
    let (tell, _progress) = watch::channel(None);
    let mut index = None;
    // One that goes on while the others are caught up.
    while let Some(job) = queue.next() {
        work(&mut index, &data, job, &tell).unwrap();
        if sessions[1].pipeline.feed().state().meters.turns < 2 * MOST as u32 {
            let number = sessions[1].pipeline.feed().state().meters.turns as usize + 1;
            sessions[1].turn(number, &queue);
        } else {
            queue.close();
        }
    }
    let mut index = index.unwrap();
    let rows = index.list(&Filter::default(), SortBy::Title, 10, None).unwrap().rows;
    let mut turns: Vec<(&str, u32)> = rows.iter().map(|row| (&*row.id, row.turns)).collect();
    turns.sort_unstable();
    let most = MOST as u32;
    assert_eq!(turns, [("a", most), ("b", 2 * most), ("c", most)]);
    assert_eq!(index.search(&format!("word{MOST}"), 10).unwrap().len(), 3);
    assert_eq!(index.behind(&data).unwrap(), journal::Behind::default());
    let (found, _) = Checkpoint::<serde_json::Value>::load(sessions[0].writer.folder()).unwrap();
    assert_eq!(found.seq, checkpoint, "the last one is written");
}

#[test]
fn a_batch_of_a_session_that_was_removed_does_not_bring_it_back() {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path()).unwrap();
    let queue = Queue::default();
    let mut session = Running::new(&data, "a");
    queue.add(Job::Remove("a".to_owned()));
    session.turn(1, &queue);
    std::fs::remove_dir_all(session.writer.folder().path()).unwrap();
    queue.close();
    let (tell, _progress) = watch::channel(None);
    let mut index = None;
    while let Some(job) = queue.next() {
        work(&mut index, &data, job, &tell).unwrap();
    }
    let rows = index.unwrap().list(&Filter::default(), SortBy::Title, 10, None).unwrap().rows;
    assert_eq!(rows.len(), 0);
}

#[tokio::test]
async fn who_waits_for_the_index_finds_what_was_handed_over_before() {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path()).unwrap();
    let indexing = Indexing::start(data.clone());
    let mut session = Running::new(&data, "a");
    for number in 1..=20 {
        session.turn(number, &indexing.queue);
        indexing.settled().await;
        let mut index = Index::reader(&data).unwrap();
        assert_eq!(index.search(&format!("word{number}"), 10).unwrap().len(), 1, "turn {number}");
    }
}

#[tokio::test]
async fn nobody_waits_while_the_whole_index_is_caught_up_nor_for_a_thread_that_has_ended() {
    let queue = Queue::default();
    queue.add(Job::CatchUp(Box::new(|_| {})));
    assert!(queue.settled().is_none());
    assert!(queue.next().is_some());
    assert!(queue.settled().is_none(), "it is at work");
    queue.caught_up();
    let settled = queue.settled().unwrap();
    queue.end();
    assert!(settled.await.is_err());
    assert!(queue.settled().is_none());
}
