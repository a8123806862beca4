//! What a reader's times come to: the seconds of its rounds and ours in, the figures of a row out.

use serde::Serialize;

use super::Spread;

/// The figures of one reader over some lines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Figure {
    pub(super) best_seconds: f64,
    pub(super) megabytes_per_second: f64,
    pub(super) lines_per_second: f64,
    /// How many times as fast we were in the same rounds.
    pub(super) ours_is_times: Spread,
}

impl Figure {
    /// Of the seconds of each round; `None` if there was none.
    pub(super) fn of(seconds: &[f64], ours: &[f64], bytes: usize, lines: usize) -> Option<Self> {
        let best = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        Some(Self {
            best_seconds: best,
            megabytes_per_second: bytes as f64 / 1e6 / best,
            lines_per_second: lines as f64 / best,
            ours_is_times: Spread::of(seconds.iter().zip(ours).map(|(theirs, ours)| theirs / ours))?,
        })
    }
}
