//! How a turn ended: its text, what it cost, and the CLI's own result.

use std::fmt;
use std::sync::Arc;

use claude_protocol::SessionId;
use claude_protocol::from_cli::TurnResult;
use serde::de::DeserializeOwned;

use crate::costs::TurnCost;
use crate::error::{Error, Result};

/// The end of a turn. Shows as the answer's text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The answer's text; what went wrong, if the turn failed.
    pub text: String,
    /// How it ended.
    pub end: TurnEnd,
    /// Dollars that this turn cost, by the CLI's own count.
    pub cost_usd: f64,
    /// The same by model, and the session's total.
    pub cost: TurnCost,
    /// The CLI's session, for [`Claude::resume`](crate::Claude::resume).
    pub session_id: Option<SessionId>,
    /// The CLI's result, with all that it says.
    pub result: Arc<TurnResult>,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// The model was done.
    Completed,
    /// It was interrupted, by the host or by a denial that ends the turn.
    Interrupted,
    /// An error ended it.
    Failed,
}

impl Answer {
    pub(crate) fn new(result: TurnResult, cost: TurnCost, interrupted: bool) -> Self {
        let end = match (interrupted, result.failed()) {
            (true, _) => TurnEnd::Interrupted,
            (false, true) => TurnEnd::Failed,
            (false, false) => TurnEnd::Completed,
        };
        let errors = || result.errors.as_ref().filter(|errors| !errors.is_empty()).map(|errors| errors.join("\n"));
        let text = result.result.clone().or_else(errors).unwrap_or_else(|| match end {
            TurnEnd::Failed => result.subtype.to_string(),
            TurnEnd::Completed | TurnEnd::Interrupted => String::new(),
        });
        let session_id = result.session_id.clone();
        Answer { text, end, cost_usd: cost.turn_usd, cost, session_id, result: Arc::new(result) }
    }

    /// A failure as an error, all else as it is.
    pub(crate) fn checked(self) -> Result<Self> {
        if self.end == TurnEnd::Failed { Err(Error::Failed(Box::new(self))) } else { Ok(self) }
    }

    /// The structured output that [`Claude::json_schema`](crate::Claude::json_schema) asked for, as a type; where the
    /// CLI has none, the text is read as JSON.
    pub fn structured<T: DeserializeOwned>(&self) -> Result<T> {
        let read = match &self.result.structured_output {
            Some(output) => output.parse(),
            None => serde_json::from_str(&self.text),
        };
        read.map_err(|source| Error::Misfit { answer: Box::new(self.clone()), source: Arc::new(source) })
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
