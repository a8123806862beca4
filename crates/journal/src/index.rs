//! The index: what the pipeline makes of records in; lists, searches and sums over all sessions out.
//!
//! ```text
//! Record, events, changes, state ── Indexer ──▶ Batch ── Index::write ──▶ index.sqlite ──▶ list, search, usage
//! log.jsonl ───────────────────── Index::catch_up ─────────────────────▶
//! ```
//!
//! All of it is derived: it is dropped and made again when it is missing, damaged or of another version. Each row is
//! written as it is after the last record of its batch, so any way to cut a log into batches gives the same tables.

mod about;
mod calls;
mod catch_up;
mod collect;
mod file;
mod lag;
mod list;
mod meter;
mod rows;
mod search;
mod usage;
mod write;

pub use calls::{CallsOf, RecentCall};
pub use catch_up::{Behind, CaughtUp, Progress};
pub use collect::{Batch, Head, Indexer};
pub use file::Index;
pub(crate) use file::VERSION;
pub use list::{After, Among, Filter, Key, Page, SortBy};
pub use rows::{CallRow, ModelUsage, SessionRow, TextKind, TurnRow};
pub use search::{Hit, Piece};
pub use usage::{Span, SpentTurn, UsageBy, UsageRow};
pub use write::Written;
