//! Where the lab keeps what it installs or builds once for all tests, and the lock that is held meanwhile.

use std::fs::File;
use std::path::PathBuf;

use crate::error::LabError;

/// The folder that `variable` names, else `quarterdeck/<name>` in the user's cache folder.
pub(crate) fn folder(variable: &str, name: &str) -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = set(variable) {
        return folder;
    }
    let user_cache = set("XDG_CACHE_HOME").or_else(|| {
        let below = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        set("HOME").map(|home| home.join(below))
    });
    user_cache.unwrap_or_else(std::env::temp_dir).join("quarterdeck").join(name)
}

/// Waits for the lock and holds it until the file is dropped. Many tests may want the same thing at a time.
pub(crate) async fn lock(path: PathBuf) -> Result<File, LabError> {
    let waiting = tokio::task::spawn_blocking(move || {
        let file = File::create(&path).map_err(LabError::file(&path))?;
        file.lock().map_err(LabError::file(&path))?;
        Ok(file)
    });
    waiting.await.map_err(|error| LabError::Step { reason: error.to_string() })?
}
