//! What is known of a conversation: records and entries in; whether an entry is new out.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use claude_protocol::transcript::Place;
use claude_protocol::{Entry, Line, Reading, ToCli, Uuid, decode_as};
use insights::{Record, Source};
use journal::Reader;

use super::words::prompt;
use crate::error::Result;

/// The entries that are known. One with a uuid is known if a line of stdout or another entry has it. The others are the CLI's
/// books and may come again word for word, so it is known how often each was seen; what was only repeated does not count.
#[derive(Clone, Debug, Default)]
pub struct Known {
    uuids: HashSet<u128>,
    others: HashMap<u64, u32>,
    /// Prompts that are in the log and may have another name in the transcript.
    said: Vec<Said>,
}

/// A prompt that was written to the agent. Its entry has its uuid, but there are two that can be known by their words only:
/// one that had no uuid, and a command of the CLI, which old versions give a new one.
#[derive(Clone, Debug)]
struct Said {
    uuid: Option<u128>,
    words: u64,
}

/// What came by since a file was begun, of the entries without a uuid.
#[derive(Clone, Debug, Default)]
pub(super) struct Pass {
    /// How often each of them.
    seen: HashMap<u64, u32>,
    /// The last of each kind.
    last: HashMap<String, u64>,
}

enum Key {
    Uuid(u128),
    Text(u64),
}

impl Known {
    /// What is known by a log. That a prompt was written to the agent does not make its entry known: the entry shows that the
    /// agent took it.
    pub fn by(log: &mut Reader) -> Result<Known> {
        let mut known = Known::default();
        while let Some(record) = log.next_record()? {
            known.note(&record);
        }
        Ok(known)
    }

    /// One more record of the log.
    pub fn note(&mut self, record: &Record) {
        match record.source {
            Source::Stdout => {
                // Pieces of what is to come. They have uuids of their own, which no entry has, and there are many.
                if record.line.bytes().starts_with(br#"{"type":"stream_event""#) {
                    return;
                }
                self.uuids.extend(place(&record.line).uuid.as_ref().map(number));
            }
            Source::Transcript => match Key::of(&place(&record.line), &record.line) {
                Key::Uuid(uuid) => _ = self.uuids.insert(uuid),
                Key::Text(hash) => *self.others.entry(hash).or_default() += 1,
            },
            Source::Stdin { .. } => {
                if let ToCli::Prompt(prompt) = decode_as::<ToCli>(record.line.clone()).body {
                    let words = prompt.message.content.text();
                    if prompt.uuid.is_none() || words.starts_with('/') {
                        let words = hash(words.trim().as_bytes());
                        self.said.push(Said { uuid: prompt.uuid.as_ref().map(number), words });
                    }
                }
            }
            Source::Stderr | Source::Host => {}
        }
    }

    /// Is this entry new? It is known from now on.
    pub(super) fn takes(&mut self, pass: &mut Pass, place: &Place, line: &Line) -> bool {
        match Key::of(place, line) {
            Key::Uuid(uuid) => self.uuids.insert(uuid) && !self.was_said(uuid, line),
            Key::Text(hash) => {
                // Titles and the like are written again after each turn, so that they are at the end of the file.
                let is_dated = place.timestamp.is_some();
                let kind = || decode_as::<Entry>(line.clone()).body.kind().to_owned();
                if !is_dated && pass.last.insert(kind(), hash) == Some(hash) {
                    return false;
                }
                let seen = pass.seen.entry(hash).or_default();
                *seen += 1;
                let known = self.others.entry(hash).or_default();
                let is_new = *seen > *known;
                *known = (*known).max(*seen);
                is_new
            }
        }
    }

    /// Is this a prompt of the log under another name?
    fn was_said(&mut self, uuid: u128, line: &Line) -> bool {
        if let Some(place) = self.said.iter().position(|said| said.uuid == Some(uuid)) {
            self.said.remove(place);
            return false;
        }
        if self.said.is_empty() {
            return false;
        }
        let Some(words) = prompt(line.clone()).map(|words| hash(words.trim().as_bytes())) else { return false };
        let place = self.said.iter().position(|said| said.words == words);
        place.map(|place| self.said.remove(place)).is_some()
    }
}

/// Where a line belongs, as far as it says so.
pub(super) fn place(line: &Line) -> Place {
    Reading::of(&line.text()).map(|reading| reading.value).unwrap_or_default()
}

impl Key {
    fn of(place: &Place, line: &Line) -> Key {
        place.uuid.as_ref().map_or_else(|| Key::Text(hash(line.bytes())), |uuid| Key::Uuid(number(uuid)))
    }
}

/// A uuid in few bytes. Of one that is none, a hash is as good.
fn number(uuid: &Uuid) -> u128 {
    let parsed = uuid::Uuid::try_parse(uuid.as_str());
    parsed.map_or_else(|_| u128::from(hash(uuid.as_str().as_bytes())), |uuid| uuid.as_u128())
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
