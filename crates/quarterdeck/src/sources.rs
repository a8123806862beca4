//! Where lines come from: files, folders and stdin in, packed or not; one line after the other out, since a recording may be
//! larger than memory.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Something with lines, or where somebody hoped for some.
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
    EmptyFolder(PathBuf),
}

/// The files named, and for each folder the `.jsonl` files below it, in order.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<Source>> {
    let mut found = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            found.push(Source::Stdin);
        } else if path.is_dir() {
            let before = found.len();
            below(path, &mut found)?;
            if found.len() == before {
                found.push(Source::EmptyFolder(path.clone()));
            }
        } else {
            found.push(Source::File(path.clone()));
        }
    }
    Ok(found)
}

fn below(folder: &Path, found: &mut Vec<Source>) -> Result<()> {
    let read = |error_of: &str| format!("could not {error_of} `{}`", folder.display());
    let mut paths = fs::read_dir(folder)
        .with_context(|| read("list"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()
        .with_context(|| read("list"))?;
    paths.sort();
    for path in paths {
        // A linked folder is not followed: links may lead in circles.
        if path.is_dir() && !path.is_symlink() {
            below(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(Source::File(path));
        }
    }
    Ok(())
}

impl Source {
    /// The one file that is named; stdin for `-` or if none is.
    pub(crate) fn one(path: Option<&Path>) -> Result<Self> {
        match path {
            None => Ok(Source::Stdin),
            Some(path) if path.as_os_str() == "-" => Ok(Source::Stdin),
            Some(path) if path.is_dir() => bail!("`{}` is a folder\nhint: name a file in it", path.display()),
            Some(path) => Ok(Source::File(path.to_owned())),
        }
    }

    /// How to name it to a person.
    pub(crate) fn name(&self) -> String {
        match self {
            Source::Stdin => "stdin".to_owned(),
            Source::File(path) | Source::EmptyFolder(path) => path.display().to_string(),
        }
    }

    /// The folder that it is in, where what belongs to it would be.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Source::File(path) => path.parent(),
            Source::Stdin | Source::EmptyFolder(_) => None,
        }
    }

    /// Opens it for reading.
    pub(crate) fn lines(&self) -> Result<Lines> {
        let reader: Box<dyn Read> = match self {
            Source::Stdin => Box::new(io::stdin().lock()),
            Source::File(path) => {
                Box::new(File::open(path).with_context(|| format!("could not open `{}`", path.display()))?)
            }
            Source::EmptyFolder(path) => bail!("no .jsonl file in `{}`", path.display()),
        };
        let reader = journal::unpacked(BufReader::with_capacity(1 << 16, reader));
        let reader = reader.with_context(|| format!("could not read `{}`", self.name()))?;
        Ok(Lines { name: self.name(), reader, number: 0, last: Ended::WithLine })
    }
}

/// The lines of a source.
pub(crate) struct Lines {
    name: String,
    reader: BufReader<Box<dyn Read>>,
    number: u64,
    last: Ended,
}

/// How a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With a line end.
    WithLine,
    /// With the file: it may be one that is still being written, or was never finished.
    WithFile,
}

impl Lines {
    /// The next line that is not blank, with its number from 1, without its line end.
    ///
    /// It is the caller's own, so that a line of a hundred megabytes is in memory once. A short one costs no more than a
    /// copy out of the reader's buffer.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, Vec<u8>)>> {
        loop {
            let mut line = Vec::new();
            let read = self.reader.read_until(b'\n', &mut line);
            if read.with_context(|| format!("could not read `{}`", self.name))? == 0 {
                return Ok(None);
            }
            self.number += 1;
            self.last = if line.ends_with(b"\n") { Ended::WithLine } else { Ended::WithFile };
            line.truncate(line.trim_ascii_end().len());
            if !line.is_empty() {
                return Ok(Some((self.number, line)));
            }
        }
    }

    /// How the last line ended.
    pub(crate) fn ended(&self) -> Ended {
        self.last
    }

    /// Would the next line have to be waited for?
    pub(crate) fn is_drained(&self) -> bool {
        self.reader.buffer().is_empty()
    }
}
