//! Files that are read beneath a folder, wherever links lead: a folder and a path in, an open regular file out.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, Stat};

/// Opens a regular file beneath `folder`, given by its true place, to read it, unless it is one of the folder `own`, which nobody
/// gets to read. The system itself keeps every step of the path, and every link on it, beneath the folder, so that nothing can be
/// swapped between a check and its use; and if the folder itself was, the file is not where it should be.
pub(super) fn open_beneath(folder: &Path, path: &Path, own: &Path) -> io::Result<File> {
    let (file, place) = open(folder, path)?;
    let found = rustix::fs::fstat(&file)?;
    if !FileType::from_raw_mode(found.st_mode).is_file() {
        return Err(not_regular());
    }
    if !place.starts_with(folder) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "its folder was moved meanwhile"));
    }
    if place.starts_with(own) || is_another_name(&found, own) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is Quarterdeck's own"));
    }
    Ok(file)
}

/// Is it a file of the folder `own` under another name? A hard link looks like any other file, and many files have several
/// names for good reasons; so those are compared, by what the file is, with all that is to be kept.
fn is_another_name(found: &Stat, own: &Path) -> bool {
    found.st_nlink > 1 && holds(own, &|other| (other.st_dev, other.st_ino) == (found.st_dev, found.st_ino))
}

fn holds(folder: &Path, wanted: &dyn Fn(&Stat) -> bool) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.into_iter().any(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => holds(&entry.path(), wanted),
        Ok(kind) if kind.is_file() => rustix::fs::lstat(entry.path()).is_ok_and(|found| wanted(&found)),
        _ => false,
    })
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")
}

/// The file, and its true place.
#[cfg(target_os = "linux")]
fn open(folder: &Path, path: &Path) -> io::Result<(File, PathBuf)> {
    use std::os::fd::AsRawFd;

    use rustix::fs::ResolveFlags;

    let folder = rustix::fs::open(folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    // A pipe or a device would wait for ever, or do something: it is looked at first, and opened if it is neither.
    let found = rustix::fs::openat2(&folder, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), resolve)?;
    if !FileType::from_raw_mode(rustix::fs::fstat(&found)?.st_mode).is_file() {
        return Err(not_regular());
    }
    // The same file that was looked at, not whatever has its name now.
    let same = PathBuf::from(format!("/proc/self/fd/{}", found.as_raw_fd()));
    Ok((File::open(&same)?, std::fs::read_link(&same)?))
}

/// Elsewhere the true place is compared: a link that is swapped at the right moment is not noticed.
#[cfg(not(target_os = "linux"))]
fn open(folder: &Path, path: &Path) -> io::Result<(File, PathBuf)> {
    let folder = folder.canonicalize()?;
    let place = folder.join(path).canonicalize()?;
    if !place.starts_with(&folder) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // A pipe would be waited for.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok((rustix::fs::open(&place, flags, Mode::empty())?.into(), place))
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn files_are_read_beneath_the_folder_only() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().canonicalize().unwrap().join("folder");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(place.path().join("secret"), "secret").unwrap();
        std::fs::write(folder.join("file"), "text").unwrap();
        symlink("file", folder.join("inner-link")).unwrap();
        symlink("../secret", folder.join("outer-link")).unwrap();
        symlink(place.path().join("secret"), folder.join("absolute-link")).unwrap();
        symlink(place.path(), folder.join("folder-link")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, folder.join("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        let opened = |path: &str| open_beneath(&folder, Path::new(path), Path::new("/nowhere"));
        for good in ["file", "./file", "inner-link"] {
            let mut text = String::new();
            opened(good).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "text", "{good}");
        }
        let bad = [
            "../secret",
            "outer-link",
            "absolute-link",
            "folder-link/secret",
            "/etc/passwd",
            "pipe",
            ".",
            "",
            "x\0y",
            "/dev/zero",
        ];
        for bad in bad {
            assert!(opened(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_folder_that_was_swapped_after_it_was_looked_at_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        for folder in ["folder/inner", "other/inner"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
            std::fs::write(base.join(folder).join("file"), "text").unwrap();
        }
        let folder = base.join("folder/inner");
        let opened = || open_beneath(&folder, Path::new("file"), Path::new("/nowhere"));
        assert!(opened().is_ok());
        for swapped in ["folder/inner", "folder"] {
            std::fs::rename(base.join(swapped), base.join("away")).unwrap();
            symlink(base.join(swapped.replace("folder", "other")), base.join(swapped)).unwrap();
            assert_eq!(opened().unwrap_err().kind(), io::ErrorKind::PermissionDenied, "{swapped}");
            std::fs::remove_file(base.join(swapped)).unwrap();
            std::fs::rename(base.join("away"), base.join(swapped)).unwrap();
        }
    }

    #[test]
    fn what_is_our_own_is_read_under_no_name() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        let own = base.join("data");
        std::fs::create_dir_all(own.join("secrets")).unwrap();
        std::fs::write(own.join("secrets/key"), "key").unwrap();
        std::fs::write(base.join("two-names"), "text").unwrap();
        std::fs::hard_link(base.join("two-names"), base.join("other-name")).unwrap();
        std::fs::hard_link(own.join("secrets/key"), base.join("hard-link")).unwrap();
        symlink("data/secrets/key", base.join("link")).unwrap();
        for bad in ["data/secrets/key", "hard-link", "link", "./data/../data/secrets/key"] {
            let error = open_beneath(&base, Path::new(bad), &own).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{bad}");
        }
        assert!(open_beneath(&base, Path::new("other-name"), &own).is_ok(), "other files may have two names");
    }
}
