//! The file of the desk: opened if it is sound, migrated if it is older, refused if it is newer or damaged.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};
use rustix::fs::FlockOperation;

use crate::data::Data;
use crate::error::{Error, Result};
use crate::folder::private;
use crate::lock::lock_file;
use crate::sqlite::{self, Trouble, beside};

/// What makes each version out of the one before. Steps are added at the end, and none that was released ever changes.
const STEPS: &[&str] = &[include_str!("step-1.sql"), include_str!("step-2.sql"), include_str!("step-3.sql")];

/// Says that the file is a desk of ours: `QDdk`.
const APPLICATION: i64 = 0x5144_646b;

/// The user's own data. Any number may have it open, in any process.
#[derive(Debug)]
pub struct Desk {
    path: PathBuf,
    connection: Connection,
}

impl Desk {
    /// Opens the desk, makes it if there is none, and migrates an older one: after a copy of it was put beside it.
    pub fn open(data: &Data) -> Result<Self> {
        Self::open_with(data.desk(), STEPS)
    }

    /// Opens the desk to read it, also where nothing can be written. One that is not there is empty.
    pub fn reader(data: &Data) -> Result<Self> {
        let path = data.desk();
        let open = || -> Result<Connection, Trouble> {
            if !path.exists() {
                let mut connection = Connection::open_in_memory()?;
                migrate(&mut connection, STEPS)?;
                return Ok(connection);
            }
            refuse_empty(&path)?;
            let connection = sqlite::open_reader(&path)?;
            match version(&connection, &path, STEPS)? {
                now if now == STEPS.len() => Ok(connection),
                _ => {
                    let source = std::io::Error::other("it has to be migrated first");
                    Err(Error::ReadOnly { path: path.clone(), source }.into())
                }
            }
        };
        let connection = open().map_err(|trouble| told(trouble, "open", &path))?;
        Ok(Desk { path, connection })
    }

    fn open_with(path: PathBuf, steps: &[&str]) -> Result<Self> {
        // Two that migrate at once would put the result of the first one where the copy of the old desk is.
        let _guard = lock_file(&path.with_extension("lock"), FlockOperation::LockExclusive)?;
        let open = || -> Result<Connection, Trouble> {
            refuse_empty(&path)?;
            sqlite::make_file(&path)?;
            let mut connection = sqlite::open_writer(&path, "full")?;
            let version = version(&connection, &path, steps)?;
            if version < steps.len() {
                if version > 0 {
                    back_up(&connection, &path, version)?;
                }
                migrate(&mut connection, steps)?;
            }
            Ok(connection)
        };
        let connection = open().map_err(|trouble| told(trouble, "open", &path))?;
        Ok(Desk { path, connection })
    }

    /// Does work with the database.
    pub(super) fn run<T>(
        &mut self,
        doing: &'static str,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        work(&mut self.connection).map_err(|error| told(Trouble::Sql(error), doing, &self.path))
    }
}

/// What the caller is told; of damage, where the newest copy is.
fn told(trouble: Trouble, doing: &'static str, path: &Path) -> Error {
    match trouble.is_damage() {
        true => damaged(path),
        false => trouble.told(doing, path),
    }
}

fn damaged(path: &Path) -> Error {
    Error::DamagedDesk { path: path.to_owned(), backup: newest_backup(path) }
}

/// A file in which nothing is would pass for a new desk. It is one only if nothing speaks for an older one.
fn refuse_empty(path: &Path) -> Result<()> {
    let length = |path: &Path| fs::metadata(path).map(|file| file.len()).ok();
    let had_content = newest_backup(path).is_some() || length(&beside(path, "-wal")).is_some_and(|length| length > 0);
    match length(path) {
        Some(0) if had_content => Err(damaged(path)),
        _ => Ok(()),
    }
}

/// The version of a sound desk; 0 of one in which nothing is.
fn version(connection: &Connection, path: &Path, steps: &[&str]) -> Result<usize, Trouble> {
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    if tables == 0 && version == 0 {
        return Ok(0);
    }
    if application != APPLICATION || version < 1 || !sqlite::is_whole(connection)? {
        return Err(damaged(path).into());
    }
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    match usize::try_from(version) {
        Ok(version) if version <= steps.len() => Ok(version),
        _ => Err(Error::NewerDesk { path: path.to_owned(), version, known }.into()),
    }
}

/// Puts a copy of the desk beside it. It has the name of the version that it is of, and is whole or not there.
fn back_up(connection: &Connection, path: &Path, version: usize) -> Result<(), Trouble> {
    let backup = beside(path, &format!("{BACKUP}{version}"));
    let part = beside(&backup, ".part");
    let failed = |error| Error::io("copy to", &part)(error).not_allowed();
    // An empty file of ours, so that nobody else can read what is put into it.
    private().create(true).truncate(true).write(true).open(&part).map_err(failed)?;
    connection.execute("VACUUM INTO ?1", [part.to_string_lossy()])?;
    File::open(&part).and_then(|file| file.sync_all()).map_err(failed)?;
    fs::rename(&part, &backup).map_err(failed)?;
    if let Some(folder) = path.parent() {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    }
    Ok(())
}

/// All steps that are missing, or none.
fn migrate(connection: &mut Connection, steps: &[&str]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for step in steps.iter().skip(usize::try_from(version).unwrap_or_default()) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", i64::try_from(steps.len()).unwrap_or(i64::MAX))?;
    transaction.commit()
}

const BACKUP: &str = ".backup-";

/// The copy of the highest version.
fn newest_backup(path: &Path) -> Option<PathBuf> {
    let start = format!("{}{BACKUP}", path.file_name()?.to_string_lossy());
    let entries = fs::read_dir(path.parent()?).ok()?.flatten();
    let numbered = entries.filter_map(|entry| {
        let number: u64 = entry.file_name().to_str()?.strip_prefix(&start)?.parse().ok()?;
        Some((number, entry.path()))
    });
    numbered.max_by_key(|(number, _)| *number).map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const NEXT: &str = "ALTER TABLE drafts ADD COLUMN mood TEXT; UPDATE drafts SET mood = 'fine';";
    const WRONG: &str = "CREATE TABLE half (x); INSERT INTO nowhere VALUES (1);";

    fn place() -> (tempfile::TempDir, Data) {
        let place = tempfile::tempdir().unwrap();
        let data = Data::open(place.path()).unwrap();
        Desk::open(&data).unwrap().set_draft("s", "half a tho", insights::UnixMillis(5)).unwrap();
        (place, data)
    }

    fn next() -> Vec<&'static str> {
        [STEPS, &[NEXT]].concat()
    }

    #[test]
    fn an_older_desk_is_copied_and_migrated() {
        let (place, data) = place();
        let mut desk = Desk::open_with(data.desk(), &next()).unwrap();
        let mood = |desk: &mut Desk| -> String {
            desk.run("read", |connection| connection.query_row("SELECT mood FROM drafts", [], |row| row.get(0)))
                .unwrap()
        };
        assert_eq!(mood(&mut desk), "fine");
        assert_eq!(desk.draft("s").unwrap().unwrap().text, "half a tho");

        let backup = place.path().join("desk.sqlite.backup-3");
        assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!beside(&backup, ".part").exists());
        // The copy is a desk of its own.
        let copied = tempfile::tempdir().unwrap();
        let copy = Data::open(copied.path()).unwrap();
        fs::copy(&backup, copy.desk()).unwrap();
        assert_eq!(Desk::open(&copy).unwrap().draft("s").unwrap().unwrap().text, "half a tho");
        // Once is enough.
        fs::remove_file(&backup).unwrap();
        drop(desk);
        assert_eq!(mood(&mut Desk::open_with(data.desk(), &next()).unwrap()), "fine");
        assert!(!backup.exists());
    }

    #[test]
    fn a_newer_desk_is_refused() {
        let (place, data) = place();
        drop(Desk::open_with(data.desk(), &next()).unwrap());
        let before = fs::read(data.desk()).unwrap();
        let error = Desk::open(&data).unwrap_err();
        assert!(matches!(error, Error::NewerDesk { version: 4, known: 3, .. }), "{error:?}");
        assert!(error.to_string().ends_with("is of version 4, and this program knows versions up to 3"), "{error}");
        assert!(matches!(Desk::reader(&data), Err(Error::NewerDesk { .. })));
        assert_eq!(fs::read(data.desk()).unwrap(), before);
        drop(place);
    }

    #[test]
    fn a_step_that_fails_changes_nothing() {
        let (_place, data) = place();
        let steps = [STEPS, &[NEXT, WRONG]].concat();
        let error = Desk::open_with(data.desk(), &steps).unwrap_err();
        assert!(matches!(error, Error::Database { .. }), "the file is not to blame: {error:?}");
        let mut desk = Desk::open(&data).unwrap();
        assert_eq!(desk.draft("s").unwrap().unwrap().text, "half a tho");
        let half = "SELECT count(*) FROM sqlite_schema WHERE name = 'half'";
        let count = desk.run("read", |connection| connection.query_row(half, [], |row| row.get::<_, i64>(0)));
        assert_eq!(count.unwrap(), 0);
    }

    #[test]
    fn a_damaged_desk_is_left_as_it_is_and_its_copy_named() {
        for harm in [&b""[..], b"garbage that is no database at all", &[7; 9000]] {
            let (place, data) = place();
            drop(Desk::open_with(data.desk(), &next()).unwrap());
            fs::write(data.desk(), harm).unwrap();
            for error in [Desk::open(&data).unwrap_err(), Desk::reader(&data).unwrap_err()] {
                let backup = place.path().join("desk.sqlite.backup-3");
                assert!(
                    matches!(&error, Error::DamagedDesk { backup: Some(named), .. } if *named == backup),
                    "{error:?}"
                );
                assert!(error.to_string().contains("desk.sqlite.backup-3"), "{error}");
            }
            assert_eq!(fs::read(data.desk()).unwrap(), harm);
        }
    }

    #[test]
    fn a_desk_with_a_damaged_page_is_refused() {
        use std::os::unix::fs::FileExt;
        let (_place, data) = place();
        let file = fs::OpenOptions::new().write(true).open(data.desk()).unwrap();
        file.write_all_at(&[0xff; 4096], 4096).unwrap();
        drop(file);
        let error = Desk::open(&data).unwrap_err();
        assert!(matches!(error, Error::DamagedDesk { backup: None, .. }), "{error:?}");
        assert!(error.to_string().ends_with("is damaged; there is no copy of it"), "{error}");
    }
}
