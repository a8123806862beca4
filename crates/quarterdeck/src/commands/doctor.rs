//! `quarterdeck doctor`: is everything there that sessions need? Each check in one line, with what to do about it.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use claude_driver::{Claude, Error};
use journal::{Data, Index};
use serde::Serialize;

use super::sessions::{counted, size};
use crate::args::Doctor;

/// What was looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    outcome: Outcome,
    found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Good,
    /// Something works less well than it could.
    Warning,
    /// Sessions cannot be run.
    Bad,
}

/// Runs the command.
pub(crate) fn run(doctor: &Doctor) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut checks = runtime.block_on(check_cli());
    checks.extend(check_data(doctor));
    checks.push(check_runtime());
    let mut out = std::io::stdout().lock();
    if doctor.json {
        serde_json::to_writer(&mut out, &checks)?;
        writeln!(out)?;
    } else {
        for check in &checks {
            let mark = match check.outcome {
                Outcome::Good => "✓",
                Outcome::Warning => "!",
                Outcome::Bad => "✗",
            };
            writeln!(out, "{mark} {:<12} {}", check.name, check.found)?;
            if let Some(advice) = &check.advice {
                writeln!(out, "  {:<12} → {advice}", "")?;
            }
        }
    }
    let bad = checks.iter().any(|check| check.outcome == Outcome::Bad);
    Ok(if bad { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Is the CLI there, how old is it, and does it answer?
async fn check_cli() -> Vec<Check> {
    let claude = Claude::new();
    let files = std::env::temp_dir().join(format!("quarterdeck-doctor-{}", std::process::id()));
    let plan = match claude.plan(&files).await {
        Ok(plan) => plan,
        Err(error) => {
            let advice = Some("install it: npm install -g @anthropic-ai/claude-code".to_owned());
            let found = match error {
                // Whoever asks the doctor wants to know all of them.
                Error::NotFound { searched } => {
                    let places: Vec<_> = searched.iter().map(|place| place.display().to_string()).collect();
                    format!("not found; looked at {}", places.join(", "))
                }
                error => format!("{:#}", anyhow::Error::from(error)),
            };
            return vec![Check { name: "claude", outcome: Outcome::Bad, found, advice }];
        }
    };
    let found = format!("{} at {}", plan.version, plan.program.path.to_string_lossy());
    let mut checks = vec![Check { name: "claude", outcome: Outcome::Good, found, advice: None }];
    // No prompt is sent, so nothing is spent.
    let answered = match claude.start().await {
        Ok(session) => {
            let account = session.account().and_then(|account| account.email.clone());
            let found = match account {
                Some(email) => format!("it answers, logged in as {email}"),
                None => "it answers; it does not say who is logged in".to_owned(),
            };
            let _ = session.close().await;
            Check { name: "start", outcome: Outcome::Good, found, advice: None }
        }
        Err(error) => Check {
            name: "start",
            outcome: Outcome::Bad,
            found: format!("{:#}", anyhow::Error::from(error)),
            advice: Some("run `claude` in a terminal and see what it says".to_owned()),
        },
    };
    checks.push(answered);
    checks
}

/// Can the data folder be used, and how full is it?
fn check_data(doctor: &Doctor) -> Vec<Check> {
    let bad = |found: String| {
        vec![Check {
            name: "data",
            outcome: Outcome::Bad,
            found,
            advice: Some("give another folder with --data or $QUARTERDECK_DATA".to_owned()),
        }]
    };
    let data = match doctor.data.path().and_then(Data::open) {
        Ok(data) => data,
        Err(error) => return bad(format!("{:#}", anyhow::Error::from(error))),
    };
    let probe = data.path().join(format!(".doctor-{}", std::process::id()));
    if let Err(error) = std::fs::write(&probe, b"") {
        return bad(format!("`{}` cannot be written to: {error}", data.path().display()));
    }
    let _ = std::fs::remove_file(&probe);
    let sessions = data.sessions().unwrap_or_default();
    let bytes = sessions.iter().map(journal::Folder::bytes).sum();
    let found = format!("{}: {}, {}", data.path().display(), counted(sessions.len() as u64, "session"), size(bytes));
    let mut checks = vec![Check { name: "data", outcome: Outcome::Good, found, advice: None }];
    checks.extend(check_disk(data.path()));
    checks.extend(check_index(&data));
    checks
}

/// Does the index have all that is kept?
fn check_index(data: &Data) -> Option<Check> {
    let warning = |found: String, advice: &str| {
        Some(Check { name: "index", outcome: Outcome::Warning, found, advice: Some(advice.to_owned()) })
    };
    match Index::reader(data).and_then(|mut index| index.behind(data)) {
        Ok(behind) if behind.sessions > 0 => {
            let found = format!("{} behind, {}", counted(behind.sessions as u64, "session"), size(behind.bytes));
            warning(found, "`quarterdeck sessions list` brings it up to date")
        }
        Err(error @ journal::Error::NewerIndex { .. }) => warning(error.to_string(), "use that version"),
        Ok(_) | Err(_) => None,
    }
}

/// Below this a busy session may fill the disk within a day.
const LITTLE_ROOM: u64 = 1_000_000_000;

fn check_disk(path: &Path) -> Option<Check> {
    let stat = rustix::fs::statvfs(path).ok()?;
    let free = stat.f_bavail * stat.f_frsize;
    let little = free < LITTLE_ROOM;
    Some(Check {
        name: "disk",
        outcome: if little { Outcome::Warning } else { Outcome::Good },
        found: format!("{} free", size(free)),
        advice: little.then(|| "make room, or pack old sessions: `quarterdeck sessions pack`".to_owned()),
    })
}

/// Is there a place for the sockets of keepers?
fn check_runtime() -> Check {
    let folder = journal::Folder::new(std::env::temp_dir());
    match keeper::socket_path(&folder) {
        Ok(path) => {
            let found = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
            Check { name: "sockets", outcome: Outcome::Good, found, advice: None }
        }
        Err(error) => Check {
            name: "sockets",
            outcome: Outcome::Bad,
            found: error.to_string(),
            advice: Some("set XDG_RUNTIME_DIR to a folder of your own".to_owned()),
        },
    }
}
