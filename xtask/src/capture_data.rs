//! `cargo xtask capture-data FORMAT`: drives the real binary with the scripted agent until its data folder holds all that a
//! user can own, and keeps that folder as `fixtures/data/FORMAT`. From then on every build has to read it.
//!
//! ```text
//! folder/      the data folder, byte for byte
//! access.json  the token and the cookie that it lets in
//! ```
//!
//! What the folder holds stands in `capture_data/sessions.rs` and `capture_data/user.rs`.

mod conversation;
mod damage;
mod place;
mod sessions;
mod user;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{Outcome, build, process, talk};
use conversation::Deck;
use place::Place;

/// Which folder to make.
#[derive(Args)]
pub(crate) struct CaptureDataArgs {
    /// The number of the format: the name of the new folder in `fixtures/data`
    format: u32,
}

/// Captures a data folder.
pub(crate) fn run(args: &CaptureDataArgs) -> Result<Outcome> {
    let fixture = process::root().join("fixtures/data").join(args.format.to_string());
    if fixture.exists() {
        bail!("`{}` exists: a captured folder is never changed; use the next number", fixture.display());
    }
    let programs = build::programs()?;
    let place = Place::new(&programs)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let access = runtime.block_on(record(&place))?;
    check(&place)?;
    copy(&place.data(), &fixture.join("folder"))?;
    fs::write(fixture.join("access.json"), format!("{access:#}\n"))?;
    talk::say(&format!("captured into `{}`", fixture.display()));
    Ok(Outcome::Passed)
}

/// Fills the data folder. Gives what it lets in.
async fn record(place: &Place) -> Result<serde_json::Value> {
    let deck = Deck::start(place).await?;
    talk::say("settings and devices");
    let access = user::settings(&deck).await?;
    talk::say("sessions");
    let open = sessions::all(&deck).await?;
    user::read_and_unread(&deck, &open).await?;
    deck.stop().await?;
    talk::say("crashes");
    damage::end_agent(place, &open.long)?;
    damage::cut_power(place, &[&open.asking, &open.torn])?;
    damage::tear(&place.log(&open.torn))?;
    damage::move_out_big_line(&place.session(&open.torn))?;
    place.quarterdeck(&["sessions", "pack", &open.long])?;
    // Both close their database, which takes its write-ahead log in.
    place.quarterdeck(&["sessions", "list"])?;
    place.quarterdeck(&["token", "list"])?;
    Ok(access)
}

/// Fails if the folder holds what it must not: a database that was not closed, or a path of this machine.
fn check(place: &Place) -> Result<()> {
    let own: Vec<String> = [Some(process::root()), std::env::var_os("HOME").map(PathBuf::from)]
        .into_iter()
        .flatten()
        .map(|path| format!("{}/", path.display()))
        .collect();
    for file in files(&place.data())? {
        let name = file.display();
        if ["-wal", "-shm", "-journal"].iter().any(|end| file.to_string_lossy().ends_with(end)) {
            bail!("`{name}`: the database was not closed");
        }
        let bytes = fs::read(&file)?;
        if let Some(path) = own.iter().find(|path| memchr::memmem::find(&bytes, path.as_bytes()).is_some()) {
            bail!("`{name}` names a folder of this machine, `{path}`");
        }
    }
    Ok(())
}

/// All files below a folder, without links.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("could not list `{}`", folder.display()))? {
        let entry = entry?;
        match entry.file_type()? {
            kind if kind.is_dir() => found.append(&mut files(&entry.path())?),
            kind if kind.is_file() => found.push(entry.path()),
            _ => {}
        }
    }
    Ok(found)
}

/// Copies a folder. Links stay links: a keeper that was killed leaves one to its socket.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type()? {
            kind if kind.is_dir() => copy(&source, &target)?,
            kind if kind.is_symlink() => std::os::unix::fs::symlink(fs::read_link(&source)?, &target)?,
            _ => fs::write(&target, fs::read(&source)?)?,
        }
    }
    Ok(())
}
