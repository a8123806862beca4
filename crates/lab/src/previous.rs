//! The previous version of Quarterdeck: a pinned commit in; its binary out, built once from the history and then cached.
//!
//! Agents outlive the server, so a new server attaches to keepers of the version before it. The tests start such a keeper
//! with this binary.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache;
use crate::error::LabError;
use crate::process::command;
use crate::real::process::run;

/// The environment variable that names a binary of the previous version. Without it the binary is built and cached.
pub const BINARY_VARIABLE: &str = "QUARTERDECK_PREVIOUS";

/// The environment variable that names the cache folder.
pub const CACHE_VARIABLE: &str = "QUARTERDECK_KEEPER_CACHE";

/// The name of the binary.
const NAME: &str = "quarterdeck";

/// The files that the binary is built from. The page is not among them: building it takes Node and longer than the rest.
const SOURCES: &[&str] = &["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "crates", "xtask"];

/// The pinned commit, as `previous.txt` has it.
pub fn commit() -> &'static str {
    include_str!("../previous.txt").lines().find(|line| !line.starts_with('#')).unwrap_or_default().trim()
}

/// Where built binaries are kept: `$QUARTERDECK_KEEPER_CACHE`, else a folder in the user's cache.
pub fn cache_folder() -> PathBuf {
    cache::folder(CACHE_VARIABLE, "keepers")
}

/// The binary, if it need not be built.
pub fn find() -> Option<PathBuf> {
    let named = std::env::var_os(BINARY_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(place()).filter(|binary| binary.is_file()))
}

/// The binary, built if it is not cached. That takes a few minutes.
pub async fn binary() -> Result<PathBuf, LabError> {
    if let Some(binary) = find() {
        return Ok(binary);
    }
    let (cache, binary) = (cache_folder(), place());
    fs::create_dir_all(&cache).map_err(LabError::file(&cache))?;
    let _lock = cache::lock(cache.join(format!("{}.lock", commit()))).await?;
    // Another process may have been faster while this one waited for the lock.
    if !binary.is_file() {
        let fresh = cache.join(format!(".fresh-{}", commit()));
        let _ = fs::remove_dir_all(&fresh);
        let built = build(&fresh, &binary).await;
        let _ = fs::remove_dir_all(&fresh);
        built?;
    }
    Ok(binary)
}

fn place() -> PathBuf {
    cache_folder().join(commit()).join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX))
}

/// Takes the sources from the history, builds them in `fresh`, and moves the binary to `binary`.
async fn build(fresh: &Path, binary: &Path) -> Result<(), LabError> {
    let (source, target) = (fresh.join("source"), fresh.join("target"));
    let page = stand_in_page(fresh)?;
    unpack(fresh, &source).await?;
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--locked", "--quiet", "--package", NAME, "--bin", NAME, "--target-dir"]).arg(&target);
    // It is built once and never debugged.
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "none").env("CARGO_INCREMENTAL", "0").env_remove("CARGO_BUILD_TARGET");
    cargo.env("CARGO_PROFILE_DEV_STRIP", "symbols").env("QUARTERDECK_WEB_DIST", page).current_dir(&source);
    run(cargo).await.map_err(|reason| failed(format!("`cargo build` failed: {reason}")))?;
    let built = target.join("debug").join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX));
    let folder = binary.parent().unwrap_or(binary);
    fs::create_dir_all(folder).map_err(LabError::file(folder))?;
    fs::rename(&built, binary).map_err(LabError::file(&built))
}

/// The least that the server's build script takes for a page.
fn stand_in_page(fresh: &Path) -> Result<PathBuf, LabError> {
    let page = fresh.join("page");
    let files = page.join("page");
    fs::create_dir_all(&files).map_err(LabError::file(&files))?;
    let index = page.join("index.html");
    fs::write(&index, "<!doctype html>\n<title>Quarterdeck</title>\n").map_err(LabError::file(&index))?;
    Ok(page)
}

async fn unpack(fresh: &Path, source: &Path) -> Result<(), LabError> {
    let git = || {
        let mut git = command("git");
        git.arg("-C").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        git
    };
    let mut look = git();
    look.args(["cat-file", "-e", &format!("{}^{{commit}}", commit())]);
    if let Err(reason) = run(look).await {
        return Err(LabError::NoHistory { commit: commit().to_owned(), reason });
    }
    let archive = fresh.join("source.tar");
    let mut pack = git();
    pack.args(["archive", "--format=tar", "--output"]).arg(&archive).arg(commit()).arg("--").args(SOURCES);
    run(pack).await.map_err(|reason| failed(format!("`git archive` failed: {reason}")))?;
    fs::create_dir_all(source).map_err(LabError::file(source))?;
    let mut tar = command("tar");
    tar.arg("-xf").arg(&archive).arg("-C").arg(source);
    run(tar).await.map_err(|reason| failed(format!("`tar` failed: {reason}")))
}

fn failed(reason: String) -> LabError {
    LabError::Previous { commit: commit().to_owned(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pinned_commit_is_a_full_hash() {
        assert_eq!(commit().len(), 40, "{}", commit());
        assert!(commit().bytes().all(|byte| byte.is_ascii_hexdigit()), "{}", commit());
    }
}
