//! A transcript and a log brought together: both in; the entries that the log lacks out, or appended to it.

use claude_protocol::transcript::Attachment;
use claude_protocol::{Entry, decode_as};
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
            if self.what == What::Everything || is_conversation(&decode_as::<Entry>(entry.line.clone()).body) {
                return Some(Ok(entry));
            }
        }
    }
}

/// Is this something that was said or done, or how the session is called? Of what is not known that is assumed.
fn is_conversation(entry: &Entry) -> bool {
    match entry {
        Entry::User(entry) => entry.is_meta != Some(true) || entry.is_compact_summary == Some(true),
        Entry::Assistant(entry) => entry.is_meta != Some(true),
        // A prompt that came while a turn was running is kept as an attachment.
        Entry::Attachment(entry) => matches!(entry.attachment, Attachment::QueuedCommand(_)),
        Entry::System(_)
        | Entry::PermissionMode(_)
        | Entry::Summary(_)
        | Entry::CustomTitle(_)
        | Entry::AiTitle(_)
        | Entry::Other(_) => true,
        Entry::Progress(_)
        | Entry::SavedHookContext(_)
        | Entry::QueueOperation(_)
        | Entry::LastPrompt(_)
        | Entry::Mode(_)
        | Entry::CostState(_)
        | Entry::ToolsUsed(_)
        | Entry::AtisLatch(_)
        | Entry::ApiRequest(_)
        | Entry::ApiRequestShape(_)
        | Entry::ApiRequestBlob(_)
        | Entry::FileHistorySnapshot(_)
        | Entry::FileHistoryDelta(_)
        | Entry::AgentName(_)
        | Entry::AgentColor(_)
        | Entry::AgentSetting(_)
        | Entry::Tag(_)
        | Entry::PrLink(_)
        | Entry::WorktreeState(_)
        | Entry::Relocated(_)
        | Entry::ContentReplacement(_)
        | Entry::DerivedFrom(_)
        // The piece of a line that a crash left.
        | Entry::NotJson(_) => false,
    }
}
