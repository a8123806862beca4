//! Helpers run to their end, and what was started ended with all that came from it.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::{Signal, kill_process, kill_process_group};
use tokio::process::Command;

use crate::error::LabError;
use crate::process::process_id;

/// Runs a helper to its end and gives its standard error when it fails.
pub(crate) async fn run(mut command: Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().await.map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let tail: Vec<&str> = said.lines().rev().take(8).collect();
    Err(format!("{}: {}", output.status, tail.into_iter().rev().collect::<Vec<_>>().join("\n")))
}

/// Where a program is on this process's PATH.
pub(crate) fn find_program(name: &str) -> Result<PathBuf, LabError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file()).ok_or_else(|| {
        LabError::Spawn {
            program: name.to_owned(),
            source: std::io::Error::new(std::io::ErrorKind::NotFound, "not on PATH"),
        }
    })
}

/// Sends a signal, by name (`TERM`, `INT`, `HUP`, `KILL`), to one process that we started.
pub(crate) fn signal(pid: u32, name: &str) -> Result<(), LabError> {
    let signal = match name {
        "TERM" => Signal::TERM,
        "INT" => Signal::INT,
        "HUP" => Signal::HUP,
        "KILL" => Signal::KILL,
        _ => return Err(LabError::Step { reason: format!("`{name}` is no signal the lab sends") }),
    };
    let pid = process_id(pid).ok_or_else(|| LabError::Step { reason: "the process is gone".to_owned() })?;
    // A process that ended meanwhile is what the signal wanted.
    let _ = kill_process(pid, signal);
    Ok(())
}

/// Ends a process that we started, its group, and what came from it. The CLI runs commands in sessions of their own, so
/// the group alone would leave them behind.
pub(crate) fn end_tree(leader: u32) {
    if leader <= 1 {
        return;
    }
    let send = |pid: u32, signal| process_id(pid).map(|pid| kill_process(pid, signal));
    // One that is stopped starts no other, so the family is whole once a look finds nobody new.
    let mut family = Vec::new();
    let mut found = vec![leader];
    while !found.is_empty() {
        found.iter().for_each(|pid| _ = send(*pid, Signal::STOP));
        family.append(&mut found);
        found = descendants(leader).into_iter().filter(|pid| !family.contains(pid)).collect();
    }
    if let Some(pid) = process_id(leader) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    family.into_iter().for_each(|pid| _ = send(pid, Signal::KILL));
}

/// Ends every process that works below a folder of ours: what the CLI left behind when it ended itself. No process of
/// others has reason to be there.
pub(crate) fn end_all_below(folder: &Path) {
    let Ok(entries) = std::fs::read_dir("/proc") else { return };
    for process in entries.filter_map(Result::ok) {
        let below = std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
        let pid = process.file_name().to_str().and_then(|name| name.parse().ok()).and_then(process_id);
        if let Some(pid) = pid.filter(|_| below) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// All processes below one, as `/proc` tells; none where there is no `/proc`.
fn descendants(leader: u32) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let parents: Vec<(u32, u32)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let pid = path.file_name()?.to_str()?.parse().ok()?;
            Some((pid, parent(&path)?))
        })
        .collect();
    let mut family = vec![leader];
    let mut at = 0;
    while at < family.len() {
        let above = family[at];
        family.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(pid, _)| *pid));
        at += 1;
    }
    family.split_off(1)
}

fn parent(process: &Path) -> Option<u32> {
    let stat = std::fs::read_to_string(process.join("stat")).ok()?;
    // The name in parentheses may hold anything, so the fields are counted from behind it.
    stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
}
