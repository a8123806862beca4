//! The rows of the index, as they are collected, kept and given out.

use std::collections::BTreeMap;

use insights::UnixMillis;
use insights::event::tool::ToolKind;
use insights::event::turn::{ModelTokenUsage, TokenUsage};
use insights::state::Phase;
use insights::state::tool::ToolStatus;
use serde::{Deserialize, Serialize};

/// A session, as its log says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    /// The name of its folder.
    pub id: String,
    /// Its title. The user may have given it another one, see [`Desk`](crate::Desk).
    pub title: Option<String>,
    /// The working directory: its project.
    pub cwd: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The permission mode.
    pub mode: Option<String>,
    /// The agent's version.
    pub version: Option<String>,
    /// When its folder was made.
    pub created_at: UnixMillis,
    /// When something was last said or done in it.
    pub active_at: UnixMillis,
    /// What it is doing, for programs.
    pub phase: Phase,
    /// What it is doing, in words.
    pub words: String,
    /// Since when.
    pub since: UnixMillis,
    /// Questions that are open: it needs the user if there are any.
    pub asks: u32,
    /// Prompts of which nobody knows whether the agent took them.
    pub unconfirmed: u32,
    /// Dollars of its own turns.
    pub cost_usd: f64,
    /// Dollars that were spent before this session took the conversation over; never part of `cost_usd`.
    pub inherited_usd: f64,
    /// Tokens of its own turns.
    pub tokens: TokenUsage,
    /// Its own turns that have ended.
    pub turns: u32,
    /// The record that ended the last of them; 0 if none has ended. Who has not seen it has something to read.
    pub last_turn_seq: u64,
    /// Why that turn did not end well, in words, if it did not.
    pub failed: Option<String>,
    /// The head of the first prompt.
    pub first_prompt: Option<String>,
    /// The agent's own ids of the conversation, the first one first.
    pub agent_sessions: Vec<String>,
    /// The file that it was read from.
    pub imported_from: Option<String>,
    /// The session that it is a copy of up to some place.
    pub forked_from: Option<String>,
    /// The last record that the index has of it.
    pub seq: u64,
}

/// A turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnRow {
    /// Its number in the session, from 1.
    pub number: u32,
    /// The record that it begins with.
    pub from_seq: u64,
    /// The record that ends it; the last one so far while it runs.
    pub to_seq: u64,
    /// When it began.
    pub started_at: UnixMillis,
    /// When it ended.
    pub ended_at: Option<UnixMillis>,
    /// How long it took, as the agent says.
    pub duration_ms: Option<f64>,
    /// Dollars.
    pub cost_usd: f64,
    /// Tokens, those of subagents included.
    pub tokens: TokenUsage,
    /// The same by model.
    pub models: BTreeMap<String, ModelUsage>,
    /// The main model.
    pub model: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// How it ended: a word of [`TurnOutcome`](insights::state::item::TurnOutcome), `running` while it has not, and
    /// `lost` if its process ended before it did.
    pub outcome: String,
    /// Why the model stopped.
    pub stop_reason: Option<String>,
    /// Why the loop of model and tools ended.
    pub terminal_reason: Option<String>,
    /// The head of the prompt.
    pub prompt: Option<String>,
    /// Was it made in the session that this one is a copy of? Then that one's figures have it, and ours do not.
    pub inherited: bool,
}

/// What a turn used of one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelUsage {
    /// Tokens.
    pub tokens: TokenUsage,
    /// Dollars.
    pub cost_usd: f64,
}

impl From<&ModelTokenUsage> for ModelUsage {
    fn from(usage: &ModelTokenUsage) -> Self {
        ModelUsage {
            tokens: TokenUsage {
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                cache_read_tokens: usage.cache_read_tokens,
                cache_creation_tokens: usage.cache_creation_tokens,
            },
            cost_usd: usage.cost_usd.filter(|usd| usd.is_finite()).unwrap_or_default(),
        }
    }
}

/// A call of a tool or of a subagent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallRow {
    /// Its id.
    pub id: String,
    /// The record that made it.
    pub seq: u64,
    /// Its place among what that record made.
    pub place: u32,
    /// The number of the turn that it was made in; none between turns.
    pub turn: Option<u32>,
    /// The tool.
    pub name: String,
    /// What kind of work it does.
    pub kind: ToolKind,
    /// The call whose subagent made it.
    pub parent: Option<String>,
    /// When it was made.
    pub started_at: UnixMillis,
    /// When it ended.
    pub ended_at: Option<UnixMillis>,
    /// How far it is, or how it ended.
    pub status: ToolStatus,
    /// The head of what it is about: the command, the path, the pattern, the page.
    pub about: String,
}

/// What kind of words are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FoundKind")]
pub enum TextKind {
    /// The title of a session.
    Title,
    /// What a person said.
    Prompt,
    /// What the agent answered.
    Answer,
    /// A command that it ran.
    Command,
    /// A path that it worked with.
    Path,
}

/// Words to search.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextRow {
    pub(crate) seq: u64,
    pub(crate) at: UnixMillis,
    pub(crate) text: String,
}

/// The word for one of a set of names, as JSON has it.
pub(crate) fn word(name: &impl Serialize) -> String {
    match serde_json::to_value(name) {
        Ok(serde_json::Value::String(word)) => word,
        // Only sets of names are asked for.
        _ => String::new(),
    }
}

/// Adds tokens up.
pub(crate) fn add(sum: &mut TokenUsage, more: &TokenUsage) {
    let plus = |sum: &mut Option<u64>, more: Option<u64>| {
        if let Some(more) = more {
            *sum = Some(sum.unwrap_or_default().saturating_add(more));
        }
    };
    sum.input_tokens = sum.input_tokens.saturating_add(more.input_tokens);
    sum.output_tokens = sum.output_tokens.saturating_add(more.output_tokens);
    plus(&mut sum.cache_read_tokens, more.cache_read_tokens);
    plus(&mut sum.cache_creation_tokens, more.cache_creation_tokens);
}
