//! Passes that are good once and not for long: launch links and tickets for WebSockets. Pure; the time is told.

use insights::UnixMillis;

use crate::secrets::{TokenDigest, same};

/// Passes that were given out and not used yet.
#[derive(Debug)]
pub(crate) struct Passes<T> {
    open: Vec<(TokenDigest, Pass<T>)>,
    lives_ms: i64,
    most: usize,
}

/// What a pass is good for, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pass<T> {
    pub(crate) holder: T,
    pub(crate) until: UnixMillis,
}

impl<T: Clone> Passes<T> {
    /// Passes that live so long; of more than `most` the oldest are void.
    pub(crate) fn new(lives_ms: i64, most: usize) -> Passes<T> {
        Passes { open: Vec::new(), lives_ms, most }
    }

    /// Gives a pass out.
    pub(crate) fn give(&mut self, digest: TokenDigest, holder: T, now: UnixMillis) -> Pass<T> {
        self.open.retain(|(_, pass)| now < pass.until);
        if self.open.len() >= self.most {
            self.open.remove(0);
        }
        let pass = Pass { holder, until: UnixMillis(now.0 + self.lives_ms) };
        self.open.push((digest, pass.clone()));
        pass
    }

    /// Until when a pass is good that nobody has taken yet.
    pub(crate) fn until(&self, digest: &TokenDigest, now: UnixMillis) -> Option<UnixMillis> {
        let (_, pass) = self.open.iter().find(|(known, _)| same(known, digest))?;
        Some(pass.until).filter(|until| now < *until)
    }

    /// Takes a pass: its holder, if it was good.
    pub(crate) fn take(&mut self, digest: &TokenDigest, now: UnixMillis) -> Option<T> {
        let at = self.open.iter().position(|(known, _)| same(known, digest))?;
        let (_, pass) = self.open.remove(at);
        (now < pass.until).then_some(pass.holder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_good_once_and_not_for_long() {
        let mut passes = Passes::new(1000, 2);
        let (one, two, three) = ([1; 32], [2; 32], [3; 32]);
        passes.give(one, "a", UnixMillis(0));
        let until = |passes: &Passes<_>, at| passes.until(&one, UnixMillis(at));
        assert_eq!([until(&passes, 999), until(&passes, 1000)], [Some(UnixMillis(1000)), None]);
        assert_eq!(passes.take(&two, UnixMillis(1)), None);
        assert_eq!(passes.take(&one, UnixMillis(999)), Some("a"));
        assert_eq!(passes.take(&one, UnixMillis(999)), None, "once");
        assert_eq!(until(&passes, 999), None);
        passes.give(two, "b", UnixMillis(0));
        assert_eq!(passes.take(&two, UnixMillis(1000)), None, "too late");
        passes.give(one, "a", UnixMillis(0));
        passes.give(two, "b", UnixMillis(0));
        passes.give(three, "c", UnixMillis(0));
        let taken = [one, two, three].map(|digest| passes.take(&digest, UnixMillis(1)));
        assert_eq!(taken, [None, Some("b"), Some("c")], "the oldest is void");
    }
}
