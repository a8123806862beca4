//! Reading a session: its files in; its entries out, one by one, in the order in which they can be understood.
//!
//! That is the session's own file first, then those of its subagents: the result of a call names the agent that worked for
//! it, and so its entries find their call.

use std::collections::HashSet;
use std::path::PathBuf;

use claude_protocol::Line;
use insights::{HostFact, Record, UnixMillis};
use memchr::{memchr, memmem};

use super::files::{Start, Transcript};
use super::known::{Known, place};
use super::source::{LastLine, Source};
use crate::error::{Error, Result};

/// An entry of a transcript, and when it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dated {
    /// When it was written, or, if it does not say so, the entry before it.
    pub at: UnixMillis,
    /// The entry, byte for byte.
    pub line: Line,
}

/// The entries of a session that are not known yet. Takes no more memory than the longest of them, and a few bytes to know
/// each again.
#[derive(Debug)]
pub struct Entries {
    transcript: Transcript,
    known: Known,
    how: How,
    sources: Vec<Source>,
    /// The source to be read next; 0 between rounds.
    current: usize,
    /// Was this round through the sources begun?
    begun: bool,
    /// Files of subagents that were looked at, ours or not.
    looked_at: HashSet<PathBuf>,
    /// Subagents whose call is known.
    named: HashSet<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Once,
    Following,
}

impl Entries {
    /// All entries that are there now and not `known`.
    pub fn all(transcript: &Transcript, known: Known) -> Self {
        Self::new(transcript, known, How::Once)
    }

    /// The entries that are not `known`, while somebody writes them. After the end of what is there it goes on when asked
    /// again, also with a file that was not there before, was replaced, or is that of a new subagent. What a subagent says is
    /// held back until the session's own file tells for which call it works; until then nobody knows where it belongs.
    pub fn following(transcript: &Transcript, known: Known) -> Self {
        Self::new(transcript, known, How::Following)
    }

    fn new(transcript: &Transcript, known: Known, how: How) -> Self {
        Entries {
            transcript: transcript.clone(),
            known,
            how,
            sources: vec![Source::new(transcript.path().to_owned(), None)],
            current: 0,
            begun: false,
            looked_at: HashSet::new(),
            named: HashSet::new(),
        }
    }

    /// The next entry; `None` if there is none now.
    pub fn next_entry(&mut self) -> Result<Option<Dated>> {
        if !self.begun {
            self.begin();
        }
        let last = if self.how == How::Once { LastLine::Whole } else { LastLine::Ended };
        while let Some(source) = self.sources.get_mut(self.current) {
            if self.how == How::Following && source.agent.as_ref().is_some_and(|agent| !self.named.contains(agent)) {
                self.current += 1;
                continue;
            }
            let read = source.next_line(last);
            let read = read.map_err(|error| Error::File { doing: "read", path: source.path.clone(), source: error })?;
            let Some(line) = read else {
                self.current += 1;
                continue;
            };
            let place = place(&line);
            if let Some(at) = place.timestamp.as_deref().and_then(UnixMillis::from_iso) {
                source.at = at;
            }
            if self.how == How::Following {
                self.named.extend(named(line.bytes()));
            }
            if self.known.takes(&mut source.pass, &place, &line) {
                return Ok(Some(Dated { at: source.at, line }));
            }
        }
        if self.how == How::Following {
            (self.current, self.begun) = (0, false);
        }
        Ok(None)
    }

    fn begin(&mut self) {
        self.begun = true;
        self.sources.iter_mut().for_each(Source::check);
        let new = self.transcript.subagents(&mut self.looked_at);
        self.sources.extend(new.into_iter().map(|subagent| Source::new(subagent.path, Some(subagent.agent))));
    }
}

/// The subagents that the result of a call names.
fn named(line: &[u8]) -> impl Iterator<Item = String> {
    const NAME: &[u8] = br#""agentId":""#;
    // Other entries name them, too, but not for which call they work.
    let is_result = memmem::find(line, br#""toolUseResult""#).is_some();
    let names = is_result.then(|| memmem::find_iter(line, NAME)).into_iter().flatten();
    names.filter_map(|at| {
        let name = &line[at + NAME.len()..];
        Some(String::from_utf8_lossy(&name[..memchr(b'"', name)?]).into_owned())
    })
}

/// A session as the records of a log: first the fact that it is imported, then its entries.
#[derive(Debug)]
pub struct Records {
    entries: Entries,
    first: Option<Record>,
    seq: u64,
}

impl Transcript {
    /// The session as records, numbered from 1.
    pub fn records(&self) -> Records {
        let at = Start::of(self.path()).at.unwrap_or_default();
        let first = Some(Record::host(1, at, &self.imported()));
        Records { entries: Entries::all(self, Known::default()), first, seq: 1 }
    }

    /// The fact that what follows was read from this transcript.
    pub(super) fn imported(&self) -> HostFact {
        HostFact::Imported { path: self.path().to_string_lossy().into_owned(), session: Some(self.session()) }
    }
}

impl Iterator for Records {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        let entry = self.entries.next_entry().transpose()?;
        Some(entry.map(|Dated { at, line }| {
            self.seq += 1;
            Record::transcript(self.seq, at, line)
        }))
    }
}
