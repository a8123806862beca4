//! What the server group found out: figures in, a table and verdicts out.

use serde::Serialize;

use super::super::{Check, table};
use super::{BUSY, MANY, Streamed, WATCHERS};

/// The budgets.
const MEDIAN_DELAY: f64 = 3.0;
const P99_DELAY: f64 = 10.0;
const IDLE_BYTES: u64 = 25_000_000;
const SESSION_BYTES: u64 = 2_000_000;
const BINARY_BYTES: u64 = 30_000_000;
const START: f64 = 1.5;

/// What was measured.
pub(super) struct Figures {
    pub(super) binary_bytes: u64,
    pub(super) idle: u64,
    pub(super) bare: Streamed,
    pub(super) busy: Streamed,
    pub(super) bare_many: Streamed,
    pub(super) many: Streamed,
    pub(super) per_session_bytes: u64,
    pub(super) empty: Vec<f64>,
    pub(super) full: Vec<f64>,
}

/// One who passed lines on.
#[derive(Debug, Serialize)]
struct Passed {
    name: String,
    ticks: usize,
    median_delay_us: u64,
    p99_delay_us: u64,
    most_delay_us: u64,
    seconds: f64,
    processor_seconds: f64,
    memory_bytes: u64,
    frames: u64,
    complete: usize,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    passed: Vec<Passed>,
    idle_bytes: u64,
    per_session_bytes: u64,
    binary_bytes: u64,
    start_ms_with_none: f64,
    start_ms_with_many: f64,
    checks: Vec<Check>,
}

impl Report {
    pub(super) fn new(figures: Figures) -> Report {
        let passed = vec![
            Passed::new(&format!("bare relay, {BUSY}"), &figures.bare),
            Passed::new(&format!("server, {BUSY}"), &figures.busy),
            Passed::new(&format!("bare relay, {MANY}"), &figures.bare_many),
            Passed::new(&format!("server, {MANY}"), &figures.many),
        ];
        let ratio = |ours: u64, floor: u64| ours as f64 / floor.max(1) as f64;
        let median = ratio(passed[1].median_delay_us, passed[0].median_delay_us);
        let p99 = ratio(passed[1].p99_delay_us, passed[0].p99_delay_us);
        let (none, many) = (middle(figures.empty), middle(figures.full));
        let at_most = |what: &str, got: u64, most: u64| Check {
            what: format!("{what}: {} MB (at most {})", table::megabytes(got), table::megabytes(most)),
            passes: got <= most,
        };
        let checks = vec![
            Check {
                what: format!("delay, median: {median:.2} × the bare relay (at most {MEDIAN_DELAY})"),
                passes: median <= MEDIAN_DELAY,
            },
            Check {
                what: format!("delay, p99: {p99:.2} × the bare relay (at most {P99_DELAY})"),
                passes: p99 <= P99_DELAY,
            },
            Check {
                what: format!(
                    "{} of {MANY} turns complete under {WATCHERS} watchers, nothing lost",
                    figures.many.complete
                ),
                passes: figures.many.complete == MANY,
            },
            at_most("the server idle", figures.idle, IDLE_BYTES),
            at_most("a session of 10,000 events", figures.per_session_bytes, SESSION_BYTES),
            at_most("the binary", figures.binary_bytes, BINARY_BYTES),
            Check {
                what: format!("start with 1,000 sessions: {:.2} × with none (at most {START})", many / none),
                passes: many / none <= START,
            },
        ];
        Report {
            passed,
            idle_bytes: figures.idle,
            per_session_bytes: figures.per_session_bytes,
            binary_bytes: figures.binary_bytes,
            start_ms_with_none: none,
            start_ms_with_many: many,
            checks,
        }
    }

    pub(super) fn passes(&self) -> bool {
        self.checks.iter().all(|check| check.passes)
    }

    pub(super) fn shown(&self) -> String {
        let ms = |micros: u64| format!("{:.2}", micros as f64 / 1000.0);
        let row = |one: &Passed| {
            vec![
                one.name.clone(),
                table::thousands(one.ticks as f64),
                ms(one.median_delay_us),
                ms(one.p99_delay_us),
                ms(one.most_delay_us),
                format!("{:.0} %", 100.0 * one.processor_seconds / one.seconds),
                table::megabytes(one.memory_bytes),
                one.complete.to_string(),
            ]
        };
        let rows: Vec<Vec<String>> = self.passed.iter().map(row).collect();
        let head = ["line → watcher", "ticks", "median ms", "p99 ms", "most ms", "processor", "MB", "complete"];
        let checks: Vec<String> = self.checks.iter().map(Check::shown).collect();
        format!("{}\n\n{}", table::layout(&head, &rows), checks.join("\n"))
    }
}

impl Passed {
    fn new(name: &str, streamed: &Streamed) -> Passed {
        let delays = streamed.delays();
        let at = |share: usize| delays.get((delays.len() * share / 100).min(delays.len().saturating_sub(1))).copied();
        Passed {
            name: name.to_owned(),
            ticks: delays.len(),
            median_delay_us: at(50).unwrap_or_default(),
            p99_delay_us: at(99).unwrap_or_default(),
            most_delay_us: delays.last().copied().unwrap_or_default(),
            seconds: streamed.seconds,
            processor_seconds: streamed.processor_seconds,
            memory_bytes: streamed.memory_bytes,
            frames: streamed.watched.iter().map(|one| one.frames).sum(),
            complete: streamed.complete,
        }
    }
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
