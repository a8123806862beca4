//! Where the lines come from: files, folders and stdin, read line by line, since a recording may be larger than memory.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
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
    /// How to name it to a person.
    pub(crate) fn name(&self) -> String {
        match self {
            Source::Stdin => "stdin".to_owned(),
            Source::File(path) | Source::EmptyFolder(path) => path.display().to_string(),
        }
    }

    /// Hands out each line that is not blank, with its number from 1, without its line end.
    pub(crate) fn each_line(&self, mut take: impl FnMut(usize, &[u8])) -> Result<()> {
        let mut reader: Box<dyn BufRead> = match self {
            Source::Stdin => Box::new(io::stdin().lock()),
            Source::File(path) => {
                let file = File::open(path).with_context(|| format!("could not open `{}`", path.display()))?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
            Source::EmptyFolder(path) => bail!("no .jsonl file in `{}`", path.display()),
        };
        let mut line = Vec::new();
        let mut number = 0;
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line);
            if read.with_context(|| format!("could not read `{}`", self.name()))? == 0 {
                return Ok(());
            }
            number += 1;
            let trimmed = line.trim_ascii_end();
            if !trimmed.is_empty() {
                take(number, trimmed);
            }
        }
    }
}
