//! What the user says about sessions: titles, the archive, what was read, and what is being typed.

use std::collections::BTreeMap;

use insights::UnixMillis;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::open::Desk;
use crate::error::Result;
use crate::sqlite::{count, stored};

/// What the user has said about a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeskSession {
    /// The title that he gave it.
    pub title: Option<String>,
    /// When he put it into the archive.
    pub archived_at: Option<UnixMillis>,
    /// The last record that he has seen.
    pub seen_seq: u64,
}

/// What was typed and not sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// The words.
    pub text: String,
    /// When they were last changed.
    pub changed_at: UnixMillis,
}

impl Desk {
    /// What the user has said about a session.
    pub fn session(&mut self, id: &str) -> Result<DeskSession> {
        self.run("read", |connection| {
            let sql = "SELECT id, title, archived_at, seen_seq FROM sessions WHERE id = ?1";
            let found = connection.prepare_cached(sql)?.query_row([id], session).optional()?;
            Ok(found.unwrap_or_default().1)
        })
    }

    /// The same for all sessions that he has said anything about.
    pub fn sessions(&mut self) -> Result<BTreeMap<String, DeskSession>> {
        self.run("read", |connection| {
            let mut statement = connection.prepare_cached("SELECT id, title, archived_at, seen_seq FROM sessions")?;
            statement.query_map([], session)?.collect()
        })
    }

    /// The sessions in the archive, for [`Among`](crate::Among).
    pub fn archived(&mut self) -> Result<Vec<String>> {
        self.run("read", |connection| {
            let sql = "SELECT id FROM sessions WHERE archived_at IS NOT NULL ORDER BY id";
            connection.prepare_cached(sql)?.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// Gives a session a title. An empty one takes it away, and the session has that of the agent again.
    pub fn set_title(&mut self, id: &str, title: &str) -> Result<()> {
        let title = Some(title.trim()).filter(|title| !title.is_empty());
        self.run("write to", |connection| {
            let sql =
                "INSERT INTO sessions (id, title) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET title = excluded.title";
            connection.execute(sql, params![id, title]).map(drop)
        })
    }

    /// Puts a session into the archive.
    pub fn archive(&mut self, id: &str, now: UnixMillis) -> Result<()> {
        self.run("write to", |connection| {
            let sql = "INSERT INTO sessions (id, archived_at) VALUES (?1, ?2)
                ON CONFLICT DO UPDATE SET archived_at = coalesce(archived_at, excluded.archived_at)";
            connection.execute(sql, params![id, now.0]).map(drop)
        })
    }

    /// Takes a session out of the archive.
    pub fn unarchive(&mut self, id: &str) -> Result<()> {
        let sql = "UPDATE sessions SET archived_at = NULL WHERE id = ?1";
        self.run("write to", |connection| connection.execute(sql, [id]).map(drop))
    }

    /// The user has seen the session up to a record. On another screen he may have seen more.
    pub fn set_seen(&mut self, id: &str, seq: u64) -> Result<()> {
        self.run("write to", |connection| {
            let sql = "INSERT INTO sessions (id, seen_seq) VALUES (?1, ?2)
                ON CONFLICT DO UPDATE SET seen_seq = max(seen_seq, excluded.seen_seq)";
            connection.execute(sql, params![id, stored(seq)]).map(drop)
        })
    }

    /// The user wants to read the session again.
    pub fn set_unread(&mut self, id: &str) -> Result<()> {
        let sql = "UPDATE sessions SET seen_seq = 0 WHERE id = ?1";
        self.run("write to", |connection| connection.execute(sql, [id]).map(drop))
    }

    /// Forgets all that was said about a session: it is gone.
    pub fn forget(&mut self, id: &str) -> Result<()> {
        self.run("write to", |connection| {
            let transaction = connection.transaction()?;
            transaction.execute("DELETE FROM sessions WHERE id = ?1", [id])?;
            transaction.execute("DELETE FROM drafts WHERE session = ?1", [id])?;
            transaction.execute("DELETE FROM draft_pictures WHERE session = ?1", [id])?;
            transaction.execute("DELETE FROM held WHERE session = ?1", [id])?;
            transaction.commit()
        })
    }

    /// What is being typed in a session; in one that is not begun yet, if the id is empty.
    pub fn draft(&mut self, session: &str) -> Result<Option<Draft>> {
        self.run("read", |connection| {
            let sql = "SELECT text, changed_at FROM drafts WHERE session = ?1";
            connection.prepare_cached(sql)?.query_row([session], draft).optional()
        })
    }

    /// Keeps what is being typed. An empty text is no draft.
    pub fn set_draft(&mut self, session: &str, text: &str, now: UnixMillis) -> Result<()> {
        self.run("write to", |connection| match text.is_empty() {
            true => connection.execute("DELETE FROM drafts WHERE session = ?1", [session]).map(drop),
            false => {
                let sql = "INSERT INTO drafts (session, text, changed_at) VALUES (?1, ?2, ?3)
                    ON CONFLICT DO UPDATE SET text = excluded.text, changed_at = excluded.changed_at";
                connection.execute(sql, params![session, text, now.0]).map(drop)
            }
        })
    }

    /// Takes the draft away and gives it, if it reads like one of these `texts`: the words that were sent, and what their
    /// sender had kept of them before he typed the last letters. What somebody else types meanwhile stays, however alike. Of two
    /// that take it, one gets it.
    pub fn take_draft(&mut self, session: &str, texts: [&str; 2]) -> Result<Option<Draft>> {
        self.run("write to", |connection| {
            let sql = "DELETE FROM drafts WHERE session = ?1 AND text IN (?2, ?3) RETURNING text, changed_at";
            connection.query_row(sql, [session, texts[0], texts[1]], draft).optional()
        })
    }
}

fn session(row: &Row<'_>) -> rusqlite::Result<(String, DeskSession)> {
    let session = DeskSession {
        title: row.get("title")?,
        archived_at: row.get::<_, Option<i64>>("archived_at")?.map(UnixMillis),
        seen_seq: count(row.get("seen_seq")?),
    };
    Ok((row.get("id")?, session))
}

fn draft(row: &Row<'_>) -> rusqlite::Result<Draft> {
    Ok(Draft { text: row.get("text")?, changed_at: UnixMillis(row.get("changed_at")?) })
}
