//! What the server group found out: figures in, a table and verdicts out.

use serde::Serialize;

use super::super::{Check, Spread, table};
use super::{BUSY, MANY, Round, Streamed, WATCHERS};

/// The budgets.
const MEDIAN_DELAY: f64 = 3.0;
const P99_DELAY: f64 = 10.0;
const IDLE_BYTES: u64 = 25_000_000;
const SESSION_BYTES: u64 = 2_000_000;
const START: f64 = 1.5;

/// What was measured, a figure for each round.
#[derive(Default)]
pub(super) struct Figures {
    pub(super) cores: Option<String>,
    pub(super) binary_bytes: u64,
    /// What the binary may weigh, which depends on the profile.
    pub(super) most_binary_bytes: u64,
    pub(super) idle: Vec<u64>,
    pub(super) busy: Vec<Round>,
    pub(super) many: Vec<Round>,
    pub(super) session_bytes: Vec<u64>,
    pub(super) starts: Vec<Start>,
}

/// How long a server took until it listened, in milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Start {
    pub(super) with_none: f64,
    pub(super) with_many: f64,
}

/// One who passed lines on, in all rounds.
#[derive(Debug, Serialize)]
struct Passed {
    name: String,
    rounds: Vec<Passing>,
}

/// One round of it.
#[derive(Clone, Debug, Serialize)]
struct Passing {
    ticks: usize,
    median_delay_us: u64,
    p99_delay_us: u64,
    most_delay_us: u64,
    seconds: f64,
    processor_seconds: f64,
    memory_bytes: u64,
    keepers_processor_seconds: f64,
    keepers_memory_bytes: u64,
    frames: u64,
    complete: usize,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    /// Those that everybody ran on, if it was kept to them.
    cores: Option<String>,
    passed: Vec<Passed>,
    idle_bytes: Vec<u64>,
    session_bytes: Vec<u64>,
    binary_bytes: u64,
    starts_ms: Vec<Start>,
    checks: Vec<Check>,
}

impl Report {
    pub(super) fn new(figures: Figures) -> Report {
        let of =
            |rounds: &[Round], whose: fn(&Round) -> &Streamed| rounds.iter().map(whose).map(Passing::new).collect();
        let bare = Passed { name: format!("bare relay, {BUSY}"), rounds: of(&figures.busy, |round| &round.bare) };
        let busy = Passed { name: format!("server, {BUSY}"), rounds: of(&figures.busy, |round| &round.ours) };
        let bare_many = Passed { name: format!("bare relay, {MANY}"), rounds: of(&figures.many, |round| &round.bare) };
        let many = Passed { name: format!("server, {MANY}"), rounds: of(&figures.many, |round| &round.ours) };
        // Of each round the ratio, since only those two were measured one right after the other.
        let ratio = |delay: fn(&Passing) -> u64| {
            let pairs = busy.rounds.iter().zip(&bare.rounds);
            Spread::of(pairs.map(|(ours, floor)| delay(ours) as f64 / delay(floor).max(1) as f64))
        };
        let complete = [(&busy, BUSY), (&many, MANY)]
            .map(|(one, each)| (one.rounds.iter().map(|round| round.complete).sum::<usize>(), one.rounds.len() * each));
        let (complete, all) = (complete[0].0 + complete[1].0, complete[0].1 + complete[1].1);
        let start = Spread::of(figures.starts.iter().map(|start| start.with_many / start.with_none));
        let checks = vec![
            within("delay, median / bare relay", ratio(|round| round.median_delay_us), MEDIAN_DELAY),
            within("delay, p99 / bare relay", ratio(|round| round.p99_delay_us), P99_DELAY),
            Check {
                what: format!(
                    "{complete} of {all} turns complete, {MANY} at once under {WATCHERS} watchers among them, nothing lost"
                ),
                passes: complete == all,
            },
            at_most("the server idle", &figures.idle, IDLE_BYTES),
            at_most("a session of 10,000 events", &figures.session_bytes, SESSION_BYTES),
            at_most("the binary", &[figures.binary_bytes], figures.most_binary_bytes),
            within("start with 1,000 sessions / with none", start, START),
        ];
        Report {
            cores: figures.cores,
            passed: vec![bare, busy, bare_many, many],
            idle_bytes: figures.idle,
            session_bytes: figures.session_bytes,
            binary_bytes: figures.binary_bytes,
            starts_ms: figures.starts,
            checks,
        }
    }

    pub(super) fn passes(&self) -> bool {
        self.checks.iter().all(|check| check.passes)
    }

    pub(super) fn shown(&self) -> String {
        let rows: Vec<Vec<String>> = self.passed.iter().map(Passed::row).collect();
        let delays = ["line → watcher", "rounds", "ticks", "median ms", "from – to", "p99 ms", "from – to", "most ms"];
        let taken = ["processor", "its keepers", "both", "MB", "its keepers", "both", "complete"];
        let head = [&delays[..], &taken].concat();
        let starts = |which: fn(&Start) -> f64| Spread::of(self.starts_ms.iter().map(which));
        let start = |which| range(starts(which), |ms| format!("{ms:.0}"));
        let cores = self.cores.as_ref().map_or_else(|| "all cores".to_owned(), |cores| format!("cores {cores}"));
        let starts = format!(
            "on {cores}; start in ms: {} with no sessions, {} with 1,000",
            start(|start| start.with_none),
            start(|start| start.with_many)
        );
        let checks: Vec<String> = self.checks.iter().map(Check::shown).collect();
        format!("{}\n\n{starts}\n\n{}", table::layout(&head, &rows), checks.join("\n"))
    }
}

impl Passed {
    /// Medians of the rounds; of the delays their range, too, and of all the longest one.
    fn row(&self) -> Vec<String> {
        let of = |figure: &dyn Fn(&Passing) -> f64| Spread::of(self.rounds.iter().map(figure));
        let median = |figure: &dyn Fn(&Passing) -> f64| of(figure).map_or(0.0, |spread| spread.median);
        let ms = |micros: f64| format!("{:.2}", micros / 1000.0);
        let ends = |figure: &dyn Fn(&Passing) -> f64| {
            of(figure).map_or_else(String::new, |spread| format!("{} – {}", ms(spread.least), ms(spread.most)))
        };
        let share = |seconds: &dyn Fn(&Passing) -> f64| {
            format!("{:.0} %", 100.0 * median(&|round| seconds(round) / round.seconds))
        };
        let megabytes = |bytes: &dyn Fn(&Passing) -> u64| table::megabytes(median(&|round| bytes(round) as f64) as u64);
        let sum = |count: fn(&Passing) -> usize| self.rounds.iter().map(count).sum::<usize>();
        vec![
            self.name.clone(),
            self.rounds.len().to_string(),
            table::thousands(sum(|round| round.ticks) as f64),
            ms(median(&|round| round.median_delay_us as f64)),
            ends(&|round| round.median_delay_us as f64),
            ms(median(&|round| round.p99_delay_us as f64)),
            ends(&|round| round.p99_delay_us as f64),
            ms(self.rounds.iter().map(|round| round.most_delay_us).max().unwrap_or_default() as f64),
            share(&|round| round.processor_seconds),
            share(&|round| round.keepers_processor_seconds),
            share(&|round| round.processor_seconds + round.keepers_processor_seconds),
            megabytes(&|round| round.memory_bytes),
            megabytes(&|round| round.keepers_memory_bytes),
            megabytes(&|round| round.memory_bytes + round.keepers_memory_bytes),
            table::thousands(sum(|round| round.complete) as f64),
        ]
    }
}

impl Passing {
    fn new(streamed: &Streamed) -> Passing {
        let delays = streamed.delays();
        let at = |share: usize| delays.get((delays.len() * share / 100).min(delays.len().saturating_sub(1))).copied();
        Passing {
            ticks: delays.len(),
            median_delay_us: at(50).unwrap_or_default(),
            p99_delay_us: at(99).unwrap_or_default(),
            most_delay_us: delays.last().copied().unwrap_or_default(),
            seconds: streamed.seconds,
            processor_seconds: streamed.middle.processor_seconds,
            memory_bytes: streamed.middle.memory_bytes,
            keepers_processor_seconds: streamed.keepers.processor_seconds,
            keepers_memory_bytes: streamed.keepers.memory_bytes,
            frames: streamed.watched.iter().map(|one| one.frames).sum(),
            complete: streamed.complete,
        }
    }
}

/// A ratio that may be so much. What could not be measured is not passed.
fn within(what: &str, got: Option<Spread>, most: f64) -> Check {
    let shown = range(got, |ratio| format!("{ratio:.2}"));
    Check {
        what: format!("{what}: {shown} × (at most {most:.1} ×)"),
        passes: got.is_some_and(|got| got.median <= most),
    }
}

/// Bytes that may be so many.
fn at_most(what: &str, got: &[u64], most: u64) -> Check {
    let got = Spread::of(got.iter().map(|bytes| *bytes as f64));
    let megabytes = |bytes: f64| table::megabytes(bytes as u64);
    Check {
        what: format!("{what}: {} MB (at most {})", range(got, megabytes), table::megabytes(most)),
        passes: got.is_some_and(|got| got.median <= most as f64),
    }
}

/// The median of rounds, and how far they lie apart.
fn range(spread: Option<Spread>, shown: impl Fn(f64) -> String) -> String {
    match spread {
        None => "n/a".to_owned(),
        Some(Spread { least, median, most }) if least == most => shown(median),
        Some(Spread { least, median, most }) => {
            format!("{} (rounds from {} to {})", shown(median), shown(least), shown(most))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Taken;
    use super::super::watch::Watched;
    use super::*;

    /// Somebody with whom every line takes so long, but one.
    fn streamed(delay: u64, complete: usize) -> Streamed {
        let watched = Watched { delays: [vec![delay; 99], vec![10 * delay]].concat(), complete, frames: 100 };
        let (middle, keepers) = (Taken::default(), Taken::default());
        Streamed { watched: vec![watched], seconds: 1.0, middle, keepers, complete }
    }

    fn report(ours: [u64; 3], complete: usize) -> Report {
        let round = |ours| Round { bare: streamed(100, BUSY), ours: streamed(ours, complete) };
        let many = Round { bare: streamed(100, MANY), ours: streamed(100, MANY) };
        Report::new(Figures {
            busy: ours.map(round).into_iter().collect(),
            many: vec![many],
            idle: vec![1, 2, 3],
            session_bytes: vec![1],
            starts: vec![Start { with_none: 10.0, with_many: 12.0 }],
            ..Figures::default()
        })
    }

    #[test]
    fn the_median_of_the_rounds_decides() {
        let good = report([900, 200, 250], BUSY);
        assert!(good.passes(), "{}", good.shown());
        assert_eq!(
            good.checks[0].shown(),
            "pass  delay, median / bare relay: 2.50 (rounds from 2.00 to 9.00) × (at most 3.0 ×)"
        );
        assert!(!report([900, 200, 350], BUSY).passes());
    }

    #[test]
    fn a_turn_that_is_not_complete_is_not_passed() {
        assert!(!report([200; 3], BUSY - 1).passes());
    }

    #[test]
    fn what_was_not_measured_is_not_passed() {
        assert!(!Report::new(Figures::default()).passes());
    }
}
