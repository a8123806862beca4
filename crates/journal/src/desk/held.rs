//! Prompts that wait in the host: kept in their order until they are delivered, changed or taken away.

use insights::UnixMillis;
use rusqlite::{OptionalExtension, Row, params};

use super::open::Desk;
use crate::error::Result;
use crate::sqlite::{count, stored};

/// A prompt that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldRow {
    /// The sender's own id of it.
    pub id: String,
    /// The line for the agent.
    pub line: String,
    /// Which person or device sent it.
    pub by: Option<String>,
    /// When.
    pub at: UnixMillis,
}

impl Desk {
    /// Keeps a prompt behind those that wait in the session. False if one with its id waits: that one stays as it is.
    pub fn hold(&mut self, session: &str, row: &HeldRow) -> Result<bool> {
        self.run("write to", |connection| {
            let sql = "INSERT INTO held (session, id, place, line, sent_by, held_at) VALUES (?1, ?2,
                (SELECT coalesce(max(place), 0) + 1 FROM held WHERE session = ?1), ?3, ?4, ?5)
                ON CONFLICT DO NOTHING";
            let values = params![session, row.id, row.line, row.by, row.at.0];
            connection.execute(sql, values).map(|rows| rows > 0)
        })
    }

    /// The prompts that wait in a session, in their order.
    pub fn held(&mut self, session: &str) -> Result<Vec<HeldRow>> {
        self.run("read", |connection| {
            let sql = "SELECT id, line, sent_by, held_at FROM held WHERE session = ?1 ORDER BY place";
            connection.prepare_cached(sql)?.query_map([session], held)?.collect()
        })
    }

    /// Puts another line in the place of one that waits. False if none waits under that id.
    pub fn change_held(&mut self, session: &str, id: &str, line: &str) -> Result<bool> {
        self.run("write to", |connection| {
            let sql = "UPDATE held SET line = ?3 WHERE session = ?1 AND id = ?2";
            connection.execute(sql, params![session, id, line]).map(|rows| rows > 0)
        })
    }

    /// Moves a prompt before another one that waits, or behind all. False if either does not wait.
    pub fn move_held(&mut self, session: &str, id: &str, before: Option<&str>) -> Result<bool> {
        self.run("write to", |connection| {
            let transaction = connection.transaction()?;
            let mut order: Vec<String> = {
                let mut statement = transaction.prepare("SELECT id FROM held WHERE session = ?1 ORDER BY place")?;
                statement.query_map([session], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?
            };
            let place = |order: &[String], id: &str| order.iter().position(|known| known == id);
            let Some(from) = place(&order, id) else { return Ok(false) };
            let moved = order.remove(from);
            let to = match before {
                // Before itself is where it is.
                Some(other) if other == id => Some(from),
                Some(other) => place(&order, other),
                None => Some(order.len()),
            };
            let Some(to) = to else { return Ok(false) };
            order.insert(to, moved);
            for (place, id) in order.iter().enumerate() {
                let sql = "UPDATE held SET place = ?3 WHERE session = ?1 AND id = ?2";
                transaction.execute(sql, params![session, id, stored(place as u64)])?;
            }
            transaction.commit()?;
            Ok(true)
        })
    }

    /// A prompt waits no more: it was delivered, or is not wanted. False if it did not wait.
    pub fn let_go(&mut self, session: &str, id: &str) -> Result<bool> {
        let sql = "DELETE FROM held WHERE session = ?1 AND id = ?2";
        self.run("write to", |connection| connection.execute(sql, [session, id]).map(|rows| rows > 0))
    }

    /// Up to this record of a session the user wants held prompts to be delivered, whatever went wrong before.
    pub fn go_on_seq(&mut self, session: &str) -> Result<u64> {
        self.run("read", |connection| {
            let sql = "SELECT go_on_seq FROM sessions WHERE id = ?1";
            let found = connection.prepare_cached(sql)?.query_row([session], |row| row.get(0)).optional()?;
            Ok(found.map_or(0, count))
        })
    }

    /// The user wants held prompts to be delivered, whatever went wrong up to a record.
    pub fn set_go_on_seq(&mut self, session: &str, seq: u64) -> Result<()> {
        self.run("write to", |connection| {
            let sql = "INSERT INTO sessions (id, go_on_seq) VALUES (?1, ?2)
                ON CONFLICT DO UPDATE SET go_on_seq = max(go_on_seq, excluded.go_on_seq)";
            connection.execute(sql, params![session, stored(seq)]).map(drop)
        })
    }
}

fn held(row: &Row<'_>) -> rusqlite::Result<HeldRow> {
    Ok(HeldRow {
        id: row.get("id")?,
        line: row.get("line")?,
        by: row.get("sent_by")?,
        at: UnixMillis(row.get("held_at")?),
    })
}
