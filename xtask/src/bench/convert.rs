//! The convert group: the corpus into events and state, beside parsers that do far less, and what `quarterdeck convert` takes
//! of memory for a gigabyte and for one very long line.

mod flat;

use std::hint::black_box;

use anyhow::Result;
use insights::convert::RawLines;
use insights::{Converter, Profile, Record, State, UnixMillis};
use lab::corpus;
use serde::Serialize;

use super::figure::Figure;
use super::rivals::{self, MIX, NODE, PYTHON, ReaderFacts};
use super::table::{layout, thousands};
use super::{Bar, BenchArgs, Check, folder, write_figures};
use crate::{Outcome, clock, talk};
use flat::Flat;

const ALL: &str = "decode + convert + reduce";
const APART: &str = "the same, lines apart";
const CONVERT: &str = "decode + convert";
const DECODE: &str = "decode";

/// How far our own lines go. What is left in the end is given back, so that it is dropped when the clock has stopped: a
/// session's state goes away with the session, and nobody waits for it.
type Stage = (&'static str, fn(&[&str]) -> Option<State>);

const STAGES: &[Stage] = &[(ALL, reduce), (CONVERT, convert), (DECODE, decode)];

/// Everything a run found out, as it is written to the JSON file.
#[derive(Serialize)]
struct Report {
    bytes: usize,
    lines: usize,
    seed: u64,
    rounds: u32,
    readers: Vec<ReaderFacts>,
    rows: Vec<Row>,
    memory: Flat,
    bars: Vec<Bar>,
    checks: Vec<Check>,
}

/// One reader's figures.
#[derive(Debug, PartialEq, Serialize)]
struct Row {
    name: &'static str,
    /// Beside the whole of ours.
    #[serde(flatten)]
    figure: Figure,
}

/// Measures, prints, writes and judges.
pub(super) fn run(args: &BenchArgs) -> Result<Outcome> {
    let folder = folder()?;
    talk::say(&format!("making a corpus of {} MB", args.megabytes));
    let corpus = corpus::generate(args.megabytes * 1_000_000, args.seed);
    let mut rivals = rivals::start(&folder, &corpus)?;
    // One text, as node has it and as a pipe brings it; and thousands of small ones all over the memory, as Python has it.
    let texts: Vec<String> = corpus.into_iter().map(|line| line.text).collect();
    let apart: Vec<&str> = texts.iter().map(String::as_str).collect();
    let text = texts.join("\n");
    let lines: Vec<&str> = text.split('\n').collect();
    let bytes = lines.iter().map(|line| line.len()).sum();
    let mut times: Vec<(&'static str, Vec<f64>)> = Vec::new();
    let mut note = |reader, seconds| match times.iter_mut().find(|(name, _)| *name == reader) {
        Some((_, all)) => all.push(seconds),
        None => times.push((reader, vec![seconds])),
    };
    for round in 1..=args.rounds {
        talk::say(&format!("round {round} of {}", args.rounds));
        let ours = STAGES.iter().map(|&(name, stage)| (name, stage, &lines));
        for (name, stage, lines) in ours.chain([(APART, reduce as fn(&[&str]) -> _, &apart)]) {
            let (left, took) = clock::timed(|| stage(black_box(lines)));
            drop(left);
            note(name, took.as_secs_f64());
        }
        for rival in &mut rivals {
            if let Some(seconds) = rival.measure(MIX) {
                note(rival.name, seconds);
            }
        }
    }
    let rows = rows(&times, bytes, lines.len());
    let readers: Vec<ReaderFacts> = rivals.iter().map(rivals::Rival::facts).collect();
    // The peers hold the corpus in memory too, and the rest needs the machine for itself.
    drop(rivals);
    let memory = flat::measure(args.profile, args.seed)?;
    let report = Report {
        bytes,
        lines: lines.len(),
        seed: args.seed,
        rounds: args.rounds,
        bars: bars(&rows),
        checks: memory.checks(),
        readers,
        rows,
        memory,
    };
    talk::data(&report.shown());
    write_figures(args, "convert.json", &report)?;
    Ok(if report.passes() { Outcome::Passed } else { Outcome::Failed })
}

/// The lines to messages, which are dropped. The copy of the text that a message keeps is part of the time.
fn decode(lines: &[&str]) -> Option<State> {
    for line in lines {
        drop(black_box(claude_protocol::decode((*line).to_owned())));
    }
    None
}

/// The lines to events, as for a listener: each with the line that it was made from.
fn convert(lines: &[&str]) -> Option<State> {
    each_event(lines, |events| {
        black_box(events);
    });
    None
}

/// The lines to a state, with the changes that the screens would get.
fn reduce(lines: &[&str]) -> Option<State> {
    let mut state = State::default();
    let mut changes = Vec::new();
    each_event(lines, |events| {
        events.iter().for_each(|event| state.apply_into(event, &mut changes));
        black_box(&changes);
        changes.clear();
    });
    Some(black_box(state))
}

fn each_event(lines: &[&str], mut take: impl FnMut(&[insights::InsightsEvent])) {
    let mut converter = Converter::new("bench", Profile::Full, RawLines::Kept);
    let mut events = Vec::new();
    for (seq, line) in (1..).zip(lines) {
        converter.convert_into(Record::stdout(seq, UnixMillis(0), *line), &mut events);
        take(&events);
        events.clear();
    }
}

fn rows(times: &[(&'static str, Vec<f64>)], bytes: usize, lines: usize) -> Vec<Row> {
    let own = times.iter().find(|(name, _)| *name == ALL).map_or(&[][..], |(_, seconds)| seconds);
    let row = |(name, seconds): &(&'static str, Vec<f64>)| {
        Some(Row { name, figure: Figure::of(seconds, own, bytes, lines)? })
    };
    times.iter().filter_map(row).collect()
}

/// What the project promises about the way from a line to the state.
fn bars(rows: &[Row]) -> Vec<Bar> {
    let bar = |reader: &str, want| {
        let got = rows.iter().find(|row| row.name == reader).map(|row| row.figure.ours_is_times);
        Bar::new(format!("{ALL} / {reader}"), want, got)
    };
    vec![bar(PYTHON, 2.0), bar(NODE, 1.0)]
}

impl Report {
    fn passes(&self) -> bool {
        self.readers.iter().all(|reader| reader.problem.is_none())
            && self.bars.iter().all(|bar| bar.passes)
            && self.checks.iter().all(|check| check.passes)
    }

    fn shown(&self) -> String {
        let cells = |row: &Row| {
            vec![
                row.name.to_owned(),
                format!("{:.0}", row.figure.megabytes_per_second),
                thousands(row.figure.lines_per_second),
                format!("{:.2}", row.figure.ours_is_times.median),
            ]
        };
        let mut text =
            layout(&["reader", "MB/s", "lines/s", "ours is ×"], &self.rows.iter().map(cells).collect::<Vec<_>>());
        text.push_str(&format!(
            "\n{} lines, {:.0} MB; MB/s and lines/s in the best round, × of all three stages, the median of {} rounds\n",
            thousands(self.lines as f64),
            self.bytes as f64 / 1e6,
            self.rounds
        ));
        self.readers.iter().for_each(|reader| text.push_str(&reader.shown()));
        text.push_str(&format!("\n{}\n\n", self.memory.shown()));
        let checks = self.checks.iter().map(Check::shown);
        text.push_str(&self.bars.iter().map(Bar::shown).chain(checks).collect::<Vec<_>>().join("\n"));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::Spread;
    use super::*;

    #[test]
    fn everyone_is_compared_with_all_three_stages_round_by_round() {
        let times = [(ALL, vec![1.0, 2.0, 1.0]), (DECODE, vec![0.5, 0.5, 0.5]), (PYTHON, vec![3.0, 5.0, 1.5])];
        let rows = rows(&times, 4_000_000, 10);
        assert_eq!(rows[1].figure.megabytes_per_second, 8.0);
        assert_eq!(rows[2].figure.ours_is_times, Spread { least: 1.5, median: 2.5, most: 3.0 });
        let got: Vec<(Option<f64>, bool)> =
            bars(&rows).iter().map(|bar| (bar.got.map(|got| got.median), bar.passes)).collect();
        assert_eq!(got, [(Some(2.5), true), (None, false)]);
    }
}
