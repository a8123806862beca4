//! What can go wrong with the files of a session.

use std::io;
use std::path::{Path, PathBuf};

/// What a call gives.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with the files of a session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process writes this session. Read it, or ask that process.
    #[error("session folder `{}` is in use by another process", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// There is no room. Nothing of the record was kept and nothing is damaged: append it again when there is.
    #[error("no room left on the disk of `{}`", path.display())]
    Full {
        /// The file that could not grow.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file could not be read or written.
    #[error("could not {doing} `{}`", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A line in the middle of a log is no record: somebody else has written there, or the disk is failing.
    #[error("`{}` is damaged at byte {at}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the line begins.
        at: u64,
    },
    /// Nobody says where the data is to be: there is no home folder. Name one in `QUARTERDECK_DATA`.
    #[error("there is no home folder to keep data in; set `QUARTERDECK_DATA`")]
    NoHome,
    /// There is something else where the data folder should be. Name another place.
    #[error("`{}` is not a folder", path.display())]
    NotAFolder {
        /// What is there.
        path: PathBuf,
    },
    /// The data can be looked at and not changed. Change who may write there, or name another place.
    #[error("`{}` cannot be written to", path.display())]
    ReadOnly {
        /// What would have been written.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A server has this data folder already. Talk to that one.
    #[error("the data folder `{}` is served already", folder.display())]
    Served {
        /// The folder.
        folder: PathBuf,
        /// Where browsers find that server, if it has said so.
        address: Option<String>,
        /// The socket on which programs of its owner find it.
        socket: Option<PathBuf>,
    },
    /// The index lacks what comes before these rows, or has another log of that session. Let it catch up.
    #[error("the index has session `{session}` up to record {has} and was given records from {from} on")]
    Gap {
        /// The session.
        session: String,
        /// The last record that the index has; 0 if it has none of this log.
        has: u64,
        /// The first record of the rows.
        from: u64,
    },
    /// The index was found damaged. Whoever may write has dropped it by now: let it catch up. Whoever only reads tries
    /// again later.
    #[error("the index `{}` is damaged and has to be made again", path.display())]
    IndexDamaged {
        /// The file.
        path: PathBuf,
    },
    /// There is no index, or only one of another version. Whoever may write makes it.
    #[error("there is no index that this version can read at `{}`", path.display())]
    NoIndex {
        /// The file.
        path: PathBuf,
    },
    /// The index was made by a newer version than this one, which would make it again and again if it were dropped here.
    #[error("`{}` was made by a newer version of this program, and is left as it is", path.display())]
    NewerIndex {
        /// The file.
        path: PathBuf,
    },
    /// The user's own data was written by a newer version than this one. Use that.
    #[error("`{}` is of version {version}, and this program knows versions up to {known}", path.display())]
    NewerDesk {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
        /// The newest that is known here.
        known: i64,
    },
    /// The user's own data cannot be read. It is left as it is: put the copy in its place, or move it away.
    #[error("`{}` is damaged; {}", path.display(), copy_of(backup.as_deref()))]
    DamagedDesk {
        /// The file.
        path: PathBuf,
        /// The newest copy that was made of it.
        backup: Option<PathBuf>,
    },
    /// A database did not do what it should.
    #[error("could not {doing} `{}`", path.display())]
    Database {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the database said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// There is no log in the folder.
    #[error("there is no log in `{}`", folder.display())]
    NoLog {
        /// The folder.
        folder: PathBuf,
    },
}

/// Where the user finds a copy of his data.
fn copy_of(backup: Option<&Path>) -> String {
    match backup {
        Some(path) => format!("the newest copy of it is `{}`", path.display()),
        None => "there is no copy of it".to_owned(),
    }
}

impl Error {
    /// What the system said about a file.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| {
            let path = path.to_owned();
            match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                    Error::Full { path, source }
                }
                _ => Error::Io { doing, path, source },
            }
        }
    }

    /// An error of somebody who may look and not write, said as such. Only for what was to be written.
    pub(crate) fn not_allowed(self) -> Error {
        match self {
            Error::Io { path, source, .. }
                if matches!(source.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) =>
            {
                Error::ReadOnly { path, source }
            }
            other => other,
        }
    }
}
