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
    find(folder, more.seq, &more.pointer)
}

fn find(folder: &Folder, seq: u64, pointer: &str) -> Option<String> {
    let mut reader = Reader::after(folder.clone(), seq.checked_sub(1)?).ok()?;
    let record = reader.next_record().ok()?.filter(|record| record.seq == seq)?;
    let text = record.line.text();
    if pointer.is_empty() {
        return Some(text.into_owned());
    }
    let line: serde_json::Value = serde_json::from_str(&text).ok()?;
    let value = line.pointer(pointer)?;
    Some(match value {
        serde_json::Value::String(text) => text.clone(),
        // Blocks of text, as messages and results have them.
        serde_json::Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
            texts.join("\n")
        }
        other => other.to_string(),
    })
}
