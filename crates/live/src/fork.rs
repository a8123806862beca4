//! The log of a fork: the records of its parent up to the cut, and how they came to be here.

use claude_protocol::{Entry, decode, decode_as};
use insights::{HostFact, Record, Source, UnixMillis};
use journal::{Folder, Reader, Writer};
use memchr::memmem;

use crate::error::{Error, Result};

/// Copies the records of `parent` into the new folder `child`: up to and with the message `at`, or all of them.
pub(crate) fn copy(parent: &Folder, child: &Folder, at: Option<&str>, clock: fn() -> UnixMillis) -> Result<()> {
    let cut = at.map(|message| find(parent, message)).transpose()?;
    let mut reader = Reader::after(parent.clone(), 0)?;
    let mut writer = Writer::open(child.clone(), clock())?;
    let mut runs = false;
    while let Some(record) = reader.next_record()? {
        if cut.is_some_and(|cut| record.seq > cut) {
            break;
        }
        if record.source == Source::Host {
            match HostFact::from_json(&record.line.text()) {
                // The child has its own.
                Some(HostFact::Log { .. }) => continue,
                Some(HostFact::Spawned { .. }) => runs = true,
                Some(HostFact::Exited { .. } | HostFact::Lost) => runs = false,
                _ => {}
            }
        }
        writer.append(record.at, record.source, record.line)?;
    }
    if runs {
        // The parent's agent goes on there. Here it is over, and that is nobody's fault.
        let exited = HostFact::Exited { code: None, signal: None, stderr_tail: Vec::new(), expected: true };
        writer.append_fact(clock(), &exited)?;
    }
    Ok(writer.sync()?)
}

/// The record of a message of the agent, by the message's uuid. It may have been said in a terminal.
fn find(folder: &Folder, message: &str) -> Result<u64> {
    let mut reader = Reader::after(folder.clone(), 0)?;
    let finder = memmem::Finder::new(message);
    while let Some(record) = reader.next_record()? {
        if finder.find(record.line.bytes()).is_some() && is(&record, message) {
            return Ok(record.seq);
        }
    }
    Err(Error::NoMessage(message.to_owned()))
}

fn is(record: &Record, message: &str) -> bool {
    let uuid = match record.source {
        Source::Stdout => decode(record.line.clone()).body.uuid().cloned(),
        Source::Transcript => decode_as::<Entry>(record.line.clone()).body.uuid(),
        Source::Stdin { .. } | Source::Stderr | Source::Host => None,
    };
    uuid.is_some_and(|uuid| uuid.as_str() == message)
}
