//! Catching up: the logs in, the rows that the index lacks out. The same work whether a little is missing or all of it.

use insights::convert::RawLines;
use insights::{Converter, Profile, State};
use serde::de::IgnoredAny;

use super::collect::{Head, Indexer};
use super::file::Index;
use super::lag::{Lag, lag};
use super::write::{Mark, mark};
use crate::checkpoint::Checkpoint;
use crate::data::Data;
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::read::Reader;

/// So many bytes of rows are written at once.
const BATCH_BYTES: usize = 2 * 1024 * 1024;

/// So many records are, if their rows are small: then somebody sees that it goes on.
const BATCH_RECORDS: u64 = 20_000;

/// How far catching up is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Sessions that are done.
    pub sessions_done: usize,
    /// Sessions that there are.
    pub sessions: usize,
    /// Records that were read.
    pub records: u64,
}

/// What catching up has brought.
#[derive(Debug, Default)]
pub struct CaughtUp {
    /// Sessions of which something was missing.
    pub sessions: usize,
    /// Sessions that are gone.
    pub removed: usize,
    /// Records that were read.
    pub records: u64,
    /// Sessions whose log could not be read to its end, and why. The index has what comes before that.
    pub unreadable: Vec<(String, Error)>,
}

/// How much the index lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behind {
    /// Sessions of which something is missing.
    pub sessions: usize,
    /// Bytes of their logs that the index has not seen; of packed logs, their bytes on the disk.
    pub bytes: u64,
}

impl Index {
    /// Brings the index to where the logs are, and tells `progress` how it goes: with each session, and in between.
    /// What was done stays done if it is broken off.
    pub fn catch_up(&mut self, data: &Data, mut progress: impl FnMut(&Progress)) -> Result<CaughtUp> {
        match self.catch_up_once(data, &mut progress) {
            // The damaged file is gone now, and a new one has to be filled from the beginning.
            Err(Error::IndexDamaged { .. }) => self.catch_up_once(data, &mut progress),
            done => done,
        }
    }

    /// Brings the index to where the log of one session is. Gives how many records were read for that: none, if nothing
    /// was missing.
    pub fn catch_up_session(&mut self, folder: &Folder) -> Result<u64> {
        let mut records = 0;
        self.catch_up_folder(folder, &mut |_| records += 1)?;
        Ok(records)
    }

    /// How much the index lacks.
    pub fn behind(&mut self, data: &Data) -> Result<Behind> {
        let mut behind = Behind::default();
        for folder in data.sessions()? {
            let mark = self.mark(&folder.id())?;
            // A log that cannot be read is told of when catching up.
            let bytes = match lag(&folder, mark.as_ref()) {
                Ok(Lag::Behind { bytes } | Lag::Other { bytes }) => bytes,
                Ok(Lag::None { .. }) | Err(_) => continue,
            };
            behind.sessions += 1;
            behind.bytes += bytes;
        }
        Ok(behind)
    }

    fn catch_up_once(&mut self, data: &Data, progress: &mut dyn FnMut(&Progress)) -> Result<CaughtUp> {
        let folders = data.sessions()?;
        let mut done = CaughtUp { removed: self.remove_gone(&folders)?, ..CaughtUp::default() };
        let mut now = Progress { sessions: folders.len(), ..Progress::default() };
        for folder in &folders {
            let before = now.records;
            let result = self.catch_up_folder(folder, &mut |written| {
                now.records += 1;
                if written {
                    progress(&now);
                }
            });
            match result {
                Ok(()) => {}
                Err(error @ (Error::Damaged { .. } | Error::Io { .. } | Error::NoLog { .. })) => {
                    done.unreadable.push((folder.id(), error));
                }
                Err(error) => return Err(error),
            }
            done.sessions += usize::from(now.records > before);
            now.sessions_done += 1;
            progress(&now);
        }
        done.records = now.records;
        Ok(done)
    }

    /// Tells `read` of each record that was read, and whether a batch was written with it.
    fn catch_up_folder(&mut self, folder: &Folder, read: &mut dyn FnMut(bool)) -> Result<()> {
        let id = folder.id();
        let mark = self.mark(&id)?;
        let after = match lag(folder, mark.as_ref())? {
            Lag::None { log_bytes, packed_bytes } => {
                if let Some(mark) = mark.filter(|mark| (mark.log_bytes, mark.packed_bytes) != (log_bytes, packed_bytes))
                {
                    self.measured(&id, mark.seq, log_bytes, packed_bytes)?;
                }
                return Ok(());
            }
            Lag::Other { .. } => {
                self.remove(&id)?;
                0
            }
            Lag::Behind { .. } => mark.map_or(0, |mark| mark.seq),
        };
        let mut replay = Replay::new(folder, after)?;
        loop {
            let more = replay.step();
            let is_end = !matches!(more, Ok(true));
            let written = replay.is_due(is_end) && self.write_batch(&mut replay)?;
            if more? {
                read(written);
            } else {
                break;
            }
        }
        if !folder.log().exists() {
            let packed_bytes = std::fs::metadata(folder.packed()).ok().map(|file| file.len());
            self.measured(&id, replay.seq, Some(replay.reader.position()), packed_bytes)?;
        }
        Ok(())
    }

    fn write_batch(&mut self, replay: &mut Replay) -> Result<bool> {
        replay.records = 0;
        let Some(mut batch) = replay.indexer.batch(&replay.state) else { return Ok(false) };
        if batch.to() <= replay.after {
            return Ok(false);
        }
        batch.log_bytes = Some(replay.reader.position());
        self.write(&batch)?;
        Ok(true)
    }

    fn remove_gone(&mut self, folders: &[Folder]) -> Result<usize> {
        let known: Vec<String> = self.run("read", |connection| {
            let mut statement = connection.prepare_cached("SELECT id FROM sessions")?;
            let ids = statement.query_map([], |row| row.get(0))?;
            Ok(ids.collect::<rusqlite::Result<_>>()?)
        })?;
        let there: std::collections::HashSet<String> = folders.iter().map(Folder::id).collect();
        let gone: Vec<String> = known.into_iter().filter(|id| !there.contains(id)).collect();
        for id in &gone {
            self.remove(id)?;
        }
        Ok(gone.len())
    }

    fn mark(&mut self, session: &str) -> Result<Option<Mark>> {
        self.run("read", |connection| Ok(mark(connection, session)?))
    }
}

/// A log read from its first record on, or from a checkpoint: what comes later depends on what came before.
struct Replay {
    reader: Reader,
    converter: Converter,
    state: State,
    indexer: Indexer,
    /// The index has the records up to this one.
    after: u64,
    seq: u64,
    /// Those that are in no batch yet.
    records: u64,
}

impl Replay {
    fn new(folder: &Folder, after: u64) -> Result<Self> {
        // One that has more than the index would leave rows out.
        if let Some((checkpoint, reader)) = Checkpoint::<IgnoredAny>::load_up_to(folder, after) {
            let Checkpoint { seq, converter, state, indexer, .. } = checkpoint;
            return Ok(Replay { reader, converter, state, indexer, after, seq, records: 0 });
        }
        let id = folder.id();
        Ok(Replay {
            reader: Reader::after(folder.clone(), 0)?,
            converter: Converter::new(&id, Profile::Full, RawLines::LeftOut),
            state: State::default(),
            indexer: Indexer::new(&id),
            after,
            seq: 0,
            records: 0,
        })
    }

    /// Takes the next record in; false if there is none.
    fn step(&mut self) -> Result<bool> {
        let Some(record) = self.reader.next_record()? else { return Ok(false) };
        let head = Head::of(&record);
        self.seq = record.seq;
        self.records += 1;
        let events = self.converter.convert(record);
        let changes: Vec<_> = events.iter().flat_map(|event| self.state.apply(event)).collect();
        self.indexer.note(&head, &events, &changes, &self.state);
        Ok(true)
    }

    /// Is it time for a batch?
    fn is_due(&self, is_end: bool) -> bool {
        let known = self.seq == self.after;
        is_end || known || self.indexer.weight() > BATCH_BYTES || self.records >= BATCH_RECORDS
    }
}
