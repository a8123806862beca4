//! Pictures that go with what is being typed: kept beside the words until they are sent or taken out.

use rusqlite::{Row, params};

use super::open::Desk;
use crate::error::Result;
use crate::sqlite::stored;

/// A picture that goes with what is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftPicture {
    /// The writer's own id of it.
    pub id: String,
    /// By which the words name it.
    pub number: u32,
    /// What its file is called.
    pub name: String,
    /// Its type, for example `image/png`.
    pub media_type: String,
    /// Its bytes, as base64.
    pub data: String,
}

impl Desk {
    /// The pictures of what is being typed in a session, in their order.
    pub fn draft_pictures(&mut self, session: &str) -> Result<Vec<DraftPicture>> {
        self.run("read", |connection| {
            let sql = "SELECT id, number, name, media_type, data FROM draft_pictures WHERE session = ?1 \
                       ORDER BY number, rowid";
            connection.prepare_cached(sql)?.query_map([session], picture)?.collect()
        })
    }

    /// Keeps a picture, in the place of the one with its id. False if all of them would have more than `most` bytes.
    pub fn set_draft_picture(&mut self, session: &str, picture: &DraftPicture, most: u64) -> Result<bool> {
        self.run("write to", |connection| {
            let sql = "INSERT INTO draft_pictures (session, id, number, name, media_type, data)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE length(?6) + (SELECT coalesce(sum(length(data)), 0)
                    FROM draft_pictures WHERE session = ?1 AND id <> ?2) <= ?7
                ON CONFLICT DO UPDATE SET number = excluded.number, name = excluded.name,
                    media_type = excluded.media_type, data = excluded.data";
            let DraftPicture { id, number, name, media_type, data } = picture;
            let values = params![session, id, number, name, media_type, data, stored(most)];
            connection.execute(sql, values).map(|rows| rows > 0)
        })
    }

    /// A picture does not go with what is being typed any more.
    pub fn remove_draft_picture(&mut self, session: &str, id: &str) -> Result<()> {
        let sql = "DELETE FROM draft_pictures WHERE session = ?1 AND id = ?2";
        self.run("write to", |connection| connection.execute(sql, [session, id]).map(drop))
    }

    /// A picture was sent: it goes with nothing that is being typed any more.
    pub fn take_draft_picture(&mut self, session: &str, data: &str) -> Result<()> {
        let sql = "DELETE FROM draft_pictures WHERE session = ?1 AND data = ?2";
        self.run("write to", |connection| connection.execute(sql, [session, data]).map(drop))
    }
}

fn picture(row: &Row<'_>) -> rusqlite::Result<DraftPicture> {
    Ok(DraftPicture {
        id: row.get("id")?,
        number: row.get("number")?,
        name: row.get("name")?,
        media_type: row.get("media_type")?,
        data: row.get("data")?,
    })
}
