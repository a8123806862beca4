//! The crash budget: may an agent that died be started again by itself? Pure.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// How many unexpected ends are borne …
pub const CRASHES: usize = 3;

/// … within this time.
pub const WINDOW: Duration = Duration::from_secs(10 * 60);

/// The unexpected ends of an agent, the last few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crashes {
    at: VecDeque<Instant>,
}

impl Crashes {
    /// The agent has ended unexpectedly. May it be started again? Not if it is the last of [`CRASHES`] within
    /// [`WINDOW`]. Not by the time of the day, which may be set while an agent runs.
    pub fn note(&mut self, at: Instant) -> bool {
        self.at.push_back(at);
        while self.at.front().is_some_and(|first| at.duration_since(*first) > WINDOW) {
            self.at.pop_front();
        }
        self.at.len() < CRASHES
    }

    /// How many there were of late.
    pub fn count(&self) -> usize {
        self.at.len()
    }

    /// A person has looked at it and wants to go on.
    pub fn forgive(&mut self) {
        self.at.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(minutes: &[u64]) -> Vec<bool> {
        let start = Instant::now();
        let mut crashes = Crashes::default();
        minutes.iter().map(|minute| crashes.note(start + Duration::from_secs(60 * minute))).collect()
    }

    #[test]
    fn the_third_in_ten_minutes_is_the_last() {
        assert_eq!(outcomes(&[0, 1, 2]), [true, true, false]);
        assert_eq!(outcomes(&[0, 5, 11, 12]), [true, true, true, false]);
        assert_eq!(outcomes(&[0, 20, 40, 60]), [true; 4]);
    }

    #[test]
    fn who_is_asked_forgives() {
        let mut crashes = Crashes::default();
        assert!(crashes.note(Instant::now()));
        assert!(crashes.note(Instant::now()));
        crashes.forgive();
        assert_eq!(crashes.count(), 0);
        assert!(crashes.note(Instant::now()));
    }
}
