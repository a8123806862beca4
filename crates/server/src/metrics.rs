//! Figures for Prometheus: counters of this process, and what the sessions are doing.

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use live::Row;

/// Counters of this process.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) frames: AtomicU64,
    pub(crate) frame_bytes: AtomicU64,
    pub(crate) sockets: AtomicI64,
    pub(crate) logins_failed: AtomicU64,
    pub(crate) audits_failed: AtomicU64,
}

impl Metrics {
    pub(crate) fn frame(&self, bytes: usize) {
        self.frames.fetch_add(1, Ordering::Relaxed);
        self.frame_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The text that Prometheus reads.
    pub(crate) fn text(&self, rows: &[Row]) -> String {
        let mut text = String::new();
        let mut metric = |name: &str, kind: &str, help: &str, values: &[(String, f64)]| {
            let _ = writeln!(text, "# HELP quarterdeck_{name} {help}\n# TYPE quarterdeck_{name} {kind}");
            for (labels, value) in values {
                let _ = writeln!(text, "quarterdeck_{name}{labels} {value}");
            }
        };
        // The sum of nothing is -0.
        let of = |value: f64| [(String::new(), value + 0.0)];
        let mut phases: std::collections::BTreeMap<String, f64> = std::collections::BTreeMap::new();
        for row in rows {
            let phase = serde_json::to_value(row.phase).ok().and_then(|word| word.as_str().map(str::to_owned));
            *phases.entry(phase.unwrap_or_default()).or_default() += 1.0;
        }
        let phases: Vec<_> =
            phases.into_iter().map(|(phase, count)| (format!("{{phase=\"{phase}\"}}"), count)).collect();
        metric("sessions", "gauge", "Sessions, by what they are doing.", &phases);
        metric(
            "asks_open",
            "gauge",
            "Questions that wait for a person.",
            &of(rows.iter().map(|row| row.asks as f64).sum()),
        );
        metric("cost_usd", "gauge", "Dollars of all turns.", &of(rows.iter().map(|row| row.cost_usd).sum()));
        metric("sockets", "gauge", "WebSockets that are open.", &of(self.sockets.load(Ordering::Relaxed) as f64));
        metric("frames_total", "counter", "Frames sent.", &of(self.frames.load(Ordering::Relaxed) as f64));
        metric(
            "frame_bytes_total",
            "counter",
            "Bytes of frames sent.",
            &of(self.frame_bytes.load(Ordering::Relaxed) as f64),
        );
        let failed = self.logins_failed.load(Ordering::Relaxed) as f64;
        metric("logins_failed_total", "counter", "Logins that failed.", &of(failed));
        let failed = self.audits_failed.load(Ordering::Relaxed) as f64;
        metric(
            "audits_failed_total",
            "counter",
            "Answers that could not be written down in `audit.jsonl`.",
            &of(failed),
        );
        text
    }
}
