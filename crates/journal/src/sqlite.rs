//! What both databases have in common: how a file is opened, and what an error means.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::{Error, Result};
use crate::folder::private;

// Versions before this one can damage a database in WAL mode.
const _: () = assert!(rusqlite::ffi::SQLITE_VERSION_NUMBER >= 3_051_003);

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);

/// An error of the database, or one of our own, from work that does both.
pub(crate) enum Trouble {
    Sql(rusqlite::Error),
    Ours(Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Trouble::Sql(error)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Trouble::Ours(error)
    }
}

impl Trouble {
    /// What the caller is told.
    pub(crate) fn told(self, doing: &'static str, path: &Path) -> Error {
        let error = match self {
            Trouble::Ours(error) => return error,
            Trouble::Sql(error) => error,
        };
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => {
                Error::Full { path, source: io::Error::new(ErrorKind::StorageFull, error.to_string()) }
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Error::ReadOnly { path, source: io::Error::new(ErrorKind::PermissionDenied, error.to_string()) }
            }
            _ => Error::Database { doing, path, source: Box::new(error) },
        }
    }

    /// Does it say that the file is not what it should be?
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Trouble::Ours(_) => false,
            Trouble::Sql(rusqlite::Error::SqliteFailure(error, _)) => {
                matches!(error.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
            }
            // Our own rows always have the types that we read them with.
            Trouble::Sql(error) => matches!(
                error,
                rusqlite::Error::InvalidColumnType(..)
                    | rusqlite::Error::FromSqlConversionFailure(..)
                    | rusqlite::Error::IntegralValueOutOfRange(..)
                    | rusqlite::Error::Utf8Error(..)
            ),
        }
    }

    /// Does it say that a table is not there? In a database that had it, somebody emptied the file.
    pub(crate) fn is_lost_table(&self) -> bool {
        match self {
            Trouble::Sql(rusqlite::Error::SqliteFailure(_, Some(message))) => message.starts_with("no such table"),
            Trouble::Sql(_) | Trouble::Ours(_) => false,
        }
    }
}

/// Makes an empty file that only its owner can read, if there is none; the database makes its others like it. A file
/// that is there is not even opened: closing it would take away the locks that this process has on it.
pub(crate) fn make_file(path: &Path) -> Result<()> {
    match private().create_new(true).write(true).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(Error::io("make", path)(error).not_allowed()),
    }
}

/// Opens a database to write to it. Readers do not block the writer, nor it them.
pub(crate) fn open_writer(path: &Path, synchronous: &str) -> rusqlite::Result<Connection> {
    let connection =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "journal_size_limit", 16 * 1024 * 1024)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Opens a database to read it, also where nothing can be written.
pub(crate) fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let try_open = |name: &Path, flags: OpenFlags| {
        let connection = Connection::open_with_flags(name, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "query_only", true)?;
        connection.set_prepared_statement_cache_capacity(64);
        // The first read opens all files.
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(connection)
    };
    let opened = try_open(path, flags);
    let closed = |error: &rusqlite::Error| {
        let code = error.sqlite_error_code();
        matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied))
    };
    match opened {
        // Where nobody can write, nobody does: what is there can be read as it is. A log beside it would be missed.
        Err(error) if closed(&error) && fs::metadata(beside(path, "-wal")).map_or(0, |file| file.len()) == 0 => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
            try_open(Path::new(&format!("file:{}?immutable=1", escaped(path))), flags)
        }
        opened => opened,
    }
}

/// Is the database whole, as far as can be seen without reading all of it twice?
pub(crate) fn is_whole(connection: &Connection) -> rusqlite::Result<bool> {
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok(verdict == "ok")
}

/// Removes a database and what stands beside it.
pub(crate) fn remove(path: &Path) -> Result<()> {
    for path in [path.to_owned(), beside(path, "-wal"), beside(path, "-shm")] {
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Error::io("remove", &path)(error).not_allowed());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Which file this is: another one with the same name is another.
pub(crate) fn file_id(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// A file whose name is that of another one, with more at its end.
pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// The path as part of a URI.
fn escaped(path: &Path) -> String {
    let byte = |byte: &u8| match byte {
        b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => char::from(*byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    path.as_os_str().as_bytes().iter().map(byte).collect()
}

/// A count as the database has it.
pub(crate) fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A count that the database gave.
pub(crate) fn count(stored: i64) -> u64 {
    u64::try_from(stored).unwrap_or_default()
}
