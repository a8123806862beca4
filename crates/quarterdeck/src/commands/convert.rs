//! `quarterdeck convert`: lines of any known form in, events out as JSON Lines, or the state that they lead to.
//!
//! Lines (`crate::sources`) → records (`records`) → events → stdout, one line at a time: however long the input is, only the
//! line at hand is in memory, and with `--state` the state.

mod records;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::Result;
use insights::convert::{Nameless, RawLines};
use insights::{InsightsEvent, Profile, State};

use crate::args::{self, Convert};
use crate::sources::Source;
use records::Records;

/// What becomes of the events.
enum Output {
    /// Each is written.
    Events,
    /// They change a state, which is written at the end.
    State(Box<State>),
}

pub(crate) fn run(args: &Convert) -> Result<ExitCode> {
    let source = Source::one(args.file.as_deref())?;
    let mut lines = source.lines()?;
    let profile = match args.profile {
        args::Profile::Core => Profile::Core,
        args::Profile::Full => Profile::Full,
    };
    let raw = if args.no_raw || args.state { RawLines::LeftOut } else { RawLines::Kept };
    let mut output = if args.state { Output::State(Box::default()) } else { Output::Events };
    let mut converter = Nameless::new(profile, raw);
    let mut records = Records::beside(source.folder());
    let mut events = Vec::new();
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    while let Some((number, line)) = lines.next()? {
        if let Some(record) = records.record(number, line, lines.ended())? {
            converter.convert_into(record, &mut events);
        }
        output.take(&mut events, &mut stdout)?;
        // Whoever reads a running session wants to see what is so far.
        if lines.is_drained() {
            stdout.flush()?;
        }
    }
    converter.finish(&mut events);
    output.take(&mut events, &mut stdout)?;
    output.end(&mut stdout)?;
    stdout.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl Output {
    /// Takes the events that there are.
    fn take(&mut self, events: &mut Vec<InsightsEvent>, stdout: &mut impl Write) -> io::Result<()> {
        for event in events.drain(..) {
            match self {
                Output::Events => write_line(stdout, &event)?,
                Output::State(state) => _ = state.apply(&event),
            }
        }
        Ok(())
    }

    /// No more will come.
    fn end(self, stdout: &mut impl Write) -> io::Result<()> {
        match self {
            Output::Events => Ok(()),
            Output::State(state) => write_line(stdout, &state),
        }
    }
}

fn write_line(stdout: &mut impl Write, value: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *stdout, value)?;
    stdout.write_all(b"\n")
}
