//! The decode group: the corpus through five readers, side by side, and what the ratios must be.

use std::collections::BTreeMap;
use std::hint::black_box;

use anyhow::Result;
use lab::corpus::{self, Kind, Line};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::figure::Figure;
use super::rivals::{self, MIX, NODE, PYTHON, ReaderFacts, Rival};
use super::table::{layout, thousands};
use super::{Bar, BenchArgs, folder, write_figures};
use crate::{Outcome, clock, talk};

const OURS: &str = "ours";
const VALUE: &str = "serde_json::Value";
const IGNORED: &str = "IgnoredAny";

/// A reader in this process: its name, and what it does with a line. What it makes is dropped within the measured time.
type Reader = (&'static str, fn(&str));

const READERS: &[Reader] = &[
    (OURS, ours),
    (VALUE, |line| drop(black_box(serde_json::from_str::<Value>(line)))),
    (IGNORED, |line| drop(black_box(serde_json::from_str::<IgnoredAny>(line)))),
];

/// Our own reader. It keeps the text of the line, so the copy of the text is part of its time.
fn ours(line: &str) {
    drop(black_box(claude_protocol::decode(line.to_owned())));
}

/// The lines of one row of the table.
struct Part<'a> {
    name: &'static str,
    lines: Vec<&'a str>,
    bytes: usize,
}

/// The seconds of each round, by reader and row; a reader that failed in a round has none for it.
type Times = BTreeMap<(&'static str, &'static str), Vec<f64>>;

/// Everything a run found out, as it is written to the JSON file.
#[derive(Serialize)]
struct Report {
    corpus: CorpusFacts,
    rounds: u32,
    readers: Vec<ReaderFacts>,
    rows: Vec<Row>,
    bars: Vec<Bar>,
}

#[derive(Serialize)]
struct CorpusFacts {
    bytes: usize,
    lines: usize,
    seed: u64,
}

#[derive(Serialize)]
struct Row {
    kind: &'static str,
    bytes: usize,
    lines: usize,
    figures: BTreeMap<&'static str, Figure>,
}

/// Measures, prints, writes and judges.
pub(super) fn run(args: &BenchArgs) -> Result<Outcome> {
    let folder = folder()?;
    talk::say(&format!("making a corpus of {} MB", args.megabytes));
    let corpus = corpus::generate(args.megabytes * 1_000_000, args.seed);
    let mut rivals = rivals::start(&folder, &corpus)?;
    let parts = parts(&corpus);
    let mut times = Times::new();
    for round in 1..=args.rounds {
        talk::say(&format!("round {round} of {}", args.rounds));
        for part in &parts {
            measure(part, &mut rivals, &mut times);
        }
    }

    let rows: Vec<Row> = parts.iter().map(|part| part.row(&times)).collect();
    let report = Report {
        corpus: CorpusFacts { bytes: parts[0].bytes, lines: corpus.len(), seed: args.seed },
        rounds: args.rounds,
        readers: READERS
            .iter()
            .map(|(name, _)| ReaderFacts::here(name))
            .chain(rivals.iter().map(Rival::facts))
            .collect(),
        bars: bars(&rows),
        rows,
    };
    talk::data(&report.shown());
    write_figures(args, "decode.json", &report)?;
    let complete = rivals.iter().all(|rival| rival.problem.is_none());
    Ok(if complete && report.bars.iter().all(|bar| bar.passes) { Outcome::Passed } else { Outcome::Failed })
}

/// The rows of the table, the mix first; a small corpus has no big lines.
fn parts(corpus: &[Line]) -> Vec<Part<'_>> {
    let part = |name, wanted: Option<Kind>| {
        let lines: Vec<&str> = corpus
            .iter()
            .filter(|line| wanted.is_none_or(|kind| line.kind == kind))
            .map(|line| line.text.as_str())
            .collect();
        let bytes = lines.iter().map(|line| line.len()).sum();
        Part { name, lines, bytes }
    };
    let kinds = Kind::ALL.iter().map(|&kind| part(kind.name(), Some(kind)));
    std::iter::once(part(MIX, None)).chain(kinds.filter(|part| !part.lines.is_empty())).collect()
}

/// Has every reader read the part, one right after the other: whatever else the machine does hits them all alike.
fn measure(part: &Part<'_>, rivals: &mut [Rival], times: &mut Times) {
    let mut note = |reader, seconds| times.entry((reader, part.name)).or_default().push(seconds);
    for &(name, read) in READERS {
        let ((), took) = clock::timed(|| part.lines.iter().for_each(|line| read(black_box(line))));
        note(name, took.as_secs_f64());
    }
    for rival in rivals {
        if let Some(seconds) = rival.measure(part.name) {
            note(rival.name, seconds);
        }
    }
}

impl Part<'_> {
    fn row(&self, times: &Times) -> Row {
        let own = times.get(&(OURS, self.name)).map_or(&[][..], Vec::as_slice);
        let figure = |((reader, _), seconds): (&(&'static str, &str), &Vec<f64>)| {
            Some((*reader, Figure::of(seconds, own, self.bytes, self.lines.len())?))
        };
        let figures = times.iter().filter(|((_, row), _)| *row == self.name).filter_map(figure).collect();
        Row { kind: self.name, bytes: self.bytes, lines: self.lines.len(), figures }
    }
}

/// What the project promises about its reader.
fn bars(rows: &[Row]) -> Vec<Bar> {
    let bar = |kind: &str, reader: &str, want: f64| {
        let row = rows.iter().find(|row| row.kind == kind);
        let got = row.and_then(|row| row.figures.get(reader)).map(|figure| figure.ours_is_times);
        Bar::new(format!("{kind}, ours / {reader}"), want, got)
    };
    vec![bar(MIX, PYTHON, 4.0), bar(MIX, VALUE, 1.5), bar(Kind::Delta.name(), PYTHON, 8.0)]
}

impl Report {
    fn shown(&self) -> String {
        let others = [VALUE, IGNORED, PYTHON, NODE];
        let head = ["kind", "MB", "lines", "ours MB/s", "lines/s", VALUE, "×", IGNORED, "×", PYTHON, "×", NODE, "×"];
        let missing = || "n/a".to_owned();
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| {
                let own = row.figures.get(OURS);
                let mut cells =
                    vec![row.kind.to_owned(), format!("{:.1}", row.bytes as f64 / 1e6), thousands(row.lines as f64)];
                cells.push(own.map_or_else(missing, |own| format!("{:.0}", own.megabytes_per_second)));
                cells.push(own.map_or_else(missing, |own| thousands(own.lines_per_second)));
                for reader in others {
                    let figure = row.figures.get(reader);
                    cells.push(figure.map_or_else(missing, |figure| format!("{:.0}", figure.megabytes_per_second)));
                    cells.push(figure.map_or_else(missing, |figure| format!("{:.2}", figure.ours_is_times.median)));
                }
                cells
            })
            .collect();
        let mut text = layout(&head, &rows);
        text.push_str(
            "\nMB/s of each reader in its best round; × is how many times as fast ours was, the median of all rounds\n",
        );
        self.readers.iter().for_each(|reader| text.push_str(&reader.shown()));
        text.push('\n');
        text.push_str(&self.bars.iter().map(Bar::shown).collect::<Vec<_>>().join("\n"));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::Spread;
    use super::*;

    #[test]
    fn the_bars_are_ratios_of_the_same_run() {
        let times: Times = [(OURS, [1.0, 2.0, 1.0]), (VALUE, [2.0, 4.4, 1.8]), (PYTHON, [3.0, 6.0, 5.0])]
            .into_iter()
            .map(|(reader, seconds)| ((reader, MIX), seconds.to_vec()))
            .collect();
        let part = Part { name: MIX, lines: vec!["{}"; 10], bytes: 2_000_000 };
        let row = part.row(&times);
        assert_eq!(row.figures[VALUE].ours_is_times, Spread { least: 1.8, median: 2.0, most: 2.2 });
        assert_eq!(row.figures[PYTHON].megabytes_per_second, 2.0 / 3.0);
        let got: Vec<(Option<f64>, bool)> =
            bars(&[row]).iter().map(|bar| (bar.got.map(|got| got.median), bar.passes)).collect();
        assert_eq!(got, [(Some(3.0), false), (Some(2.0), true), (None, false)]);
    }

    #[test]
    fn every_line_is_in_the_mix_and_in_one_other_row() {
        let corpus = corpus::generate(200_000, 1);
        let parts = parts(&corpus);
        assert_eq!(parts[0].lines.len(), corpus.len());
        assert_eq!(parts[1..].iter().map(|part| part.lines.len()).sum::<usize>(), corpus.len());
    }
}
