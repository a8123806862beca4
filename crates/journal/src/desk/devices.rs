//! The devices and scripts that may talk to the server. Of their tokens only digests are known here.

use insights::UnixMillis;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use super::open::Desk;
use crate::error::Result;

/// A device or a script that may talk to the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Device {
    /// Its id.
    pub id: String,
    /// What the user calls it.
    pub name: String,
    /// When it was let in.
    pub added_at: UnixMillis,
    /// When it was last here.
    pub seen_at: Option<UnixMillis>,
}

impl Desk {
    /// Lets a device in whose token has this digest. One with the same id or digest is an error.
    pub fn add_device(&mut self, device: &Device, digest: &[u8]) -> Result<()> {
        self.run("write to", |connection| {
            let sql = "INSERT INTO devices (id, name, digest, added_at, seen_at) VALUES (?1, ?2, ?3, ?4, ?5)";
            let seen_at = device.seen_at.map(|at| at.0);
            connection.execute(sql, params![device.id, device.name, digest, device.added_at.0, seen_at]).map(drop)
        })
    }

    /// All devices, the oldest first.
    pub fn devices(&mut self) -> Result<Vec<Device>> {
        self.run("read", |connection| {
            let sql = "SELECT id, name, added_at, seen_at FROM devices ORDER BY added_at, id";
            connection.prepare_cached(sql)?.query_map([], device)?.collect()
        })
    }

    /// The device whose token has this digest.
    pub fn device_with(&mut self, digest: &[u8]) -> Result<Option<Device>> {
        self.run("read", |connection| {
            let sql = "SELECT id, name, added_at, seen_at FROM devices WHERE digest = ?1";
            connection.prepare_cached(sql)?.query_row([digest], device).optional()
        })
    }

    /// A device was here.
    pub fn device_seen(&mut self, id: &str, now: UnixMillis) -> Result<()> {
        self.write("UPDATE devices SET seen_at = ?2 WHERE id = ?1", &[&id, &now.0])
    }

    /// Does not let a device in any more.
    pub fn remove_device(&mut self, id: &str) -> Result<()> {
        self.write("DELETE FROM devices WHERE id = ?1", &[&id])
    }
}

fn device(row: &Row<'_>) -> rusqlite::Result<Device> {
    Ok(Device {
        id: row.get("id")?,
        name: row.get("name")?,
        added_at: UnixMillis(row.get("added_at")?),
        seen_at: row.get::<_, Option<i64>>("seen_at")?.map(UnixMillis),
    })
}
