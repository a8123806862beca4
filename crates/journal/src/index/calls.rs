//! Calls of tools: those of a session, and the last ones of many, beside which a rule can be held.

use insights::UnixMillis;
use rusqlite::{Row, params};

use super::file::Index;
use super::list::named;
use super::rows::CallRow;
use crate::error::Result;
use crate::sqlite::count;

/// Whose calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallsOf {
    /// Those of one session.
    Session(String),
    /// Those of sessions that work in a folder or below it.
    Project(String),
    /// Those of all sessions.
    Everyone,
}

/// A call, and where it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct RecentCall {
    /// The session.
    pub session: String,
    /// Its title.
    pub title: Option<String>,
    /// Where it works.
    pub cwd: Option<String>,
    /// The call.
    pub call: CallRow,
}

impl Index {
    /// The calls of tools and subagents in a session, in their order.
    pub fn tool_calls(&mut self, session: &str) -> Result<Vec<CallRow>> {
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT tool_calls.* FROM tool_calls JOIN sessions ON sessions.key = tool_calls.session
                WHERE sessions.id = ?1 ORDER BY tool_calls.seq, place, tool_calls.id",
            )?;
            let calls = statement.query_map([session], call)?;
            Ok(calls.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The last calls, the newest first; at most `limit`. A fork begins with the records of another session: a call that stands
    /// in both is told once.
    pub fn recent_calls(&mut self, of: &CallsOf, limit: usize) -> Result<Vec<RecentCall>> {
        let (session, project) = match of {
            CallsOf::Session(id) => (Some(id.as_str()), None),
            CallsOf::Project(folder) => (None, Some(folder.as_str())),
            CallsOf::Everyone => (None, None),
        };
        let below = project.map(|project| format!("{}/", project.trim_end_matches('/')));
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT tool_calls.*, sessions.id AS session_id, sessions.cwd AS cwd,
                    coalesce(sessions.title, sessions.first_prompt) AS title
                FROM tool_calls JOIN sessions ON sessions.key = tool_calls.session
                WHERE (?1 IS NULL OR sessions.id = ?1)
                    AND (?2 IS NULL OR sessions.cwd = ?2 OR substr(sessions.cwd, 1, length(?3)) = ?3)
                GROUP BY tool_calls.id, tool_calls.started_at
                ORDER BY tool_calls.started_at DESC, sessions.id, tool_calls.seq DESC, place DESC LIMIT ?4",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = statement.query_map(params![session, project, below, limit], |row| {
                Ok(RecentCall {
                    session: row.get("session_id")?,
                    title: row.get("title")?,
                    cwd: row.get("cwd")?,
                    call: call(row)?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}

fn call(row: &Row<'_>) -> rusqlite::Result<CallRow> {
    Ok(CallRow {
        id: row.get("id")?,
        seq: count(row.get("seq")?),
        place: row.get("place")?,
        turn: row.get("turn")?,
        name: row.get("name")?,
        kind: named(row, "kind")?,
        parent: row.get("parent")?,
        started_at: UnixMillis(row.get("started_at")?),
        ended_at: row.get::<_, Option<i64>>("ended_at")?.map(UnixMillis),
        status: named(row, "status")?,
        about: row.get("about")?,
    })
}
