//! A session as its log tells it, without an agent: a folder in, the state and whole texts out.

use insights::state::{Clip, More, State};
use journal::{Folder, Reader};

use crate::error::Result;
use crate::pipeline::Pipeline;

/// The state that the log in `folder` leads to.
pub fn replay(folder: &Folder) -> Result<State> {
    let (mut pipeline, mut reader) = Pipeline::open(folder)?;
    while let Some(record) = reader.next_record()? {
        pipeline.take(record);
    }
    Ok(pipeline.into_state())
}

/// The whole of a text that may be cut in the state: read from the record that holds it. If that is not to be had, the
/// head and a word on what is missing.
pub fn whole(folder: &Folder, clip: &Clip) -> String {
    let Some(more) = &clip.more else { return clip.text.clone() };
    find_text(folder, more).unwrap_or_else(|| format!("{}\n… ({} bytes in all)", clip.text, more.bytes))
}

/// The whole of a text of which the state has the head, if its record holds it.
pub fn find_text(folder: &Folder, more: &More) -> Option<String> {
    let mut reader = Reader::after(folder.clone(), more.seq.checked_sub(1)?).ok()?;
    let record = reader.next_record().ok()?.filter(|record| record.seq == more.seq)?;
    more.find(&record.line.text())
}
