//! The crash budget: may an agent that died be started again by itself? Pure.

use std::collections::VecDeque;

use insights::UnixMillis;

/// How many unexpected ends are borne …
pub const CRASHES: usize = 3;

/// … within this time, in milliseconds.
pub const WINDOW_MS: i64 = 10 * 60 * 1000;

/// The unexpected ends of an agent, the last few.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crashes {
    at: VecDeque<UnixMillis>,
}

impl Crashes {
    /// The agent has ended unexpectedly. May it be started again? Not if it is the last of [`CRASHES`] within
    /// [`WINDOW_MS`]. A clock that jumps back makes crashes look nearer, never farther.
    pub fn note(&mut self, at: UnixMillis) -> bool {
        self.at.push_back(at);
        while self.at.front().is_some_and(|first| at.0.saturating_sub(first.0) > WINDOW_MS) {
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

    const MINUTE: i64 = 60 * 1000;

    fn outcomes(minutes: &[i64]) -> Vec<bool> {
        let mut crashes = Crashes::default();
        minutes.iter().map(|minute| crashes.note(UnixMillis(minute * MINUTE))).collect()
    }

    #[test]
    fn the_third_in_ten_minutes_is_the_last() {
        assert_eq!(outcomes(&[0, 1, 2]), [true, true, false]);
        assert_eq!(outcomes(&[0, 5, 11, 12]), [true, true, true, false]);
        assert_eq!(outcomes(&[0, 20, 40, 60]), [true; 4]);
        assert_eq!(outcomes(&[100, 1, 2]), [true, true, false], "a clock that jumps back");
    }

    #[test]
    fn who_is_asked_forgives() {
        let mut crashes = Crashes::default();
        assert!(crashes.note(UnixMillis(0)));
        assert!(crashes.note(UnixMillis(1)));
        crashes.forgive();
        assert_eq!(crashes.count(), 0);
        assert!(crashes.note(UnixMillis(2)));
    }
}
