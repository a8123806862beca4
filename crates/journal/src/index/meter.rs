//! Turns and what they used: how the state's turn begins and ends in; rows of turns and sums out.
//!
//! What a session cost is what its own turns cost. A copy of a session begins with the turns of the other one, which
//! stay that one's: counted here too, a sum over all sessions would have them twice.

use insights::event::turn::{TokenUsage, TurnComplete};
use insights::state::item::{ItemBody, TurnItem};
use insights::state::{Change, State};
use insights::{Body, InsightsEvent, UnixMillis};
use serde::{Deserialize, Serialize};

use super::about::{self, head};
use super::rows::{ModelUsage, TurnRow, add, word};

/// The word for a turn that has not ended.
const RUNNING: &str = "running";

/// The word for a turn whose process ended before it did.
const LOST: &str = "lost";

/// What the session's own turns have used.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Meter {
    pub(super) cost_usd: f64,
    pub(super) inherited_usd: f64,
    pub(super) tokens: TokenUsage,
    pub(super) turns: u32,
}

impl Meter {
    /// All that was used so far was another session's.
    pub(super) fn forked(&mut self) {
        let inherited_usd = self.inherited_usd + self.cost_usd;
        *self = Meter { inherited_usd, ..Meter::default() };
    }

    /// A turn has ended.
    pub(super) fn turn(&mut self, row: &TurnRow, complete: &TurnComplete) {
        self.cost_usd += row.cost_usd;
        self.inherited_usd = finite(complete.inherited_cost_usd).unwrap_or(self.inherited_usd);
        add(&mut self.tokens, &row.tokens);
        if row.outcome != "command" {
            self.turns += 1;
        }
    }
}

/// The turns of a session.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Turns {
    /// Where each began and ended, in their order.
    places: Vec<(u64, u64)>,
    /// The one that runs.
    open: Option<TurnRow>,
    /// Those that have ended since the last batch.
    #[serde(skip)]
    ended: Vec<TurnRow>,
    /// How many of them were made in another session.
    pub(super) inherited: u32,
}

impl Turns {
    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.places.len()).unwrap_or(u32::MAX)
    }

    /// The number of the turn that the record stands in.
    pub(super) fn at(&self, seq: u64) -> Option<u32> {
        let number = self.places.partition_point(|(from, _)| *from <= seq);
        let (_, to) = self.places.get(number.checked_sub(1)?)?;
        (seq <= *to).then(|| u32::try_from(number).ok())?
    }

    /// All rows since the last batch.
    pub(super) fn take(&mut self, seq: u64) -> Vec<TurnRow> {
        let mut rows = std::mem::take(&mut self.ended);
        rows.extend(self.open.clone().map(|open| TurnRow { to_seq: seq, ..open }));
        rows
    }

    /// Begins a turn if one runs now that has not before, or one ends that nobody saw begin.
    pub(super) fn begin(&mut self, seq: u64, at: UnixMillis, events: &[InsightsEvent], state: &State) {
        let clock = state.status.turn.as_ref();
        let ends = events.iter().any(|event| matches!(event.body, Body::TurnComplete(_)));
        if self.open.is_none() && (clock.is_some() || ends) {
            let from_seq = clock.map_or(seq, |clock| clock.from_seq);
            self.open = Some(self.fresh(from_seq, clock.map_or(at, |clock| clock.started_at)));
        }
        if let Some(open) = &mut self.open {
            about::keep(&mut open.model, &state.status.model);
            about::keep(&mut open.cwd, &state.status.cwd);
            if let (None, Some(clock)) = (&open.prompt, clock) {
                open.prompt = clock.prompts.first().and_then(|id| words(state, id));
            }
        }
    }

    /// The turn that runs has ended.
    pub(super) fn complete(
        &mut self,
        seq: u64,
        at: UnixMillis,
        complete: &TurnComplete,
        changes: &[Change],
        state: &State,
    ) -> &TurnRow {
        let mut row = self.open.take().unwrap_or_else(|| self.fresh(seq, at));
        let item = changes.iter().find_map(turn_item);
        let models = complete.turn_model_usage.iter().flatten();
        row.cost_usd = finite(complete.turn_cost_usd).unwrap_or_default();
        row.models = models.map(|(model, usage)| (model.clone(), ModelUsage::from(usage))).collect();
        row.models.values().for_each(|usage| add(&mut row.tokens, &usage.tokens));
        row.outcome = item.map(|item| word(&item.outcome)).unwrap_or_default();
        row.prompt = row.prompt.or_else(|| words(state, item?.prompts.first()?));
        row.duration_ms = finite(complete.duration_ms);
        row.stop_reason.clone_from(&complete.stop_reason);
        row.terminal_reason.clone_from(&complete.terminal_reason);
        self.end(row, seq, at)
    }

    /// Ends a turn that no process works at any more.
    pub(super) fn lose(&mut self, seq: u64, at: UnixMillis, state: &State) {
        if state.status.turn.is_none()
            && let Some(row) = self.open.take()
        {
            self.end(TurnRow { outcome: LOST.to_owned(), ..row }, seq, at);
        }
    }

    /// The next turn, from its first record on.
    fn fresh(&mut self, from_seq: u64, started_at: UnixMillis) -> TurnRow {
        self.places.push((from_seq, u64::MAX));
        let number = self.count();
        TurnRow { number, from_seq, to_seq: from_seq, started_at, outcome: RUNNING.to_owned(), ..TurnRow::default() }
    }

    fn end(&mut self, mut row: TurnRow, seq: u64, at: UnixMillis) -> &TurnRow {
        row.to_seq = seq;
        // A clock may have been set back meanwhile; nothing ends before it began.
        row.ended_at = Some(at.max(row.started_at));
        if let Some((_, to)) = self.places.last_mut() {
            *to = seq;
        }
        self.ended.push(row);
        &self.ended[self.ended.len() - 1]
    }
}

fn turn_item(change: &Change) -> Option<&TurnItem> {
    match change {
        Change::Put { item } => match &item.body {
            ItemBody::Turn(turn) => Some(turn),
            _ => None,
        },
        _ => None,
    }
}

/// The head of what was said.
fn words(state: &State, prompt: &str) -> Option<String> {
    match &state.items.get(prompt)?.body {
        ItemBody::User(user) => Some(head(&user.text.text)),
        _ => None,
    }
}

fn finite(number: Option<f64>) -> Option<f64> {
    number.filter(|number| number.is_finite())
}
