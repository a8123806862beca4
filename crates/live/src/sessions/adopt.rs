//! Transcripts of the CLI into session folders.

use insights::{HostFact, Source, UnixMillis};
use journal::{Folder, Reader, Writer};

use crate::error::Result;
use crate::transcripts::{Transcript, append, import, join};

/// A transcript into a session folder: all of it, if nothing else keeps the session; else what the log lacks.
pub(super) fn adopt(mut writer: Writer, transcript: &Transcript, now: UnixMillis) -> Result<u64> {
    if has_agent(writer.folder())? {
        return append_lacking(writer, transcript, now);
    }
    import(&mut writer, now, transcript)
}

/// What the log lacks of the transcript, into the log.
pub(super) fn append_lacking(mut writer: Writer, transcript: &Transcript, now: UnixMillis) -> Result<u64> {
    let lacking = join(&mut Reader::after(writer.folder().clone(), 0)?, transcript)?;
    append(&mut writer, now, transcript, lacking)
}

/// Was an agent of ours ever started in this session?
fn has_agent(folder: &Folder) -> Result<bool> {
    let mut reader = match Reader::after(folder.clone(), 0) {
        Ok(reader) => reader,
        Err(journal::Error::NoLog { .. }) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    while let Some(record) = reader.next_record()? {
        let is_fact = record.source == Source::Host;
        if is_fact && matches!(HostFact::from_json(&record.line.text()), Some(HostFact::Spawned { .. })) {
            return Ok(true);
        }
    }
    Ok(false)
}
