//! `quarterdeck inspect`: recorded lines in, a report of what they hold out.
//!
//! Files → lines (`crate::sources`) → what each is (`claude_protocol::inspect`) → counts and drift (`report`) → table or JSON
//! (`print`).

mod print;
mod report;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use claude_protocol::inspect::Inspector;

use crate::args::Inspect;
use crate::sources::{self, Source};
use crate::terminal;
use report::Report;

pub(crate) fn run(args: &Inspect) -> Result<ExitCode> {
    let sources = sources::find(&args.files)?;
    let mut report = Report { files: sources.len(), ..Report::default() };
    let mut unreadable = 0;
    for source in &sources {
        // Ids of tool calls and requests mean something within their file only.
        let mut inspector = Inspector::default();
        let read = read(source, &mut inspector, &mut report);
        // One bad file must not cost the report on the others.
        if let Err(error) = read {
            terminal::complain(&error);
            unreadable += 1;
        }
    }
    if unreadable == sources.len() {
        return Ok(terminal::failed());
    }
    let text = if args.json { print::json(&report)? } else { print::table(&report) };
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(match unreadable {
        0 if args.strict && report.drifts() => ExitCode::from(1),
        0 => ExitCode::SUCCESS,
        _ => terminal::failed(),
    })
}

fn read(source: &Source, inspector: &mut Inspector, report: &mut Report) -> Result<()> {
    let mut lines = source.lines()?;
    while let Some((number, line)) = lines.next()? {
        let mut here = report.at(source.name(), number);
        inspector.inspect(line, |found| here.take(found));
    }
    Ok(())
}
