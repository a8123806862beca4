//! Usage: what was spent, by day, by model or by project. Each turn counts once, in the session that made it.

use insights::UnixMillis;
use insights::event::turn::TokenUsage;
use rusqlite::params;
use serde::Serialize;

use super::file::Index;
use super::list::{model, tokens, turn};
use super::rows::TurnRow;
use crate::error::Result;
use crate::sqlite::count;

/// Less than this is what adding up leaves behind.
const LEAST_USD: f64 = 1e-9;

/// By what usage is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageBy {
    /// By the day on which a turn ended, `2026-11-15`.
    Day {
        /// How far the clock of whoever asks is from UTC.
        utc_offset_minutes: i32,
    },
    /// By model.
    Model,
    /// By working directory.
    Project,
}

/// From when to when: turns that ended at `from` or later, and before `to`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The beginning; all that came before, if there is none.
    pub from: Option<UnixMillis>,
    /// The end.
    pub to: Option<UnixMillis>,
}

/// What was spent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageRow {
    /// On which day, with which model, in which project; empty where nobody said.
    pub name: String,
    /// Dollars.
    pub cost_usd: f64,
    /// Tokens.
    pub tokens: TokenUsage,
    /// Turns that had a part in it. One turn may use several models.
    pub turns: u64,
    /// Sessions that had.
    pub sessions: u64,
}

impl Index {
    /// What was spent in a span of time: days in their order, models and projects with the most expensive one first.
    pub fn usage(&mut self, by: UsageBy, span: Span) -> Result<Vec<UsageRow>> {
        let (name, figures, order) = match by {
            UsageBy::Day { .. } => ("strftime('%Y-%m-%d', turns.ended_at / 1000 + ?3, 'unixepoch')", "turns", "name"),
            UsageBy::Model => ("figures.model", "turn_models", "cost_usd DESC, name"),
            UsageBy::Project => ("turns.cwd", "turns", "cost_usd DESC, name"),
        };
        let offset = match by {
            UsageBy::Day { utc_offset_minutes } => i64::from(utc_offset_minutes) * 60,
            UsageBy::Model | UsageBy::Project => 0,
        };
        let sql = format!(
            "SELECT coalesce({name}, '') AS name, sum(figures.cost_usd) AS cost_usd,
                sum(figures.input_tokens) AS input_tokens, sum(figures.output_tokens) AS output_tokens,
                sum(figures.cache_read_tokens) AS cache_read_tokens,
                sum(figures.cache_creation_tokens) AS cache_creation_tokens,
                count(*) FILTER (WHERE turns.outcome <> 'command') AS turns, count(DISTINCT turns.session) AS sessions
            FROM turns JOIN {figures} AS figures USING (session, number)
            WHERE turns.inherited = 0 AND turns.ended_at >= ?1 AND turns.ended_at < ?2 AND ?3 IS NOT NULL
            GROUP BY 1 ORDER BY {order}"
        );
        let from = span.from.map_or(i64::MIN, |at| at.0);
        let to = span.to.map_or(i64::MAX, |at| at.0);
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![from, to, offset], |row| {
                Ok(UsageRow {
                    name: row.get("name")?,
                    cost_usd: row.get("cost_usd")?,
                    tokens: tokens(row)?,
                    turns: count(row.get("turns")?),
                    sessions: count(row.get("sessions")?),
                })
            })?;
            let mut rows = rows.collect::<rusqlite::Result<Vec<UsageRow>>>()?;
            if by == UsageBy::Model {
                let mut statement = connection.prepare_cached(
                    "SELECT coalesce(sum(cost_usd), 0.0) FROM turns
                    WHERE inherited = 0 AND ended_at >= ?1 AND ended_at < ?2",
                )?;
                let all: f64 = statement.query_row(params![from, to], |row| row.get(0))?;
                let told: f64 = rows.iter().map(|row| row.cost_usd).sum();
                rows.extend(untold(all - told));
            }
            Ok(rows)
        })
    }
}

/// A turn that something was spent in.
#[derive(Clone, Debug, PartialEq)]
pub struct SpentTurn {
    /// The session.
    pub session: String,
    /// Its title.
    pub title: Option<String>,
    /// The turn.
    pub turn: TurnRow,
}

impl Index {
    /// The turns that ended in a span of time, of sessions in `project` and below it; the last one first, at most `limit`.
    /// Their sums are those of [`Index::usage`].
    pub fn spent(&mut self, span: Span, project: Option<&str>, limit: usize) -> Result<Vec<SpentTurn>> {
        let from = span.from.map_or(i64::MIN, |at| at.0);
        let to = span.to.map_or(i64::MAX, |at| at.0);
        let below = project.map(|project| format!("{}/", project.trim_end_matches('/')));
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT turns.*, turns.session AS key, sessions.id AS session_id,
                    coalesce(sessions.title, sessions.first_prompt) AS title
                FROM turns JOIN sessions ON sessions.key = turns.session
                WHERE turns.inherited = 0 AND turns.ended_at >= ?1 AND turns.ended_at < ?2
                    AND (?3 IS NULL OR turns.cwd = ?3 OR substr(turns.cwd, 1, length(?4)) = ?4)
                ORDER BY turns.ended_at DESC, sessions.id, turns.number DESC LIMIT ?5",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut keys = Vec::new();
            let mut found = Vec::new();
            let mut rows = statement.query(params![from, to, project, below, limit])?;
            while let Some(row) = rows.next()? {
                keys.push(row.get::<_, i64>("key")?);
                found.push(SpentTurn { session: row.get("session_id")?, title: row.get("title")?, turn: turn(row)? });
            }
            let mut statement =
                connection.prepare_cached("SELECT * FROM turn_models WHERE session = ?1 AND number = ?2")?;
            for (key, spent) in keys.into_iter().zip(&mut found) {
                let models = statement.query_map(params![key, spent.turn.number], model)?;
                spent.turn.models = models.collect::<rusqlite::Result<_>>()?;
            }
            Ok(found)
        })
    }
}

/// Dollars of which the agent did not say for which model: some turns of older versions have a price and no models.
fn untold(cost_usd: f64) -> Option<UsageRow> {
    let row = UsageRow { name: String::new(), cost_usd, tokens: TokenUsage::default(), turns: 0, sessions: 0 };
    (cost_usd > LEAST_USD).then_some(row)
}
