//! What the session group found out: measured rounds in, a table, a JSON value and a verdict out.

use serde::Serialize;

use super::super::table::{layout, megabytes, thousands};
use super::super::{Bar, BenchArgs, Check, Spread};
use super::{BARE, Interrupts, OURS, PYTHON, Round, Runner, SOAK_DELTAS, SOAK_LINE_BYTES, Soak, TYPESCRIPT};

/// How much a gigabyte may cost.
const GROWTH_LIMIT: u64 = 64 << 20;

/// Everything a run found out, as it is written to the JSON file.
#[derive(Serialize)]
pub(super) struct Report {
    deltas: u64,
    rounds: u32,
    consumers: Vec<ConsumerFacts>,
    rows: Vec<Row>,
    interrupts: Interrupts,
    soak: Soak,
    bars: Vec<Bar>,
    checks: Vec<Check>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ConsumerFacts {
    pub(super) name: &'static str,
    pub(super) version: Option<String>,
    pub(super) problem: Option<String>,
}

/// One consumer's figures.
#[derive(Debug, PartialEq, Serialize)]
struct Row {
    name: &'static str,
    best_seconds: f64,
    lines_per_second: f64,
    /// The median of the rounds.
    peak_bytes: u64,
    /// How many times as fast we were in the same rounds.
    ours_is_times: Spread,
    /// How many times our memory it took in the same rounds.
    takes_times: Spread,
}

impl Report {
    pub(super) fn new(args: &BenchArgs, runners: &[Runner], interrupts: Interrupts, soak: Soak) -> Self {
        let own = runners.iter().find(|runner| runner.name == OURS).map_or(&[][..], |runner| &runner.rounds);
        let rows: Vec<Row> =
            runners.iter().filter_map(|runner| Row::new(runner.name, args.deltas, &runner.rounds, own)).collect();
        Self {
            deltas: args.deltas,
            rounds: args.rounds,
            consumers: runners.iter().map(Runner::facts).collect(),
            bars: bars(&rows),
            checks: soak.checks(),
            rows,
            interrupts,
            soak,
        }
    }

    pub(super) fn passes(&self) -> bool {
        self.consumers.iter().all(|consumer| consumer.problem.is_none())
            && self.bars.iter().all(|bar| bar.passes)
            && self.checks.iter().all(|check| check.passes)
    }

    pub(super) fn shown(&self) -> String {
        let head = ["consumer", "lines/s", "ours is ×", "peak MB", "× ours"];
        let cells = |row: &Row| {
            vec![
                row.name.to_owned(),
                thousands(row.lines_per_second),
                format!("{:.2}", row.ours_is_times.median),
                megabytes(row.peak_bytes),
                format!("{:.2}", row.takes_times.median),
            ]
        };
        let mut text = layout(&head, &self.rows.iter().map(cells).collect::<Vec<_>>());
        text.push_str(&format!(
            "\na turn of {} deltas; lines/s in the best round, all else medians of {} rounds\n",
            thousands(self.deltas as f64),
            self.rounds
        ));
        for consumer in &self.consumers {
            let version = consumer.version.iter().map(|version| format!("{}: {version}", consumer.name));
            let problem = consumer.problem.iter().map(|problem| format!("{}: n/a, {problem}", consumer.name));
            version.chain(problem).for_each(|note| text.push_str(&format!("{note}\n")));
        }
        text.push_str(&format!("\n{}\n{}\n\n", self.interrupts.shown(), self.soak.shown()));
        let checks = self.checks.iter().map(Check::shown);
        text.push_str(&self.bars.iter().map(Bar::shown).chain(checks).collect::<Vec<_>>().join("\n"));
        text
    }
}

impl Row {
    fn new(name: &'static str, deltas: u64, rounds: &[Round], own: &[Round]) -> Option<Self> {
        let best = rounds.iter().map(|round| round.seconds).fold(f64::INFINITY, f64::min);
        let mut peaks: Vec<u64> = rounds.iter().map(|round| round.peak_bytes).collect();
        peaks.sort_unstable();
        let pairs = || rounds.iter().zip(own);
        Some(Self {
            name,
            best_seconds: best,
            lines_per_second: deltas as f64 / best,
            peak_bytes: *peaks.get(peaks.len() / 2)?,
            ours_is_times: Spread::of(pairs().map(|(theirs, ours)| theirs.seconds / ours.seconds))?,
            takes_times: Spread::of(pairs().map(|(theirs, ours)| theirs.peak_bytes as f64 / ours.peak_bytes as f64))?,
        })
    }
}

/// What the project promises about its driver.
fn bars(rows: &[Row]) -> Vec<Bar> {
    let row = |name: &str| rows.iter().find(|row| row.name == name);
    let speed = |name, want| Bar::new(format!("lines/s, ours / {name}"), want, row(name).map(|row| row.ours_is_times));
    let memory = |name| Bar::new(format!("peak memory, {name} / ours"), 1.0, row(name).map(|row| row.takes_times));
    vec![speed(PYTHON, 10.0), speed(TYPESCRIPT, 3.0), speed(BARE, 0.6), memory(PYTHON), memory(TYPESCRIPT)]
}

impl Interrupts {
    fn shown(&self) -> String {
        let part = |what: &str, seconds: &[f64]| {
            let mut sorted = seconds.to_vec();
            sorted.sort_by(f64::total_cmp);
            let shown = |seconds: Option<&f64>| seconds.map_or_else(|| "n/a".to_owned(), |s| format!("{:.3}", s * 1e3));
            format!("{what} {} ms, at worst {} ms", shown(sorted.get(sorted.len() / 2)), shown(sorted.last()))
        };
        format!(
            "{} interrupts while deltas pour in: {}; {}; {}",
            self.whole.len(),
            part("from the call to stdin", &self.to_stdin),
            part("from the reply to the future", &self.to_future),
            part("all in all, with the agent,", &self.whole)
        )
    }
}

impl Soak {
    fn checks(&self) -> Vec<Check> {
        let check = |what: String, passes| Check { what, passes };
        let growth = format!("{} MB", megabytes(self.growth_bytes));
        vec![
            check(
                "a gigabyte comes through one session".to_owned(),
                self.bytes >= SOAK_DELTAS * SOAK_LINE_BYTES as u64,
            ),
            check(format!("memory grows by less than 64 MiB meanwhile: {growth}"), self.growth_bytes < GROWTH_LIMIT),
            check("a line of 32 MiB passes".to_owned(), self.huge_line_passes),
            check("a line over the limit is skipped".to_owned(), self.overlong_line_is_skipped),
            check("the session goes on after it".to_owned(), self.goes_on),
        ]
    }

    fn shown(&self) -> String {
        format!(
            "{} MB through one session in {:.1} s: memory grew by {} MB, with a line of 32 MiB by {} MB",
            thousands(self.bytes as f64 / 1e6),
            self.seconds,
            megabytes(self.growth_bytes),
            megabytes(self.growth_with_huge_line_bytes)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(of: &[(f64, u64)]) -> Vec<Round> {
        of.iter().map(|&(seconds, peak_bytes)| Round { seconds, peak_bytes }).collect()
    }

    #[test]
    fn a_consumer_is_compared_with_ours_round_by_round() {
        let own = rounds(&[(1.0, 10), (2.0, 10), (1.0, 20)]);
        let theirs = rounds(&[(12.0, 5), (22.0, 30), (10.0, 20)]);
        let rows = [PYTHON, TYPESCRIPT].map(|name| Row::new(name, 24, &theirs, &own).unwrap());
        assert_eq!(rows[0].lines_per_second, 2.4);
        assert_eq!(rows[0].peak_bytes, 20);
        assert_eq!(rows[0].takes_times, Spread { least: 0.5, median: 1.0, most: 3.0 });
        let got: Vec<(Option<f64>, bool)> =
            bars(&rows).iter().map(|bar| (bar.got.map(|got| got.median), bar.passes)).collect();
        let expected = [(Some(11.0), true), (Some(11.0), true), (None, false), (Some(1.0), true), (Some(1.0), true)];
        assert_eq!(got, expected);
    }

    #[test]
    fn a_soak_that_grows_or_stops_fails() {
        let soak = |growth_bytes, goes_on| Soak {
            bytes: 1_000_000_000,
            seconds: 3.0,
            growth_bytes,
            growth_with_huge_line_bytes: 0,
            huge_line_passes: true,
            overlong_line_is_skipped: true,
            goes_on,
        };
        let passes = |soak: Soak| soak.checks().iter().all(|check| check.passes);
        assert!(passes(soak(GROWTH_LIMIT - 1, true)));
        assert!(!passes(soak(GROWTH_LIMIT, true)));
        assert!(!passes(soak(0, false)));
    }
}
