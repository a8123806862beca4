//! A transcript and a log brought together: both in; the entries that the log lacks out, or appended to it.

use claude_protocol::{Entry, Line, decode_as};
use insights::{Source, UnixMillis};
use journal::{Reader, Writer};

use super::files::Transcript;
use super::known::Known;
use super::read::{Dated, Entries};
use crate::error::Result;

/// The entries that a log lacks, in their order.
#[derive(Debug)]
pub struct Lacking {
    entries: Entries,
    what: What,
}

/// Which entries are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// All of them: nothing else keeps this session.
    Everything,
    /// Those of the conversation. A log of stdout lacks all of the CLI's books, and they can be longer than the rest.
    Conversation,
}

/// The part of the conversation that a log of stdin and stdout lacks: lines that a crash lost, and turns that were made on
/// the same session in a terminal. Append it before the session is resumed, see [`append`].
pub fn join(log: &mut Reader, transcript: &Transcript) -> Result<Lacking> {
    Ok(Lacking { entries: Entries::all(transcript, Known::by(log)?), what: What::Conversation })
}

/// Writes a session that was held in a terminal into a session folder, whole. Again and again, if one likes: only what is new
/// is added. Gives how many entries that were.
pub fn import(writer: &mut Writer, now: UnixMillis, transcript: &Transcript) -> Result<u64> {
    let known = Known::by(&mut Reader::after(writer.folder().clone(), 0)?)?;
    append(writer, now, transcript, Lacking { entries: Entries::all(transcript, known), what: What::Everything })
}

/// Appends entries of a transcript, after the fact that they come from there; without an entry, nothing. Gives how many there
/// were. If it fails half-way, what is appended stays, and the rest is added the next time.
pub fn append(writer: &mut Writer, now: UnixMillis, transcript: &Transcript, lacking: Lacking) -> Result<u64> {
    let mut added = 0;
    for entry in lacking {
        let Dated { at, line } = entry?;
        if added == 0 {
            writer.append_fact(now, &transcript.imported())?;
        }
        writer.append(at, Source::Transcript, line)?;
        added += 1;
    }
    writer.sync()?;
    Ok(added)
}

impl Iterator for Lacking {
    type Item = Result<Dated>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.entries.next_entry().transpose()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error)),
            };
            if self.what == What::Everything || is_conversation(&entry.line) {
                return Some(Ok(entry));
            }
        }
    }
}

fn is_conversation(line: &Line) -> bool {
    decode_as::<Entry>(line.clone()).body.told().is_conversation()
}
