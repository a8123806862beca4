//! The others who read the corpus, each in a process of its own: a corpus in, their seconds for a part of it out.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use lab::corpus::Line;
use serde::Serialize;

use super::peers::{CorpusFiles, Peer};
use crate::talk;

pub(super) const PYTHON: &str = "Python SDK";
pub(super) const NODE: &str = "node JSON.parse";

/// The part that is all lines in the order of the corpus.
pub(super) const MIX: &str = "mix";

/// A reader in another process; `None` once it could not be installed or failed.
pub(super) struct Rival {
    pub(super) name: &'static str,
    peer: Option<Peer>,
    pub(super) problem: Option<String>,
    refused: usize,
}

/// What is to be said of a reader.
#[derive(Serialize)]
pub(super) struct ReaderFacts {
    name: &'static str,
    version: Option<String>,
    pub(super) problem: Option<String>,
    /// How many lines of the mix it refused.
    refused_lines: usize,
}

/// Writes the corpus where all can read it, and starts them.
pub(super) fn start(folder: &Path, corpus: &[Line]) -> Result<[Rival; 2]> {
    let files = write_corpus(folder, corpus)?;
    Ok([Rival::new(PYTHON, Peer::python(folder, &files)), Rival::new(NODE, Peer::node(folder, &files))])
}

fn write_corpus(folder: &Path, corpus: &[Line]) -> Result<CorpusFiles> {
    let files = CorpusFiles { lines: folder.join("corpus.jsonl"), kinds: folder.join("corpus.kinds") };
    let join = |texts: &mut dyn Iterator<Item = &str>| texts.fold(String::new(), |all, text| all + text + "\n");
    fs::write(&files.lines, join(&mut corpus.iter().map(|line| line.text.as_str())))
        .context("could not write the corpus")?;
    fs::write(&files.kinds, join(&mut corpus.iter().map(|line| line.kind.name())))
        .context("could not write the kinds")?;
    Ok(files)
}

impl Rival {
    fn new(name: &'static str, peer: Result<Peer>) -> Self {
        let mut rival = Self { name, peer: None, problem: None, refused: 0 };
        match peer {
            Ok(peer) => rival.peer = Some(peer),
            Err(error) => rival.give_up(&error),
        }
        rival
    }

    /// Its seconds for a part; none once it has given up.
    pub(super) fn measure(&mut self, row: &str) -> Option<f64> {
        match self.peer.as_mut()?.read(row) {
            Ok(reading) => {
                self.refused = self.refused.max(reading.refused);
                Some(reading.seconds)
            }
            Err(error) => {
                self.give_up(&error);
                None
            }
        }
    }

    fn give_up(&mut self, error: &anyhow::Error) {
        let problem = format!("{error:#}");
        talk::say(&format!("error: {} cannot take part: {problem}", self.name));
        self.peer = None;
        self.problem = Some(problem);
    }

    pub(super) fn facts(&self) -> ReaderFacts {
        ReaderFacts {
            name: self.name,
            version: self.peer.as_ref().map(|peer| peer.version.clone()),
            problem: self.problem.clone(),
            refused_lines: self.refused,
        }
    }
}

impl ReaderFacts {
    /// Of a reader in this process.
    pub(super) const fn here(name: &'static str) -> Self {
        Self { name, version: None, problem: None, refused_lines: 0 }
    }

    /// A line for each thing that is to be said.
    pub(super) fn shown(&self) -> String {
        let version = self.version.iter().map(|version| format!("{}: {version}\n", self.name));
        let problem = self.problem.iter().map(|problem| format!("{}: n/a, {problem}\n", self.name));
        let refused = (self.refused_lines > 0)
            .then(|| format!("{}: refused {} lines of the mix\n", self.name, self.refused_lines));
        version.chain(problem).chain(refused).collect()
    }
}
