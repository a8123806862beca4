//! The one place where xtask reads the clock.

use std::time::{Duration, Instant};

/// The time.
#[expect(clippy::disallowed_methods, reason = "this is the one place where xtask reads the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Does the work and says how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = now();
    let value = work();
    (value, start.elapsed())
}

/// So many minutes, for people.
pub(crate) fn minutes(took: Duration) -> String {
    format!("{:.1}", took.as_secs_f64() / 60.0)
}
