//! A session written out: its folder in; Markdown, events, records or its state out.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use insights::convert::RawLines;
use insights::{Converter, Profile};
use journal::{Folder, Reader};
use live::{markdown, replay, whole};

use crate::args::ExportForm;
use crate::commands::run::clean;

/// Prints what a session is doing and what was said.
pub(crate) fn show(folder: &Folder, json: bool) -> Result<()> {
    let state = replay(folder)?;
    let mut out = std::io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, &state)?;
        return Ok(writeln!(out)?);
    }
    let text = markdown(&state, |clip| clip.text.clone());
    writeln!(out, "{}", clean(&text))?;
    writeln!(out, "{}", clean(&state.status.words))?;
    Ok(())
}

/// Writes a session to a file or to stdout.
pub(crate) fn export(folder: &Folder, form: ExportForm, output: Option<&Path>) -> Result<()> {
    let mut out: Box<dyn Write> = match output {
        Some(path) => {
            let file = File::create_new(path).with_context(|| format!("could not make `{}`", path.display()))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(BufWriter::new(std::io::stdout().lock())),
    };
    match form {
        ExportForm::Markdown => {
            let text = markdown(&replay(folder)?, |clip| whole(folder, clip));
            out.write_all(text.as_bytes())?;
        }
        ExportForm::Records => {
            let mut reader = Reader::after(folder.clone(), 0)?;
            while let Some(record) = reader.next_json()? {
                writeln!(out, "{record}")?;
            }
        }
        ExportForm::Events => {
            let mut reader = Reader::after(folder.clone(), 0)?;
            let mut converter = Converter::new(&folder.id(), Profile::Full, RawLines::Kept);
            let mut events = Vec::new();
            while let Some(record) = reader.next_record()? {
                converter.convert_into(record, &mut events);
                for event in events.drain(..) {
                    serde_json::to_writer(&mut out, &event)?;
                    writeln!(out)?;
                }
            }
        }
    }
    Ok(out.flush()?)
}
