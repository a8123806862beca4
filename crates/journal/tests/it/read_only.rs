//! A data folder that can be looked at and not changed.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

use journal::{Behind, Data, Desk, Error, Index, Reader, ServerLock, Writer};

use crate::support::{START, append, fixture, indexed};

/// Somebody for whom the permissions of files mean something.
const NOBODY: u32 = 65534;

/// Runs as somebody who is not the superuser. Only this thread becomes another.
fn as_nobody(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            #[cfg(target_os = "linux")]
            if rustix::process::geteuid().is_root() {
                rustix::thread::set_thread_uid(rustix::process::Uid::from_raw(NOBODY)).unwrap();
            }
            work();
        });
        thread.join().unwrap();
    });
}

/// Gives all of a folder to nobody, to be read only, or to be written again.
fn close(path: &Path, closed: bool) {
    if rustix::process::geteuid().is_root() {
        chown(path, Some(NOBODY), None).unwrap();
    }
    let is_folder = path.is_dir();
    let mode = if is_folder { 0o500 } else { 0o400 } | if closed { 0 } else { 0o200 };
    if !closed {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
    if is_folder {
        fs::read_dir(path).unwrap().for_each(|entry| close(&entry.unwrap().path(), closed));
    }
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_cannot_be_written_can_be_read() {
    let (place, data, index) = indexed(&["2.1.326/resume"]);
    Desk::open(&data).unwrap().set_title("0", "Ours").unwrap();
    drop(index);
    fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
    close(data.path(), true);
    as_nobody(|| {
        let data = Data::open(data.path()).unwrap();
        let folders = data.sessions().unwrap();
        let mut reader = Reader::after(folders[0].clone(), 14).unwrap();
        assert_eq!(reader.next_record().unwrap().unwrap().seq, 15);

        let mut index = Index::reader(&data).unwrap();
        assert_eq!(index.session("0").unwrap().unwrap().turns, 2);
        assert_eq!(index.search("what is my name", 5).unwrap().len(), 1);
        assert_eq!(index.behind(&data).unwrap(), Behind::default());

        let mut desk = Desk::reader(&data).unwrap();
        assert_eq!(desk.session("0").unwrap().title.as_deref(), Some("Ours"));
        assert!(matches!(desk.set_title("0", "Yours"), Err(Error::ReadOnly { .. })));
        assert!(matches!(Desk::open(&data), Err(Error::ReadOnly { .. })));

        let error = Index::open(&data).unwrap_err();
        assert!(matches!(error, Error::ReadOnly { .. }), "{error:?}");
        assert!(error.to_string().ends_with("cannot be written to"), "{error}");
        assert!(matches!(ServerLock::take(&data), Err(Error::ReadOnly { .. })));
        assert!(Writer::open(data.session("0").unwrap(), START).is_err());
        assert!(matches!(Data::open(data.path().join("below")), Err(Error::ReadOnly { .. })));
    });
    close(data.path(), false);
    append(&data, "0", &fixture("2.1.326/plain-text"));
    assert_eq!(Index::open(&data).unwrap().catch_up(&data, |_| {}).unwrap().sessions, 1);
}
