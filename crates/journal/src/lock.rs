//! The lock of a session folder: who holds it is the one writer. It is the system's own, so it ends with its holder.

use std::fs::File;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use crate::error::{Error, Result};
use crate::folder::{Folder, private};

/// How often `take` tries again while other processes only look at the lock.
const LOOKERS: usize = 10_000;

/// Held as long as it lives.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock unless it is held. A call of [`Lock::is_held`] at the same time does not count as holding it.
    pub fn take(folder: &Folder) -> Result<Self> {
        folder.make()?;
        for _ in 0..LOOKERS {
            if let Some(file) = lock_file(&folder.lock(), FlockOperation::NonBlockingLockExclusive)? {
                return Ok(Lock { _file: file });
            }
            if Lock::is_held(folder) {
                break;
            }
            // Only `is_held` had it, which gives it back at once.
            std::thread::yield_now();
        }
        Err(Error::InUse { folder: folder.path().to_owned() })
    }

    /// Is the lock held? Looking shares it briefly; `take` tries again then.
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::Data;

    #[test]
    fn who_looks_at_a_lock_keeps_nobody_from_taking_it() {
        let place = tempfile::tempdir().unwrap();
        let folder = Data::open(place.path()).unwrap().session("a").unwrap();
        drop(Lock::take(&folder).unwrap());
        let is_over = AtomicBool::new(false);
        std::thread::scope(|threads| {
            for _ in 0..2 {
                threads.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        Lock::is_held(&folder);
                    }
                });
            }
            let refused = (0..2000).filter(|_| Lock::take(&folder).is_err()).count();
            is_over.store(true, Ordering::Relaxed);
            assert_eq!(refused, 0);
        });
        let held = Lock::take(&folder).unwrap();
        assert!(matches!(Lock::take(&folder), Err(Error::InUse { .. })));
        drop(held);
    }
}
