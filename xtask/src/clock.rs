//! The one place where xtask reads the clock.

use std::time::{Duration, Instant};

/// Does the work and says how long it took.
#[expect(clippy::disallowed_methods, reason = "this is the one place where xtask reads the clock")]
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = work();
    (value, start.elapsed())
}
