//! The one secret of an installation: a key that is made at the first start, and the digests and tokens that come of it.
//!
//! Tokens are random and go to whoever is let in; here only their digests are kept. A digest says what the token is for, so
//! that a cookie is no bearer token; and without the key nobody can tell which token a digest is of.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The bytes of the key, and of a token.
const BYTES: usize = 32;

/// The key of an installation.
#[derive(Clone)]
pub struct Secrets {
    key: [u8; BYTES],
}

/// Why the key cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SecretsError {
    /// The file could not be read or written.
    #[error("could not use the key `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Others can read the file.
    #[error(
        "others can read the key `{}`: remove it and log in again on all devices or, if nobody has read it, `chmod 600` it",
        path.display()
    )]
    Readable {
        /// The file.
        path: PathBuf,
    },
    /// The file holds something else.
    #[error("`{}` holds no key: remove it, and log in again on all devices", path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
    },
}

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A browser's cookie.
    Cookie,
    /// A script's bearer token.
    Bearer,
    /// The link that is printed at the start, or shown to pair a device.
    Launch,
    /// A WebSocket.
    Socket,
}

/// The digest of a token.
pub type TokenDigest = [u8; BYTES];

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secrets")
    }
}

impl Secrets {
    /// The key of a data folder; made, if there is none.
    pub fn open(data: &Path) -> Result<Secrets, SecretsError> {
        let folder = data.join("secrets");
        let path = folder.join("key");
        let failed = |source| SecretsError::Io { path: path.clone(), source };
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(failed)?;
        match File::open(&path) {
            Ok(file) => read(file, &path),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                make(&path).map_err(failed)?;
                read(File::open(&path).map_err(failed)?, &path)
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// What is kept of a token.
    pub fn digest(&self, purpose: Purpose, token: &str) -> TokenDigest {
        let mut hash = Sha256::new();
        hash.update(self.key);
        hash.update(match purpose {
            Purpose::Cookie => b"cookie ".as_slice(),
            Purpose::Bearer => b"bearer ",
            Purpose::Launch => b"launch ",
            Purpose::Socket => b"socket ",
        });
        hash.update(token.as_bytes());
        hash.finalize().into()
    }

    /// The token of programs that can read the key themselves: those of the same user on the same machine.
    pub fn local_token(&self) -> String {
        hex(&self.derived(b"local"))
    }

    /// A name that tells this installation from others. Not secret.
    pub fn instance(&self) -> String {
        hex(&self.derived(b"instance")[..4])
    }

    fn derived(&self, what: &[u8]) -> [u8; BYTES] {
        let mut hash = Sha256::new();
        hash.update(self.key);
        hash.update(b"derived ");
        hash.update(what);
        hash.finalize().into()
    }
}

/// A new token that nobody can guess.
pub fn new_token() -> Result<String, std::io::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(hex(&bytes))
}

/// Are they the same? Takes the same time wherever they differ.
pub fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

fn make(path: &Path) -> std::io::Result<()> {
    // Two first starts at once: whoever links first has made the key, and the other one reads it.
    let part = path.with_extension(uuid::Uuid::new_v4().simple().to_string());
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(new_token()?.as_bytes())?;
    file.sync_all()?;
    let linked = std::fs::hard_link(&part, path);
    std::fs::remove_file(&part)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn read(mut file: File, path: &Path) -> Result<Secrets, SecretsError> {
    let failed = |source| SecretsError::Io { path: path.to_owned(), source };
    let mode = file.metadata().map_err(failed)?.mode();
    if mode & 0o077 != 0 {
        return Err(SecretsError::Readable { path: path.to_owned() });
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(failed)?;
    let key = unhex(text.trim()).ok_or_else(|| SecretsError::NoKey { path: path.to_owned() })?;
    Ok(Secrets { key })
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<[u8; BYTES]> {
    if text.len() != 2 * BYTES || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; BYTES];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_is_each_installations_own() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let first = Secrets::open(one.path()).unwrap();
        assert_eq!(first.key, Secrets::open(one.path()).unwrap().key);
        assert_ne!(first.key, Secrets::open(other.path()).unwrap().key);
        let mode = std::fs::metadata(one.path().join("secrets/key")).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(one.path().join("secrets")).unwrap().count(), 1);
    }

    #[test]
    fn a_token_is_good_for_one_purpose() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = Secrets::open(folder.path()).unwrap();
        let token = new_token().unwrap();
        assert_eq!(secrets.digest(Purpose::Cookie, &token), secrets.digest(Purpose::Cookie, &token));
        assert_ne!(secrets.digest(Purpose::Cookie, &token), secrets.digest(Purpose::Bearer, &token));
        assert_ne!(token, new_token().unwrap());
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        Secrets::open(folder.path()).unwrap();
        let path = folder.path().join("secrets/key");
        std::fs::write(&path, "changeme").unwrap();
        assert!(matches!(Secrets::open(folder.path()), Err(SecretsError::NoKey { .. })));
    }
}
