//! Checkpoints: what a log has led to up to a place in it, written down, so that who opens it reads only the rest.
//!
//! ```text
//! sessions/<id>/checkpoint.zst   one line each, packed: versions and place, converter, indexer, the caller's own, state
//! ```
//!
//! A checkpoint is derived, and is never trusted blindly: one that is damaged, of another version, of another log or ahead of
//! the log is passed over without a word, and another one is written when it is time.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};

use insights::{Converter, State};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::folder::{Folder, private};
use crate::index::{Indexer, VERSION};
use crate::read::{Place, Reader};

/// The version of the file.
const FORMAT: u32 = 1;

/// Quick: it is read and thrown away.
const LEVEL: i32 = 1;

/// What is to be written: taken quickly from what is at work, and written elsewhere.
#[derive(Debug)]
pub struct Snapshot {
    seq: u64,
    converter: String,
    indexer: String,
    beside: String,
    state: State,
}

/// What was read.
#[derive(Debug)]
pub struct Checkpoint<T> {
    /// The last record that it contains.
    pub seq: u64,
    /// How many bytes of the log, unpacked, are up to there.
    pub log_bytes: u64,
    /// The converter, ready for the next record.
    pub converter: Converter,
    /// The state.
    pub state: State,
    /// The indexer. Its first batch begins with the next record.
    pub indexer: Indexer,
    /// What the caller keeps beside these.
    pub beside: T,
}

/// What says whether the rest can be used.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Stamp {
    format: u32,
    /// Of all that makes and reads the rest.
    version: i64,
    place: Place,
}

impl Snapshot {
    /// Of a session after record `seq`. The indexer must have given all it has as a batch: what waits for one is not kept.
    /// `None` if it cannot be written down, as with a number that JSON does not have.
    pub fn take(
        seq: u64,
        converter: &Converter,
        state: &State,
        indexer: &Indexer,
        beside: &impl Serialize,
    ) -> Option<Self> {
        let text = |written: serde_json::Result<String>| written.ok();
        Some(Snapshot {
            seq,
            converter: text(serde_json::to_string(converter))?,
            indexer: text(serde_json::to_string(indexer))?,
            beside: text(serde_json::to_string(beside))?,
            state: state.clone(),
        })
    }

    /// Writes it into the folder, in place of the one before. Nothing is written if the log does not have its record.
    pub fn write(&self, folder: &Folder) -> Result<()> {
        let Some(place) = Place::of(folder, self.seq)? else { return Ok(()) };
        let path = folder.checkpoint();
        // Two processes may write it at once. Then it may be damaged, and is passed over.
        let part = path.with_extension("zst.part");
        let written = self.write_to(&part, place).and_then(|()| fs::rename(&part, &path));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written.map_err(Error::io("write", &path))
    }

    fn write_to(&self, part: &std::path::Path, place: Place) -> std::io::Result<()> {
        let file = private().create(true).truncate(true).write(true).open(part)?;
        let mut packed = zstd::Encoder::new(file, LEVEL)?;
        packed.include_checksum(true)?;
        let mut out = BufWriter::with_capacity(64 * 1024, packed);
        let stamp = serde_json::to_string(&Stamp { format: FORMAT, version: VERSION, place })?;
        for line in [&stamp, &self.converter, &self.indexer, &self.beside] {
            writeln!(out, "{line}")?;
        }
        serde_json::to_writer(&mut out, &self.state)?;
        writeln!(out)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.finish().map(|_| ())
    }
}

impl<T: DeserializeOwned> Checkpoint<T> {
    /// The checkpoint of a session, and who reads the rest of its log; `None` if there is none that can be used.
    pub fn load(folder: &Folder) -> Option<(Self, Reader)> {
        Self::load_up_to(folder, u64::MAX)
    }

    /// The same for who can use only one that stands at record `seq` or before it. Of another one little is read.
    pub(crate) fn load_up_to(folder: &Folder, seq: u64) -> Option<(Self, Reader)> {
        let file = File::open(folder.checkpoint()).ok()?;
        let mut lines = BufReader::with_capacity(256 * 1024, zstd::Decoder::new(file).ok()?).lines();
        let mut next = || lines.next()?.ok();
        let stamp: Stamp = serde_json::from_str(&next()?).ok()?;
        if (stamp.format, stamp.version) != (FORMAT, VERSION) || stamp.place.seq > seq {
            return None;
        }
        let reader = Reader::behind(folder.clone(), &stamp.place).ok()??;
        let checkpoint = Checkpoint {
            seq: stamp.place.seq,
            log_bytes: stamp.place.end,
            converter: serde_json::from_str(&next()?).ok()?,
            indexer: serde_json::from_str::<Indexer>(&next()?).ok()?.resumed(&folder.id(), stamp.place.seq)?,
            beside: serde_json::from_str(&next()?).ok()?,
            state: serde_json::from_str(&next()?).ok()?,
        };
        // The end of the packed file, where its checksum stands.
        lines.next().is_none().then_some((checkpoint, reader))
    }
}
