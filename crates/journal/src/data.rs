//! The data folder: a place in; the folders of its sessions, its databases and the lock of its server out.
//!
//! ```text
//! sessions/<id>/   one folder for each session        index.sqlite   derived from the logs, can be made again
//! server.lock      held by the one server             desk.sqlite    the user's own, cannot
//! ```

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;

use crate::error::{Error, Result};
use crate::folder::{Folder, make_private};
use crate::lock::lock_file;

/// The data folder. Reading works also where nothing can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    path: PathBuf,
}

impl Data {
    /// The folder at `path`, made if it is not there. One that is there keeps its permissions: it may be the user's.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(Error::NotAFolder { path }),
            Err(error) if error.kind() == ErrorKind::NotFound => make_private(&path)?,
            Err(error) if error.kind() == ErrorKind::NotADirectory => return Err(Error::NotAFolder { path }),
            Err(error) => return Err(Error::io("look at", &path)(error)),
        }
        Ok(Data { path })
    }

    /// Closes the folder to everybody but its owner: a server keeps secrets in it.
    pub fn close_to_others(&self) -> Result<()> {
        let of = |doing| Error::io(doing, &self.path);
        let mode = fs::metadata(&self.path).map_err(of("look at"))?.permissions().mode();
        match mode & 0o077 {
            0 => Ok(()),
            _ => fs::set_permissions(&self.path, Permissions::from_mode(mode & 0o700)).map_err(of("close to others")),
        }
    }

    /// Where the data is if nobody says otherwise: `$QUARTERDECK_DATA`, else the platform's place for data.
    pub fn default_path() -> Result<PathBuf> {
        default_path(|name| std::env::var_os(name), cfg!(target_os = "macos")).ok_or(Error::NoHome)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of a session, whether it is there or not. `None` if no folder can have that name: ids may come from
    /// outside, and must not lead out of here.
    pub fn session(&self, id: &str) -> Option<Folder> {
        let plain = !id.is_empty() && !id.starts_with('.') && !id.contains(['/', '\\', '\0']) && id.len() <= 255;
        plain.then(|| Folder::new(self.sessions_path().join(id)))
    }

    /// The sessions that have a log, by id.
    pub fn sessions(&self) -> Result<Vec<Folder>> {
        let path = self.sessions_path();
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io("list", &path)(error)),
        };
        let mut folders = Vec::new();
        for entry in entries {
            let entry = entry.map_err(Error::io("list", &path))?;
            // A name that is no text cannot be an id.
            let Some(folder) = entry.file_name().to_str().and_then(|id| self.session(id)) else { continue };
            if folder.log().exists() || folder.packed().exists() {
                folders.push(folder);
            }
        }
        folders.sort_by_key(Folder::id);
        Ok(folders)
    }

    /// The index: derived from the logs.
    pub fn index(&self) -> PathBuf {
        self.path.join("index.sqlite")
    }

    /// The desk: the user's own data.
    pub fn desk(&self) -> PathBuf {
        self.path.join("desk.sqlite")
    }

    /// The file whose lock the one server holds.
    pub fn server_lock(&self) -> PathBuf {
        self.path.join("server.lock")
    }

    fn sessions_path(&self) -> PathBuf {
        self.path.join("sessions")
    }
}

/// Held by the one server of a data folder, as long as it lives.
#[derive(Debug)]
pub struct ServerLock {
    path: PathBuf,
    file: File,
}

impl ServerLock {
    /// Takes the lock. If another server has it, the error says where that one listens.
    pub fn take(data: &Data) -> Result<Self> {
        let path = data.server_lock();
        let taken = lock_file(&path, FlockOperation::NonBlockingLockExclusive)?;
        let Some(file) = taken else {
            let said = fs::read_to_string(&path).unwrap_or_default();
            let mut lines = said.lines().filter(|line| !line.is_empty());
            let (address, socket) = (lines.next().map(str::to_owned), lines.next().map(PathBuf::from));
            return Err(Error::Served { folder: data.path().to_owned(), address, socket });
        };
        let lock = ServerLock { path, file };
        // What the server before wrote there is not so any more.
        lock.file.set_len(0).map_err(Error::io("write", &lock.path))?;
        Ok(lock)
    }

    /// Writes down where the server listens, for one that comes second: for browsers, and for programs of its owner.
    pub fn set_address(&mut self, address: &str, socket: Option<&Path>) -> Result<()> {
        let mut write = || {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            let socket = socket.map(Path::display).map_or_else(String::new, |socket| format!("{socket}\n"));
            write!(self.file, "{address}\n{socket}")
        };
        write().map_err(Error::io("write", &self.path))
    }

    /// Where the server listens, as it was written down.
    pub fn address(&mut self) -> Result<String> {
        let mut text = String::new();
        let read = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.read_to_string(&mut text));
        read.map_err(Error::io("read", &self.path))?;
        Ok(text.trim().to_owned())
    }
}

/// The place for data by the variables of the environment.
fn default_path(variable: impl Fn(&str) -> Option<OsString>, macos: bool) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = set("QUARTERDECK_DATA") {
        return Some(std::path::absolute(&path).unwrap_or(path));
    }
    // A path that is not absolute is to be passed over, as the rules for this variable say.
    let base = set("XDG_DATA_HOME").filter(|path| path.is_absolute() && !macos);
    let home = || set("HOME").map(|home| home.join(if macos { "Library/Application Support" } else { ".local/share" }));
    Some(base.or_else(home)?.join("quarterdeck"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(variables: &[(&str, &str)], macos: bool) -> Option<String> {
        let variable = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        default_path(variable, macos).map(|path| path.to_string_lossy().into_owned())
    }

    #[test]
    fn the_place_for_data_is_what_the_user_says_or_what_the_platform_has() {
        let home = ("HOME", "/home/ada");
        assert_eq!(place(&[("QUARTERDECK_DATA", "/data"), home], false).unwrap(), "/data");
        assert_eq!(place(&[("XDG_DATA_HOME", "/xdg"), home], false).unwrap(), "/xdg/quarterdeck");
        assert_eq!(place(&[("XDG_DATA_HOME", "xdg"), home], false).unwrap(), "/home/ada/.local/share/quarterdeck");
        assert_eq!(place(&[("QUARTERDECK_DATA", ""), home], false).unwrap(), "/home/ada/.local/share/quarterdeck");
        let of_mac = place(&[("XDG_DATA_HOME", "/xdg"), home], true).unwrap();
        assert_eq!(of_mac, "/home/ada/Library/Application Support/quarterdeck");
        assert_eq!(place(&[], false), None);
    }
}
