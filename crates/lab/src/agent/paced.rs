//! Deltas at a pace, each of which says when it was written: so a reader can tell how long it was on its way.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval};

use super::Ending;
use super::actor::{Actor, Flow};
use super::story::Paced;

/// The moment, in microseconds of a clock that all processes of a machine share and nobody sets.
pub fn moment_us() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let part = |number: i64| u64::try_from(number).unwrap_or_default();
    part(now.tv_sec) * 1_000_000 + part(now.tv_nsec) / 1000
}

impl Actor {
    /// A message whose deltas come one after the other, each with the moment of its writing and a blank as its text.
    pub(super) async fn pace(&mut self, paced: &Paced) -> Result<Flow, Ending> {
        let streamed = self.begin_stream().await?;
        let mut beat = interval(Duration::from_millis(paced.every_ms.max(1)));
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut text = String::new();
        let mut written = 0;
        while written < paced.deltas && !self.interrupted {
            beat.tick().await;
            let word = format!("{} ", moment_us());
            text.push_str(&word);
            let delta = json!({"type": "text_delta", "text": word});
            let event = json!({"type": "content_block_delta", "index": 0, "delta": delta});
            self.write_event(event, &streamed.id);
            self.wire.flush().await?;
            written += 1;
            self.drain().await?;
        }
        Ok(self.end_stream(streamed, Some(text), written))
    }
}
