//! The file of the index: opened if it is sound and of our version, else dropped and made anew. Nobody mourns it: all
//! that is in it stands in the logs. But one of a newer version is left alone: two programs that are both in use would
//! drop each other's for ever, so the newer one has it.

use std::path::PathBuf;

use insights::convert::CONVERTER;
use insights::state::REDUCER;
use rusqlite::Connection;
use rustix::fs::FlockOperation;

use crate::data::Data;
use crate::error::{Error, Result};
use crate::lock::lock_file;
use crate::sqlite::{self, Trouble};

/// The version of the tables and of what is collected for them. Raise it with every change of either.
const SCHEMA: u32 = 3;

/// What stands in the file: a state of another reducer gives other rows.
pub(crate) const VERSION: i64 = ((SCHEMA as i64) << 20) | ((CONVERTER as i64) << 10) | REDUCER as i64;

/// Says that the file is an index of ours: `QDix`.
const APPLICATION: i64 = 0x5144_6978;

/// What is found quickly about all sessions. Derived from their logs, and made again from them whenever it is missing,
/// damaged or of another version.
///
/// There is one that writes ([`Index::open`]), which is that of the server or of whoever is alone, and any number that
/// read ([`Index::reader`]), also in other processes. None of them waits for another longer than a batch takes.
#[derive(Debug)]
pub struct Index {
    path: PathBuf,
    access: Access,
    connection: Connection,
    /// Which file the connection has. Another one under the same name is another index.
    file: Option<(u64, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Access {
    Reader,
    Writer,
}

impl Index {
    /// Opens the index to write to it; drops one that cannot be used, and makes it if there is none. What it has then
    /// is what it had before, or nothing: see [`Index::catch_up`].
    pub fn open(data: &Data) -> Result<Self> {
        Self::connect(data.index(), Access::Writer)
    }

    /// Opens the index to read it, also where nothing can be written. Fails with [`Error::NoIndex`] if nobody has made
    /// one.
    pub fn reader(data: &Data) -> Result<Self> {
        Self::connect(data.index(), Access::Reader)
    }

    /// Does work with the database. A file that is not there any more or has been replaced is opened anew before; one
    /// that turns out to be damaged is dropped after.
    pub(super) fn run<T>(
        &mut self,
        doing: &'static str,
        work: impl FnOnce(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T> {
        if self.file != sqlite::file_id(&self.path) {
            *self = Self::connect(self.path.clone(), self.access)?;
        }
        match work(&mut self.connection) {
            Ok(done) => Ok(done),
            Err(trouble) if trouble.is_damage() || trouble.is_lost_table() => {
                self.drop_damaged()?;
                Err(Error::IndexDamaged { path: self.path.clone() })
            }
            Err(trouble) => Err(trouble.told(doing, &self.path)),
        }
    }

    fn drop_damaged(&mut self) -> Result<()> {
        if self.access == Access::Reader {
            return Ok(());
        }
        let guard = guard(&self.path)?;
        // Another one may have done it while we waited.
        if self.file == sqlite::file_id(&self.path) {
            sqlite::remove(&self.path)?;
        }
        drop(guard);
        *self = Self::connect(self.path.clone(), Access::Writer)?;
        Ok(())
    }

    fn connect(path: PathBuf, access: Access) -> Result<Self> {
        let connection = match access {
            Access::Reader => read(&path)?,
            Access::Writer => {
                let _guard = guard(&path)?;
                match write(&path)? {
                    Some(connection) => connection,
                    None => {
                        sqlite::remove(&path)?;
                        write(&path)?.ok_or_else(|| Error::IndexDamaged { path: path.clone() })?
                    }
                }
            }
        };
        let file = sqlite::file_id(&path);
        Ok(Index { path, access, connection, file })
    }
}

/// Held while a file is made or dropped, so that two do not do it at once.
fn guard(path: &std::path::Path) -> Result<Option<std::fs::File>> {
    lock_file(&path.with_extension("lock"), FlockOperation::LockExclusive)
}

fn read(path: &std::path::Path) -> Result<Connection> {
    let none = || Error::NoIndex { path: path.to_owned() };
    if !path.exists() {
        return Err(none());
    }
    let opened = sqlite::open_reader(path).and_then(|connection| Ok((stamp(&connection)?, connection)));
    match opened {
        Ok((found, connection)) if found == (APPLICATION, VERSION) => Ok(connection),
        Ok((found, _)) if is_newer(found) => Err(Error::NewerIndex { path: path.to_owned() }),
        Ok(_) => Err(none()),
        Err(error) => match Trouble::Sql(error) {
            trouble if trouble.is_damage() => Err(Error::IndexDamaged { path: path.to_owned() }),
            trouble => Err(trouble.told("open", path)),
        },
    }
}

/// What a file turns out to be.
enum Found {
    Sound(Connection),
    Useless,
    Newer,
}

/// Is this the index of a newer version?
fn is_newer((application, version): (i64, i64)) -> bool {
    application == APPLICATION && version > VERSION
}

/// The database at `path`, made if need be; `None` if what is there cannot be used.
fn write(path: &std::path::Path) -> Result<Option<Connection>> {
    if !path.exists() {
        // What stood beside a file that somebody took away belongs to nothing.
        sqlite::remove(path)?;
        sqlite::make_file(path)?;
    }
    let open = || -> rusqlite::Result<Found> {
        let connection = sqlite::open_writer(path, "normal")?;
        let found = stamp(&connection)?;
        if is_newer(found) {
            return Ok(Found::Newer);
        }
        if found == (0, 0) && tables(&connection)? == 0 {
            make(&connection)?;
            return Ok(Found::Sound(connection));
        }
        let sound = found == (APPLICATION, VERSION) && sqlite::is_whole(&connection)?;
        Ok(if sound { Found::Sound(connection) } else { Found::Useless })
    };
    match open().map_err(Trouble::Sql) {
        Ok(Found::Sound(connection)) => Ok(Some(connection)),
        Ok(Found::Useless) => Ok(None),
        Ok(Found::Newer) => Err(Error::NewerIndex { path: path.to_owned() }),
        Err(trouble) if trouble.is_damage() => Ok(None),
        Err(trouble) => Err(trouble.told("open", path)),
    }
}

fn make(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE; {} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;",
        include_str!("schema.sql")
    ))
}

fn stamp(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok((pragma("application_id")?, pragma("user_version")?))
}

fn tables(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use super::*;

    /// Writes over the pages of the file after the first one, while it is open.
    fn harm(index: &Index) {
        let busy = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        assert_eq!(index.connection.query_row("PRAGMA wal_checkpoint(truncate)", [], busy).unwrap(), 0);
        index.connection.release_memory().unwrap();
        let file = std::fs::OpenOptions::new().write(true).open(&index.path).unwrap();
        let bytes = file.metadata().unwrap().len() as usize;
        file.write_all_at(&vec![0xff; bytes - 4096], 4096).unwrap();
        // Closing it would take the locks away.
        std::mem::forget(file);
    }

    #[test]
    fn an_index_that_is_damaged_while_it_is_used_is_dropped_by_who_writes() {
        let place = tempfile::tempdir().unwrap();
        let data = Data::open(place.path()).unwrap();
        let folder = data.session("s").unwrap();
        drop(crate::Writer::open(folder, insights::UnixMillis(5)).unwrap());
        let mut index = Index::open(&data).unwrap();
        index.catch_up(&data, |_| {}).unwrap();
        assert!(index.session("s").unwrap().is_some());
        harm(&index);
        assert!(matches!(index.session("s"), Err(Error::IndexDamaged { .. })));
        assert_eq!(index.session("s").unwrap(), None, "this is a new one");
        index.catch_up(&data, |_| {}).unwrap();
        assert!(index.session("s").unwrap().is_some());
        harm(&index);
        assert_eq!(index.catch_up(&data, |_| {}).unwrap().sessions, 1, "catching up begins again by itself");
        assert!(index.session("s").unwrap().is_some());
        index.connection.execute_batch("DROP TABLE sessions").unwrap();
        assert_eq!(index.catch_up(&data, |_| {}).unwrap().sessions, 1, "also when a table is gone");
    }
}
