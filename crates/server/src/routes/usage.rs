//! What was spent: in sums, and the turns that they are made of.

use axum::Json;
use axum::extract::State;
use insights::UnixMillis;
use journal::{Span, UsageBy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list::own_titles;
use crate::app::App;
use crate::error::ApiResult;
use crate::extract::Query;

/// The most turns that are told at once.
const MOST_TURNS: usize = 20_000;

/// By what usage is put together, and when.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct UsageQuery {
    /// `day`, `model` or `project`.
    by: By,
    /// How far the clock of whoever asks is from UTC.
    utc_offset_minutes: i32,
    /// From when on, in milliseconds since 1970.
    from: Option<i64>,
    /// Until when.
    to: Option<i64>,
}

/// By what usage is put together.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum By {
    #[default]
    Day,
    Model,
    Project,
}

/// What was spent.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Spent {
    /// On which day, with which model, in which project.
    name: String,
    /// Dollars.
    cost_usd: f64,
    /// Tokens, by kind.
    tokens: insights::event::turn::TokenUsage,
    /// Turns that had a part in it.
    turns: u64,
    /// Sessions that had.
    sessions: u64,
}

/// `GET /api/v1/usage`
pub(crate) async fn usage(State(app): State<App>, Query(query): Query<UsageQuery>) -> ApiResult<Json<Vec<Spent>>> {
    let by = match query.by {
        // No place on earth is further from UTC.
        By::Day => UsageBy::Day { utc_offset_minutes: query.utc_offset_minutes.clamp(-24 * 60, 24 * 60) },
        By::Model => UsageBy::Model,
        By::Project => UsageBy::Project,
    };
    let span = Span { from: query.from.map(UnixMillis), to: query.to.map(UnixMillis) };
    let rows = app.index(move |index| index.usage(by, span)).await?;
    let row = |row: journal::UsageRow| Spent {
        name: row.name,
        cost_usd: row.cost_usd,
        tokens: row.tokens,
        turns: row.turns,
        sessions: row.sessions,
    };
    Ok(Json(rows.into_iter().map(row).collect()))
}

/// Which turns.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct TurnsQuery {
    /// From when on, in milliseconds since 1970.
    from: Option<i64>,
    /// Until when.
    to: Option<i64>,
    /// Only in this folder and below.
    project: Option<String>,
    /// At most so many; 20,000 if nobody says.
    limit: Option<usize>,
}

/// Turns that something was spent in.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Turns {
    /// The turns, the last one first.
    turns: Vec<SpentTurn>,
    /// Are there more of them?
    more: bool,
}

/// A turn, and what was spent in it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SpentTurn {
    /// The session.
    session: String,
    /// Its title.
    title: Option<String>,
    /// Its number in the session, from 1.
    number: u32,
    /// When it began, in milliseconds since 1970.
    started_at: i64,
    /// When it ended.
    ended_at: i64,
    /// How.
    outcome: String,
    /// The head of the prompt.
    prompt: Option<String>,
    /// The working directory.
    cwd: Option<String>,
    /// Dollars.
    cost_usd: f64,
    /// Tokens, by kind.
    tokens: insights::event::turn::TokenUsage,
    /// The same by model.
    models: Vec<SpentModel>,
}

/// What a turn used of a model.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SpentModel {
    /// The model.
    model: String,
    /// Dollars.
    cost_usd: f64,
    /// Tokens, by kind.
    tokens: insights::event::turn::TokenUsage,
}

/// `GET /api/v1/usage/turns`
pub(crate) async fn turns(State(app): State<App>, Query(query): Query<TurnsQuery>) -> ApiResult<Json<Turns>> {
    let titles = own_titles(&app.desk(|desk| desk.sessions()).await?);
    let limit = query.limit.unwrap_or(MOST_TURNS).clamp(1, MOST_TURNS);
    let span = Span { from: query.from.map(UnixMillis), to: query.to.map(UnixMillis) };
    let mut found = app.index(move |index| index.spent(span, query.project.as_deref(), limit + 1)).await?;
    let more = found.len() > limit;
    found.truncate(limit);
    let turn = |spent: journal::SpentTurn| {
        let turn = spent.turn;
        let model = |(model, usage): (String, journal::ModelUsage)| SpentModel {
            model,
            cost_usd: usage.cost_usd,
            tokens: usage.tokens,
        };
        SpentTurn {
            title: titles.get(&spent.session).cloned().or(spent.title),
            session: spent.session,
            number: turn.number,
            started_at: turn.started_at.0,
            ended_at: turn.ended_at.unwrap_or(turn.started_at).0,
            outcome: turn.outcome,
            prompt: turn.prompt,
            cwd: turn.cwd,
            cost_usd: turn.cost_usd,
            tokens: turn.tokens,
            models: turn.models.into_iter().map(model).collect(),
        }
    };
    Ok(Json(Turns { turns: found.into_iter().map(turn).collect(), more }))
}
