//! The lock of a session folder: who holds it is the one writer. It is the system's own, so it ends with its holder.

use std::fs::File;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use crate::error::{Error, Result};
use crate::folder::{Folder, private};

/// Held as long as it lives.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, if nobody has it.
    pub fn take(folder: &Folder) -> Result<Self> {
        folder.make()?;
        match lock_file(&folder.lock(), FlockOperation::NonBlockingLockExclusive)? {
            Some(file) => Ok(Lock { _file: file }),
            None => Err(Error::InUse { folder: folder.path().to_owned() }),
        }
    }

    /// Does somebody hold the lock? Looking takes it for a moment, so ask only where a wrong "yes" to somebody else does no
    /// harm; a writer that finds it taken should try again.
    pub fn is_held(folder: &Folder) -> bool {
        let Ok(file) = File::open(folder.lock()) else { return false };
        flock(&file, FlockOperation::NonBlockingLockShared) == Err(rustix::io::Errno::WOULDBLOCK)
    }
}

/// The file, made if need be, with its lock; `None` if somebody else has that.
pub(crate) fn lock_file(path: &Path, how: FlockOperation) -> Result<Option<File>> {
    let file = private().create(true).truncate(false).read(true).write(true).open(path);
    let file = file.map_err(|error| Error::io("open", path)(error).not_allowed())?;
    match flock(&file, how) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(Error::io("lock", path)(error.into())),
    }
}
