//! The CLI's own transcripts: files that it writes in; lists, records and what is missing in a log out. So sessions that
//! were started in a terminal are there, too.
//!
//! ```text
//! ~/.claude/projects/<project>/<session>.jsonl                        the session
//!                              <session>/subagents/agent-<id>.jsonl   its subagents
//! ```
//!
//! * [`Projects`]: all sessions, from a glance at each file; [`Projects::changes`] and [`watch()`]: what is new among them.
//! * [`Transcript`]: the files of one session. [`Transcript::records`]: what is in them. [`Entries`]: the same without what
//!   is [`Known`], also while they are being written; [`follow`].
//! * [`import`]: a session of a terminal into a session folder. [`join`]: what a log lacks that the transcript has.

mod files;
mod glance;
mod join;
mod known;
mod list;
mod mend;
mod read;
mod source;
mod watch;
mod words;

pub use files::Transcript;
pub use join::{Lacking, append, import, join};
pub use known::Known;
pub use list::{Changed, GLANCE_BYTES, Listed, Projects};
pub use read::{Dated, Entries, Records};
pub use watch::{LIST_PAUSE, SESSION_PAUSE, follow, watch};
