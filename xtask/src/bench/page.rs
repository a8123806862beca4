//! The page in a real browser on the real binary: how long it takes to open a long session beside a short one, to type while an
//! agent writes beside a page that is empty, and how much is fetched before anything can be done.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::{BenchArgs, Check, folder, table, write_figures};
use crate::{Outcome, process, talk, web};

/// The budgets.
const OPEN: f64 = 2.0;
const TYPE: f64 = 1.5;
const SCRIPT_BYTES: u64 = 200 * 1024;

/// What the browser measured.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Figures {
    long_events: u64,
    short_events: u64,
    opened_long_ms: Vec<f64>,
    opened_short_ms: Vec<f64>,
    typed_ms: Vec<f64>,
    typed_blank_ms: Vec<f64>,
    script_bytes: u64,
}

/// What came of it.
#[derive(Debug, Serialize)]
struct Report {
    figures: Figures,
    checks: Vec<Check>,
}

pub(super) fn run(args: &BenchArgs) -> Result<Outcome> {
    let built = args.profile.build(&["quarterdeck", "lab"])?;
    let told = folder()?.join("page-figures.json");
    talk::say("a browser opens sessions and types");
    let mut bench = web::bench(&built)?;
    bench.env("QUARTERDECK_FIGURES", &told).env("QUARTERDECK_ROUNDS", args.rounds.to_string());
    anyhow::ensure!(process::succeeds(bench.stdout(std::io::stderr()))?, "the browser measured nothing");
    let figures: Figures = serde_json::from_slice(&std::fs::read(&told)?)?;
    let report = Report { checks: checks(&figures), figures };
    talk::data(&report.shown());
    write_figures(args, "page.json", &report)?;
    let passes = report.checks.iter().all(|check| check.passes);
    Ok(if passes { Outcome::Passed } else { Outcome::Failed })
}

fn checks(figures: &Figures) -> Vec<Check> {
    let ratio = |ours: &[f64], floor: &[f64]| middle(ours) / middle(floor);
    let open = ratio(&figures.opened_long_ms, &figures.opened_short_ms);
    let typing = ratio(&figures.typed_ms, &figures.typed_blank_ms);
    vec![
        Check {
            what: format!(
                "open a session of {} events: {open:.2} × one of {} (at most {OPEN})",
                figures.long_events, figures.short_events
            ),
            passes: open <= OPEN && figures.long_events >= 50_000,
        },
        Check {
            what: format!("key to paint while an agent writes: {typing:.2} × on an empty page (at most {TYPE})"),
            passes: typing <= TYPE,
        },
        Check {
            what: format!(
                "scripts until a session can be used: {} KB (at most {})",
                figures.script_bytes / 1024,
                SCRIPT_BYTES / 1024
            ),
            passes: figures.script_bytes > 0 && figures.script_bytes <= SCRIPT_BYTES,
        },
    ]
}

/// The median; no figure at all is as bad as can be.
fn middle(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::INFINITY)
}

impl Report {
    fn shown(&self) -> String {
        let figures = &self.figures;
        let row = |what: &str, times: &[f64]| {
            let most = times.iter().copied().fold(0.0, f64::max);
            let least = times.iter().copied().fold(f64::INFINITY, f64::min);
            vec![
                what.to_owned(),
                times.len().to_string(),
                format!("{:.1}", middle(times)),
                format!("{least:.1}"),
                format!("{most:.1}"),
            ]
        };
        let rows = [
            row("click to paint, a long session", &figures.opened_long_ms),
            row("click to paint, a short session", &figures.opened_short_ms),
            row("key to paint, an agent writes", &figures.typed_ms),
            row("key to paint, an empty page", &figures.typed_blank_ms),
        ];
        let table = table::layout(&["page", "times", "median ms", "least ms", "most ms"], &rows);
        let checks: Vec<String> = self.checks.iter().map(Check::shown).collect();
        format!("{table}\n{}\n", checks.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_held_to_the_budgets() {
        let figures = |long: f64, typed: f64, script_bytes| Figures {
            long_events: 50_000,
            short_events: 500,
            opened_long_ms: vec![long, long, 900.0],
            opened_short_ms: vec![100.0, 90.0, 110.0],
            typed_ms: vec![typed],
            typed_blank_ms: vec![10.0],
            script_bytes,
        };
        let passes = |figures: Figures| checks(&figures).iter().map(|check| check.passes).collect::<Vec<_>>();
        assert_eq!(passes(figures(199.0, 14.9, 200 * 1024)), [true, true, true]);
        assert_eq!(passes(figures(201.0, 15.1, 200 * 1024 + 1)), [false, false, false]);
        assert_eq!(passes(Figures { typed_ms: vec![], ..figures(100.0, 1.0, 0) }), [true, false, false]);
    }
}
