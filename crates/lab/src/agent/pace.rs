//! How long things take that take no time by themselves.

use std::time::Duration;

use super::Ending;
use super::actor::Actor;

/// How long an agent takes for what takes no time by itself: none at all, unless somebody is to watch it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// After each piece of a message, which is a word of a text.
    pub piece: Duration,
    /// Before each message, and while a tool runs that takes one beat.
    pub beat: Duration,
}

impl Actor {
    /// Lets time pass while what comes in is attended to; `false` when the turn was interrupted meanwhile.
    pub(super) async fn linger(&mut self, time: Duration) -> Result<bool, Ending> {
        if time.is_zero() {
            return Ok(!self.interrupted);
        }
        Ok(self.hold(tokio::time::sleep(time)).await?.is_some())
    }
}
