//! The log of sessions: records in, kept for good; records out again, from any number on; and two databases beside it.
//!
//! ```text
//! sessions/<id>/log.jsonl      the truth: append-only records, never rewritten
//! sessions/<id>/log.jsonl.zst  the same, packed, once the session is closed and old
//! sessions/<id>/lock           held by the one writer, while it lives
//! sessions/<id>/big/<seq>      lines too long for the log
//! sessions/<id>/checkpoint.zst derived from the log: what it has led to up to a place in it
//! index.sqlite, index.lock     derived from the logs; held while it is made or dropped
//! desk.sqlite, desk.lock       the user's own; held while it is migrated
//! server.lock                  held by the one server
//! ```
//!
//! * [`Data`]: the data folder, with all sessions in it.
//! * [`Folder`]: where the files of one session are.
//! * [`Writer`]: the one who appends. It holds the lock, heals what a crash left, and loses nothing when the disk is full.
//! * [`Reader`]: any number of them, also while somebody writes.
//! * [`pack`]: a closed log made small.
//! * [`Checkpoint`]: what spares who opens a long log from reading it all.
//! * [`Index`]: lists, search and usage over all sessions; derived from the logs, made again when it is lost.
//! * [`Desk`]: what the user says himself: titles, the archive, drafts, prompts that wait, settings. Migrated and copied, never dropped.

mod checkpoint;
mod data;
mod desk;
mod error;
mod folder;
mod index;
mod lock;
mod pack;
mod read;
mod sqlite;
mod stored;
mod write;

pub use checkpoint::{Checkpoint, Snapshot};
pub use data::{Data, ServerLock};
pub use desk::{Desk, DeskSession, Device, Draft, DraftPicture, HeldRow};
pub use error::{Error, Result};
pub use folder::Folder;
pub use index::{
    After, Among, Batch, Behind, CallRow, CallsOf, CaughtUp, Filter, Head, Hit, Index, Indexer, Key, ModelUsage, Page,
    Piece, Progress, RecentCall, SessionRow, SortBy, Span, SpentTurn, TextKind, TurnRow, UsageBy, UsageRow, Written,
};
pub use lock::Lock;
pub use pack::{Packed, pack, unpack, unpacked};
pub use read::Reader;
pub use stored::{pointer, whole};
pub use write::Writer;
