//! `quarterdeck sessions`: what is kept, for people and for programs.

mod export;
mod list;

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use claude_driver::Claude;
use insights::UnixMillis;
use journal::{Data, Folder, Index, Lock};
use live::transcripts::{Projects, Transcript};

use crate::args::{Sessions, SessionsCommand};
use crate::terminal;

/// Runs the command.
pub(crate) fn run(sessions: &Sessions) -> Result<ExitCode> {
    let data = Data::open(sessions.data.path()?)?;
    match &sessions.command {
        SessionsCommand::List { text, json, limit } => list::list(&data, text.as_deref(), *json, *limit)?,
        SessionsCommand::Show { id, json } => export::show(&folder(&data, id)?, *json)?,
        SessionsCommand::Export { id, form, output } => export::export(&folder(&data, id)?, *form, output.as_deref())?,
        SessionsCommand::Import { transcripts } => return import(&data, transcripts),
        SessionsCommand::Pack { ids } => return pack(&data, ids),
        SessionsCommand::Rm { ids, force } => return remove(&data, ids, *force),
    }
    Ok(ExitCode::SUCCESS)
}

/// The id of the one session whose id begins so.
pub(crate) fn find(data: &Data, id: &str) -> Result<String> {
    let all = data.sessions()?;
    if all.iter().any(|folder| folder.id() == id) {
        return Ok(id.to_owned());
    }
    let found: Vec<String> = all.iter().map(Folder::id).filter(|name| name.starts_with(id)).collect();
    match &found[..] {
        [one] if !id.is_empty() => Ok(one.clone()),
        [] => bail!("there is no session `{id}`: `quarterdeck sessions list` shows those that there are"),
        several => bail!("`{id}` is the beginning of {} sessions: {}", several.len(), several.join(", ")),
    }
}

fn folder(data: &Data, id: &str) -> Result<Folder> {
    let id = find(data, id)?;
    data.session(&id).with_context(|| format!("there is no session `{id}`"))
}

/// The index, brought to where the logs are; on a folder that cannot be written to, as it is.
pub(crate) fn index(data: &Data) -> Result<Index> {
    let mut index = match Index::open(data) {
        Ok(index) => index,
        Err(error) => return Index::reader(data).map_err(|_| error.into()),
    };
    let mut bar = Bar::new();
    let caught_up = index.catch_up(data, |progress| {
        // Where nothing is lacking, nothing is shown.
        if progress.records > 0 {
            bar.show(&format!("indexing: {} of {} sessions", progress.sessions_done, progress.sessions));
        }
    })?;
    bar.clear();
    for (session, error) in caught_up.unreadable {
        terminal::complain(&anyhow::Error::from(error).context(format!("session {session}")));
    }
    Ok(index)
}

/// Takes transcripts in: those that are named by file or by session, or all.
fn import(data: &Data, names: &[String]) -> Result<ExitCode> {
    let config = Claude::new().config_folder().context("could not find the CLI's folder: is HOME set?")?;
    let mut projects = Projects::new(&config);
    let transcripts: Vec<Transcript> = match names {
        [] => projects.list().into_iter().map(|listed| Transcript::new(listed.path)).collect(),
        names => names.iter().map(|name| transcript(&projects, name)).collect::<Result<_>>()?,
    };
    if transcripts.is_empty() {
        writeln!(std::io::stderr(), "no transcripts below `{}`", config.display())?;
    }
    let host = super::run::host(false)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let failed = runtime.block_on(async {
        let sessions = live::Sessions::open(data.clone(), host).await?;
        let mut bar = Bar::new();
        let (mut new, mut entries, mut failed) = (0, 0, false);
        for (number, transcript) in transcripts.iter().enumerate() {
            bar.show(&format!("importing: {} of {} transcripts", number + 1, transcripts.len()));
            match sessions.adopt(transcript.clone()).await {
                Ok((_, 0)) => {}
                Ok((_, added)) => {
                    new += 1;
                    entries += added;
                }
                Err(error) => {
                    bar.clear();
                    failed = true;
                    let name = transcript.path().display().to_string();
                    terminal::complain(&anyhow::Error::from(error).context(name));
                }
            }
        }
        bar.clear();
        let entries = if entries == 1 { "1 new entry".to_owned() } else { format!("{entries} new entries") };
        writeln!(std::io::stdout(), "{} with {entries}", counted(new, "session"))?;
        anyhow::Ok(failed)
    })?;
    index(data)?;
    Ok(if failed { terminal::failed() } else { ExitCode::SUCCESS })
}

fn transcript(projects: &Projects, name: &str) -> Result<Transcript> {
    if Path::new(name).is_file() {
        return Ok(Transcript::new(name));
    }
    projects
        .find(name)
        .with_context(|| format!("there is neither a file `{name}` nor a transcript of a session `{name}`"))
}

fn pack(data: &Data, ids: &[String]) -> Result<ExitCode> {
    const WEEK_MS: i64 = 7 * 24 * 60 * 60 * 1000;
    let folders = match ids {
        [] => {
            let old = |folder: &Folder| !Lock::is_held(folder) && age_ms(folder).is_some_and(|age| age > WEEK_MS);
            data.sessions()?.into_iter().filter(old).collect()
        }
        ids => ids.iter().map(|id| folder(data, id)).collect::<Result<Vec<_>>>()?,
    };
    let mut bar = Bar::new();
    let (mut before, mut after, mut count, mut failed) = (0, 0, 0, false);
    for (number, folder) in folders.iter().enumerate() {
        bar.show(&format!("packing: {} of {} sessions", number + 1, folders.len()));
        match journal::pack(folder) {
            Ok(Some(packed)) => {
                before += packed.before_bytes;
                after += packed.after_bytes;
                count += 1;
            }
            Ok(None) => {}
            Err(error) => {
                bar.clear();
                failed = true;
                terminal::complain(&anyhow::Error::from(error).context(format!("session {}", folder.id())));
            }
        }
    }
    bar.clear();
    writeln!(std::io::stdout(), "{count} packed, {} → {}", size(before), size(after))?;
    Ok(if failed { terminal::failed() } else { ExitCode::SUCCESS })
}

fn age_ms(folder: &Folder) -> Option<i64> {
    let changed = std::fs::metadata(folder.log()).and_then(|meta| meta.modified()).ok()?;
    Some(i64::try_from(changed.elapsed().unwrap_or_default().as_millis()).unwrap_or(i64::MAX))
}

fn remove(data: &Data, ids: &[String], force: bool) -> Result<ExitCode> {
    let folders = ids.iter().map(|id| folder(data, id)).collect::<Result<Vec<_>>>()?;
    for folder in &folders {
        let id = folder.id();
        if !force && !confirmed(&format!("Remove session {id} for good?"))? {
            bail!("session {id} was not removed");
        }
        // Whoever holds the lock writes there, or will.
        let lock = match Lock::take(folder) {
            Err(error @ journal::Error::InUse { .. }) => {
                return Err(anyhow::Error::from(error).context(format!("session {id} runs: end it first")));
            }
            taken => taken?,
        };
        std::fs::remove_dir_all(folder.path()).with_context(|| format!("could not remove session {id}"))?;
        drop(lock);
        writeln!(std::io::stderr(), "removed {id}")?;
    }
    // The index follows; if it cannot now, it will with the next look at it.
    if let Ok(mut index) = Index::open(data) {
        for folder in &folders {
            let _ = index.remove(&folder.id());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn confirmed(question: &str) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("{question} Nobody is there to ask: use --force");
    }
    write!(std::io::stderr(), "{question} [y/N] ")?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Bytes for people.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KB", "MB", "GB", "TB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// So many of something, for people.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{ending}")
}

/// How long ago, for people.
pub(crate) fn ago(at: UnixMillis, now: UnixMillis) -> String {
    let seconds = now.0.saturating_sub(at.0).max(0) / 1000;
    match seconds {
        0..60 => "now".to_owned(),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// A line that tells how far something is, where somebody looks.
pub(crate) struct Bar {
    watched: bool,
    last: Option<Instant>,
}

impl Bar {
    pub(crate) fn new() -> Bar {
        Bar { watched: std::io::stderr().is_terminal(), last: None }
    }

    /// Shows a text, not more often than an eye can follow.
    #[expect(clippy::disallowed_methods, reason = "the time is for the eye only; nothing is decided by it")]
    pub(crate) fn show(&mut self, text: &str) {
        let due = self.last.is_none_or(|last| last.elapsed() > Duration::from_millis(100));
        if self.watched && due {
            let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
            self.last = Some(Instant::now());
        }
    }

    pub(crate) fn clear(&mut self) {
        if self.last.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_for_people() {
        assert_eq!([size(7), size(1500), size(2_000_000)], ["7 B", "1.5 KB", "2.0 MB"]);
        let ago = |seconds: i64| ago(UnixMillis(0), UnixMillis(seconds * 1000));
        assert_eq!([counted(0, "turn"), counted(1, "turn"), counted(2, "turn")], ["0 turns", "1 turn", "2 turns"]);
        assert_eq!(super::ago(UnixMillis(7_200_000), UnixMillis(0)), "now", "a clock that was set back");
        assert_eq!([ago(5), ago(120), ago(7300), ago(200_000)], ["now", "2 min", "2 h", "2 d"]);
    }
}
