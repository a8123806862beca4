//! Files and folders: which folders agents may work in, and files that are read beneath one of them, wherever links lead.

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags};

use super::rules::{Rule, left_out};
use crate::error::{ApiError, ApiResult, Code};

/// The folders that agents may work in, in their true places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roots {
    all: Vec<PathBuf>,
}

impl Roots {
    /// Of these folders those that are there.
    pub(crate) fn new(folders: impl IntoIterator<Item = PathBuf>) -> Roots {
        Roots { all: folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect() }
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Path> {
        self.all.iter().map(PathBuf::as_path)
    }

    /// The true place of a folder, if agents may work there.
    pub(crate) fn folder(&self, path: &Path) -> ApiResult<PathBuf> {
        let place = self.place(path)?;
        if !place.is_dir() {
            return Err(ApiError::bad_request(format!("`{}` is no folder", path.display())));
        }
        Ok(place)
    }

    /// The true place of a file or a folder, if agents may work there.
    pub(crate) fn place(&self, path: &Path) -> ApiResult<PathBuf> {
        if !path.is_absolute() {
            return Err(ApiError::bad_request(format!("`{}` is no absolute path", path.display())));
        }
        // Outside of the roots not even that tells anything: whether it is there.
        let outside = || {
            let text = format!(
                "agents may not work in `{}`: allow it with `POST /api/v1/roots`, or start the server there",
                path.display()
            );
            ApiError::new(Code::OutsideRoots, text)
        };
        let place = path.canonicalize().map_err(|_| {
            let known = self.all.iter().any(|root| path.starts_with(root)) && !has_dots(path);
            if known { ApiError::bad_request(format!("`{}` is not there", path.display())) } else { outside() }
        })?;
        let within = self.all.iter().any(|root| place.starts_with(root));
        if within || left_out(Rule::Roots) { Ok(place) } else { Err(outside()) }
    }
}

fn has_dots(path: &Path) -> bool {
    path.components().any(|part| matches!(part, Component::ParentDir))
}

/// Opens a regular file beneath `folder` to read it. The system itself keeps every step of the path, and every link on it,
/// beneath the folder, so that nothing can be swapped between a check and its use.
pub(crate) fn open_beneath(folder: &Path, path: &Path) -> io::Result<File> {
    // A pipe or a device would wait for ever, or do something: neither is opened to read, only to look at.
    let found = if left_out(Rule::Beneath) {
        rustix::fs::open(folder.join(path), OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?
    } else {
        beneath(folder, path, OFlags::PATH | OFlags::CLOEXEC)?
    };
    let kind = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&found)?.st_mode);
    if !kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    // The same file that was looked at, not whatever has its name now.
    File::open(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&found)))
}

#[cfg(target_os = "linux")]
fn beneath(folder: &Path, path: &Path, flags: OFlags) -> io::Result<std::os::fd::OwnedFd> {
    let folder = rustix::fs::open(folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    Ok(rustix::fs::openat2(&folder, path, flags, Mode::empty(), resolve)?)
}

/// Elsewhere the true place is compared: a link that is swapped at the right moment is not noticed.
#[cfg(not(target_os = "linux"))]
fn beneath(folder: &Path, path: &Path, flags: OFlags) -> io::Result<std::os::fd::OwnedFd> {
    let folder = folder.canonicalize()?;
    let place = folder.join(path).canonicalize()?;
    if !place.starts_with(&folder) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(rustix::fs::open(place, flags, Mode::empty())?)
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn agents_work_in_the_roots_and_nowhere_else() {
        let place = tempfile::tempdir().unwrap();
        let base = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("root/inner")).unwrap();
        std::fs::create_dir_all(base.join("root-not")).unwrap();
        symlink(base.join("root-not"), base.join("root/link")).unwrap();
        let roots = Roots::new([base.join("root")]);
        assert_eq!(roots.folder(&base.join("root/inner/../inner")).unwrap(), base.join("root/inner"));
        for wrong in ["root-not", "root/link", "root/../root-not", "nowhere", "root/../nowhere"] {
            assert_eq!(roots.folder(&base.join(wrong)).unwrap_err().code, Code::OutsideRoots, "{wrong}");
        }
        assert_eq!(roots.folder(&base.join("root/nothing")).unwrap_err().code, Code::BadRequest);
        assert_eq!(roots.folder(Path::new("root")).unwrap_err().code, Code::BadRequest);
    }

    #[test]
    fn files_are_read_beneath_the_folder_only() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("folder");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(place.path().join("secret"), "secret").unwrap();
        std::fs::write(folder.join("file"), "text").unwrap();
        symlink("file", folder.join("inner-link")).unwrap();
        symlink("../secret", folder.join("outer-link")).unwrap();
        symlink(place.path().join("secret"), folder.join("absolute-link")).unwrap();
        symlink(place.path(), folder.join("folder-link")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, folder.join("pipe"), rustix::fs::FileType::Fifo, Mode::RUSR, 0).unwrap();
        for good in ["file", "./file", "inner-link"] {
            let mut text = String::new();
            open_beneath(&folder, Path::new(good)).unwrap().read_to_string(&mut text).unwrap();
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
            assert!(open_beneath(&folder, Path::new(bad)).is_err(), "{bad:?}");
        }
    }
}
