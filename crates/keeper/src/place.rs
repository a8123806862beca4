//! Where a keeper listens: in the user's runtime folder under a short name, since paths of sockets may have 104 bytes at
//! most; and how it is found again: by a link in the session folder.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, symlink};
use std::path::{Path, PathBuf};

use journal::Folder;

/// A place for the socket of whoever holds this folder, a session's or all data, which no other folder of the user has. Makes the folder if it is not there.
pub fn socket_path(folder: &Folder) -> io::Result<PathBuf> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_dir());
    let user = rustix::process::getuid().as_raw();
    let short = |path: &PathBuf| path.as_os_str().len() <= 60;
    let base = match runtime.map(|runtime| runtime.join("quarterdeck")).filter(short) {
        Some(base) => base,
        None => Path::new("/tmp").join(format!("quarterdeck-{user}")),
    };
    private(&base, user)?;
    let whole = fs::canonicalize(folder.path()).unwrap_or_else(|_| folder.path().to_owned());
    Ok(base.join(format!("{:016x}.socket", hash(whole.as_os_str().as_encoded_bytes()))))
}

/// Where the keeper of a session listens, if there was one.
pub fn find(folder: &Folder) -> Option<PathBuf> {
    fs::read_link(link(folder)).ok()
}

/// Notes in the session folder where its keeper listens.
pub(crate) fn note(folder: &Folder, socket: &Path) -> io::Result<()> {
    forget(folder);
    symlink(socket, link(folder))
}

/// Takes the note away.
pub(crate) fn forget(folder: &Folder) {
    let _ = fs::remove_file(link(folder));
}

fn link(folder: &Folder) -> PathBuf {
    folder.path().join("socket")
}

/// Makes a folder that nobody else can enter. One that somebody else made is not used.
fn private(folder: &Path, user: u32) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(folder)?;
    if !found.is_dir() || found.uid() != user || found.mode() & 0o077 != 0 {
        let text = format!("`{}` must be a folder of yours that nobody else can enter", folder.display());
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(())
}

/// FNV-1a: the same in every build, unlike that of the standard library.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_socket_is_found_by_the_folder_and_its_path_is_short() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path().join("a".repeat(100)).join("b".repeat(100)));
        folder.make().unwrap();
        assert_eq!(find(&folder), None);
        let socket = socket_path(&folder).unwrap();
        assert!(socket.as_os_str().len() < 104);
        assert_eq!(socket_path(&folder).unwrap(), socket);
        assert_ne!(socket_path(&Folder::new(place.path().join("c"))).unwrap(), socket);
        note(&folder, &socket).unwrap();
        note(&folder, &socket).unwrap();
        assert_eq!(find(&folder), Some(socket));
        forget(&folder);
        assert_eq!(find(&folder), None);
    }

    #[test]
    fn a_folder_that_others_can_enter_is_not_used() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("open");
        let user = rustix::process::getuid().as_raw();
        private(&folder, user).unwrap();
        private(&folder, user).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o750)).unwrap();
        assert_eq!(private(&folder, user).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        let link = place.path().join("link");
        symlink(place.path(), &link).unwrap();
        assert_eq!(private(&link, user).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }
}
